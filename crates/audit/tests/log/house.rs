//! A small house that plays days of any game and writes its log.

use audit::chain::{Chain, Entry};
use audit::custody::{Custody, SealedOrder};
use audit::export::Export;
use audit::log::{Outcome, RulesLine};
use audit::mix::CommitmentPlace;
use audit::secret::LineSalt;
use rules::RULES_VERSION;
use rules::card::Card;
use rules::round::{Awaits, Call, Round};
use rules::table::{CommitmentList, Input, Seal, Table, TableAwaits};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Game};

pub(crate) const TABLE: &str = "war-1";
pub(crate) const HOUSE: &str = "h1";

/// The terms of the house.
pub(crate) fn sheet(game: Game) -> TermSheet {
    let mut sheet = TermSheet::new(game);
    sheet.set([("main_min", "10")]).expect("a house may ask for that");
    sheet
}

/// The inputs of a day: two players and a shoe to its end, and then a round that is not over.
pub(crate) fn day(game: Game, seed: u64) -> Vec<Input> {
    House::new(sheet(game), seed).live()
}

/// The same with a dealer who denies every natural of the house's own.
pub(crate) fn lying_day(game: Game, seed: u64) -> Vec<Input> {
    let mut house = House::new(sheet(game), seed);
    house.lies = true;
    house.live()
}

/// The same with a dealer to whom everything happens that can, and a supervisor who decides anything.
pub(crate) fn clumsy_day(sheet: TermSheet, seed: u64) -> Vec<Input> {
    let mut house = House::new(sheet, seed);
    for line in ["sit 1 ann", "buy-in 1 90000", "sit 4 bob", "buy-in 4 90000"] {
        house.tell(line);
    }
    while house.table.rounds_played() < 150 {
        if house.number(8) == 0 {
            house.mishap();
        }
        house.step();
    }
    house.inputs
}

impl House {
    fn live(mut self) -> Vec<Input> {
        let house = &mut self;
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
        self.inputs
    }
}

/// Two decks, seven boxes and a deep cut card.
pub(crate) fn short_sheet() -> TermSheet {
    let mut sheet = TermSheet::new(Game::DoubleDeck);
    sheet.set([("seats", "7"), ("cut_card_depth", "26")]).expect("a house may ask for that");
    sheet
}

/// The inputs of a day on which everyone draws until a round runs out of cards, to its last reveal.
pub(crate) fn short_of_cards() -> Vec<Input> {
    let mut house = House::new(short_sheet(), 1);
    house.greedy = true;
    for seat in 1..=7 {
        house.tell(&format!("sit {seat} player-{seat}"));
        house.tell(&format!("buy-in {seat} 100000"));
    }
    while !house.table.shoe().is_some_and(|shoe| shoe.refill) {
        house.step();
    }
    while house.table.awaits() != TableAwaits::Shuffle {
        house.step();
    }
    house.inputs
}

/// Writes the log of these inputs; none where the table refuses one.
pub(crate) fn log(game: Game, inputs: &[Input]) -> Option<Export> {
    log_of(&sheet(game), inputs)
}

/// The same, at a table with these terms.
pub(crate) fn log_of(sheet: &TermSheet, inputs: &[Input]) -> Option<Export> {
    let mut chain = Chain::new(TABLE);
    let mut entries = vec![RulesLine::new(sheet.clone()).write(&mut chain)];
    let mut table = Table::new(sheet.clone());
    for input in inputs {
        let outcome = Outcome::of(&mut table, input).ok()?;
        entries.extend(outcome.write(input, &mut chain, LineSalt::new([7; 16])));
    }
    Some(export(entries))
}

/// Writes these lines as if they had been a log from the beginning. `version now` is these rules.
pub(crate) fn forged(lines: impl IntoIterator<Item = String>) -> Export {
    let mut chain = Chain::new(TABLE);
    let now = format!("# version {RULES_VERSION} ");
    let lines = lines.into_iter().map(|line| line.replace("# version now ", &now));
    export(lines.map(|line| chain.append(line)).collect())
}

pub(crate) fn export(entries: Vec<Entry>) -> Export {
    Export { table: TABLE.to_owned(), entries }
}

pub(crate) struct House {
    pub(crate) table: Table,
    numbers: u64,
    custody: Custody,
    /// Whether everyone takes every card.
    greedy: bool,
    /// Whether naturals are denied.
    lies: bool,
    pub(crate) inputs: Vec<Input>,
}

impl House {
    pub(crate) fn new(sheet: TermSheet, seed: u64) -> House {
        let custody = Custody::default();
        let (table, inputs) = (Table::new(sheet), Vec::new());
        House { table, numbers: seed, custody, greedy: false, lies: false, inputs }
    }

    pub(crate) fn tell(&mut self, line: &str) {
        let input = line.parse().unwrap_or_else(|_| panic!("{line} is an input"));
        self.put(input);
    }

    fn put(&mut self, input: Input) {
        let (before, mut events) = (self.table.clone(), Vec::new());
        let taken = self.table.apply(&input, &mut events);
        taken.unwrap_or_else(|refusal| panic!("{input}: {refusal}"));
        self.custody.follow(&before, &input, &events, &self.table);
        self.inputs.push(input);
    }

    /// Does what the table waits for.
    pub(crate) fn step(&mut self) {
        match self.table.awaits() {
            TableAwaits::Inspection(bettor) => self.tell(&format!("inspect {bettor}")),
            TableAwaits::Shuffle => self.shuffle(),
            TableAwaits::Commitments(Some(bettor)) if self.number(3) == 0 => {
                self.tell(&format!("cut {bettor} pass"));
            }
            TableAwaits::Commitments(asked) => self.commit(asked),
            TableAwaits::Openings => self.open(),
            TableAwaits::Cut(by) => {
                let at = self.custody.drawn_cut(&self.table);
                self.put(Input::Cut { by, at });
            }
            TableAwaits::Wagers => self.bet(),
            TableAwaits::Round(Awaits::Card(_)) => {
                let card = self.next_card();
                self.put(Input::Card(Some(card)));
            }
            TableAwaits::Round(Awaits::FaceDown(_)) => self.put(Input::Card(None)),
            TableAwaits::Round(Awaits::Peek) => {
                let round = self.table.round().expect("a round asks for it");
                let natural = round.reader_answer(self.hole());
                self.put(Input::Peek(natural && !self.lies));
            }
            TableAwaits::Round(Awaits::Turn) => {
                let round = self.table.round().expect("a round asks for it");
                let denied = self.lies && round.reader_answer(self.hole());
                let card = if denied { Card::DECK[20] } else { self.hole() };
                self.put(Input::Turn(card));
            }
            TableAwaits::Round(Awaits::Acts(bettors)) => {
                let bettor = bettors.iter().next().expect("somebody is asked");
                self.decide(bettor);
            }
            TableAwaits::Reveal => {
                let reveal = self.custody.reveal(&self.table);
                self.put(reveal.expect("the house knows the order"));
            }
            TableAwaits::Supervisor(_) => {
                let outcomes = self.table.outcomes();
                let order = outcomes[self.number(outcomes.len())];
                self.tell(&format!("order {order} by eve"));
            }
            TableAwaits::Choice(bettor) => self.tell(&format!("time-out {bettor}")),
            TableAwaits::Repair => self.tell("order repaired by eve"),
            awaits => panic!("nobody does {awaits}"),
        }
    }

    /// Something goes wrong, if it can now.
    fn mishap(&mut self) {
        let next = self.custody.next(&self.table).map_or("9d".to_owned(), |card| card.to_string());
        let hole = self.custody.hole().map_or(next.clone(), |card| card.to_string());
        let what = [
            format!("misdealt dealer {next}"),
            format!("misdealt 1 {next}"),
            format!("face-up {next}"),
            format!("drawn-seen {next}"),
            format!("overdraw {next}"),
            format!("hole-seen {hole}"),
            "drawn-unseen".to_owned(),
            "dealer-missed".to_owned(),
            "no-card 1".to_owned(),
            "one-card 4".to_owned(),
            "missed-hit 1".to_owned(),
            "burn-forgotten".to_owned(),
            "reader-broken".to_owned(),
            "bad-cut".to_owned(),
        ];
        let line = match self.number(what.len() + 3) {
            0 => "order reshuffle by eve".to_owned(),
            1 => format!("dealer {}", ["eve", "fay"][self.number(2)]),
            2 => self.burn(),
            n => format!("report {} by dealer", what[n - 3]),
        };
        let input: Input = line.parse().unwrap_or_else(|_| panic!("{line} is an input"));
        if self.table.clone().apply(&input, &mut Vec::new()).is_ok() {
            self.put(input);
        }
    }

    /// The card that leaves the shoe next.
    pub(crate) fn next_card(&self) -> Card {
        self.custody.next(&self.table).expect("the shoe has a card")
    }

    /// Someone asks for the burned cards.
    pub(crate) fn burn(&self) -> String {
        let burned = self.custody.burned(&self.table).unwrap_or_default();
        let burned: Vec<_> = burned.iter().map(|card| format!(" {card}")).collect();
        format!("show-burn 1{}", if burned.is_empty() { " 9d".to_owned() } else { burned.concat() })
    }

    /// All cards, or the discards where a round ran out of cards.
    fn shuffle(&mut self) {
        let sealed = match self.table.round() {
            Some(_) => self.custody.refill(&self.table).expect("the custody knows the discards"),
            None => self.shuffled(),
        };
        let (seal, steps) = (Some(sealed.seal()), self.table.usual_shuffle());
        self.custody.keep(sealed);
        self.put(Input::Shuffle { seal, steps });
    }

    fn shuffled(&mut self) -> SealedOrder {
        let mut order = self.custody.stack(&self.table);
        for last in (1..order.len()).rev() {
            order.swap(last, self.number(last + 1));
        }
        let salt = std::array::from_fn(|_| next(&mut self.numbers).to_le_bytes()[0]);
        SealedOrder { salt, order }
    }

    /// Some commit to bytes and some do not; who is asked may name the cut.
    fn commit(&mut self, asked: Option<Bettor>) {
        let there: Vec<Bettor> = self.table.everyone().map(|(bettor, _)| bettor).collect();
        let some: Vec<Bettor> = there.into_iter().filter(|_| self.number(3) > 0).collect();
        let commitments: Vec<(Bettor, Seal)> =
            some.iter().map(|bettor| (*bettor, self.commitment(*bettor))).collect();
        let house = HOUSE.parse().unwrap();
        let list = (!some.is_empty()).then_some(CommitmentList { house, commitments });
        let (least, most) = self.table.cut_bounds();
        let cut = asked.filter(|_| self.number(3) > 0);
        let cut = cut.map(|bettor| (bettor, least + self.number(most - least + 1)));
        self.put(Input::Commit { cut, list });
    }

    /// Most open their commitments.
    fn open(&mut self) {
        let committed: Vec<Bettor> =
            self.table.commitments().iter().map(|committed| committed.bettor).collect();
        let some: Vec<Bettor> = committed.into_iter().filter(|_| self.number(4) > 0).collect();
        let openings = some.into_iter().map(|bettor| (bettor, self.bytes(bettor))).collect();
        self.put(Input::Open { openings });
    }

    /// The bytes of a seat for the shoe in use.
    fn bytes(&self, bettor: Bettor) -> Seal {
        let number = self.table.shoe().expect("there is a shoe").number;
        let place = u32::try_from(bettor.seat()).unwrap();
        Seal([u8::try_from((10 * number + place) % 256).unwrap(); 32])
    }

    fn commitment(&self, seat: Bettor) -> Seal {
        let shoe = self.table.shoe().expect("there is a shoe");
        let (number, seal) = (shoe.number, shoe.seal.expect("its order is sealed"));
        let place = CommitmentPlace { house: HOUSE, table: TABLE, shoe: number, seal: &seal, seat };
        place.commitment(&self.bytes(seat))
    }

    /// The card that lies face down.
    fn hole(&self) -> Card {
        self.custody.hole().expect("a card lies face down")
    }

    fn bet(&mut self) {
        let sides = match self.table.sheet().game() {
            Game::CasinoWar => ["", " tie 5", " progressive 10", " tie 1 progressive 5"],
            Game::DoubleAttack => ["", " bonus 1", " bonus 5", " bonus 10"],
            Game::FreeBet => ["", " push22 1", " push22 5", " push22 10"],
            _ => [""; 4],
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
        let chosen = match self.greedy && offers.contains(&Call::Hit) {
            true => Some(&Call::Hit),
            false => offers.get(self.number(offers.len() + 1)),
        };
        let answer = match chosen {
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
