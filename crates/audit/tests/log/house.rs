//! A small house that plays days of any game and writes its log.

use audit::chain::{Chain, Entry};
use audit::export::Export;
use audit::log::{Outcome, RulesLine};
use audit::seal::seal;
use rules::card::Card;
use rules::round::{Awaits, Call, Round};
use rules::shoe::Shoe;
use rules::table::{Cutter, Input, Seal, Table, TableAwaits};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Game};

pub(crate) const TABLE: &str = "war-1";

/// The terms of the house.
pub(crate) fn sheet(game: Game) -> TermSheet {
    let mut sheet = TermSheet::new(game);
    sheet.set([("main_min", "10")]).expect("a house may ask for that");
    sheet
}

/// The inputs of a day: two players and a shoe to its end, and then a round that is not over.
pub(crate) fn day(game: Game, seed: u64) -> Vec<Input> {
    let mut house = House::new(sheet(game), seed);
    for line in ["sit 1 ann", "buy-in 1 5000", "sit 4 bob", "buy-in 4 5000"] {
        house.tell(line);
    }
    while house.table.awaits() != TableAwaits::Reveal {
        house.step();
    }
    let rounds = house.table.rounds_played();
    house.tell("leave 4");
    while house.table.rounds_played() == rounds {
        house.step();
    }
    while house.table.round().is_none() {
        house.step();
    }
    house.step();
    house.inputs
}

/// Writes the log of these inputs; none where the table refuses one.
pub(crate) fn log(game: Game, inputs: &[Input]) -> Option<Export> {
    let mut chain = Chain::new(TABLE);
    let mut entries = vec![RulesLine::new(sheet(game)).write(&mut chain)];
    let mut table = Table::new(sheet(game));
    for input in inputs {
        let outcome = Outcome::of(&mut table, input).ok()?;
        entries.extend(outcome.write(input, &mut chain));
    }
    Some(export(entries))
}

/// Writes these lines as if they had been a log from the beginning.
pub(crate) fn forged(lines: impl IntoIterator<Item = String>) -> Export {
    let mut chain = Chain::new(TABLE);
    export(lines.into_iter().map(|line| chain.append(line)).collect())
}

pub(crate) fn export(entries: Vec<Entry>) -> Export {
    Export { table: TABLE.to_owned(), entries }
}

struct House {
    table: Table,
    numbers: u64,
    order: Vec<Card>,
    salt: [u8; 32],
    cut: usize,
    hole: Option<Card>,
    inputs: Vec<Input>,
}

impl House {
    fn new(sheet: TermSheet, seed: u64) -> House {
        House {
            table: Table::new(sheet),
            numbers: seed,
            order: Vec::new(),
            salt: [0; 32],
            cut: 0,
            hole: None,
            inputs: Vec::new(),
        }
    }

    fn tell(&mut self, line: &str) {
        let input = line.parse().unwrap_or_else(|_| panic!("{line} is an input"));
        self.put(input);
    }

    fn put(&mut self, input: Input) {
        let taken = self.table.apply(&input, &mut Vec::new());
        taken.unwrap_or_else(|refusal| panic!("{input}: {refusal}"));
        self.inputs.push(input);
    }

    /// Does what the table waits for.
    fn step(&mut self) {
        match self.table.awaits() {
            TableAwaits::Player => panic!("somebody stays all day"),
            TableAwaits::Shuffle => self.shuffle(),
            TableAwaits::Cut(Cutter::Seat(seat)) if self.number(2) == 0 => {
                self.tell(&format!("cut {} pass", seat + 1));
            }
            TableAwaits::Cut(by) => {
                let cards = self.order.len();
                self.cut = cards / 3 + self.number(cards / 3);
                self.put(Input::Cut { by, at: Some(self.cut) });
            }
            TableAwaits::Wagers => self.bet(),
            TableAwaits::Round(Awaits::Card(_)) => self.put(Input::Card(Some(self.next_card()))),
            TableAwaits::Round(Awaits::FaceDown(_)) => {
                self.hole = Some(self.next_card());
                self.put(Input::Card(None));
            }
            TableAwaits::Round(Awaits::Peek) => {
                let round = self.table.round().expect("a round asks for it");
                self.put(Input::Peek(round.reader_answer(self.hole())));
            }
            TableAwaits::Round(Awaits::Turn) => self.put(Input::Turn(self.hole())),
            TableAwaits::Round(Awaits::Nobody) => unreachable!("a settled round is gone"),
            TableAwaits::Round(Awaits::Acts(bettors)) => {
                let bettor = bettors.iter().next().expect("somebody is asked");
                self.decide(bettor);
            }
            TableAwaits::Reveal => {
                self.put(Input::Reveal { salt: Seal(self.salt), order: self.order.clone() });
            }
        }
    }

    fn shuffle(&mut self) {
        let mut shoe = Shoe::new(self.table.sheet());
        self.order = std::iter::from_fn(|| shoe.draw(&mut || next(&mut self.numbers))).collect();
        self.salt = std::array::from_fn(|_| next(&mut self.numbers).to_le_bytes()[0]);
        self.cut = 0;
        self.put(Input::Shuffle { seal: seal(&self.salt, &self.order) });
    }

    fn next_card(&self) -> Card {
        let dealt = self.table.shoe().expect("cards come from a shoe").dealt;
        self.order[(self.cut + dealt) % self.order.len()]
    }

    /// The card that was dealt face down last.
    fn hole(&self) -> Card {
        self.hole.expect("a card lies face down")
    }

    fn bet(&mut self) {
        let sides = match self.table.sheet().game() {
            Game::CasinoWar => ["", " tie 5", " progressive 10", " tie 1 progressive 5"],
            Game::DoubleAttack => ["", " bonus 1", " bonus 5", " bonus 10"],
            Game::FreeBet => ["", " push22 1", " push22 5", " push22 10"],
            Game::DoubleDownStud | Game::DoubleDeck => [""; 4],
        };
        let seats = self.table.seats().iter().zip(1..).filter(|(chair, _)| chair.is_some());
        let seats: Vec<i32> = seats.map(|(_, seat)| seat).collect();
        for seat in seats {
            let (main, side) = (10 + self.number(3), sides[self.number(sides.len())]);
            self.tell(&format!("wager {seat} main {main}{side}"));
        }
        self.tell("deal");
    }

    fn decide(&mut self, bettor: Bettor) {
        let offers: Vec<Call> = self.table.offers(bettor).iter().collect();
        let answer = match offers.get(self.number(offers.len() + 1)) {
            None => format!("time-out {bettor}"),
            Some(Call::War) if self.number(2) == 0 => format!("act {bettor} war 5"),
            Some(call) => format!("act {bettor} {call}"),
        };
        self.tell(&answer);
    }

    fn number(&mut self, below: usize) -> usize {
        let below = u32::try_from(below).expect("a small number");
        rules::shoe::below(below, &mut || next(&mut self.numbers)) as usize
    }
}

/// Numbers that are as good as random for a test (SplitMix64).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
