//! Double Down Stud: when to double, and what the wager is worth.

use rules::card::{Card, Rank};
use rules::games::double_down_stud::{Category, DoubleDownStud, StudTerms};
use rules::games::{opening, pays};
use rules::money::Cents;
use rules::round::{Act, Awaits, Call, Place, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Wagers};

use crate::cases::Cases;
use crate::fraction::Fraction;
use crate::ledger::Ledger;
use crate::setting::Setting;
use crate::suits::Suits;
use crate::unseen::Unseen;
use crate::value::{ActValue, BetValue, Method, Prospects};

const OWN: Bettor = Bettor::at(0);
/// The cards of a hand.
const CARDS: u32 = 5;
/// The ends of a hand: each winning category, a push, a loss.
const ENDS: usize = Category::WINNING + 2;
const PAIR: usize = Category::Pair as usize;
const PUSH: usize = Category::WINNING;
const LOSS: usize = PUSH + 1;
const AWAITED: &str = "a round takes what it awaits";

/// When a seat doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoublingPolicy {
    /// Whenever that gains with the four known cards.
    Best,
    /// Whenever the chart says so.
    Basic,
    /// On every hand.
    Always,
    /// On none.
    Never,
}

impl DoublingPolicy {
    /// All of them, the best first.
    pub const ALL: [DoublingPolicy; 4] = [
        DoublingPolicy::Best,
        DoublingPolicy::Basic,
        DoublingPolicy::Always,
        DoublingPolicy::Never,
    ];

    /// Its name in output.
    pub const fn name(self) -> &'static str {
        match self {
            DoublingPolicy::Best => "best",
            DoublingPolicy::Basic => "basic",
            DoublingPolicy::Always => "always",
            DoublingPolicy::Never => "never",
        }
    }
}

/// What four known cards are, in a player's words; high cards are jacks and better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Four of a kind.
    FourOfAKind,
    /// Three of a kind.
    ThreeOfAKind,
    /// Two pairs.
    TwoPair,
    /// A pair of this rank.
    Pair(Rank),
    /// One card short of a royal flush.
    ToRoyalFlush,
    /// One card short of a straight flush.
    ToStraightFlush,
    /// One card short of a flush.
    ToFlush,
    /// One card short of a straight.
    ToStraight {
        /// How many cards complete it.
        outs: u8,
        /// How many are jacks or higher.
        high: u8,
    },
    /// None of these.
    Nothing {
        /// How many are jacks or higher.
        high: u8,
    },
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let high = |n: &u8| match n {
            0 => "no high card".to_owned(),
            1 => "1 high card".to_owned(),
            n => format!("{n} high cards"),
        };
        match self {
            Class::FourOfAKind => f.write_str("four of a kind"),
            Class::ThreeOfAKind => f.write_str("three of a kind"),
            Class::TwoPair => f.write_str("two pair"),
            Class::Pair(rank) => write!(f, "pair of {}", rank.plural()),
            Class::ToRoyalFlush => f.write_str("four to a royal flush"),
            Class::ToStraightFlush => f.write_str("four to a straight flush"),
            Class::ToFlush => f.write_str("four to a flush"),
            Class::ToStraight { outs, high: n } => {
                write!(f, "four to a straight with {outs} outs, {}", high(n))
            }
            Class::Nothing { high: n } => write!(f, "no pair and no draw, {}", high(n)),
        }
    }
}

/// A line of the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartLine {
    /// What is known.
    pub class: Class,
    /// What a double gains on average, for each unit of it.
    pub gain: Fraction,
    /// What it gains with the worst and the best cards of the class.
    pub spread: (Fraction, Fraction),
    /// How often it comes.
    pub probability: f64,
}

impl ChartLine {
    /// Whether the chart says to double; if it makes no difference, it does not.
    pub fn doubles(&self) -> bool {
        self.gain.is_positive()
    }

    /// Whether the advice is right for every hand of the class.
    pub fn is_uniform(&self) -> bool {
        !self.spread.0.is_negative() || !self.spread.1.is_positive()
    }
}

/// Everything that can be known before doubling, at a table.
#[derive(Clone, Debug)]
pub struct Stud {
    setting: Setting,
    names: [String; ENDS],
    /// The net gain of each end without and with a double.
    nets: [Option<(i64, i64)>; ENDS],
    /// What the double was.
    double: i64,
    cards: u32,
    spots: Vec<KnownCards>,
}

/// Four known cards, and what the fifth makes of them.
#[derive(Clone, Copy, Debug)]
struct KnownCards {
    class: Class,
    cards: [Card; 4],
    /// How many sets of four cards are like these.
    like: u16,
    /// How many cards lead to each end.
    ends: [u8; ENDS],
}

impl Stud {
    /// Looks at every four cards that can be known; asserts that there are at least five cards.
    pub fn new(sheet: &TermSheet, setting: Setting, unseen: &Unseen) -> Stud {
        assert!(u32::from(unseen.total()) >= CARDS);
        let table = FreshRound::new(sheet, setting);
        let mut stud = Stud {
            setting,
            names: names(sheet),
            nets: [None; ENDS],
            double: 0,
            cards: unseen.total().into(),
            spots: Vec::new(),
        };
        let suits = Suits::alike_in(unseen);
        for four in Fours::of(unseen) {
            if let Some(like) = suits.first_of_its_kind(&four) {
                stud.look_at(&table, four, like, unseen);
            }
        }
        stud
    }

    /// Adds what can follow four cards.
    fn look_at(&mut self, table: &FreshRound, four: [Card; 4], like: u16, unseen: &Unseen) {
        let round = table.deal(four);
        let [passed, doubled] = [Call::Pass, Call::Double].map(|call| answered(round, call));
        self.double = doubled.1.staked(Circle::Double).get();
        let mut ends = [0; ENDS];
        let rest = unseen.iter().map(|(card, _)| card).filter(|card| !four.contains(card));
        for hole in rest {
            let (category, gain) = turned(passed, hole);
            let end = match gain.get().signum() {
                -1 => LOSS,
                0 => PUSH,
                _ => category as usize,
            };
            self.nets[end].get_or_insert_with(|| (gain.get(), turned(doubled, hole).1.get()));
            ends[end] += 1;
        }
        self.spots.push(KnownCards { class: class(four, &ends), cards: four, like, ends });
    }

    /// The main wager by each strategy.
    pub fn bets(&self) -> Vec<BetValue> {
        DoublingPolicy::ALL.map(|policy| self.main(policy)).into()
    }

    /// The original wager, with the double that may be added.
    pub fn main(&self, policy: DoublingPolicy) -> BetValue {
        let chart = self.chart();
        let main = self.setting.main;
        let mut counts = [[0_u64; ENDS]; 2];
        for spot in &self.spots {
            let doubles = match policy {
                DoublingPolicy::Best => self.gain(spot) > 0,
                DoublingPolicy::Basic => {
                    chart.iter().any(|line| line.class == spot.class && line.doubles())
                }
                DoublingPolicy::Always => true,
                DoublingPolicy::Never => false,
            };
            for (count, &ways) in counts[usize::from(doubles)].iter_mut().zip(&spot.ends) {
                *count += u64::from(spot.like) * u64::from(ways);
            }
        }
        let mut cases = Cases::new(main, self.cards, CARDS);
        for (doubles, counts) in counts.iter().enumerate() {
            for ((&ways, name), nets) in counts.iter().zip(&self.names).zip(self.nets) {
                let Some((pass, double)) = nets.filter(|_| ways > 0) else { continue };
                let stake = Cents::from(main);
                let (name, net, staked) = match doubles {
                    0 => (name.clone(), pass, stake),
                    _ => (format!("{name}, doubled"), double, stake + Cents::new(self.double)),
                };
                cases.add(name, (Cents::new(net), staked), ways, CARDS);
            }
        }
        let mut value = cases.value(Circle::Main, policy.name());
        value
            .notes
            .push("Combinations are four known cards in any order, and then the fifth.".to_owned());
        value
    }

    /// What a double gains on a spot, in cents, summed over the fifth cards.
    fn gain(&self, spot: &KnownCards) -> i64 {
        let added = |nets: Option<(i64, i64)>| nets.map_or(0, |(pass, double)| double - pass);
        spot.ends.iter().zip(self.nets).map(|(&ways, nets)| i64::from(ways) * added(nets)).sum()
    }

    /// Four cards of a class: one of all that differ by more than their suits, chosen by a number.
    pub fn hand_of(&self, class: Class, choice: u64) -> Option<[Card; 4]> {
        let hands = || self.spots.iter().filter(|spot| spot.class == class);
        let count = u64::try_from(hands().count()).ok().filter(|count| *count > 0)?;
        hands().nth(usize::try_from(choice % count).ok()?).map(|spot| spot.cards)
    }

    /// What to do with every kind of four cards, the most promising first.
    pub fn chart(&self) -> Vec<ChartLine> {
        let mut classes: std::collections::BTreeMap<Class, Vec<&KnownCards>> = Default::default();
        for spot in &self.spots {
            classes.entry(spot.class).or_default().push(spot);
        }
        let all: u64 = self.spots.iter().map(|spot| u64::from(spot.like)).sum();
        let fifths = i64::from(self.cards + 1 - CARDS);
        let unit = |gain: i64, spots: i64| Fraction::new(gain, spots * fifths * self.double);
        let line = |(class, spots): (Class, Vec<&KnownCards>)| {
            let like: i64 = spots.iter().map(|spot| i64::from(spot.like)).sum();
            let gain = spots.iter().map(|spot| self.gain(spot) * i64::from(spot.like)).sum();
            let each = || spots.iter().map(|spot| self.gain(spot));
            let (least, most) = (each().min().unwrap_or(0), each().max().unwrap_or(0));
            ChartLine {
                class,
                gain: unit(gain, like),
                spread: (unit(least, 1), unit(most, 1)),
                probability: Fraction::new(like, all).to_f64(),
            }
        };
        let mut lines: Vec<_> = classes.into_iter().map(line).collect();
        lines.sort_by(|one, other| other.gain.cmp(&one.gain));
        lines
    }
}

/// The value of every act open to a bettor, given the cards that seat has seen.
///
/// `unseen` holds the cards the seat has not seen; the hole card is one of them.
pub fn values_of<const S: usize>(
    round: &DoubleDownStud<S>,
    bettor: Bettor,
    acts: &[Act],
    unseen: &Unseen,
) -> Vec<ActValue> {
    let value = |&act: &Act| {
        let mut round = *round;
        round.act(bettor, act, &mut ()).expect(AWAITED);
        if let Awaits::Acts(others) = round.awaits() {
            for other in others.iter() {
                round.act(other, Act::Call(Call::Pass), &mut ()).expect(AWAITED);
            }
        }
        let (mut sum, mut prospects) = (0, Prospects::default());
        for (hole, count) in unseen.iter() {
            let (mut round, mut ledger) = (round, Ledger::of(bettor));
            round.turn(hole, &mut ledger).expect("the hole card is turned");
            prospects.add(ledger.gain(Circle::Main), count.into());
            sum += ledger.total().get() * i64::from(count);
        }
        let exact = Fraction::new(sum, i64::from(unseen.total()));
        let gain = exact.to_f64();
        ActValue {
            act,
            gain,
            gain_exact: Some(exact),
            at_most: None,
            ceiling: gain,
            method: Method::Exact,
            prospects: Some(prospects.out_of_all()),
        }
    };
    acts.iter().map(value).collect()
}

/// A round to which any four cards can be dealt.
pub(crate) struct FreshRound {
    /// Awaits its first card.
    round: DoubleDownStud<1>,
}

impl FreshRound {
    pub(crate) fn new(sheet: &TermSheet, setting: Setting) -> FreshRound {
        let mut wagers = Wagers::<1, 1>::NONE;
        let placed = wagers.place(&opening(sheet), OWN, &[(Circle::Main, setting.main.into())]);
        placed.expect("a setting holds wagers that the house takes");
        FreshRound { round: DoubleDownStud::start(StudTerms::read(sheet), &wagers, &mut ()) }
    }

    /// The round after four cards, which asks whether to double.
    pub(crate) fn deal(&self, four: [Card; 4]) -> DoubleDownStud<1> {
        let mut round = self.round;
        for card in four {
            if round.awaits() == Awaits::FaceDown(Place::Dealer) {
                round.deal_face_down(&mut ()).expect(AWAITED);
            }
            round.deal(card, &mut ()).expect(AWAITED);
        }
        round
    }
}

/// The answer to the offer of a double.
fn answered(mut round: DoubleDownStud<1>, call: Call) -> (DoubleDownStud<1>, Ledger) {
    let mut ledger = Ledger::of(OWN);
    round.act(OWN, Act::Call(call), &mut ledger).expect(AWAITED);
    (round, ledger)
}

/// Turns the hole card: what the hand is, and what is gained.
#[inline]
fn turned((mut round, mut ledger): (DoubleDownStud<1>, Ledger), hole: Card) -> (Category, Cents) {
    round.turn(hole, &mut ledger).expect("the hole card is turned");
    (round.category(0).expect("five cards are known"), ledger.total())
}

/// Whether doubling gains with four known cards, over all possible hole cards.
pub(crate) fn gains_by_doubling(round: DoubleDownStud<1>, four: [Card; 4]) -> bool {
    let gain = |call| -> Cents {
        let round = answered(round, call);
        let holes = Card::DECK.into_iter().filter(|hole| !four.contains(hole));
        holes.map(|hole| turned(round, hole).1).sum()
    };
    round.offers(OWN).contains(Call::Double) && gain(Call::Double) > gain(Call::Pass)
}

/// The class of four cards, by what they are and can become.
fn class(four: [Card; 4], ends: &[u8; ENDS]) -> Class {
    let pairs = || (0..4).flat_map(|i| (0..i).map(move |j| (i, j)));
    let paired: Vec<_> =
        pairs().filter(|&(i, j)| four[i].same_rank(four[j])).map(|(i, _)| four[i]).collect();
    let high = || {
        let high = four.iter().filter(|card| card.rank() >= Rank::Jack).count();
        u8::try_from(high).expect("four at most")
    };
    let outs = |category: Category| ends[category as usize];
    match paired[..] {
        [pair] => Class::Pair(pair.rank()),
        [_, _] => Class::TwoPair,
        [_, _, _] => Class::ThreeOfAKind,
        [_, _, _, ..] => Class::FourOfAKind,
        [] if outs(Category::RoyalFlush) > 0 => Class::ToRoyalFlush,
        [] if outs(Category::StraightFlush) > 0 => Class::ToStraightFlush,
        [] if outs(Category::Flush) > 0 => Class::ToFlush,
        [] if outs(Category::Straight) > 0 => {
            Class::ToStraight { outs: outs(Category::Straight), high: high() }
        }
        [] => Class::Nothing { high: high() },
    }
}

/// Each end in words.
fn names(sheet: &TermSheet) -> [String; ENDS] {
    let pays = pays(sheet);
    std::array::from_fn(|end| match end {
        PUSH => "pair of sixes to tens".to_owned(),
        LOSS => "lost".to_owned(),
        PAIR => "pair of jacks or better".to_owned(),
        _ => pays[end].what.replace('-', " "),
    })
}

/// Every four different cards.
pub(crate) struct Fours {
    cards: Vec<Card>,
    next: Option<[usize; 4]>,
}

impl Fours {
    pub(crate) fn of(unseen: &Unseen) -> Fours {
        assert!(unseen.iter().all(|(_, count)| count == 1), "one deck has each card once");
        Fours { cards: unseen.iter().map(|(card, _)| card).collect(), next: Some([0, 1, 2, 3]) }
    }
}

impl Iterator for Fours {
    type Item = [Card; 4];

    fn next(&mut self) -> Option<[Card; 4]> {
        let places = self.next?;
        let last = self.cards.len();
        let mut after = places;
        self.next = (0..4).rev().find(|&i| places[i] + 4 - i < last).map(|i| {
            after[i] += 1;
            for later in i + 1..4 {
                after[later] = after[later - 1] + 1;
            }
            after
        });
        Some(places.map(|place| self.cards[place]))
    }
}
