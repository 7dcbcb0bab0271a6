//! A house whose shoes are known, for tests of the browser client: never for play.
//!
//! The cards that are named are dealt first after a cut of 52 cards and the burn card, in Double Down Stud
//! at once; every shoe has the same order. There is a table of each game, or those of a configuration.
//!
//! ```text
//! cargo run -p pitboss-house --example known_shoe -- --data DIR [--port P] [--pace MS] [--betting MS]
//!     [--answer MS] [--contributions MS] [--cards "9d 9s …"] [--tables FILE]
//! ```

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use house::Config;
use house::tables::dealer::{Pace, SealedOrder};
use rules::card::Card;
use tokio::net::TcpListener;

/// Where the tests cut.
const CUT: usize = 52;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (mut port, mut data, mut cards, mut tables) = (0, None, Vec::new(), None);
    let (mut pace, mut betting, mut answer, mut adding) = (0, 600_000, 600_000, None);
    let mut words = std::env::args().skip(1);
    while let Some(option) = words.next() {
        let value = words.next().ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--port" => port = value.parse()?,
            "--data" => data = Some(value.into()),
            "--pace" => pace = value.parse()?,
            "--betting" => betting = value.parse()?,
            "--answer" => answer = value.parse()?,
            "--contributions" => adding = Some(value.parse()?),
            "--tables" => tables = Some(house::config::tables(&std::fs::read_to_string(value)?)?),
            "--cards" => {
                let read = |word: &str| word.parse().map_err(|_| format!("'{word}' is no card"));
                cards = value.split_whitespace().map(read).collect::<Result<_, _>>()?;
            }
            _ => return Err(format!("there is no option {option}").into()),
        }
    }
    let mut config = Config::new(data.ok_or("--data DIR is needed")?);
    config.tables = tables.unwrap_or(config.tables);
    let ms = Duration::from_millis;
    for table in &mut config.tables {
        let (card, betting) = (ms(pace), ms(betting));
        let (inspection, contributions) = (card, adding.map_or(card, ms));
        let pace = Pace { card, betting, inspection, contributions, ..Pace::default() };
        table.pace = Pace { answer: Some(ms(answer)), ..pace };
    }
    config.orders = Arc::new(move |all: Vec<Card>| {
        let order = order(all, &cards).map_err(std::io::Error::other)?;
        Ok(SealedOrder { salt: [0xab; 32], order })
    });
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("The house is open at http://{}", listener.local_addr()?);
    Ok(house::run(listener, config, async { drop(tokio::signal::ctrl_c().await) }).await?)
}

/// All cards of a shoe, these first after the cut and the burn card.
fn order(mut order: Vec<Card>, first: &[Card]) -> Result<Vec<Card>, String> {
    // A single deck is neither cut nor burned from (DDS-R09).
    let front = if order.len() > CUT { CUT + 1 } else { 0 };
    for (at, card) in (front..).zip(first) {
        let mut left = order.get(at..).into_iter().flatten();
        let found = left.position(|other| other == card);
        order.swap(at, at + found.ok_or_else(|| format!("there is no {card} left"))?);
    }
    Ok(order)
}
