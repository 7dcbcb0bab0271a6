//! How long the coach works on a question:
//! `cargo run --profile quick -p pitboss-odds --example coach_time -- 2000`.
//!
//! Plays rounds by chance at tables of all five games, through shoes, with one box or with six,
//! and with racks that cover everything or hardly anything. Every decision is asked
//! about. Prints the percentiles of the time for one question, and how many took at most 50 ms.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use odds::from_here;
use odds::simulate::Wyrand;
use odds::unseen::Unseen;
use rules::games::{AnyRound, TableWagers, opening};
use rules::money::Cents;
use rules::round::{Act, Amounts, Awaits, Event, Place, Round};
use rules::shoe::{self, Shoe, below};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

/// The longest that a question may take.
const LIMIT: Duration = Duration::from_millis(50);

/// Questions of one kind.
type Kinds = BTreeMap<String, Vec<Duration>>;

fn main() {
    let questions = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1000);
    let mut kinds = Kinds::new();
    let mut numbers = Wyrand::of(1, 1);
    for game in Game::ALL {
        for boxes in [1, 6] {
            for rack in ["enough", "short"] {
                ask(game, boxes, rack, questions / 4, &mut kinds, &mut numbers);
            }
        }
    }
    println!("{:<34}{:>9}{:>9}{:>9}{:>9}  up to 50 ms", "", "asked", "p50", "p99", "max");
    let all: Vec<Duration> = kinds.values().flatten().copied().collect();
    kinds.insert("all".to_owned(), all);
    for (kind, mut times) in kinds {
        times.sort_unstable();
        let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
        let within = times.iter().filter(|time| **time <= LIMIT).count();
        let ms = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
        let share = 100.0 * within as f64 / times.len() as f64;
        let [half, most, last] = [at(50), at(99), times[times.len() - 1]].map(ms);
        println!("{kind:<34}{:>9}{half:>10}{most:>10}{last:>10}  {share:.2} %", times.len());
    }
}

/// Plays rounds of a game by chance, and asks about every decision until there are enough.
fn ask(game: Game, boxes: usize, rack: &str, most: usize, kinds: &mut Kinds, numbers: &mut Wyrand) {
    let sheet = TermSheet::new(game);
    let mut cards = Shoe::new(&sheet).without_cut_card();
    let (mut before, mut asked) = (Unseen::full(&sheet), 0);
    let all = shoe::cards(&sheet);
    while asked < most {
        if usize::from(before.total()) < (all / 3).max(boxes * 6 + 26)
            || shoe::behind_cut_card(&sheet).is_none()
        {
            (cards, before) = (Shoe::new(&sheet).without_cut_card(), Unseen::full(&sheet));
        }
        let mut wagers = TableWagers::NONE;
        let main = Cents::new(3000);
        for seat in 0..boxes {
            let bettor = Bettor::at(seat);
            if rack == "short" {
                let more = i64::from(below(12, numbers)) * 1500;
                wagers.bankroll(bettor, Cents::new(3000 + more)).expect("a rack");
            }
            wagers.place(&opening(&sheet), bettor, &[(Circle::Main, main)]).expect("a wager");
        }
        let mut events: Vec<Event> = Vec::new();
        let mut round = AnyRound::start(&sheet, &wagers, &mut events);
        let mut hole = None;
        loop {
            let mut draw = || cards.draw(numbers).expect("enough cards");
            match round.awaits() {
                Awaits::Card(_) => round.deal(draw(), &mut events).expect("a card"),
                Awaits::FaceDown(place) => {
                    let card = draw();
                    hole = if place == Place::Dealer { Some(card) } else { hole };
                    round.deal_face_down(&mut events).expect("a card");
                }
                Awaits::Peek => {
                    let natural = round.reader_answer(hole.expect("a hole card"));
                    round.peek(natural, &mut events).expect("an answer");
                }
                Awaits::Turn => {
                    round.turn(hole.expect("a hole card"), &mut events).expect("a card")
                }
                Awaits::Acts(bettors) => {
                    for bettor in bettors.iter() {
                        let calls: Vec<_> = round.offers(bettor).iter().collect();
                        if calls.is_empty() {
                            continue;
                        }
                        if let Ok(unseen) = before.after(&events, bettor.seat()) {
                            let began = Instant::now();
                            let values = from_here(&sheet, &round, bettor, &unseen);
                            let took = began.elapsed();
                            if values.is_ok() {
                                let kind = kind(game, rack, &round, bettor);
                                kinds.entry(kind).or_default().push(took);
                                asked += 1;
                            }
                        }
                        let count = u32::try_from(calls.len()).expect("few calls");
                        let call = calls[below(count, numbers) as usize];
                        let act = match round.amounts(bettor, call) {
                            Amounts::Required(range) => Act::With(call, range.most.into()),
                            _ => Act::Call(call),
                        };
                        round.act(bettor, act, &mut events).expect("an open act");
                    }
                }
                Awaits::Nobody => break,
            }
        }
        before = before.after(&events, 0).unwrap_or_else(|_| Unseen::full(&sheet));
    }
}

/// What is asked: the game, the rack, and the kind of decision.
fn kind(game: Game, rack: &str, round: &AnyRound, bettor: Bettor) -> String {
    let offers = round.offers(bettor);
    let has = |name: &str| offers.iter().any(|call| call.name() == name);
    let what = match () {
        () if has("attack") => "attack",
        () if has("insure") => "insurance",
        () if has("split") => "pair",
        () => "others",
    };
    format!("{game}, {rack} rack, {what}")
}
