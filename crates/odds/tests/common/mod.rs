//! Plans for tests of tables.

use odds::simulate::{Plan, Strategy};
use rules::shoe::{Numbers, below};
use rules::terms::{self, Term, TermSheet};
use rules::wager::Game;

/// A plan with a strategy by name, where the terms allow a wager.
pub(crate) fn plan(sheet: &TermSheet, strategy: &str, seed: u64) -> Option<Plan> {
    let strategy = Strategy::named(sheet, strategy).unwrap();
    Plan::new(sheet.clone(), strategy, seed).ok()
}

/// The games that are played by tables.
pub(crate) const GAMES: [Game; 4] =
    [Game::CasinoWar, Game::DoubleDeck, Game::DoubleAttack, Game::FreeBet];

/// A value for a term, by chance.
fn value(term: &Term, numbers: &mut impl Numbers) -> String {
    let parts: Vec<&str> = term.values.split('|').collect();
    let mut below = |bound: usize| below(u32::try_from(bound).unwrap(), numbers);
    let part = parts[below(parts.len()) as usize];
    match (part.split_once(".."), part.strip_prefix(">=")) {
        (Some((least, most)), _) => {
            let (least, most): (u32, u32) = (least.parse().unwrap(), most.parse().unwrap());
            (least + below((most - least + 1) as usize)).to_string()
        }
        // Amounts with cents are the ones that may not fit.
        (None, Some(least)) => match least.parse::<u32>() {
            Ok(least) => (least + below(40)).to_string(),
            Err(_) => format!("{}.{:02}", below(40), below(100)),
        },
        (None, None) => part.to_owned(),
    }
}

/// Terms chosen by chance, as far as they go together.
fn sheet(game: Game, numbers: &mut impl Numbers) -> TermSheet {
    let mut sheet = TermSheet::new(game);
    for term in terms::of(game) {
        let mut with = sheet.clone();
        if with.set([(term.key.as_str(), value(term, numbers).as_str())]).is_ok() {
            sheet = with;
        }
    }
    sheet
}

/// A plan whose terms and strategy were chosen by chance; none where the terms allow no wager.
pub(crate) fn any_plan(game: Game, numbers: &mut impl Numbers) -> Option<Plan> {
    let sheet = sheet(game, numbers);
    let names: Vec<&str> =
        Strategy::names(game).iter().copied().filter(|name| *name != "best").collect();
    let strategy = names[below(u32::try_from(names.len()).unwrap(), numbers) as usize];
    plan(&sheet, strategy, numbers.next())
}
