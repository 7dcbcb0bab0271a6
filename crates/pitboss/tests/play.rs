//! Tables in the terminal, played through a pipe: what is typed, what is shown, what it comes to.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const GAMES: [&str; 5] =
    ["casino-war", "double-down-stud", "double-deck", "double-attack", "free-bet"];

/// Plays with these arguments; `typed` is all that is typed, and then the input ends.
fn play(arguments: &[&str], typed: &[u8]) -> Output {
    play_in(80, arguments, typed)
}

/// Plays in a terminal of so many columns.
fn play_in(columns: usize, arguments: &[&str], typed: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pitboss"))
        .arg("play")
        .args(arguments)
        .env("COLUMNS", columns.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has left already takes no more input.
    let _ = child.stdin.take().unwrap().write_all(typed);
    child.wait_with_output().unwrap()
}

/// What is shown, where nothing goes wrong.
fn shown(arguments: &[&str], typed: &str) -> String {
    let output = play(arguments, typed.as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains('\x1b'), "no escape codes through a pipe");
    text
}

/// The one sentence of a refusal on the command line.
fn refused(arguments: &[&str]) -> String {
    let output = play(arguments, b"");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(output.stdout, b"");
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    sentence
}

/// Every transcript that was shown, without what stands before `game` and after `done`.
fn transcripts(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split("# Saved as ").skip(1) {
        let lines = part.lines().skip(1);
        let mut round: Vec<&str> = lines.take_while(|line| *line != "done").collect();
        round.push("done\n");
        found.push(round.join("\n"));
    }
    found.dedup();
    found
}

fn check(name: &str, rounds: &[String]) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("played-{name}.round"));
    fs::write(&file, rounds.join("---\n")).unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_pitboss")).arg("check").arg(&file).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, format!("{} passed, 0 failed\n", rounds.len()));
}

/// A guest without a plan: the first answers fit wagers, the others whatever is asked.
fn scribbled(rounds: usize, answers: &[&str]) -> String {
    (0..rounds).map(|i| format!("{}\n", answers[i * 5 % answers.len()])).collect()
}

#[test]
fn every_game_is_played_and_its_transcripts_pass() {
    let answers =
        ["", "10", "t", "h", "s", "d", "p", "w", "u", "a", "i", "t", "e", "d 5", "s", "w 5", "15"];
    for game in GAMES {
        for (seed, boxes, seat) in [("1", "0", "1"), ("2", "3", "2"), ("3", "5", "6")] {
            let arguments = [game, "--seed", seed, "--boxes", boxes, "--seat", seat];
            let text = shown(&arguments, &scribbled(400, &answers));
            let rounds = transcripts(&text);
            assert!(rounds.len() > 5, "{game}: {text}");
            check(&format!("{game}-{seed}"), &rounds);
        }
    }
}

#[test]
fn house_options_are_played_by() {
    let answers = ["", "10", "t", "h", "s", "d", "p", "w", "u", "a", "i", "t", "e", "s"];
    for (game, options) in [
        ("casino-war", &["decks=8", "breakage=player_favour", "progressive_offered=off"][..]),
        ("double-down-stud", &["double_amount=equal", "pays_flush=9"]),
        ("double-deck", &["player_cards=open", "even_money=on", "cut_card_depth=26"]),
        ("double-attack", &["dealing_mode=hole_card_reader", "seats=6", "decks=6"]),
        ("free-bet", &["shuffle_method=continuous", "split_aces=one_card_resplit"]),
    ] {
        let mut arguments = vec![game, "--seed", "9", "--boxes", "2"];
        for option in options {
            arguments.extend(["--set", option]);
        }
        let text = shown(&arguments, &scribbled(300, &answers));
        assert!(text.contains(options[0]), "the house says what it has set");
        let rounds = transcripts(&text);
        assert!(rounds.len() > 5 && rounds[0].contains("\nterms "), "{game}");
        check(&format!("{game}-options"), &rounds);
    }
}

#[test]
fn a_seed_deals_the_same_cards_and_chance_does_not() {
    let typed = "10\ns\np\n\ns\np\n\ns\np\nq\n";
    let seeded = |seed: &str| shown(&["free-bet", "--seed", seed], typed);
    assert_eq!(seeded("7"), seeded("7"));
    assert_ne!(seeded("7"), seeded("8"));
    let chance = || shown(&["free-bet"], typed);
    assert_ne!(chance(), chance());
}

#[test]
fn the_rack_is_what_it_was_and_what_was_won() {
    let text =
        shown(&["double-down-stud", "--seed", "5", "--bankroll", "100"], &"\np\n".repeat(20));
    let amount = |words: &str, line: &str| -> i64 {
        let rest = line.split(words).nth(1).unwrap();
        rest.split(' ')
            .next()
            .unwrap()
            .trim_end_matches(['.', ':'])
            .replace(',', "")
            .parse()
            .unwrap()
    };
    let racks: Vec<i64> =
        text.lines().filter(|l| l.starts_with("Round ")).map(|l| amount("rack ", l)).collect();
    let nets: Vec<i64> = text
        .lines()
        .filter(|l| l.starts_with("  You ") && l.contains(". "))
        .map(|l| l.split_whitespace().last().unwrap().replace('−', "-").parse().unwrap())
        .collect();
    assert_eq!(racks[0], 100);
    assert!(nets.len() >= racks.len() - 1 && racks.len() > 10, "{text}");
    for (pair, net) in racks.windows(2).zip(&nets) {
        assert_eq!(pair[1] - pair[0], *net, "{text}");
    }
    let last = text.lines().last().unwrap();
    let net: i64 = nets.iter().sum();
    assert!(last.contains(&format!("leave with {}: {net:+}.", 100 + net)), "{last}");
}

#[test]
fn the_end_of_input_is_a_farewell() {
    for game in GAMES {
        let text = shown(&[game], "");
        assert!(
            text.ends_with(
                "You played no round, brought 1,000 and leave with 1,000: 0. Goodbye.\n"
            )
        );
    }
    // Also in the middle of a round, which is finished without further wagers.
    let text = shown(&["double-attack", "--seed", "1"], "10\n");
    assert!(
        text.contains("You leave; the round is finished without further wagers (G-06)."),
        "{text}"
    );
    assert!(text.contains("You played 1 round, "), "{text}");
}

#[test]
fn bad_input_gets_a_sentence_and_costs_nothing() {
    let text = shown(
        &["double-deck", "--seed", "4"],
        "ten\n4\n5001\n7.50\n2000\n10 bonus 5\n-5\n10 10\nh\nq\n",
    );
    for sentence in [
        "Expected a wager such as 5; type ? for help, q to leave.",
        "Refused: the table minimum is 5 (house option main_min).",
        "Refused: the table maximum is 5,000 (house option main_max).",
        "Refused: the amount must be a multiple of the 1 chip",
        "Refused: the rack has only 1,000 left",
        "Refused: this game has no side wagers (DDB-P22).",
        "Each circle takes one amount, but main was named twice.",
        "leave with 1,000: 0.",
    ] {
        assert!(text.contains(sentence), "{sentence}\n{text}");
    }
    // Bytes that are no text, and a line without end.
    let mut typed = vec![0xff, 0, 0x1b, b'\n'];
    typed.extend(vec![b'9'; 100_000]);
    let output = play(&["casino-war"], &typed);
    assert_eq!(output.status.code(), Some(0));
    assert!(!output.stdout.contains(&0x1b), "nothing typed is passed on as an escape code");
}

#[test]
fn help_explains_what_pays_what_is_open_and_what_is_closed() {
    let text = shown(
        &["double-deck", "--seed", "4"],
        "?\n10\n?\n??\n? pays\nu\nwar\nr DDB-P9\n? g-06\nr peek\nr x\nq\n",
    );
    for words in [
        "DDB-P9        main: a blackjack, 3 to 2",
        "The dealer draws to 16, and also on soft 17.",
        "peek=reader here. Reader checks ace or ten up",
        "bonus         not possible: this game has no side wagers (DDB-P22)",
        "You can",
        "Not possible now",
        "surrender     this game has no surrender (DDB-R20)",
        "Refused: this game has no surrender (DDB-R20).",
        "Refused: this game has no war",
        "G-06, a ruling on",
        "Type r and a clause, a ruling or a house option",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
}

#[test]
fn the_burn_card_is_shown_where_the_book_shows_it() {
    for (arguments, words) in [
        (&["double-attack"][..], "The burn card of this shoe is "),
        (&["casino-war"], "The burn card stays face down (CW-1-burn-card)."),
        (&["free-bet"], "The burn card stays face down (house option disclose_burn)."),
        (&["free-bet", "--set", "disclose_burn=on"], "The burn card of this shoe is "),
        (&["double-down-stud"], "Nothing is burned in this game (DDS-R15)."),
    ] {
        assert!(shown(arguments, "burn\n").contains(words), "{arguments:?}");
    }
}

#[test]
fn a_shoe_is_shuffled_when_the_cut_card_is_out() {
    let text = shown(&["double-deck", "--seed", "4", "--boxes", "5"], &"\ns\np\n".repeat(40));
    assert_eq!(text.matches("New shoe: 2 decks, 104 cards").count(), 1);
    assert!(text.matches("The cut card is out, so the shoe is shuffled").count() > 3, "{text}");
}

#[test]
fn the_meter_grows_with_every_progressive_wager() {
    let text = shown(&["casino-war", "--seed", "3"], "10 progressive 5\n\n\nq\n");
    for meter in ["meter 10,000\n", "meter 10,000.75\n", "meter 10,001.50\n", "meter 10,002.25\n"] {
        assert!(text.contains(meter), "{text}");
    }
}

#[test]
fn private_cards_of_other_boxes_are_backs_until_shown() {
    let text = shown(&["double-deck", "--seed", "4", "--boxes", "2", "--seat", "1"], "10\ns\n");
    let hands: Vec<&str> = text.lines().filter(|line| line.contains("  Box 2  ")).collect();
    assert!(hands[0].contains("Box 2  ▒▒ ▒▒"), "{text}");
    assert!(!hands.last().unwrap().contains('▒'), "{text}");
}

#[test]
fn out_of_chips_more_can_be_bought() {
    let start = &["casino-war", "--seed", "1", "--bankroll", "20"];
    let typed = "10 tie 5 progressive 5\n".to_owned() + "x\n?\nb\nq\n";
    let text = shown(start, &typed);
    assert!(text.contains("You have 0 left, and the smallest wager is 5."), "{text}");
    assert!(text.contains("Type b to buy more chips, or q to leave."), "{text}");
    assert!(text.contains("b adds another 20 of play money to your rack"), "{text}");
    assert!(text.contains("brought 40 and leave with 20: −20."), "{text}");
    let text = shown(start, "10 tie 5 progressive 5\n");
    assert!(text.contains("brought 20 and leave with 0: −20."), "{text}");
}

#[test]
fn the_game_is_asked_for() {
    let text = shown(&[], "poker\n\n2\nq\n");
    assert!(text.contains("  5  Free Bet Blackjack"), "{text}");
    assert_eq!(text.matches("Expected a number from 1 to 5").count(), 2);
    assert!(text.contains("\nDouble Down Stud\n"));
    assert!(!shown(&[], "q\n").contains("Goodbye"));
    let help = shown(&[], "?\n??\nWAR\nq\n");
    assert!(help.contains("Type the number of a game") && help.contains("a lammer"));
    assert!(!help.contains("Expected") && help.contains("Goodbye"), "{help}");
    assert!(!shown(&[], "").contains("Goodbye"));
}

#[test]
fn arguments_that_make_no_sense_get_one_sentence() {
    for (arguments, words) in [
        (&["poker"][..], "there is no game 'poker'; there are casino-war, "),
        (&["casino-war", "--set", "decks=5"], "decks=5 is not allowed; expected 6, 7 or 8 (CW-2-a"),
        (
            &["casino-war", "--set", "deck=6"],
            "casino-war has no option 'deck'; the nearest is decks, and `pitboss rules casino-war`",
        ),
        (
            &["casino-war", "--set", "decks=6", "--set", "decks=8"],
            "expected each option once, found decks=6 and decks=8",
        ),
        (&["casino-war", "--set", "progressive_seed=99999999"], " to 10,000,000 ("),
        (&["casino-war", "--set", "decks"], "expected KEY=VALUE"),
        (&["casino-war", "--seat", "8"], "expected --seat from 1 to 7"),
        (&["casino-war", "--seat", "0"], "expected --seat from 1 to 7"),
        (&["casino-war", "--seat", "-1"], "expected --seat from 1 to 7"),
        (
            &["war", "--seat", "one"],
            "because the layout has 7 boxes (house option seats), found 'one'",
        ),
        (
            &["war", "--set", "seats=1", "--boxes", "1"],
            "from 0 to 0, because the layout has 1 box (",
        ),
        (&["casino-war", "--boxes", "-1"], "expected --boxes from 0 to 6"),
        (&["casino-war", "--seed", "-1"], "expected --seed as a whole number from 0, found '-1'"),
        (&["casino-war", "--seed", "x"], "expected --seed as a whole number from 0, found 'x'"),
        (&["casino-war", "--bankroll", "-5"], "expected --bankroll above 0 and up to 10,000,000,"),
        (&["double-deck", "--boxes", "6"], "expected --boxes from 0 to 5"),
        (&["casino-war", "--bankroll", "0"], "expected --bankroll above 0"),
        (&["--bankroll", "lots"], "expected --bankroll above 0"),
        (
            &["casino-war", "--set", "main_max=5", "--set", "chip_unit=2"],
            "no multiple of chip_unit=2 is between main_min=5 and main_max=5",
        ),
    ] {
        assert!(refused(arguments).contains(words), "{arguments:?}: {}", refused(arguments));
    }
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let typed = scribbled(300, &["?", "", "s", "p", "??", "h", "w", "? pays", "d", "r decks"]);
    for game in GAMES {
        for columns in [40, 63, 80, 100] {
            let arguments = [game, "--seed", "6", "--boxes", "5", "--bankroll", "1,000,000"];
            let output = play_in(columns, &arguments, typed.as_bytes());
            assert_eq!(output.status.code(), Some(0));
            let text = String::from_utf8(output.stdout).unwrap();
            let wide = text.lines().find(|line| line.chars().count() > columns);
            assert_eq!(wide, None, "{game} in {columns} columns");
        }
    }
    let help = shown(&["--help"], "");
    assert!(help.contains("Examples:\n") && help.contains("You have one box,"));
}

#[test]
fn introductions_and_help_are_short() {
    for game in GAMES {
        let intro = shown(&[game, "--boxes", "2", "--set", "main_min=10"], "");
        let lines =
            intro.lines().take_while(|line| !line.contains("shoe") && !line.contains("deck,"));
        let count = lines.count();
        assert!(count <= 13, "{game}: {count} lines\n{intro}");

        let text = shown(&[game, "--seed", "2"], &"\n?\np\n?\ns\nu\n".repeat(60));
        let mut helps = text.split("You can\n").skip(1).peekable();
        assert!(helps.peek().is_some(), "{game}: {text}");
        for help in helps {
            let count = help.split("At any time:").next().unwrap().lines().count();
            assert!(count < 20, "{game}: {help}");
        }
    }
}

#[test]
fn options_of_the_table_are_accepted_and_named() {
    let text = shown(&["war", "--set", "coupons=on", "--set", "decks=8"], "");
    assert!(text.contains("The house has set decks=8.\n"), "{text}");
    assert!(text.contains("coupons=on has no effect here: it concerns the table's procedures"));
    let text = shown(&["war", "--set", "coupons=on", "--set", "cut_by=dealer"], "");
    assert!(text.contains("coupons=on, cut_by=dealer have no effect here: they concern"), "{text}");
    assert!(!text.contains("The house has set"), "{text}");
}

#[test]
fn questions_say_what_has_been_made_so_far() {
    let text = shown(&["war", "--seed", "3"], &"10 tie 5\nu\n".repeat(40));
    assert!(text.contains("A tie. Your tie wager has won 50. War or surrender?"), "{text}");
    let text = shown(&["stud", "--seed", "3"], &"10\np\n".repeat(10));
    assert!(text.contains("so far you have no pair. Double or pass?"), "{text}");
    assert!(text.contains("so far you have a pair of "), "{text}");
    // The last hand of a box knows who is next, and so do the others.
    let text = shown(&["free-bet", "--seed", "3"], &"10\np\n?\ns\ns\n".repeat(40));
    assert!(text.contains("no more cards for this hand; hand 2 is next"), "{text}");
    assert!(text.contains("no more cards for this hand; the dealer is next"), "{text}");
}

#[test]
fn wagers_are_bounded_by_the_rack_and_may_have_commas() {
    let text = shown(&["war", "--seed", "3", "--bankroll", "1,500.50"], "1,501\n1,400\nq\n");
    assert!(text.contains("Wager 5 to 1,500, or 5 tie 1 progressive 5?"), "{text}");
    assert!(text.contains("the rack has only 1,500.50 left"), "{text}");
    assert!(text.contains("You played 1 round, brought 1,500.50"), "{text}");
    assert!(shown(&["war", "--bankroll", "9000"], "").contains("Wager 5 to 5,000, or"));
}

/// The coach names the best act before the decision, and says afterwards that it was.
#[test]
fn a_coach_names_the_best_and_what_another_act_costs() {
    let play =
        |letter: &str| shown(&["stud", "--coach", "--seed", "7"], &format!("10\n{letter}\nq\n"));
    let passed = play("p");
    let best = passed.lines().find_map(|line| line.strip_prefix("▸ ")).expect("a best act");
    let (best, other) = if best.starts_with("pass") { ("p", "d") } else { ("d", "p") };
    let (right, wrong) = (play(best), play(other));
    assert!(right.contains("Coach: that is the best."), "{right}");
    assert!(right.contains("Coach: your one decision was the best."), "{right}");
    assert!(wrong.contains(" on average, compared with "), "{wrong}");
    assert!(wrong.contains("Coach: 0 of 1 decisions were the best; the rest cost "), "{wrong}");
    assert!(right.contains("Coach: your choice was the best. Luck: "), "{right}");
    assert!(wrong.contains("Coach: your choices cost ") && wrong.contains(". Luck: "), "{wrong}");
    assert!(right.contains("  wins "), "{right}");
    assert!(wrong.lines().all(|line| line.chars().count() <= 80), "{wrong}");
    let alone = shown(&["stud", "--seed", "7"], "10\np\nq\n");
    assert!(!alone.contains("Coach"), "{alone}");
}
