//! Logs that were written under other rules: what can be checked is, and nothing else is said.

use audit::chain::Chain;
use audit::export::Export;
use audit::finding::Problem;
use audit::log::{Kind, Outcome, RulesLine};
use audit::replay;
use audit::secret::LineSalt;
use audit::verify::{UnplayedPart, Verdict, verify};
use rules::RULES_VERSION;
use rules::card::Card;
use rules::table::{Input, Seal, Table};
use rules::terms::TermSheet;
use rules::wager::Game;

use crate::house::{
    clumsy_day, day, export, forged, log, log_of, sheet, short_of_cards, short_sheet,
};

/// Three rounds of Free Bet, as rules 0.1.0 wrote them down. In the first one a split hand busts
/// whose cards were picked up only at the end of the round (FBB-9-c-1 has them picked up at once).
const OLDER: &str = include_str!("older_rules.log");

fn judged(export: &Export) -> Verdict {
    verify(export.to_string().as_bytes(), &[]).expect("an export can be read")
}

/// The older log with some lines changed, and hashes as if it had always been so.
fn forge(change: impl FnOnce(&mut Vec<String>)) -> Verdict {
    let entries = Export::read(OLDER).unwrap().entries;
    let mut lines: Vec<String> = entries.into_iter().map(|entry| entry.line).collect();
    change(&mut lines);
    judged(&forged(lines))
}

/// The same log under another version of the rules.
fn under_other_rules(export: &Export) -> Export {
    let ours = format!("# version {RULES_VERSION} ");
    let lines = export.entries.iter().map(|entry| entry.line.replace(&ours, "# version 0.0.1 "));
    forged(lines)
}

#[test]
fn an_older_log_is_checked_as_far_as_it_can_be() {
    let text = verify(OLDER.as_bytes(), &[]).unwrap().to_string();
    let expected = "\
written under rules 0.1.0: chain, cards and money checked, events not
the log has no times: what rests on a clock is not checked
head 181:cdb7681bf25e6f9b305940358a4107b53d05612ce19d238a8f279dae80832b18
free-bet-1: 181 entries, 3 rounds, 1 shoe revealed
all that was checked is in order
no head was compared: this proves that the log is consistent, not that it is complete
";
    assert_eq!(text, expected);
}

/// Played by the present rules, the same log would be full of false findings.
#[test]
fn an_older_log_does_not_follow_from_these_rules() {
    let verdict = forge(|lines| lines[0] = lines[0].replace("version 0.1.0", "version now"));
    let problem = &verdict.findings.first().expect("the rules have changed").problem;
    assert!(matches!(problem, Problem::OtherClaim { .. }), "{problem}");
}

#[test]
fn tampering_with_an_older_log_is_found() {
    let changed = OLDER.replace("> said Dealer: 25.", "> said Dealer: 24.");
    let findings = verify(changed.as_bytes(), &[]).unwrap().findings;
    assert_eq!(findings[0].problem, Problem::Unchained);
    assert_eq!(findings.len(), 1);

    let only = |verdict: Verdict| match &verdict.findings[..] {
        [finding] => finding.to_string(),
        findings => panic!("{findings:#?}"),
    };
    let card = forge(|lines| lines[39] = "< card Qd".to_owned());
    assert_eq!(only(card), "entry 40: Qd was dealt, but card 2 of shoe 1 is Qh");
    let turned = forge(|lines| lines[73] = "< turn 8c".to_owned());
    assert_eq!(only(turned), "entry 74: 8c was dealt, but card 5 of shoe 1 is 8d");
    let left_out = forge(|lines| drop(lines.drain(39..41)));
    assert!(only(left_out).starts_with("entry 40: 7h was dealt, but card 2 of shoe 1 is Qh"));
    let sealed = forge(|lines| lines[12].replace_range(17..18, "0"));
    assert!(
        only(sealed).contains("salt and order of shoe 1 do not match the commitment in entry 12")
    );

    let rack = forge(|lines| lines[87] = "> rack 1 69".to_owned());
    assert_eq!(only(rack), "entry 76: rack:1 holds 59 in the books, but 69 at the table");
    let paid = forge(|lines| lines[82] = "> moved 22 from house to rack:1".to_owned());
    assert_eq!(only(paid), "entry 76: rack:1 holds 69 in the books, but 59 at the table");
    let unpaid = forge(|lines| drop(lines.remove(60)));
    assert_eq!(only(unpaid), "entry 75: escrow holds 12 in the books, but 0 at the table");
    let made = forge(|lines| lines[60] = "> moved 112 from escrow to house".to_owned());
    assert_eq!(only(made), "entry 58: 112 from escrow to house cannot be paid: escrow holds 25");
    for odd in ["> moved 0 from house to rack:1", "> moved 5 from house to house", "> said x"] {
        assert_eq!(forge(|lines| lines[60] = odd.to_owned()).findings.len(), 1, "{odd}");
    }
}

/// What the log's own lines tell of cards, money and rounds is what the rules make of its inputs.
#[test]
fn whatever_happens_at_a_table_is_followed_without_its_rules() {
    let mut machine = TermSheet::new(Game::CasinoWar);
    machine.set([("shuffle_method", "automated")]).unwrap();
    let mut continuous = TermSheet::new(Game::FreeBet);
    continuous.set([("shuffle_method", "continuous")]).unwrap();
    let mut logs = vec![log_of(&short_sheet(), &short_of_cards()).unwrap()];
    logs.extend(Game::ALL.map(|game| log(game, &day(game, 3)).unwrap()));
    let clumsy = Game::ALL.map(sheet).into_iter().chain([machine, continuous]);
    logs.extend(clumsy.map(|sheet| log_of(&sheet, &clumsy_day(sheet.clone(), 5)).unwrap()));
    for log in logs {
        let (played, read) = (judged(&log), judged(&under_other_rules(&log)));
        let what = &log.entries[0].line;
        assert_eq!((&played.findings[..], &read.findings[..]), (&[][..], &[][..]), "{what}");
        let known = |verdict: &Verdict| {
            let Verdict { entries, rounds, revealed, ref unrevealed, .. } = *verdict;
            (entries, rounds, revealed, unrevealed.clone())
        };
        assert_eq!(known(&played), known(&read), "{what}");
        assert_eq!((played.unplayed.len(), read.unplayed.len()), (0, 1), "{what}");
    }
}

/// A day in the middle of which another version goes on, and says how the table stood, or not.
fn upgraded(stood: impl Fn(&Table) -> Vec<String>) -> (Verdict, u64) {
    let sheet = sheet(Game::DoubleAttack);
    let (mut table, mut chain) = (Table::new(sheet.clone()), Chain::new("war-1"));
    let older = RulesLine { version: "0.0.1".to_owned(), sheet: sheet.clone() };
    let mut entries = vec![older.write(&mut chain)];
    let mut begins = None;
    for input in day(Game::DoubleAttack, 2) {
        if begins.is_none() && table.rounds_played() == 4 && table.stands() {
            begins = Some(chain.next());
            entries.push(RulesLine::new(sheet.clone()).write(&mut chain));
            entries.extend(stood(&table).iter().map(|line| chain.append(Kind::Opening.line(line))));
        }
        let outcome = Outcome::of(&mut table, &input).unwrap();
        entries.extend(outcome.write(&input, &mut chain, LineSalt::new([7; 16])));
    }
    (judged(&export(entries)), begins.unwrap())
}

fn standing(table: &Table) -> Vec<String> {
    table.standing().expect("bets are open")
}

#[test]
fn a_new_version_is_checked_in_full_from_where_the_table_stood() {
    let (verdict, begins) = upgraded(standing);
    let unplayed = UnplayedPart { version: "0.0.1".to_owned(), first: 1, last: begins - 1 };
    assert_eq!((&verdict.findings[..], &verdict.unplayed[..]), (&[][..], &[unplayed][..]));
    assert!(verdict.rounds > 20 && verdict.revealed == 1);
    let line = format!(
        "entries 1 to {}: written under rules 0.0.1: chain, cards and money checked, events not\n",
        begins - 1
    );
    assert!(verdict.to_string().starts_with(&line), "{verdict}");
}

#[test]
fn a_table_that_did_not_stand_so_is_found() {
    let no_table = upgraded(|table| standing(table)[..1].to_vec()).0.findings;
    assert_eq!(no_table[0].problem, Problem::NoStanding);
    let richer = |table: &Table| {
        let mut table = table.clone();
        table.apply(&"buy-in 1 7".parse().unwrap(), &mut Vec::new()).unwrap();
        standing(&table)
    };
    let findings = upgraded(richer).0.findings;
    assert!(findings.iter().any(|finding| matches!(finding.problem, Problem::OutOfBalance { .. })));
}

#[test]
fn a_new_version_that_does_not_say_how_the_table_stood_is_read_on() {
    let (verdict, begins) = upgraded(|_| Vec::new());
    assert_eq!(verdict.findings, []);
    let last = verdict.entries;
    let unplayed = [("0.0.1", 1, begins - 1), (RULES_VERSION, begins, last)];
    let unplayed = unplayed.map(|(version, first, last)| {
        let version = version.to_owned();
        UnplayedPart { version, first, last }
    });
    assert_eq!(verdict.unplayed, unplayed);
}

#[test]
fn a_version_does_not_change_in_mid_round() {
    for line in [50, 60, 100] {
        let verdict = forge(|lines| lines.insert(line, lines[0].replace("0.1.0", "0.1.1")));
        assert_eq!(verdict.findings[0].problem, Problem::RulesChanged, "{line}");
    }
    assert!(forge(|lines| lines.insert(88, lines[0].replace("0.1.0", "0.1.1"))).is_clean());
}

#[test]
fn terms_that_are_known_no_more_are_no_finding() {
    let verdict = forge(|lines| lines[0] = lines[0].replace("main_min=10", "no_such_term=10"));
    assert_eq!(verdict.findings, []);
}

#[test]
fn a_round_of_an_older_log_is_shown_as_it_is_written() {
    let shown = replay(OLDER.as_bytes(), 2).unwrap();
    assert_eq!(shown.written_under.as_deref(), Some("0.1.0"));
    assert!(shown.settled && shown.steps.len() == 10);
    let text = shown.to_string();
    let head = "Round 2 of free-bet-1\n\
                Written under rules 0.1.0: shown as logged, not played again\n\n\
                Starts from\n          round 2\n          shoe 1 at 11\n";
    assert!(text.starts_with(head), "{text}");
    assert!(text.ends_with("            settled\n"), "{text}");
    assert!(text.contains("     121  card 8d\n            card 1 8d\n"), "{text}");
    let missing = replay(OLDER.as_bytes(), 4).unwrap_err().to_string();
    assert_eq!(missing, "there is no round 4: 3 were played");
}

#[test]
fn an_input_that_is_known_no_more_is_no_finding() {
    assert!("greet eve".parse::<Input>().is_err());
    let verdict = forge(|lines| lines[1] = "< greet eve".to_owned());
    assert_eq!(verdict.findings, []);
}

/// A shoe of rules 2, to which two players added these bytes one after the other.
fn shoe_of_version_2(added: [u8; 2]) -> Verdict {
    let order: Vec<Card> = std::iter::repeat_n(Card::DECK, 6).flatten().collect();
    let (salt, text) = (Seal([9; 32]), order.iter().map(ToString::to_string).collect::<String>());
    let seal = audit::seal::seal(&salt.0, &order);
    let mut cards = audit::mix::mix(&order, &seal, &[Seal([2; 32]), Seal([1; 32])]);
    cards.rotate_left(60);
    let [one, other] = added.map(|byte| Seal([byte; 32]));
    let lines = [
        "# version 2 game casino-war".to_owned(),
        format!("< shuffle {seal} wash plug riffle riffle strip riffle turn riffle cut"),
        format!("> shuffled 1 312 {seal}"),
        format!("< contribute 1 {one}"),
        "> contributed 1".to_owned(),
        format!("< contribute 2 {other}"),
        "> contributed 2".to_owned(),
        "< mix".to_owned(),
        "> mixed 2".to_owned(),
        "< cut 1 60".to_owned(),
        "> cut 1 60".to_owned(),
        "< card ??".to_owned(),
        "> burned".to_owned(),
        format!("< card {}", cards[1]),
        format!("< card {}", cards[2]),
        "< idle".to_owned(),
        "> retired 1 309".to_owned(),
        format!("< reveal {salt} {text}"),
        "> revealed 1".to_owned(),
    ];
    judged(&forged(lines))
}

#[test]
fn what_players_added_one_after_the_other_under_rules_2_is_still_part_of_the_order() {
    let verdict = shoe_of_version_2([2, 1]);
    assert_eq!((&verdict.findings[..], verdict.revealed), (&[][..], 1));
    let other = shoe_of_version_2([1, 2]).findings;
    assert!(matches!(other[0].problem, Problem::OtherCard { shoe: 1, .. }), "{}", other[0]);
}
