//! What a shoe is made of, and cards drawn from it in fair order.

use crate::card::Card;
use crate::terms::TermSheet;
use crate::wager::Game;

/// A source of numbers. The house passes the operating system's entropy, a simulator a seed.
pub trait Numbers {
    /// The next 64 random bits.
    fn next(&mut self) -> u64;
}

impl<F: FnMut() -> u64> Numbers for F {
    #[inline]
    fn next(&mut self) -> u64 {
        self()
    }
}

/// The next number below `bound`, each one equally likely.
#[inline]
#[allow(clippy::cast_possible_truncation)]
pub fn below(bound: u32, numbers: &mut impl Numbers) -> u32 {
    assert!(bound > 0);
    let mut product = (numbers.next() as u32) as u64 * bound as u64;
    if (product as u32) < bound {
        let short = bound.wrapping_neg() % bound;
        while (product as u32) < short {
            product = (numbers.next() as u32) as u64 * bound as u64;
        }
    }
    (product >> 32) as u32
}

/// How many decks of a game's cards a shoe holds.
pub fn decks(sheet: &TermSheet) -> usize {
    let fixed = sheet.game().book().deck.count;
    usize::from(fixed.unwrap_or_else(|| sheet.count("decks")))
}

/// The cards of one deck of a game.
pub fn deck(game: Game) -> impl Iterator<Item = Card> {
    Card::DECK.into_iter().filter(move |&card| game.book().deck.holds(card))
}

/// How many cards a shoe holds.
pub fn cards(sheet: &TermSheet) -> usize {
    decks(sheet) * deck(sheet.game()).count()
}

/// How many cards lie behind the cut card; `quarter` is a quarter of the shoe (G-12).
///
/// None where the cards are shuffled for every round (DDS-4-a, FBB-4-i, FBB-R19).
pub fn behind_cut_card(sheet: &TermSheet) -> Option<usize> {
    (!is_continuous(sheet)).then(|| cut_card_depth(sheet)).flatten()
}

/// Where the terms put the cut card, used or not.
pub(crate) fn cut_card_depth(sheet: &TermSheet) -> Option<usize> {
    let depth = || sheet.number("cut_card_depth").map_or(cards(sheet) / 4, |depth| depth as usize);
    sheet.has("cut_card_depth").then(depth)
}

/// Whether a continuous machine takes the cards back after every round (FBB-R19).
#[doc(alias = "FBB-4-i")]
pub fn is_continuous(sheet: &TermSheet) -> bool {
    sheet.choice("shuffle_method") == Some("continuous")
}

/// How many cards are burned before the first round of a shoe.
pub fn burned(sheet: &TermSheet) -> usize {
    sheet.game().book().handling.burned
}

/// Whether burned cards are shown to a player who asks (DAB-7-c, G-13).
pub fn shows_burn(sheet: &TermSheet) -> bool {
    sheet.game().book().handling.shows_burn || sheet.choice("disclose_burn") == Some("on")
}

/// Whether a shoe with this many cards left is finished when the round is over.
///
/// The cut card comes out with the first card behind it, and that round is the last one. A cut card
/// that lies on top when a round begins has not come out yet, so that round is still dealt (FBB-R20).
#[doc(alias("CW-7-d", "DAB-7-j", "FBB-6-d"))]
#[inline]
pub const fn is_spent(left: usize, behind_cut_card: usize) -> bool {
    left < behind_cut_card
}

/// Stands for the cards behind a cut card where there is none: the shoe is spent after every round.
pub const NO_CUT_CARD: usize = usize::MAX;

/// How many cards a round continues with when the shoe is empty: all except those on the table.
///
/// They are shuffled, and as many are burned as from a new shoe; after the round all cards are
/// shuffled (G-18). None where no card would be left to deal.
#[doc(alias("DAB-15-h", "FBB-11-g"))]
pub const fn refill(cards: usize, on_table: usize, burned: usize) -> Option<usize> {
    match cards.checked_sub(on_table) {
        Some(discards) if discards > burned => Some(discards),
        _ => None,
    }
}

/// The most cards in a shoe: eight decks (CW-2-a, FBB-2-a).
pub const MOST_CARDS: usize = 8 * 52;

/// The next power of two, so that a masked index is always within it; a handful more lies beyond.
const ROOM: usize = MOST_CARDS.next_power_of_two();

/// How many cards one random number puts in order: as many as leave almost no chance of rejecting the
/// number, and with one deck as many as a round of Double Down Stud takes.
const OF_ONE_DECK: usize = 5;
const OF_TWO_DECKS: usize = 8;
const OF_MORE: usize = 6;
const MOST_AT_ONCE: usize = OF_TWO_DECKS;

/// At least the number of orders that one random number chooses from.
const MOST_ORDERS: u64 = 104_u64.pow(8);
const _: () = assert!(MOST_ORDERS > 416_u64.pow(6) && MOST_ORDERS > 52_u64.pow(5));

/// A shoe with its burn card and cut card, whose cards are shuffled as they are drawn, a handful ahead.
#[derive(Clone, Debug)]
pub struct Shoe {
    /// The cards left, of which the last ones are in fair order, then those drawn.
    cards: [Card; ROOM + MOST_AT_ONCE],
    /// The cards of a new shoe.
    new: [Card; ROOM + MOST_AT_ONCE],
    size: usize,
    left: usize,
    /// How many of the cards left are not in fair order yet.
    unshuffled: usize,
    /// How many cards are burned after a shuffle.
    burned: usize,
    /// How many cards the terms put behind the cut card.
    behind: usize,
    /// The same for this shoe; a shoe of discards has no cut card.
    behind_now: usize,
    /// How many cards were left when the round began, plus those it already had from the shoe before.
    before_round: usize,
}

impl Shoe {
    /// A full shoe of the cards that the terms ask for.
    pub fn new(sheet: &TermSheet) -> Shoe {
        let (mut cards, mut size) = ([Card::DECK[0]; ROOM + MOST_AT_ONCE], 0);
        for _ in 0..decks(sheet) {
            for card in deck(sheet.game()) {
                cards[size] = card;
                size += 1;
            }
        }
        let (burned, behind) = (burned(sheet), behind_cut_card(sheet).unwrap_or(NO_CUT_CARD));
        Shoe {
            cards,
            new: cards,
            size,
            left: size,
            unshuffled: size,
            burned,
            behind,
            behind_now: behind,
            before_round: size,
        }
    }

    /// The same without a cut card, so that the cards are shuffled for every round.
    #[must_use]
    pub fn without_cut_card(self) -> Shoe {
        Shoe { behind: NO_CUT_CARD, behind_now: NO_CUT_CARD, ..self }
    }

    /// Shuffles all cards and burns as the book says. Returns the last card burned.
    #[inline]
    pub fn shuffle(&mut self, numbers: &mut impl Numbers) -> Option<Card> {
        self.gather(self.size);
        // All cards before the cut card will be drawn.
        self.shuffle_ahead(self.size.saturating_sub(self.behind), numbers);
        let mut burned = None;
        for _ in 0..self.burned {
            burned = self.draw(numbers);
        }
        burned
    }

    /// Shuffles all cards but the burn card, as a continuous machine does after a round (FBB-R19).
    pub fn shuffle_on(&mut self) {
        self.gather(self.size - self.burned);
    }

    fn gather(&mut self, cards: usize) {
        self.left = cards;
        self.unshuffled = cards;
        self.behind_now = self.behind;
    }

    /// Puts every card back where it was in the new shoe, so that the same numbers draw the same
    /// cards, whatever was drawn before.
    #[inline]
    pub fn renew(&mut self) {
        const PART: usize = 64;
        let (new, _) = self.new.as_chunks::<PART>();
        let (cards, _) = self.cards.as_chunks_mut::<PART>();
        for (cards, new) in cards.iter_mut().zip(new).take(self.size.div_ceil(PART)) {
            *cards = *new;
        }
    }

    /// Leaves it to the numbers to come in which order the cards left are drawn.
    pub fn reorder(&mut self) {
        self.unshuffled = self.left;
    }

    /// A round begins: all cards drawn before it are discards.
    #[inline]
    pub fn begin_round(&mut self) {
        self.before_round = self.left;
    }

    /// Draws one of the cards left, each equally likely; from the discards where the shoe is empty
    /// (G-18). None where those are on the table too.
    #[inline]
    pub fn draw(&mut self, numbers: &mut impl Numbers) -> Option<Card> {
        if self.left == self.unshuffled && !self.shuffle_more(numbers) {
            return None;
        }
        self.left -= 1;
        Some(self.cards[self.left % ROOM])
    }

    /// Draws several cards at once; none where the shoe does not have that many.
    #[inline]
    pub fn draw_some<const N: usize>(&mut self, numbers: &mut impl Numbers) -> Option<[Card; N]> {
        const { assert!(N <= MOST_AT_ONCE) };
        if self.left - self.unshuffled < N {
            if self.left < N {
                return None;
            }
            self.shuffle_ahead(N, numbers);
        }
        self.left -= N;
        let first = self.left % ROOM;
        Some(std::array::from_fn(|card| self.cards[first + N - 1 - card]))
    }

    /// How many cards are left.
    #[inline]
    pub fn left(&self) -> usize {
        self.left
    }

    /// How many cards come before the cut card, where there is one.
    pub fn before_cut_card(&self) -> Option<usize> {
        (self.behind_now != NO_CUT_CARD).then(|| self.left.saturating_sub(self.behind_now))
    }

    /// The cards of a new shoe, from the bottom up, before any shuffle.
    pub fn new_cards(&self) -> &[Card] {
        &self.new[..self.size]
    }

    /// How many cards one random number puts in order, of a shoe that has [`AT_ONCE`](Self::AT_ONCE)
    /// cards left or more; of fewer, each number places one.
    pub const fn handful(&self) -> usize {
        match self.size {
            0..=52 => OF_ONE_DECK,
            53..=104 => OF_TWO_DECKS,
            _ => OF_MORE,
        }
    }

    /// See [`handful`](Self::handful).
    pub const AT_ONCE: usize = MOST_AT_ONCE;

    /// Whether the round just played was the last one of this shuffle.
    #[inline]
    pub fn is_spent(&self) -> bool {
        is_spent(self.left, self.behind_now)
    }

    /// Puts this many of the cards left in order, where it is known that they will be drawn; it is the
    /// order in which they would be drawn one by one.
    #[inline]
    fn shuffle_ahead(&mut self, cards: usize, numbers: &mut impl Numbers) {
        while self.left - self.unshuffled < cards && self.unshuffled > 0 {
            self.shuffle_more(numbers);
        }
    }

    /// Puts a handful more in order, of the discards where the shoe is empty; false where there are
    /// none.
    #[inline(never)]
    fn shuffle_more(&mut self, numbers: &mut impl Numbers) -> bool {
        match self.unshuffled {
            0 => return self.refill(numbers),
            1..MOST_AT_ONCE => self.shuffle_some::<1>(numbers),
            _ => match self.handful() {
                OF_ONE_DECK => self.shuffle_some::<OF_ONE_DECK>(numbers),
                OF_TWO_DECKS => self.shuffle_some::<OF_TWO_DECKS>(numbers),
                _ => self.shuffle_some::<OF_MORE>(numbers),
            },
        }
        true
    }

    /// Shuffles the discards of an empty shoe and burns as from a new one (G-18).
    #[cold]
    fn refill(&mut self, numbers: &mut impl Numbers) -> bool {
        // The round has all that was left when it began, at the indices from which it was drawn.
        let on_table = self.before_round;
        let Some(discards) = refill(self.size, on_table, self.burned) else { return false };
        self.cards[..self.size].rotate_left(on_table);
        self.left = discards;
        self.unshuffled = discards;
        self.behind_now = NO_CUT_CARD;
        for _ in 0..self.burned {
            self.draw(numbers);
        }
        self.before_round = self.left + on_table;
        self.left > self.unshuffled || self.shuffle_more(numbers)
    }

    /// Puts `COUNT` more cards in order, each equally likely to be any of those not in order.
    ///
    /// A random fraction times the number of cards gives the index of one, and the fraction left over
    /// decides the next. A number that would make some orders likelier than others is rejected, and
    /// another one decides the same draws again; the cards were only moved about.
    #[inline]
    fn shuffle_some<const COUNT: usize>(&mut self, numbers: &mut impl Numbers) {
        let rest = (self.unshuffled - COUNT) % ROOM;
        let mut fraction = numbers.next();
        for last in (0..COUNT).rev().map(|taken| rest + taken) {
            let place;
            (place, fraction) = times(fraction, last + 1);
            self.cards.swap(place, last);
        }
        self.unshuffled = rest;
        if fraction < MOST_ORDERS {
            self.shuffle_again_if_unfair::<COUNT>(fraction, numbers);
        }
    }

    /// Takes the last draws back where the number is one of those that would favour some orders.
    #[cold]
    #[inline(never)]
    fn shuffle_again_if_unfair<const COUNT: usize>(
        &mut self,
        fraction: u64,
        numbers: &mut impl Numbers,
    ) {
        let orders: u64 = (1..=COUNT).map(|taken| (self.unshuffled + taken) as u64).product();
        if orders.wrapping_neg().checked_rem(orders).is_some_and(|unfair| fraction < unfair) {
            self.unshuffled += COUNT;
            self.shuffle_some::<COUNT>(numbers);
        }
    }
}

/// The whole part and the remaining fraction of a fraction times a factor, in units of 2 to the -64.
#[inline]
#[allow(clippy::cast_possible_truncation)]
const fn times(fraction: u64, factor: usize) -> (usize, u64) {
    let product = fraction as u128 * factor as u128;
    ((product >> 64) as usize, product as u64)
}
