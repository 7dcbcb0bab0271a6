//! Simulation: agrees with exact analysis, is the same every time, and adds up.

use odds::blackjack::{Analyzer, Sisters};
use odds::casino_war::{self, War};
use odds::double_down_stud::{self, Stud};
use odds::setting::Setting;
use odds::side_bets;
use odds::simulate::{Plan, Ramp, Stop, Strategy, Supply, Tally, Wyrand, run};
use odds::unseen::Unseen;
use rules::card::Card;
use rules::games::blackjack::{Book, DoubleAttack, DoubleDeck, FreeBet};
use rules::money::Cents;
use rules::notation::{Line, check};
use rules::shoe::Shoe;
use rules::terms::TermSheet;
use rules::wager::{Circle, Game};

/// Rounds for each comparison; `SIM_ROUNDS` sets another number, as `cargo xtask audit-odds` does.
fn rounds() -> u64 {
    let said = std::env::var("SIM_ROUNDS").ok();
    said.map_or(10_000_000, |rounds| rounds.parse().expect("SIM_ROUNDS is a number of rounds"))
}

/// How far a simulated mean may be from the exact one, in standard errors.
const FAR: f64 = 4.5;

fn sheet(game: Game, choices: &[(&str, &str)]) -> TermSheet {
    let mut sheet = TermSheet::new(game);
    sheet.set(choices.iter().copied()).unwrap();
    sheet
}

fn plan(sheet: &TermSheet, strategy: &str) -> Plan {
    let strategy = Strategy::named(sheet, strategy).unwrap();
    Plan::new(sheet.clone(), strategy, 2).unwrap()
}

/// Plays rounds from fresh shoes, for which exact values are.
fn fresh(plan: Plan, rounds: u64) -> (Plan, Tally) {
    let plan = plan.with_supply(Supply::Fresh);
    let tally = plan.play(0..rounds / plan.shuffles_a_shoe());
    assert_eq!(tally.rounds, rounds);
    (plan, tally)
}

/// Holds each simulated wager to its exact expectation.
fn agrees(plan: &Plan, tally: &Tally, exact: &[(Circle, f64)]) {
    let odds = plan.odds(tally);
    assert_eq!(odds.bets.len(), exact.len(), "wagers");
    for (value, &(circle, ev)) in odds.bets.iter().zip(exact) {
        assert_eq!(value.bet, circle);
        let error = value.standard_error.unwrap();
        let apart = (value.ev - ev) / error;
        let terms: Vec<_> = plan.sheet().chosen().map(|(term, value)| (&term.key, value)).collect();
        assert!(
            apart.abs() < FAR,
            "{circle} by {} with {terms:?}: {} simulated, {ev} exact, {apart:.2} standard errors",
            value.policy,
            value.ev,
        );
    }
}

#[test]
fn casino_war_agrees_with_its_exact_values() {
    for (choices, strategy, policy) in [
        (&[][..], "war", casino_war::Policy::War),
        (&[("decks", "8")], "war", casino_war::Policy::War),
        (&[("decks", "7")], "surrender", casino_war::Policy::Surrender),
    ] {
        let sheet = sheet(Game::CasinoWar, choices);
        let setting = Setting::of(&sheet).unwrap();
        let (plan, tally) = fresh(plan(&sheet, strategy).with_side_wagers(true), rounds());
        let war = War::new(&sheet, setting, Unseen::full(&sheet));
        let exact = [
            (Circle::Main, war.main(policy).ev),
            (Circle::Tie, war.tie().unwrap().ev),
            (Circle::Progressive, war.progressive(policy).unwrap().ev),
        ];
        agrees(&plan, &tally, &exact);
    }
}

#[test]
fn double_down_stud_agrees_with_its_exact_values() {
    for (choices, strategy, policy) in [
        (&[][..], "best", double_down_stud::Policy::Best),
        (&[("pays_flush", "9")], "always", double_down_stud::Policy::Always),
        (&[("pays_straight", "6")], "never", double_down_stud::Policy::Never),
    ] {
        let sheet = sheet(Game::DoubleDownStud, choices);
        let (plan, tally) = fresh(plan(&sheet, strategy), rounds());
        let setting = Setting::of(&sheet).unwrap();
        let exact = Stud::new(&sheet, setting, &Unseen::full(&sheet)).main(policy).ev;
        agrees(&plan, &tally, &[(Circle::Main, exact)]);
    }
}

/// The exact value of a blackjack played in the same way, without and with side wagers.
fn blackjack_agrees<B: Book>(choices: &[(&str, &str)], strategy: &str) {
    let sheet = sheet(B::GAME, choices);
    let (analyzer, shoe) = (Analyzer::<B>::new(&sheet), Unseen::full(&sheet));
    let plan = plan(&sheet, strategy).with_side_wagers(true);
    let main = match plan.strategy().chart() {
        Some(chart) => analyzer.by_chart(&shoe, chart).ev,
        None => analyzer.solve(&shoe, Sisters::OwnCards).ev,
    };
    let (plan, tally) = fresh(plan, rounds());
    let mut exact = vec![(Circle::Main, main)];
    let setting = Setting::of(&sheet).unwrap();
    let side = match B::GAME {
        Game::DoubleAttack => side_bets::bonus(&sheet, setting, &shoe),
        Game::FreeBet => side_bets::push22(&sheet, setting, &shoe),
        _ => None,
    };
    exact.extend(side.map(|value| (value.bet, value.ev)));
    agrees(&plan, &tally, &exact);
}

#[test]
fn double_deck_agrees_with_its_exact_values() {
    blackjack_agrees::<DoubleDeck>(&[], "basic");
    blackjack_agrees::<DoubleDeck>(
        &[("peek", "none_original_bets_only"), ("soft_double", "on")],
        "basic",
    );
    blackjack_agrees::<DoubleDeck>(&[("split_by", "value")], "mimic");
    blackjack_agrees::<DoubleDeck>(&[], "best");
}

#[test]
fn double_attack_agrees_with_its_exact_values() {
    blackjack_agrees::<DoubleAttack>(&[], "basic");
    blackjack_agrees::<DoubleAttack>(&[("dealing_mode", "hole_card"), ("decks", "8")], "basic");
    blackjack_agrees::<DoubleAttack>(&[("split_double_attack", "match_both")], "never-bust");
    blackjack_agrees::<DoubleAttack>(&[], "best");
}

#[test]
fn free_bet_agrees_with_its_exact_values() {
    blackjack_agrees::<FreeBet>(&[], "basic");
    blackjack_agrees::<FreeBet>(&[("decks", "8"), ("push22_paytable", "B")], "basic");
    blackjack_agrees::<FreeBet>(&[("split_aces", "full_play")], "mimic");
    blackjack_agrees::<FreeBet>(&[], "best");
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
    assert_eq!(run(plan, 2, some, after(900_000), |_| true), (one, next));
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
        shoe.gather();
        let mut numbers = Wyrand::of(5, number);
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
