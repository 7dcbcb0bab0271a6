//! Counts of all the ways in which a round can unfold from a small shoe.
//!
//! A count moves whenever a rule does. Every way also holds the laws that are held by random rounds:
//! what is offered is accepted and nothing else, and every wager is decided once.
//!
//! A way is what the table sees. Cards are told apart by rank and suit alone. A card dealt face down
//! is any of those left, and becomes one of them where it is turned; the reader says whatever a card
//! left can make true, and from then on the hole card is one that agrees. Every bettor asked makes
//! every call that is open, with the least and the most of its amounts (`war` also without any);
//! answers to one joint offer commute, so they are taken in the order of the boxes. A way ends when
//! the round is settled, or is cut short when a card is due and none is left.
//!
//! `perft.csv` holds the counts. The first rows of each game were counted by hand:
//!
//! Casino War, `2c 2d`. Either card comes first, and it is a tie: surrender settles; war without a tie
//! wager, with 1 and with 500 await a burn card that is not there. Settled 2 x 1, cut short 2 x 3.
//!
//! Casino War, `9c` seven times. A tie; surrender settles; three wars burn three cards and tie again.
//! Settled 1 + 3.
//!
//! Casino War, two seats, `9c` three times. Both tie and answer in four ways each; only if both
//! surrender is no burn card due. Settled 1, cut short 4 x 4 - 1.
//!
//! Double Down Stud, five cards. 5 for the seat, 4 x 3 x 2 for the open ones, the last is the hole
//! card; pass, double for 1, double for 10. Settled 5 x 24 x 3. With seven cards 7 x 6 x 5 x 4 ways to
//! deal, three hole cards and three answers; with two seats 7 x 6 for them, 5 x 4 x 3 open cards, two
//! hole cards, and two answers each where a double is exactly the wager.
//!
//! Double Deck, `Kc` four times. Two kings against a king, the reader says no, no card is left to
//! draw. Stand pushes; hit and split await a card; 20 is not doubled. Settled 1, cut short 2.
//!
//! Double Deck, `Ac Kc Kc Kc`, by where the ace goes. First or second card: a natural, paid; 1 each.
//! Up card: pass, insure 1, insure 5, and the reader says yes; 3. Hole card: the reader says yes; 1.
//!
//! Double Attack, `Kc` four times. Up card a king; pass, attack 1, attack 10. Then two kings, and one
//! card is left. Stand and surrender await the dealer's second card and are settled: 2. Hit and two
//! doubles bust, and the dealer's card is missing: 3. Split takes the last card and has again a pair
//! of kings: stand, surrender, hit, two doubles and a split, after each of which one is missing: 6.
//! Settled 3 x 2, cut short 3 x (3 + 6).
//!
//! Free Bet, `Kc` four times. As in Double Deck, but 20 may be doubled for 1 or 10. Settled 1, cut
//! short 4.
//!
//! Free Bet, `Ac Ac Kc Kc`, as first, up, second (and hole) card:
//! A A K (K) and K A A (K): pass, even money, insure 1 or 5, then yes: 4 settled each.
//! A K K (A) and K K A (A): the reader says yes at once: 1 settled each.
//! A K A (K): no; stand is settled, hit, two doubles and a split lack a card: 1 settled, 4 cut short.
//! K A K (A): three answers about insurance; no; hit, two doubles and a split lack a card, and after
//! standing the dealer has two aces and lacks one too: 3 x 5 cut short.
//! Settled 4 + 4 + 1 + 1 + 1, cut short 4 + 15.
//!
//! All other rows are what the program counted when they were written down: they show that a rule
//! moved, not that it was right.

mod common;

use std::fs;
use std::path::Path;
use std::thread;

use common::Law;
use common::ledger::Ledger;
use common::offers::offered_iff_accepted;
use common::play::Input;
use common::table::Table;
use rules::card::Card;
use rules::games::AnyRound;
use rules::money::Cents;
use rules::round::{Act, Amounts, Awaits, Event, Place, Record, Remedy, Round, Statement};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

#[test]
fn every_game_unfolds_as_counted() {
    thread::scope(|scope| {
        for game in Game::ALL {
            scope.spawn(move || count_rows_of(game));
        }
    });
}

/// Counts every row of a game anew and says what it finds instead.
fn count_rows_of(game: Game) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft.csv");
    let text = fs::read_to_string(file).unwrap();
    let prefix = format!("{game},");
    let rows: Vec<_> = text.lines().filter(|row| row.starts_with(&prefix)).collect();
    assert!(!rows.is_empty(), "{game} has rows");
    let wrong: Vec<_> = rows.into_iter().filter_map(|row| found_instead(game, row)).collect();
    assert!(wrong.is_empty(), "{} rows differ; found\n{}", wrong.len(), wrong.join("\n"));
}

/// The row as it should be, where it is not so.
fn found_instead(game: Game, row: &str) -> Option<String> {
    let columns: Vec<_> = row.split(',').collect();
    let [_, terms, seats, wager, cards, settled, cut_short] = columns[..] else {
        panic!("seven columns expected, found {row}");
    };
    let table = table(game, terms, seats, wager);
    let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
    let mut perft = Perft { table: &table, events: Vec::new(), settled: 0, cut_short: 0 };
    let round = table.start(&mut perft.events);
    if let Err(why) = perft.unfold(round, &Rest::new(&cards)) {
        panic!("{row}: {why}\nafter {:#?}", perft.events);
    }
    let found = (perft.settled, perft.cut_short);
    let expected = (settled.parse().unwrap(), cut_short.parse().unwrap());
    (found != expected)
        .then(|| format!("{game},{terms},{seats},{wager},{},{},{}", columns[4], found.0, found.1))
}

/// A table where each of the first boxes has the same wager.
fn table(game: Game, terms: &str, seats: &str, wager: &str) -> Table {
    let mut sheet = TermSheet::new(game);
    let choices = terms.split_whitespace().map(|term| term.split_once('=').unwrap());
    sheet.set(choices).unwrap();
    let words: Vec<_> = wager.split(' ').collect();
    let amounts: Vec<(Circle, Cents)> = words
        .chunks(2)
        .map(|pair| (Circle::named(pair[0]).unwrap(), pair[1].parse().unwrap()))
        .collect();
    let mut table = Table::empty(sheet);
    for seat in 0..seats.parse().unwrap() {
        assert!(table.place(Bettor::at(seat), amounts.clone()), "{wager} is no wager");
    }
    table
}

/// The cards that the table has not seen.
#[derive(Clone)]
struct Rest {
    /// Each different card, and how many of it.
    cards: Vec<(Card, usize)>,
    /// How many of them lie face down, the others being in the shoe.
    face_down: usize,
    /// Whether one of those is the dealer's hole card.
    hole: bool,
    /// What the reader said of it.
    natural: Option<bool>,
}

impl Rest {
    fn new(cards: &[Card]) -> Rest {
        let mut different = cards.to_vec();
        different.sort_unstable();
        different.dedup();
        let count = |card| cards.iter().filter(|&&other| other == card).count();
        let cards = different.into_iter().map(|card| (card, count(card))).collect();
        Rest { cards, face_down: 0, hole: false, natural: None }
    }

    fn in_the_shoe(&self) -> usize {
        self.cards.iter().map(|(_, count)| count).sum::<usize>() - self.face_down
    }

    fn different(&self) -> impl Iterator<Item = Card> {
        self.cards.iter().filter(|(_, count)| *count > 0).map(|(card, _)| *card)
    }

    fn without(&self, card: Card) -> Rest {
        let mut rest = self.clone();
        let place = rest.cards.iter_mut().find(|(other, _)| *other == card);
        place.expect("it is there").1 -= 1;
        rest
    }

    /// What the hole card can be: whatever agrees with the reader.
    fn holes(&self, round: &AnyRound) -> impl Iterator<Item = Card> {
        let agrees =
            |card: &Card| self.natural.is_none_or(|said| said == round.reader_answer(*card));
        self.different().filter(agrees)
    }

    /// Whether the cards face down can still be what they must be.
    fn is_possible(&self, round: &AnyRound) -> bool {
        !self.hole || self.holes(round).next().is_some()
    }
}

/// A count under way.
struct Perft<'a> {
    table: &'a Table,
    events: Vec<Event>,
    settled: u64,
    cut_short: u64,
}

impl Perft<'_> {
    fn unfold(&mut self, round: AnyRound, rest: &Rest) -> Law {
        match round.awaits() {
            Awaits::Card(_) | Awaits::FaceDown(_) if rest.in_the_shoe() == 0 => {
                self.cut_short += 1;
                self.put(round, Input::Remedy(Remedy::Void), rest, |_, _, _| Ok(()))?;
            }
            Awaits::Card(_) => {
                for card in rest.different() {
                    let rest = rest.without(card);
                    if rest.is_possible(&round) {
                        self.put(round, Input::Deal(card), &rest, Self::unfold)?;
                    }
                }
            }
            Awaits::FaceDown(place) => {
                let mut rest = rest.clone();
                rest.face_down += 1;
                rest.hole |= place == Place::Dealer;
                self.put(round, Input::DealFaceDown, &rest, Self::unfold)?;
            }
            Awaits::Peek => {
                for natural in [false, true] {
                    let rest = Rest { natural: Some(natural), ..rest.clone() };
                    if rest.is_possible(&round) {
                        self.put(round, Input::Peek(natural), &rest, Self::unfold)?;
                    }
                }
            }
            Awaits::Turn => {
                for card in rest.holes(&round) {
                    let mut rest = rest.without(card);
                    rest.face_down -= 1;
                    rest.hole = false;
                    self.put(round, Input::Turn(card), &rest, Self::unfold)?;
                }
            }
            Awaits::Acts(asked) => {
                offered_iff_accepted(&round)?;
                let bettor = asked.iter().next().expect("somebody is asked");
                for act in acts(&round, bettor) {
                    self.put(round, Input::Act(bettor, act), rest, Self::unfold)?;
                }
            }
            Awaits::Nobody => self.settled += 1,
        }
        Ok(())
    }

    /// Puts an input and goes on from it; a round that it ends is looked through.
    fn put(
        &mut self,
        mut round: AnyRound,
        input: Input,
        rest: &Rest,
        go_on: impl Fn(&mut Self, AnyRound, &Rest) -> Law,
    ) -> Law {
        let before = self.events.len();
        let taken = input.put(&mut round, &mut self.events);
        taken.map_err(|refusal| format!("{input:?} is awaited, found {refusal:?}"))?;
        if round.awaits() == Awaits::Nobody {
            self.look_through()?;
        }
        go_on(self, round, rest)?;
        self.events.truncate(before);
        Ok(())
    }

    /// Money is conserved, wager by wager.
    fn look_through(&self) -> Law {
        let mut statement = Statement::default();
        self.events.iter().for_each(|event| statement.note(*event));
        assert!(statement.is_balanced(), "{:#?}", self.events);
        Ledger::read(self.table, self.events.iter().copied())
    }
}

/// Every call that is open, with the least and the most of its amounts.
fn acts(round: &AnyRound, bettor: Bettor) -> Vec<Act> {
    let mut acts = Vec::new();
    for call in round.offers(bettor).iter() {
        let amounts = round.amounts(bettor, call);
        if !matches!(amounts, Amounts::Required(_)) {
            acts.push(Act::Call(call));
        }
        if let Amounts::Optional(range) | Amounts::Required(range) = amounts {
            let mut ends = vec![range.least, range.most];
            ends.dedup();
            ends.retain(|_| !range.is_empty());
            acts.extend(ends.into_iter().map(|amount| Act::With(call, amount.into())));
        }
    }
    acts
}
