//! What only some may see is in no hash, head or export before its round is over, in any game; and a
//! log that hides too much or too little is found out.

use audit::chain::{Chain, Entry, Head};
use audit::export::Export;
use audit::finding::Problem;
use audit::log::{Kind, Outcome, RulesLine};
use audit::replay::replay;
use audit::secret::{Legible, LineSalt};
use audit::verify::{Verdict, verify};
use rules::card::Card;
use rules::round::Audience;
use rules::table::{Input, Table};
use rules::terms::TermSheet;
use rules::wager::Game;

use crate::house::{TABLE, day, export, sheet};

/// The log of some inputs, with a salt per input that the attacker does not know; or as it was written
/// before there were private lines.
fn written(sheet: &TermSheet, inputs: &[Input], is_private: bool) -> Vec<Entry> {
    let mut chain = Chain::new(TABLE);
    let mut entries = vec![RulesLine::new(sheet.clone()).write(&mut chain)];
    let mut table = Table::new(sheet.clone());
    for (number, input) in inputs.iter().enumerate() {
        let outcome = Outcome::of(&mut table, input).unwrap();
        let number = u128::try_from(number).unwrap().wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c);
        let salt = LineSalt::new(number.to_le_bytes());
        entries.extend(match is_private {
            true => outcome.write(input, &mut chain, salt),
            false => {
                let lines = [outcome.input_line(input)].into_iter().chain(outcome.lines());
                lines.map(|line| chain.append(line.text)).collect::<Vec<_>>()
            }
        });
    }
    entries
}

/// What a spectator tries: every card, dealt to anybody, as the line behind a hash that was published.
fn guesses() -> Vec<String> {
    let places = ["1", "2", "3", "4", "5", "6", "7", "dealer"];
    let lines = |card: &Card| {
        let dealt = places.map(|place| format!("> card {place} {card}"));
        [format!("< card {card}"), format!("< turn {card}")].into_iter().chain(dealt)
    };
    Card::DECK.iter().flat_map(lines).collect()
}

/// The entries whose line a spectator finds out who knows all hashes and every public line.
fn guessed(entries: &[Entry]) -> Vec<u64> {
    let guesses = guesses();
    let mut chain = Chain::new(TABLE);
    let (mut found, mut is_dealing) = (Vec::new(), false);
    for entry in entries {
        is_dealing |= entry.line == "> bets-closed";
        if !is_dealing {
            chain = Chain::after(entry.head());
            continue;
        }
        let is_it = |line: &String| chain.clone().append(line.as_str()).hash == entry.hash;
        let no_salt = LineSalt::new([0; 16]);
        let is_unsalted = |line: &String| is_it(&no_salt.seal(line));
        if guesses.iter().any(|line| is_it(line) || is_unsalted(line)) {
            found.push(entry.seq);
        }
        chain = Chain::after(entry.head());
    }
    found
}

/// The inputs of a day up to its first round's end, and the entries that only some may see.
fn first_round(game: Game) -> (TermSheet, Vec<Input>, Vec<u64>) {
    let (sheet, mut inputs) = (sheet(game), day(game, 3));
    let mut table = Table::new(sheet.clone());
    let (mut seq, mut private, mut until) = (1, Vec::new(), 0);
    for (at, input) in inputs.iter().enumerate() {
        let outcome = Outcome::of(&mut table, input).unwrap();
        let is_for_some = |audience| matches!(audience, Audience::Box(_));
        let hidden: Vec<u64> = (seq + 2..)
            .zip(&outcome.events)
            .filter(|(_, event)| is_for_some(event.audience()))
            .map(|(seq, _)| seq)
            .collect();
        if !hidden.is_empty() {
            assert!(outcome.opening.is_empty());
            private.push(seq + 1);
            private.extend(hidden);
        }
        seq += 1 + u64::try_from(outcome.lines().count()).unwrap();
        if table.rounds_played() == 1 {
            until = at + 1;
            break;
        }
    }
    inputs.truncate(until);
    (sheet, inputs, private)
}

fn closed(entries: &[Entry]) -> Export {
    export(entries.iter().map(Entry::closed).collect())
}

fn judged(export: &Export, heads: &[Head]) -> Verdict {
    verify(export.to_string().as_bytes(), heads).unwrap()
}

#[test]
fn no_hash_of_any_game_tells_a_card_that_is_for_some_only() {
    for game in Game::ALL {
        let (sheet, inputs, private) = first_round(game);
        let entries = written(&sheet, &inputs, true);
        let found = guessed(&entries);
        assert!(found.iter().all(|seq| !private.contains(seq)), "{game}: {found:?} {private:?}");
        // The attack works: it finds what everybody may see, and all of it where nothing is private.
        let before = guessed(&written(&sheet, &inputs, false));
        assert!(private.iter().all(|seq| before.contains(seq)), "{game}: {before:?} {private:?}");
        assert!(!found.is_empty() && before.len() == found.len() + private.len(), "{game}");
        assert_eq!(private.is_empty(), game != Game::DoubleDeck, "{game}");
        // Nor is it in an export, in the open or with its salt.
        let text = closed(&entries).to_string();
        assert!(!text.contains("opened "), "{game}");
        for seq in private {
            let line = &entries[usize::try_from(seq).unwrap() - 1].line;
            let Legible::Opened { salt, text: told } = Legible::of(line) else { panic!("{line}") };
            assert!(!text.contains(&salt.to_string()) && !text.contains(&format!(" {told}\n")));
        }
    }
}

#[test]
fn a_private_line_has_the_same_length_whatever_it_says() {
    let (sheet, inputs, private) = first_round(Game::DoubleDeck);
    let text = closed(&written(&sheet, &inputs, true)).to_string();
    let lines = text.lines().skip(1).zip(1..);
    let lengths = lines.filter(|(_, seq)| private.contains(seq));
    let lengths = lengths.map(|(line, seq)| line.len() - seq.to_string().len());
    assert!(lengths.clone().count() > 4);
    assert!(lengths.clone().all(|length| Some(length) == lengths.clone().next()));
}

#[test]
fn an_export_is_in_order_at_every_moment_and_says_what_is_not_told_yet() {
    let (sheet, inputs, private) = first_round(Game::DoubleDeck);
    let entries = written(&sheet, &inputs, true);
    let first = private[0];
    for last in first..u64::try_from(entries.len()).unwrap() {
        let part = &entries[..usize::try_from(last).unwrap()];
        let is_settled = |entry: &Entry| Kind::of(&entry.line) == Some((Kind::Event, "settled"));
        if part.iter().any(is_settled) {
            break;
        }
        let heads: Vec<Head> = entries[..part.len()].iter().map(Entry::head).collect();
        let verdict = judged(&closed(part), &heads);
        assert_eq!((verdict.findings.as_slice(), verdict.unopened), (&[][..], Some(first)));
        let text = verdict.to_string();
        let says = format!(
            "entry {first} is private and not opened yet: from there on only the chain is checked\n"
        );
        assert!(text.contains(&says) && text.ends_with("\nall that was checked is in order\n"));
    }
    let verdict = judged(&export(entries.clone()), &[]);
    assert_eq!((verdict.findings.as_slice(), verdict.unopened), (&[][..], None));
    assert!(verdict.to_string().contains("\nall that was checked is in order\n"));
    let round = replay(closed(&entries).to_string().as_bytes(), 2).unwrap_err().to_string();
    let settled = entries.iter().map(|entry| Kind::of(&entry.line));
    let settled = settled.zip(1..).find(|(line, _)| *line == Some((Kind::Event, "settled")));
    let settled: u64 = settled.unwrap().1;
    let says = format!(
        "round 2 is not in the part that can be played: entry {first}: still private, though its \
         round was over with entry {settled}; the rest is not played"
    );
    assert_eq!(round, says);
    let part = &entries[..usize::try_from(first).unwrap()];
    let round = replay(closed(part).to_string().as_bytes(), 2).unwrap_err().to_string();
    let says = format!(
        "round 2 is not in the part that can be played: entry {first} is private and not opened yet"
    );
    assert_eq!(round, says);
}

#[test]
fn what_is_never_opened_or_not_what_was_committed_to_is_found() {
    let (sheet, inputs, private) = first_round(Game::DoubleDeck);
    let entries = written(&sheet, &inputs, true);
    let at = usize::try_from(private[0]).unwrap() - 1;
    let problem = |export: &Export, seq: u64| {
        let findings = judged(export, &[]).findings;
        findings.into_iter().find(|finding| finding.seq == seq).map(|finding| finding.problem)
    };
    // One that stays private after its round.
    let mut hidden = entries.clone();
    hidden[at] = hidden[at].closed();
    let found = problem(&export(hidden), private[0]);
    assert!(matches!(found, Some(Problem::NotOpened { .. })), "{found:?}");
    // Another card, or another salt, than what was committed to.
    for (from, to) in [("card ", "card A"), ("opened ", "opened 0")] {
        let mut other = entries.clone();
        let line = other[at].line.clone();
        let place = line.find(from).unwrap() + from.len();
        other[at].line = format!("{}{}{}", &line[..place], &to[from.len()..], &line[place + 1..]);
        assert_ne!(other[at].line, line);
        assert_eq!(problem(&export(other), private[0]), Some(Problem::Unchained));
    }
}

#[test]
fn a_line_that_is_private_and_should_not_be_is_found_and_the_other_way_round() {
    let forged = |change: &dyn Fn(&str) -> Option<String>| {
        let (sheet, inputs, _) = first_round(Game::DoubleDeck);
        let mut chain = Chain::new(TABLE);
        let (mut changed, mut entries) = (0, Vec::new());
        for entry in written(&sheet, &inputs, true) {
            let line = change(&entry.line).filter(|_| changed == 0);
            changed = if line.is_some() { entry.seq } else { changed };
            entries.push(chain.append(line.unwrap_or(entry.line)));
        }
        let findings = judged(&export(entries), &[]).findings;
        assert!(changed > 0 && findings[0].seq == changed, "{changed} {findings:?}");
        findings[0].problem.clone()
    };
    let open = |kind: Kind| {
        move |line: &str| match Legible::of(line) {
            Legible::Opened { text, .. } if text.starts_with(kind.letter()) => {
                Some(text.to_owned())
            }
            _ => None,
        }
    };
    for kind in [Kind::Input, Kind::Event] {
        assert_eq!(forged(&open(kind)), Problem::OtherPrivacy { is_private: true });
    }
    let hide = |start: &'static str| {
        move |line: &str| line.starts_with(start).then(|| LineSalt::new([1; 16]).seal(line))
    };
    for start in ["< act", "> staked"] {
        assert_eq!(forged(&hide(start)), Problem::OtherPrivacy { is_private: false });
    }
}
