//! The rule book of each game as data: what it is called, its clauses, its cards and circles, and
//! what each refusal rests on. It stands beside the round of its game; common code asks it.

use crate::card::{Card, Rank};
use crate::names::names;
use crate::notation::named;
use crate::refusal::Source;
use crate::round::Call;
use crate::wager::{Circle, Game};

/// Everything that one rule book says, apart from how a round is played.
#[derive(Debug)]
pub struct RuleBook {
    /// The name in the notation and on the command line.
    pub name: &'static str,
    /// The short name, from which a house names its tables.
    pub short: &'static str,
    /// The name on the sign above the table.
    pub title: &'static str,
    /// The prefix of the ids of its clauses and rulings.
    pub prefix: &'static str,
    /// Its clauses as a table: id, kind, title, reason if excused.
    pub(crate) clauses: &'static str,
    /// What its shoe is made of.
    pub deck: Deck,
    /// How its cards are handled.
    pub(crate) handling: Handling,
    /// Instructions for the dealer: step, words and clause.
    pub(crate) notes: &'static [(DealerStep, &'static str, &'static str)],
    /// The circles of its layout, each with what is printed there.
    pub circles: &'static [(Circle, &'static str)],
    /// Whether it forbids side wagers, rather than being silent about them.
    pub forbids_side_wagers: bool,
    /// The calls that players expect at its table, open at the moment or not.
    pub calls: &'static [Call],
    /// Whose points the dealer announces.
    pub(crate) totals: Totals,
    /// Whether a player's blackjack is announced before it is paid.
    pub(crate) says_blackjack: bool,
    /// When "No more bets" is called a second time.
    pub(crate) closes_again: Option<ClosesAgain>,
    /// How irregularities are resolved, where the books differ.
    pub(crate) cures: Cures,
    /// The irregularities it knows, and the source that decides each.
    pub(crate) irregularities: &'static [(Kind, &'static str)],
    /// What each refusal rests on.
    pub(crate) refusals: Refusals,
    /// The codes of refusals that never happen in this game, in lists of words.
    pub(crate) never_refused: &'static [&'static str],
}

/// Codes of refusals, the source that decides them, and sources to see also, separated by blanks.
pub(crate) type Refusals = &'static [(&'static str, &'static str, &'static str)];

/// What a shoe is made of.
#[derive(Clone, Copy, Debug)]
pub struct Deck {
    /// The clause that says so.
    pub clause: &'static str,
    /// The number of decks, where the house cannot choose `decks`.
    pub count: Option<u8>,
    /// A rank that every deck lacks.
    pub without: Option<Rank>,
}

/// How cards are shuffled, cut, burned and replaced, where the house has no choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handling {
    /// Cards burned before the first round of a shoe or of a dealer.
    pub(crate) burned: usize,
    /// Whether a machine shuffles the cards after every round.
    pub(crate) every_round: bool,
    /// Whether a machine shuffles one of two batches while the other is dealt.
    pub(crate) two_batches: bool,
    /// Whether cards that the table's own machine has shuffled are not cut.
    pub(crate) machine_replaces_cut: bool,
    /// Whether a cut leaves a deck at each end, rather than ten cards.
    pub(crate) cut_leaves_a_deck: bool,
    /// Whether the cards can be cut again once they are in the shoe.
    pub(crate) recut_from_shoe: bool,
    /// When new cards are washed.
    pub(crate) washes_new: Wash,
    /// When cards that lay spread at an idle table are washed.
    pub(crate) washes_idle: Wash,
    /// Whether burned cards are always shown to a player who asks.
    pub(crate) shows_burn: bool,
    /// How many hours the same cards may be used, where the book limits it.
    pub(crate) hours_of_decks: Option<u32>,
}

/// When spread cards are washed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wash {
    /// Before every shuffle.
    Always,
    /// Before a shuffle by hand.
    ByHand,
}

/// Whose points the dealer announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Totals {
    /// Nobody's.
    None,
    /// A player's in turn and after each card, and the dealer's own at the end.
    Everyones,
    /// The dealer's own after each card.
    DealersOwn,
}

/// When "No more bets" is called a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClosesAgain {
    /// Before the war deal, when the other hands are picked up.
    War,
    /// Before the face-down card is turned.
    Turn,
}

/// How irregularities are resolved, where the books differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cures {
    /// Whether a wrong number of cards voids all hands, whenever it is found.
    pub(crate) wrong_count_voids: bool,
    /// Whether a card exposed after the first deal is offered from hand to hand.
    pub(crate) open_card_goes_round: bool,
    /// What a second face-up card leads to.
    pub(crate) second_face_up: SecondFaceUp,
    /// Whether face-up cards are counted per round, whatever the house has chosen.
    pub(crate) face_up_by_round: bool,
    /// What happens when the dealer's own card was passed over.
    pub(crate) dealer_missed: DealerMissed,
    /// What happens when the face-down card was seen too early.
    pub(crate) hole_seen: HoleSeen,
    /// What a supervisor may order when the shuffling machine fails.
    pub(crate) shuffler_fault: ShufflerFault,
}

/// What a supervisor may order when the shuffling machine fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShufflerFault {
    /// Restart it.
    Restart,
    /// Restart it, or remove it and shuffle by hand.
    RestartOrRemove,
    /// Restart it, or cover it and shuffle by hand.
    RestartOrCover,
}

/// What a second face-up card leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecondFaceUp {
    /// The round is void; between rounds the cards are shuffled.
    Undone,
    /// The same, or the card is not used, as the supervisor decides.
    UndoneOrUnused,
    /// The card is not used or the cards are shuffled, unless the house voids at two.
    UnusedOrShuffled,
}

/// What happens when the dealer's own card was passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DealerMissed {
    /// Play goes on, and it comes next.
    PlaysOn,
    /// The dealer gets it later.
    Later,
    /// The round is void if it was the first one; the hole card comes later.
    FirstVoids,
}

/// What happens when the face-down card was seen too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HoleSeen {
    /// The round is void; once everyone has answered, it counts as turned.
    VoidsUntilTurn,
    /// It stays open and play goes on, unless the house voids the round.
    StaysOpen,
    /// The same, and players may be released.
    StaysOpenOrLeave,
}

impl Deck {
    /// Whether a deck holds this card.
    #[inline]
    pub const fn holds(&self, card: Card) -> bool {
        match self.without {
            Some(rank) => !card.is(rank),
            None => true,
        }
    }
}

impl RuleBook {
    /// A code that the book does not cite exactly once, as a refusal or as one that never happens.
    pub(crate) const fn miscited(&self, lists: &[&'static [&'static str]]) -> Option<&'static str> {
        let (mut words, mut known, mut list) = (0, 0, 0);
        while list < lists.len() {
            let (codes, mut own, mut common) = (lists[list], [0; MOST_CODES], [0; MOST_CODES]);
            words = count_rows(self.refusals, codes, &mut own);
            let mut never = 0;
            while never < self.never_refused.len() {
                words += count(self.never_refused[never], codes, &mut own);
                never += 1;
            }
            count_rows(IN_EVERY_GAME, codes, &mut common);
            let mut code = 0;
            while code < codes.len() {
                if own[code] > 1 || own[code] + common[code] == 0 {
                    return Some(codes[code]);
                }
                known += own[code];
                code += 1;
            }
            list += 1;
        }
        if known == words { None } else { Some("a word that is not a code") }
    }

    /// What each refusal of this game rests on.
    pub fn citations(&self) -> impl Iterator<Item = Citation> {
        let rows = self.refusals.iter().chain(IN_EVERY_GAME);
        let cited = rows.flat_map(|&(codes, source, see_also)| {
            codes.split(' ').map(move |code| Citation { code, source, see_also })
        });
        let mut seen: Vec<_> = self.never_refused().collect();
        cited.filter(move |citation| {
            let is_new = !seen.contains(&citation.code);
            seen.push(citation.code);
            is_new
        })
    }

    fn never_refused(&self) -> impl Iterator<Item = &'static str> {
        self.never_refused.iter().flat_map(|codes| codes.split(' '))
    }

    /// What the refusal of a code rests on.
    pub fn citation(&self, code: &str) -> Citation {
        let is_refused = self.never_refused().all(|never| never != code);
        debug_assert!(is_refused, "{code} never happens in {}", self.name);
        let mut rows = self.refusals.iter().chain(IN_EVERY_GAME);
        let row = rows.find_map(|&(codes, source, see_also)| {
            let code = codes.split(' ').find(|cited| *cited == code)?;
            Some(Citation { code, source, see_also })
        });
        // What no book covers falls under the ruling on the record.
        row.unwrap_or(Citation { code: "", source: "G-28", see_also: "" })
    }
}

/// More codes than any list has.
const MOST_CODES: usize = 100;

/// Counts each code in the rows of a table; returns the number of words, codes or not.
const fn count_rows(rows: Refusals, codes: &[&str], counts: &mut [usize; MOST_CODES]) -> usize {
    let (mut words, mut row) = (0, 0);
    while row < rows.len() {
        words += count(rows[row].0, codes, counts);
        row += 1;
    }
    words
}

/// Counts each code among words; returns the number of words.
const fn count(words: &str, codes: &[&str], counts: &mut [usize; MOST_CODES]) -> usize {
    let words = words.as_bytes();
    let (mut number, mut start, mut end) = (0, 0, 0);
    while end <= words.len() {
        if end == words.len() || words[end] == b' ' {
            let mut code = 0;
            while code < codes.len() {
                counts[code] += is_at(codes[code].as_bytes(), words, start, end) as usize;
                code += 1;
            }
            (number, start) = (number + 1, end + 1);
        }
        end += 1;
    }
    number
}

/// Whether this word stands at these bounds.
const fn is_at(word: &[u8], words: &[u8], start: usize, end: usize) -> bool {
    let mut i = 0;
    while word.len() == end - start && i < word.len() && words[start + i] == word[i] {
        i += 1;
    }
    i == word.len()
}

/// What a refusal rests on in one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The code of the refusal.
    pub code: &'static str,
    source: &'static str,
    see_also: &'static str,
}

impl Citation {
    /// The source that decides.
    pub const fn source(self) -> Source {
        Source::of(self.source)
    }

    /// The same, decided by another source.
    pub(crate) const fn decided_by(self, source: Source) -> Citation {
        Citation { source: source.id(), ..self }
    }

    /// What else bears on it.
    pub fn see_also(self) -> impl Iterator<Item = Source> {
        self.see_also.split_whitespace().map(Source::of)
    }

    /// Whether this id is the deciding source or one to see also.
    pub fn names(self, id: &str) -> bool {
        self.source == id || self.see_also.split(' ').any(|other| other == id)
    }
}

/// A step of the dealer, for which a book has notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DealerStep {
    /// Cards are received.
    Receive,
    /// Cards are spread.
    Spread,
    /// Cards are mixed by hand.
    Hand,
    /// Cards go into a machine.
    Machine,
    /// One of two batches goes into a machine.
    Batch,
    /// The stack is offered.
    Offer,
    /// The dealer cuts.
    Cut,
    /// The stack goes into the shoe, and a card is burned.
    Burn,
    /// The last card of the stack is hidden.
    Cover,
    /// Wagers are placed.
    Wagers,
    /// A card is dealt from the shoe.
    Card,
    /// A card is dealt from a machine.
    MachineCard,
    /// A card is dealt face down to the dealer.
    Hole,
    /// Cards are burned before the war deal.
    WarBurn,
    /// A card of the war deal.
    WarCard,
    /// Players decide.
    Acts,
    /// The hole card goes into the reader.
    Peek,
    /// The face-down card is turned.
    Turn,
    /// The cards leave the shoe.
    Retire,
}

names! {
    /// A kind of irregularity.
    Kind {
        Misdealt "misdealt" "a card went to the wrong place"
        FaceUp "face-up" "a card lies face up in the shoe"
        Ten "ten" "a ten is in the shoe"
        DrawnUnseen "drawn-unseen" "a card was drawn too early, and nobody saw it"
        DrawnSeen "drawn-seen" "a card was drawn too early, and seen"
        Overdraw "overdraw" "the dealer drew a card too many"
        DealerMissed "dealer-missed" "the dealer's own card was passed over"
        /// In the first deal.
        NoCard "no-card" "a hand got no card"
        /// In the first deal.
        OneCard "one-card" "a hand got one card of two"
        /// After the first deal.
        MissedHit "missed-hit" "a hand was passed over"
        ShufflerFault "shuffler-fault" "the shuffling machine does not work"
        /// Under an up card that cannot make a natural.
        ReaderMisused "reader-misused" "the card reader was used when it may not be"
        ReaderBroken "reader-broken" "the card reader does not work"
        BurnForgotten "burn-forgotten" "a burn card was forgotten"
        HoleSeen "hole-seen" "the face-down card was seen too early"
        BadCut "bad-cut" "the cards were cut badly"
    }
}

impl Kind {
    /// What decides it in a game; none where the game has no such irregularity.
    pub fn source(self, game: Game) -> Option<Source> {
        let mut rows = game.book().irregularities.iter();
        rows.find(|(kind, _)| *kind == self).map(|&(_, id)| Source::of(id))
    }

    /// Whether the system can detect it from cards, devices and counts. The rest takes eyes.
    pub const fn shows_itself(self) -> bool {
        !matches!(
            self,
            Kind::Misdealt | Kind::DrawnUnseen | Kind::DrawnSeen | Kind::HoleSeen | Kind::BadCut
        )
    }
}

named!(Kind: "an irregularity");

/// What refusals rest on, unless the book of the game says otherwise.
#[rustfmt::skip]
const IN_EVERY_GAME: Refusals = &[
    ("seat-taken own-box no-consent has-consent", "G-31", ""),
    ("already-seated not-in-front", "G-29", ""),
    ("not-seated", "G-26", ""),
    ("no-such-seat", "seats", "G-26"),
    ("above-table-maximum", "main_max", "G-07"),
    ("amount-not-taken", "G-07", ""),
    ("cards-come-shuffled cards-are-inspected", "card_supply", ""),
    ("burn-stays-hidden", "disclose_burn", ""),
    ("nothing-bought", "G-08", ""),
    ("buy-in-too-small", "chip_unit", ""),
    ("buy-in-too-large", "G-07", ""),
    ("mid-shoe not-barred", "G-25", ""),
    ("shoe-empty", "G-18", ""),
    ("round-in-play same-dealer other-burn burn-seen", "G-13", ""),
    ("decks-stay", "G-30", ""),
    ("nothing-to-spread not-idle", "G-14", ""),
    ("no-reshuffle", "discretionary_reshuffle", ""),
    ("no-round-yet", "G-27", ""),
    ("not-committed committed-twice list-not-in-order cut-is-named commitments-awaited", "G-11", ""),
    ("other-method", "shuffle_method", ""),
    ("choice-awaited", "G-17", ""),
    ("table-awaits frozen never-here nothing-to-report not-an-outcome other-choice no-such-round \
     correction-amount correction-accounts correction-stranger correction-uncovered reader-works \
     reader-broken", "G-28", ""),
    ("needs-eyes injected-by-supervisor nothing-reported", "G-09", ""),
    ("not-overdue", "G-06", ""),
];
