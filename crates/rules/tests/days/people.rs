//! What people and things do in a day, as lines of the notation.

use rules::money::Cents;
use rules::round::{Amounts, Awaits, Call, Round};
use rules::table::{Cutter, Kind, TableAwaits};
use rules::wager::{Bettor, Game};

use crate::day::Day;

/// What brings the table further; now and then something goes wrong.
pub(crate) fn wanted(day: &mut Day) -> String {
    if day.numbers.once_in(30) {
        return report(day);
    }
    let awaits = day.table.awaits();
    match awaits {
        TableAwaits::Player => sit(day),
        TableAwaits::Decks => decks(day),
        TableAwaits::Inspection(bettor) => match day.numbers.once_in(4) {
            true => format!("time-out {bettor}"),
            false => format!("inspect {bettor}"),
        },
        TableAwaits::Shuffle => shuffle(day),
        TableAwaits::Commitments(asked) => match (asked, day.numbers.below(5)) {
            (Some(bettor), 0) => format!("time-out {bettor}"),
            (Some(bettor), 1) => format!("cut {bettor} pass"),
            (Some(bettor), 2) => format!("commit cut {bettor} {}", cut(day)),
            _ if day.table.everyone().next().is_none() => "commit".to_owned(),
            _ => {
                let (one, bytes) = (someone(day), day.numbers.seal());
                format!("commit house h1 {one} {bytes}")
            }
        },
        TableAwaits::Openings => {
            let committed: Vec<Bettor> =
                day.table.commitments().iter().map(|committed| committed.bettor).collect();
            match day.numbers.once_in(4) {
                true => "open".to_owned(),
                false => format!("open {} {}", committed[0], day.numbers.seal()),
            }
        }
        TableAwaits::Cut(by) => match (day.numbers.below(4), by) {
            (0, Cutter::Seat(bettor)) => format!("time-out {bettor}"),
            (1, Cutter::Seat(bettor)) => format!("cut {bettor} pass"),
            _ => format!("cut {by} {}", cut(day)),
        },
        TableAwaits::Wagers => betting(day),
        TableAwaits::Round(Awaits::Card(_)) => next_card(day),
        TableAwaits::Round(Awaits::FaceDown(_)) => "card ??".to_owned(),
        TableAwaits::Round(Awaits::Peek) => {
            let round = *day.table.round().expect("a round asks for it");
            let hole = day.custody.hole_card();
            let natural = hole.is_some_and(|hole| round.reader_answer(hole));
            format!("peek {}", if natural { "yes" } else { "no" })
        }
        TableAwaits::Round(Awaits::Turn) => {
            let hole = day.custody.hole_card().expect("a card lies face down");
            format!("turn {hole}")
        }
        TableAwaits::Round(Awaits::Acts(asked)) => {
            let asked: Vec<Bettor> = asked.iter().collect();
            let bettor = day.numbers.one_of(&asked);
            decide(day, bettor)
        }
        TableAwaits::Round(Awaits::Nobody) => unreachable!("a settled round is gone"),
        TableAwaits::Reveal => {
            let shoe = day.table.to_reveal().expect("a shoe is to be revealed").number;
            format!("reveal {} {}", day.numbers.seal(), day.custody.order(shoe))
        }
        TableAwaits::Supervisor(_) => {
            let outcomes = day.table.outcomes();
            format!("order {} by eve", day.numbers.one_of(&outcomes))
        }
        TableAwaits::Choice(bettor) => {
            let choice = day.numbers.one_of(&["late-card", "refund", "take", "refuse", "keep"]);
            match day.numbers.once_in(5) {
                true => format!("time-out {bettor}"),
                false => format!("choose {bettor} {choice}"),
            }
        }
        TableAwaits::Repair => "order repaired by eve".to_owned(),
    }
}

/// Something that the table may want, or not.
pub(crate) fn anything(day: &mut Day) -> String {
    let (seat, name) = (anywhere(day), name(day));
    match day.numbers.below(32) {
        0 | 1 => sit(day),
        2 => format!("buy-in {seat} {}", day.numbers.one_of(&["-1", "0", "0.50", "17", "2000"])),
        3 if day.numbers.once_in(4) => format!("leave {seat}"),
        4 => shuffle(day),
        5 => format!("cut {} {}", day.numbers.below(7) + 1, cut(day)),
        6 => format!("cut dealer {}", cut(day)),
        7 => format!("clear {seat}"),
        8 => "deal".to_owned(),
        9 => "card ??".to_owned(),
        10 => next_card(day),
        11 => format!("time-out {seat}"),
        12 => format!("open {seat} {}", day.numbers.seal()),
        13 => "commit".to_owned(),
        14 => {
            let call = day.numbers.one_of(&Call::ALL);
            format!("act {seat} {call}")
        }
        15 => format!("dealer {name}"),
        16 => decks(day),
        17 if day.numbers.once_in(8) => "decks due".to_owned(),
        18 if day.numbers.once_in(8) => "idle".to_owned(),
        19 => format!("inspect {seat}"),
        20 => format!("spread {seat}"),
        21 => show_burn(day),
        22 => format!("consent {} {name}", day.numbers.below(7) + 1),
        23 if day.numbers.once_in(4) => format!("revoke {} {name}", day.numbers.below(7) + 1),
        24 => order(day),
        25 => correct(day),
        26 => format!("choose {seat} {}", day.numbers.one_of(&["late-card", "take", "refuse"])),
        27 => report(day),
        // Only where nobody asks: a reader does not lie.
        28 if day.table.awaits() != TableAwaits::Round(Awaits::Peek) => "peek no".to_owned(),
        29 => format!("reveal {} 9d", day.numbers.seal()),
        30 => format!("meter {}", day.numbers.one_of(&["10000", "10012.34", "98765.43"])),
        _ => wager(day),
    }
}

fn sit(day: &mut Day) -> String {
    format!("sit {} {}", anywhere(day), name(day))
}

fn name(day: &mut Day) -> String {
    day.numbers.one_of(&["ann", "bob", "cid-2", "dee", "e", "f9", "g"]).to_owned()
}

/// A seat, sometimes with a place behind it.
fn anywhere(day: &mut Day) -> Bettor {
    let seat = day.numbers.below(7);
    match day.numbers.below(8) {
        0 => Bettor::behind(seat, 1),
        1 if day.numbers.once_in(3) => Bettor::behind(seat, 2),
        _ => Bettor::at(seat),
    }
}

/// Somebody who is there.
fn someone(day: &mut Day) -> Bettor {
    let there: Vec<Bettor> = day.table.everyone().map(|(bettor, _)| bettor).collect();
    match there.is_empty() {
        true => anywhere(day),
        false => day.numbers.one_of(&there),
    }
}

fn decks(day: &mut Day) -> String {
    day.numbers.one_of(&["decks inspected", "decks pre-shuffled q4-117"]).to_owned()
}

fn shuffle(day: &mut Day) -> String {
    let steps: Vec<_> = day.table.usual_shuffle().iter().map(ToString::to_string).collect();
    day.custody.shuffle(&day.table, &mut day.numbers);
    let seal = match day.custody.holds_all_kinds() && day.numbers.once_in(5) {
        true => "physical".to_owned(),
        false => day.numbers.seal(),
    };
    format!("shuffle {seal} {}", steps.join(" "))
}

fn cut(day: &mut Day) -> usize {
    let size = day.table.shoe().map_or(52, |shoe| shoe.size);
    day.numbers.one_of(&[5, size / 3, size / 2, size / 2 + 1, size - 5])
}

fn next_card(day: &mut Day) -> String {
    match day.custody.next(&day.table) {
        Some(card) => format!("card {card}"),
        // G-18: there is none, so the discards are shuffled.
        None => shuffle(day),
    }
}

fn betting(day: &mut Day) -> String {
    match day.numbers.below(40) {
        0..10 => "deal".to_owned(),
        10..16 => format!("buy-in {} 500", someone(day)),
        16 => format!("dealer {}", name(day)),
        17 => show_burn(day),
        18 => sit(day),
        19 => shuffle(day),
        _ => wager(day),
    }
}

fn wager(day: &mut Day) -> String {
    let bettor = someone(day);
    let main = day.numbers.one_of(&[3, 5, 10, 15, 25]);
    let side = match day.table.sheet().game() {
        Game::CasinoWar => ["", " tie 5", " progressive 5", " tie 1 progressive 10"],
        Game::DoubleAttack => ["", " bonus 1", " bonus 5", " bonus 30"],
        Game::FreeBet => ["", " push22 1", " push22 5", " tie 1"],
        _ => ["", "", "", " tie 1"],
    };
    format!("wager {bettor} main {main}{}", day.numbers.one_of(&side))
}

fn decide(day: &mut Day, bettor: Bettor) -> String {
    let offers: Vec<Call> = day.table.offers(bettor).iter().collect();
    let Some(call) = offers.get(day.numbers.below(offers.len() + 1)) else {
        return format!("time-out {bettor}");
    };
    let amount = match day.table.amounts(bettor, *call) {
        Amounts::None => String::new(),
        Amounts::Hand(hand) => return format!("act {bettor} hand {}", hand + 1),
        Amounts::Optional(range) | Amounts::Required(range) => {
            let [least, most] = [range.least, range.most].map(Cents::from);
            day.numbers.one_of(&[String::new(), format!(" {most}"), format!(" {least}")])
        }
    };
    format!("act {bettor} {call}{amount}")
}

fn show_burn(day: &mut Day) -> String {
    let burned: Vec<_> = day.custody.burned(&day.table).iter().map(|c| format!(" {c}")).collect();
    match burned.is_empty() {
        true => format!("show-burn {} 9d", someone(day)),
        false => format!("show-burn {}{}", someone(day), burned.concat()),
    }
}

/// Something goes wrong, or somebody says so.
fn report(day: &mut Day) -> String {
    let kind = day.numbers.one_of(&Kind::ALL);
    let next = day.custody.next(&day.table).map_or("9d".to_owned(), |card| card.to_string());
    let hole = day.custody.hole_card();
    // A hole card that is dealt open is the next one (DDS-R17).
    let hole = hole.map_or(next.clone(), |card| card.to_string());
    let (seat, hand) = (day.numbers.below(7) + 1, day.numbers.below(2));
    let place = if hand == 0 { seat.to_string() } else { format!("{seat} 2") };
    let what = match kind {
        Kind::Misdealt => {
            let place = day.numbers.one_of(&[place, "dealer".to_owned(), "burn".to_owned()]);
            format!(" {place} {next}")
        }
        Kind::FaceUp | Kind::DrawnSeen | Kind::Overdraw => format!(" {next}"),
        Kind::Ten => " Td".to_owned(),
        Kind::HoleSeen => format!(" {hole}"),
        Kind::NoCard | Kind::OneCard => format!(" {seat}"),
        Kind::MissedHit => format!(" {place}"),
        _ => String::new(),
    };
    let by = day.numbers.one_of(&["dealer", "system", "supervisor eve", "player 1"]);
    let injected = if day.numbers.once_in(5) { " injected" } else { "" };
    format!("report {kind}{what} by {by}{injected}")
}

fn order(day: &mut Day) -> String {
    let bettor = someone(day);
    let order = match day.numbers.below(12) {
        0 => "reshuffle".to_owned(),
        1 | 2 => format!("admit {bettor}"),
        3 => format!("surrender {bettor}"),
        4 => format!("extend {bettor}"),
        5 => "void".to_owned(),
        6 => "repaired".to_owned(),
        7 => format!("release {bettor}"),
        8 => "play-on".to_owned(),
        _ => "recut".to_owned(),
    };
    let because = day.numbers.one_of(&["", " because of a doubt"]);
    format!("order {order} by eve{because}")
}

fn correct(day: &mut Day) -> String {
    let round = day.numbers.below(day.table.rounds_played() as usize + 2);
    let rack = format!("rack:{}", someone(day));
    let (from, to) = day.numbers.one_of(&[("house", rack.as_str()), (rack.as_str(), "house")]);
    format!("correct {round} 5 from {from} to {to} by eve because the count was wrong")
}
