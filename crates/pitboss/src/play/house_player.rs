//! How the house's players at the other boxes decide: plainly, and always the same.

use rules::card::{Card, Rank};
use rules::games::AnyRound;
use rules::round::{Act, Call, Round};
use rules::wager::{Bettor, Game};

use super::felt::{Felt, Lying};

/// The total from which on they stand.
const STANDS_ON: u8 = 17;

/// What the player at a box does.
pub(crate) fn decide(round: &AnyRound, felt: &Felt, bettor: Bettor) -> Act {
    let open = round.offers(bettor);
    let seat = bettor.seat();
    let wanted = match round.game() {
        Game::CasinoWar => Call::War,
        Game::DoubleDownStud if pays_already(&open_cards(felt, seat)) => Call::Double,
        Game::DoubleDownStud => Call::Pass,
        _ if open.contains(Call::Pass) => Call::Pass,
        _ => {
            let hand = round.current_hand(seat).unwrap_or(0);
            match round.points(seat, hand) {
                Some(points) if points.total() < STANDS_ON => Call::Hit,
                _ => Call::Stand,
            }
        }
    };
    let call = if open.contains(wanted) { wanted } else { without_money(round, bettor) };
    Act::Call(call)
}

/// What is done for someone who has left: no money is placed (G-06).
pub(crate) fn without_money(round: &AnyRound, bettor: Bettor) -> Call {
    let open = round.offers(bettor);
    let calm = [Call::Pass, Call::Stand, Call::Surrender];
    calm.into_iter().find(|&call| open.contains(call)).expect("one of them is always open")
}

/// The own card and the open ones of the dealer.
fn open_cards(felt: &Felt, seat: usize) -> Vec<Card> {
    let own = felt.hands(seat).iter().flat_map(|hand| &hand.cards);
    let open = |card: &Lying| match card {
        Lying::Open(card) | Lying::Held(card) => Some(*card),
        Lying::Down => None,
    };
    own.chain(&felt.dealer.cards).filter_map(open).collect()
}

/// Whether four cards are a paying hand, whatever the fifth: jacks or better, two pairs, or three
/// of a kind.
fn pays_already(cards: &[Card]) -> bool {
    let count = |rank: Rank| cards.iter().filter(|card| card.rank() == rank).count();
    let pairs = Rank::ALL.into_iter().filter(|&rank| count(rank) >= 2).count();
    let is_high = |rank: Rank| rank >= Rank::Jack && count(rank) >= 2;
    pairs >= 2 || Rank::ALL.into_iter().any(|rank| count(rank) >= 3 || is_high(rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paying_hand_is_recognized() {
        for (cards, pays) in [
            ("Js Jd 2c 3c", true),
            ("Ts Td 2c 3c", false),
            ("Ts Td 2c 2d", true),
            ("2s 2d 2c 7h", true),
            ("As Ks Qs Js", false),
        ] {
            let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
            assert_eq!(pays_already(&cards), pays, "{cards:?}");
        }
    }
}
