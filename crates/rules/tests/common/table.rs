//! A table before the first card: terms, people, racks and wagers.

use rules::card::Card;
use rules::games::{AnyRound, TableWagers, opening};
use rules::money::{Breakage, Cents, Chips};
use rules::notation::Line;
use rules::round::Record;
use rules::shoe::{deck, decks};
use rules::terms::{Term, TermSheet};
use rules::transcript::Writer;
use rules::wager::{Bettor, Circle, Game, Opening};

use super::tape::Tape;

/// Everything that a round starts from.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) sheet: TermSheet,
    /// Boxes that are one person's.
    people: Vec<Vec<usize>>,
    meter: Option<Cents>,
    pub(crate) slips: Vec<(Bettor, Vec<(Circle, Cents)>)>,
    pub(crate) bankrolls: Vec<(Bettor, Cents)>,
    pub(crate) wagers: TableWagers,
}

/// How many boxes may have a wager.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boxes {
    Any,
    First,
}

impl Table {
    /// A random table: terms of every kind, people, wagers, side wagers and racks.
    pub(crate) fn draw(game: Game, boxes: Boxes, tape: &mut Tape<'_>) -> Table {
        let mut table = Table::empty(draw_terms(game, tape));
        table.seat_people(boxes, tape);
        if game == Game::CasinoWar && tape.once_in(3) {
            table.set_meter(Cents::new(tape.pick(&[0, 1, 1_000_001, 12_345_678])));
        }
        table.draw_wagers(boxes, tape);
        if table.slips.is_empty() {
            // These terms leave no wager, such as chips that are larger than the maximum.
            table = Table::empty(TermSheet::new(game));
            let placed = table.place(Bettor::at(0), vec![(Circle::Main, Cents::new(1000))]);
            assert!(placed, "10.00 is a wager at every table of the defaults");
        }
        table.draw_bankrolls(tape);
        table
    }

    /// A table at which nobody has a wager.
    pub(crate) fn empty(sheet: TermSheet) -> Table {
        Table {
            sheet,
            people: Vec::new(),
            meter: None,
            slips: Vec::new(),
            bankrolls: Vec::new(),
            wagers: TableWagers::NONE,
        }
    }

    pub(crate) fn start(&self, record: &mut impl Record) -> AnyRound {
        AnyRound::start(&self.sheet, &self.wagers, record)
    }

    pub(crate) fn game(&self) -> Game {
        self.sheet.game()
    }

    pub(crate) fn meter(&self) -> Cents {
        let seed = self.sheet.number("progressive_seed").unwrap_or(0);
        self.meter.unwrap_or(Cents::new(seed.into()))
    }

    pub(crate) fn bettors(&self) -> Vec<Bettor> {
        self.wagers.bettors().collect()
    }

    /// What everyone placed, and no more, as lines of the notation.
    pub(crate) fn writer(&self) -> Writer {
        let mut writer = Writer::new(&self.sheet);
        for (number, seats) in self.people.iter().enumerate() {
            let name = format!("person{number}");
            writer.line(Line::Person { name, seats: seats.clone() });
        }
        if let Some(meter) = self.meter {
            writer.line(Line::Meter(meter));
        }
        for (bettor, amounts) in &self.slips {
            writer.line(Line::Wager { bettor: *bettor, amounts: amounts.clone() });
        }
        for &(bettor, amount) in &self.bankrolls {
            writer.line(Line::Bankroll(bettor, amount));
        }
        writer
    }

    /// All cards of a full shoe.
    pub(crate) fn shoe(&self) -> Vec<Card> {
        (0..decks(&self.sheet)).flat_map(|_| deck(self.game())).collect()
    }

    /// The first of the boxes that share this bettor's rack.
    pub(crate) fn rack(&self, bettor: Bettor) -> Bettor {
        let shared = self.people.iter().find(|seats| seats.contains(&bettor.seat()));
        match shared {
            Some(seats) if bettor.decides() => Bettor::at(seats[0]),
            _ => bettor,
        }
    }

    /// What happens to fractions of a chip.
    pub(crate) fn breakage(&self) -> Breakage {
        let unit = Chips::new(self.sheet.number("chip_unit").unwrap());
        match self.sheet.choice("breakage") {
            None | Some("exact") => Breakage::EXACT,
            Some(_) => Breakage::player_favour(unit),
        }
    }

    /// Places a wager, unless it is refused.
    pub(crate) fn place(&mut self, bettor: Bettor, amounts: Vec<(Circle, Cents)>) -> bool {
        let taken = self.wagers.place(&opening(&self.sheet), bettor, &amounts).is_ok();
        if taken {
            self.slips.push((bettor, amounts));
        }
        taken
    }

    fn set_meter(&mut self, meter: Cents) {
        self.meter = Some(meter);
        self.wagers.set_meter(meter);
    }

    /// Sometimes two or three boxes are one person's.
    fn seat_people(&mut self, boxes: Boxes, tape: &mut Tape<'_>) {
        let mut first = 0;
        while boxes == Boxes::Any && first < 6 && tape.once_in(3) {
            first += tape.below(6 - first);
            let last = first + 1 + tape.below(6 - first).min(1);
            let seats: Vec<_> = (first..=last).collect();
            self.wagers.share_rack(&seats);
            self.people.push(seats);
            first = last + 1;
        }
    }

    fn draw_wagers(&mut self, boxes: Boxes, tape: &mut Tape<'_>) {
        let opening = opening(&self.sheet);
        let seats = match boxes {
            Boxes::Any => 1 + tape.below(opening.seats.into()),
            Boxes::First => 1,
        };
        for seat in 0..seats {
            if seats > 1 && tape.once_in(6) {
                continue;
            }
            self.draw_slip(Bettor::at(seat), &opening, tape);
            for place in 1..usize::from(opening.bettors) {
                if boxes == Boxes::Any && !tape.once_in(3) {
                    self.draw_slip(Bettor::behind(seat, place), &opening, tape);
                }
            }
        }
    }

    fn draw_slip(&mut self, bettor: Bettor, opening: &Opening, tape: &mut Tape<'_>) {
        let unit = opening.chip_unit;
        let main = (Circle::Main, draw_amount(opening.main_min, opening.main_max, unit, tape));
        let mut slip = vec![main];
        if let Some(side) = opening.side.filter(|_| tape.once_in(2)) {
            slip.push((side.circle, draw_amount(side.min, side.max, unit, tape)));
        }
        if opening.progressive.is_some() && tape.once_in(2) {
            slip.push((Circle::Progressive, Cents::new(tape.pick(&[500, 1000, 2500]))));
        }
        if !self.place(bettor, slip) {
            self.place(bettor, vec![main]);
        }
    }

    /// Half of the racks end somewhere near what the round may still cost.
    fn draw_bankrolls(&mut self, tape: &mut Tape<'_>) {
        let unit = i64::from(self.sheet.number("chip_unit").unwrap());
        for bettor in self.bettors() {
            if self.rack(bettor) != bettor && self.bettors().contains(&self.rack(bettor)) {
                continue;
            }
            if !tape.once_in(2) {
                continue;
            }
            let main = i64::from(self.wagers.slip(bettor).main.get());
            let left = tape.pick(&[0, unit, main / 2, main, main + unit, 2 * main, 7 * main / 2]);
            let odd_cents = tape.pick(&[0, 0, 0, 1]);
            let rack = self.rack(bettor);
            let on_this_rack = |slip: &&(Bettor, _)| self.rack(slip.0) == rack;
            let slips = self.slips.iter().filter(on_this_rack).flat_map(|slip| &slip.1);
            let staked: Cents = slips.map(|&(_, amount)| amount).sum();
            let bankroll = staked + Cents::new(left + odd_cents);
            assert_eq!(self.wagers.bankroll(bettor, bankroll), Ok(()));
            self.bankrolls.push((bettor, bankroll));
        }
    }
}

/// An amount between two limits: mostly small, sometimes the most.
fn draw_amount(least: Chips, most: Chips, unit: Chips, tape: &mut Tape<'_>) -> Cents {
    let least = i64::from(least.get().next_multiple_of(unit.get()));
    let most = i64::from(most.whole(unit).get());
    let unit = i64::from(unit.get());
    let steps = tape.pick(&[0, 1, 2, 3, 5, 10, 40]);
    Cents::new(if tape.once_in(12) { most } else { (least + steps * unit).min(most) })
}

/// A sheet with about half of its terms chosen anew.
fn draw_terms(game: Game, tape: &mut Tape<'_>) -> TermSheet {
    let mut sheet = TermSheet::new(game);
    let terms: Vec<_> = sheet.entries().map(|(term, _)| term).collect();
    for term in terms {
        let values = values_of(term);
        let value = &values[tape.below(2 * values.len()) % values.len()];
        if tape.once_in(2) {
            // What another term forbids stays as it was.
            let _ = sheet.set([(term.key.as_str(), value.as_str())]);
        }
    }
    sheet
}

/// Values of a term that may be chosen: every word and small number, and some larger ones.
fn values_of(term: &Term) -> Vec<String> {
    let mut values = vec![term.default.clone()];
    for choice in term.values.split('|') {
        if choice.starts_with(">=") {
            let some: &[&str] = match (term.kind.as_str(), term.key.as_str()) {
                ("amount", "chip_unit") => &["0.01", "0.05", "0.25", "1", "2.50", "5", "25"],
                ("amount", _) => {
                    &["0.01", "0.05", "1", "2.50", "7", "25", "100", "5000", "10000000"]
                }
                _ => &["1", "2", "9", "30", "150", "1234", "1000000000"],
            };
            values.extend(some.iter().map(|&word| word.to_owned()));
        } else if let Some((least, most)) = choice.split_once("..") {
            let (least, most): (u32, u32) = (least.parse().unwrap(), most.parse().unwrap());
            let step = ((most - least) / 6).max(1) as usize;
            values.extend((least..=most).step_by(step).map(|number| number.to_string()));
        } else {
            values.push(choice.to_owned());
        }
    }
    values
}
