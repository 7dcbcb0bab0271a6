//! Rounds by the true count: what is counted, and that it adds up.

use odds::count::{
    BetLimits, Bets, CountSystem, CountTally, CountedPlay, Decision, DeckEstimate, IndexPlay,
    Rounding, TableCount, TripPlan, Trips, run,
};
use odds::simulate::{Plan, Strategy};
use rules::card::{Card, Rank};
use rules::money::{Cents, Chips};
use rules::shoe;
use rules::terms::TermSheet;
use rules::wager::{Circle, Game};

fn plan(game: Game, strategy: &str, seats: u8) -> Plan {
    let sheet = TermSheet::new(game);
    let strategy = Strategy::named(&sheet, strategy).unwrap();
    let plan = Plan::new(sheet, strategy, 7).unwrap().with_side_wagers(true);
    plan.with_seats(seats).unwrap()
}

fn high_low(plan: &Plan) -> TableCount {
    let system = CountSystem::named("hi-lo").unwrap();
    TableCount::new(plan.sheet(), system, Rounding::Floor, DeckEstimate::Exact)
}

fn all_counts() -> impl Iterator<Item = i32> {
    -odds::count::MOST_TRUE_COUNT..=odds::count::MOST_TRUE_COUNT
}

/// What the simulator finds, and nothing else.
#[test]
fn rounds_by_the_true_count_are_all_rounds() {
    for (game, strategy) in
        [(Game::CasinoWar, "war"), (Game::DoubleDeck, "mimic"), (Game::FreeBet, "never-bust")]
    {
        let plan = plan(game, strategy, 1);
        let (counted, played) =
            (plan.play_counting(&high_low(&plan), 0..40), plan.play_by_rounds(0..40));
        assert_eq!((counted.shoes, counted.rounds), (40, played.rounds));
        let sum = |wager| {
            let at = all_counts().map(|t| counted.at(t, wager).1);
            at.fold((0, 0), |(gain, squares), sums| (gain + sums.gain, squares + sums.squares))
        };
        assert_eq!(sum(Circle::Main), (played.main.gain(), played.main.squares));
        let (side, progressive) = plan.side_stakes();
        if let Some((circle, _)) = side {
            assert_eq!(sum(circle), (played.side.gain(), played.side.squares));
        }
        if progressive.is_some() {
            assert_eq!(sum(Circle::Progressive).0, played.progressive.gain());
        }
    }
}

/// The cards of a transcript that a seat sees before the next round: all that lie open at its end.
fn seen(text: &str) -> Vec<Card> {
    let mut cards = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if matches!(words.next(), Some("cards" | "turn")) {
            cards.extend(words.filter_map(|word| word.parse::<Card>().ok()));
        }
    }
    cards
}

/// What a seat gained in all, in cents.
fn net(text: &str, seat: usize) -> i64 {
    let mark = format!("net {seat} ");
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(&mark));
    lines.find_map(|rest| rest.parse::<Cents>().ok()).unwrap().get()
}

/// The count of every shoe again, from the text of its rounds: cards that lie open, divided by the cards
/// not seen. Twos to sixes are +1, tens and aces −1; a true count of 1.9 is 1, and of −0.1 is −1.
#[test]
fn the_count_is_that_of_the_cards_on_the_table() {
    for (game, strategy, seats) in [
        (Game::DoubleDeck, "mimic", 1),
        (Game::DoubleDeck, "mimic", 3),
        (Game::CasinoWar, "war", 2),
        (Game::FreeBet, "mimic", 2),
    ] {
        let plan = plan(game, strategy, seats).with_side_wagers(false);
        let count = high_low(&plan);
        let cards = i64::try_from(shoe::cards(plan.sheet())).unwrap();
        for shoe in 0..6 {
            let (mut running, mut gone) = (0, 0);
            let mut expected = vec![(0, 0); 41];
            for round in plan.transcripts(shoe) {
                let text = round.to_string();
                let true_count = (running * 52_i64).div_euclid(cards - gone).clamp(-20, 20);
                let at = &mut expected[usize::try_from(true_count + 20).unwrap()];
                *at = (at.0 + 1, at.1 + net(&text, usize::from(seats)));
                for card in seen(&text) {
                    gone += 1;
                    running += match card.rank() {
                        rank if (Rank::Two..=Rank::Six).contains(&rank) => 1,
                        rank if rank >= Rank::Ten => -1,
                        _ => 0,
                    };
                }
            }
            let tally = plan.play_counting(&count, shoe..shoe + 1);
            let found: Vec<(u64, i64)> = all_counts()
                .map(|t| tally.at(t, Circle::Main))
                .map(|(rounds, sums)| (rounds, i64::try_from(sums.gain).unwrap()))
                .collect();
            assert_eq!(found, expected, "{game} shoe {shoe}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    let plan = plan(Game::CasinoWar, "war", 1);
    let count = high_low(&plan);
    let one = run(&plan, &count, 1, 300_000, |_, _| true);
    let three = run(&plan, &count, 3, 300_000, |_, _| true);
    assert_eq!(one, three);
    assert!(one.rounds >= 300_000);
    let stopped = run(&plan, &count, 2, 300_000, |_, _| false);
    assert!(stopped.rounds < one.rounds && stopped.rounds > 0);
}

/// A tie pays 10 to 1. Of n cards left with n₂ twos, n₃ threes and so on, two tie in Σ nᵢ (nᵢ − 1) of
/// n (n − 1) ways; so the edge at each true count is the average of 11 times that, less 1, over the
/// rounds at it.
#[test]
fn the_edge_of_a_tie_is_that_of_the_cards_left() {
    let plan = plan(Game::CasinoWar, "war", 1);
    let count = high_low(&plan);
    let all = shoe::cards(plan.sheet());
    let mut exact = vec![(0.0, 0); 41];
    const SHOES: u64 = 500;
    for shoe in 0..SHOES {
        let mut left = [all / 13; 13];
        let mut running = 0;
        for round in plan.transcripts(shoe) {
            let n: usize = left.iter().sum();
            let ways: usize = left.iter().map(|n| n * n.saturating_sub(1)).sum();
            let edge = 11.0 * ways as f64 / (n * (n - 1)) as f64 - 1.0;
            let true_count = (running * 52_i64).div_euclid(i64::try_from(n).unwrap());
            let at = &mut exact[usize::try_from(true_count.clamp(-20, 20) + 20).unwrap()];
            *at = (at.0 + edge, at.1 + 1);
            for card in seen(&round.to_string()) {
                left[card.rank() as usize - 2] -= 1;
                running += match card.rank() {
                    rank if (Rank::Two..=Rank::Six).contains(&rank) => 1,
                    rank if rank >= Rank::Ten => -1,
                    _ => 0,
                };
            }
        }
    }
    let tally = plan.play_counting(&count, 0..SHOES);
    let side = plan.setting().side.unwrap();
    let mut rows = 0;
    for row in tally.rows(Circle::Tie, side, plan.setting().main) {
        let (sum, rounds) = exact[usize::try_from(row.true_count + 20).unwrap()];
        assert_eq!(rounds, row.rounds);
        if rounds >= 500 {
            let edge = sum / rounds as f64;
            assert!((row.edge - edge).abs() < 4.5 * row.error, "{row:?} is not {edge}");
            rows += 1;
        }
    }
    assert!(rows >= 3);
}

/// A play by the count with no index plays is the chart.
#[test]
fn without_index_plays_the_chart_is_played() {
    let by_chart = plan(Game::DoubleDeck, "basic", 2);
    let chart = by_chart.strategy().chart().unwrap().clone();
    let count = high_low(&by_chart);
    let same = Strategy::by_count("same", CountedPlay::new(&chart, count.clone(), &[]));
    let by_count = by_chart.clone().with_strategy(same).unwrap();
    let (one, other) =
        (by_chart.play_counting(&count, 0..30), by_count.play_counting(&count, 0..30));
    assert_eq!(one, other);
}

/// Insurance at every count: half a unit more is lost or gained where an ace is up, and nothing changes
/// elsewhere; the other seat never insures.
#[test]
fn insurance_belongs_to_the_main_wager() {
    let by_chart = plan(Game::DoubleDeck, "basic", 2);
    let chart = by_chart.strategy().chart().unwrap().clone();
    let count = high_low(&by_chart);
    let always = IndexPlay {
        decision: Decision::Insurance,
        index: -20,
        is_above: true,
        break_even: -20.0,
        gain: 0.0,
    };
    let play = CountedPlay::new(&chart, count.clone(), &[always]);
    let insured = by_chart.clone().with_strategy(Strategy::by_count("insured", play)).unwrap();
    let (mut aces, mut naturals) = (0, 0);
    for (plain, with) in by_chart.transcripts(0).iter().zip(insured.transcripts(0)) {
        let (plain, with) = (plain.to_string(), with.to_string());
        assert_eq!(net(&plain, 1), net(&with, 1));
        assert!(!with.contains("act 1 insure"), "{with}");
        let more = net(&with, 2) - net(&plain, 2);
        let unit = i64::from(by_chart.setting().main.get());
        match with.contains("insure") {
            true => {
                aces += 1;
                naturals += i64::from(more > 0);
                assert!(more == unit || more == -unit / 2, "{more}");
            }
            false => assert_eq!(more, 0),
        }
    }
    assert!(aces > 0 && naturals <= aces);
}

fn trips(threads: usize) -> (f64, (f64, f64)) {
    let plan = plan(Game::CasinoWar, "war", 1);
    let main = plan.setting().main;
    let limits = BetLimits {
        wager: Circle::Main,
        unit: main,
        least: main,
        most: main,
        sits_out_below: None,
        main,
    };
    let trip = TripPlan {
        limits,
        bets: Bets::steps(&[(-20, main)]),
        bankroll: Cents::new(i64::from(main.get()) * 20),
        goal: None,
        rounds: 400,
    };
    let trips = Trips::play(&plan, &high_low(&plan), &trip, (threads, 200), |_, _| true);
    assert_eq!(trips.count(), 200);
    (trips.ruined(), trips.mean_and_sd())
}

/// Flat bets on a war lose 2.33 % with a standard deviation of 1.058 (`docs/odds.md`): over 400 rounds
/// 20 units are lost in (Φ((−20 + 9.32) / 21.2) + e^(2 × 20 × 0.0233 / 1.119) Φ((−20 − 9.32) / 21.2)) of
/// all trips by the formula, 0.307 + 2.30 × 0.083 = 0.50.
#[test]
fn trips_are_ruined_as_often_as_they_should_be() {
    let (ruined, ends) = trips(1);
    assert_eq!((ruined, ends), trips(3));
    assert!((ruined - 0.50).abs() < 4.5 * 0.0354, "{ruined}");
}

#[test]
fn an_empty_tally_has_no_rows() {
    let rows = CountTally::default().rows(Circle::Main, Chips::new(1000), Chips::new(1000));
    assert!(rows.is_empty());
}
