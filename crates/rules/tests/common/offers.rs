//! What is open to whom, and that a refused input changes nothing.

use rules::card::{Card, Rank, Suit};
use rules::games::AnyRound;
use rules::money::{Cents, LARGEST_AMOUNT};
use rules::round::{Act, Amounts, Awaits, Call, Event, Range, Remedy, Round};
use rules::wager::{Bettor, MOST_BETTORS, MOST_SEATS};

use super::play::Input;
use super::{Law, ensure};

/// Boxes that are tried: two more than any layout has, since nine can be said.
const SEATS_TRIED: usize = MOST_SEATS + 2;
/// Hand numbers that are tried: 0, which is none, to one more than any box has.
const HANDS_TRIED: u8 = 5;

/// Whether an act is open: its call is offered, and its amount is one of those allowed.
///
/// A call that always has an amount may be said without, and then means the most; a call that
/// takes none, such as a free double, is refused with any amount. A hand is named with one of the
/// numbers of the two hands that a split has just made.
pub(crate) fn is_open(round: &AnyRound, bettor: Bettor, act: Act) -> bool {
    let call = act.call();
    let in_range = |range: Range, amount: Cents| {
        (Cents::from(range.least)..=Cents::from(range.most)).contains(&amount)
            && amount.get() % i64::from(range.step.get()) == 0
    };
    round.offers(bettor).contains(call)
        && match (act, round.amounts(bettor, call)) {
            (Act::Hand(number), Amounts::Hand(hand)) => [hand, hand + 1].contains(&number),
            (Act::Hand(_), _) => false,
            (Act::Call(_), Amounts::Required(range)) => !range.is_empty(),
            (Act::Call(_), _) => true,
            (Act::With(..), Amounts::None | Amounts::Hand(_)) => false,
            (Act::With(_, amount), Amounts::Optional(range) | Amounts::Required(range)) => {
                in_range(range, amount)
            }
        }
}

/// Every act is accepted exactly where it is open, whoever says it; refused, it changes nothing.
pub(crate) fn offered_iff_accepted(round: &AnyRound) -> Law {
    let asked = super::play::asked(round);
    for bettor in Bettor::all(SEATS_TRIED, MOST_BETTORS) {
        let offers = round.offers(bettor);
        ensure!(
            offers.is_empty() != asked.contains(bettor),
            "{bettor} is offered {offers:?}, and asked are {asked:?}"
        );
        for call in Call::ALL {
            let amounts = round.amounts(bettor, call);
            ensure!(
                offers.contains(call) || amounts == Amounts::None,
                "{call} is not open to {bettor}, but {amounts:?} are"
            );
            try_act(round, bettor, Act::Call(call))?;
            for amount in amounts_to_try(amounts) {
                try_act(round, bettor, Act::With(call, amount))?;
            }
        }
        (0..=HANDS_TRIED).try_for_each(|number| try_act(round, bettor, Act::Hand(number)))?;
    }
    Ok(())
}

/// Amounts at and around the limits, off the chip unit, and beyond all reason.
fn amounts_to_try(amounts: Amounts) -> Vec<Cents> {
    let (Amounts::Optional(range) | Amounts::Required(range)) = amounts else {
        return vec![Cents::new(100)];
    };
    let [least, most, step] = [range.least, range.most, range.step].map(|c| i64::from(c.get()));
    let middle = least + (most - least) / step / 2 * step;
    let beyond = i64::from(LARGEST_AMOUNT.get()) + step;
    let around = [least - step, least - 1, least, least + 1, middle, middle + 1];
    let above = [most - 1, most, most + 1, most + step, beyond, i64::MAX, i64::MIN, 0, -step];
    around.into_iter().chain(above).map(Cents::new).collect()
}

fn try_act(round: &AnyRound, bettor: Bettor, act: Act) -> Law {
    let open = is_open(round, bettor, act);
    let accepted = accepts(round, Input::Act(bettor, act))?;
    ensure!(
        open == accepted,
        "{bettor} {act:?}: open is {open}, accepted is {accepted}; offers {:?}, amounts {:?}",
        round.offers(bettor),
        round.amounts(bettor, act.call())
    );
    Ok(())
}

/// Whether a round accepts an input. Refused, it must be as it was, with nothing recorded;
/// accepted, something was.
pub(crate) fn accepts(round: &AnyRound, input: Input) -> Result<bool, String> {
    let (mut after, mut events) = (*round, Vec::<Event>::new());
    match input.put(&mut after, &mut events) {
        Ok(()) => {
            ensure!(!events.is_empty(), "{input:?} was accepted, and nothing was recorded");
            Ok(true)
        }
        Err(refusal) => {
            ensure!(after == *round, "{input:?} was refused ({refusal:?}) and changed the round");
            ensure!(events.is_empty(), "{input:?} was refused ({refusal:?}) and {events:?}");
            let cited = round.game().book().citation(refusal.code()).code;
            ensure!(
                cited == refusal.code(),
                "{input:?} was refused ({refusal:?}), of which the book says nothing"
            );
            Ok(false)
        }
    }
}

/// Cards, answers and turns are accepted exactly where they are awaited; remedies are accepted or
/// refused, and a refused one changes nothing.
///
/// A card that does not belong into the shoe and a hole card that contradicts the reader are
/// refused even where a card is awaited, so the card told is the right one.
pub(crate) fn taken_iff_awaited(round: &AnyRound, down: Option<Card>) -> Law {
    let card = Card::new(Rank::Nine, Suit::Hearts);
    let awaits = round.awaits();
    for (input, awaited) in [
        (Input::Deal(card), matches!(awaits, Awaits::Card(_))),
        (Input::DealFaceDown, matches!(awaits, Awaits::FaceDown(_))),
        (Input::Peek(false), awaits == Awaits::Peek),
        (Input::Peek(true), awaits == Awaits::Peek),
        (Input::Turn(down.unwrap_or(card)), awaits == Awaits::Turn),
    ] {
        let accepted = accepts(round, input)?;
        ensure!(accepted == awaited, "{input:?}: awaited is {awaits:?}, accepted is {accepted}");
    }
    for card in Card::DECK {
        accepts(round, Input::Turn(card))?;
    }
    accepts(round, Input::Deal(Card::new(Rank::Ten, Suit::Clubs)))?;
    every_remedy(down).try_for_each(|remedy| {
        let accepted = accepts(round, Input::Remedy(remedy))?;
        ensure!(
            !accepted || awaits != Awaits::Nobody || remedy == Remedy::Void,
            "{remedy:?} was accepted after the end"
        );
        Ok(())
    })
}

/// Every remedy, for everyone and every hand that can be said.
fn every_remedy(down: Option<Card>) -> impl Iterator<Item = Remedy> {
    let shown = [down.unwrap_or(Card::DECK[0]), Card::DECK[36], Card::DECK[51]];
    let hands = (0..9).flat_map(|seat| (0..HANDS_TRIED).map(move |hand| (seat, hand)));
    let about_hands = hands.flat_map(|(seat, hand)| {
        [
            Remedy::DeadHand { seat, hand },
            Remedy::LateCard { seat, hand },
            Remedy::NoMoreCards { seat, hand },
        ]
    });
    [Remedy::Void, Remedy::DealerOwedCard, Remedy::ReaderOutOfUse, Remedy::BurnForgotten]
        .into_iter()
        .chain(shown.map(Remedy::HoleCardShown))
        .chain(Bettor::all(SEATS_TRIED, MOST_BETTORS).map(Remedy::Release))
        .chain(Bettor::all(SEATS_TRIED, MOST_BETTORS).map(Remedy::SidesBack))
        .chain(about_hands)
}
