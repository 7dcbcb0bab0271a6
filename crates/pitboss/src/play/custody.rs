//! The dealer's custody of the cards: shuffle, burn card, cut card, discard rack.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use rules::card::Card;
use rules::shoe;
use rules::terms::TermSheet;
use rules::wager::Game;

/// When the cards are shuffled again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Supply {
    /// A shoe with so many cards behind the cut card.
    Shoe { behind: usize },
    /// A continuous shuffler takes every card back after each round (FBB-R19).
    Continuous,
    /// One deck, shuffled for each round.
    FreshDeck,
}

/// Every card of the table, wherever it is.
pub(crate) struct Custody {
    /// What is to come; the last one is next.
    stack: Vec<Card>,
    on_table: Vec<Card>,
    /// The discard rack.
    discards: Vec<Card>,
    burned: Option<Card>,
    supply: Supply,
    decks: usize,
    /// Whether the shoe ran out, so that it is shuffled after the round (G-18).
    ran_out: bool,
    chance: ChaCha20Rng,
}

impl Custody {
    pub(crate) fn new(sheet: &TermSheet, chance: ChaCha20Rng) -> Custody {
        let decks = shoe::decks(sheet);
        let discards: Vec<Card> = (0..decks).flat_map(|_| shoe::deck(sheet.game())).collect();
        Custody {
            supply: supply(sheet),
            stack: Vec::new(),
            on_table: Vec::new(),
            discards,
            burned: None,
            decks,
            ran_out: false,
            chance,
        }
    }

    /// Clears the table, and shuffles where it is due: then there is something to announce.
    pub(crate) fn prepare(&mut self) -> Option<String> {
        let is_first = self.stack.is_empty() && self.burned.is_none() && self.on_table.is_empty();
        self.discards.append(&mut self.on_table);
        match self.supply {
            Supply::FreshDeck => {
                self.shuffle_all();
                is_first.then(|| "One deck, shuffled for every round; nothing is burned.".into())
            }
            Supply::Continuous => {
                self.shuffle_all();
                is_first.then(|| {
                    self.burn();
                    let (decks, cards) = (self.decks, self.stack.len() + 1);
                    format!(
                        "A shuffling machine with {decks} decks, {cards} cards, takes them back \
                         after every round. One card is burned face down."
                    )
                })
            }
            Supply::Shoe { behind } if is_first || self.ran_out || self.stack.len() <= behind => {
                let why = match is_first {
                    true => "New shoe: ",
                    false => "The cut card is out, so the shoe is shuffled: ",
                };
                self.discards.extend(self.burned.take());
                self.shuffle_all();
                let (decks, cards) = (self.decks, self.stack.len());
                self.burn();
                Some(format!(
                    "{why}{decks} decks, {cards} cards, the cut card {behind} from the back, one \
                     card burned."
                ))
            }
            Supply::Shoe { .. } => None,
        }
    }

    /// The next card, and whether the discards had to be shuffled for it (G-18).
    pub(crate) fn draw(&mut self) -> (Card, bool) {
        let ran_out = self.stack.is_empty();
        if ran_out {
            self.ran_out = true;
            std::mem::swap(&mut self.stack, &mut self.discards);
            self.shuffle();
            let burned = self.stack.pop();
            self.discards.extend(burned);
        }
        let card = self.stack.pop().expect("two decks have more points than a table can take");
        self.on_table.push(card);
        (card, ran_out)
    }

    /// The card burned for this shoe.
    pub(crate) fn burned(&self) -> Option<Card> {
        self.burned
    }

    /// How many cards come before the cut card, where there is one.
    pub(crate) fn before_cut_card(&self) -> Option<usize> {
        match self.supply {
            Supply::Shoe { behind } => Some(self.stack.len().saturating_sub(behind)),
            _ => None,
        }
    }

    fn burn(&mut self) {
        self.burned = self.stack.pop();
    }

    fn shuffle_all(&mut self) {
        self.ran_out = false;
        self.stack.append(&mut self.discards);
        self.shuffle();
    }

    /// Puts the stack in an order that is as likely as any other.
    fn shuffle(&mut self) {
        let mut numbers = || self.chance.next_u64();
        for (left, place) in (1..=self.stack.len()).rev().zip((0..self.stack.len()).rev()) {
            let left = u32::try_from(left).expect("a shoe has a few hundred cards");
            self.stack.swap(place, shoe::below(left, &mut numbers) as usize);
        }
    }
}

/// How a table's cards are kept, by its terms.
fn supply(sheet: &TermSheet) -> Supply {
    if sheet.game() == Game::FreeBet && sheet.word("shuffle_method") == "continuous" {
        return Supply::Continuous;
    }
    match shoe::behind_cut_card(sheet) {
        Some(behind) => Supply::Shoe { behind },
        None => Supply::FreshDeck,
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    fn custody(game: Game, choices: &[(&str, &str)]) -> Custody {
        let mut sheet = TermSheet::new(game);
        sheet.set(choices.iter().copied()).unwrap();
        Custody::new(&sheet, ChaCha20Rng::seed_from_u64(1))
    }

    fn cards(custody: &Custody) -> Vec<Card> {
        let mut cards = [&custody.stack[..], &custody.on_table, &custody.discards].concat();
        cards.extend(custody.burned);
        cards.sort();
        cards
    }

    #[test]
    fn a_shoe_is_dealt_to_the_cut_card() {
        let mut custody = custody(Game::DoubleDeck, &[]);
        let all = cards(&custody);
        assert!(custody.prepare().unwrap().starts_with("New shoe: 2 decks, 104 cards"));
        assert_eq!(custody.before_cut_card(), Some(103 - 35));
        for _ in 0..67 {
            custody.draw();
        }
        assert_eq!(custody.prepare(), None);
        custody.draw();
        assert!(custody.prepare().unwrap().starts_with("The cut card is out"));
        assert_eq!(cards(&custody), all);
        assert!(custody.burned().is_some());
    }

    #[test]
    fn an_empty_shoe_takes_the_discards_and_is_shuffled_after_the_round() {
        let mut custody = custody(Game::DoubleDeck, &[]);
        let all = cards(&custody);
        custody.prepare();
        (0..60).for_each(|_| _ = custody.draw());
        custody.prepare();
        let ran_out = (0..50).filter(|_| custody.draw().1).count();
        assert_eq!(ran_out, 1);
        assert_eq!(cards(&custody), all);
        assert!(custody.prepare().is_some());
        assert_eq!(cards(&custody), all);
    }

    #[test]
    fn each_book_has_its_own_supply() {
        let mut stud = custody(Game::DoubleDownStud, &[]);
        assert!(stud.prepare().is_some());
        assert_eq!((stud.stack.len(), stud.burned()), (52, None));
        stud.draw();
        assert_eq!(stud.prepare(), None);
        assert_eq!(stud.stack.len(), 52);
        let attack = custody(Game::DoubleAttack, &[]);
        assert_eq!(attack.supply, Supply::Shoe { behind: 96 });
        let mut machine = custody(Game::FreeBet, &[("shuffle_method", "continuous")]);
        assert!(machine.prepare().is_some());
        machine.draw();
        assert_eq!(machine.prepare(), None);
        assert_eq!(machine.stack.len(), 311);
    }
}
