//! A round played from random choices, and its inputs one by one.

use rules::card::{Card, Rank, Suit};
use rules::games::AnyRound;
use rules::money::Cents;
use rules::notation::Line;
use rules::refusal::Refusal;
use rules::round::{
    Act, Amounts, Awaits, Call, Event, Place, Range, Record, Remedy, Round, Statement,
};
use rules::transcript::{Transcript, Writer};
use rules::wager::{Bettor, Bettors};

use super::table::Table;
use super::tape::Tape;

/// One input of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Deal(Card),
    DealFaceDown,
    Peek(bool),
    Turn(Card),
    Act(Bettor, Act),
    Remedy(Remedy),
    BuyIn(Bettor, Cents),
}

impl Input {
    pub(crate) fn put(
        self,
        round: &mut impl Round,
        record: &mut impl Record,
    ) -> Result<(), Refusal> {
        match self {
            Input::Deal(card) => round.deal(card, record),
            Input::DealFaceDown => round.deal_face_down(record),
            Input::Peek(natural) => round.peek(natural, record),
            Input::Turn(card) => round.turn(card, record),
            Input::Act(bettor, act) => round.act(bettor, act, record),
            Input::Remedy(remedy) => round.remedy(remedy, record),
            Input::BuyIn(bettor, amount) => round.buy_in(bettor, amount, record),
        }
    }

    /// The card that the input tells the round.
    pub(crate) fn card(self) -> Option<Card> {
        match self {
            Input::Deal(card) | Input::Turn(card) | Input::Remedy(Remedy::HoleCardShown(card)) => {
                Some(card)
            }
            _ => None,
        }
    }

    fn write(self, writer: &mut Writer) {
        match self {
            Input::Deal(card) => writer.card(Some(card)),
            Input::DealFaceDown => writer.card(None),
            Input::Peek(natural) => writer.line(Line::Peek(natural)),
            Input::Turn(card) => writer.line(Line::Turn(card)),
            Input::Act(bettor, act) => writer.line(Line::Act { bettor, act }),
            Input::Remedy(remedy) => writer.line(Line::Remedy(remedy)),
            Input::BuyIn(bettor, amount) => writer.line(Line::BuyIn(bettor, amount)),
        }
    }
}

/// An accepted input: what was awaited before it, and what it brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) awaited: Awaits,
    pub(crate) input: Input,
    pub(crate) events: Vec<Event>,
}

impl Step {
    /// Whether the dealer's own card was dealt or turned.
    pub(crate) fn is_dealers_card(&self) -> bool {
        matches!(self.awaited, Awaits::Turn | Awaits::Card(Place::Dealer))
            && !matches!(self.input, Input::Remedy(_) | Input::BuyIn(..))
    }
}

/// A round with all that led to it.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    pub(crate) table: Table,
    pub(crate) opened: Vec<Event>,
    pub(crate) steps: Vec<Step>,
    pub(crate) round: AnyRound,
    /// The card that lies face down before the dealer, which the round does not know.
    pub(crate) down: Option<Card>,
    shoe: Vec<Card>,
    last: Option<Card>,
    luck: Luck,
}

/// Which cards come more often than they should, so that ties, pairs, naturals and the best hands
/// are no rarity; any order of a full shoe may come.
#[derive(Clone, Copy, Debug)]
enum Luck {
    Fair,
    Ranks([Rank; 2]),
    High(Suit),
    Same,
}

impl Luck {
    fn draw(tape: &mut Tape<'_>) -> Luck {
        match tape.below(8) {
            0..4 => Luck::Fair,
            4 | 5 => Luck::Ranks([tape.pick(&Rank::ALL), tape.pick(&Rank::ALL)]),
            6 => Luck::High(tape.pick(&Suit::ALL)),
            _ => Luck::Same,
        }
    }
}

/// Whether irregularities happen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cures {
    No,
    Some,
}

impl Play {
    fn begin(table: Table, tape: &mut Tape<'_>) -> Play {
        let mut opened = Vec::new();
        let round = table.start(&mut opened);
        let shoe = table.shoe();
        let luck = Luck::draw(tape);
        Play { table, opened, steps: Vec::new(), round, down: None, shoe, last: None, luck }
    }

    /// Plays a round to its end, and looks at every moment of it.
    pub(crate) fn to_the_end(
        table: Table,
        cures: Cures,
        tape: &mut Tape<'_>,
        mut look: impl FnMut(&Play, &mut Tape<'_>) -> super::Law,
    ) -> Result<Play, String> {
        let mut play = Play::begin(table, tape);
        loop {
            look(&play, tape).map_err(|why| play.explain(&why))?;
            if play.round.awaits() == Awaits::Nobody {
                return Ok(play);
            }
            play.go_on(cures, tape).map_err(|why| play.explain(&why))?;
        }
    }

    fn go_on(&mut self, cures: Cures, tape: &mut Tape<'_>) -> super::Law {
        if cures == Cures::Some && tape.once_in(5) {
            let remedy = self.draw_remedy(tape);
            if self.take(Input::Remedy(remedy)).is_ok() {
                return Ok(());
            }
        }
        if !self.table.bankrolls.is_empty() && !self.steps.is_empty() && tape.once_in(12) {
            let (bettor, _) = tape.pick(&self.table.bankrolls);
            let unit = i64::from(self.table.sheet.number("chip_unit").unwrap());
            let amount = Cents::new(unit * tape.pick(&[1, 3, 10]));
            // Whoever was let out of the round buys nothing for it.
            if self.take(Input::BuyIn(bettor, amount)).is_ok() {
                return Ok(());
            }
        }
        let input = match self.round.awaits() {
            Awaits::Card(_) => Input::Deal(self.draw_card(tape)),
            Awaits::FaceDown(place) => {
                let card = self.draw_card(tape);
                self.down = self.down.or((place == Place::Dealer).then_some(card));
                Input::DealFaceDown
            }
            Awaits::Peek => Input::Peek(self.round.reader_answer(self.down.unwrap())),
            Awaits::Turn => Input::Turn(self.down.unwrap()),
            Awaits::Acts(asked) => {
                let asked: Vec<_> = asked.iter().collect();
                if asked.is_empty() {
                    return Err("nobody is asked, yet an act is awaited".to_owned());
                }
                let bettor = tape.pick(&asked);
                Input::Act(bettor, draw_act(&self.round, bettor, tape))
            }
            Awaits::Nobody => return Ok(()),
        };
        self.take(input).map_err(|refusal| format!("{input:?} is awaited, found {refusal:?}"))
    }

    /// Puts an input to the round and keeps it, if it is accepted.
    pub(crate) fn take(&mut self, input: Input) -> Result<(), Refusal> {
        let (awaited, mut events) = (self.round.awaits(), Vec::new());
        input.put(&mut self.round, &mut events)?;
        self.steps.push(Step { awaited, input, events });
        Ok(())
    }

    /// Everything that happened.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event> {
        self.opened.iter().chain(self.steps.iter().flat_map(|step| &step.events)).copied()
    }

    pub(crate) fn inputs(&self) -> impl Iterator<Item = Input> {
        self.steps.iter().map(|step| step.input)
    }

    pub(crate) fn statement(&self) -> Statement {
        let mut statement = Statement::default();
        self.events().for_each(|event| statement.note(event));
        statement
    }

    /// The round in the notation, as far as it has been played.
    pub(crate) fn writer(&self) -> Writer {
        let mut writer = self.table.writer();
        self.inputs().for_each(|input| input.write(&mut writer));
        writer
    }

    /// What the whole round says when it is over.
    pub(crate) fn transcript(&self) -> Transcript {
        self.writer().finish(&self.statement(), &self.table.bettors())
    }

    /// A broken law with the round that breaks it.
    pub(crate) fn explain(&self, why: &str) -> String {
        format!("{why}\nin this round, where the card face down is {:?}:\n{}", self.down, {
            self.writer().so_far()
        })
    }

    /// Draws a card that is in the shoe: any of them, or one that the day's luck prefers.
    fn draw_card(&mut self, tape: &mut Tape<'_>) -> Card {
        let (last, luck, wish) = (self.last, self.luck, tape.below(12));
        let fits = |card: &Card| match (luck, wish) {
            (_, 0..4) => true,
            (Luck::Ranks(ranks), _) => ranks.contains(&card.rank()),
            (Luck::High(suit), _) => card.suit() == suit && card.rank() >= Rank::Nine,
            (Luck::Same, _) => last == Some(*card),
            (Luck::Fair, 8) => last.is_some_and(|last| last.rank() == card.rank()),
            (Luck::Fair, 9) => last == Some(*card),
            (Luck::Fair, 10) => card.rank() == Rank::Ace,
            (Luck::Fair, 11) => card.rank() >= Rank::Ten,
            (Luck::Fair, _) => true,
        };
        if self.shoe.is_empty() {
            self.shoe = self.table.shoe();
        }
        let from = tape.below(self.shoe.len());
        let wished = (from..self.shoe.len()).chain(0..from).find(|&at| fits(&self.shoe[at]));
        let card = self.shoe.swap_remove(wished.unwrap_or(from));
        self.last = Some(card);
        card
    }

    fn draw_remedy(&self, tape: &mut Tape<'_>) -> Remedy {
        let awaited = match self.round.awaits() {
            Awaits::Card(Place::Hand { seat, hand }) if tape.once_in(2) => Some((seat, hand)),
            _ => None,
        };
        let seats: Vec<_> = self.table.bettors();
        let bettor = tape.pick(&seats);
        let seat = u8::try_from(bettor.seat()).unwrap();
        let hands = u8::try_from(self.round.hands(bettor.seat())).unwrap();
        let hand = u8::try_from(tape.below(usize::from(hands) + 1)).unwrap();
        let (seat, hand) = awaited.unwrap_or((seat, hand));
        match tape.below(18) {
            0..=2 => Remedy::DeadHand { seat, hand },
            3..=5 => Remedy::LateCard { seat, hand },
            6..=8 => Remedy::NoMoreCards { seat, hand },
            9 | 10 => Remedy::Release(bettor),
            11 => Remedy::DealerOwedCard,
            12 | 13 => Remedy::HoleCardShown(self.down.unwrap_or(Card::DECK[0])),
            14 => Remedy::ReaderOutOfUse,
            15 => Remedy::BurnForgotten,
            16 => Remedy::SidesBack(bettor),
            _ => Remedy::Void,
        }
    }
}

/// Everyone who is asked now.
pub(crate) fn asked(round: &AnyRound) -> Bettors {
    match round.awaits() {
        Awaits::Acts(asked) => asked,
        _ => Bettors::NONE,
    }
}

/// One of the acts that are open to a bettor.
pub(crate) fn draw_act(round: &AnyRound, bettor: Bettor, tape: &mut Tape<'_>) -> Act {
    let calls: Vec<_> = round.offers(bettor).iter().collect();
    let call = match calls.contains(&Call::Split) && tape.once_in(2) {
        true => Call::Split,
        false => tape.pick(&calls),
    };
    let amounts = match round.amounts(bettor, call) {
        Amounts::Hand(hand) if tape.once_in(2) => {
            return Act::Hand(hand + u8::from(tape.once_in(2)));
        }
        Amounts::Optional(range) | Amounts::Required(range) if !range.is_empty() => range,
        _ => return Act::Call(call),
    };
    match tape.below(5) {
        0 | 1 => Act::Call(call),
        2 => Act::With(call, amounts.least.into()),
        3 => Act::With(call, middle(amounts, tape)),
        _ => Act::With(call, amounts.most.into()),
    }
}

/// Some amount of a range.
fn middle(range: Range, tape: &mut Tape<'_>) -> Cents {
    let steps = (range.most.get() - range.least.get()) / range.step.get();
    let step = tape.below(usize::try_from(steps).unwrap() + 1);
    Cents::from(range.least)
        + Cents::new(i64::try_from(step).unwrap() * i64::from(range.step.get()))
}
