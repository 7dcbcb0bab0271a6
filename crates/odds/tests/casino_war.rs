//! Casino War against known values and against brute force.

mod brute;

use brute::{cards, mean, same, sheet, spread, start};
use odds::casino_war::{TiePolicy, War, values_of};
use odds::setting::Setting;
use odds::unseen::Unseen;
use odds::value::BetValue;
use odds::{from_here, open_acts};
use rules::games::AnyRound;
use rules::money::{Cents, Chips};
use rules::round::{Act, Awaits, Call, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

fn at_full_shoe<T>(choices: &[(&str, &str)], of: impl Fn(War<'_>) -> T) -> T {
    let sheet = sheet(Game::CasinoWar, choices);
    let setting = Setting::of(&sheet).unwrap();
    of(War::new(&sheet, setting, Unseen::full(&sheet)))
}

#[track_caller]
fn published(ev: f64, expected: f64) {
    assert!((ev - expected).abs() < 5e-8, "{ev} is not {expected}");
}

/// Figures that are published, and can be had by hand: with six decks a tie has 23 of 311 cards.
#[test]
fn known_values_come_out() {
    for (decks, war, surrender, tie) in
        [("6", -0.0233006, -0.0369775, -0.1864952), ("8", -0.0233976, -0.0373494, -0.1783133)]
    {
        let terms = [("decks", decks)];
        published(at_full_shoe(&terms, |table| table.main(TiePolicy::War).ev), war);
        published(at_full_shoe(&terms, |table| table.main(TiePolicy::Surrender).ev), surrender);
        published(at_full_shoe(&terms, |table| table.tie().unwrap().ev), tie);
    }
}

/// A tie is 23 in 311 with six decks: 10 x 23 - 288 = -58, and half of 23 is lost by surrender.
#[test]
fn fractions_are_exact() {
    let exact = |value: BetValue| value.ev_exact.unwrap().to_string();
    assert_eq!(at_full_shoe(&[], |table| exact(table.tie().unwrap())), "-58/311");
    assert_eq!(at_full_shoe(&[], |table| exact(table.main(TiePolicy::Surrender))), "-23/622");
    // Of 416 cards 31 of 415 tie: 310 - 384.
    let eight = [("decks", "8")];
    assert_eq!(at_full_shoe(&eight, |table| exact(table.tie().unwrap())), "-74/415");
}

/// The element of risk counts the war wager: 0.0233006 / (1 + 23/311).
#[test]
fn the_risk_is_spread_over_all_that_is_staked() {
    let value = at_full_shoe(&[], |table| table.main(TiePolicy::War));
    same(value.element_of_risk.value, -value.ev / (1.0 + 23.0 / 311.0));
    published(value.hit_frequency.value, 0.5 * 288.0 / 311.0 + won_wars());
    let total: f64 = value.outcomes.iter().map(|outcome| outcome.probability).sum();
    same(total, 1.0);
}

/// Ties, 23 of 311, that a war then wins or ties: of the 310 x 309 ordered pairs the ties are 12 ranks
/// with 24 x 23 and one with 22 x 21, and half of the others win.
fn won_wars() -> f64 {
    let (all, ties) = (310.0 * 309.0, 12.0 * 24.0 * 23.0 + 22.0 * 21.0);
    23.0 / 311.0 * (ties + (all - ties) / 2.0) / all
}

/// A suited four of a kind: 52 cards, 6 x 5 x 4 x 3 of 312 x 311 x 310 x 309 ways.
#[test]
fn the_highest_outcome_is_counted() {
    let value = at_full_shoe(&[], |table| table.progressive(TiePolicy::War).unwrap());
    let hit = value.outcomes.iter().find(|outcome| outcome.name == "suited four of a kind");
    let hit = hit.unwrap();
    assert_eq!(hit.combinations, Some((52_u64 * 6 * 5 * 4 * 3).into()));
    // 1000 x 5 and the meter of 10,000 with 15 % of 5, less the stake, by 5.
    assert_eq!(hit.net, 999.0 + 10_000.75 / 5.0);
}

#[test]
fn the_meter_breaks_even_where_it_is_said_to() {
    let sheet = sheet(Game::CasinoWar, &[]);
    for others in [0, 3, 6] {
        let ev = |cents: i64| {
            let setting = Setting::of(&sheet).unwrap().with_others(&sheet, others).unwrap();
            let setting = setting.with_meter(&sheet, Cents::new(cents)).unwrap();
            let war = War::new(&sheet, setting, Unseen::full(&sheet));
            war.progressive(TiePolicy::War).unwrap()
        };
        let figures = ev(1_000_000).figures;
        let (_, meter) = figures.iter().find(|(name, _)| *name == "break_even_meter").unwrap();
        #[allow(clippy::cast_possible_truncation)]
        let meter = (meter * 100.0).round() as i64;
        assert!(ev(meter).ev >= 0.0, "{others} others");
        assert!(ev(meter - 1).ev < 0.0, "{others} others");
    }
}

/// Six cards of a kind: 52 x 6 x 5 x 4 x 3 of 312 x 311 x 310 x 309 ways, 1000 for each 5.
#[test]
fn envy_grows_evenly_with_the_others() {
    let sheet = sheet(Game::CasinoWar, &[]);
    let chance = 52.0 * 360.0 / (312.0 * 311.0 * 310.0 * 309.0);
    for others in 0..=6 {
        let setting = Setting::of(&sheet).unwrap().with_others(&sheet, others).unwrap();
        let envy = War::new(&sheet, setting, Unseen::full(&sheet)).envy().unwrap();
        same(envy.ev, f64::from(others) * 200.0 * chance);
        let figure = envy.figures.iter().find(|(name, _)| *name == "ev_for_each_other");
        same(figure.unwrap().1, 200.0 * chance);
    }
}

const SMALL: [&str; 4] = [
    "9c*4 9d*2 Kc*2 2h",
    "9c*5 9d Kd*2 Kh 2s 2d",
    "As*4 Ah*2 Kc*3 Kd*2",
    "5c 6c 7c 8c 9c Tc 5d 6d 7d",
];

fn call(call: Call) -> impl Fn(&AnyRound, Bettor) -> Act {
    move |_, _| Act::Call(call)
}

#[test]
fn one_seat_is_worth_what_brute_force_says() {
    for terms in [&[][..], &[("breakage", "player_favour")], &[("progressive_contribution", "40")]]
    {
        let sheet = sheet(Game::CasinoWar, terms);
        let setting = Setting {
            main: Chips::dollars(5),
            side: Some(Chips::dollars(2)),
            progressive: Some(Chips::dollars(10)),
            meter: Cents::new(123_456),
            others: 0,
        };
        for line in SMALL {
            let shoe = cards(line);
            let war = War::new(&sheet, setting, shoe.iter().copied().collect());
            let stakes = [(Circle::Main, 500), (Circle::Tie, 200), (Circle::Progressive, 1000)];
            let (round, ledger) = start(&sheet, Some(123_456), &[&stakes]);
            for policy in TiePolicy::ALL {
                let decide = call(Call::named(policy.name()).unwrap());
                let main = |l: &odds::ledger::Ledger| l.gain(Circle::Main) + l.gain(Circle::War);
                let brute = mean(round, ledger, &shoe, &decide, &main);
                same(war.main(policy).ev, brute / 500.0);
                let ends = spread(round, ledger, &shoe, &decide, &|_, l| main(l));
                compare(&war.main(policy), 500.0, &ends);
                let ends =
                    spread(round, ledger, &shoe, &decide, &|_, l| l.gain(Circle::Progressive));
                compare(&war.progressive(policy).unwrap(), 1000.0, &ends);
            }
            let ends =
                spread(round, ledger, &shoe, &call(Call::Surrender), &|_, l| l.gain(Circle::Tie));
            compare(&war.tie().unwrap(), 200.0, &ends);
            let decide = |_: &AnyRound, _| Act::With(Call::War, Cents::new(200));
            let tied = spread(round, ledger, &shoe, &decide, &|_, l| {
                (l.staked(Circle::WarTie), l.gain(Circle::WarTie))
            });
            let wars: f64 = tied.iter().filter(|end| end.0.0 > Cents::ZERO).map(|end| end.1).sum();
            let won: f64 = tied.iter().map(|(end, p)| end.1.get() as f64 * p).sum();
            same(war.war_tie().unwrap().ev, won / 200.0 / wars);
        }
    }
}

/// Compares every net with its probability.
#[track_caller]
fn compare(value: &BetValue, unit: f64, ends: &std::collections::BTreeMap<Cents, f64>) {
    let at = |net: f64| -> f64 {
        let of_net = value.outcomes.iter().filter(|outcome| (outcome.net - net).abs() < 1e-9);
        of_net.map(|outcome| outcome.probability).sum()
    };
    for (net, &p) in ends {
        same(at(net.get() as f64 / unit), p);
    }
    let mean: f64 = ends.iter().map(|(net, p)| net.get() as f64 / unit * p).sum();
    same(value.ev, mean);
    let square: f64 = ends.iter().map(|(net, p)| (net.get() as f64 / unit).powi(2) * p).sum();
    let sd = (square - mean * mean).sqrt();
    assert!((value.sd.value - sd).abs() < 1e-9, "{} is not {sd}", value.sd.value);
}

/// Two and three seats, one card seven times and more: meters are shared and envy is paid.
#[test]
fn others_share_the_meter_and_bring_envy() {
    let shared = [
        &[][..],
        &[("progressive_shared", "settlement_order")],
        &[("envy_requires_hitter_bet", "on")],
    ];
    for terms in shared {
        let sheet = sheet(Game::CasinoWar, terms);
        for (others, line) in [(1, "9c*8 9d*2 Kc*2"), (2, "9c*9 9d*2 2h")] {
            let setting = Setting {
                progressive: Some(Chips::dollars(5)),
                meter: Cents::new(777_777),
                ..Setting::of(&sheet).unwrap()
            };
            let setting = setting.with_others(&sheet, others).unwrap();
            let shoe = cards(line);
            let war = War::new(&sheet, setting, shoe.iter().copied().collect());
            let stakes: &[(Circle, i64)] = &[(Circle::Main, 600), (Circle::Progressive, 500)];
            let boxes = vec![stakes; usize::from(others) + 1];
            let (round, ledger) = start(&sheet, Some(777_777), &boxes);
            let look = |circle| move |_: &AnyRound, l: &odds::ledger::Ledger| l.gain(circle);
            let decide = call(Call::War);
            let ends = spread(round, ledger, &shoe, &decide, &look(Circle::Progressive));
            compare(&war.progressive(TiePolicy::War).unwrap(), 500.0, &ends);
            let ends = spread(round, ledger, &shoe, &decide, &look(Circle::Envy));
            compare(&war.envy().unwrap(), 500.0, &ends);
        }
    }
}

/// The value of each act from a tie, with every card of the other seats in sight.
#[test]
fn acts_are_worth_what_brute_force_says_from_here() {
    let sheet = sheet(Game::CasinoWar, &[("progressive_shared", "equal")]);
    let stakes: &[(Circle, i64)] =
        &[(Circle::Main, 600), (Circle::Tie, 200), (Circle::Progressive, 500)];
    for (dealt, rest) in [
        ("9c 9c", "9c*4 9d*2 Kc*2 2h"),
        ("9c 9d", "9c*3 9d*2 Kc*2 2h*2"),
        ("9c 9c 9c", "9c*5 9d*2 Kc*2"),
        ("9d 9c 9c", "9c*4 9d*2 Kc*2"),
        ("9c 2c 9c", "9c*4 9d*2 Kc*2"),
        ("9c 9c 9c 9c", "9c*6 9d*2 Kc"),
    ] {
        let dealt = cards(dealt);
        let (mut round, mut ledger) = start(&sheet, Some(777_777), &vec![stakes; dealt.len() - 1]);
        dealt.iter().for_each(|&card| round.deal(card, &mut ledger).unwrap());
        assert!(matches!(round.awaits(), Awaits::Acts(_)));
        let shoe = cards(rest);
        let unseen: Unseen = shoe.iter().copied().collect();
        let one = Bettor::at(0);
        let AnyRound::CasinoWar(war) = round else { unreachable!() };
        let values = values_of(&war, one, &open_acts(&war, one), &unseen);
        assert_eq!(values.len(), 3, "surrender, war, war with a tie wager");
        for value in values {
            let decide = |_: &AnyRound, bettor: Bettor| match bettor == one {
                true => value.act,
                false => Act::Call(Call::War),
            };
            let before = odds::ledger::Ledger::of(one);
            let brute = mean(round, before, &shoe, &decide, &|ledger| ledger.total());
            same(value.gain, brute);
        }
    }
}

/// Before and after the choice nothing is open.
#[test]
fn nothing_is_open_where_nobody_is_asked() {
    let sheet = TermSheet::new(Game::CasinoWar);
    let (round, _) = start(&sheet, None, &[&[(Circle::Main, 500)]]);
    assert_eq!(from_here(&sheet, &round, Bettor::at(0), &Unseen::full(&sheet)), Ok(Vec::new()));
}
