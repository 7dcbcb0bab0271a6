//! Writes the log of a table of Casino War that two people play at until it has so many entries:
//! `cargo run --release -p pitboss-audit --example long_log 1000000 > long.log`.

#[allow(dead_code)]
#[path = "../tests/log/house.rs"]
mod house;

use std::io::{self, BufWriter, Write};

use audit::chain::Chain;
use audit::export::Export;
use audit::log::{Outcome, RulesLine};
use audit::secret::LineSalt;
use house::{House, TABLE, sheet};
use rules::money::Cents;
use rules::table::{Table, TableAwaits};
use rules::wager::Game;

fn main() -> io::Result<()> {
    let entries = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10_000);
    let mut out = BufWriter::new(io::stdout().lock());
    write(entries, &mut out)?;
    out.flush()
}

/// Writes the log of the first inputs that lead to so many entries.
pub(crate) fn write(entries: u64, out: &mut impl Write) -> io::Result<()> {
    let sheet = sheet(Game::CasinoWar);
    let (mut house, mut table) = (House::new(sheet.clone(), 1), Table::new(sheet.clone()));
    let mut chain = Chain::new(TABLE);
    out.write_all(Export::first_line(TABLE).as_bytes())?;
    out.write_all(Export::line(&RulesLine::new(sheet).write(&mut chain)).as_bytes())?;
    for line in ["sit 1 ann", "buy-in 1 5000", "sit 4 bob", "buy-in 4 5000"] {
        house.tell(line);
    }
    while chain.next() <= entries {
        house.step();
        for seat in [1, 4] {
            let chair = house.table.seats()[seat - 1].as_ref();
            let is_low = chair.is_some_and(|chair| chair.rack < Cents::new(100_000));
            if is_low && house.table.awaits() == TableAwaits::Wagers {
                house.tell(&format!("buy-in {seat} 5000"));
            }
        }
        for input in house.inputs.drain(..) {
            let outcome = Outcome::of(&mut table, &input).expect("the house plays by the rules");
            for entry in outcome.write(&input, &mut chain, LineSalt::new([7; 16])) {
                out.write_all(Export::line(&entry).as_bytes())?;
            }
        }
    }
    Ok(())
}
