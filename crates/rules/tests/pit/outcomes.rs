//! At every moment of random days: what can be reported has outcomes, exactly these are taken, each
//! leads on, and a report that is dismissed has changed nothing.

use std::collections::BTreeSet;

use rules::card::Card;
use rules::round::{Awaits, Place};
use rules::table::{Input, Irregularity, Kind, Order, Report, Reporter, Table, TableAwaits};
use rules::wager::{Bettor, Game};

use super::sitting::{Sitting, supervisor};

/// Every order that there is, but the one that says that nothing has happened.
fn orders() -> Vec<Order> {
    let plain = Order::PLAIN.into_iter().map(|row| row.0);
    let plain = plain.filter(|order| *order != Order::Dismiss);
    let named = (0..7).flat_map(|seat| {
        let bettor = Bettor::at(seat);
        [
            Order::Release(bettor),
            Order::Admit(bettor),
            Order::Surrender(bettor),
            Order::Extend(bettor),
        ]
    });
    plain.chain(named).collect()
}

/// One of each kind, about this card, place and hand.
fn irregularity(
    kind: Kind,
    card: Card,
    ten: Card,
    hole: Card,
    (seat, hand): (u8, u8),
) -> Irregularity {
    let place = if hand == 3 { Place::Dealer } else { Place::Hand { seat, hand } };
    match kind {
        Kind::Misdealt => Irregularity::Misdealt { place, card },
        Kind::FaceUp => Irregularity::FaceUp(card),
        Kind::Ten => Irregularity::Ten(ten),
        Kind::DrawnUnseen => Irregularity::DrawnUnseen,
        Kind::DrawnSeen => Irregularity::DrawnSeen(card),
        Kind::Overdraw => Irregularity::Overdraw(card),
        Kind::DealerMissed => Irregularity::DealerMissed,
        Kind::NoCard => Irregularity::NoCard { seat },
        Kind::OneCard => Irregularity::OneCard { seat },
        Kind::MissedHit => Irregularity::MissedHit { seat, hand: hand % 2 },
        Kind::ShufflerFault => Irregularity::ShufflerFault,
        Kind::ReaderMisused => Irregularity::ReaderMisused,
        Kind::ReaderBroken => Irregularity::ReaderBroken,
        Kind::BurnForgotten => Irregularity::BurnForgotten,
        Kind::HoleSeen => Irregularity::HoleSeen(hole),
        Kind::BadCut => Irregularity::BadCut,
    }
}

fn order(order: Order) -> Input {
    Input::Order { order, by: supervisor(), card: None, because: None }
}

/// Tries every order on a report, if the table takes it. Whether it does.
fn try_report(before: &Table, report: &Report, reached: &mut BTreeSet<(Kind, String)>) -> bool {
    let what = report.irregularity;
    let mut frozen = before.clone();
    if frozen.apply(&Input::Report(report.clone()), &mut Vec::new()).is_err() {
        assert_eq!(frozen, *before);
        return false;
    }
    assert_eq!(frozen.awaits(), TableAwaits::Supervisor(what.kind()));
    assert!(what.kind().source(before.sheet().game()).is_some(), "{what}");
    let outcomes = frozen.outcomes();
    assert!(!outcomes.is_empty(), "{what}");
    for candidate in orders() {
        let mut after = frozen.clone();
        let taken = after.apply(&order(candidate), &mut Vec::new()).is_ok();
        assert_eq!(taken, outcomes.contains(&candidate), "{candidate} after {what}");
        assert!(taken || after == frozen, "{candidate} is refused and changes nothing");
        if taken {
            let word = candidate.to_string();
            reached.insert((what.kind(), word.split(' ').next().unwrap().to_owned()));
        }
    }
    for input in ["deal", "card ??", "peek no", "idle", "act 1 stand", "wager 1 main 5", "leave 1"]
    {
        assert!(frozen.clone().apply(&input.parse().unwrap(), &mut Vec::new()).is_err(), "{input}");
    }
    let mut dismissed = frozen.clone();
    dismissed.apply(&order(Order::Dismiss), &mut Vec::new()).unwrap();
    assert_eq!(dismissed, *before, "{what} was dismissed");
    true
}

/// Everything that can be reported now, of each kind at each seat.
fn reports(sitting: &mut Sitting, reached: &mut BTreeSet<(Kind, String)>) -> Vec<Report> {
    let card = sitting.card();
    // Where the hole card is due it may be dealt open.
    let is_due = sitting.table.awaits() == TableAwaits::Round(Awaits::FaceDown(Place::Dealer));
    let hole = sitting.hole.filter(|_| !is_due).unwrap_or(card);
    let ten = sitting.chance.one_of(&["Tc", "Td", "Th", "Ts"]).parse().unwrap();
    let mut taken: Vec<Report> = Vec::new();
    for kind in Kind::ALL {
        for seat in [0, 2, 5] {
            let hand = sitting.chance.one_of(&[0, 0, 0, 1, 3]);
            let irregularity = irregularity(kind, card, ten, hole, (seat, hand));
            let report = Report { irregularity, by: Reporter::Dealer, injected: false };
            if !taken.contains(&report) && try_report(&sitting.table, &report, reached) {
                taken.push(report);
            }
        }
    }
    taken
}

/// Plays a day in which much goes wrong, and what went wrong once goes wrong again.
fn day(game: Game, terms: &[(&str, &str)], seed: u64, reached: &mut BTreeSet<(Kind, String)>) {
    let mut sitting = Sitting::new(game, terms, seed);
    let mut last = Kind::FaceUp;
    for _ in 0..300 {
        let awaits = sitting.table.awaits();
        let frozen = matches!(awaits, TableAwaits::Supervisor(_) | TableAwaits::Choice(_));
        // A late card can be missed again.
        let is_late = matches!(last, Kind::OneCard | Kind::MissedHit);
        if !frozen && (is_late || sitting.chance.below(3) == 0) {
            let reports = reports(&mut sitting, reached);
            let patience = if is_late { 8 } else { 2 };
            let of = |kind| reports.iter().find(|report| report.irregularity.kind() == kind);
            let again = of(last).filter(|_| is_late || sitting.chance.below(3) == 0);
            // Wars are rare, and a card is missed twice in few of them.
            let in_war = of(Kind::MissedHit).filter(|_| game == Game::CasinoWar);
            let report = match again.or(in_war) {
                Some(report) => report.clone(),
                None if reports.is_empty() || sitting.chance.below(patience) > 0 => {
                    sitting.step();
                    continue;
                }
                None => reports[sitting.chance.below(reports.len())].clone(),
            };
            last = report.irregularity.kind();
            sitting.apply(&Input::Report(report)).unwrap();
        } else {
            sitting.step();
        }
    }
}

/// What was reached in a game by all the days.
fn reached(game: Game, terms: &[&[(&str, &str)]]) -> Vec<String> {
    let mut reached = BTreeSet::new();
    for (number, terms) in terms.iter().enumerate() {
        for seed in 0..8 {
            day(game, terms, seed + 100 * u64::try_from(number).unwrap(), &mut reached);
        }
    }
    reached.into_iter().map(|(kind, order)| format!("{kind} {order}")).collect()
}

#[test]
fn casino_war_knows_these_outcomes_and_no_others() {
    // CW-10-a to CW-10-f, CW-R11, CW-R12, G-10, G-15.
    let found = reached(
        Game::CasinoWar,
        &[&[], &[("shuffle_method", "automated"), ("face_up_count_scope", "round")]],
    );
    assert_eq!(
        found,
        [
            "misdealt discard",
            "misdealt forward",
            "misdealt release",
            "face-up discard",
            "face-up reshuffle",
            "face-up void",
            "drawn-unseen use-next",
            "drawn-seen discard",
            "drawn-seen forward",
            "drawn-seen release",
            "dealer-missed play-on",
            "no-card dead",
            "missed-hit dead",
            "missed-hit offer",
            "shuffler-fault remove-device",
            "shuffler-fault restart",
            "burn-forgotten play-on",
            "bad-cut recut",
        ]
    );
}

#[test]
fn double_down_stud_knows_these_outcomes_and_no_others() {
    // DDS-11-a to DDS-11-e, DDS-4-f, DDS-R11, DDS-R12, DDS-R17.
    let found = reached(Game::DoubleDownStud, &[&[], &[("cut_by", "players")]]);
    assert_eq!(
        found,
        [
            "misdealt reshuffle",
            "misdealt void",
            "face-up discard",
            "face-up reshuffle",
            "face-up void",
            "drawn-unseen use-next",
            "drawn-seen reshuffle",
            "drawn-seen void",
            "dealer-missed void",
            "no-card void",
            "shuffler-fault restart",
            "hole-seen play-on",
            "hole-seen void",
            "bad-cut recut",
        ]
    );
}

/// What Free Bet knows, and Double Deck as far as its own sheet says nothing (DDB-R18).
const OF_FREE_BET: [&str; 28] = [
    "misdealt discard",
    "misdealt forward",
    "misdealt offer",
    "misdealt release",
    "face-up discard",
    "face-up reshuffle",
    "face-up void",
    "drawn-unseen use-next",
    "drawn-seen discard",
    "drawn-seen forward",
    "drawn-seen offer",
    "drawn-seen release",
    "overdraw discard",
    "dealer-missed later",
    "no-card dead",
    "one-card dead",
    "one-card offer",
    "missed-hit dead",
    "missed-hit offer",
    "shuffler-fault cover-device",
    "shuffler-fault restart",
    "reader-misused play-on",
    "reader-broken out-of-use",
    "reader-broken repaired",
    "reader-broken void",
    "burn-forgotten play-on",
    "hole-seen play-on",
    "bad-cut recut",
];

#[test]
fn double_deck_knows_these_outcomes_and_no_others() {
    // DDB-R17, DDB-R18.
    let found = reached(Game::DoubleDeck, &[&[], &[("shuffle_method", "automated")]]);
    assert_eq!(found, OF_FREE_BET);
}

#[test]
fn double_attack_knows_these_outcomes_and_no_others() {
    // DAB-15-a to DAB-15-o, DAB-4-g, DAB-R27, DAB-R30, DAB-R31, DAB-R32.
    let found = reached(
        Game::DoubleAttack,
        &[
            &[],
            &[("dealing_mode", "hole_card_reader"), ("reader_reveals_to_players", "on")],
            &[("dealing_mode", "hole_card"), ("exposed_hole", "void")],
            &[("dealing_mode", "hole_card_reader"), ("shuffle_method", "automated")],
        ],
    );
    assert_eq!(
        found,
        [
            "misdealt discard",
            "misdealt forward",
            "misdealt offer",
            "misdealt release",
            "face-up discard",
            "face-up reshuffle",
            "face-up void",
            "ten remove",
            "ten reshuffle",
            "ten void",
            "drawn-unseen use-next",
            "drawn-seen discard",
            "drawn-seen forward",
            "drawn-seen offer",
            "drawn-seen release",
            "overdraw discard",
            "dealer-missed later",
            "dealer-missed void",
            "no-card dead",
            "one-card dead",
            "one-card offer",
            "missed-hit dead",
            "missed-hit offer",
            "shuffler-fault remove-device",
            "shuffler-fault restart",
            "reader-misused play-on",
            "reader-misused void",
            "reader-broken out-of-use",
            "burn-forgotten play-on",
            "hole-seen play-on",
            "hole-seen release",
            "hole-seen void",
            "bad-cut recut",
        ]
    );
}

#[test]
fn free_bet_knows_these_outcomes_and_no_others() {
    // FBB-11-a to FBB-11-n, FBB-4-f, FBB-R21, FBB-R22.
    let found = reached(
        Game::FreeBet,
        &[
            &[],
            &[("face_up_void_threshold", "2"), ("shuffle_method", "automated")],
            &[("shuffle_method", "continuous")],
        ],
    );
    assert_eq!(found, OF_FREE_BET);
}
