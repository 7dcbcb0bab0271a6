//! Words and lines as they are read and printed.

use std::collections::{BTreeSet, HashSet};

use rules::card::{Card, NotACard, Rank, Suit};
use rules::money::{AmountError, Cents};
use rules::table::{Account, Input, Kind, Name, Seal, WrittenReason};
use rules::transcript::{ReadError, Transcript, read, read_each};
use rules::wager::Bettor;

#[test]
fn amounts_read_and_print() {
    for (word, cents, printed) in [
        ("10", 1000, "10"),
        ("7.50", 750, "7.50"),
        ("7.5", 750, "7.50"),
        ("-10", -1000, "-10"),
        ("+15", 1500, "15"),
        ("0.05", 5, "0.05"),
    ] {
        let amount: Cents = word.parse().unwrap();
        assert_eq!(amount, Cents::new(cents));
        assert_eq!(amount.to_string(), printed);
    }
    assert_eq!(format!("{:+}", Cents::new(1500)), "+15");
    assert_eq!(format!("{:+}", Cents::new(-5)), "-0.05");
    for word in ["", "-", "+", "1.", ".5", "1.005", "1,5", "1e3", "--1", "+é"] {
        assert_eq!(word.parse::<Cents>(), Err(AmountError::Unreadable), "{word}");
    }
    for word in ["9999999999999999", "-9999999999999999.99"] {
        assert_eq!(word.parse::<Cents>(), Err(AmountError::TooLarge), "{word}");
    }
}

#[test]
fn a_deck_has_52_cards_that_print_and_read_back() {
    let mut seen = HashSet::new();
    for card in Card::DECK {
        assert!(seen.insert(card));
        assert_eq!(card.to_string().parse(), Ok(card));
        assert_eq!(Card::new(card.rank(), card.suit()), card);
    }
    assert_eq!("Td".parse(), Ok(Card::new(Rank::Ten, Suit::Diamonds)));
    for word in ["", "T", "10d", "1d", "td", "TD", "??", "Tdd", "é"] {
        assert_eq!(word.parse::<Card>(), Err(NotACard), "{word}");
    }
}

#[test]
fn nothing_is_read_as_a_bettor_but_a_box_and_a_place() {
    for (word, seat, place) in [("1", 0, 0), ("7", 6, 0), ("3b", 2, 1), ("3c", 2, 2), ("9", 8, 0)] {
        let bettor = Bettor::behind(seat, place);
        assert_eq!(Bettor::read(word), Some(bettor));
        assert_eq!(bettor.to_string(), word);
    }
    for word in ["", "0", "10", "01", "3d", "b", "3bb", "-1", "+1", "3 b"] {
        assert_eq!(Bettor::read(word), None, "{word}");
    }
}

#[test]
fn names_are_one_short_word() {
    let longest = "a".repeat(Name::LONGEST);
    for word in ["a", "ann-2", "9", "-", longest.as_str()] {
        assert_eq!(word.parse::<Name>().unwrap().as_str(), word);
    }
    let too_long = "a".repeat(Name::LONGEST + 1);
    for word in ["", "Ann", "a b", "a#", "a_b", "é", "a\n", too_long.as_str()] {
        assert!(word.parse::<Name>().is_err(), "{word}");
    }
}

#[test]
fn a_reason_is_one_line_that_reads_back() {
    let longest = "ü".repeat(WrittenReason::LONGEST);
    for line in ["a", "the hand was 20, not 19", longest.as_str()] {
        assert_eq!(line.parse::<WrittenReason>().unwrap().as_str(), line);
    }
    let too_long = "a".repeat(WrittenReason::LONGEST + 1);
    for line in ["", " ", "a ", " a", "a  b", "a\nb", "a\tb", "a #b", too_long.as_str()] {
        assert!(line.parse::<WrittenReason>().is_err(), "{line}");
    }
}

#[test]
fn accounts_print_and_read_back() {
    let ann = "ann".parse().unwrap();
    for (account, word) in [
        (Account::Player(ann), "player:ann"),
        (Account::Rack(Bettor::at(0)), "rack:1"),
        (Account::Rack(Bettor::at(6)), "rack:7"),
        (Account::Rack(Bettor::behind(2, 1)), "rack:3b"),
        (Account::Escrow, "escrow"),
        (Account::House, "house"),
        (Account::Meter, "meter"),
        (Account::Cashier, "cashier"),
    ] {
        assert_eq!(account.to_string(), word);
        assert_eq!(word.parse(), Ok(account));
    }
    for word in ["", "player:", "player:Ann", "rack:0", "rack:8", "rack:3d", "rack", "house:1"] {
        assert!(word.parse::<Account>().is_err(), "{word}");
    }
}

const SEAL: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

#[test]
fn a_seal_is_its_bytes_in_hex() {
    let seal: Seal = SEAL.parse().unwrap();
    assert_eq!((seal.0[0], seal.0[1], seal.0[15], seal.0[31]), (0x00, 0x11, 0xff, 0xff));
    assert_eq!(seal.to_string(), SEAL);
    for word in ["", &SEAL[1..], &SEAL.to_uppercase(), &SEAL.replace('a', "g")] {
        assert!(word.parse::<Seal>().is_err(), "{word}");
    }
}

/// Every input there is, as it is printed.
#[test]
fn an_input_prints_as_it_was_read() {
    let inputs = "\
dealer ann
dealer ann by eve
decks inspected
decks pre-shuffled q4-117
decks due
inspect 3
spread 3
sit 3 ann
sit 7c ann
consent 3 ann
revoke 3 ann
buy-in 3 100.50
leave 1b
shuffle SEAL wash plug riffle turn strip cut machine continuous pre-shuffled
shuffle physical machine
commit
commit cut 3b 120
commit house 5d41402abc4b2a76 1 SEAL 3b SEAL
commit cut 3 120 house h1 3 SEAL
open
open 1 SEAL 3b SEAL
cut 3 120
cut 3b pass
cut dealer 52
show-burn 3 9d As
wager 3 main 10 tie 5.50
clear 3
deal
card 9d
card ??
act 3 surrender
act 3 war 5
act 3b hand 2
peek yes
turn 9d
time-out 3
meter 10000.75
idle
reveal SEAL 9dAs
order admit 3 by ann
order recut by ann because by hand
order discard by ann showing 9d
order forward by ann showing As because it was seen
choose 3 refund
correct 12 5 from house to rack:3 by ann because it was 20";
    for line in inputs.replace("SEAL", SEAL).lines().chain([format!("reveal {SEAL} ").as_str()]) {
        let input: Input = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(input.to_string(), line);
    }
}

#[test]
fn no_other_spelling_is_read() {
    let wrong = "\
deal # now
Deal
opens
done
remedy void
game casino-war
sit 3
sit 0 ann
sit 8 ann
sit 3d ann
dealer Ann
decks
decks pre-shuffled
consent 3b ann
contribute 3 SEAL
mix
commit cut 3
commit cut dealer 60
commit house
commit 3 SEAL
commit house h1 3 00
commit house h1 3 SEAL cut 3 60
open 3
open 3 00
meter +5
meter -5
shuffle
shuffle none riffle
shuffle physical shake
order recut
order recut by ann because
correct 12 5 from house to rack:3 by ann
correct 012 5 from house to rack:3 by ann because x
sit 3 Ann
buy-in 3 100.5
buy-in 3 +100
buy-in 3 ten
cut 3 0120
cut 3 +120
cut 3 -1
cut house 120
wager 3 main 10.00
wager 3 main 10 main 10
wager 3 main 10 # all in
card
card 9D
card 9d 9d
act 3 war 5.0
act 3 fold
reveal 00 9d
reveal SEAL
reveal SEAL 9dA
reveal SEAL 9d As
reveal SEAL é";
    let wrong = wrong.replace("SEAL", SEAL);
    let odd = [
        "",
        " deal",
        "deal ",
        "deal\n",
        "sit 3  ann",
        "order recut by ann because  x",
        "wager 3 main 10\nact 3 war",
    ];
    let upper = format!("shuffle {}", SEAL.to_uppercase());
    for line in wrong.lines().chain(odd).chain([upper.as_str()]) {
        assert!(line.parse::<Input>().is_err(), "{line}");
    }
}

#[test]
fn a_report_of_every_kind_prints_as_it_was_read() {
    let reports = "\
misdealt 3 9d by player 3b
misdealt 3 2 9d by dealer
misdealt dealer 9d by supervisor eve injected
face-up 9d by system
ten Td by dealer
drawn-unseen by player 1
drawn-seen 9d by dealer
overdraw 9d by dealer
dealer-missed by dealer
no-card 3 by player 3
one-card 7 by dealer
missed-hit 3 by player 3
missed-hit 3 4 by player 3
shuffler-fault by system
reader-misused by system
reader-broken by dealer
burn-forgotten by supervisor eve
hole-seen 9d by player 2
bad-cut by dealer";
    for line in reports.lines() {
        let line = format!("report {line}");
        assert_eq!(line.parse::<Input>().unwrap().to_string(), line);
    }
    for kind in Kind::ALL {
        let begins = |line: &str| line.split(' ').next() == Some(kind.name());
        assert!(reports.lines().any(begins), "{kind}");
    }
}

#[test]
fn what_belongs_to_a_kind_is_not_left_out() {
    let wrong = "\
by dealer
jam by dealer
misdealt 9d by dealer
misdealt 3 by dealer
misdealt 3 1 9d by dealer
misdealt 3 5 9d by dealer
face-up by dealer
face-up ?? by dealer
drawn-unseen 9d by dealer
no-card by dealer
no-card 3 2 by dealer
no-card dealer by dealer
missed-hit 8 by dealer
bad-cut
bad-cut by
bad-cut by player
bad-cut by supervisor
bad-cut by eve
bad-cut by dealer eve
bad-cut injected by dealer";
    for line in wrong.lines().chain([""]) {
        assert!(format!("report {line}").parse::<Input>().is_err(), "{line}");
    }
}

/// A line of every kind, as it is printed.
const EVERY_LINE: &str = "\
clause CW-8-f G-04 CW-R19
game double-attack
terms decks=6 main_min=0.50
person ann 1 2 7
bankroll 3b 20.50
meter 10000.01
wager 1 main 10 bonus 5
wager 3c main 7.50
wager 2 main -5
cards ?? Td As ??
act 1 hit
act 1 double 7.50
act 3b hand 2
act 1 even-money
act 1 war -0.05
buy-in 3b 20
peek yes
peek no
turn 2c
remedy void
remedy release 3b
remedy sides-back 3c
remedy dead 3
remedy dead 3 2
remedy late 1
remedy late 1 3
remedy no-more-cards 7
remedy no-more-cards 7 4
remedy dealer-late
remedy hole 9s
remedy reader-out
remedy burn-forgotten
refused
refused CW-8-f
refused G-07
refused main_max
awaits wagers
awaits card
awaits act 3b
awaits peek
awaits turn
awaits nobody
offers 1 hit stand
offers 2b
total 1 17
total 1 17 soft
total 1 2 17
total 1 2 17 soft
total dealer 21
total dealer 21 soft
hand 1 flush
net 1 +10
net 1 main -7.50
net 3b envy 0
outcome 1 suited-tie
done
";

fn reasons(text: &str) -> Vec<(usize, String)> {
    let errors = read(text).expect_err(text);
    errors.into_iter().map(|error| (error.line, error.reason.to_string())).collect()
}

/// Why one line of a Casino War round cannot be read: what is expected, and what is found.
fn reason(line: &str) -> (String, String) {
    let errors = read(&format!("game casino-war\n{line}\n")).expect_err(line);
    let [ReadError { line: 2, reason }] = errors.as_slice() else { panic!("{line}: {errors:?}") };
    (reason.expected.clone(), reason.found.clone())
}

#[test]
fn what_is_printed_reads_back_the_same() {
    let rounds = read(EVERY_LINE).unwrap();
    assert_eq!(rounds.len(), 1);
    assert_eq!(rounds[0].to_string(), EVERY_LINE);
    assert_eq!(rounds[0].lines().cloned().collect::<Transcript>(), rounds[0]);
}

#[test]
fn spelling_is_free_where_it_says_so() {
    let text = "\u{feff}# A comment.\r\n\r\n\tgame  free-bet # the game\r\n wager 1 main 7.5\r\n\
        cards Td#no blank\r\n net 1 15 \r\n---\r\n# nothing\r\n --- # end\r\n\r\n";
    let rounds = read(text).unwrap();
    assert_eq!(rounds.len(), 1);
    let printed = "game free-bet\nwager 1 main 7.50\ncards Td\nnet 1 +15\n";
    assert_eq!(rounds[0].to_string(), printed);
    assert_eq!(rounds[0].first_line(), Some(3));
    assert_eq!(read(""), Ok(vec![]));
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let text = "game casino-war\nwager 1 main ten\n\nfold 1\n---\ngame poker\ncards 9d\n";
    let said = reasons(text);
    assert_eq!(said.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 4, 6]);
    assert_eq!(
        said[0].1,
        "expected an amount in dollars with up to two decimals, such as 10 or 7.50, \
         found 'ten'"
    );
    assert!(said[1].1.starts_with("expected a keyword ("), "{}", said[1].1);
    assert!(said[2].1.ends_with(", found 'poker'"), "{}", said[2].1);
    assert_eq!(read(text).unwrap_err()[1].to_string(), format!("line 4: {}", said[1].1));
}

#[test]
fn one_bad_round_does_not_hide_the_others() {
    let each = read_each("game free-bet\ndone\n---\nnonsense\n---\ngame free-bet\n");
    assert_eq!(each.len(), 3);
    assert!(each[0].is_ok() && each[1].is_err() && each[2].is_ok());
}

#[test]
fn the_game_comes_first_and_once() {
    let missing =
        "expected 'game NAME' before anything but clauses and comments, found none".to_owned();
    assert_eq!(reasons("clause CW-8-f\nwager 1 main 5\ndone\n"), [(2, missing.clone())]);
    assert_eq!(reasons("\nclause CW-8-f\n"), [(2, missing.clone())]);
    assert_eq!(reasons("done\ngame casino-war\n"), [(1, missing)]);
    assert!(read("game casino-war\nclause CW-8-f\n").is_ok());
}

#[test]
fn a_word_that_does_not_belong_is_named() {
    let invented = concat!("CW", "-99");
    for (line, expected, found) in [
        ("deal 9d", "a keyword (", "deal"),
        ("Wager 1 main 5", "a keyword (", "Wager"),
        (&format!("clause CW-8-f {invented}"), "the id of a clause or ruling", invented),
        ("clause main_min", "the id of a clause or ruling", "main_min"),
        ("terms decks", "a term as KEY=VALUE", "decks"),
        ("terms =6", "a term as KEY=VALUE", "=6"),
        ("terms decks=", "a term as KEY=VALUE", "decks="),
        ("person ann 8", "a seat from 1 to 7", "8"),
        ("person ann 1b", "a seat from 1 to 7", "1b"),
        ("bankroll 0 5", "a seat from 1 to 7, or a bettor behind it", "0"),
        ("bankroll 1 much", "an amount in dollars with", "much"),
        ("meter -1", "an amount in dollars that is not", "-1"),
        ("bankroll 10 5", "a seat from 1 to 7, or a bettor behind it", "10"),
        ("net 10 0", "a seat from 1 to 7, or a bettor behind it", "10"),
        ("offers 10", "a seat from 1 to 7, or a bettor behind it", "10"),
        ("total 10 17", "a seat from 1 to 7, or dealer", "10"),
        ("awaits act 10", "a seat from 1 to 7, or a bettor behind it", "10"),
        ("remedy release 10", "a seat from 1 to 7, or a bettor behind it", "10"),
        ("remedy dead 8", "a seat from 1 to 7", "8"),
        ("wager 10 main 5", "a seat from 1 to 7, or a bettor behind it", "10"),
        ("act 0 hit", "a seat from 1 to 7, or a bettor behind it", "0"),
        ("wager 3d main 5", "a seat from 1 to 7, or a bettor behind it", "3d"),
        ("wager 1 mian 5", "a circle (main", "mian"),
        ("wager 1 main 5 5", "a circle (main", "5"),
        ("wager 1 main 1.005", "an amount in dollars with", "1.005"),
        ("cards 9d 10d", "a card such as Td, or ??", "10d"),
        ("cards ?", "a card such as Td, or ??", "?"),
        ("act 1 fold", "an act (", "fold"),
        ("act 1 double all", "an amount in dollars with", "all"),
        ("act 1 hand 0", "the number of a hand", "0"),
        ("act 1 hand 256", "the number of a hand", "256"),
        ("act 1 hand +1", "the number of a hand", "+1"),
        ("peek maybe", "yes or no", "maybe"),
        ("turn ??", "a card such as Td or As", "??"),
        ("remedy pray", "a remedy (", "pray"),
        ("remedy dead 3b", "a seat from 1 to 7", "3b"),
        ("remedy late 3 0", "the number of a hand", "0"),
        ("remedy hole 1c", "a card such as Td or As", "1c"),
        (
            &format!("refused {invented}"),
            "the id of a clause or ruling, or the name of a term",
            invented,
        ),
        ("awaits cards", "wagers, card, act SEAT", "cards"),
        ("awaits act dealer", "a seat from 1 to 7, or a bettor behind it", "dealer"),
        ("offers 1 fold", "an act (", "fold"),
        ("total house 17", "a seat from 1 to 7, or dealer", "house"),
        ("total 1 many", "the points of a hand", "many"),
        ("total 1 0 17", "the number of a hand", "0"),
        ("total dealer 1 17", "soft, or nothing more", "17"),
        ("total 1 17 18 hard", "soft, or nothing more", "hard"),
        ("hand 1 quads", "a hand (", "quads"),
        ("net 1 mian 5", "a circle or an amount", "mian"),
        ("net 1 main five", "an amount in dollars with", "five"),
        ("outcome 1 draw", "an outcome (", "draw"),
    ] {
        let reason = reason(line);
        assert!(reason.0.starts_with(expected), "{line}: {reason:?}");
        assert_eq!(reason.1, format!("'{found}'"), "{line}");
    }
}

#[test]
fn a_line_has_all_its_words_and_no_more() {
    for (line, expected) in [
        ("clause", "the id of a clause or ruling"),
        ("terms", "a term as KEY=VALUE"),
        ("person", "a person's name"),
        ("person ann", "a seat from 1 to 7"),
        ("bankroll 1", "an amount in dollars with"),
        ("meter", "an amount in dollars that is not"),
        ("wager", "a seat from 1 to 7, or a bettor behind it"),
        ("wager 1", "a circle (main"),
        ("wager 1 main", "an amount in dollars with"),
        ("wager 1 main 5 tie", "an amount in dollars with"),
        ("cards", "a card such as Td, or ??"),
        ("act 1", "an act ("),
        ("act 1 hand", "the number of a hand"),
        ("peek", "yes or no"),
        ("turn", "a card such as Td or As"),
        ("remedy", "a remedy ("),
        ("remedy dead", "a seat from 1 to 7"),
        ("awaits", "wagers, card, act SEAT"),
        ("awaits act", "a seat from 1 to 7, or a bettor behind it"),
        ("offers", "a seat from 1 to 7, or a bettor behind it"),
        ("total", "a seat from 1 to 7, or dealer"),
        ("total 1", "the points of a hand"),
        ("hand 1", "a hand ("),
        ("net 1", "a circle or an amount"),
        ("net 1 main", "an amount in dollars with"),
        ("outcome 1", "an outcome ("),
    ] {
        let reason = reason(line);
        assert!(reason.0.starts_with(expected), "{line}: {reason:?}");
        assert_eq!(reason.1, "the end of the line", "{line}");
    }
    for (line, found) in [
        ("meter 5 6", "6"),
        ("act 1 double 5 6", "6"),
        ("peek no yes", "yes"),
        ("turn 9d 9c", "9c"),
        ("remedy void 1", "1"),
        ("refused CW-8-f CW-8-h", "CW-8-h"),
        ("awaits nobody else", "else"),
        ("total dealer 17 soft hand", "hand"),
        ("done now", "now"),
    ] {
        let (expected, found) = ("the end of the line".to_owned(), format!("'{found}'"));
        assert_eq!(reason(line), (expected, found), "{line}");
    }
}

#[test]
fn what_is_expected_is_all_that_is_read() {
    let words = |line: &str| -> BTreeSet<String> {
        let (expected, _) = reason(line);
        let (_, words) = expected.strip_suffix(')').unwrap().split_once('(').unwrap();
        words.replace(" or ", ", ").split(", ").map(str::to_owned).collect()
    };
    let printed = |keyword: &str| -> BTreeSet<String> {
        let lines = EVERY_LINE.lines().filter_map(|line| line.strip_prefix(keyword));
        lines.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
    };
    assert_eq!(words("remedy pray"), printed("remedy "));
    let mut keywords = words("wibble");
    assert!(keywords.remove("table"));
    assert_eq!(keywords, printed(""));
}

#[test]
fn nothing_is_named_twice() {
    for (line, expected, found) in [
        ("wager 1 main 5 tie 5 main 6", "each circle once in a wager", "'main' twice"),
        ("terms decks=6 decks=8", "each term once in a line", "'decks' twice"),
        ("game casino-war", "one 'game' line in a round", "two"),
    ] {
        assert_eq!(reason(line), (expected.to_owned(), found.to_owned()));
    }
}

#[test]
fn strange_words_are_shown_on_one_short_line() {
    let (_, found) = reason("\u{1b}\u{0}é");
    assert_eq!(found, "'\\u{1b}\\0é'");
    let (_, found) = reason(&"x".repeat(1000));
    assert_eq!(found.chars().count(), 43);
}
