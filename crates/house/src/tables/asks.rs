//! What a table waits for, and what it offers to whom: open and closed calls, choices and orders.

use rules::offer::{self, AddedStake};
use rules::refusal;
use rules::round::{Amounts, Awaits, Call, Place, Round};
use rules::table::{
    Choice, Cutter, Input, Kind, Name, PitRefusal, Table, TableAwaits, TableRefusal,
};
use rules::wager::Bettor;
use wire::{AwaitedWhat, ClosedCall, Offer};

use super::about::choice;
use super::commands::places;
use super::{refusals, voice};

/// What a table waits for, and of which seats.
pub(crate) fn awaited_of(table: &Table) -> (AwaitedWhat, Vec<usize>) {
    match table.awaits() {
        TableAwaits::Player => (AwaitedWhat::Player, Vec::new()),
        TableAwaits::Decks => (AwaitedWhat::Decks, Vec::new()),
        TableAwaits::Inspection(bettor) => (AwaitedWhat::Inspection, vec![bettor.seat() + 1]),
        TableAwaits::Commitments(None) => (AwaitedWhat::Commitments, Vec::new()),
        TableAwaits::Openings => (AwaitedWhat::Openings, Vec::new()),
        TableAwaits::Supervisor(_) | TableAwaits::Repair => (AwaitedWhat::Supervisor, Vec::new()),
        TableAwaits::Choice(bettor) => (AwaitedWhat::Choice, vec![bettor.seat() + 1]),
        TableAwaits::Shuffle => (AwaitedWhat::Shuffle, Vec::new()),
        TableAwaits::Cut(Cutter::Seat(bettor)) | TableAwaits::Commitments(Some(bettor)) => {
            (AwaitedWhat::Cut, vec![bettor.seat() + 1])
        }
        TableAwaits::Cut(Cutter::Dealer) => (AwaitedWhat::Cut, Vec::new()),
        TableAwaits::Wagers => {
            let taken = table.everyone().map(|(bettor, _)| bettor.seat() + 1);
            (AwaitedWhat::Wagers, taken.collect())
        }
        TableAwaits::Round(Awaits::Acts(bettors)) => {
            (AwaitedWhat::Act, bettors.iter().map(|bettor| bettor.seat() + 1).collect())
        }
        TableAwaits::Round(Awaits::FaceDown(Place::Burn)) if table.round().is_none() => {
            (AwaitedWhat::Burn, Vec::new())
        }
        TableAwaits::Round(_) => (AwaitedWhat::Dealer, Vec::new()),
        TableAwaits::Reveal => (AwaitedWhat::Reveal, Vec::new()),
    }
}

/// The calls that are open to a bettor.
pub(super) fn offers(table: &Table, bettor: Bettor) -> Vec<Offer> {
    let Some(round) = table.round() else { return Vec::new() };
    let offer = |call: Call| {
        let added = offer::added_stake(round, bettor, call);
        let circle = offer::circle_of_amount(round, bettor, call);
        let amounts = table.amounts(bettor, call);
        Offer {
            at: bettor.to_string(),
            call: call.name().into(),
            words: call.in_words().into(),
            stake: match added {
                AddedStake::Chips(chips) => Some(chips.to_string()),
                AddedStake::Nothing | AddedStake::Lammer => None,
            },
            loses: match call {
                Call::Surrender => {
                    offer::loss_by_surrender(round, bettor).map(|loss| loss.to_string())
                }
                _ => None,
            },
            free: added == AddedStake::Lammer,
            amounts: match amounts {
                Amounts::Optional(range) if !range.is_empty() => Some(choice(range, false)),
                Amounts::Required(range) => Some(choice(range, true)),
                Amounts::None | Amounts::Hand(_) | Amounts::Optional(_) => None,
            },
            circle: circle.and_then(|circle| circle.title(round.game())).map(Into::into),
            hand: match amounts {
                Amounts::Hand(hand) => Some(hand),
                _ => None,
            },
        }
    };
    table.offers(bettor).iter().map(offer).collect()
}

/// The usual calls that are closed to whoever is asked, where there is more to say than that it is not
/// their time.
pub(crate) fn closed(table: &Table, player: &Name) -> Vec<ClosedCall> {
    let mine = places(table, player);
    let asked = mine.iter().find(|bettor| !table.offers(**bettor).is_empty());
    let (Some(round), Some(bettor)) = (table.round(), asked) else { return Vec::new() };
    let game = round.game();
    let closed = |(call, refusal): (Call, refusal::Refusal)| ClosedCall {
        call: call.name().into(),
        words: call.in_words().into(),
        refusal: refusals::by_table(refusal.into(), game),
    };
    let is_told =
        |(_, why): &(Call, refusal::Refusal)| !matches!(why, refusal::Refusal::NotOpenNow { .. });
    offer::closed(round, *bettor).filter(is_told).map(closed).collect()
}

/// Why no wager of the viewer is taken in the next round, whether seated or not.
pub(super) fn barred(table: &Table, mine: &[Bettor]) -> Option<wire::Refusal> {
    let refusal = may_bet_next(table, mine).err();
    refusal.map(|refusal| refusals::by_table(refusal, table.sheet().game()))
}

/// Whether a wager is taken in the next round on one of these places at least, or of somebody who has
/// none and sits down now.
pub(crate) fn may_bet_next(table: &Table, mine: &[Bettor]) -> Result<(), TableRefusal> {
    let places = mine.iter().map(|bettor| table.may_bet_next(Some(*bettor)));
    places.reduce(Result::or).unwrap_or_else(|| table.may_bet_next(None))
}

/// Why the table waits for a supervisor.
pub(super) fn frozen(table: &Table) -> Option<wire::Refusal> {
    let (kind, source) = match table.awaits() {
        TableAwaits::Supervisor(kind) => {
            (kind, PitRefusal::Frozen { kind }.source(table.sheet().game()))
        }
        TableAwaits::Repair => {
            (Kind::ReaderBroken, Kind::ReaderBroken.source(table.sheet().game())?)
        }
        _ => return None,
    };
    let code = PitRefusal::Frozen { kind }.code();
    Some(refusals::in_other_words(code, source, voice::prompt(table, |_| false)))
}

/// What a player may choose after something went wrong.
pub(super) fn choices(table: &Table, mine: &[Bettor]) -> Vec<wire::Choice> {
    let TableAwaits::Choice(bettor) = table.awaits() else { return Vec::new() };
    let is_open = |choice: &Choice| {
        let choose = Input::Choose { bettor, choice: *choice };
        table.clone().apply(&choose, &mut Vec::new()).is_ok()
    };
    let own = mine.contains(&bettor).then_some(Choice::ALL);
    let words = |choice: Choice| wire::Choice {
        choice: choice.name().into(),
        words: capitalized(&choice.name().replace('-', " ")),
    };
    own.into_iter().flatten().filter(is_open).map(words).collect()
}

/// The words with a capital at their beginning.
fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// What a supervisor may order now.
pub(crate) fn outcomes(table: &Table) -> Vec<wire::Order> {
    let order = |order: rules::table::Order| wire::Order {
        order: order.name().to_owned(),
        at: order.bettor().map(|bettor| bettor.to_string()),
    };
    table.outcomes().into_iter().map(order).collect()
}
