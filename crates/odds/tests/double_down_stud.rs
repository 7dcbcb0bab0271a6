//! Double Down Stud against known values and against brute force.

mod brute;

use std::collections::BTreeMap;

use brute::{cards, same, sheet, spread, start};
use odds::double_down_stud::{Class, DoublingPolicy, Stud, values_of};
use odds::fraction::Fraction;
use odds::ledger::Ledger;
use odds::open_acts;
use odds::setting::Setting;
use odds::unseen::Unseen;
use rules::card::Rank;
use rules::games::AnyRound;
use rules::money::Cents;
use rules::round::{Act, Awaits, Call, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

fn full(choices: &[(&str, &str)]) -> Stud {
    let sheet = sheet(Game::DoubleDownStud, choices);
    Stud::new(&sheet, Setting::of(&sheet).unwrap(), &Unseen::full(&sheet))
}

const GENEROUS: [(&str, &str); 4] = [
    ("pays_royal_flush", "2000"),
    ("pays_straight_flush", "200"),
    ("pays_four_of_a_kind", "50"),
    ("pays_full_house", "11"),
];

#[test]
fn known_values_come_out() {
    for (terms, expected) in [(&[][..], -0.0474128), (&GENEROUS, -0.0266784)] {
        let ev = full(terms).main(DoublingPolicy::Best).ev;
        assert!((ev - expected).abs() < 5e-8, "{ev} is not {expected}");
    }
}

/// Never doubled, each of the 2,598,960 hands comes five times as four cards and a fifth: the known
/// numbers of poker hands, with pairs of jacks and better (4 x 84,480) and sixes to tens (5 x 84,480).
#[test]
fn hands_are_counted() {
    let value = full(&[]).main(DoublingPolicy::Never);
    let count = |name: &str| {
        let outcome = value.outcomes.iter().find(|outcome| outcome.name == name).unwrap();
        u64::try_from(outcome.combinations.as_ref().unwrap()).unwrap()
    };
    for (name, hands) in [
        ("royal flush", 4),
        ("straight flush", 36),
        ("four of a kind", 624),
        ("full house", 3_744),
        ("flush", 5_108),
        ("straight", 10_200),
        ("three of a kind", 54_912),
        ("two pair", 123_552),
        ("pair of jacks or better", 4 * 84_480),
        ("pair of sixes to tens", 5 * 84_480),
        ("lost", 4 * 84_480 + 1_302_540),
    ] {
        assert_eq!(count(name), 5 * hands, "{name}");
    }
    // 1000 x 4 + 100 x 36 + 25 x 624 + 10 x 3,744 + 8 x 5,108 + 5 x 10,200 + 3 x 54,912
    // + 2 x 123,552 + 337,920 - 1,640,460, by 2,598,960.
    assert_eq!(value.ev_exact, Some(Fraction::new(-738_196, 2_598_960)));
}

/// A pair of sixes to tens cannot lose; an outside straight and a flush draw win more than they
/// lose: 8 x 5 against at most 40, 9 x 8 against at most 39.
#[test]
fn the_chart_says_when_to_double() {
    let chart = full(&[]).chart();
    let doubles = |class: Class| chart.iter().find(|line| line.class == class).unwrap().doubles();
    for rank in Rank::ALL {
        assert_eq!(doubles(Class::Pair(rank)), rank >= Rank::Six, "{rank:?}");
    }
    for class in [Class::FourOfAKind, Class::ThreeOfAKind, Class::TwoPair] {
        assert!(doubles(class));
    }
    for class in [Class::ToRoyalFlush, Class::ToStraightFlush, Class::ToFlush] {
        assert!(doubles(class));
    }
    for high in 0..=3 {
        assert!(doubles(Class::ToStraight { outs: 8, high }));
    }
    // Jack to ace: 4 x 5 + 12 - 32. Two to five gain nothing either: 8 x 5 - 40.
    assert!(!doubles(Class::ToStraight { outs: 4, high: 4 }));
    let even = chart.iter().find(|line| line.class == Class::ToStraight { outs: 4, high: 4 });
    assert_eq!(even.unwrap().gain, Fraction::new(0, 1));
    for high in 0..=3 {
        assert!(!doubles(Class::Nothing { high }));
    }
    assert!(chart.iter().all(|line| line.is_uniform()));
    let all: f64 = chart.iter().map(|line| line.probability).sum();
    same(all, 1.0);
}

#[test]
fn no_way_of_playing_beats_the_best() {
    let stud = full(&[]);
    let [best, basic, always, never] = DoublingPolicy::ALL.map(|policy| stud.main(policy).ev);
    assert!(best >= basic && basic > always && basic > never);
    same(best, basic);
}

/// At 5,000 a royal flush is cut to the payout limit, so that the wager is worth less.
#[test]
fn the_payout_limit_counts() {
    let sheet = TermSheet::new(Game::DoubleDownStud);
    let at = |cents| {
        let setting = Setting::of(&sheet).unwrap().with_main(&sheet, Cents::new(cents)).unwrap();
        Stud::new(&sheet, setting, &Unseen::full(&sheet)).main(DoublingPolicy::Best).ev
    };
    same(at(600), at(5_000));
    assert!(at(500_000) < at(5_000) - 0.001);
}

const SMALL: [&str; 4] = [
    "5c 6c 7c 8c 9c 9d 8d Kc Kd",
    "Tc Jc Qc Kc Ac 9c Td Jd",
    "2c 2d 2h 2s 6c 6d 6h Jc Jd",
    "2c 3d 4h 5s Ac 7d 8h 9s Tc",
];

/// What a seat does that knows four cards and the shoe: whatever brute force finds better.
fn best_by_brute_force(shoe: &[rules::card::Card], main: i64, sheet: &TermSheet) -> f64 {
    let (round, _) = start(sheet, None, &[&[(Circle::Main, main)]]);
    let mut sum = (0.0, 0.0);
    let n = shoe.len();
    for seat in 0..n {
        for a in 0..n {
            for b in 0..n {
                for c in 0..n {
                    let places = [seat, a, b, c];
                    if (0..4).any(|i| places[..i].contains(&places[i])) {
                        continue;
                    }
                    let mut round = round;
                    round.deal(shoe[seat], &mut ()).unwrap();
                    round.deal_face_down(&mut ()).unwrap();
                    [a, b, c].iter().for_each(|&i| round.deal(shoe[i], &mut ()).unwrap());
                    let rest: Vec<_> =
                        (0..n).filter(|i| !places.contains(i)).map(|i| shoe[i]).collect();
                    let value = |call| {
                        let gain = |&hole: &rules::card::Card| {
                            let mut round = round;
                            let mut ledger = Ledger::of(Bettor::at(0));
                            round.act(Bettor::at(0), Act::Call(call), &mut ledger).unwrap();
                            round.turn(hole, &mut ledger).unwrap();
                            ledger.total().get() as f64
                        };
                        rest.iter().map(gain).sum::<f64>() / rest.len() as f64
                    };
                    sum.0 += value(Call::Pass).max(value(Call::Double));
                    sum.1 += 1.0;
                }
            }
        }
    }
    sum.0 / sum.1 / main as f64
}

#[test]
fn it_is_worth_what_brute_force_says() {
    for (terms, main) in [(&[][..], 600), (&[("double_amount", "equal")], 700), (&[], 500_000)] {
        let sheet = sheet(Game::DoubleDownStud, terms);
        let setting = Setting::of(&sheet).unwrap().with_main(&sheet, Cents::new(main)).unwrap();
        assert_eq!(Cents::from(setting.main), Cents::new(main));
        for line in SMALL {
            let shoe = cards(line);
            let stud = Stud::new(&sheet, setting, &shoe.iter().copied().collect());
            same(stud.main(DoublingPolicy::Best).ev, best_by_brute_force(&shoe, main, &sheet));
            let (round, ledger) = start(&sheet, None, &[&[(Circle::Main, main)]]);
            for (policy, call) in
                [(DoublingPolicy::Always, Call::Double), (DoublingPolicy::Never, Call::Pass)]
            {
                let decide = move |_: &AnyRound, _: Bettor| Act::Call(call);
                let ends = spread(round, ledger, &shoe, &decide, &|_, l| l.total());
                let value = stud.main(policy);
                let mut counted: BTreeMap<i64, f64> = BTreeMap::new();
                for outcome in &value.outcomes {
                    #[allow(clippy::cast_possible_truncation)]
                    let net = (outcome.net * main as f64).round() as i64;
                    *counted.entry(net).or_default() += outcome.probability;
                }
                for (net, &p) in &ends {
                    same(counted[&net.get()], p);
                }
                assert_eq!(counted.len(), ends.len());
            }
        }
    }
}

/// With two other seats in sight.
#[test]
fn acts_are_worth_what_brute_force_says_from_here() {
    let sheet = TermSheet::new(Game::DoubleDownStud);
    let boxes: [&[(Circle, i64)]; 3] =
        [&[(Circle::Main, 600)], &[(Circle::Main, 700)], &[(Circle::Main, 500)]];
    for (dealt, rest) in
        [("9c 9d 9h | 6c 7c 8c", "5c Tc 9s Kd Kh"), ("Jc 2d 2h | Qc Kc Ac", "Tc Td Jd 2s")]
    {
        let (seats, open) = dealt.split_once('|').unwrap();
        let (mut round, mut ledger) = start(&sheet, None, &boxes);
        cards(seats).iter().for_each(|&card| round.deal(card, &mut ledger).unwrap());
        round.deal_face_down(&mut ledger).unwrap();
        cards(open).iter().for_each(|&card| round.deal(card, &mut ledger).unwrap());
        assert!(matches!(round.awaits(), Awaits::Acts(_)));
        let shoe = cards(rest);
        let unseen: Unseen = shoe.iter().copied().collect();
        let AnyRound::DoubleDownStud(stud) = round else { unreachable!() };
        for own in (0..3).map(Bettor::at) {
            let values = values_of(&stud, own, &open_acts(&stud, own), &unseen);
            assert_eq!(values.len(), 2, "double, pass");
            for value in values {
                let gains = shoe.iter().map(|&hole| {
                    let (mut round, mut ledger) = (round, Ledger::of(own));
                    for bettor in (0..3).map(Bettor::at) {
                        let act = if bettor == own { value.act } else { Act::Call(Call::Double) };
                        round.act(bettor, act, &mut ledger).unwrap();
                    }
                    round.turn(hole, &mut ledger).unwrap();
                    ledger.total().get() as f64
                });
                same(value.gain, gains.sum::<f64>() / shoe.len() as f64);
            }
        }
    }
}
