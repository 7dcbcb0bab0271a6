//! Wagers before the first card, and what a call puts on the layout.

use rules::games::{AnyRound, opening};
use rules::money::{Breakage, Cents, Chips, Odds};
use rules::offer::{Added, added, circle_of_amount, closed};
use rules::round::{Call, Range, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

const ONE: Bettor = Bettor::at(0);

/// A round with 10 on the main circle of box 1, after these cards.
fn round(game: Game, cards: &[&str]) -> AnyRound {
    let mut round = AnyRound::one(game, Chips::dollars(10), &mut ()).unwrap();
    for card in cards {
        match *card {
            "??" => round.deal_face_down(&mut ()).unwrap(),
            card => round.deal(card.parse().unwrap(), &mut ()).unwrap(),
        }
    }
    round
}

#[test]
fn a_tie_costs_as_much_again_or_half() {
    let tie = round(Game::CasinoWar, &["9d", "9s"]);
    assert_eq!(added(&tie, ONE, Call::War), Added::Chips(Chips::dollars(10)));
    assert_eq!(added(&tie, ONE, Call::Surrender), Added::Nothing);
    // CW-8-e: the amount that may go with a war is another tie wager, not the war itself.
    assert_eq!(circle_of_amount(&tie, ONE, Call::War), Some(Circle::WarTie));
    assert_eq!(circle_of_amount(&tie, ONE, Call::Surrender), None);
    assert_eq!(closed(&tie, ONE).count(), 0);
}

#[test]
fn what_is_closed_says_why() {
    let dealt = round(Game::CasinoWar, &["9d"]);
    let closed: Vec<_> = closed(&dealt, ONE).collect();
    assert_eq!(
        closed.iter().map(|(call, _)| *call).collect::<Vec<_>>(),
        Game::CasinoWar.book().calls
    );
}

#[test]
fn a_free_double_lays_a_lammer() {
    // FBB-8-a: a hard eleven of two cards.
    let eleven = round(Game::FreeBet, &["6d", "7s", "5d", "??"]);
    assert_eq!(added(&eleven, ONE, Call::Double), Added::Lammer);
    let twelve = round(Game::FreeBet, &["6d", "7s", "6c", "??"]);
    assert_eq!(added(&twelve, ONE, Call::Split), Added::Lammer);
    assert_eq!(added(&twelve, ONE, Call::Double), Added::Chips(Chips::dollars(10)));
    assert_eq!(circle_of_amount(&twelve, ONE, Call::Double), Some(Circle::Double));
}

/// What the limits allow is taken, and the next chip below or above is not.
#[test]
fn the_amounts_of_a_circle_are_those_that_are_taken() {
    for (game, terms) in [
        (Game::CasinoWar, &[][..]),
        (Game::CasinoWar, &[("progressive_stakes", "five"), ("side_max", "42")]),
        (Game::CasinoWar, &[("chip_unit", "2"), ("main_max", "99"), ("side_min", "3")]),
        (Game::CasinoWar, &[("progressive_offered", "off")]),
        (Game::DoubleAttack, &[("chip_unit", "0.5")]),
        (Game::DoubleDeck, &[]),
    ] {
        let mut sheet = TermSheet::new(game);
        sheet.set(terms.iter().copied()).unwrap();
        let opening = opening(&sheet);
        for circle in Circle::ALL {
            let takes = |amount: Cents| {
                let most = Cents::from(opening.amounts(Circle::Main).unwrap().most);
                let both = [(Circle::Main, most), (circle, amount)];
                opening.check(&both[usize::from(circle == Circle::Main)..]).is_ok()
            };
            let Some(Range { least, most, step }) = opening.amounts(circle) else {
                assert!(!takes(Cents::new(500)) && !takes(Cents::new(1000)), "{circle}");
                continue;
            };
            let [least, most, step] = [least, most, step].map(Cents::from);
            assert!(takes(least) && takes(most), "{game} {circle}");
            assert!(!takes(least - step) && !takes(most + step), "{game} {circle}");
            assert!(most == least || takes(least + step), "{game} {circle}");
            assert!(!takes(least + Cents::new(1)), "{game} {circle}");
        }
    }
}

#[test]
fn fractions_go_to_the_player() {
    // G-04: 3 to 2 on 5.01 is 7.515, half of 5.01 is 2.505.
    assert_eq!(Odds::to(3, 2).pay(Chips::new(501), Breakage::EXACT), Cents::new(752));
    assert_eq!(Breakage::EXACT.returned_half(Chips::new(501)), Cents::new(251));
    let chips = Breakage::player_favour(Chips::dollars(1));
    assert_eq!(Odds::to(3, 2).pay(Chips::dollars(5), chips), Cents::new(800));
    assert_eq!(Odds::to(5, 2).pay(Chips::dollars(3), chips), Cents::new(800));
    assert_eq!(chips.returned_half(Chips::dollars(5)), Cents::new(300));
    assert_eq!(chips.returned_half(Chips::dollars(4)), Cents::new(200));
}

#[test]
fn half_a_wager_is_raised_to_a_chip() {
    let one = Chips::dollars(1);
    assert_eq!(Chips::dollars(5).half_up(one), Chips::dollars(3));
    assert_eq!(Chips::dollars(10).half_up(one), Chips::dollars(5));
    assert_eq!(Chips::dollars(5).half_up(Chips::dollars(5)), Chips::dollars(5));
}
