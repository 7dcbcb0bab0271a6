//! Simulation: agrees with exact analysis, is the same every time, and adds up.

mod agreement;

use agreement::CASES;
use odds::simulate::{Plan, Ramp, Stop, Strategy, Tally, Wyrand, run, run_by_shoe};
use rules::card::Card;
use rules::money::Cents;
use rules::notation::Line;
use rules::shoe::{Numbers, Shoe};
use rules::terms::TermSheet;
use rules::transcript::check;
use rules::wager::Game;

/// Rounds for each comparison; `cargo xtask audit-odds` plays a hundred times as many.
const ROUNDS: u64 = 10_000_000;

fn plan(sheet: &TermSheet, strategy: &str) -> Plan {
    let strategy = Strategy::named(sheet, strategy).unwrap();
    Plan::new(sheet.clone(), strategy, 2).unwrap()
}

/// Holds each wager of a game's cases to its exact expectation.
fn agrees_with_its_exact_values(game: Game) {
    let cases = CASES.iter().filter(|case| case.game == game);
    assert!(cases.clone().count() >= 3);
    for case in cases {
        let agreement = case.prepare();
        let tally = agreement.plan.play(0..ROUNDS / agreement.plan.shuffles_a_shoe());
        assert_eq!(tally.rounds, ROUNDS);
        for compared in agreement.compare(&tally) {
            assert!(compared.agrees(), "{case}: {compared}");
        }
    }
}

#[test]
fn casino_war_agrees_with_its_exact_values() {
    agrees_with_its_exact_values(Game::CasinoWar);
}

#[test]
fn double_down_stud_agrees_with_its_exact_values() {
    agrees_with_its_exact_values(Game::DoubleDownStud);
}

#[test]
fn double_deck_agrees_with_its_exact_values() {
    agrees_with_its_exact_values(Game::DoubleDeck);
}

#[test]
fn double_attack_agrees_with_its_exact_values() {
    agrees_with_its_exact_values(Game::DoubleAttack);
}

#[test]
fn free_bet_agrees_with_its_exact_values() {
    agrees_with_its_exact_values(Game::FreeBet);
}

/// One game each, with what else a plan can have.
fn some_plans() -> Vec<Plan> {
    let by = |game, strategy| plan(&TermSheet::new(game), strategy);
    let weights = [1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1];
    vec![
        by(Game::CasinoWar, "war").with_side_wagers(true).with_seats(5).unwrap(),
        by(Game::DoubleDownStud, "best"),
        by(Game::DoubleDownStud, "best").with_seats(2).unwrap(),
        by(Game::DoubleDeck, "basic")
            .with_ramp(Ramp { weights, base: 1.0, slope: 2.0, most: 8 })
            .unwrap(),
        by(Game::DoubleAttack, "basic").with_side_wagers(true),
        by(Game::FreeBet, "mimic").with_seats(6).unwrap(),
        by(Game::DoubleDeck, "never-bust").with_seats(6).unwrap(),
        by(Game::FreeBet, "best").with_seats(3).unwrap(),
    ]
}

#[test]
fn ranges_of_shoes_add_up_to_the_whole() {
    for plan in some_plans() {
        let whole = plan.play(3..40);
        let mut parts = plan.play(20..40);
        parts.add(&plan.play(3..20));
        assert_eq!(parts, whole);
        assert_eq!(whole.shoes, 37);
        assert_ne!(plan.play(4..41), whole);
    }
}

#[test]
fn the_number_of_threads_changes_nothing_and_a_run_can_be_gone_on_with() {
    let plan = &some_plans()[3];
    let after = |rounds| Stop { rounds: Some(rounds), ..Stop::default() };
    let begin = || (Tally::default(), 7);
    let (one, next) = run(plan, 1, begin(), after(900_000), |_| true);
    assert!(one.rounds >= 900_000);
    assert_eq!(run(plan, 3, begin(), after(900_000), |_| true), (one.clone(), next));
    let some = run(plan, 2, begin(), after(1), |_| true);
    assert!(some.0.rounds < one.rounds);
    assert_eq!(run(plan, 2, some, after(900_000), |_| true), (one.clone(), next));
    assert_eq!(run(plan, 2, (one.clone(), next), after(5), |_| true), (one, next));
}

/// A run ends with the shoe that makes up the number of rounds, whether shoes are told or not.
#[test]
fn a_run_is_no_longer_than_it_has_to_be() {
    let plan = &some_plans()[4];
    let begin = || (Tally::default(), 3);
    let rounds = Stop { rounds: Some(30_001), ..Stop::default() };
    let (tally, next) = run(plan, 2, begin(), rounds, |_| true);
    assert_eq!(plan.play(3..next), tally);
    assert!(tally.rounds >= 30_001 && plan.play(3..next - 1).rounds < 30_001);
    let mut told = Tally::default();
    let each = |_, one: &Tally| {
        told.add(one);
        true
    };
    assert_eq!(run_by_shoe(plan, 3, begin(), rounds, each, |_| ()), (tally.clone(), next));
    assert_eq!(told, tally);
    let shoes = Stop { shoes: Some(next - 3), ..Stop::default() };
    assert_eq!(run(plan, 1, begin(), shoes, |_| true), (tally, next));
}

#[test]
fn a_shoe_written_down_passes_the_check_and_says_what_was_counted() {
    for plan in some_plans() {
        for shoe in [0, 11] {
            let rounds = plan.transcripts(shoe);
            let tally = plan.play(shoe..shoe + 1);
            assert_eq!(rounds.len() as u64, tally.rounds);
            let mut net = Cents::ZERO;
            for round in &rounds {
                let report = check(round);
                assert!(report.passed(), "{:?} in\n{round}", report.findings);
                for line in round.lines() {
                    if let Line::Net { circle: None, amount, .. } = line {
                        net += *amount;
                    }
                }
            }
            if plan.ramp().is_none() {
                let sums = [&tally.main, &tally.side, &tally.progressive, &tally.envy];
                let gains: i128 = sums.iter().map(|sums| sums.gain()).sum();
                assert_eq!(i128::from(net.get()), gains);
            } else {
                assert_eq!(i128::from(net.get()), tally.bettor.gain);
            }
        }
    }
}

/// Each place of the order is taken by each card equally often: chi-square of the first ten places.
#[test]
fn the_lazily_shuffled_order_is_fair() {
    let sheet = TermSheet::new(Game::DoubleDownStud);
    let mut shoe = Shoe::new(&sheet);
    let mut seen = vec![[0_u32; 64]; 10];
    let mut pairs = vec![0_u32; 64 * 64];
    let shoes = 520_000;
    for number in 0..shoes {
        let mut numbers = Wyrand::of(5, number);
        shoe.shuffle(&mut numbers);
        let order: Vec<Card> = (0..10).map(|_| shoe.draw(&mut numbers).unwrap()).collect();
        for (place, card) in order.iter().enumerate() {
            seen[place][card.index()] += 1;
        }
        pairs[order[4].index() * 64 + order[5].index()] += 1;
    }
    let chi_square = |counts: &[u32], cells: f64| {
        let expected = shoes as f64 / cells;
        let found = counts.iter().filter(|count| **count > 0);
        let square = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
        found.clone().map(square).sum::<f64>() + expected * (cells - found.count() as f64)
    };
    // 51 degrees of freedom: above 99 once in 100,000.
    for (place, counts) in seen.iter().enumerate() {
        let found = chi_square(counts, 52.0);
        assert!(found < 99.0, "{found} at place {place}");
    }
    // The last card of one handful and the first of the next: 2,651 degrees of freedom, four
    // standard deviations of 73.
    let found = chi_square(&pairs, 52.0 * 51.0);
    assert!((found - 2651.0).abs() < 4.0 * 73.0, "{found} for pairs");
}

#[test]
fn streams_are_the_same_every_time_and_differ_from_each_other() {
    let first = |seed, shoe| {
        let mut numbers = Wyrand::of(seed, shoe);
        [numbers.next(), numbers.next(), numbers.next()]
    };
    assert_eq!(first(7, 1), first(7, 1));
    let streams = [first(0, 0), first(0, 1), first(1, 0), first(1, 1), first(7, 1)];
    for (i, stream) in streams.iter().enumerate() {
        assert!(streams[..i].iter().all(|other| other != stream));
    }
}
