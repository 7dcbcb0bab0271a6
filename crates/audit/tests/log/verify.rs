//! A true log is in order, and every kind of tampering with it is found and named.

use std::sync::LazyLock;

use audit::chain::{Chain, Entry, Head};
use audit::export::{Export, ReadError};
use audit::finding::{Finding, Problem};
use audit::hash::Hash;
use audit::seal::seal;
use audit::verify::{MOST_FINDINGS, Verdict, verify};
use proptest::prelude::*;
use proptest::sample::Index;
use rules::RULES_VERSION;
use rules::card::Card;
use rules::table::{Input, Seal};
use rules::terms::TermSheet;
use rules::wager::Game;

use crate::house::{
    House, clumsy_day, day, export, forged, log, log_of, lying_day, short_of_cards, short_sheet,
};

const GAME: Game = Game::CasinoWar;

/// A true log.
fn truth() -> Export {
    static TRUTH: LazyLock<Export> =
        LazyLock::new(|| log(GAME, &day(GAME, 1)).expect("a day is played by the rules"));
    TRUTH.clone()
}

fn judged(export: &Export, heads: &[Head]) -> Verdict {
    verify(export.to_string().as_bytes(), heads).expect("an export can be read")
}

fn findings(export: &Export) -> Vec<Finding> {
    judged(export, &[]).findings
}

/// What is found first, and where.
fn found(export: &Export) -> (u64, Problem) {
    let finding = findings(export).into_iter().next().expect("something is wrong");
    (finding.seq, finding.problem)
}

/// The only thing that is found.
fn only(export: &Export) -> (u64, Problem) {
    let findings = findings(export);
    let [finding] = findings.as_slice() else { panic!("{findings:#?}") };
    (finding.seq, finding.problem.clone())
}

/// The first entry with a line that begins so, by its place.
fn place(export: &Export, line: &str) -> usize {
    let found = export.entries.iter().position(|entry| entry.line.starts_with(line));
    found.unwrap_or_else(|| panic!("the log has '{line}'"))
}

fn seq(place: usize) -> u64 {
    place as u64 + 1
}

/// The same lines but for some, and hashes as if it had always been so.
fn forge(change: impl FnOnce(&mut Vec<String>)) -> Export {
    let mut lines: Vec<String> = truth().entries.into_iter().map(|entry| entry.line).collect();
    change(&mut lines);
    forged(lines)
}

fn lines(export: &Export) -> Vec<&str> {
    export.entries.iter().map(|entry| entry.line.as_str()).collect()
}

mod the_truth {
    use super::*;

    #[test]
    fn is_in_order() {
        for seed in 1..=8 {
            let export = log(GAME, &day(GAME, seed)).unwrap();
            let heads: Vec<Head> = export.entries.iter().map(Entry::head).collect();
            let verdict = judged(&export, &heads);
            assert_eq!(verdict.findings, [], "{seed}");
            assert!(verdict.is_clean() && verdict.rounds > 20);
            assert_eq!((verdict.revealed, verdict.unrevealed), (1, vec![2]));
            assert_eq!(verdict.head, heads.last().copied());
        }
    }

    #[test]
    fn is_in_order_at_every_moment() {
        let export = truth();
        let inputs = export.entries.iter().filter(|entry| entry.line.starts_with("< "));
        for seq in inputs.map(|entry| entry.seq).step_by(29) {
            let entries = export.entries[..usize::try_from(seq).unwrap() - 1].to_vec();
            assert_eq!(findings(&super::export(entries)), [], "before entry {seq}");
        }
    }

    #[test]
    fn sums_up_in_a_few_lines() {
        let verdict = judged(&truth(), &[]);
        let text = verdict.to_string();
        let Verdict { entries, rounds, head, .. } = verdict;
        let last = format!(
            "1 of 2 shoes: every commitment was opened, so the order was fixed before anybody knew \
             it\n1 of 2 shoes: nobody contributed, so the order is the one that the house sealed\n\
             the log has no times: what rests on a clock is not checked\nhead {}\nwar-1: \
             {entries} entries, {rounds} rounds, 1 shoe revealed, shoe 2 not revealed yet\nall that was checked is in order\n",
            head.unwrap()
        );
        assert_eq!(text, last.clone() + CONSISTENT);
        assert_eq!(judged(&truth(), &[head.unwrap()]).to_string(), last);
        let nothing = judged(&export(Vec::new()), &[]).to_string();
        let in_order = "war-1: 0 entries, 0 rounds, 0 shoes revealed\neverything is in order\n";
        assert_eq!(nothing, in_order.to_owned() + CONSISTENT);
    }

    #[test]
    fn a_hostile_log_cannot_write_over_what_is_said_about_it() {
        let mut entries = truth().entries;
        entries.pop();
        let line = "> \u{1b}[2Keverything is in order \u{1b}[8m\u{202e}".to_owned();
        let chain = Chain::after(entries.last().unwrap().head());
        entries.push(Entry { seq: chain.next(), hash: chain.hash_of(&line), line });
        let said = judged(&export(entries), &[]).to_string();
        assert!(said.contains("\\u{1b}[2Keverything"), "{said}");
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said}");
    }

    /// What is said where nobody outside has kept a head.
    const CONSISTENT: &str = "no head was compared: this proves that the log is consistent, not that \
                              it is complete\n";
}

#[test]
fn no_input_leads_to_lines_without_end() {
    let claims = std::iter::repeat_n("> said All in.".to_owned(), 10_001);
    let rules = lines(&truth())[0].to_owned();
    let export = forged([rules, "< sit 1 ann".to_owned()].into_iter().chain(claims));
    assert_eq!(only(&export), (2, Problem::TooManyLines));
}

mod the_chain {
    use super::*;

    #[test]
    fn shows_a_changed_line() {
        let mut export = truth();
        let place = place(&export, "> said");
        export.entries[place].line += "!";
        assert_eq!(found(&export), (seq(place), Problem::Unchained));
    }

    #[test]
    fn shows_a_changed_line_with_its_own_hash_by_the_next_one() {
        let mut export = truth();
        let place = place(&export, "> said");
        let mut chain = Chain::after(export.entries[place - 1].head());
        export.entries[place] = chain.append("> said All in.");
        let findings = findings(&export);
        assert!(findings.contains(&Finding { seq: seq(place + 1), problem: Problem::Unchained }));
        assert!(findings.iter().any(|finding| finding.seq == seq(place)));
    }

    #[test]
    fn lists_a_thousand_breaks_and_counts_the_rest() {
        let mut export = truth();
        let hash = Hash::from([7; 32]);
        while export.entries.len() < 1_500 {
            export.entries.extend(truth().entries);
        }
        export.entries.iter_mut().for_each(|entry| entry.hash = hash);
        let verdict = judged(&export, &[]);
        assert_eq!(verdict.findings.len(), MOST_FINDINGS);
        assert!(verdict.more >= export.entries.len() - MOST_FINDINGS, "{}", verdict.more);
        let text = verdict.to_string();
        assert!(text.contains(&format!("\nand {} more findings\n", verdict.more)));
        assert!(!text.contains("consistent"), "it is not");
    }

    #[test]
    fn shows_a_changed_hash() {
        let mut export = truth();
        export.entries[9].hash = Hash::from([7; 32]);
        let both = [10, 11].map(|seq| Finding { seq, problem: Problem::Unchained });
        assert_eq!(findings(&export), both);
    }

    #[test]
    fn shows_a_missing_entry() {
        let mut export = truth();
        let place = place(&export, "> said");
        export.entries.remove(place);
        assert_eq!(found(&export), (seq(place + 1), Problem::OutOfOrder { expected: seq(place) }));
    }

    #[test]
    fn shows_a_missing_beginning() {
        let mut export = truth();
        export.entries.drain(..4);
        let first = findings(&export)[..2].to_vec();
        let [order, rules] = [Problem::OutOfOrder { expected: 1 }, Problem::RulesMissing];
        assert_eq!(first, [order, rules].map(|problem| Finding { seq: 5, problem }));
    }

    #[test]
    fn shows_entries_that_changed_places() {
        let mut export = truth();
        export.entries.swap(20, 21);
        let numbers: Vec<u64> = findings(&export)
            .into_iter()
            .filter(|finding| matches!(finding.problem, Problem::OutOfOrder { .. }))
            .map(|finding| finding.seq)
            .collect();
        assert_eq!(numbers, [21, 22, 23]);
    }

    #[test]
    fn shows_another_tables_log() {
        let export = Export { table: "war-2".to_owned(), ..truth() };
        assert_eq!(found(&export), (1, Problem::Unchained));
        // Nor were the commitments in it made at that table.
        let problem = &findings(&export)[1].problem;
        assert!(matches!(problem, Problem::OtherOpening { .. }), "{problem}");
    }

    #[test]
    fn is_held_against_what_the_house_announced() {
        let (truth, mut inputs) = (truth(), day(GAME, 1));
        inputs.insert(4, "leave 4".parse().unwrap());
        inputs.insert(5, "sit 4 bob".parse().unwrap());
        inputs.insert(6, "buy-in 4 5000".parse().unwrap());
        let rewritten = log(GAME, &inputs).unwrap();
        assert_eq!(findings(&rewritten), []);
        let head = truth.entries[99].head();
        let findings = judged(&rewritten, &[truth.entries[3].head(), head]).findings;
        let (announced, found) = (head.hash, rewritten.entries[99].hash);
        let problem = Problem::NotAnnounced { announced, found };
        assert_eq!(findings, [Finding { seq: 100, problem }]);
        let genesis = Head { seq: 0, hash: Chain::new("war-1").head() };
        assert!(judged(&truth, &[genesis, head]).is_clean());
        assert!(!judged(&truth, &[Head { seq: 0, ..head }]).is_clean());
    }

    #[test]
    fn cannot_be_cut_short_unseen() {
        let truth = truth();
        let (last, end) = (truth.entries.last().unwrap().head(), truth.entries.len() - 50);
        let end = truth.entries[..end].iter().rposition(|e| e.line.starts_with("< ")).unwrap();
        let short = export(truth.entries[..end].to_vec());
        assert_eq!(findings(&short), []);
        let problem = Problem::CutShort { last: seq(end - 1) };
        assert_eq!(judged(&short, &[last]).findings, [Finding { seq: last.seq, problem }]);
    }
}

mod the_rules {
    use super::*;

    fn other(expected: &str, found: &str) -> Problem {
        let some = |line: &str| Some(line.to_owned()).filter(|line| !line.is_empty());
        Problem::OtherClaim { expected: some(expected), found: some(found) }
    }

    #[test]
    fn show_an_event_that_did_not_happen_so() {
        let truth = truth();
        for beginning in ["> rack", "> moved", "> card", "> net", "> meter", "= bankroll", "= shoe"]
        {
            let place = place(&truth, beginning);
            let line = &truth.entries[place].line;
            let wrong = format!("{line}9");
            let export = forge(|lines| lines[place] = wrong.clone());
            assert_eq!(only(&export), (seq(place), other(line, &wrong)), "{beginning}");
        }
    }

    #[test]
    fn show_an_event_that_is_left_out() {
        let truth = truth();
        // The last event of the buy-in, and one between others.
        let place = place(&truth, "> rack");
        let export = forge(|lines| drop(lines.remove(place)));
        assert_eq!(only(&export), (seq(place - 2), other(&truth.entries[place].line, "")));
        let place = self::place(&truth, "> said");
        let [left_out, next] = [0, 1].map(|after| truth.entries[place + after].line.as_str());
        let export = forge(|lines| drop(lines.remove(place)));
        assert_eq!(only(&export), (seq(place), other(left_out, next)));
    }

    #[test]
    fn show_an_event_that_is_made_up() {
        let truth = truth();
        let place = place(&truth, "> rack") + 1;
        for line in ["> rack 1 1000000", "= round 1", "? nobody knows", ""] {
            let export = forge(|lines| lines.insert(place, line.to_owned()));
            let problem = Problem::OtherClaim { expected: None, found: Some(line.to_owned()) };
            assert_eq!(only(&export), (seq(place), problem), "{line}");
        }
    }

    #[test]
    fn show_an_input_from_which_something_else_came() {
        let place = place(&truth(), "< buy-in 1");
        let export = forge(|lines| lines[place] = "< buy-in 1 6000".to_owned());
        let expected = "> moved 6000 from player:ann to rack:1";
        let problem = other(expected, "> moved 5000 from player:ann to rack:1");
        assert_eq!(found(&export), (seq(place + 1), problem));
    }

    #[test]
    fn show_an_input_that_is_refused() {
        let place = place(&truth(), "< deal");
        let export = forge(|lines| lines.insert(place, "< act 1 war".to_owned()));
        let (seq, problem) = only(&export);
        assert_eq!(seq, self::seq(place));
        let words = problem.to_string();
        assert!(words.starts_with("refused by the table: "), "{words}");
        assert!(words.ends_with("); the rest is not played"), "{words}");
    }

    #[test]
    fn show_what_is_no_input() {
        let place = place(&truth(), "< deal");
        for line in ["< deal now", "< cheat", "< "] {
            let export = forge(|lines| lines[place] = line.to_owned());
            assert_eq!(only(&export), (seq(place), Problem::NoInput), "{line}");
        }
    }

    #[test]
    fn stand_at_the_beginning() {
        let export = forge(|lines| drop(lines.remove(0)));
        assert_eq!(only(&export), (1, Problem::RulesMissing));
        let export = forge(|lines| lines[0] = "# version now game whist".to_owned());
        assert!(matches!(only(&export), (1, Problem::NoRules(_))));
        let export = forge(|lines| lines.insert(1, "> said Welcome.".to_owned()));
        assert_eq!(only(&export), (2, other("", "> said Welcome.")));
    }

    #[test]
    fn are_other_ones_with_other_terms() {
        let export = forge(|lines| lines[0] = lines[0].replace("main_min=10", "main_min=12"));
        let Finding { seq: at, problem } = findings(&export).pop().unwrap();
        let line = &export.entries[usize::try_from(at).unwrap() - 1].line;
        assert!(line.starts_with("< wager"), "{line}");
        assert!(problem.to_string().contains("(house option main_min)"), "{problem}");
    }

    #[test]
    fn do_not_change_in_the_middle() {
        let truth = truth();
        let terms = truth.entries[0].line.replace("main_min=10", "main_min=20");
        let deal = place(&truth, "< deal");
        let export = forge(|lines| lines.insert(deal, terms));
        assert_eq!(only(&export), (seq(deal), Problem::RulesChanged));
        let version = truth.entries[0].line.replace(RULES_VERSION, "9.9.9");
        let card =
            deal + lines(&truth)[deal..].iter().position(|l| l.starts_with("< card")).unwrap();
        let export = forge(|lines| lines.insert(card, version));
        assert_eq!(only(&export), (seq(card), Problem::RulesChanged));
    }
}

mod the_seal {
    use super::*;

    /// The log of a day whose inputs were changed, and all that came of them with it.
    fn relogged(change: impl FnOnce(&mut Vec<Input>)) -> Export {
        let mut inputs = day(GAME, 1);
        change(&mut inputs);
        log(GAME, &inputs).expect("the forgery is played by the rules")
    }

    fn reveal(inputs: &mut [Input]) -> (&mut Seal, &mut Vec<Card>) {
        let reveal = inputs.iter_mut().find_map(|input| match input {
            Input::Reveal { salt, order } => Some((salt, order)),
            _ => None,
        });
        reveal.expect("a shoe is revealed")
    }

    #[test]
    fn shows_a_card_that_was_not_the_next_one() {
        let inputs = day(GAME, 1);
        let mut dealt = inputs.iter().enumerate().skip(40).filter_map(|(i, input)| match input {
            Input::Card(Some(card)) => Some((i, *card)),
            _ => None,
        });
        // Another suit wins and loses the same, so that nothing else gives it away.
        let (export, was, is) = dealt
            .find_map(|(i, was)| {
                let is = Card::DECK.into_iter().find(|is| is.rank() == was.rank() && *is != was)?;
                let mut inputs = inputs.clone();
                inputs[i] = Input::Card(Some(is));
                Some((log(GAME, &inputs)?, was, is))
            })
            .unwrap();
        let (seq, problem) = only(&export);
        let Problem::OtherCard { shoe: 1, committed, found, more: 0, .. } = problem else {
            panic!("{problem}")
        };
        assert_eq!((committed, found), (Some(was), is));
        let line = &export.entries[usize::try_from(seq).unwrap() - 1].line;
        assert_eq!(*line, format!("< card {is}"));
    }

    #[test]
    fn shows_a_cut_that_was_another_one() {
        let named = |input: &Input| matches!(input, Input::Commit { cut: Some(_), .. });
        let first = |day: &[Input]| day.iter().find(|i| matches!(i, Input::Commit { .. })).cloned();
        let mut days = (1..).map(|seed| day(GAME, seed));
        let mut inputs = days.find(|day| first(day).is_some_and(|first| named(&first))).unwrap();
        let cut = inputs.iter_mut().find_map(|input| match input {
            Input::Commit { cut: Some((_, at)), .. } => Some(at),
            _ => None,
        });
        let at = cut.unwrap();
        *at = if *at == 100 { 101 } else { 100 };
        let export = log(GAME, &inputs).expect("the forgery is played by the rules");
        let (seq, problem) = only(&export);
        assert_eq!(seq, self::seq(first_card(&export)));
        assert!(matches!(problem, Problem::OtherCard { shoe: 1, place: 2, more: 100.., .. }));
    }

    fn first_card(export: &Export) -> usize {
        let is_face_up = |line: &&str| line.starts_with("< card ") && !line.ends_with("??");
        lines(export).iter().position(is_face_up).unwrap()
    }

    #[test]
    fn is_broken_by_another_salt_or_order() {
        let broken = |change: fn(&mut Seal, &mut Vec<Card>)| {
            let export = relogged(|inputs| {
                let (salt, order) = reveal(inputs);
                change(salt, order);
            });
            let shuffled = seq(place(&export, "< shuffle"));
            let revealed = seq(place(&export, "< reveal"));
            assert_eq!(only(&export), (revealed, Problem::SealBroken { shoe: 1, shuffled }));
        };
        broken(|salt, _| salt.0[31] ^= 1);
        broken(|_, order| order.swap(0, 1));
        broken(|_, order| order.truncate(311));
        broken(|_, order| order.push(order[0]));
    }

    #[test]
    fn binds_a_full_shoe() {
        // The house commits to a shoe with an ace too many and keeps to it.
        let ace: Card = "As".parse().unwrap();
        let export = relogged(|inputs| {
            let (salt, order) = reveal(inputs);
            let unseen = order.len() - 1;
            let swapped = (0..=unseen).rev().find(|&i| order[i] != ace).unwrap();
            order[swapped] = ace;
            let sealed = seal(&salt.0, order);
            let shuffle = inputs.iter_mut().find_map(|input| match input {
                Input::Shuffle { seal, .. } => Some(seal),
                _ => None,
            });
            *shuffle.unwrap() = Some(sealed);
        });
        let revealed = seq(place(&export, "< reveal"));
        // Another seal gives another key, and so another drawn cut.
        let expected = Finding { seq: revealed, problem: Problem::OtherCards { shoe: 1 } };
        assert!(findings(&export).contains(&expected), "{:?}", findings(&export));
    }

    #[test]
    fn is_opened_before_the_next_shuffle() {
        let reveal = place(&truth(), "< reveal");
        let export = forge(|lines| drop(lines.drain(reveal..reveal + 2)));
        let (at, problem) = only(&export);
        let words = "refused by the table: the table is waiting for the order of the last shoe";
        assert!(problem.to_string().starts_with(words), "{problem}");
        assert_eq!(at, seq(reveal));
    }

    #[test]
    fn binds_the_card_that_lies_face_down() {
        let game = Game::FreeBet;
        let mut inputs = day(game, 1);
        let turn = inputs.iter_mut().find_map(|input| match input {
            Input::Turn(card) => Some(card),
            _ => None,
        });
        let turn = turn.expect("a card is turned");
        let was = *turn;
        // Another suit plays the same.
        *turn = Card::DECK.into_iter().find(|is| is.rank() == was.rank() && *is != was).unwrap();
        let is = *turn;
        let export = log(game, &inputs).expect("the forgery is played by the rules");
        let (at, problem) = only(&export);
        let Problem::OtherCard { committed, found, more: 0, .. } = problem else {
            panic!("{problem}")
        };
        assert_eq!((committed, found), (Some(was), is));
        assert_eq!(at, seq(place(&export, "< turn")));
    }

    #[test]
    fn binds_the_card_reader() {
        // Dealer naturals are denied, and later another card is turned.
        let game = Game::FreeBet;
        let export = log(game, &lying_day(game, 1)).expect("the lie is played by the rules");
        let (at, problem) = found(&export);
        assert!(
            matches!(problem, Problem::OtherAnswer { found: false, more: 1.., .. }),
            "{problem}"
        );
        assert_eq!(export.entries[usize::try_from(at).unwrap() - 1].line, "< peek no");
    }
}

mod what_went_wrong {
    use rules::round::{Awaits, Place};
    use rules::table::{Irregularity, TableAwaits};

    use super::*;

    /// A day of Free Bet on which burned cards are shown, and cards are drawn in error.
    fn truth() -> (TermSheet, Vec<Input>) {
        let mut sheet = TermSheet::new(Game::FreeBet);
        sheet.set([("disclose_burn", "on")]).unwrap();
        let inputs = clumsy_day(sheet.clone(), 3);
        (sheet, inputs)
    }

    /// A card that plays the same.
    fn other_suit(card: Card) -> Card {
        let alike = |other: &Card| other.rank() == card.rank() && *other != card;
        Card::DECK.into_iter().find(alike).unwrap()
    }

    /// Whether changing an input so is found as a card that was not the committed one.
    fn is_found(change: impl Fn(&mut Input) -> bool) -> bool {
        let (sheet, truth) = truth();
        let forgeries = (0..truth.len()).filter_map(|at| {
            let mut inputs = truth.clone();
            let is_changed = change(&mut inputs[at]);
            is_changed.then(|| log_of(&sheet, &inputs))?
        });
        forgeries.take(20).any(|export| {
            let findings = findings(&export);
            findings.iter().any(|found| matches!(found.problem, Problem::OtherCard { more: 0, .. }))
        })
    }

    #[test]
    fn binds_a_card_that_was_drawn_in_error() {
        assert!(is_found(|input| match input {
            Input::Report(report) => match &mut report.irregularity {
                Irregularity::FaceUp(card) | Irregularity::DrawnSeen(card) => {
                    *card = other_suit(*card);
                    true
                }
                _ => false,
            },
            _ => false,
        }));
    }

    #[test]
    fn binds_burned_cards_that_are_shown() {
        assert!(is_found(|input| match input {
            Input::ShowBurn { cards, .. } => {
                cards[0] = other_suit(cards[0]);
                true
            }
            _ => false,
        }));
    }

    #[test]
    fn binds_a_burn_card_that_was_seen_as_it_was_drawn() {
        // DAB-7-c: it is the burn card all the same, and the card after it is burned by a new dealer.
        let sheet = TermSheet::new(Game::DoubleAttack);
        let mut house = House::new(sheet.clone(), 5);
        house.tell("sit 1 ann");
        house.tell("buy-in 1 100");
        while house.table.awaits() != TableAwaits::Round(Awaits::FaceDown(Place::Burn)) {
            house.step();
        }
        let seen = house.next_card();
        house.tell(&format!("report drawn-seen {seen} by dealer"));
        house.tell("order forward by eve");
        house.tell("dealer fay");
        let unseen = house.next_card();
        house.step();
        assert_eq!(house.burn(), format!("show-burn 1 {seen} {unseen}"));
        house.tell(&house.burn());
        while house.table.rounds_played() == 0 {
            house.step();
        }
        house.tell("order reshuffle by eve");
        house.step();
        assert_eq!(findings(&log_of(&sheet, &house.inputs).unwrap()), []);
        for input in &mut house.inputs {
            if let Input::ShowBurn { cards, .. } = input {
                cards[1] = other_suit(unseen);
            }
        }
        let (_, problem) = only(&log_of(&sheet, &house.inputs).unwrap());
        assert!(matches!(problem, Problem::OtherCard { more: 0, .. }), "{problem}");
    }
}

mod the_mix {
    use super::*;

    /// A day, and the place of its first input for which something is found.
    fn day_with<T>(found: impl Fn(&Input) -> Option<T>) -> (Vec<Input>, usize) {
        let place = |day: &[Input]| day.iter().position(|input| found(input).is_some());
        let days = (1..).map(|seed| day(GAME, seed));
        days.filter_map(|day| place(&day).map(|at| (day, at))).next().unwrap()
    }

    fn is_opening(input: &Input) -> Option<()> {
        matches!(input, Input::Open { openings } if openings.len() == 2).then_some(())
    }

    fn found_in(inputs: &[Input]) -> Problem {
        found(&log(GAME, inputs).expect("the forgery is played by the rules")).1
    }

    #[test]
    fn shows_an_opening_that_was_another_one() {
        let (mut inputs, at) = day_with(is_opening);
        let Input::Open { openings } = &mut inputs[at] else { unreachable!() };
        openings[1].1.0[0] ^= 1;
        let problem = found_in(&inputs);
        assert_eq!(
            problem.to_string(),
            "what seat 4 opened for shoe 1 is not what it committed to"
        );
    }

    #[test]
    fn shows_an_opening_that_was_left_out() {
        let (mut inputs, at) = day_with(is_opening);
        let Input::Open { openings } = &mut inputs[at] else { unreachable!() };
        openings.remove(0);
        let problem = found_in(&inputs);
        assert!(matches!(problem, Problem::OtherCard { shoe: 1, more: 100.., .. }), "{problem}");
    }

    #[test]
    fn shows_a_commitment_that_was_left_out() {
        let (mut inputs, at) = day_with(is_opening);
        let Input::Commit { list: Some(list), .. } = &mut inputs[at - 1] else { unreachable!() };
        list.commitments.remove(0);
        let Input::Open { openings } = &mut inputs[at] else { unreachable!() };
        openings.remove(0);
        let problem = found_in(&inputs);
        assert!(matches!(problem, Problem::OtherCard { shoe: 1, more: 100.., .. }), "{problem}");
    }

    #[test]
    fn shows_commitments_to_another_house() {
        let (mut inputs, at) = day_with(is_opening);
        let Input::Commit { list: Some(list), .. } = &mut inputs[at - 1] else { unreachable!() };
        list.house = "h2".parse().unwrap();
        let problem = found_in(&inputs);
        assert!(matches!(problem, Problem::OtherOpening { shoe: 1, .. }), "{problem}");
    }

    #[test]
    fn shows_a_cut_that_was_not_drawn() {
        let (mut inputs, at) = day_with(|input| match input {
            Input::Cut { at: Some(at), .. } => Some(*at),
            _ => None,
        });
        let Input::Cut { at: Some(cut), .. } = &mut inputs[at] else { unreachable!() };
        let drawn = *cut;
        *cut = if drawn == 100 { 101 } else { 100 };
        let expected = Problem::CutNotDrawn { shoe: 1, drawn, found: *cut };
        assert_eq!(found_in(&inputs), expected);
    }

    #[test]
    fn shows_discards_in_an_order_that_was_not_drawn() {
        let mut inputs = short_of_cards();
        let last = inputs.iter_mut().rev().find_map(|input| match input {
            Input::Reveal { salt, order } => Some((*salt, order)),
            _ => None,
        });
        let (salt, order) = last.unwrap();
        // The cards that stayed in the shoe change places, and the seal is another one from the start.
        let end = order.len() - 1;
        let other = (0..end).rev().find(|&at| order[at] != order[end]).unwrap();
        order.swap(other, end);
        let sealed = audit::seal::seal(&salt.0, order);
        let shuffled = inputs.iter_mut().rev().find_map(|input| match input {
            Input::Shuffle { seal, .. } => Some(seal),
            _ => None,
        });
        *shuffled.unwrap() = Some(sealed);
        let (_, problem) = found(&log_of(&short_sheet(), &inputs).unwrap());
        let Problem::DiscardsNotDrawn { shoe } = problem else { panic!("{problem}") };
        assert!(shoe > 1);
    }

    #[test]
    fn is_never_skipped() {
        let commit = lines(&truth()).iter().position(|l| l.starts_with("< commit")).unwrap();
        let export = forge(|lines| {
            let claims = lines[commit + 1..].iter().position(|line| line.starts_with("< "));
            drop(lines.drain(commit..=commit + claims.unwrap()));
        });
        let words = only(&export).1.to_string();
        assert!(words.starts_with("refused by the table: "), "{words}");
    }

    #[test]
    fn is_closed_once_and_for_all() {
        let export = forge(|lines| {
            let card = lines.iter().position(|line| line == "< card ??").unwrap();
            lines.insert(card, format!("< commit house h1 1 {}", "7".repeat(64)));
        });
        let words = only(&export).1.to_string();
        assert!(words.starts_with("refused by the table: "), "{words}");
    }
}

mod a_shared_meter {
    use super::*;

    const OPEN: [&str; 8] = [
        "meter 500",
        "sit 1 ann",
        "buy-in 1 100",
        "inspect 1",
        "shuffle SEAL wash plug riffle riffle strip riffle turn riffle cut",
        "commit cut 1 60",
        "card ??",
        "wager 1 main 10 progressive 5",
    ];

    /// The log of a suited four of a kind, while another table adds to the meter or hits it.
    fn hit(told: &str) -> Export {
        let play =
            ["deal", "card 9d", told, "card 9d", "act 1 war", "card ??", "card ??", "card ??"];
        let lines = OPEN.iter().chain(&play).chain(&["card 9d", "card 9d", "meter 10000.30"]);
        let seal = "0".repeat(64);
        let inputs: Vec<Input> =
            lines.map(|line| line.replace("SEAL", &seal).parse().unwrap()).collect();
        log(GAME, &inputs).expect("a hit is played by the rules")
    }

    #[test]
    fn pays_what_it_shows_at_the_award() {
        // 500 and 15 percent of 5, and then 20 more from elsewhere; or nothing but what came since.
        for (told, paid) in [("meter 520.75", "520.75"), ("meter 10000.10", "10000.10")] {
            let export = hit(told);
            assert_eq!(findings(&export), [], "{told}");
            place(&export, &format!("> awarded 1 progressive +{paid} (CW-11-b)"));
        }
    }

    #[test]
    fn is_not_moved_by_this_table_but_for_its_own_wagers() {
        let mut lines: Vec<String> =
            hit("meter 520.75").entries.into_iter().map(|e| e.line).collect();
        let moved =
            lines.iter().position(|line| line == "> moved 0.75 from house to meter").unwrap();
        lines[moved] = "> moved 0.80 from house to meter".to_owned();
        let problem = found(&forged(lines)).1;
        assert!(matches!(problem, Problem::OtherClaim { .. }), "{problem}");
    }
}

mod the_discards {
    use super::*;

    /// A day of Double Deck on which a round runs out of cards, and the shoe of its discards.
    fn truth() -> (Vec<Input>, usize) {
        static TRUTH: LazyLock<Vec<Input>> = LazyLock::new(short_of_cards);
        let inputs = TRUTH.clone();
        let mut reveals = inputs.iter().enumerate().filter_map(|(at, input)| match input {
            Input::Reveal { order, .. } if order.len() < 104 => Some(at),
            _ => None,
        });
        let refill = reveals.next_back().expect("the discards are revealed");
        (inputs, refill)
    }

    fn judged(inputs: &[Input]) -> Vec<Finding> {
        findings(&crate::house::log_of(&crate::house::short_sheet(), inputs).unwrap())
    }

    #[test]
    fn are_shuffled_sealed_and_revealed_like_a_shoe() {
        let (inputs, refill) = truth();
        assert_eq!(judged(&inputs), []);
        let Input::Reveal { order, .. } = &inputs[refill] else { unreachable!() };
        assert!(order.len() > 20, "{}", order.len());
        assert!(matches!(inputs[refill - 1], Input::Reveal { .. }), "after the shoe itself");
    }

    #[test]
    fn are_what_lay_in_the_rack_and_nothing_else() {
        // The house puts an ace among them that lies on the layout, or in no shoe at all.
        let (mut inputs, refill) = truth();
        let ace: Card = "As".parse().unwrap();
        let Input::Reveal { salt, order } = &mut inputs[refill] else { unreachable!() };
        let last = order.iter().rposition(|card| *card != ace).unwrap();
        let was = seal(&salt.0, order);
        order[last] = ace;
        let is = seal(&salt.0, order);
        let number = inputs.iter().filter(|input| matches!(input, Input::Shuffle { .. })).count();
        for input in &mut inputs {
            if let Input::Shuffle { seal, .. } = input
                && *seal == Some(was)
            {
                *seal = Some(is);
            }
        }
        let findings = judged(&inputs);
        let matters: Vec<_> = findings.iter().map(|finding| finding.problem.clone()).collect();
        let is_it = |problem: &Problem| matches!(problem, Problem::NotTheDiscards { .. });
        assert!(matters.iter().any(is_it), "{number} shoes: {matters:?}");
    }
}

#[test]
fn what_is_no_export_is_not_judged() {
    assert_eq!(verify("".as_bytes(), &[]), Err(ReadError::NoExport));
    assert_eq!(
        verify("pitboss log 2 war-1\nwhat?\n".as_bytes(), &[]),
        Err(ReadError::NoEntry { line: 2 })
    );
    let last = Entry { seq: u64::MAX, line: "< deal".to_owned(), hash: Hash::from([0; 32]) };
    assert!(!judged(&export(vec![last.clone(), last]), &[]).is_clean());
}

#[test]
fn every_finding_is_one_sentence() {
    let export = forge(|lines| {
        let place = lines.iter().position(|line| line.starts_with("> rack")).unwrap();
        lines[place] = "> rack 1 5001".to_owned();
    });
    let text = judged(&export, &[]).to_string();
    let words = "entry 9: the log has '> rack 1 5001', but the rules give '> rack 1 5000'\n";
    assert!(text.starts_with(words), "{text}");
    assert!(text.ends_with("\n1 finding\n"), "{text}");
}

#[test]
fn every_game_is_verified_alike() {
    for game in Game::ALL {
        for seed in 0..4 {
            let verdict = judged(&log(game, &day(game, seed)).unwrap(), &[]);
            assert_eq!(verdict.findings, [], "{game} {seed}");
        }
    }
}

#[test]
fn days_on_which_everything_goes_wrong_are_verified_too() {
    let with = |game: Game, terms: &[(&str, &str)]| {
        let mut sheet = TermSheet::new(game);
        sheet.set(terms.iter().copied()).unwrap();
        sheet
    };
    let mut sheets: Vec<TermSheet> = Game::ALL.map(TermSheet::new).into();
    sheets.push(with(Game::DoubleAttack, &[("dealing_mode", "hole_card_reader")]));
    sheets.push(with(Game::FreeBet, &[("disclose_burn", "on"), ("shuffle_method", "automated")]));
    sheets.push(with(Game::FreeBet, &[("shuffle_method", "continuous")]));
    sheets.push(with(Game::DoubleDeck, &[("disclose_burn", "on"), ("cut_card_depth", "26")]));
    for (seed, sheet) in (0..).zip(sheets) {
        let export = log_of(&sheet, &clumsy_day(sheet.clone(), seed)).unwrap();
        let verdict = judged(&export, &[]);
        assert_eq!(verdict.findings, [], "{} {seed}", sheet.game());
        assert!(verdict.revealed > 2, "{} {seed}: {verdict}", sheet.game());
        let has = |word: &str| lines(&export).iter().any(|line| line.starts_with(word));
        assert!(has("> reported") && has("> ordered") && has("> drawn"), "{}", sheet.game());
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_letter_can_be_changed_unseen(at: Index, letter in prop::char::range(' ', '~')) {
        let text = truth().to_string();
        let at = at.index(text.len());
        prop_assume!(text.as_bytes()[at] != letter as u8);
        let changed = format!("{}{letter}{}", &text[..at], &text[at + 1..]);
        prop_assert!(verify(changed.as_bytes(), &[]).map_or(true, |verdict| !verdict.is_clean()));
    }

    #[test]
    fn no_forgery_stops_the_verdict(
        changes in prop::collection::vec(any::<(Index, Index, u8)>(), 1..4),
    ) {
        let export = forge(|lines| for (one, other, kind) in changes {
            let [one, other] = [one, other].map(|index| index.index(lines.len()));
            match kind % 3 {
                0 => lines.swap(one, other),
                1 => lines[one] = lines[other].clone(),
                _ => drop(lines.drain(one.min(other)..one.max(other))),
            }
        });
        let verdict = judged(&export, &[]);
        prop_assert_eq!(verdict.is_clean(), verdict.to_string().ends_with("in order\n"));
    }

    /// Any bytes are read or refused in one sentence, be they nothing like a log or much like one.
    #[test]
    fn any_text_is_judged_or_refused_in_one_sentence(
        bytes: Vec<u8>,
        lines in prop::collection::vec("[#<=>?]? ?[a-z0-9:.+ -]{0,40}", 0..12),
        numbers: Vec<u64>,
    ) {
        let like_a_log = numbers.iter().zip(&lines).map(|(number, line)| {
            let hash = format!("{number:064x}");
            format!("{number} {hash} {line}\n")
        });
        let like_a_log: String = like_a_log.collect();
        for text in [
            String::from_utf8_lossy(&bytes).into_owned(),
            format!("pitboss log 2 war-1\n{}", String::from_utf8_lossy(&bytes)),
            format!("pitboss log 2 war-1\n{like_a_log}"),
        ] {
            if let Err(error) = verify(text.as_bytes(), &[]) {
                let sentence = error.to_string();
                prop_assert!(!sentence.is_empty() && !sentence.contains('\n'), "{sentence}");
            }
            if let Err(error) = audit::replay(text.as_bytes(), 1) {
                let sentence = error.to_string();
                prop_assert!(!sentence.is_empty() && !sentence.contains('\n'), "{sentence}");
            }
        }
    }

    #[test]
    fn a_day_is_in_order_whatever_happens(seed: u64) {
        let verdict = judged(&log(GAME, &day(GAME, seed)).unwrap(), &[]);
        prop_assert_eq!(verdict.findings, []);
    }
}
