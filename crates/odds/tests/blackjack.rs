//! The blackjack analyzer against the real round, card by card.

mod played_out;

use odds::BigUint;
use odds::blackjack::{Analyzer, Siblings, Solution, values_of};
use odds::open_acts;
use odds::strategy::{CompiledChart, Page};
use odds::unseen::Unseen;
use odds::value::{ActValue, Method, Outcome};
use played_out::{Brute, Memory, ONE, Player, Tries, WAGER, played, sheet, shoe};
use rules::games::blackjack::{Blackjack, Book, DoubleAttack, DoubleDeck, FreeBet};
use rules::money::Chips;
use rules::round::{Act, Call, Round};
use rules::terms::TermSheet;

/// Plays what a solution says.
struct Solved<'a>(&'a Solution);

impl<B: Book> Player<B> for Solved<'_> {
    fn act(&self, round: &Blackjack<B, 1, 1>, memory: &Memory) -> Option<Act> {
        Some(Act::Call(self.0.call(round, ONE, memory.drawn)))
    }
}

/// An analyzer for the wager of brute force.
fn analyzer<B: Book>(sheet: &TermSheet) -> Analyzer<B> {
    Analyzer::for_wager(sheet, Chips::from_cents(WAGER).unwrap())
}

/// Plays a solution, and asserts that the real round comes to the same.
fn check<B: Book>(choices: &[(&str, &str)], cards: &str) {
    let (sheet, shoe) = (sheet::<B>(choices), shoe(cards));
    let analyzer = analyzer::<B>(&sheet);
    for siblings in [Siblings::Alike, Siblings::OwnCards] {
        let solution = analyzer.solve(&shoe, siblings);
        let brute = Brute::new(&Solved(&solution)).game::<B>(&sheet, &shoe);
        assert!((solution.ev - brute).abs() < 1e-12, "{cards}: {} {brute}", solution.ev);
    }
}

/// Tries every act but a split, and asserts that the best of all is the analyzer's.
fn check_best<B: Book>(choices: &[(&str, &str)], cards: &str) {
    let (sheet, shoe) = (sheet::<B>(choices), shoe(cards));
    let solution = analyzer::<B>(&sheet).solve(&shoe, Siblings::None);
    let brute = Brute::new(&Tries).game::<B>(&sheet, &shoe);
    assert!((solution.ev - brute).abs() < 1e-12, "{cards}: {} {brute}", solution.ev);
}

#[test]
fn double_deck_is_solved_as_the_round_plays() {
    check::<DoubleDeck>(&[], "8*6 T*3 K*3 A 6*3");
    check::<DoubleDeck>(&[("peek", "none_original_bets_only")], "8*6 T*3 K*3 A*2 6*3");
    check::<DoubleDeck>(&[("split_by", "value"), ("soft_double", "on")], "T*3 K*3 A*3 9*3 5*2");
    check::<DoubleDeck>(&[("peek", "none_original_bets_only")], "T*4 K*4 A*2 9*3 6*3");
    check_best::<DoubleDeck>(&[], "9*2 K*3 A*2 5*2 4*2 2*2");
    check_best::<DoubleDeck>(
        &[("peek", "none_original_bets_only"), ("soft_double", "on"), ("even_money", "on")],
        "9*2 K*3 A*2 5*2 4*2 2*2",
    );
}

#[test]
fn double_attack_is_solved_as_the_round_plays() {
    check::<DoubleAttack>(&[], "8*5 J*3 K*3 A*2 6*2");
    check::<DoubleAttack>(
        &[("seats", "6"), ("split_double_attack", "match_both")],
        "8*5 J*3 K*3 A*2 6*2",
    );
    check::<DoubleAttack>(&[("dealing_mode", "hole_card_reader")], "8*5 J*3 K*3 A*2 6*2");
    check::<DoubleAttack>(&[("dealing_mode", "hole_card")], "8*5 J*3 K*3 A*2 6*2");
    check::<DoubleAttack>(&[("bust_then_dealer_natural", "originals_only")], "8*5 J*3 K*3 A*2 6*2");
    check_best::<DoubleAttack>(&[], "9*2 K*3 A*2 5*2 4*2 2*2");
    check_best::<DoubleAttack>(
        &[
            ("dealing_mode", "hole_card"),
            ("bust_then_dealer_natural", "originals_only"),
            ("surrender_on_natural", "on"),
        ],
        "9*2 K*3 A*2 5*2 4*2 2*2",
    );
    check_best::<DoubleAttack>(&[("dealing_mode", "hole_card_reader")], "9*2 K*3 A*2 5*2 4*2 2*2");
}

#[test]
fn free_bet_is_solved_as_the_round_plays() {
    check::<FreeBet>(&[], "8*5 T*4 K*4 A*2 3*2");
    check::<FreeBet>(&[("split_aces", "one_card_resplit")], "8*3 T*4 K*4 A*5 9*3");
    check::<FreeBet>(&[("split_aces", "one_card_no_resplit")], "8*3 T*3 K*3 A*4 9*3");
    check_best::<FreeBet>(&[], "9*2 K*3 A*2 5*2 4*2 2*2");
}

/// Asserts that every open act is worth what the real round comes to after it.
fn check_here<B: Book>(choices: &[(&str, &str)], cards: &str, dealt: &str, acts: &[Call]) {
    let sheet = sheet::<B>(choices);
    let (round, memory, unseen, negative) = played::<B>(&sheet, cards, dealt, acts);
    let values = values_of(&sheet, &round, ONE, &open_acts(&round, ONE), &unseen);
    assert_eq!(values.len(), round.offers(ONE).iter().count());
    for ActValue { act, gain, .. } in values {
        let (mut after, mut memory) = (round, memory.clone());
        let before = memory.gain();
        after.act(ONE, act, &mut memory).unwrap();
        let rest = Brute::new(&Tries).from::<B>(after, &memory, unseen, negative);
        let brute = memory.gain() - before + rest * WAGER.get() as f64;
        assert!((gain - brute).abs() < 1e-9, "{:?} {act:?}: {gain} {brute}", memory.hands);
    }
}

#[test]
fn open_acts_are_worth_what_the_round_comes_to() {
    let shoe = "9*2 T*2 K*2 A*2 6*2 5*2 3*2 2*2";
    // The first two cards around the up card: player, dealer, player.
    check_here::<DoubleDeck>(&[], shoe, "9 T 3", &[]);
    check_here::<DoubleDeck>(&[], shoe, "6 T 5", &[]);
    check_here::<DoubleDeck>(&[], shoe, "6 T 5 A", &[Call::Hit]);
    check_here::<DoubleDeck>(&[("peek", "none_original_bets_only")], shoe, "6 T 5", &[]);
    check_here::<DoubleDeck>(&[("even_money", "on")], shoe, "T A A", &[]);
    check_here::<DoubleDeck>(&[], shoe, "T A A", &[]);
    check_here::<DoubleDeck>(&[], shoe, "9 A 6", &[]);
    check_here::<DoubleDeck>(&[("peek", "none_original_bets_only")], shoe, "9 A 6", &[]);
    check_here::<FreeBet>(&[], shoe, "9 A 6", &[]);
    check_here::<FreeBet>(&[], shoe, "T A A", &[]);
    check_here::<FreeBet>(&[("even_money", "off")], shoe, "T A A", &[]);
    check_here::<FreeBet>(&[], shoe, "6 T 5", &[]);
    check_here::<FreeBet>(&[], shoe, "A 9 5", &[]);
    // The dealer's card first.
    let shoe = "9*2 J*2 K*2 A*2 6*2 5*2 3*2 2*2";
    check_here::<DoubleAttack>(&[], shoe, "K 9 6", &[Call::Pass]);
    check_here::<DoubleAttack>(&[], shoe, "K 9 2", &[Call::Attack]);
    check_here::<DoubleAttack>(&[], shoe, "K 9 2 5", &[Call::Attack, Call::Double]);
    check_here::<DoubleAttack>(&[], shoe, "A 9 2", &[Call::Attack]);
    check_here::<DoubleAttack>(&[("surrender_on_natural", "on")], shoe, "K A J", &[Call::Pass]);
    let reader = [("dealing_mode", "hole_card_reader")];
    check_here::<DoubleAttack>(&reader, shoe, "K 9 2", &[Call::Attack]);
    for mode in ["hole_card_reader", "hole_card", "no_hole_card"] {
        let mode = [("dealing_mode", mode)];
        check_here::<DoubleAttack>(&mode, shoe, "A 9 2", &[Call::Attack]);
        check_here::<DoubleAttack>(&mode, shoe, "A A J", &[Call::Pass]);
    }
}

#[test]
fn an_attack_is_worth_what_the_round_comes_to() {
    check_here::<DoubleAttack>(&[], "9*2 J K*2 A 6*2 5*2 4 2", "6", &[]);
}

/// The ends of all rounds add up to one round, and to its expectation: exactly where no pair is
/// split, and within the error of what is simulated where some are.
fn check_ends<B: Book>(choices: &[(&str, &str)], shoe: &Unseen) {
    let sheet = sheet::<B>(choices);
    let analyzer = Analyzer::<B>::new(&sheet);
    for siblings in [Siblings::None, Siblings::OwnCards] {
        let solution = analyzer.solve(shoe, siblings);
        let value = analyzer.value(&sheet, shoe, &solution, "best");
        let sum = |of: &dyn Fn(&Outcome) -> f64| value.outcomes.iter().map(of).sum::<f64>();
        assert!((sum(&|end| end.probability) - 1.0).abs() < 1e-12);
        let mean = sum(&|end| end.probability * end.net);
        let error = match siblings {
            Siblings::None => 1e-12,
            _ => {
                let split = value.outcomes.iter().filter(|end| end.method == Method::Simulated);
                let chance: f64 = split.map(|end| end.probability).sum();
                assert!(chance > 0.0, "some pair is split");
                let played = value.figures.iter().find(|(name, _)| *name == "split_rounds_played");
                4.5 * chance * 3.0 / played.unwrap().1.sqrt()
            }
        };
        assert!((mean - value.ev).abs() < error, "{siblings:?}: {mean} {}", value.ev);
        let squares = sum(&|end| end.probability * end.net * end.net);
        assert!((squares - value.ev * value.ev - value.sd.value.powi(2)).abs() < 1e-9);
        let hits = sum(&|end| if end.net > 0.0 { end.probability } else { 0.0 });
        assert!((hits - value.hit_frequency.value).abs() < 1e-12);
        let number = |ways: &BigUint| ways.to_string().parse::<f64>().unwrap();
        let all = number(value.combinations.as_ref().unwrap());
        for end in &value.outcomes {
            if let Some(ways) = &end.combinations {
                assert!((number(ways) / all - end.probability).abs() < 1e-15, "{end:?}");
            }
        }
    }
}

/// Naturals in two decks, counted by hand: 8 aces and 32 tens among 104 cards, 64 that are neither.
#[test]
fn naturals_are_counted() {
    let sheet = sheet::<DoubleDeck>(&[]);
    let (analyzer, shoe) = (Analyzer::<DoubleDeck>::new(&sheet), Unseen::full(&sheet));
    let solution = analyzer.solve(&shoe, Siblings::None);
    let value = analyzer.value(&sheet, &shoe, &solution, "best");
    assert_eq!(value.combinations, Some((104u64 * 103 * 102 * 101).into()));
    let ways = |name: &str| {
        let end = value.outcomes.iter().find(|end| end.name == name).unwrap();
        end.combinations.clone()
    };
    let (own, dealers) = (2 * 8 * 32u64, 102 * 101u64);
    let both = own * 2 * 7 * 31;
    assert_eq!(ways("blackjack"), Some((own * dealers - both).into()));
    assert_eq!(ways("blackjack pushed"), Some(both.into()));
    assert_eq!(ways("dealer's blackjack"), Some((own * dealers - both).into()));
    assert_eq!(ways("won"), None, "hands of unequal length");
}

#[test]
fn ends_add_up_to_the_expectation() {
    let small = shoe("8*5 T*4 K*4 A*3 5*3 3*3 6*3");
    check_ends::<DoubleDeck>(&[], &small);
    check_ends::<DoubleDeck>(&[("peek", "none_original_bets_only")], &small);
    check_ends::<FreeBet>(&[], &small);
    let small = shoe("8*5 J*4 K*4 A*3 5*3 3*3 6*3");
    check_ends::<DoubleAttack>(&[], &small);
    check_ends::<DoubleAttack>(&[("dealing_mode", "hole_card_reader")], &small);
    check_ends::<DoubleAttack>(&[("bust_then_dealer_natural", "originals_only")], &small);
}

/// Half of a wager that is one chip is raised to the whole chip (G-04): a surrender returns all of it
/// unless it was doubled or attacked, and a natural wins two chips.
#[test]
fn a_broken_chip_goes_to_the_player() {
    let one_chip = [("breakage", "player_favour"), ("chip_unit", "10")];
    check_best::<DoubleDeck>(&one_chip, "9*2 K*3 A*2 5*2 4*2 2*2");
    check_best::<FreeBet>(&one_chip, "9*2 K*3 A*2 5*2 4*2 2*2");
    check_best::<DoubleAttack>(&one_chip, "9*2 K*3 A*2 5*2 4*2 2*2");
    check::<DoubleAttack>(&one_chip, "8*5 J*3 K*3 A*2 6*2");
    let reader = [one_chip[0], one_chip[1], ("dealing_mode", "hole_card_reader")];
    check::<DoubleAttack>(&reader, "8*5 J*3 K*3 A*2 6*2");
    check_best::<DoubleAttack>(&reader, "9*2 K*3 A*2 5*2 4*2 2*2");
}

/// A natural on 5 wins 8 instead of 7.5: in two decks 2 x 8 x 32 of 104 x 103 orders are one, of
/// which the dealer pushes 2 x 7 x 31 of 102 x 101.
#[test]
fn a_raised_natural_is_worth_its_chances() {
    let ev = |breakage| {
        let sheet = sheet::<DoubleDeck>(&[("breakage", breakage)]);
        let analyzer = Analyzer::<DoubleDeck>::for_wager(&sheet, Chips::dollars(5));
        analyzer.solve(&Unseen::full(&sheet), Siblings::OwnCards).ev
    };
    let natural = 2.0 * 8.0 * 32.0 / (104.0 * 103.0);
    let won = natural * (1.0 - 2.0 * 7.0 * 31.0 / (102.0 * 101.0));
    assert!((ev("player_favour") - ev("exact") - won * 0.5 / 5.0).abs() < 1e-14);
}

/// Double Deck as in the book, against an independent analyzer.
#[test]
fn double_deck_has_its_known_value() {
    let sheet = sheet::<DoubleDeck>(&[]);
    let (analyzer, shoe) = (Analyzer::<DoubleDeck>::new(&sheet), Unseen::full(&sheet));
    let ev = |siblings| analyzer.solve(&shoe, siblings).ev;
    assert!((ev(Siblings::Alike) + 0.005_026_33).abs() < 5e-9);
    assert!((ev(Siblings::OwnCards) + 0.005_026_24).abs() < 5e-9);
}

/// What charts of Double Attack reach that know where surrender saves half of a split ace, and which
/// pairs they themselves gain by splitting; worked out by another analyzer.
#[test]
fn double_attack_has_a_chart_that_surrenders_split_aces() {
    for (split, known) in [("match_both", -0.004_214_7), ("initial_only", -0.004_837_9)] {
        let choices = [("split_double_attack", split), ("seats", "6"), ("decks", "6")];
        let mut sheet = sheet::<DoubleAttack>(&choices);
        sheet.set([("dealing_mode", "hole_card_reader")]).unwrap();
        let (analyzer, shoe) = (Analyzer::<DoubleAttack>::new(&sheet), Unseen::full(&sheet));
        let chart = analyzer.chart(&shoe, &analyzer.solve(&shoe, Siblings::OwnCards));
        let ev = analyzer.by_chart(&shoe, &chart).ev;
        assert!(ev > known, "{split}: {ev}");
    }
}

/// What a book grants the player is worth something, and a five is worth more to the dealer.
#[test]
fn what_favours_the_player_is_worth_more() {
    fn ev<B: Book>(choices: &[(&str, &str)], gone: &str) -> f64 {
        let sheet = sheet::<B>(choices);
        let mut shoe = Unseen::full(&sheet);
        gone.split_whitespace().for_each(|card| shoe.remove(card.parse().unwrap()).unwrap());
        Analyzer::<B>::new(&sheet).solve(&shoe, Siblings::OwnCards).ev
    }
    let plain = ev::<DoubleDeck>(&[], "");
    assert!(ev::<DoubleDeck>(&[("soft_double", "on")], "") > plain);
    assert!(ev::<DoubleDeck>(&[("peek", "none_original_bets_only")], "") < plain);
    assert!(ev::<DoubleDeck>(&[], "5s") > plain);
    assert!(ev::<DoubleDeck>(&[], "As") < plain);
    let plain = ev::<DoubleAttack>(&[], "");
    assert!(ev::<DoubleAttack>(&[("seats", "6")], "") > plain);
    assert!(ev::<DoubleAttack>(&[("bust_then_dealer_natural", "originals_only")], "") > plain);
    let aces = |word| ev::<FreeBet>(&[("split_aces", word)], "");
    let [full, again, once] = ["full_play", "one_card_resplit", "one_card_no_resplit"].map(aces);
    assert!(full > again && again > once);
}

/// A chart is worth no more than the best play, and what the real round comes to by it.
#[test]
fn a_chart_is_worth_what_the_round_comes_to() {
    fn check<B: Book>(choices: &[(&str, &str)], cards: &str) {
        let (sheet, shoe) = (sheet::<B>(choices), shoe(cards));
        let analyzer = Analyzer::<B>::new(&sheet);
        let best = analyzer.solve(&shoe, Siblings::OwnCards);
        let chart = analyzer.chart(&shoe, &best);
        let basic = analyzer.by_chart(&shoe, &chart);
        assert!(basic.ev <= best.ev + 1e-12, "{} {}", basic.ev, best.ev);
        let player = ByChart { chart: chart.compile() };
        let brute = Brute::new(&player).game::<B>(&sheet, &shoe);
        assert!((basic.ev - brute).abs() < 1e-12, "{cards}: {} {brute}", basic.ev);
    }
    check::<DoubleDeck>(&[], "8*5 T*3 K*3 A*2 6*3");
    check::<DoubleAttack>(&[], "8*5 J*3 K*3 A*2 6*2");
    let reader = ("dealing_mode", "hole_card_reader");
    check::<DoubleAttack>(&[("seats", "6"), reader], "8*5 J*3 K*3 A*2 6*2");
    check::<DoubleAttack>(&[reader], "A*4 J*3 K*3 9*3 4*3");
    check::<FreeBet>(&[], "8*5 T*5 K*5 A*2 3*2");
}

/// Plays what a chart says.
struct ByChart {
    chart: CompiledChart,
}

impl<B: Book> Player<B> for ByChart {
    fn act(&self, round: &Blackjack<B, 1, 1>, memory: &Memory) -> Option<Act> {
        let (up, offers) = (memory.up?, round.offers(ONE));
        let Some(hand) = round.current_hand(0) else {
            return Some(Act::Call(match () {
                () if offers.contains(Call::Attack) && self.chart.attacks(up) => Call::Attack,
                () if offers.contains(Call::EvenMoney) && self.chart.takes_even_money() => {
                    Call::EvenMoney
                }
                () => Call::Pass,
            }));
        };
        let page = match round.at_stake(ONE, hand) {
            _ if memory.doubled.contains(&hand) => Page::Doubled,
            at if at.lammer => Page::Free,
            _ if B::ATTACK && hand > 0 => Page::Split,
            _ => Page::Paid,
        };
        let choice = self.chart.choice(page, round.hand(0, hand), up);
        Some(Act::Call(choice.among(offers)))
    }
}
