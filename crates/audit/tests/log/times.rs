//! What rests on a clock came when the paces in force allow it, or it is found.

use audit::chain::{Chain, Entry};
use audit::finding::{Finding, Problem};
use audit::log::{Kind, Outcome, RulesLine};
use audit::secret::LineSalt;
use audit::time::LineTime;
use audit::verify::{Verdict, verify};
use rules::table::{Input, Table};
use rules::wager::Game;

use crate::house::{TABLE, day, export, sheet};

const OWNER: &str = "@ +0@1700000000000 owner";

const PACE: &str = "@ +0 pace card=350 betting=15000 inspection=10000 contributions=1000 \
                    answer=30000 grace=15000 absence=300000 idle=1800000";

/// How long after the last input one comes in a log that is in order.
fn usual(input: &Input) -> u64 {
    match input {
        Input::TimeOut { .. } => 30_000,
        Input::Deal => 15_000,
        _ => 1_000,
    }
}

/// A log with times, in which the first input of a kind comes so long after the last one, with these
/// lines before it. Gives the entry of that input.
fn timed(is_it: fn(&Input) -> bool, after: u64, before: &[&str]) -> (Vec<Entry>, u64) {
    let sheet = sheet(Game::CasinoWar);
    let mut chain = Chain::new(TABLE);
    let mut entries = vec![RulesLine::new(sheet.clone()).write(&mut chain)];
    entries.extend([OWNER, PACE].map(|line| chain.append(line)));
    let (mut table, mut now, mut seq) = (Table::new(sheet), 1_700_000_000_000, 0);
    for input in &day(Game::CasinoWar, 1) {
        let mut time = usual(input);
        if seq == 0 && is_it(input) {
            entries.extend(before.iter().map(|line| chain.append(*line)));
            (time, seq) = (after, chain.next());
        }
        now += time;
        let at = (*input == Input::Deal).then_some(now);
        let outcome = Outcome::of(&mut table, input).unwrap();
        let time = LineTime { after: time, at };
        entries.extend(outcome.write_at(time, input, &mut chain, LineSalt::new([7; 16])));
    }
    (entries, seq)
}

fn judged(entries: Vec<Entry>) -> Verdict {
    verify(export(entries).to_string().as_bytes(), &[]).unwrap()
}

/// What is found in such a log, and the entry of its input.
fn found(is_it: fn(&Input) -> bool, after: u64, before: &[&str]) -> (Vec<Finding>, u64) {
    let (entries, seq) = timed(is_it, after, before);
    assert!(seq > 0);
    (judged(entries).findings, seq)
}

fn is_time_out(input: &Input) -> bool {
    matches!(input, Input::TimeOut { .. })
}

fn is_deal(input: &Input) -> bool {
    *input == Input::Deal
}

/// The log with another line in place of one of these words.
fn forged(from: &str, to: &str) -> Vec<Finding> {
    let (entries, _) = timed(is_deal, 15_000, &[]);
    let mut chain = Chain::new(TABLE);
    let mut is_changed = false;
    let line = |line: &str| match line.contains(from) && !std::mem::replace(&mut is_changed, true) {
        true => line.replacen(from, to, 1),
        false => line.to_owned(),
    };
    let lines: Vec<String> = entries.iter().map(|entry| &*entry.line).map(line).collect();
    assert!(is_changed);
    judged(lines.into_iter().map(|line| chain.append(line)).collect()).findings
}

#[test]
fn a_log_in_which_everything_came_in_time_is_in_order() {
    assert_eq!(found(is_deal, 15_000, &[]).0, []);
    let verdict = judged(timed(is_deal, 15_000, &[]).0);
    assert!(verdict.is_timed && !verdict.to_string().contains("no times"));
    let (entries, _) = timed(is_deal, 15_000, &[]);
    let mut chain = Chain::new(TABLE);
    let untimed = entries.iter().filter_map(|entry| match Kind::of(&entry.line)? {
        (Kind::Clock, _) => None,
        (kind, text) => Some(chain.append(kind.line(text))),
    });
    let verdict = judged(untimed.collect());
    assert!(verdict.is_clean() && !verdict.is_timed);
    assert!(
        verdict.to_string().contains("the log has no times: what rests on a clock is not checked")
    );
}

#[test]
fn a_time_out_before_its_time_is_found() {
    let (findings, seq) = found(is_time_out, 10, &[]);
    let [Finding { seq: at, problem: Problem::TooEarly { waited, within: 30_000 } }] = findings[..]
    else {
        panic!("{findings:?}")
    };
    assert!(at == seq && waited < 30_000, "{findings:?}");
}

#[test]
fn bets_that_are_closed_early_are_found_unless_everybody_was_ready_or_gone() {
    let early = |before: &[&str]| {
        let (findings, seq) = found(is_deal, 10, before);
        match &findings[..] {
            [] => false,
            [Finding { seq: at, problem: Problem::TooEarly { within: 15_000, .. } }] => {
                assert_eq!(*at, seq);
                true
            }
            other => panic!("{other:?}"),
        }
    };
    assert!(early(&[]));
    assert!(early(&["@ +0 ready 1"]));
    assert!(early(&["@ +0 ready 1", "@ +0 away 4", "@ +0 back 4"]));
    assert!(early(&["@ +0 away 1", "@ +0 away 4"]), "nobody was ready");
    assert!(!early(&["@ +0 ready 1", "@ +0 ready 4"]));
    assert!(!early(&["@ +0 ready 1", "@ +0 away 4"]));
}

#[test]
fn a_time_that_is_missing_or_does_not_follow_is_found() {
    let only = |findings: Vec<Finding>| match &findings[..] {
        [finding] => finding.problem.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(only(forged("< +1000 wager", "< wager")), Problem::TimeMissing);
    assert_eq!(only(forged("@ +0 pace", "@ +0 paces")), Problem::NotAClockLine);
    assert!(
        forged("@ +0@1700000000000 owner", "@ +0 owner")
            .contains(&Finding { seq: 2, problem: Problem::TimeMissing })
    );
    // An hour more or less, which no line tells.
    let (entries, seq) = timed(is_deal, 15_000, &[]);
    let deal = Kind::time_of(&entries[usize::try_from(seq).unwrap() - 1].line).unwrap().at.unwrap();
    let hour = 3_600_000;
    let findings = forged(&format!("@{deal}"), &format!("@{}", deal - hour));
    let problems: Vec<_> = findings.into_iter().map(|finding| finding.problem).collect();
    let jumped = |by| Problem::ClockJumped { by };
    assert_eq!(problems, [jumped(-3_600_000), jumped(3_600_000)]);
    // The same with lines that tell it: back by an hour before the deal.
    let (told, _) = timed(is_deal, 15_000, &["@ +0 jump +3600000"]);
    assert_eq!(judged(told).findings.len(), 1, "the clock had not jumped");
    // Another program before the last one ended.
    let (findings, seq) = found(is_deal, 15_000, &["@ +0@1600000000000 owner"]);
    assert!(findings.contains(&Finding { seq: seq - 1, problem: Problem::ClockWentBack }));
}
