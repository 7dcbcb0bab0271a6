//! The best play of a whole game, and what it is worth.

use rules::games::blackjack::{Book, Busts, Cost, Hand, HoleCard, SplitStake};
use rules::money::Odds;
use rules::round::Ruling;
use rules::terms::TermSheet;

use super::dealer::{Dealer, gain};
use super::draws::{ACE, CARDS, Counts, DRAWS, TEN, TENS, VALUES};
use super::hand::{Chances, Naturals, Plan, Stake, Start, split_hand};
use super::split::{self, HandWorth, Seconds};
use super::survival::{Rest, Survivals};
use crate::unseen::Unseen;

/// What the hands of a split pair go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sisters {
    /// There are none: no pair is split.
    None,
    /// Each is played as the same cards would be without a split.
    Alike,
    /// Each is played in the way that is best for one hand after the split.
    OwnCards,
}

/// A blackjack by one book, ready to be solved for any shoe.
pub struct Analyzer<B> {
    book: B,
    dealers: Vec<Dealer>,
    whole: Start,
    split: Vec<Start>,
    naturals: Naturals,
}

/// The best play of a whole game, and what it is worth.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The expected gain for each unit of the original wager.
    pub ev: f64,
    /// By the value of the up card.
    pub(super) ups: Vec<UpPlay>,
}

/// What to do against one up card.
#[derive(Clone, Debug)]
pub(super) struct UpPlay {
    pub(super) up: usize,
    /// How likely it is.
    pub(super) chance: f64,
    pub(super) worth: f64,
    pub(super) attack: bool,
    /// The play of hands that are not split.
    pub(super) whole: Plan,
    pub(super) pairs: Vec<PairPlay>,
}

/// What to do with one pair.
#[derive(Clone, Debug)]
pub(super) struct PairPlay {
    pub(super) value: usize,
    /// How many cards that match it are left.
    pub(super) matching: u16,
    /// Into how many hands it is split at the most; 1 if not at all.
    pub(super) most: usize,
    /// What it is worth when split.
    pub(super) worth: f64,
    pub(super) first: Plan,
    pub(super) others: Plan,
}

impl<B: Book> Analyzer<B> {
    /// The analyzer of a table's terms.
    pub fn new(sheet: &TermSheet) -> Analyzer<B> {
        let book = B::read(sheet);
        let naturals = match (book.hole_card(), book.busts()) {
            (HoleCard::Reader, _) | (_, Busts::OriginalsOnly) => Naturals::Apart,
            _ => Naturals::AfterBusts,
        };
        Analyzer {
            book,
            dealers: (0..VALUES).map(|up| Dealer::new(book, up)).collect(),
            whole: Start::new(book, Hand::EMPTY),
            split: CARDS.iter().map(|&card| Start::new(book, split_hand(book, card))).collect(),
            naturals,
        }
    }

    /// Solves the game for a full shoe.
    pub fn solve(&self, shoe: &Unseen, sisters: Sisters) -> Solution {
        let counts = Counts::new(shoe);
        let ups: Vec<UpPlay> = (0..VALUES)
            .filter(|&up| counts.of[up] > 0)
            .map(|up| {
                let shown = Shown::new(self, shoe, counts.without(up, 1), up, sisters);
                UpPlay { chance: counts.share(up), ..shown.solve() }
            })
            .collect();
        Solution { ev: ups.iter().map(|up| up.chance * up.worth).sum(), ups }
    }
}

/// One up card.
struct Shown<'a, B> {
    game: &'a Analyzer<B>,
    whole_shoe: &'a Unseen,
    up: usize,
    shoe: Counts,
    naturals: Naturals,
    sisters: Sisters,
    chances: Chances<'a>,
}

impl<'a, B: Book> Shown<'a, B> {
    fn new(
        game: &'a Analyzer<B>,
        whole_shoe: &'a Unseen,
        shoe: Counts,
        up: usize,
        sisters: Sisters,
    ) -> Self {
        let dealer = &game.dealers[up];
        let naturals = match dealer.natural_value() {
            Some(_) => game.naturals,
            None => Naturals::Apart,
        };
        let chances = Chances::new(
            &game.whole,
            dealer,
            shoe,
            naturals,
            B::GAME == rules::wager::Game::FreeBet,
        );
        Shown { game, whole_shoe, up, shoe, naturals, sisters, chances }
    }

    fn solve(&self) -> UpPlay {
        let plain = self.with_attack(0.0);
        if !B::ATTACK {
            return plain;
        }
        let attack = self.with_attack(1.0);
        if attack.worth > plain.worth { attack } else { plain }
    }

    /// The best play with so much of a double attack.
    fn with_attack(&self, attack: f64) -> UpPlay {
        let stake = self.stake(1.0 + attack);
        let (plan, worth) = self.chances.best(stake);
        let mut sum = 0.0;
        let mut pairs = Vec::new();
        for (one, other) in (0..VALUES).flat_map(|one| (one..VALUES).map(move |b| (one, b))) {
            let chance = self.chance_of(one, other);
            if chance == 0.0 {
                continue;
            }
            let place = DRAWS.find([one, other]).expect("two cards are within 21");
            let natural = self.chances.dealer.natural(&self.shoe, &DRAWS.all[place]);
            if self.game.whole.spots[place].total == 21 {
                sum += chance * self.natural_worth(1.0 + attack, natural);
                continue;
            }
            let apart = match self.naturals {
                Naturals::Apart => natural,
                Naturals::AfterBusts => 0.0,
            };
            let unsplit = worth[place] - apart;
            sum += chance * unsplit;
            if one == other && self.sisters != Sisters::None {
                for (share, matching) in self.pairs(one) {
                    let mut pair = self.split((one, matching), attack, &plan, unsplit);
                    pair.worth -= apart;
                    if pair.worth > unsplit {
                        sum += chance * share * (pair.worth - unsplit);
                    } else {
                        pair.most = 1;
                    }
                    pairs.push(pair);
                }
            }
        }
        let attack = attack > 0.0;
        UpPlay { up: self.up, chance: 1.0, worth: sum, attack, whole: plan, pairs }
    }

    /// How likely the first two cards are these, in either order.
    fn chance_of(&self, one: usize, other: usize) -> f64 {
        if self.shoe.of[one] == 0 {
            return 0.0;
        }
        let orders = if one == other { 1.0 } else { 2.0 };
        orders * self.shoe.share(one) * self.shoe.without(one, 1).share(other)
    }

    /// What a natural of the player's is worth.
    fn natural_worth(&self, money: f64, natural: f64) -> f64 {
        let paid = gain(Ruling::Pay(B::NATURAL.0)) * (1.0 - natural);
        let even = gain(Ruling::Pay(Odds::EVEN));
        let takes_even = self.up == ACE && self.game.book.even_money() && even > paid;
        money * if takes_even { even } else { paid }
    }

    fn stake(&self, money: f64) -> Stake {
        let natural = match self.naturals {
            Naturals::Apart => 0.0,
            Naturals::AfterBusts => 1.0,
        };
        Stake { money, natural, ..Stake::UNIT }
    }

    /// Of two cards of a value: how likely they are a pair that can be split, and how many cards
    /// that match it are left.
    fn pairs(&self, value: usize) -> Vec<(f64, u16)> {
        let book = self.game.book;
        let alike =
            |a, b| book.is_pair(rules::card::Card::new(a, SUIT), rules::card::Card::new(b, SUIT));
        if value != TEN || alike(TENS[0], TENS[1]) {
            return vec![(1.0, self.shoe.of[value] - 2)];
        }
        let tens = f64::from(self.shoe.of[TEN]);
        let all = tens * (tens - 1.0);
        let mut pairs: Vec<(f64, u16)> = Vec::new();
        let mut add = |share: f64, left: u16| match pairs.iter_mut().find(|p| p.1 == left) {
            Some(pair) => pair.0 += share,
            None => pairs.push((share, left)),
        };
        for rank in TENS {
            let count = self.whole_shoe.of_rank(rank);
            let n = f64::from(count);
            if self.up != TEN {
                if count >= 2 {
                    add(n * (n - 1.0) / all, count - 2);
                }
                continue;
            }
            let ups = tens + 1.0;
            if count >= 3 {
                add(n / ups * (n - 1.0) * (n - 2.0) / all, count - 3);
            }
            if count >= 2 && count < self.shoe.of[TEN] + 1 {
                add((ups - n) / ups * n * (n - 1.0) / all, count - 2);
            }
        }
        pairs
    }

    /// A pair that is split, and its worth but for what a natural takes apart; at most that, if it is
    /// worth less than `unsplit`.
    fn split(
        &self,
        (value, matching): (usize, u16),
        attack: f64,
        plan: &Plan,
        unsplit: f64,
    ) -> PairPlay {
        let book = self.game.book;
        let card = CARDS[value];
        let pair = Hand::EMPTY.with(book, card).with(book, card);
        let cost = book.may_split(pair, 1).expect("any pair may be split once");
        let again = split_hand(book, card).with(book, card);
        let mut limit = 2;
        while book.may_split(again, limit).is_ok() {
            limit += 1;
        }
        let matched = match book.split_stake() {
            SplitStake::InitialOnly => 1.0,
            SplitStake::MatchBoth => 1.0 + attack,
        };
        let others = match cost {
            Cost::Paid => Stake { money: matched, ..Stake::UNIT },
            Cost::Free => Stake::LAMMER,
        };
        let first = Stake { money: 1.0 + attack, ..Stake::UNIT };
        let left = self.shoe.without(value, 2);
        let seconds = Seconds { cards: left.total.into(), matching: matching.into() };
        let mut first = SplitHand::new(self, value, first, plan);
        let mut others = SplitHand::new(self, value, others, plan);
        let (mut most, mut worth) = (0, f64::NEG_INFINITY);
        for hands in 2..=limit {
            let mut split = split::worth(seconds, hands, &mut first, &mut others);
            if self.naturals == Naturals::AfterBusts {
                let least = self.least_natural_after(value, seconds, hands, &first, &others);
                split -= match split - least > worth.max(unsplit) {
                    true => {
                        let pair = (value, matching);
                        self.natural_after(pair, hands, &first.plan, &others.plan)
                    }
                    false => least,
                };
            }
            if split > worth {
                (most, worth) = (hands, split);
            }
        }
        PairPlay { value, matching, most, worth, first: first.plan, others: others.plan }
    }
}

impl<B: Book> Shown<'_, B> {
    /// The least that a natural can take from a pair that is split: as if no two hands ever went over
    /// 21 together.
    fn least_natural_after(
        &self,
        value: usize,
        seconds: Seconds,
        most: usize,
        first: &SplitHand<'_, '_, B>,
        others: &SplitHand<'_, '_, B>,
    ) -> f64 {
        let draw = DRAWS.find([value, value]).expect("two cards are within 21");
        let natural = self.chances.dealer.natural(&self.shoe, &DRAWS.all[draw]);
        let mut first = BustsFirst { shown: self, value, plan: &first.plan };
        let mut others = BustsFirst { shown: self, value, plan: &others.plan };
        (natural - split::worth(seconds, most, &mut first, &mut others)).max(0.0)
    }

    /// What a natural takes on average from a pair that is split, where busts come before it.
    fn natural_after(&self, pair: (usize, u16), most: usize, first: &Plan, others: &Plan) -> f64 {
        let start = &self.game.split[pair.0];
        let natural = self.chances.dealer.natural_value().expect("a natural is possible");
        let rest = Rest { shoe: self.shoe.without(pair.0, 2), pair, natural };
        let first = Survivals::new(start, first, pair.0);
        let others = Survivals::new(start, others, pair.0);
        rest.chance(most, &first, &others)
    }
}

const SUIT: rules::card::Suit = rules::card::Suit::Spades;

/// One hand of a split pair, played by its plan.
struct SplitHand<'a, 'b, B> {
    shown: &'b Shown<'a, B>,
    value: usize,
    stake: Stake,
    plan: Plan,
    found: Vec<(f64, f64)>,
}

impl<'a, 'b, B: Book> SplitHand<'a, 'b, B> {
    fn new(shown: &'b Shown<'a, B>, value: usize, stake: Stake, whole: &Plan) -> Self {
        let start = &shown.game.split[value];
        // A hand that may only stand or give up has no likeness among whole hands.
        let free = start.spots.iter().any(|spot| !spot.draws && spot.hits);
        let plan = match shown.sisters {
            Sisters::Alike if free => {
                let places = 0..start.spots.len();
                let alike = |place: usize| DRAWS.with(place, value).expect("within 21");
                let calls = places.clone().map(|place| {
                    let spot = &start.spots[place];
                    let call = whole.calls[alike(place)];
                    match spot.draws {
                        true => rules::round::Call::Hit,
                        false if shown.chances.is_open_in(start, call, spot) => call,
                        false => rules::round::Call::Stand,
                    }
                });
                Plan {
                    calls: calls.collect(),
                    gives_up: places.map(|place| whole.gives_up[alike(place)]).collect(),
                }
            }
            _ => {
                let chances = shown.split_chances(value, 0, stake);
                let natural = shown.stake(1.0).natural;
                chances.best(Stake { natural, ..stake }).0
            }
        };
        SplitHand { shown, value, stake, plan, found: Vec::new() }
    }

    fn find(&mut self, gone: usize) -> (f64, f64) {
        while self.found.len() <= gone {
            let chances = self.shown.split_chances(self.value, self.found.len(), self.stake);
            let worth = chances.by_plan(self.stake, &self.plan);
            let matching = DRAWS.find([self.value]).and_then(|place| worth.get(place));
            self.found.push((worth[0], *matching.unwrap_or(&f64::NAN)));
        }
        self.found[gone]
    }
}

impl<B: Book> HandWorth for SplitHand<'_, '_, B> {
    fn any(&mut self, gone: usize) -> f64 {
        self.find(gone).0
    }

    fn matching(&mut self, gone: usize) -> f64 {
        self.find(gone).1
    }
}

/// How likely a hand of a split pair goes over 21 before a natural.
struct BustsFirst<'a, 'b, B> {
    shown: &'b Shown<'a, B>,
    value: usize,
    plan: &'b Plan,
}

impl<B: Book> BustsFirst<'_, '_, B> {
    fn find(&self, gone: usize, place: usize) -> f64 {
        let chances = self.shown.split_start(self.value, gone);
        chances.busts_then_natural(self.plan)[place]
    }
}

impl<B: Book> HandWorth for BustsFirst<'_, '_, B> {
    fn any(&mut self, gone: usize) -> f64 {
        self.find(gone, 0)
    }

    fn matching(&mut self, gone: usize) -> f64 {
        self.find(gone, DRAWS.find([self.value]).expect("a card"))
    }
}

impl<'a, B: Book> Shown<'a, B> {
    fn split_start(&self, value: usize, gone: usize) -> Chances<'a> {
        let gone = u16::try_from(gone).expect("at most four hands");
        let shoe = self.shoe.without(value, 2 + gone);
        let (start, dealer) = (&self.game.split[value], &self.game.dealers[self.up]);
        Chances::unseen(start, dealer, shoe, self.naturals)
    }

    fn split_chances(&self, value: usize, gone: usize, stake: Stake) -> Chances<'a> {
        let start = &self.game.split[value];
        let gone = u16::try_from(gone).expect("at most four hands");
        let shoe = self.shoe.without(value, 2 + gone);
        let dealer = &self.game.dealers[self.up];
        Chances::new(start, dealer, shoe, self.naturals, B::GAME == rules::wager::Game::FreeBet)
    }
}
