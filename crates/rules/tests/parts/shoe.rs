//! What a shoe is made of, the order in which its cards come, and how it ends.

use rules::card::Card;
use rules::shoe::{Numbers, Shoe, behind_cut_card, cards, deck, decks};
use rules::terms::TermSheet;
use rules::wager::Game;

/// Numbers that are given one by one.
struct Given(Vec<u64>);

impl Numbers for Given {
    fn next(&mut self) -> u64 {
        self.0.pop().expect("as many numbers as are needed")
    }
}

fn drawn(count: usize, numbers: &[u64]) -> Vec<Card> {
    let mut shoe = Shoe::new(&TermSheet::new(Game::DoubleDownStud));
    let mut numbers = Given(numbers.iter().rev().copied().collect());
    (0..count).map(|_| shoe.draw(&mut numbers).unwrap()).collect()
}

/// Cards put back are drawn again; a shoe gives each of its cards once, then none.
#[test]
fn a_shoe_gives_each_card_once() {
    for game in Game::ALL {
        let sheet = TermSheet::new(game);
        let mut shoe = Shoe::new(&sheet);
        let mut number = 1_u64;
        let mut numbers = || {
            number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            number
        };
        for _ in 0..3 {
            let burned = shoe.shuffle(&mut numbers);
            shoe.begin_round();
            assert_eq!(shoe.left(), cards(&sheet) - burned.iter().count());
            let mut drawn: Vec<_> = std::iter::from_fn(|| shoe.draw(&mut numbers)).collect();
            drawn.extend(burned);
            drawn.sort_unstable();
            let mut all: Vec<_> = (0..decks(&sheet)).flat_map(|_| deck(game)).collect();
            all.sort_unstable();
            assert_eq!(drawn, all, "{game}");
        }
    }
}

#[test]
fn a_renewed_shoe_draws_the_same_cards_with_the_same_numbers() {
    let mut shoe = Shoe::new(&TermSheet::new(Game::FreeBet));
    let mut draw = |from: u64| {
        let mut number = from;
        let mut numbers = || {
            number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            number
        };
        shoe.renew();
        shoe.shuffle(&mut numbers);
        (0..200).map(|_| shoe.draw(&mut numbers).unwrap()).collect::<Vec<_>>()
    };
    let first = draw(1);
    assert_ne!(draw(2), first);
    assert_eq!(draw(1), first);
}

/// Double Deck with its 35 cards behind the cut card: 104 cards, one burned, 68 up to the cut card.
#[test]
fn a_round_that_finds_the_cut_card_on_top_is_dealt_and_is_the_last() {
    // CW-7-d, FBB-6-d, FBB-R20.
    let mut shoe = Shoe::new(&TermSheet::new(Game::DoubleDeck));
    let mut numbers = || 1;
    shoe.shuffle(&mut numbers);
    for (cards, to_cut_card, is_spent) in [(67, 1, false), (1, 0, false), (1, 0, true)] {
        shoe.begin_round();
        (0..cards).for_each(|_| _ = shoe.draw(&mut numbers));
        assert_eq!(shoe.before_cut_card(), Some(to_cut_card));
        assert_eq!(shoe.is_spent(), is_spent, "{to_cut_card} to the cut card");
    }
    assert!(Shoe::new(&TermSheet::new(Game::DoubleDownStud)).is_spent());
}

/// 60 of 103 cards lie in the discard rack, with the burn card, when the next round takes the
/// other 43: 61 cards are shuffled, of which one is burned.
#[test]
fn a_round_that_empties_the_shoe_goes_on_with_the_discards() {
    // DAB-15-h, FBB-11-g, G-18.
    let mut shoe = Shoe::new(&TermSheet::new(Game::DoubleDeck));
    let mut number = 1_u64;
    let mut numbers = || {
        number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        number
    };
    shoe.shuffle(&mut numbers);
    shoe.begin_round();
    (0..60).for_each(|_| _ = shoe.draw(&mut numbers));
    shoe.begin_round();
    let mut on_table: Vec<_> = (0..43).map(|_| shoe.draw(&mut numbers).unwrap()).collect();
    assert_eq!(shoe.left(), 0);
    on_table.push(shoe.draw(&mut numbers).unwrap());
    assert_eq!((shoe.left(), shoe.is_spent()), (59, true));
    on_table.extend(std::iter::from_fn(|| shoe.draw(&mut numbers)));
    on_table.sort_unstable();
    assert_eq!(on_table.len(), 103);
    let twice = |card: &Card| on_table.iter().filter(|found| *found == card).count() <= 2;
    assert!(on_table.iter().all(twice), "no card on the table comes again");
    shoe.shuffle(&mut numbers);
    assert_eq!((shoe.left(), shoe.before_cut_card()), (103, Some(68)));
}

#[test]
fn the_terms_say_how_a_shoe_ends() {
    // DDS-4-a, FBB-4-i, G-12, CW-5-f.
    for (game, term, behind) in [
        (Game::DoubleDownStud, ("second_deck", "on"), None),
        (Game::FreeBet, ("shuffle_method", "continuous"), None),
        (Game::FreeBet, ("shuffle_method", "automated"), Some(78)),
        (Game::CasinoWar, ("decks", "8"), Some(78)),
    ] {
        let mut sheet = TermSheet::new(game);
        sheet.set([term]).unwrap();
        assert_eq!(behind_cut_card(&sheet), behind, "{game} {term:?}");
    }
}

/// The first card is at the place that a random fraction of the shoe points to, and what is left
/// of the fraction points to the next among those left.
#[test]
fn a_number_points_to_one_card_after_the_other() {
    // 1/2 of 52 is the 27th card; next to nothing is left over, so the 1st ones of 51, 50, 49, 48 follow.
    // Where a card was taken, the last one not drawn lies now.
    let half = 1 << 63 | 1 << 34;
    let deck = Card::DECK;
    assert_eq!(drawn(5, &[half]), [deck[26], deck[0], deck[50], deck[49], deck[48]]);
}

/// 2 to the 64 is no multiple of the 52 x 51 x 50 x 49 x 48 orders: the first few numbers are
/// too many, and another one is asked for.
#[test]
fn a_number_too_many_is_rejected() {
    let orders = 52 * 51 * 50 * 49 * 48_u64;
    let too_many = orders.wrapping_neg() % orders;
    assert!(too_many > 0);
    // The number 0 takes the 1st card five times, the last one not drawn coming into its place,
    // and leaves a fraction of 0. From then on the 48th card lies first, and the last four are
    // 50th, 51st, 52nd and 1st. A quarter of 52 is the 14th place, and the 1st ones follow.
    let deck = Card::DECK;
    let again = drawn(5, &[0, 1 << 62 | 1 << 34]);
    assert_eq!(again, [deck[13], deck[47], deck[51], deck[50], deck[49]]);
}
