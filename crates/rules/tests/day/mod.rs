//! Random days at a table: whoever has custody deals, people do what comes to their minds.

use std::collections::BTreeMap;

use rules::card::Card;
use rules::money::Cents;
use rules::notation::{check, read};
use rules::round::{Act, Awaits, Call};
use rules::shoe::below;
use rules::table::{Account, Cutter, Input, Name, Seal, Table, TableAwaits, TableEvent, What};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

/// Inputs tried in a day.
const INPUTS: usize = 3000;
/// Days played.
const DAYS: u64 = 50;

/// A day at one table, with everything that can be said about it so far.
struct Day {
    table: Table,
    numbers: Numbers,
    /// The cards that custody deals: few different ones, so that wars and hits come up.
    cards: Vec<Card>,
    accepted: Vec<String>,
    told: Vec<String>,
    books: BTreeMap<Account, Cents>,
    round: Vec<String>,
    /// Racks as the round found them, and what was bought since.
    racks: [Cents; 7],
    rounds_checked: u32,
}

/// Splitmix, so that a day is its seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).unwrap();
        below(bound, &mut || self.next()).try_into().unwrap()
    }

    fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

fn sheet(numbers: &mut Numbers) -> TermSheet {
    let mut sheet = TermSheet::new(Game::CasinoWar);
    let terms = [
        ("decks", numbers.one_of(&["6", "7", "8"])),
        ("cut_by", numbers.one_of(&["players", "players", "dealer"])),
        ("cut_card_depth", numbers.one_of(&["78", "156"])),
        ("breakage", numbers.one_of(&["exact", "player_favour"])),
        ("progressive_offered", numbers.one_of(&["on", "on", "off"])),
        ("progressive_shared", numbers.one_of(&["equal", "settlement_order"])),
        ("progressive_seed", numbers.one_of(&["0", "100.01", "10000"])),
        ("progressive_contribution", numbers.one_of(&["0", "15", "37"])),
    ];
    sheet.set(terms).unwrap();
    sheet
}

impl Day {
    fn new(seed: u64) -> Day {
        let mut numbers = Numbers(seed);
        let kinds = numbers.one_of(&[2, 5, 52]);
        let cards = (0..kinds).map(|_| numbers.one_of(&Card::DECK)).collect();
        Day {
            table: Table::new(sheet(&mut numbers)),
            numbers,
            cards,
            accepted: Vec::new(),
            told: Vec::new(),
            books: BTreeMap::new(),
            round: Vec::new(),
            racks: [Cents::ZERO; 7],
            rounds_checked: 0,
        }
    }

    /// Something that the table may want, or not.
    fn any_input(&mut self) -> Input {
        let seat = self.numbers.below(7);
        let bettor = Bettor::at(seat);
        match self.numbers.below(14) {
            0 => Input::Sit { seat, player: self.name() },
            1 => Input::BuyIn { seat, amount: self.amount() },
            2 if self.numbers.below(4) == 0 => Input::Leave { seat },
            3 => Input::Shuffle { seal: self.seal() },
            4 => Input::Cut { by: Cutter::Seat(seat), at: self.cut() },
            5 => Input::Cut { by: Cutter::Dealer, at: self.cut() },
            6 => Input::Clear { bettor },
            7 => Input::Deal,
            8 => Input::Card(None),
            9 => Input::Card(Some(self.card())),
            10 => Input::TimeOut { seat },
            11 => Input::Reveal { salt: self.seal(), order: self.cards.clone() },
            12 => Input::Act { bettor, act: self.act() },
            _ => Input::Wager { bettor, amounts: self.amounts() },
        }
    }

    /// What brings the table further.
    fn wanted_input(&mut self) -> Input {
        let seat = self.numbers.below(7);
        match self.table.awaits() {
            TableAwaits::Player => Input::Sit { seat, player: self.name() },
            TableAwaits::Shuffle => Input::Shuffle { seal: self.seal() },
            TableAwaits::Cut(by) => Input::Cut { by, at: self.cut() },
            TableAwaits::Wagers => match self.numbers.below(3) {
                0 => Input::Deal,
                1 => Input::BuyIn { seat, amount: Cents::new(10_000) },
                _ => Input::Wager { bettor: Bettor::at(seat), amounts: self.amounts() },
            },
            TableAwaits::Round(Awaits::Card(_)) => Input::Card(Some(self.card())),
            TableAwaits::Round(Awaits::FaceDown(_)) => Input::Card(None),
            TableAwaits::Round(Awaits::Acts(asked)) => {
                let bettor = asked.iter().next().unwrap();
                Input::Act { bettor, act: self.act() }
            }
            TableAwaits::Round(awaits) => panic!("Casino War never awaits {awaits:?}"),
            TableAwaits::Reveal => Input::Reveal { salt: self.seal(), order: self.cards.clone() },
        }
    }

    fn name(&mut self) -> Name {
        self.numbers.one_of(&["ann", "bob", "cid-2", "dee", "e", "f9", "g"]).parse().unwrap()
    }

    fn amount(&mut self) -> Cents {
        Cents::new(self.numbers.one_of(&[-100, 0, 50, 100, 1700, 10_000, 200_000_000_000]))
    }

    fn amounts(&mut self) -> Vec<(Circle, Cents)> {
        let mut amounts = vec![(Circle::Main, Cents::new(self.numbers.one_of(&[300, 500, 700])))];
        for (circle, choices) in
            [(Circle::Tie, [0, 100, 300]), (Circle::Progressive, [500, 1000, 700])]
        {
            if self.numbers.below(2) == 0 {
                amounts.push((circle, Cents::new(self.numbers.one_of(&choices))));
            }
        }
        amounts
    }

    fn act(&mut self) -> Act {
        let tie = Cents::new(self.numbers.one_of(&[100, 500, 250]));
        self.numbers.one_of(&[
            Act::Call(Call::War),
            Act::Call(Call::Surrender),
            Act::With(Call::War, tie),
            Act::Call(Call::Hit),
        ])
    }

    fn card(&mut self) -> Card {
        self.numbers.one_of(&self.cards)
    }

    fn cut(&mut self) -> Option<usize> {
        self.numbers.one_of(&[None, Some(51), Some(52), Some(150), Some(260), Some(400)])
    }

    fn seal(&mut self) -> Seal {
        let mut seal = [0; 32];
        seal.iter_mut().for_each(|byte| *byte = self.numbers.next().to_le_bytes()[0]);
        Seal(seal)
    }

    /// Tries an input: a refused one changes nothing, an accepted one reads back as it prints.
    fn try_input(&mut self, input: &Input) {
        let before = self.table.clone();
        let opening = before.opening_lines();
        let mut events = Vec::new();
        if self.table.apply(input, &mut events).is_err() {
            assert_eq!(self.table, before, "{input} was refused");
            assert!(events.is_empty(), "{input} was refused");
            return;
        }
        let line = input.to_string();
        assert_eq!(line.parse().as_ref(), Ok(input), "{line}");
        self.keep_books(&events);
        self.look_for_faces(input, &events);
        if *input == Input::Deal {
            assert_eq!(self.table.opening_lines(), opening);
            let standing = before.standing().unwrap();
            let lines = standing.iter().map(String::as_str);
            assert_eq!(Table::resumed(before.sheet().clone(), lines).as_ref(), Some(&before));
            self.round = opening[2..].to_vec();
            self.racks = racks(&before);
        }
        self.follow_round(input, &before, &events);
        self.accepted.push(line);
        self.told.extend(events.iter().map(TableEvent::to_string));
    }

    /// Money only moves, nobody but house, cashier and who buys in goes below nothing, and the
    /// books say the same as the table and its events.
    fn keep_books(&mut self, events: &[TableEvent]) {
        for event in events {
            match &event.what {
                What::Moved(transfer) => {
                    assert!(transfer.amount > Cents::ZERO, "{transfer}");
                    *self.books.entry(transfer.from.clone()).or_default() -= transfer.amount;
                    *self.books.entry(transfer.to.clone()).or_default() += transfer.amount;
                    for side in [&transfer.from, &transfer.to] {
                        let may_owe = matches!(side, Account::House | Account::Player(_));
                        assert!(may_owe || self.books[side] >= Cents::ZERO, "{event}");
                    }
                }
                What::Rack { seat, rack } => {
                    assert_eq!(self.balance(&rack_of(*seat)), *rack, "{event}");
                }
                What::Meter(meter) => assert_eq!(self.balance(&Account::Meter), *meter),
                _ => {}
            }
        }
        assert_eq!(self.books.values().copied().sum::<Cents>(), Cents::ZERO);
        for (seat, chair) in self.table.seats().iter().enumerate() {
            let rack = chair.as_ref().map_or(Cents::ZERO, |chair| chair.rack);
            assert_eq!(self.balance(&rack_of(seat)), rack);
        }
        if let Some(meter) = self.table.meter() {
            assert_eq!(self.balance(&Account::Meter), meter);
        }
        if self.table.round().is_none() {
            assert_eq!(self.balance(&Account::Escrow), Cents::ZERO);
        }
    }

    fn balance(&self, account: &Account) -> Cents {
        self.books.get(account).copied().unwrap_or_default()
    }

    /// A card shows in the events of the input that dealt it open, and nowhere else (G-24).
    fn look_for_faces(&self, input: &Input, events: &[TableEvent]) {
        let dealt = events.iter().filter(|event| {
            let line = event.to_string();
            line.starts_with("card ") && !line.ends_with("??")
        });
        assert_eq!(dealt.count(), usize::from(matches!(input, Input::Card(Some(_)))), "{input}");
    }

    /// Writes the round down, and once it is over plays it alone.
    fn follow_round(&mut self, input: &Input, before: &Table, events: &[TableEvent]) {
        match input {
            Input::BuyIn { seat, amount } => self.racks[*seat] += *amount,
            Input::Card(Some(card)) => self.round.push(format!("cards {card}")),
            Input::Card(None) if before.round().is_some() => self.round.push("cards ??".into()),
            Input::Act { .. } => self.round.push(input.to_string()),
            Input::TimeOut { seat } if before.round().is_some() => {
                self.round.push(format!("act {} surrender", seat + 1));
            }
            _ => {}
        }
        if events.iter().any(|event| event.what == What::Settled) {
            for (seat, rack) in racks(&self.table).into_iter().enumerate() {
                if before.seats()[seat].as_ref().is_some_and(|chair| !chair.wager.is_empty()) {
                    self.round.push(format!("net {} {:+}", seat + 1, rack - self.racks[seat]));
                }
            }
            self.round.push("done".into());
            let text = self.round.join("\n");
            let report = check(&read(&text).unwrap()[0]);
            assert!(report.passed(), "{:?} in\n{text}", report.findings);
            self.rounds_checked += 1;
        }
    }

    /// The inputs, read back from their lines, lead to the same events and the same table.
    fn replay(&self) {
        let mut table = Table::new(self.table.sheet().clone());
        let mut events = Vec::new();
        for line in &self.accepted {
            table.apply(&line.parse().unwrap(), &mut events).unwrap();
        }
        let told: Vec<_> = events.iter().map(TableEvent::to_string).collect();
        assert_eq!(told, self.told);
        assert_eq!(table, self.table);
    }
}

fn rack_of(seat: usize) -> Account {
    Account::Rack(u8::try_from(seat).unwrap())
}

fn racks(table: &Table) -> [Cents; 7] {
    let mut racks = [Cents::ZERO; 7];
    for (rack, chair) in racks.iter_mut().zip(table.seats()) {
        *rack = chair.as_ref().map_or(Cents::ZERO, |chair| chair.rack);
    }
    racks
}

#[test]
fn random_days_keep_the_laws() {
    let (mut rounds, mut reshuffles, mut hits) = (0, 0, 0);
    for seed in 0..DAYS {
        let mut day = Day::new(seed);
        for _ in 0..INPUTS {
            let input = match day.numbers.below(3) {
                0 => day.any_input(),
                _ => day.wanted_input(),
            };
            day.try_input(&input);
        }
        day.replay();
        assert_eq!(day.rounds_checked, day.table.rounds_played());
        rounds += day.rounds_checked;
        reshuffles += day.table.shoe().map_or(0, |shoe| shoe.number - 1);
        hits += day.told.iter().filter(|line| line.ends_with("(CW-11-b)")).count();
    }
    // The days are worth something: whole shoes, and hits of the meter.
    assert!(rounds > 4000 && reshuffles > 50 && hits > 30, "{rounds} {reshuffles} {hits}");
}
