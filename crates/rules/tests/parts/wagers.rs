//! Wagers before the first card, and what a call puts on the layout.

use rules::games::{AnyRound, TableWagers, opening};
use rules::money::{Breakage, Cents, Chips, Odds};
use rules::offer::{AddedStake, added_stake, circle_of_amount, closed};
use rules::refusal::Refusal;
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
    assert_eq!(added_stake(&tie, ONE, Call::War), AddedStake::Chips(Chips::dollars(10)));
    assert_eq!(added_stake(&tie, ONE, Call::Surrender), AddedStake::Nothing);
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
    assert_eq!(added_stake(&eleven, ONE, Call::Double), AddedStake::Lammer);
    let twelve = round(Game::FreeBet, &["6d", "7s", "6c", "??"]);
    assert_eq!(added_stake(&twelve, ONE, Call::Split), AddedStake::Lammer);
    assert_eq!(added_stake(&twelve, ONE, Call::Double), AddedStake::Chips(Chips::dollars(10)));
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

#[test]
fn a_new_wager_replaces_the_old_one_in_the_rack() {
    // G-07: a rack of 50 covers what is placed last, not all that was ever placed.
    let opening = opening(&TermSheet::new(Game::CasinoWar));
    let mut wagers = TableWagers::NONE;
    wagers.bankroll(ONE, Cents::new(5000)).unwrap();
    let mut place = |cents| wagers.place(&opening, ONE, &[(Circle::Main, Cents::new(cents))]);
    assert_eq!((place(3000), place(5000)), (Ok(()), Ok(())));
    assert_eq!(place(5100), Err(Refusal::AboveRack { left: Cents::new(5000) }));
    assert_eq!((place(500), place(5000)), (Ok(()), Ok(())));
}

#[test]
fn a_bankroll_counts_what_is_already_staked() {
    let opening = opening(&TermSheet::new(Game::CasinoWar));
    let main = |cents| [(Circle::Main, Cents::new(cents))];
    let refusal = |left| Err(Refusal::AboveRack { left: Cents::new(left) });
    let [one, two, three] = [0, 1, 2].map(Bettor::at);
    let mut wagers = TableWagers::NONE;
    wagers.share_rack(&[0, 1]);
    for (bettor, cents) in [(one, 1000), (two, 2000), (three, 50_000)] {
        wagers.place(&opening, bettor, &main(cents)).unwrap();
    }
    assert_eq!(wagers.bankroll(two, Cents::new(2999)), refusal(2999));
    assert_eq!(wagers.bankroll(two, Cents::new(3000)), Ok(()));
    assert_eq!(wagers.place(&opening, one, &main(1100)), refusal(1000));
    assert_eq!(wagers.bankroll(one, Cents::new(3700)), Ok(()));
    assert_eq!(wagers.place(&opening, two, &main(2800)), refusal(2700));
    let nowhere = wagers.bankroll(Bettor::at(7), Cents::new(100));
    assert_eq!(nowhere, Err(Refusal::NoSuchSeat { seats: 7 }));
}
