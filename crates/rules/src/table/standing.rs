//! A table between two rounds as lines of text, so that it can go on without its whole past.

use super::account::{Name, read_seat};
use super::cut::FirstAsked;
use super::input::{Input, Seal};
use super::{Chair, Phase, Table, TableShoe};
use crate::money::Cents;
use crate::terms::TermSheet;
use crate::wager::Bettor;

impl Table {
    /// All that the next round and every later one depend on, where betting is open.
    ///
    /// Terms are not in it; [`resumed`](Self::resumed) is given them.
    pub fn standing(&self) -> Option<Vec<String>> {
        let (Phase::Betting, Some(shoe)) = (&self.phase, &self.shoe) else { return None };
        let mut lines = Vec::new();
        for (seat, chair) in self.occupied() {
            let Chair { player, rack, arrival, wager } = chair;
            lines.push(format!("seat {} {player} rack {rack} arrival {arrival}", seat + 1));
            if !wager.is_empty() {
                let (bettor, amounts) = (Bettor::at(seat), wager.clone());
                lines.push(Input::Wager { bettor, amounts }.to_string());
            }
        }
        lines.push(format!("arrivals {}", self.arrivals));
        lines.push(format!("rounds {}", self.rounds_played));
        lines.extend(self.meter.map(|meter| format!("meter {meter}")));
        let cut = shoe.cut.map(|at| format!(" cut {at}")).unwrap_or_default();
        lines.push(format!("shoe {} {} dealt {}{cut}", shoe.number, shoe.seal, shoe.dealt));
        lines.push(match self.first_asked {
            FirstAsked::FirstArrival => "asked first-arrival".to_owned(),
            FirstAsked::Seat(seat) => format!("asked seat {}", seat + 1),
            FirstAsked::FarRight => "asked far-right".to_owned(),
        });
        Some(lines)
    }

    /// The table that stood so; none where the lines do not come from such a table.
    pub fn resumed<'a>(
        sheet: TermSheet,
        standing: impl IntoIterator<Item = &'a str>,
    ) -> Option<Table> {
        let mut table = Table::new(sheet);
        table.phase = Phase::Betting;
        let lines: Vec<_> = standing.into_iter().collect();
        for line in &lines {
            table.stand(line)?;
        }
        let is_whole = table.shoe.is_some_and(|shoe| shoe.dealt <= shoe.size);
        let covered = table.occupied().all(|(_, chair)| table.covers(chair));
        let same = |written: Vec<String>| written.iter().eq(lines.iter());
        (is_whole && covered && table.standing().is_some_and(same)).then_some(table)
    }

    /// Whether a rack holds the wager that is placed from it, if any.
    fn covers(&self, chair: &Chair) -> bool {
        let placed = chair.wager.iter().map(|(_, amount)| *amount).sum();
        let is_taken = chair.wager.is_empty() || self.opening.check(&chair.wager).is_ok();
        is_taken && chair.rack >= placed
    }

    /// Reads one line.
    fn stand(&mut self, line: &str) -> Option<()> {
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            ["seat", seat, player, "rack", rack, "arrival", arrival] => {
                let player: Name = player.parse().ok()?;
                let (rack, arrival): (Cents, u32) = (rack.parse().ok()?, arrival.parse().ok()?);
                let chair = Chair { player, rack, wager: Vec::new(), arrival };
                *self.chairs.get_mut(read_seat(seat)?)? = Some(chair);
            }
            ["wager", ..] => {
                let Ok(Input::Wager { bettor, amounts }) = line.parse() else { return None };
                self.chairs.get_mut(bettor.seat())?.as_mut()?.wager = amounts;
            }
            ["arrivals", number] => self.arrivals = number.parse().ok()?,
            ["rounds", number] => self.rounds_played = number.parse().ok()?,
            ["meter", amount] => self.meter = Some(amount.parse().ok()?),
            ["shoe", number, seal, "dealt", dealt, ref cut @ ..] => {
                let seal: Seal = seal.parse().ok()?;
                let mut shoe = TableShoe::new(number.parse().ok()?, seal, &self.procedure);
                shoe.dealt = dealt.parse().ok()?;
                shoe.cut = match cut {
                    [] => None,
                    ["cut", at] => Some(at.parse().ok()?),
                    _ => return None,
                };
                self.shoe = Some(shoe);
            }
            ["asked", "first-arrival"] => self.first_asked = FirstAsked::FirstArrival,
            ["asked", "seat", seat] => self.first_asked = FirstAsked::Seat(read_seat(seat)?),
            ["asked", "far-right"] => self.first_asked = FirstAsked::FarRight,
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wager::Game;

    #[test]
    fn a_standing_says_all_and_nothing_else_is_read() {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        let shuffle = format!("shuffle {}", "5c".repeat(32));
        for line in ["sit 7 bob", "sit 2 ann", "buy-in 2 100", &shuffle, "cut 7 60"] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
            assert_eq!(table.standing(), None);
        }
        for line in ["card ??", "wager 2 main 10 tie 5"] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        let standing = table.standing().unwrap();
        let shoe = format!("shoe 1 {} dealt 1 cut 60", "5c".repeat(32));
        assert_eq!(
            standing,
            [
                "seat 2 ann rack 100 arrival 1",
                "wager 2 main 10 tie 5",
                "seat 7 bob rack 0 arrival 0",
                "arrivals 2",
                "rounds 0",
                "meter 10000",
                &shoe,
                "asked first-arrival",
            ]
        );
        let read = |lines: &[String]| {
            Table::resumed(table.sheet().clone(), lines.iter().map(String::as_str))
        };
        assert_eq!(read(&standing).unwrap(), table);
        for missing in 0..standing.len() {
            let mut lines = standing.clone();
            let line = lines.remove(missing);
            // An empty seat and a wager that was never placed have no line.
            let may_be_missing = line.starts_with("seat 7") || line.starts_with("wager");
            assert_eq!(read(&lines).is_some(), may_be_missing, "{line}");
            lines.insert(missing, format!("{line} "));
            assert_eq!(read(&lines), None, "{line}");
        }
        for (known, wrong) in [
            ("dealt 1 ", "dealt 313 "),
            ("rack 100", "rack 14"),
            ("main 10", "main 1"),
            ("seat 7", "seat 8"),
        ] {
            let lines: Vec<_> = standing.iter().map(|line| line.replace(known, wrong)).collect();
            assert_ne!(lines, standing);
            assert_eq!(read(&lines), None, "{wrong}");
        }
    }
}
