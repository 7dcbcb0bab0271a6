//! Split hands that wait, and what the analyzer knows of them, against the real round.

use rules::games::blackjack::{Blackjack, Book, DoubleAttack, DoubleDeck, FreeBet, MOST_HANDS};
use rules::round::{Act, Call, Round};
use rules::shoe::below;
use rules::terms::TermSheet;

use super::draws::{ACE, Counts, DRAWS, TEN, value_of};
use super::hand::{Chances, HandPlan, Naturals, Stake};
use super::pair::{SplitPair, limit, stakes};
use super::played_out::{Brute, Memory, ONE, Player, Tries, WAGER, played, sheet};
use super::solve::{Analyzer, Siblings};
use super::split::{Pending, SecondCards, Seconds, outcomes};
use super::spread::SplitMix;
use super::values_of;
use crate::game::open_acts;
use crate::unseen::Unseen;
use crate::value::ActValue;

/// Asserts that every open act is worth what the real round comes to after it, where hands wait for
/// their second card or a pair is being split.
fn check_here<B: Book>(choices: &[(&str, &str)], cards: &str, dealt: &str, acts: &[Call]) {
    let sheet = sheet::<B>(choices);
    let (round, memory, unseen, negative) = played::<B>(&sheet, cards, dealt, acts);
    let values = values_of(&sheet, &round, ONE, &open_acts(&round, ONE), &unseen);
    assert_eq!(values.len(), round.offers(ONE).iter().count());
    for ActValue { act, gain, .. } in values {
        let (mut after, mut memory) = (round, memory.clone());
        let follows = Follows::new(&sheet, &round, &memory, act.call(), &unseen);
        let before = memory.gain();
        after.act(ONE, act, &mut memory).unwrap();
        let gained = memory.gain() - before;
        let rest = match follows {
            Some(follows) => Brute::new(&follows).from::<B>(after, &memory, unseen, negative),
            None => Brute::new(&Tries).from::<B>(after, &memory, unseen, negative),
        };
        let brute = gained + rest * WAGER.get() as f64;
        assert!((gain - brute).abs() < 1e-9, "{:?} {act:?}: {gain} {brute}", memory.hands);
    }
}

/// Plays the hands of a split pair by plans that were made when it was last asked.
struct Follows {
    /// The hand that was asked, how many cards it had, and its plan.
    own: (usize, usize, HandPlan),
    /// The plan of hands that waited for their second card.
    waiting: HandPlan,
}

impl Follows {
    /// Where hands wait, or a pair is being split.
    fn new<B: Book>(
        sheet: &TermSheet,
        round: &Blackjack<B, 1, 1>,
        memory: &Memory,
        call: Call,
        unseen: &Unseen,
    ) -> Option<Follows> {
        let hand = round.current_hand(0)?;
        let (analyzer, waits) = (Analyzer::<B>::new(sheet), round.hands(0) > hand + 1);
        if !waits && call != Call::Split {
            return None;
        }
        let up = value_of(memory.up?);
        let (dealer, shoe) = (analyzer.dealer(up), Counts::new(unseen));
        let (first, naturals) = (memory.hands[hand][0], analyzer.naturals(up));
        let units = |hand: usize| {
            let at = round.at_stake(ONE, hand);
            let money = f64::from(at.money.get()) / WAGER.get() as f64;
            Stake { money, lammers: u8::from(at.lammer).into(), ..Stake::UNIT }
        };
        let others = match waits {
            true => units(hand + 1),
            false => stakes(analyzer.book, value_of(first), units(hand).money)[1],
        };
        let pair = SplitPair {
            start: analyzer.split(value_of(first)),
            dealer,
            shoe,
            value: value_of(first),
            matching: 0,
            naturals,
            fears_natural: naturals == Naturals::AfterBusts && !round.has_busted(ONE),
            stakes: [units(hand), others],
            limit: MOST_HANDS,
        };
        let found = pair.best(Vec::new()).into_inner();
        let [first, waiting] = found.plans;
        if call == Call::Split {
            return Some(Follows { own: (hand, 1, first), waiting });
        }
        let start = analyzer.start(*round.hand(0, hand));
        let chances = Chances::new(&start, dealer, shoe, naturals).everywhere();
        let behind = i32::try_from(round.hands(0) - hand - 1).unwrap();
        let plan = chances.best(Stake { natural: found.fear.powi(behind), ..units(hand) }).plan;
        Some(Follows { own: (hand, memory.hands[hand].len(), plan), waiting })
    }
}

impl<B: Book> Player<B> for Follows {
    fn act(&self, round: &Blackjack<B, 1, 1>, memory: &Memory) -> Option<Act> {
        let hand = round.current_hand(0)?;
        let (plan, had) = match self.own.0 == hand {
            true => (&self.own.2, self.own.1),
            false => (&self.waiting, 1),
        };
        let drawn = memory.hands[hand][had..].iter().map(|&card| value_of(card));
        let place = DRAWS.find(drawn).unwrap();
        Some(Act::Call(match memory.doubled.contains(&hand) {
            true if plan.surrenders[place] => Call::Surrender,
            true => Call::Stand,
            false => plan.calls[place],
        }))
    }
}

/// The last hand of a split pair, and split hands that have nothing left to choose.
#[test]
fn acts_of_split_hands_are_worth_what_the_round_comes_to() {
    use Call::{Attack, Hit, Pass, Split, Stand};
    let shoe = "8*4 T*3 K*3 A*2 6*2 5*2";
    check_here::<DoubleDeck>(&[], shoe, "8 T 8 K 5", &[Split, Stand]);
    check_here::<FreeBet>(&[], shoe, "8 6 8 K 5", &[Split, Stand]);
    let unread = [("peek", "none_original_bets_only")];
    check_here::<DoubleDeck>(&unread, shoe, "8 T 8 K 5", &[Split, Stand]);
    check_here::<DoubleDeck>(&unread, shoe, "8 T 8 6 K 5", &[Split, Hit]);
    let shoe = "8*4 J*3 K*3 A*2 6*2 5*2";
    check_here::<DoubleAttack>(&[], shoe, "K 8 8 J 5", &[Attack, Split, Stand]);
    // Split aces take one card; whoever gets one of these stands on any other hand.
    let shoe = "A*4 T*4 K*4 9*4";
    check_here::<DoubleDeck>(&[], shoe, "A T A", &[]);
    check_here::<DoubleDeck>(&unread, shoe, "A T A", &[]);
    check_here::<FreeBet>(&[("split_aces", "one_card_no_resplit")], shoe, "A 9 A", &[]);
    let shoe = "A*4 J*4 K*4 9*4";
    check_here::<DoubleAttack>(&[], shoe, "K A A", &[Pass]);
}

/// Hands of a pair that cannot be split again, while some wait for their second card.
#[test]
fn hands_that_wait_are_worth_what_the_round_comes_to() {
    use Call::{Attack, Pass, Split, Stand};
    let shoe = "9*2 T*4 K*4 A*3 7*3 5*3";
    let unread = [("peek", "none_original_bets_only")];
    for choices in [&[][..], &unread] {
        check_here::<DoubleDeck>(choices, shoe, "9 T 9", &[]);
        check_here::<DoubleDeck>(choices, shoe, "9 T 9 7", &[Split]);
        check_here::<DoubleDeck>(choices, shoe, "9 T 9 5", &[Split]);
        check_here::<DoubleDeck>(choices, shoe, "9 T 9 7 5", &[Split, Stand]);
    }
    check_here::<FreeBet>(&[], shoe, "9 T 9", &[]);
    check_here::<FreeBet>(&[], shoe, "9 T 9 5", &[Split]);
    let shoe = "9*2 J*4 K*4 A*3 7*3 5*3";
    for first in [Pass, Attack] {
        check_here::<DoubleAttack>(&[], shoe, "K 9 9", &[first]);
        check_here::<DoubleAttack>(&[], shoe, "K 9 9 7", &[first, Split]);
        check_here::<DoubleAttack>(&[], shoe, "A 9 9 5", &[first, Pass, Split]);
    }
}

/// Where a split can go on in too many ways, it is said what the best could gain at the most; that
/// is no less than what is known exactly where the ways are few.
#[test]
fn what_is_not_known_is_bounded() {
    let sheet = sheet::<DoubleAttack>(&[]);
    let (analyzer, shoe) = (Analyzer::<DoubleAttack>::new(&sheet), Unseen::full(&sheet));
    let shown = Counts::new(&shoe).without(ACE, 1);
    for value in [7, 8, TEN] {
        let pair = SplitPair {
            start: analyzer.split(value),
            dealer: analyzer.dealer(ACE),
            shoe: shown.without(value, 2),
            value,
            matching: shown.of[value] - 2,
            naturals: analyzer.naturals(ACE),
            fears_natural: true,
            stakes: stakes(analyzer.book, value, 1.0),
            limit: limit(analyzer.book, value),
        };
        let found = pair.best(Vec::new());
        for most in 2..=4 {
            let pending = Pending { hands: 2, open: 2, most: [most; 2] };
            let (least, taken) =
                (found.borrow().least_natural(pending), found.borrow().natural(pending));
            assert!(0.0 < least && least <= taken, "{value} {most}: {least} {taken}");
        }
    }
}

/// What hands of a split pair could still gain by knowing their sibling hands' cards.
///
/// An estimate from above: the hand that is played after others knows six cards for each of them,
/// drawn at random from all that it cannot see, before it begins. Cards are exchangeable, so that
/// this is as good as knowing siblings who took any six cards or fewer. The cards known are
/// sampled; all else is exact. Pairs are split, and split again, as without that knowledge.
#[test]
#[ignore = "a measurement of some seconds"]
fn knowing_siblings_adds_little() {
    const SAMPLES: u32 = 40;
    for [sum, error] in [
        gain_by_knowing_siblings::<DoubleDeck>(SAMPLES),
        gain_by_knowing_siblings::<DoubleAttack>(SAMPLES),
        gain_by_knowing_siblings::<FreeBet>(SAMPLES),
    ] {
        println!("about {sum:.2e} ± {error:.1e}");
        assert!(sum + 4.0 * error < 5e-5);
    }
}

/// The most cards that a sibling is taken to draw.
const A_SIBLING: u32 = 6;

fn gain_by_knowing_siblings<B: Book>(samples: u32) -> [f64; 2] {
    let sheet = sheet::<B>(&[]);
    let (analyzer, shoe) = (Analyzer::<B>::new(&sheet), Unseen::full(&sheet));
    let counts = Counts::new(&shoe);
    let mut numbers = SplitMix(1);
    let (mut sum, mut variance) = (0.0, 0.0);
    for play in &analyzer.solve(&shoe, Siblings::OwnCards).ups {
        let left = counts.without(play.up, 1);
        for pair in play.pairs.iter().filter(|pair| pair.splits()) {
            let often = play.chance * left.chance_of_two(pair.value, pair.value) * pair.share;
            let [_, stake] = stakes(analyzer.book, pair.value, play.money());
            let (start, dealer) = (analyzer.split(pair.value), analyzer.dealer(play.up));
            let naturals = analyzer.naturals(play.up);
            let stake = Stake { natural: naturals.taken(), ..stake };
            let after = left.without(pair.value, 2);
            let seconds = Seconds { cards: after.total.into(), matching: pair.matching.into() };
            let pending = Pending { hands: 2, open: 2, most: pair.most };
            for siblings in 1..u32::try_from(pair.most[1]).unwrap() {
                // How often there are so many hands before one.
                let matched = |outcome: &SecondCards| outcome.matched + 1 >= siblings as usize;
                let there = outcomes(seconds, pending).into_iter().filter(matched);
                let often = often * there.map(|outcome| outcome.chance).sum::<f64>();
                let gains: Vec<f64> = (0..samples)
                    .map(|_| {
                        let left = without_cards(after, A_SIBLING * siblings, &mut numbers);
                        let chances = Chances::new(start, dealer, left, naturals).everywhere();
                        let route = start.route(&pair.others);
                        let blind = chances.by_plan(stake, &pair.others, &route)[0];
                        chances.best(stake).worth[0] - blind
                    })
                    .collect();
                let mean = gains.iter().sum::<f64>() / f64::from(samples);
                let squares = gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>();
                sum += often * mean;
                variance += often.powi(2) * squares / f64::from(samples).powi(2);
            }
        }
    }
    [sum, variance.sqrt()]
}

/// What the second hand of a pair would gain by noticing that the first has gone over 21, or has not,
/// where that decides whether a natural takes anything: every way in which the first hand ends.
#[test]
#[ignore = "a measurement of some seconds"]
fn noticing_a_bust_adds_little() {
    let adds = gain_by_noticing::<DoubleAttack>(&[]);
    println!("Double Attack {adds:.2e}");
    assert!(0.0 < adds && adds < 1e-5);
    let adds = gain_by_noticing::<DoubleDeck>(&[("peek", "none_original_bets_only")]);
    println!("Double Deck without a reader {adds:.2e}");
    assert!(0.0 < adds && adds < 1e-5);
}

fn gain_by_noticing<B: Book>(choices: &[(&str, &str)]) -> f64 {
    let sheet = sheet::<B>(choices);
    let (analyzer, full) = (Analyzer::<B>::new(&sheet), Unseen::full(&sheet));
    let mut sum = 0.0;
    for play in &analyzer.solve(&full, Siblings::OwnCards).ups {
        let (left, naturals) = (Counts::new(&full).without(play.up, 1), analyzer.naturals(play.up));
        if naturals == Naturals::Apart {
            continue;
        }
        for pair in play.pairs.iter().filter(|pair| pair.splits()) {
            let (start, dealer) = (analyzer.split(pair.value), analyzer.dealer(play.up));
            let after = left.without(pair.value, 2);
            let [_, stake] = stakes(analyzer.book, pair.value, play.money());
            let chances = |shoe: Counts| Chances::new(start, dealer, shoe, naturals).everywhere();
            let [calm, fearful] =
                [0.0, 1.0].map(|natural| chances(after).best(Stake { natural, ..stake }).plan);
            let gain = |shoe: Counts, busts: bool| {
                let natural = if busts { 0.0 } else { 1.0 };
                let (chances, stake) = (chances(shoe), Stake { natural, ..stake });
                let by = |plan| chances.by_plan(stake, plan, &start.route(plan))[0];
                by(if busts { &calm } else { &fearful }) - by(&pair.others)
            };
            let mut reached = vec![0.0; start.spots.len()];
            reached[0] = play.chance * left.chance_of_two(pair.value, pair.value) * pair.share;
            for place in 0..reached.len() {
                if reached[place] == 0.0 {
                    continue;
                }
                let (call, of) = (pair.first.calls[place], DRAWS.all[place].of);
                let shoe = (0..10).fold(after, |shoe, v| shoe.without(v, of[v].into()));
                for value in (0..10).filter(|_| matches!(call, Call::Hit | Call::Double)) {
                    let here = reached[place] * shoe.share(value);
                    match DRAWS.with(place, value).filter(|&next| next < reached.len()) {
                        _ if here == 0.0 => {}
                        None => sum += here * gain(shoe.without(value, 1), true),
                        Some(_) if call == Call::Double => {
                            sum += here * gain(shoe.without(value, 1), false);
                        }
                        Some(next) => reached[next] += here,
                    }
                }
                if !matches!(call, Call::Hit | Call::Double) {
                    sum += reached[place] * gain(shoe, false);
                }
            }
        }
    }
    sum
}

/// What is left when so many cards have been drawn.
fn without_cards(mut left: Counts, cards: u32, numbers: &mut SplitMix) -> Counts {
    for _ in 0..cards {
        let mut drawn = below(left.total.into(), numbers);
        let value = (0..10).find(|&value| {
            let found = drawn < u32::from(left.of[value]);
            drawn = drawn.wrapping_sub(left.of[value].into());
            found
        });
        left = left.without(value.unwrap(), 1);
    }
    left
}
