//! How a blackjack's main wager can end.
//!
//! Rounds without a split are counted exactly. SplitSampler hands hang together in too many ways; that part
//! is played with the real round, by the same plans, and marked as simulated.

use num_bigint::BigUint;
use rules::card::Card;
use rules::games::blackjack::{Blackjack, BlackjackTerms, Book, Points, is_natural};
use rules::games::opening;
use rules::money::{Cents, Odds};
use rules::round::{Act, Awaits, Call, Event, Place, Record, Round, Ruling};
use rules::shoe::{Numbers, below};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Wagers};

use super::by_cards::DrawnCards;
use super::dealer::{Dealer, Payments, gain};
use super::draws::{CARDS, Counts, DRAWS, VALUES, value_of};
use super::hand::{Chances, Naturals, Stake, Start};
use super::pair::PairPlay;
use super::solve::{Analyzer, Solution, UpPlay};
use crate::unseen::Unseen;
use crate::value::{BetValue, Figure, Method, Outcome};

/// How many rounds with a split are played.
pub(super) const ROUNDS: u32 = 200_000;
const SEED: u64 = 0x5eed_b1ac_417a_c000;
/// How many cards have gone before each of those that show naturals: the up card, the hand's two,
/// and the dealer's second.
const FIRST_CARDS: [u16; 4] = [0, 1, 2, 3];
const ONE: Bettor = Bettor::at(0);

impl<B: Book> Analyzer<B> {
    /// The full value of the main wager under one strategy.
    pub fn value(
        &self,
        sheet: &TermSheet,
        shoe: &Unseen,
        solution: &Solution,
        policy: &str,
    ) -> BetValue {
        let mut ends = RoundEnds::default();
        let counts = Counts::new(shoe);
        for play in &solution.ups {
            let up = Up::new(self, &counts, play);
            up.count(&mut ends);
        }
        let split = SplitSampler { analyzer: self, sheet, shoe, solution }.play();
        let all = FIRST_CARDS.map(|gone| u64::from(counts.total.saturating_sub(gone)));
        BetValue {
            combinations: Some(all.into_iter().product::<u64>().into()),
            ..ends.value(policy, solution.ev, &split)
        }
    }
}

/// The ways in which rounds end, each with its chance.
#[derive(Default)]
struct RoundEnds {
    list: Vec<RoundEnd>,
}

#[derive(Clone, Debug)]
struct RoundEnd {
    name: &'static str,
    net: f64,
    /// All that was put at stake.
    staked: f64,
    chance: f64,
    /// In how many orders of the first four cards it comes, where they decide.
    ways: Option<u64>,
}

impl RoundEnds {
    fn add(&mut self, name: &'static str, net: f64, staked: f64, chance: f64) {
        self.push(RoundEnd { name, net, staked, chance, ways: None });
    }

    fn push(&mut self, more: RoundEnd) {
        if more.chance <= 0.0 {
            return;
        }
        let key = |end: &RoundEnd| (end.name, end.net, end.staked);
        match self.list.iter_mut().find(|end| key(end) == key(&more)) {
            Some(end) => {
                end.chance += more.chance;
                end.ways = end.ways.zip(more.ways).map(|(one, other)| one + other);
            }
            None => self.list.push(more),
        }
    }

    /// The sum of something over all ends.
    fn sum(&self, of: impl Fn(&RoundEnd) -> f64) -> f64 {
        self.list.iter().map(|end| end.chance * of(end)).sum()
    }

    fn value(&self, policy: &str, ev: f64, split: &SplitSample) -> BetValue {
        let figure = |exact: f64, of: &dyn Fn(&SplitRound) -> f64| {
            let (mean, error) = split.mean(of);
            (exact + split.chance * mean, split.chance * error)
        };
        let kind = |value: f64, error: f64| match split.chance > 0.0 {
            true => Figure::simulated(value, error),
            false => Figure::exact(value),
        };
        let (squares, error) = figure(self.sum(|end| end.net * end.net), &|game| game.net.powi(2));
        let sd = (squares - ev * ev).sqrt();
        let (staked, staked_error) = figure(self.sum(|end| end.staked), &|game| game.staked);
        let won = |net: f64| f64::from(u8::from(net > 0.0));
        let (hits, hits_error) = figure(self.sum(|end| won(end.net)), &|game| won(game.net));
        let risk = -ev / staked;
        BetValue {
            bet: Circle::Main,
            policy: policy.to_owned(),
            method: Method::Exact,
            ev,
            ev_exact: None,
            sd: kind(sd, error / (2.0 * sd)),
            element_of_risk: kind(risk, (risk * staked_error / staked).abs()),
            hit_frequency: kind(hits, hits_error),
            rounds: None,
            standard_error: None,
            outcomes: self.outcomes(split),
            combinations: None,
            figures: split.figures(),
            notes: vec![NOTE.to_owned(), COUNTED.to_owned()],
        }
    }

    /// Every end by its name and net, the best first; rounds with a split are simulated.
    fn outcomes(&self, split: &SplitSample) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = Vec::new();
        let mut add = |more: Outcome| {
            let same = |other: &&mut Outcome| other.name == more.name && other.net == more.net;
            match outcomes.iter_mut().find(same) {
                Some(outcome) => {
                    outcome.probability += more.probability;
                    let ways = outcome.combinations.take().zip(more.combinations);
                    outcome.combinations = ways.map(|(one, other)| one + other);
                }
                None => outcomes.push(more),
            }
        };
        for &RoundEnd { name, net, chance, ways, .. } in &self.list {
            let (name, combinations) = (name.to_owned(), ways.map(BigUint::from));
            let method = Method::Exact;
            add(Outcome { name, net, probability: chance, combinations, method });
        }
        let probability = split.chance / split.games.len().max(1) as f64;
        for &SplitRound { net, .. } in &split.games {
            let (name, method) = ("split".to_owned(), Method::Simulated);
            add(Outcome { name, net, probability, combinations: None, method });
        }
        outcomes.sort_by(|a, b| b.net.total_cmp(&a.net).then_with(|| a.name.cmp(&b.name)));
        outcomes
    }
}

const NOTE: &str = "The expectation is exact for a player who decides by the cards of the hand and \
    the up card. Risk, spread and wins are exact in rounds without a split; rounds with a split are \
    simulated.";

const COUNTED: &str = "Combinations are orders of four cards: the up card, the player's two, and \
    the dealer's second. Outcomes that take more cards have no count.";

/// Orders of the first four cards, by whether the dealer has a natural.
struct Ways {
    with_natural: u64,
    without: u64,
}

/// One up card, and how hands that are not split end against it.
struct Up<'a> {
    play: &'a UpPlay,
    /// How many such cards there are.
    cards: u64,
    /// What is left beside the up card.
    shoe: Counts,
    naturals: Naturals,
    dealer: Dealer,
    start: &'a Start,
    payments: Payments,
    natural_pays: f64,
    even_money: f64,
    /// How likely hands that stand win and lose, by the cards drawn.
    won_and_lost: Vec<[f64; 2]>,
}

impl<'a> Up<'a> {
    fn new<B: Book>(analyzer: &'a Analyzer<B>, all: &Counts, play: &'a UpPlay) -> Up<'a> {
        let shoe = all.without(play.up, 1);
        let open = Points::of(&[CARDS[play.up]]);
        let dealer = Dealer::with_wins(analyzer.book, open, Some(play.up));
        let start = analyzer.whole();
        let naturals = analyzer.naturals(play.up);
        let chances = Chances::new(start, &dealer, shoe, naturals).everywhere();
        let places = 0..start.spots.len();
        let won_and_lost = places.map(|place| chances.won_and_lost(place)).collect();
        Up {
            play,
            cards: all.of[play.up].into(),
            shoe,
            naturals,
            dealer,
            start,
            payments: analyzer.payments,
            natural_pays: analyzer.payments.gain(Ruling::Pay(B::NATURAL.0), 1.0),
            even_money: gain(Ruling::Pay(Odds::EVEN)),
            won_and_lost,
        }
    }

    /// Counts the ends of all hands that are not split.
    fn count(&self, ends: &mut RoundEnds) {
        let money = self.play.money();
        let mut chances = vec![0.0; self.start.spots.len()];
        for (one, other) in (0..VALUES).flat_map(|one| (one..VALUES).map(move |b| (one, b))) {
            let dealt = self.play.chance * self.shoe.chance_of_two(one, other);
            let place = DRAWS.find([one, other]).expect("two cards are within 21");
            let natural = self.dealer.natural(&self.shoe, &DRAWS.all[place]);
            if dealt == 0.0 {
                continue;
            }
            let ways = self.ways([one, other]);
            if self.start.spots[place].complete {
                self.natural(ends, money, (dealt, natural), ways);
                continue;
            }
            let split: f64 = match one == other {
                true => {
                    let pairs = self.play.pairs.iter();
                    let split = pairs.filter(|pair| pair.value == one && pair.splits());
                    split.map(|pair| pair.share).sum()
                }
                false => 0.0,
            };
            chances[place] += dealt * (1.0 - split);
            if self.naturals == Naturals::Apart {
                let (chance, ways) = (dealt * natural, Some(ways.with_natural));
                let name = "dealer's blackjack";
                ends.push(RoundEnd { name, net: -1.0, staked: money, chance, ways });
            }
        }
        self.play_on(ends, money, chances);
    }

    /// In how many orders the up card, two cards and the dealer's second can fall.
    fn ways(&self, [one, other]: [usize; 2]) -> Ways {
        let left = |value: usize| u64::from(self.shoe.of[value]);
        let two = match one == other {
            true => left(one) * (left(one) - 1),
            false => 2 * left(one) * left(other),
        };
        let second = self.dealer.natural_value().map_or(0, |value| {
            let gone = u64::from(one == value) + u64::from(other == value);
            left(value).saturating_sub(gone)
        });
        let all = u64::from(self.shoe.total) - 2;
        let before = self.cards * two;
        Ways { with_natural: before * second, without: before * (all - second) }
    }

    fn natural(&self, ends: &mut RoundEnds, money: f64, (dealt, natural): (f64, f64), ways: Ways) {
        let Ways { with_natural, without } = ways;
        let mut add = |name, net, chance, ways| {
            ends.push(RoundEnd { name, net, staked: money, chance, ways: Some(ways) });
        };
        if self.play.even_money {
            return add("even money", money * self.even_money, dealt, with_natural + without);
        }
        add("blackjack", money * self.natural_pays, dealt * (1.0 - natural), without);
        add("blackjack pushed", 0.0, dealt * natural, with_natural);
    }

    /// Follows the plan from the first two cards to the end.
    fn play_on(&self, ends: &mut RoundEnds, money: f64, mut chances: Vec<f64>) {
        let stake = Stake { money, ..Stake::UNIT };
        for place in 0..chances.len() {
            let here = chances[place];
            if here == 0.0 {
                continue;
            }
            match self.play.whole.calls[place] {
                Call::Hit => {
                    for (next, chance) in self.start.draws_from(place, &self.shoe) {
                        chances[next] += here * chance;
                    }
                    self.over(ends, "bust", (stake.money, stake.money), here, place);
                }
                Call::Double => self.double(ends, stake, here, place),
                Call::Surrender => {
                    self.surrender(ends, "surrendered", (money, money), here, place);
                }
                _ => self.stand(ends, ["won", "push", "lost"], (stake, money), here, place),
            }
        }
    }

    fn double(&self, ends: &mut RoundEnds, stake: Stake, here: f64, place: usize) {
        let doubled = self.start.doubled(place, stake);
        let staked = doubled.money;
        for (next, chance) in self.start.draws_from(place, &self.shoe) {
            let here = here * chance;
            match self.play.whole.surrenders[next] {
                true => {
                    self.surrender(ends, "surrendered doubled", (doubled.money, staked), here, next)
                }
                false => {
                    let names = ["won doubled", "push doubled", "lost doubled"];
                    self.stand(ends, names, (doubled, staked), here, next);
                }
            }
        }
        self.over(ends, "bust doubled", (doubled.money, staked), here, place);
    }

    /// Counts only what is not the dealer's natural where that has been counted apart.
    fn stand(
        &self,
        ends: &mut RoundEnds,
        [won, push, lost]: [&'static str; 3],
        (stake, staked): (Stake, f64),
        here: f64,
        place: usize,
    ) {
        let natural = self.dealer.natural(&self.shoe, &DRAWS.all[place]);
        let [wins, loses] = self.won_and_lost[place];
        ends.add(won, stake.money + stake.lammers, staked, here * wins);
        ends.add(lost, -stake.money, staked, here * loses);
        ends.add(push, 0.0, staked, here * (1.0 - natural - wins - loses));
        if self.naturals == Naturals::AfterBusts {
            ends.add("dealer's blackjack", -1.0, staked, here * natural);
        }
    }

    fn surrender(
        &self,
        ends: &mut RoundEnds,
        name: &'static str,
        (money, staked): (f64, f64),
        here: f64,
        place: usize,
    ) {
        let natural = self.dealer.natural(&self.shoe, &DRAWS.all[place]);
        let half = self.payments.gain(Ruling::TakeHalf, money);
        ends.add(name, half, staked, here * (1.0 - natural));
        if self.naturals == Naturals::AfterBusts {
            ends.add("dealer's blackjack", -1.0, staked, here * natural);
        }
    }

    /// Hands that go over 21 with the next card.
    fn over(
        &self,
        ends: &mut RoundEnds,
        name: &'static str,
        (money, staked): (f64, f64),
        here: f64,
        place: usize,
    ) {
        let [busts, before_natural] = self.start.busts_from(place, &self.shoe, &self.dealer);
        let chance = match self.naturals {
            Naturals::AfterBusts => busts,
            Naturals::Apart => busts - before_natural,
        };
        ends.add(name, -money, staked, here * chance);
    }
}

/// One round with a split that was played.
#[derive(Clone, Copy, Debug)]
struct SplitRound {
    net: f64,
    staked: f64,
}

/// The rounds with a split.
struct SplitSample {
    /// How likely a round is one of them.
    chance: f64,
    games: Vec<SplitRound>,
}

impl SplitSample {
    /// How many were played, and the part of all rounds that they stand for.
    fn figures(&self) -> Vec<(&'static str, f64)> {
        match self.chance > 0.0 {
            true => vec![("split_rounds_played", f64::from(ROUNDS)), ("splits", self.chance)],
            false => Vec::new(),
        }
    }

    /// The mean of something, and its standard error.
    fn mean(&self, of: &dyn Fn(&SplitRound) -> f64) -> (f64, f64) {
        if self.games.is_empty() {
            return (0.0, 0.0);
        }
        let n = self.games.len() as f64;
        let mean = self.games.iter().map(of).sum::<f64>() / n;
        let squares = self.games.iter().map(|game| (of(game) - mean).powi(2)).sum::<f64>();
        (mean, (squares / (n * (n - 1.0).max(1.0))).sqrt())
    }
}

/// Rounds in which a pair is split, played by the plans of a solution.
struct SplitSampler<'a, B> {
    analyzer: &'a Analyzer<B>,
    sheet: &'a TermSheet,
    shoe: &'a Unseen,
    solution: &'a Solution,
}

/// A pair that is split: the up card, and the card of the pair.
struct SplitCase {
    chance: f64,
    up: Card,
    card: Card,
}

impl<B: Book> SplitSampler<'_, B> {
    fn play(&self) -> SplitSample {
        let cases = self.cases();
        let chance: f64 = cases.iter().map(|case| case.chance).sum();
        let mut games = Vec::new();
        let mut numbers = SplitMix(SEED);
        let mut owed = 0.0;
        for case in &cases {
            // Each case as often as it happens among them.
            owed += case.chance / chance * f64::from(ROUNDS);
            while owed >= 1.0 {
                games.push(self.round(case, &mut numbers));
                owed -= 1.0;
            }
        }
        SplitSample { chance, games }
    }

    /// Every pair that is split, by ranks, where the dealer has no natural that is known of.
    fn cases(&self) -> Vec<SplitCase> {
        let mut cases = Vec::new();
        let counts = Counts::new(self.shoe);
        for play in &self.solution.ups {
            for pair in play.pairs.iter().filter(|pair| pair.splits()) {
                let left = counts.without(play.up, 1);
                let both = left.chance_of_two(pair.value, pair.value);
                let place = DRAWS.find([pair.value; 2]).expect("two cards are within 21");
                let dealer = self.analyzer.dealer(play.up);
                let natural = match self.analyzer.naturals(play.up) {
                    Naturals::Apart => dealer.natural(&left, &DRAWS.all[place]),
                    Naturals::AfterBusts => 0.0,
                };
                let chance = play.chance * both * pair.share * (1.0 - natural);
                let (up, card) = self.cards(play.up, pair);
                cases.push(SplitCase { chance, up, card });
            }
        }
        cases
    }

    /// An up card and a card of a pair, of which as many are left as the pair says.
    fn cards(&self, up: usize, pair: &PairPlay) -> (Card, Card) {
        let of = |value: usize| {
            let cards = self.shoe.iter().map(|(card, _)| card);
            let mut cards: Vec<Card> = cards.filter(|&card| value_of(card) == value).collect();
            cards.dedup_by(|a, b| a.same_rank(*b));
            cards
        };
        let fits = |&(up, card): &(Card, Card)| {
            let book = self.analyzer.book;
            let matches = self.shoe.iter().filter(|(other, _)| book.is_pair(card, *other));
            let left: u16 = matches.map(|(_, count)| u16::from(count)).sum();
            left == pair.matching + 2 + u16::from(book.is_pair(card, up))
        };
        let ups =
            of(up).into_iter().flat_map(|up| of(pair.value).into_iter().map(move |c| (up, c)));
        ups.into_iter().find(fits).expect("a pair of cards that the shoe holds")
    }

    fn round(&self, case: &SplitCase, numbers: &mut SplitMix) -> SplitRound {
        let mut memory =
            Memory { drawn: DrawnCards::NONE, dealt: 0, dealer: 0, gain: 0, staked: 0 };
        let mut wagers = Wagers::<1, 1>::NONE;
        let wager = Cents::from(self.analyzer.payments.wager);
        let placed = wagers.place(&opening(self.sheet), ONE, &[(Circle::Main, wager)]);
        assert_eq!(placed, Ok(()), "a wager of the table is taken");
        let terms = BlackjackTerms::read(self.sheet);
        let mut round = Blackjack::<B, 1, 1>::start(terms, &wagers, &mut memory);
        let mut deck = Deck::new(self.shoe, [case.up, case.card, case.card]);
        // The dealer's second card may be thought of as drawn first.
        let known = self.analyzer.naturals(value_of(case.up)) == Naturals::Apart;
        let second = deck.draw_that(numbers, |card| !known || !is_natural(case.up, card));
        loop {
            let taken = match round.awaits() {
                Awaits::Nobody => break,
                Awaits::Card(place) => {
                    let card = match place {
                        Place::Dealer if memory.dealer == 0 => case.up,
                        Place::Dealer if memory.dealer == 1 => second,
                        Place::Hand { .. } if memory.dealt < 2 => case.card,
                        _ => deck.draw(numbers),
                    };
                    round.deal(card, &mut memory)
                }
                Awaits::FaceDown(_) => round.deal_face_down(&mut memory),
                Awaits::Peek => round.peek(false, &mut memory),
                Awaits::Turn => round.turn(second, &mut memory),
                Awaits::Acts(_) => {
                    let act = self.act(&round, &memory, case);
                    round.act(ONE, act, &mut memory)
                }
            };
            assert_eq!(taken, Ok(()), "a round takes what it awaits");
        }
        let unit = wager.get() as f64;
        SplitRound { net: memory.gain as f64 / unit, staked: memory.staked as f64 / unit }
    }

    /// What the solution does.
    fn act(&self, round: &Blackjack<B, 1, 1>, memory: &Memory, case: &SplitCase) -> Act {
        let play = self.solution.against(case.up);
        Act::Call(match round.current_hand(0) {
            None => play.beside_the_hands(round, ONE),
            Some(hand) => {
                let value = value_of(case.card);
                let pair = play.pairs.iter().find(|pair| pair.value == value && pair.splits());
                play.call(round, ONE, (hand, memory.drawn), pair)
            }
        })
    }
}

/// What a player at the table remembers.
#[derive(Clone, Debug)]
struct Memory {
    drawn: DrawnCards,
    /// How many cards the hands have, and the dealer.
    dealt: usize,
    dealer: usize,
    gain: i64,
    staked: i64,
}

impl Record for Memory {
    fn note(&mut self, event: Event) {
        self.drawn.note(ONE.seat(), event);
        match event {
            Event::Dealt { place: Place::Hand { .. }, .. } => self.dealt += 1,
            Event::Dealt { place: Place::Dealer, .. } | Event::Turned(_) => self.dealer += 1,
            Event::Staked { amount, .. } => self.staked += i64::from(amount.get()),
            Event::Settled(settlement) => self.gain += settlement.gain.get(),
            _ => {}
        }
    }
}

/// Cards that are drawn one by one, each equally likely.
struct Deck {
    cards: Vec<Card>,
}

impl Deck {
    fn new(shoe: &Unseen, gone: [Card; 3]) -> Deck {
        let mut cards: Vec<Card> =
            shoe.iter().flat_map(|(card, count)| std::iter::repeat_n(card, count.into())).collect();
        for card in gone {
            // A card of the same rank where the very card has gone already.
            let place = cards.iter().position(|&other| other == card);
            let place = place.or_else(|| cards.iter().position(|&other| other.same_rank(card)));
            cards.swap_remove(place.expect("the shoe holds these cards"));
        }
        Deck { cards }
    }

    fn draw(&mut self, numbers: &mut impl Numbers) -> Card {
        let left = u32::try_from(self.cards.len()).expect("at most eight decks");
        self.cards.swap_remove(below(left, numbers) as usize)
    }

    /// Draws until a card fits; the others stay.
    fn draw_that(&mut self, numbers: &mut impl Numbers, fits: impl Fn(Card) -> bool) -> Card {
        let left = u32::try_from(self.cards.len()).expect("at most eight decks");
        loop {
            let place = below(left, numbers) as usize;
            if fits(self.cards[place]) {
                return self.cards.swap_remove(place);
            }
        }
    }
}

/// A small seeded source of numbers (SplitMix64).
pub(super) struct SplitMix(pub(super) u64);

impl Numbers for SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
