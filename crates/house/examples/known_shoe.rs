//! A house whose shoes are known, for tests of the browser client: never for play.
//!
//! The cards that are named are dealt first after a cut of 52 cards and the burn card, in Double Down Stud
//! at once; every shoe has the same order. Its salt is one for which the drawn cut is 52 too, as long as
//! nobody adds to the order. There is a table of each game, or those of a configuration.
//!
//! ```text
//! cargo run -p pitboss-house --example known_shoe -- --data DIR [--port P] [--pace MS] [--betting MS]
//!     [--answer MS] [--contributions MS] [--cards "9d 9s …"] [--tables FILE]
//! ```

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use audit::mix::{drawn_cut, key};
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
        Ok(cut_as_the_tests(order))
    });
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("The house is open at http://{}", listener.local_addr()?);
    Ok(house::run(listener, config, async { drop(tokio::signal::ctrl_c().await) }).await?)
}

/// An order with a salt for which the drawn cut is the one of the tests, if nobody adds to it.
fn cut_as_the_tests(order: Vec<Card>) -> SealedOrder {
    let margin = match order.len() {
        384 => 48,
        size if size > 104 => 52,
        _ => 10,
    };
    let bounds = (margin, order.len() - margin);
    let salts = (0_u32..).map(|number| {
        let mut salt = [0xab; 32];
        salt[..4].copy_from_slice(&number.to_be_bytes());
        salt
    });
    let sealed = salts.map(|salt| SealedOrder { salt, order: order.clone() });
    let is_cut = |sealed: &SealedOrder| {
        order.len() <= CUT || drawn_cut(key(&sealed.seal(), &[]), 0, bounds) == CUT
    };
    sealed.into_iter().find(is_cut).expect("some salt does")
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
