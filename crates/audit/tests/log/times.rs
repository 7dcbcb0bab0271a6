//! What rests on a clock came when the paces in force allow it, or it is found.

use audit::chain::Chain;
use audit::finding::{Finding, Problem};
use audit::log::{Kind, Outcome, RulesLine};
use audit::mix::CommitmentPlace;
use audit::secret::LineSalt;
use audit::time::LineTime;
use audit::verify::{Verdict, verify};
use rules::table::{Input, Seal, Table};
use rules::wager::{Bettor, Game};

use crate::house::{TABLE, export, sheet};

/// When the program of these logs begins.
const DAY: u64 = 1_700_000_000_000;

const OWNER: &str = "@ +0@1700000000000 owner";

const PACE: &str = "@ +0 pace card=350 betting=15000 inspection=10000 contributions=1000 \
                    answer=30000 grace=15000 absence=300000 idle=1800000";

const SEAL: Seal = Seal([0; 32]);

/// The lines of a log: those about time as they are, and of inputs the time (`+350 card 9d`). One that
/// closes the bets gets the time of day.
fn log(game: Game, lines: &[String]) -> Vec<String> {
    let sheet = sheet(game);
    let mut chain = Chain::new(TABLE);
    let (mut table, mut day) = (Table::new(sheet.clone()), DAY);
    let mut entries = vec![RulesLine::new(sheet).write(&mut chain)];
    for line in [OWNER, PACE].into_iter().chain(lines.iter().map(String::as_str)) {
        if let Some(text) = line.strip_prefix("@ ") {
            let (time, _) = LineTime::split(text).unwrap_or_else(|| panic!("{line}"));
            day = time.at.unwrap_or(day + time.after);
            entries.push(chain.append(line));
            continue;
        }
        let (mut time, text) = LineTime::split(line).unwrap_or_else(|| panic!("{line}"));
        let input: Input = text.parse().unwrap_or_else(|_| panic!("{line}"));
        day += time.after;
        time.at = time.at.or((input == Input::Deal).then_some(day));
        let outcome = Outcome::of(&mut table, &input).unwrap_or_else(|why| panic!("{line}: {why}"));
        entries.extend(outcome.write_at(time, &input, &mut chain, LineSalt::new([7; 16])));
    }
    entries.into_iter().map(|entry| entry.line).collect()
}

fn judged(lines: impl IntoIterator<Item = String>) -> Verdict {
    let mut chain = Chain::new(TABLE);
    let entries = lines.into_iter().map(|line| chain.append(line)).collect();
    verify(export(entries).to_string().as_bytes(), &[]).unwrap()
}

fn problems(findings: Vec<Finding>) -> Vec<Problem> {
    findings.into_iter().map(|finding| finding.problem).collect()
}

/// What is found in the log of these lines.
fn found(game: Game, lines: &[&str], more: &[&str]) -> Vec<Problem> {
    let lines: Vec<String> = lines.iter().chain(more).map(|line| filled(line)).collect();
    problems(judged(log(game, &lines)).findings)
}

/// A line with its hashes: `SEAL`, `HASH1` and `BYTES1` of a seat.
fn filled(line: &str) -> String {
    let mut line = line.replace("SEAL", &SEAL.to_string());
    for seat in [1, 4] {
        let (bytes, at) = (Seal([seat; 32]), Bettor::at(usize::from(seat) - 1));
        let place = CommitmentPlace { house: "h1", table: TABLE, shoe: 1, seal: &SEAL, seat: at };
        let hash = place.commitment(&bytes).to_string();
        line = line.replace(&format!("HASH{seat}"), &hash);
        line = line.replace(&format!("BYTES{seat}"), &bytes.to_string());
    }
    line
}

fn early(waited: u64, within: u64) -> Vec<Problem> {
    vec![Problem::TooEarly { waited, within }]
}

/// Ann and bob sit down, and the cards are shuffled.
const SHUFFLED: [&str; 6] = [
    "+1000 sit 1 ann",
    "+1000 sit 4 bob",
    "+1000 buy-in 1 100",
    "+1000 buy-in 4 100",
    "+1000 inspect 1",
    "+1000 shuffle SEAL wash plug riffle riffle strip turn riffle cut",
];

/// Nobody adds to the order, and ann places a wager.
const BETTING: [&str; 3] = ["+1000 commit cut 1 60", "+350 card ??", "+1000 wager 1 main 10"];

fn betting(more: &[&str]) -> Vec<Problem> {
    found(Game::CasinoWar, &[&SHUFFLED[..], &BETTING].concat(), more)
}

/// A tie: ann is asked.
fn asked(more: &[&str]) -> Vec<Problem> {
    betting(&[&["+15000 deal", "+350 card 9d", "+350 card 9s"], more].concat())
}

#[test]
fn a_log_in_which_everything_came_in_time_is_in_order() {
    let lines = [&SHUFFLED[..], &BETTING, &["+15000 deal", "+350 card 9d", "+350 card 9s"]];
    let lines: Vec<String> = lines.concat().into_iter().map(filled).collect();
    let timed = log(Game::CasinoWar, &lines);
    let verdict = judged(timed.clone());
    assert!(verdict.is_clean() && verdict.is_timed, "{verdict}");
    assert!(!verdict.to_string().contains("no times"));
    let untimed = timed.iter().filter_map(|line| match Kind::of(line)? {
        (Kind::Clock, _) => None,
        (kind, text) => Some(kind.line(text)),
    });
    let verdict = judged(untimed);
    assert!(verdict.is_clean() && !verdict.is_timed, "{verdict}");
    let told = "the log has no times: what rests on a clock is not checked";
    assert!(verdict.to_string().contains(told), "{verdict}");
    assert!(verdict.to_string().contains("all that was checked is in order"), "{verdict}");
    // Without the lines about the house, times of inputs would be checked against nothing.
    let stripped =
        timed.into_iter().filter(|line| !matches!(Kind::of(line), Some((Kind::Clock, _))));
    let findings = judged(stripped).findings;
    assert_eq!(findings.first().map(|first| &first.problem), Some(&Problem::OwnerMissing));
}

#[test]
fn a_time_out_before_its_time_is_found() {
    assert_eq!(asked(&["+30000 time-out 1"]), []);
    assert_eq!(asked(&["+10 time-out 1"]), early(10, 30_000));
    // Another program gives all the time again.
    let owner = "@ +0@1700000043000 owner";
    let back = "@ +0 back 1";
    assert_eq!(
        asked(&["@ +20000 away 4", owner, PACE, back, "+29000 time-out 1"]),
        early(29_000, 30_000)
    );
    assert_eq!(
        asked(&["@ +20000 away 4", owner, PACE, "+30000 time-out 1"]),
        early(30_000, 45_000)
    );
}

#[test]
fn who_is_away_when_an_answer_is_due_has_more_time() {
    assert_eq!(asked(&["@ +100 away 1", "+29900 time-out 1"]), early(30_000, 45_000));
    assert_eq!(asked(&["@ +100 away 1", "+44900 time-out 1"]), []);
    assert_eq!(asked(&["@ +100 away 1", "@ +100 back 1", "+29800 time-out 1"]), []);
    assert_eq!(asked(&["@ +30000 away 1", "+10 time-out 1"]), [], "it was due before");
    // A line in between tells no more.
    let between = ["@ +100 away 1", "@ +30000 away 4", "+100 time-out 1"];
    assert_eq!(asked(&between), early(30_200, 45_000));
}

#[test]
fn bets_that_are_closed_early_are_found_unless_everybody_was_ready_or_gone() {
    let is_early = |more: &[&str], deal: &str| {
        let problems = betting(&[more, &[deal]].concat());
        assert!(problems.is_empty() || problems == early(10, 15_000), "{problems:?}");
        !problems.is_empty()
    };
    assert!(is_early(&[], "+10 deal"));
    assert!(is_early(&[], "+10!1 deal"), "bob has chips");
    assert!(!is_early(&[], "+10!1,4 deal"));
    assert!(is_early(&["@ +0 away 1", "@ +0 away 4"], "+10 deal"), "nobody was ready");
    assert!(!is_early(&["@ +0 away 4"], "+10!1 deal"));
    assert!(is_early(&["@ +0 away 4", "@ +0 back 4"], "+10!1 deal"));
    assert!(!is_early(&[], "+15000 deal"));
}

#[test]
fn a_list_that_is_closed_early_is_found_unless_everybody_answered_or_was_gone() {
    let after = |lines: &[&str]| found(Game::CasinoWar, &SHUFFLED, lines);
    let all = "commit cut 1 60 house h1 1 HASH1 4 HASH4";
    assert_eq!(after(&[&format!("+10 {all}")]), []);
    let one = "commit cut 1 60 house h1 1 HASH1";
    assert_eq!(after(&[&format!("+10 {one}")]), early(10, 1_000));
    assert_eq!(after(&[&format!("+1000 {one}")]), []);
    assert_eq!(after(&[&format!("+10!4 {one}")]), [], "bob adds nothing");
    assert_eq!(after(&["@ +0 away 4", &format!("+10 {one}")]), []);
    let uncut = "commit house h1 1 HASH1 4 HASH4";
    assert_eq!(after(&[&format!("+10 {uncut}")]), early(10, 1_000), "ann was asked to cut");
    assert_eq!(after(&[&format!("+1000 {uncut}")]), []);

    // Their openings.
    let open = |line: &str| after(&[&format!("+10 {all}"), line]);
    assert_eq!(open("+10 open 1 BYTES1 4 BYTES4"), []);
    assert_eq!(open("+10 open 1 BYTES1"), early(10, 1_000));
    assert_eq!(open("+1000 open 1 BYTES1"), []);
    assert_eq!(after(&[&format!("+10 {all}"), "@ +0 away 4", "+10 open 1 BYTES1"]), []);
    assert_eq!(after(&[&format!("+10 {all}"), "+10 leave 4", "+10 open 1 BYTES1"]), []);

    // The next one is asked to cut where the first is not there, or works for the house.
    assert_eq!(after(&["+10 time-out 1"]), early(10, 1_000));
    assert_eq!(after(&["@ +0 away 1", "+10 time-out 1"]), []);
    assert_eq!(after(&["+10!1 time-out 1"]), []);
}

#[test]
fn seats_that_are_cleared_and_tables_that_are_idle_too_early_are_found() {
    let absent = ["@ +0 absent 4", "+0 leave 4"];
    let after = |lines: &[&str]| found(Game::CasinoWar, &SHUFFLED, &[lines, &absent].concat());
    assert_eq!(after(&[]), early(0, 300_000));
    assert_eq!(after(&["@ +0 away 4", "@ +200000 away 1"]), early(200_000, 300_000));
    assert_eq!(after(&["@ +0 away 4", "@ +300000 away 1"]), []);
    let idle = |line: &str| {
        let lines = [&SHUFFLED[..], &BETTING[..2]].concat();
        found(Game::CasinoWar, &lines, &[line])
    };
    assert_eq!(idle("+1799000 idle"), early(1_799_000, 1_800_000));
    assert_eq!(idle("+1800000 idle"), []);
    // While commitments are awaited no clock of an idle table runs.
    assert_eq!(found(Game::CasinoWar, &SHUFFLED, &["+1800000 idle"]), [Problem::NotIdle]);
}

#[test]
fn a_pace_that_is_missing_or_told_by_nobody_is_found_and_the_shortest_is_shown() {
    let owner = "@ +0@1700000043000 owner";
    let quick =
        "@ +0 pace card=0 betting=0 inspection=0 contributions=0 answer=0 grace=0 absence=0 idle=0";
    // Without it nothing would be checked.
    let lines: Vec<String> = SHUFFLED.iter().map(|line| filled(line)).collect();
    let lines = log(Game::CasinoWar, &lines);
    let without = lines.iter().filter(|line| *line != PACE).cloned();
    assert_eq!(problems(judged(without).findings), [Problem::PaceMissing]);
    let away = ["@ +20000 away 4", owner, "@ +0 back 1", "+10 time-out 1"];
    assert_eq!(
        asked(&away),
        [Problem::PaceMissing, Problem::TooEarly { waited: 10, within: 30_000 }]
    );
    let twice = ["@ +20000 away 4", owner, owner, PACE];
    assert_eq!(asked(&twice), [Problem::PaceMissing]);
    // A house writes one only where a program takes over; the one before stays in force.
    let changed = [Problem::PaceChanged, Problem::TooEarly { waited: 10, within: 30_000 }];
    assert_eq!(asked(&[quick, "+10 time-out 1"]), changed);
    // What a program says counts, and is shown.
    let taken = ["@ +20000 away 4", owner, quick, "+10 time-out 1"];
    assert_eq!(asked(&taken), []);
    let shown = |more: &[&str]| {
        let lines = [&SHUFFLED[..], more].concat().into_iter().map(filled).collect::<Vec<_>>();
        judged(log(Game::CasinoWar, &lines)).to_string()
    };
    let line = "shortest times in force, in milliseconds: card=350 betting=15000 ";
    assert!(shown(&[]).contains(line), "{}", shown(&[]));
    let owner = "@ +0@1700000006000 owner";
    let slow = "@ +0 pace card=500 betting=9000 inspection=1 contributions=1 answer=1 grace=1 absence=1 idle=1";
    let line = "card=350 betting=9000 inspection=1 ";
    assert!(shown(&[owner, slow]).contains(line), "{}", shown(&[owner, slow]));
}

#[test]
fn inputs_before_the_first_time_are_counted() {
    let lines: Vec<String> =
        [&SHUFFLED[..], &BETTING, &["+15000 deal"]].concat().into_iter().map(filled).collect();
    let timed = log(Game::CasinoWar, &lines);
    // A forger takes the times of the first inputs away, and the lines about them.
    let inputs = timed.iter().take_while(|line| !line.contains("inspect 1")).count();
    let untimed = timed.iter().enumerate().filter_map(|(at, line)| match Kind::of(line)? {
        (Kind::Clock, _) if at < inputs => None,
        (kind, text) if at < inputs => Some(kind.line(text)),
        _ => Some(line.clone()),
    });
    let [rules, rest @ ..] = &untimed.collect::<Vec<_>>()[..] else { panic!() };
    let (early, late) =
        rest.split_at(rest.iter().position(|line| line.contains("inspect 1")).unwrap());
    let owner = ["@ +0@1700000004000 owner".to_owned(), PACE.to_owned()];
    let all = [rules.clone()].into_iter().chain(early.to_vec()).chain(owner).chain(late.to_vec());
    let verdict = judged(all);
    assert_eq!(verdict.untimed, 4, "{verdict}");
    assert!(verdict.is_clean(), "{verdict}");
    let told = "4 inputs come before the log has times: what rests on a clock is not checked there";
    assert!(verdict.to_string().contains(told), "{verdict}");
    assert!(verdict.to_string().contains("all that was checked is in order"), "{verdict}");
}

#[test]
fn cards_that_are_changed_before_their_time_are_found() {
    // FBB-2-c: 24 hours.
    let changed = |hours: u64| {
        let wait = format!("@ +{} away 1", hours * 3_600_000);
        let lines =
            ["+1000 sit 1 ann", "+0 decks due", "+1000 decks inspected", &wait, "+0 decks due"];
        found(Game::FreeBet, &lines, &[])
    };
    assert_eq!(changed(24), []);
    assert_eq!(changed(23), early(23 * 3_600_000, 24 * 3_600_000));
}

/// What is found in a log with another text in place of the first of these.
fn forged(from: &str, to: &str) -> Vec<Finding> {
    let lines = [&SHUFFLED[..], &BETTING, &["+15000 deal", "+350 card 9d", "+350 card 4s"]];
    let again = ["+1000 wager 1 main 10", "+15000 deal"];
    let lines = lines.concat().into_iter().chain(again).map(filled);
    let mut is_changed = false;
    let line = |line: String| match line.contains(from) && !std::mem::replace(&mut is_changed, true)
    {
        true => line.replacen(from, to, 1),
        false => line,
    };
    let lines = log(Game::CasinoWar, &lines.collect::<Vec<_>>());
    let lines: Vec<String> = lines.into_iter().map(line).collect();
    assert!(is_changed);
    judged(lines).findings
}

#[test]
fn a_time_that_is_missing_or_does_not_follow_is_found() {
    let only = |findings: Vec<Finding>| match &findings[..] {
        [finding] => finding.problem.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(forged("+1000 wager", "+1000 wager"), []);
    assert_eq!(only(forged("< +1000 wager", "< wager")), Problem::TimeMissing);
    assert_eq!(only(forged("@ +0 pace", "@ +0 paces")), Problem::NotAClockLine);
    let owner = forged("@ +0@1700000000000 owner", "@ +0 owner");
    assert!(owner.contains(&Finding { seq: 2, problem: Problem::TimeMissing }));
    // An hour less, which no line tells.
    let deal = DAY + 6_000 + 1_000 + 350 + 1_000 + 15_000;
    let jumped = |by| Problem::ClockJumped { by };
    assert_eq!(
        problems(forged(&format!("@{deal}"), &format!("@{}", deal - 3_600_000))),
        [jumped(-3_600_000), jumped(3_600_000)]
    );
    // A line tells it; where it did not happen, that line is wrong.
    let told = |day: u64| format!("+15000@{day} deal");
    let back = "@ +0 jump -3600000";
    assert_eq!(betting(&[back, &told(deal - 3_600_000)]), []);
    assert_eq!(betting(&[back, &told(deal)]), [jumped(3_600_000)]);
    // Another program before the last one ended.
    let owner = "@ +0@1600000000000 owner";
    assert_eq!(betting(&[owner]), [Problem::ClockWentBack]);
    assert_eq!(betting(&["@ +0 jump -100000008350", owner]), []);
}
