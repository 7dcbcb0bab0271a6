//! How the house's players at the other boxes decide: plainly, and always the same.

use rules::games::AnyRound;
use rules::games::double_down_stud::Category;
use rules::round::{Act, Call, Round};
use rules::wager::{Bettor, Game};

use super::felt::Felt;
use super::results;

/// The total from which on they stand.
const STANDS_ON: u8 = 17;

/// What the player at a box does.
pub(crate) fn decide(round: &AnyRound, felt: &Felt, bettor: Bettor) -> Act {
    let open = round.offers(bettor);
    let seat = bettor.seat();
    let wanted = match round.game() {
        Game::CasinoWar => Call::War,
        Game::DoubleDownStud if has_a_pair(felt, seat) => Call::Double,
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

/// Whether the cards in sight hold a pair or better: a plain way of playing, and no rule.
fn has_a_pair(felt: &Felt, seat: usize) -> bool {
    results::made_so_far(&felt.faces(seat)) != Category::Nothing
}
