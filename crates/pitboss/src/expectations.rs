//! What wagers cost, for a house that cannot know it: reckoned once for the terms of a table, by a
//! thread of its own, so that nobody waits for it.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::odds::Valuation;
use ::odds::simulate::is_added_to_main;
use house::config::{Expectation, Expectations};
use rules::terms::TermSheet;
use rules::wager::Circle;

/// Terms whose wagers are kept in mind; private tables may have any terms.
const MOST_KNOWN: usize = 128;

/// Terms that wait for their turn. Whoever asks for more asks again.
const MOST_WAITING: usize = 16;

/// What is known of the wagers at tables with some terms.
type Known = (TermSheet, Arc<[Expectation]>);

#[derive(Default)]
struct Desk {
    /// The latest first.
    known: VecDeque<Known>,
    waiting: VecDeque<TermSheet>,
    /// Whether a thread works on what waits.
    is_busy: bool,
}

/// What every wager is worth, once it is known.
pub(crate) fn expectations() -> Expectations {
    let desk = Arc::new(Mutex::new(Desk::default()));
    Arc::new(move |sheet| ask(&desk, sheet))
}

fn ask(desk: &Arc<Mutex<Desk>>, sheet: &TermSheet) -> Option<Arc<[Expectation]>> {
    let mut at = lock(desk);
    if let Some((_, known)) = at.known.iter().find(|(terms, _)| terms == sheet) {
        return Some(known.clone());
    }
    if at.waiting.len() < MOST_WAITING && !at.waiting.contains(sheet) {
        at.waiting.push_back(sheet.clone());
    }
    if !at.is_busy {
        let desk = desk.clone();
        let thread = std::thread::Builder::new().name("odds".to_owned());
        at.is_busy = thread.spawn(move || work(&desk)).is_ok();
    }
    None
}

fn lock(desk: &Mutex<Desk>) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reckons until nothing waits.
fn work(desk: &Mutex<Desk>) {
    loop {
        let sheet = {
            let mut at = lock(desk);
            let next = at.waiting.front().cloned();
            at.is_busy = next.is_some();
            next
        };
        let Some(sheet) = sheet else { return };
        // A mistake of the program is logged, and nothing is known then.
        let found = catch_unwind(AssertUnwindSafe(|| reckon(&sheet))).unwrap_or_default();
        let mut at = lock(desk);
        at.known.truncate(MOST_KNOWN - 1);
        at.known.push_front((sheet, found.into()));
        at.waiting.pop_front();
    }
}

/// What every wager of a table is worth with a full shoe, best played. The progressive is left out: its
/// worth moves with the meter.
fn reckon(sheet: &TermSheet) -> Vec<Expectation> {
    let Ok(table) = Valuation::new(sheet.clone()) else { return Vec::new() };
    let mut found: Vec<Expectation> = Vec::new();
    for one in table.expectations() {
        let (circle, millionths) = (one.wager.bet, millionths(one.ev));
        match found.iter_mut().find(|other| other.circle == circle) {
            _ if circle == Circle::Progressive => {}
            None => found.push(Expectation { circle, millionths, added: Vec::new() }),
            // Of an insurance wager nobody knows the hand that it was made on.
            Some(_) if circle == Circle::Insurance => {}
            Some(other) => other.millionths = other.millionths.max(millionths),
        }
    }
    let is_valued = |circle| found.iter().any(|one| one.circle == circle);
    let added = Circle::ALL.into_iter().filter(|&one| is_added_to_main(one) && !is_valued(one));
    let added: Vec<Circle> = added.collect();
    if let Some(main) = found.iter_mut().find(|one| one.circle == Circle::Main) {
        main.added = added;
    }
    found
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a wager loses itself a few times over at most"
)]
fn millionths(ev: f64) -> i64 {
    (ev * 1e6).round() as i64
}

#[cfg(test)]
mod tests {
    use rules::wager::Game;

    use super::*;

    /// Waits for what comes later.
    fn known(expectations: &Expectations, sheet: &TermSheet) -> Arc<[Expectation]> {
        loop {
            match expectations(sheet) {
                Some(known) => return known,
                None => std::thread::sleep(std::time::Duration::from_millis(5)),
            }
        }
    }

    #[test]
    fn wagers_are_valued_for_the_terms_of_the_table_and_once() {
        let expectations = expectations();
        let sheet = TermSheet::new(Game::CasinoWar);
        assert_eq!(expectations(&sheet), None, "nobody waits for it");
        let six = known(&expectations, &sheet);
        // With six decks 23 of 311 cards tie, and pay 10 to 1: 11 * 23 / 311 - 1.
        let of = |known: &[Expectation], circle: Circle| {
            known.iter().find(|one| one.circle == circle).cloned()
        };
        assert_eq!(of(&six, Circle::Tie).unwrap().millionths, -186_495);
        assert_eq!(of(&six, Circle::Progressive), None);
        let main = of(&six, Circle::Main).unwrap();
        assert!(main.added.contains(&Circle::War) && !main.added.contains(&Circle::Tie));
        assert!(Arc::ptr_eq(&six, &known(&expectations, &sheet)));
        // With eight decks 31 of 415: 11 * 31 / 415 - 1.
        let mut sheet = sheet;
        sheet.set([("decks", "8")]).unwrap();
        let eight = known(&expectations, &sheet);
        assert_eq!(of(&eight, Circle::Tie).unwrap().millionths, -178_313);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let expectations = expectations();
        let sheets = (0..MOST_KNOWN + 2).map(|more| {
            let mut sheet = TermSheet::new(Game::CasinoWar);
            sheet.set([("main_max", (1000 + more).to_string().as_str())]).unwrap();
            sheet
        });
        let sheets: Vec<TermSheet> = sheets.collect();
        for sheet in &sheets {
            known(&expectations, sheet);
        }
        assert_eq!(expectations(&sheets[0]), None, "the oldest is forgotten");
        assert!(expectations(sheets.last().unwrap()).is_some());
    }
}
