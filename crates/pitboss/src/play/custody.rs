//! The dealer's custody of the cards: the shoe, its shuffles and its burn card.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use rules::card::Card;
use rules::shoe::{self, Shoe};
use rules::terms::TermSheet;

/// The shoe of a table in the terminal.
pub(crate) struct Custody {
    shoe: Shoe,
    /// What kind of shoe it is, in a sentence for whoever sits down.
    about: String,
    is_continuous: bool,
    is_new: bool,
    /// Whether all cards were shuffled for this round.
    is_shuffled: bool,
    burned: Option<Card>,
    chance: ChaCha20Rng,
}

impl Custody {
    pub(crate) fn new(sheet: &TermSheet, chance: ChaCha20Rng) -> Custody {
        let shoe = Shoe::new(sheet);
        let is_continuous = shoe::is_continuous(sheet);
        let (decks, cards) = (shoe::decks(sheet), shoe.left());
        let about = match shoe::behind_cut_card(sheet) {
            Some(behind) => format!(
                "{decks} decks, {cards} cards, the cut card {behind} from the back, one card burned."
            ),
            None if is_continuous => format!(
                "A continuous shuffling machine with {decks} decks, {cards} cards, takes the cards \
                 back after every round. One card is burned face down."
            ),
            None => "One deck, shuffled for every round; nothing is burned.".to_owned(),
        };
        Custody {
            shoe,
            about,
            is_continuous,
            is_new: true,
            is_shuffled: false,
            burned: None,
            chance,
        }
    }

    /// Clears the table, and shuffles where it is due: then there may be something to announce.
    pub(crate) fn prepare(&mut self) -> Option<String> {
        let is_new = std::mem::take(&mut self.is_new);
        let has_cut_card = self.shoe.before_cut_card().is_some();
        let is_shuffled = is_new || self.shoe.is_spent();
        self.is_shuffled = is_shuffled || self.is_continuous;
        match self.is_continuous && !is_new {
            true => self.shoe.shuffle_on(),
            false if is_shuffled => {
                self.burned = self.shoe.shuffle(&mut || self.chance.next_u64());
            }
            false => {}
        }
        self.shoe.begin_round();
        let about = &self.about;
        match (is_new, self.shoe.before_cut_card()) {
            (true, Some(_)) => Some(format!("New shoe: {about}")),
            (true, None) => Some(about.clone()),
            (false, Some(_)) if is_shuffled && has_cut_card => {
                Some(format!("The cut card is out, so the shoe is shuffled: {about}"))
            }
            (false, Some(_)) if is_shuffled => Some(format!("All cards are shuffled: {about}")),
            (false, _) => None,
        }
    }

    /// The next card, and whether the discards had to be shuffled for it (G-18).
    pub(crate) fn draw(&mut self) -> (Card, bool) {
        let is_empty = self.shoe.left() == 0;
        let card = self.shoe.draw(&mut || self.chance.next_u64());
        (card.expect("a shoe has more cards than a table can take"), is_empty)
    }

    /// Whether all cards were shuffled for this round.
    pub(crate) fn is_shuffled(&self) -> bool {
        self.is_shuffled
    }

    /// The card burned for this shoe.
    pub(crate) fn burned(&self) -> Option<Card> {
        self.burned
    }

    /// How many cards come before the cut card, where there is one.
    pub(crate) fn before_cut_card(&self) -> Option<usize> {
        self.shoe.before_cut_card()
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;
    use rules::wager::Game;

    use super::*;

    fn custody(game: Game, choices: &[(&str, &str)]) -> Custody {
        let mut sheet = TermSheet::new(game);
        sheet.set(choices.iter().copied()).unwrap();
        Custody::new(&sheet, ChaCha20Rng::seed_from_u64(1))
    }

    fn deal(custody: &mut Custody, cards: usize) {
        (0..cards).for_each(|_| _ = custody.draw());
    }

    /// 104 cards, one burned, 35 behind the cut card: 68 come before it.
    #[test]
    fn a_shoe_is_dealt_until_the_cut_card_is_out() {
        let mut custody = custody(Game::DoubleDeck, &[]);
        assert!(custody.prepare().unwrap().starts_with("New shoe: 2 decks, 104 cards"));
        assert_eq!(custody.before_cut_card(), Some(68));
        deal(&mut custody, 68);
        // The cut card lies on top: one more round (FBB-6-d, FBB-R20).
        assert_eq!(custody.prepare(), None);
        deal(&mut custody, 1);
        assert!(custody.prepare().unwrap().starts_with("The cut card is out"));
        assert_eq!(custody.before_cut_card(), Some(68));
        assert!(custody.burned().is_some());
    }

    #[test]
    fn an_empty_shoe_takes_the_discards_and_is_shuffled_after_the_round() {
        let mut custody = custody(Game::DoubleDeck, &[]);
        custody.prepare();
        deal(&mut custody, 60);
        custody.prepare();
        let ran_out = (0..50).filter(|_| custody.draw().1).count();
        assert_eq!(ran_out, 1);
        assert!(custody.prepare().unwrap().starts_with("All cards are shuffled"));
    }

    #[test]
    fn each_book_has_its_own_supply() {
        let mut stud = custody(Game::DoubleDownStud, &[]);
        assert!(stud.prepare().is_some());
        assert_eq!((stud.shoe.left(), stud.burned()), (52, None));
        deal(&mut stud, 1);
        assert_eq!(stud.prepare(), None);
        assert_eq!(stud.shoe.left(), 52);
        let mut machine = custody(Game::FreeBet, &[("shuffle_method", "continuous")]);
        assert!(machine.prepare().is_some());
        let burned = machine.burned();
        deal(&mut machine, 1);
        assert_eq!(machine.prepare(), None);
        assert_eq!((machine.shoe.left(), machine.burned()), (311, burned));
    }
}
