//! `pitboss play`: a table in the terminal, without a server.

pub(crate) mod act;
mod ask;
// Values are real numbers; money never is.
#[allow(clippy::float_arithmetic)]
mod coach;
mod custody;
pub(crate) mod draw;
mod felt;
mod guide;
mod house_player;
pub(crate) mod input;
mod results;
mod sitting;
mod voice;
mod wager;

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use rules::games;
use rules::money::{Cents, LARGEST_AMOUNT};
use rules::terms::TermSheet;
use rules::wager::Game;

use crate::halt::{Halt, ended};
use crate::named;
use crate::screen::{self, Screen};
use crate::text::ungrouped;
use coach::Coach;
use input::{Entry, Input, Topic};
use sitting::{Seating, Sitting};

const HELP: &str = "\
Type a letter or a word, with an amount if you like, and press Enter. At any
time: ? for help, ?? for the rules, ? pays for the pay table, r ID for a
clause, ruling or house option, t for the transcript of the last round, burn
for the burn card if the rules let you see it, q to leave. Enter alone repeats
the last wager.

The other boxes bet the table minimum, without side wagers, and play simply. In
Casino War they always go to war; in Double Down Stud they double when they see
a pair or better; in the blackjack games they hit below 17, stand on 17 or
more, and never attack, double, split, insure or surrender. Their chips never
run out.

With --coach, every open play has a bar with its average gain, based on the
cards that you have seen since the last shuffle, and afterwards you are told
what your choice cost (docs/coach.md).

If you leave during a round, it is finished without further wagers: you pass,
stand, or surrender a tie (G-06).

You have one box, and a bankroll of up to 10,000,000. A line has at
most 200 bytes. House options limit the wagers: `pitboss rules GAME` lists
them. Options about the table's procedures are accepted, but have no effect.

Lines are as wide as the terminal, or COLUMNS, from 40 to 100 columns. There are
no colours with NO_COLOR or TERM=dumb, or in a pipe.

Examples:
  pitboss play                                   asks which game
  pitboss play casino-war                        with a rack of 1,000
  pitboss play double-deck --boxes 3 --seat 2    three others, you in box 2
  pitboss play free-bet --seed 7                 the same cards each time
  pitboss play double-deck --coach               what every play is worth
  pitboss play double-attack --set decks=6 --set seats=6 --bankroll 250";

/// Plays at a table in the terminal.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    #[arg(value_name = "GAME", help = named::games_help(" [default: asks]"))]
    game: Option<String>,
    /// How many other boxes the house plays
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true)]
    boxes: String,
    /// Your box, counted from the dealer's far left
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    seat: String,
    /// The chips you bring
    #[arg(long, value_name = "AMOUNT", default_value = "1,000", allow_hyphen_values = true)]
    bankroll: String,
    /// Deals the same cards each time [default: random]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<String>,
    /// Sets a house option; can be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Shows what every open play is worth, and what your choices cost
    #[arg(long)]
    coach: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let stdin = io::stdin();
    let mut input = Input::new(stdin.lock(), !stdin.is_terminal());
    let mut screen = Screen::new(out, screen::is_colourful(), screen::width());
    ended(play(arguments, &mut input, &mut screen))
}

fn play(
    arguments: &Arguments,
    input: &mut Input<impl BufRead>,
    screen: &mut Screen<impl Write>,
) -> Result<(), Halt> {
    // Arguments are judged before anything is asked.
    let bankroll = bankroll(&arguments.bankroll).map_err(Halt::BadInput)?;
    let seed = arguments.seed.as_deref().map(seed).transpose().map_err(Halt::BadInput)?;
    let choices = named::choices(&arguments.set).map_err(Halt::BadInput)?;
    let game = match &arguments.game {
        Some(name) => Some(named::game_or_why(name).map_err(Halt::BadInput)?),
        None => choose_game(input, screen)?,
    };
    let Some(game) = game else { return Ok(()) };
    let mut sheet = TermSheet::new(game);
    sheet.set(choices).map_err(|refusal| Halt::BadInput(named::in_words(&refusal)))?;
    let seating = seating(arguments, &sheet).map_err(Halt::BadInput)?;
    let chance = match seed {
        Some(seed) => ChaCha20Rng::seed_from_u64(seed),
        None => ChaCha20Rng::try_from_rng(&mut rand::rngs::SysRng).map_err(io::Error::other)?,
    };
    let coach = arguments.coach.then(Coach::default);
    Sitting::new(sheet, seating, bankroll, (chance, coach), input, screen).run()?;
    Ok(())
}

fn bankroll(word: &str) -> Result<Cents, String> {
    let most = Cents::from(LARGEST_AMOUNT);
    match ungrouped(word).parse::<Cents>() {
        Ok(amount) if amount > Cents::ZERO && amount <= most => Ok(amount),
        _ => Err(format!(
            "expected --bankroll above 0 and up to {most}, such as 250 or 7.50, found '{}'",
            word.escape_debug()
        )),
    }
}

fn seed(word: &str) -> Result<u64, String> {
    let found = word.escape_debug();
    word.parse().map_err(|_| format!("expected --seed as a whole number from 0, found '{found}'"))
}

/// Who sits where: the player, and the others from box 1 on.
fn seating(arguments: &Arguments, sheet: &TermSheet) -> Result<Seating, String> {
    let opening = games::opening(sheet);
    let seats = usize::from(opening.seats);
    let number = |option: &str, word: &str, least: usize, most: usize| {
        let number = word.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            let boxes = if seats == 1 { "box" } else { "boxes" };
            format!(
                "expected {option} from {least} to {most}, because the layout has {seats} {boxes} \
                 (house option seats), found '{}'",
                word.escape_debug()
            )
        })
    };
    let me = number("--seat", &arguments.seat, 1, seats)? - 1;
    let count = number("--boxes", &arguments.boxes, 0, seats - 1)?;
    if wager::least(&opening) > opening.main_max {
        return Err(format!(
            "no multiple of chip_unit={} is between main_min={} and main_max={}",
            opening.chip_unit, opening.main_min, opening.main_max
        ));
    }
    let others = (0..seats).filter(|&seat| seat != me).take(count).collect();
    Ok(Seating { me, others })
}

/// Asks which game; none if the player leaves.
fn choose_game(
    input: &mut Input<impl BufRead>,
    screen: &mut Screen<impl Write>,
) -> io::Result<Option<Game>> {
    screen.heading("Which game?")?;
    for (number, game) in (1..).zip(Game::ALL) {
        screen.item(&format!("  {number}  {}", game.title()), 30, guide::in_one_line(game))?;
    }
    loop {
        let said = format!("A number from 1 to {}, or a name such as free-bet", Game::ALL.len());
        screen.offer(&[&said, "[?] help", "[q]uit"])?;
        let Some(line) = input.read(screen)? else { return Ok(None) };
        match (Entry::read(&line), named::game(line.trim())) {
            (_, Some(game)) => return Ok(Some(game)),
            (Entry::Quit, None) => return Ok(None),
            (Entry::Help(topic), None) => choosing_help(topic, screen)?,
            (_, None) => {
                screen.say(&format!(
                    "Expected a number from 1 to {}, or one of {}; type ? for help, q to leave.",
                    Game::ALL.len(),
                    named::games()
                ))?;
            }
        }
    }
}

/// Help before a game is chosen: each game in brief where its rules are asked for.
fn choosing_help(topic: Topic, screen: &mut Screen<impl Write>) -> io::Result<()> {
    if topic == Topic::Here {
        return screen.say(
            "Type the number of a game, its name or the beginning of its name, and press Enter. You \
             play for play money. Every game explains itself when you sit down and whenever you \
             type ?. Casino War is the quickest to learn. ?? explains all the games.",
        );
    }
    for game in Game::ALL {
        screen.heading(game.title())?;
        screen.points(guide::in_brief(game))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bankrolls_have_limits() {
        assert_eq!(bankroll("250"), Ok(Cents::new(25_000)));
        assert_eq!(bankroll("1,000"), Ok(Cents::new(100_000)));
        for word in ["0", "-5", "ten", "10000000.01", ""] {
            assert!(bankroll(word).is_err(), "{word}");
        }
    }
}
