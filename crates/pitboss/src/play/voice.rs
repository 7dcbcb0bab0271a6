//! The dealer's voice: what happens, one sentence at a time.

use rules::card::Card;
use rules::money::Chips;
use rules::round::{Act, Call, Event, Place};
use rules::wager::{Bettor, Circle, Game};

use super::draw;
use super::felt::{Felt, Hand};

/// Who a sentence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    You,
    Box(usize),
    Dealer,
}

/// Makes sentences of events; what one does in a row is one sentence.
#[derive(Debug)]
pub(crate) struct Voice {
    game: Game,
    me: usize,
    subject: Option<Subject>,
    parts: Vec<String>,
    said: Vec<String>,
    /// The verb of the last part, where it may be left out next.
    last_verb: Option<String>,
    burned: usize,
}

/// Cards that begin a war (CW-8-f).
const WAR_BURNS: usize = 3;

impl Voice {
    pub(crate) fn new(game: Game, me: usize) -> Voice {
        let (parts, said) = (Vec::new(), Vec::new());
        Voice { game, me, subject: None, parts, said, last_verb: None, burned: 0 }
    }

    /// Everything that was not said yet.
    pub(crate) fn speak(&mut self) -> Vec<String> {
        self.end_sentence();
        std::mem::take(&mut self.said)
    }

    /// A sentence of its own.
    pub(crate) fn announce(&mut self, sentence: &str) {
        self.end_sentence();
        self.said.push(sentence.to_owned());
    }

    /// Hears an event; the felt shows what came of it.
    pub(crate) fn hear(&mut self, event: &Event, felt: &Felt) {
        match *event {
            Event::Dealt { place: Place::Dealer, card, .. } => self.dealer_card(card, felt),
            Event::Dealt { place: Place::Hand { seat, hand }, card, .. } => {
                self.hand_card(seat.into(), hand.into(), card, felt);
            }
            Event::FaceDown(Place::Burn) => {
                self.burned += 1;
                if self.burned == WAR_BURNS {
                    self.announce("Three cards are burned.");
                }
            }
            Event::Turned(card) => {
                let total = self.total(&felt.dealer);
                self.add(Subject::Dealer, format!("turns over {}{total}", draw::name(card)));
            }
            Event::Peeked { natural: true } => self.announce("The dealer has a blackjack."),
            Event::Peeked { natural: false } => self.announce("The dealer has no blackjack."),
            Event::Staked { bettor, circle, amount, .. } => self.staked(bettor, circle, amount),
            Event::Lammer { bettor, circle, .. } => {
                let verb = if circle == Circle::Split { "split" } else { "double" };
                self.does(bettor, verb, " free");
            }
            Event::Acted(bettor, act) => self.acted(bettor, act, felt),
            _ => {}
        }
    }

    fn acted(&mut self, bettor: Bettor, act: Act, felt: &Felt) {
        match act.call() {
            Call::Stand => {
                let is_mine = bettor.seat() == self.me;
                let total = match felt.hands(bettor.seat()) {
                    [hand] => hand.points(is_mine).map(|points| points.total()),
                    _ => None,
                };
                let is_known = self.subject == Some(self.subject_of(bettor));
                let on = total.filter(|_| !is_known).map(|total| format!(" on {total}"));
                self.does(bettor, "stand", &on.unwrap_or_default());
            }
            Call::Surrender => self.does(bettor, "surrender", ""),
            Call::EvenMoney => self.does(bettor, "take", " even money"),
            _ => {}
        }
    }

    /// Chips added during the round; those of the opening are seen on the felt.
    fn staked(&mut self, bettor: Bettor, circle: Circle, amount: Chips) {
        match circle {
            Circle::War => self.does(bettor, "go", &format!(" to war with {amount} more")),
            Circle::WarTie => self.does(bettor, "bet", &format!(" {amount} on another tie")),
            Circle::Double => self.does(bettor, "double", &format!(" with {amount} more")),
            Circle::Split => self.does(bettor, "split", &format!(" with {amount} more")),
            Circle::Attack => self.does(bettor, "attack", &format!(" with {amount} more")),
            Circle::Insurance => self.does(bettor, "insure", &format!(" with {amount}")),
            _ => {}
        }
    }

    fn dealer_card(&mut self, card: Card, felt: &Felt) {
        if felt.dealer.cards.len() > 1 && self.game != Game::DoubleDownStud {
            let total = self.total(&felt.dealer);
            self.add(Subject::Dealer, format!("draws {}{total}", draw::name(card)));
        }
    }

    /// A card to a hand; those of the first deal are seen on the felt.
    fn hand_card(&mut self, seat: usize, hand: usize, card: Card, felt: &Felt) {
        let hands = felt.hands(seat);
        let here = &hands[hand];
        let dealt = if self.game == Game::CasinoWar { 1 } else { 2 };
        let bettor = Bettor::at(seat);
        if here.cards.len() > dealt || hands.len() > 1 {
            let which = match hands.len() {
                1 => String::new(),
                _ => format!(" for hand {}", hand + 1),
            };
            let total = self.total_of(here, seat);
            self.does(bettor, "draw", &format!(" {}{which}{total}", draw::name(card)));
        } else if self.game.is_blackjack() && here.is_natural(seat == self.me) {
            let subject = self.subject_of(bettor);
            let have = if subject == Subject::You { "have" } else { "has" };
            self.add(subject, format!("{have} a blackjack"));
        }
    }

    /// The total in brackets, where the game counts and the cards are seen.
    fn total(&self, hand: &Hand) -> String {
        match hand.points(false).filter(|_| self.game.is_blackjack()) {
            Some(points) if points.is_bust() => format!(" ({}, bust)", points.total()),
            Some(points) => format!(" ({})", points.total()),
            None => String::new(),
        }
    }

    fn total_of(&self, hand: &Hand, seat: usize) -> String {
        match hand.seen(seat == self.me) {
            Some(cards) => {
                let cards = cards.into_iter().map(super::felt::FeltCard::Open).collect();
                self.total(&Hand { cards, stakes: Vec::new() })
            }
            None => String::new(),
        }
    }

    const fn subject_of(&self, bettor: Bettor) -> Subject {
        if bettor.seat() == self.me { Subject::You } else { Subject::Box(bettor.seat()) }
    }

    fn does(&mut self, bettor: Bettor, verb: &str, rest: &str) {
        let subject = self.subject_of(bettor);
        let ending = match (subject, verb) {
            (Subject::You, _) => "",
            (_, "go") => "es",
            _ => "s",
        };
        self.add(subject, format!("{verb}{ending}{rest}"));
    }

    fn add(&mut self, subject: Subject, part: String) {
        if self.subject != Some(subject) {
            self.end_sentence();
            self.subject = Some(subject);
        }
        // Several cards in a row need the verb only once.
        let verb = part.split(' ').next().filter(|verb| verb.starts_with("draw"));
        let again = verb.filter(|verb| self.last_verb.as_deref() == Some(verb));
        let words = again.and_then(|verb| part.strip_prefix(verb)).unwrap_or(&part);
        self.parts.push(words.trim_start().to_owned());
        self.last_verb = verb.map(str::to_owned);
    }

    fn end_sentence(&mut self) {
        let Some(subject) = self.subject.take() else { return };
        self.last_verb = None;
        let name = match subject {
            Subject::You => "You".to_owned(),
            Subject::Box(seat) => format!("Box {}", seat + 1),
            Subject::Dealer => "The dealer".to_owned(),
        };
        self.said.push(format!("{name} {}.", self.parts.join(", ")));
        self.parts.clear();
    }
}

#[cfg(test)]
mod tests {
    use rules::round::{Audience, Record};

    use super::*;

    fn heard(game: Game, me: usize, events: &[Event]) -> Vec<String> {
        let (mut felt, mut voice) = (Felt::default(), Voice::new(game, me));
        for event in events {
            felt.note(*event);
            voice.hear(event, &felt);
        }
        voice.speak()
    }

    fn dealt(place: Place, card: &str, audience: Audience) -> Event {
        Event::Dealt { place, card: card.parse().unwrap(), audience }
    }

    #[test]
    fn what_one_does_in_a_row_is_one_sentence() {
        let place = Place::hand(2, 0);
        let bettor = Bettor::at(2);
        let open = Audience::Everyone;
        let events = [
            dealt(place, "Ts", open),
            dealt(place, "2s", open),
            Event::Acted(bettor, Act::Call(Call::Hit)),
            dealt(place, "5d", open),
            Event::Acted(bettor, Act::Call(Call::Stand)),
            dealt(Place::Dealer, "9h", open),
            dealt(Place::Dealer, "7h", open),
            dealt(Place::Dealer, "Td", open),
        ];
        assert_eq!(
            heard(Game::FreeBet, 0, &events),
            ["Box 3 draws 5♦ (17), stands.", "The dealer draws 7♥ (16), 10♦ (26, bust)."]
        );
        assert_eq!(heard(Game::FreeBet, 2, &events[..5])[0], "You draw 5♦ (17), stand.");
    }

    #[test]
    fn held_cards_are_not_given_away() {
        let place = Place::hand(2, 0);
        let bettor = Bettor::at(2);
        let events = [
            dealt(place, "As", Audience::Box(2)),
            dealt(place, "2s", Audience::Box(2)),
            dealt(place, "5d", Audience::Everyone),
            Event::Acted(bettor, Act::Call(Call::Stand)),
        ];
        assert_eq!(heard(Game::DoubleDeck, 0, &events), ["Box 3 draws 5♦, stands."]);
        assert_eq!(heard(Game::DoubleDeck, 2, &events), ["You draw 5♦ (18), stand."]);
    }
}
