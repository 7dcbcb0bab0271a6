//! What options cost, and how countable wagers are.

mod brute;

use brute::{same, sheet};
use odds::Valuation;
use odds::countable::countable;
use odds::what_if::what_if;
use rules::wager::{Circle, Game};

fn table(game: Game, choices: &[(&str, &str)]) -> Valuation {
    Valuation::new(sheet(game, choices)).unwrap()
}

/// A tie pays 10 to 1: with six decks -58/311, with eight -74/415.
#[test]
fn decks_cost_what_the_fractions_say() {
    let mut told = Vec::new();
    let what_if = what_if(&table(Game::CasinoWar, &[]), &mut |done, of| told.push((done, of)));
    let line = what_if.lines.iter().find(|l| l.term.key == "decks" && l.to == "8").unwrap();
    let change = line.changes.iter().find(|change| change.wager.bet == Circle::Tie).unwrap();
    same(change.change.unwrap(), 58.0 / 311.0 - 74.0 / 415.0);
    let idle = |key: &str| what_if.idle.iter().any(|term| term.key == key);
    assert!(idle("cut_by") && idle("coupons") && idle("void_scope") && !idle("decks"));
    assert!(what_if.amounts.iter().any(|term| term.key == "main_max"));
    assert!(told.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0));
    assert!(told.last().is_some_and(|(done, of)| done == of));
}

/// One more for a flush is 5,108 of 2,598,960 hands, and a second time for those that are doubled.
#[test]
fn better_odds_are_worth_something() {
    let what_if = what_if(&table(Game::DoubleDownStud, &[]), &mut |_, _| {});
    let change = |key: &str, policy: &str| {
        let line = what_if.lines.iter().find(|line| line.term.key == key).unwrap();
        let change = line.changes.iter().find(|change| change.wager.policy == policy);
        change.unwrap().change.unwrap()
    };
    same(change("pays_flush", "never"), 5_108.0 / 2_598_960.0);
    same(change("pays_flush", "always"), 2.0 * 5_108.0 / 2_598_960.0);
    same(change("pays_royal_flush", "never"), 4.0 / 2_598_960.0);
    let royal = change("pays_royal_flush", "best");
    assert!(royal > 4.0 / 2_598_960.0 && royal <= 8.0 / 2_598_960.0);
}

/// Eight aces of spades are gone: a shoe of six or seven decks does not have so many.
#[test]
fn a_value_that_cannot_be_tried_is_told_and_not_called_idle() {
    let eight = table(Game::CasinoWar, &[("decks", "8")]);
    let ace = "As".parse().unwrap();
    let what_if = what_if(&eight.without(&[ace; 8]).unwrap(), &mut |_, _| {});
    let of_decks = what_if.refused.iter().filter(|refused| refused.term.key == "decks");
    let told: Vec<_> = of_decks.map(|refused| (refused.to.as_str(), &refused.why)).collect();
    assert_eq!(told.iter().map(|(to, _)| *to).collect::<Vec<_>>(), ["6", "7"]);
    assert!(told.iter().all(|(_, why)| why.contains("CW-2-a")), "{told:?}");
    assert!(what_if.idle.iter().all(|term| term.key != "decks"));
}

/// An option that takes a wager away says so.
#[test]
fn a_wager_that_is_not_offered_has_no_value() {
    let what_if = what_if(&table(Game::CasinoWar, &[]), &mut |_, _| {});
    let line = what_if.lines.iter().find(|line| line.term.key == "progressive_offered").unwrap();
    assert!(line.changes.iter().all(|change| change.ev.is_none()));
    let gone: Vec<_> = line.changes.iter().map(|change| change.wager.bet).collect();
    assert_eq!(gone, [Circle::Progressive, Circle::Progressive, Circle::Envy]);
}

/// One card of a rank gone, by hand: of 311 cards 23 are one rank and 24 the others, so a tie has
/// 12 x 24 x 23 + 23 x 22 of 311 x 310 ways. All ranks are alike.
#[test]
fn a_tie_loses_the_same_by_every_rank() {
    let all = countable(&table(Game::CasinoWar, &[]), &mut |_, _| {});
    let tie = all.iter().find(|countable| countable.wager.bet == Circle::Tie).unwrap();
    let chance = (12.0 * 24.0 * 23.0 + 23.0 * 22.0) / (311.0 * 310.0);
    for (_, effect) in &tie.removal {
        same(*effect, 11.0 * chance - 1.0 + 58.0 / 311.0);
    }
    assert_eq!(tie.removal.len(), 13);
}

/// Insurance with six decks: without one ten 95 of 310 cards win, without another card 96 of 310.
#[test]
fn insurance_is_counted_by_tens() {
    let all = countable(&table(Game::FreeBet, &[]), &mut |_, _| {});
    let of = |policy: &str| {
        let mut insurance = all.iter().filter(|c| c.wager.bet == Circle::Insurance);
        insurance.find(|countable| countable.wager.policy == policy).unwrap()
    };
    let insurance = of("any");
    let (ten, other) = (3.0 * 95.0 / 310.0 - 1.0, 3.0 * 96.0 / 310.0 - 1.0);
    for (rank, effect) in &insurance.removal {
        let is_ten = matches!(rank.letter(), 'T' | 'J' | 'Q' | 'K');
        same(*effect, (if is_ten { ten } else { other }) + 23.0 / 311.0);
    }
    // Tens against all others is all there is to count, so the simplest count is perfect.
    let [count] = &insurance.counts[..] else { panic!("{:?}", insurance.counts) };
    same(count.correlation, 1.0);
    assert!(count.tags[8..12].iter().all(|tag| *tag < count.tags[0]));
    assert!(count.tags[..8].iter().all(|tag| *tag == count.tags[0]));
    assert!(insurance.spread_at_cut_card.unwrap() > 0.01);
}

/// Double Attack has no tens to remove, and Double Down Stud no cut card.
#[test]
fn a_shoe_counts_what_it_has() {
    let all = countable(&table(Game::DoubleDownStud, &[]), &mut |_, _| {});
    assert!(all.iter().all(|countable| countable.spread_at_cut_card.is_none()));
    let best = all.iter().find(|countable| countable.wager.policy == "best").unwrap();
    let effect = |letter| best.removal.iter().find(|(rank, _)| rank.letter() == letter).unwrap().1;
    assert!(effect('2') > 0.0 && effect('K') < 0.0);
}
