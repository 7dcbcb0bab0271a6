//! `pitboss play`: a table in the terminal, without a server.

mod act;
mod ask;
mod custody;
mod draw;
mod felt;
mod guide;
mod house_player;
mod input;
mod results;
mod screen;
mod sitting;
mod text;
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

use crate::BAD_INPUT;
use input::Input;
use screen::Screen;
use sitting::{Seating, Sitting};

const HELP: &str = "\
Everything is typed as one line and Enter: a letter or a word, and an amount
where one fits. At any time: ? for help, r ID for a clause or ruling, t for the
transcript of the last round, burn for the burn card where the book shows it, q
to leave. Enter alone repeats the last wager.

Other boxes bet the table minimum, without side wagers, and play plainly: in
Casino War they always go to war; in Double Down Stud they double once their
open cards already pay; in the blackjacks they hit below 17, stand on 17 or
more, and never attack, double, split, insure or surrender. Their chips do not
run out.

Who leaves during a round has it finished without new money: pass, stand, or
surrender at a tie (G-06).

Limits: you have one box, alone; up to 6 others; a bankroll of up to
10,000,000.00; 200 bytes in a line. Wagers have the limits of the table's terms,
which `pitboss rules GAME` lists.

NO_COLOR, TERM=dumb or a pipe: no colours.

Examples:
  pitboss play                                   asks which game
  pitboss play casino-war                        Casino War with a rack of 1000.00
  pitboss play double-deck --boxes 3 --seat 2    three others at the table, you in box 2
  pitboss play free-bet --seed 7                 the same cards each time
  pitboss play double-attack --set decks=6 --set seats=6 --bankroll 250";

/// Deals a table in the terminal.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// casino-war, double-down-stud, double-deck, double-attack or free-bet; asked for if missing
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// How many other boxes are played by the house's players
    #[arg(long, value_name = "N", default_value_t = 0)]
    boxes: usize,
    /// The box you sit at, counted from the dealer's far left
    #[arg(long, value_name = "N", default_value_t = 1)]
    seat: usize,
    /// The chips that you bring
    #[arg(long, value_name = "AMOUNT", default_value = "1000.00")]
    bankroll: String,
    /// Deals the same cards each time; without it chance comes from the operating system
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Sets a house option, as often as needed
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let stdin = io::stdin();
    let mut input = Input::new(stdin.lock(), !stdin.is_terminal());
    let mut screen = Screen::new(out, is_colourful());
    match play(arguments, &mut input, &mut screen) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // Whoever watched has gone.
        Err(Stop::World(error)) if error.kind() == io::ErrorKind::BrokenPipe => Err(error),
        Err(Stop::World(error)) => {
            eprintln!("pitboss: the table had to close: {error}");
            Ok(ExitCode::FAILURE)
        }
        Err(Stop::BadInput(sentence)) => {
            eprintln!("pitboss: {sentence}");
            Ok(ExitCode::from(BAD_INPUT))
        }
    }
}

/// Why nothing is dealt.
enum Stop {
    /// An argument makes no sense.
    BadInput(String),
    /// Reading, writing or chance failed.
    World(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::World(error)
    }
}

fn play(
    arguments: &Arguments,
    input: &mut Input<impl BufRead>,
    screen: &mut Screen<impl Write>,
) -> Result<(), Stop> {
    // Arguments are judged before anything is asked.
    let bankroll = bankroll(&arguments.bankroll).map_err(Stop::BadInput)?;
    let choices = choices(&arguments.set).map_err(Stop::BadInput)?;
    let game = match &arguments.game {
        Some(name) => Some(game_named(name).map_err(Stop::BadInput)?),
        None => choose_game(input, screen)?,
    };
    let Some(game) = game else { return Ok(()) };
    let mut sheet = TermSheet::new(game);
    sheet.set(choices).map_err(|refusal| Stop::BadInput(refusal.to_string()))?;
    let seating = seating(arguments, &sheet).map_err(Stop::BadInput)?;
    let chance = match arguments.seed {
        Some(seed) => ChaCha20Rng::seed_from_u64(seed),
        None => ChaCha20Rng::try_from_rng(&mut rand::rngs::SysRng).map_err(io::Error::other)?,
    };
    Sitting::new(sheet, seating, bankroll, chance, input, screen).run()?;
    Ok(())
}

/// Whether escape codes are welcome: a terminal that has colours, and nobody who minds.
fn is_colourful() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

fn bankroll(word: &str) -> Result<Cents, String> {
    let most = Cents::from(LARGEST_AMOUNT);
    match word.parse::<Cents>() {
        Ok(amount) if amount > Cents::ZERO && amount <= most => Ok(amount),
        _ => Err(format!(
            "expected a bankroll above 0 and up to {most}, such as 250 or 7.50, found '{}'",
            word.escape_debug()
        )),
    }
}

fn choices(words: &[String]) -> Result<Vec<(&str, &str)>, String> {
    let choice = |word: &'_ str| {
        format!("expected KEY=VALUE, such as decks=8, found '{}'", word.escape_debug())
    };
    words.iter().map(|word| word.split_once('=').ok_or_else(|| choice(word))).collect()
}

fn game_named(name: &str) -> Result<Game, String> {
    Game::named(name).ok_or_else(|| {
        let games = Game::ALL.map(Game::name).join(", ");
        format!("expected one of {games}, found '{}'", name.escape_debug())
    })
}

/// Who sits where: the player, and the others from box 1 on.
fn seating(arguments: &Arguments, sheet: &TermSheet) -> Result<Seating, String> {
    let opening = games::opening(sheet);
    let seats = usize::from(opening.seats);
    if !(1..=seats).contains(&arguments.seat) {
        return Err(format!(
            "expected --seat from 1 to {seats} (house limit seats), found {}",
            arguments.seat
        ));
    }
    if arguments.boxes >= seats {
        return Err(format!(
            "expected --boxes from 0 to {}, as the layout has {seats} box(es) (house limit seats), \
             found {}",
            seats - 1,
            arguments.boxes
        ));
    }
    if wager::least(&opening) > opening.main_max {
        return Err(format!(
            "no multiple of the {} chip lies between main_min={} and main_max={}",
            opening.chip_unit, opening.main_min, opening.main_max
        ));
    }
    let me = arguments.seat - 1;
    let others = (0..seats).filter(|&seat| seat != me).take(arguments.boxes).collect();
    Ok(Seating { me, others })
}

/// Asks which game; none where the guest leaves.
fn choose_game(
    input: &mut Input<impl BufRead>,
    screen: &mut Screen<impl Write>,
) -> io::Result<Option<Game>> {
    screen.heading("Which table?")?;
    for (number, game) in (1..).zip(Game::ALL) {
        screen.plain(&format!("  {number}  {:25}{}", game.title(), guide::in_one_line(game)))?;
    }
    loop {
        screen.offer(&["A number from 1 to 5, or a name such as free-bet", "[q]uit"])?;
        let Some(line) = input.read(screen)? else { return Ok(None) };
        let word = line.trim().to_lowercase();
        if matches!(word.as_str(), "q" | "quit" | "exit") {
            return Ok(None);
        }
        if let Some(game) = game_said(&word) {
            return Ok(Some(game));
        }
        let games = Game::ALL.map(Game::name).join(", ");
        screen.say(&format!("Expected a number from 1 to 5, or one of {games}."))?;
    }
}

/// A game by its number, its name, or the beginning of one name only.
fn game_said(word: &str) -> Option<Game> {
    let number = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    if let Some(game) = number.and_then(|number| Game::ALL.get(number)) {
        return Some(*game);
    }
    let word = word.replace(' ', "-");
    let mut fits =
        Game::ALL.into_iter().filter(|g| !word.is_empty() && g.name().starts_with(&word));
    match (fits.next(), fits.next()) {
        (Some(game), None) => Some(game),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_chosen_by_number_name_or_beginning() {
        assert_eq!(game_said("1"), Some(Game::CasinoWar));
        assert_eq!(game_said("free"), Some(Game::FreeBet));
        assert_eq!(game_said("casino war"), Some(Game::CasinoWar));
        assert_eq!(game_said("double-deck"), Some(Game::DoubleDeck));
        for word in ["", "0", "6", "double", "poker", "99999999999999999999"] {
            assert_eq!(game_said(word), None, "{word}");
        }
    }

    #[test]
    fn bankrolls_have_limits() {
        assert_eq!(bankroll("250"), Ok(Cents::new(25_000)));
        for word in ["0", "-5", "ten", "10000000.01", ""] {
            assert!(bankroll(word).is_err(), "{word}");
        }
    }
}
