//! What decisions cost, and how results split into expectation, play and luck.

mod brute;

use brute::sheet;
use odds::Valuation;
use odds::game::Expectation;
use odds::review::{Decision, Expectations, Grade, Judgement, Opening, Review, of_transcripts};
use odds::unseen::Unseen;
use odds::value::{ActValue, Certainty, Method};
use rules::card::Card;
use rules::money::Cents;
use rules::round::{Act, Awaits, Call, Place, Round};
use rules::shoe::Numbers;
use rules::transcript::{play_up_to, read};
use rules::wager::{Bettor, Circle, Game};

/// Numbers from a seed.
struct Seeded(u64);

impl Numbers for Seeded {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

fn below(bound: usize, numbers: &mut Seeded) -> usize {
    let bound = u32::try_from(bound).unwrap();
    usize::try_from(rules::shoe::below(bound, numbers)).unwrap()
}

fn of_one(text: &str) -> Review {
    of_transcripts(&read(text).unwrap(), Bettor::at(0)).unwrap()
}

/// A surrender on a tie costs what going to war is worth more: 5.00 less what a war loses on average,
/// (2 x 7086 - (95790 - 7086) / 2) / 95790 units of 10.00, of 310 x 309 ways 22 x 21 + 12 x 24 x 23.
#[test]
fn a_surrender_is_a_blunder() {
    let review = of_one("game casino-war\nwager 1 main 10\ncards 9d 9s\nact 1 surrender\n");
    let [round] = &review.rounds[..] else { panic!("{review:?}") };
    assert_eq!(round.net, Cents::new(-500));
    // The best play of a full shoe: docs/odds.md.
    assert!((round.expectation + 1000.0 * 0.023_300_568).abs() < 1e-5);
    let war = 1000.0 * (2.0 * 7086.0 - (95_790.0 - 7086.0) / 2.0) / 95_790.0;
    let cost = round.decisions[0].cost();
    assert!((cost - (war + 500.0)).abs() < 1e-9, "{cost}");
    assert_eq!(round.decisions[0].grade(), Some(Grade::Blunder));
    assert_eq!(round.decisions[0].best().act.call().name(), "war");
    let parts = review.parts();
    assert_eq!(parts.expectation + parts.play + parts.luck, parts.net);
    assert_eq!(review.accuracy(), Some(0.0));
    assert_eq!(review.most_expensive(3).len(), 1);
}

#[test]
fn costs_have_grades() {
    for (cost, grade) in [
        (0.0, Grade::Best),
        (0.02, Grade::Close),
        (0.021, Grade::Mistake),
        (0.1, Grade::Mistake),
        (0.11, Grade::Blunder),
    ] {
        assert_eq!(Grade::of(cost), grade, "{cost}");
    }
}

/// Refused acts, rounds that are not over and other seats are no decisions of this bettor.
#[test]
fn only_own_decisions_count() {
    let text = "game casino-war\nwager 1 main 10\nwager 2 main 10\ncards 9d 9c 9s\nact 2 surrender\n\
                act 1 hit\nrefused\nact 1 war\ncards ?? ?? ?? 4c 4h\n---\ngame casino-war\nwager 1 main 10\n";
    let review = of_one(text);
    assert_eq!((review.rounds.len(), review.decisions().count()), (1, 1));
    assert_eq!(review.count(Grade::Best), 1);
    assert_eq!(review.accuracy(), Some(1.0));
}

/// Beside an amount that was chosen, the best one is named with its amount.
#[test]
fn a_small_double_is_compared_with_a_full_one() {
    let text = |act: &str| {
        format!(
            "game double-deck\nwager 1 main 10\ncards 6s 6d 5h ??\n\
             act 1 {act}\ncards Th\nturn Td\ncards Kd\n"
        )
    };
    let review = of_one(&text("double 1"));
    let decision = review.decisions().next().unwrap();
    let with = |amount| Act::With(Call::Double, Cents::new(amount));
    assert_eq!((decision.chosen().act, decision.best().act), (with(100), with(1000)));
    assert!(decision.cost() > 0.0);
    // Naming the most is the same as naming none.
    for act in ["double 10", "double"] {
        let review = of_one(&text(act));
        let decision = review.decisions().next().unwrap();
        assert_eq!(decision.cost(), 0.0);
        let doubles =
            decision.judgement.acts.iter().filter(|value| value.act.call() == Call::Double);
        assert_eq!(doubles.count(), 1);
    }
}

/// Every way in which a tie and a surrender can come about, weighted: luck averages to nothing exactly.
#[test]
fn luck_averages_to_nothing_over_all_cards() {
    let ranks = "23456789TJQKA";
    let (mut luck, mut weight) = (0.0, 0.0);
    // The player's card is a nine; all others count as they are left of six decks.
    for rank in ranks.chars() {
        let copies = if rank == '9' { 23.0 } else { 24.0 };
        let suit = if rank == '9' { 's' } else { 'c' };
        let act = if rank == '9' { "act 1 surrender\n" } else { "" };
        let text = format!("game casino-war\nwager 1 main 10\ncards 9d {rank}{suit}\n{act}");
        luck += copies * of_one(&text).rounds[0].luck();
        weight += copies;
    }
    // By symmetry among ranks a nine is worth as much as the average less what beats it: a nine wins
    // against 7 ranks and loses against 5, so it is worth 2 x 24 / 311 units more than the average.
    assert!((luck / weight - 1000.0 * 48.0 / 311.0).abs() < 1e-6, "{}", luck / weight);
}

/// A round of one box from a full shoe, played by chance, as a transcript.
fn played_by_chance(game: Game, wagers: &str, numbers: &mut Seeded) -> String {
    let sheet = sheet(game, &[]);
    let mut text = format!("game {game}\nwager 1 {wagers}\n");
    let mut shoe: Vec<Card> =
        Unseen::full(&sheet).iter().flat_map(|(card, n)| vec![card; n.into()]).collect();
    let mut draw = |numbers: &mut Seeded| shoe.swap_remove(below(shoe.len(), numbers));
    let mut hole = None;
    loop {
        let played = play_up_to(&read(&text).unwrap()[0], None).unwrap();
        let awaits = played.round.map_or_else(
            // The first card: face up for the box, or for the dealer.
            || Awaits::Card(Place::Dealer),
            |round| round.awaits(),
        );
        let line = match awaits {
            Awaits::Card(_) => format!("cards {}", draw(numbers)),
            Awaits::FaceDown(place) => {
                let card = draw(numbers);
                hole = if place == Place::Dealer { Some(card) } else { hole };
                "cards ??".to_owned()
            }
            Awaits::Peek => match played.round.unwrap().reader_answer(hole.unwrap()) {
                true => "peek yes".to_owned(),
                false => "peek no".to_owned(),
            },
            Awaits::Turn => format!("turn {}", hole.unwrap()),
            Awaits::Acts(_) => {
                let calls: Vec<Call> = played.round.unwrap().offers(Bettor::at(0)).iter().collect();
                format!("act 1 {}", calls[below(calls.len(), numbers)].name())
            }
            Awaits::Nobody => return text,
        };
        text += &format!("{line}\n");
    }
}

/// Over a thousand rounds played by chance the parts add up to the cent, decisions cost something,
/// and luck averages to nothing within four standard errors.
fn check_luck(game: Game, wagers: &str, seed: u64) {
    let mut numbers = Seeded(seed);
    let rounds: Vec<_> = (0..1000)
        .map(|_| read(&played_by_chance(game, wagers, &mut numbers)).unwrap().remove(0))
        .collect();
    let review = of_transcripts(&rounds, Bettor::at(0)).unwrap();
    assert_eq!((review.rounds.len(), review.unvalued()), (1000, 0));
    for parts in review.over_time() {
        assert_eq!(parts.expectation + parts.play + parts.luck, parts.net);
    }
    let parts = review.parts();
    assert_eq!(parts.net, review.rounds.iter().map(|round| round.net).sum());
    assert!(parts.play < Cents::ZERO && parts.expectation < Cents::ZERO, "{game} {parts:?}");
    let luck: Vec<f64> = review.rounds.iter().map(|round| round.luck()).collect();
    let mean = luck.iter().sum::<f64>() / 1000.0;
    let spread = (luck.iter().map(|luck| (luck - mean).powi(2)).sum::<f64>() / 999.0).sqrt();
    let error = spread / 1000_f64.sqrt();
    assert!(mean.abs() < 4.0 * error, "{game}: luck {mean} ± {error}");
    // Without what play cost it would not: chance plays badly.
    assert!(mean + (parts.play.get() as f64) / 1000.0 < -4.0 * error || game != Game::FreeBet);
}

#[test]
fn luck_averages_to_nothing_in_casino_war() {
    check_luck(Game::CasinoWar, "main 10 tie 5", 1);
}

#[test]
fn luck_averages_to_nothing_in_double_down_stud() {
    check_luck(Game::DoubleDownStud, "main 10", 2);
}

#[test]
fn luck_averages_to_nothing_in_double_deck() {
    check_luck(Game::DoubleDeck, "main 10", 3);
}

#[test]
fn luck_averages_to_nothing_in_double_attack() {
    check_luck(Game::DoubleAttack, "main 10 bonus 5", 4);
}

#[test]
fn luck_averages_to_nothing_in_free_bet() {
    check_luck(Game::FreeBet, "main 10 push22 5", 5);
}

/// With twenty low cards gone, insurance gains before any card is dealt, and the
/// wager is worth that much more: of the shoe that is left, counted card by card.
#[test]
fn insurance_that_gains_in_the_rest_of_a_shoe_is_expected() {
    let sheet = sheet(Game::DoubleDeck, &[]);
    let seen = "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s";
    let seen: Vec<Card> = seen.split(' ').map(|card| card.parse().unwrap()).collect();
    let mut unseen = Unseen::full(&sheet);
    seen.iter().for_each(|&card| unseen.remove(card).unwrap());
    let main = Cents::new(1000);
    let opening = Opening { wagers: vec![(Circle::Main, main)], meter: None, others: 0 };
    let expected = Expectations::new(&sheet).of(&opening, &unseen).unwrap() / 1000.0;
    let table = Valuation::new(sheet.clone()).unwrap().without(&seen).unwrap();
    let is_best = |one: &Expectation| one.wager.bet == Circle::Main && one.wager.policy == "best";
    let best = table.expectations().into_iter().find(is_best).unwrap().ev;
    // 84 cards: 8 aces and 32 tens. Half a unit at 2 to 1, where the hole card is a ten.
    let (all, aces, tens) = (84.0, 8.0, 32.0);
    let others = all - 1.0 - tens;
    let two = (all - 1.0) * (all - 2.0);
    let gain = |gone: f64| {
        let ten = (tens - gone) / (all - 3.0);
        f64::max(0.0, ten - 0.5 * (1.0 - ten))
    };
    let hands = others * (others - 1.0) * gain(0.0)
        + 2.0 * others * tens * gain(1.0)
        + tens * (tens - 1.0) * gain(2.0);
    let insurance = aces / all * hands / two;
    assert!(insurance > 0.003, "{insurance}");
    assert!((expected - best - insurance).abs() < 1e-12, "{expected} {best} {insurance}");
    // A full shoe leaves nothing to insure, and too few cards stand for a full shoe.
    let mut known = Expectations::new(&sheet);
    let full = known.of(&opening, &Unseen::full(&sheet)).unwrap();
    assert!((full / 1000.0 + 0.005_026_236).abs() < 1e-8, "{full}");
    assert_eq!(known.of(&opening, &Unseen::NONE), Some(full));
}

/// A wager on a circle that the game does not have is worth nothing known.
#[test]
fn what_cannot_be_valued_is_not_called_nothing() {
    let sheet = sheet(Game::DoubleDeck, &[]);
    let wagers = vec![(Circle::Main, Cents::new(1000)), (Circle::Tie, Cents::new(500))];
    let opening = Opening { wagers, meter: None, others: 0 };
    assert_eq!(Expectations::new(&sheet).of(&opening, &Unseen::full(&sheet)), None);
}

/// A mistake is certain as long as no value that is "at least" could make it none.
#[test]
fn only_what_is_certain_has_a_grade() {
    let act = |call, gain: f64, ceiling: f64| ActValue {
        act: Act::Call(call),
        gain,
        gain_exact: None,
        at_most: None,
        ceiling,
        method: if ceiling > gain { Method::Bound } else { Method::Exact },
        prospects: None,
    };
    let graded = |acts: Vec<ActValue>, chosen| {
        let judgement = Judgement { acts, chosen };
        let decision = Decision { round: 1, bettor: Bettor::at(0), judgement, main: 1000.0 };
        (decision.grade(), decision.cost_and_range().certainty())
    };
    let (split, hit) = (act(Call::Split, 100.0, 110.0), act(Call::Hit, 50.0, 50.0));
    let all = vec![split.clone(), hit.clone()];
    assert_eq!(graded(all.clone(), 0), (Some(Grade::Best), Certainty::Exact));
    // 0.05 to 0.06 of the wager.
    assert_eq!(graded(all, 1), (Some(Grade::Mistake), Certainty::AtLeast));
    // With a short rack the split may be worth more than the hit that seems best.
    let short = act(Call::Split, 40.0, 100.0);
    assert_eq!(graded(vec![hit.clone(), short.clone()], 0), (None, Certainty::AtLeast));
    assert_eq!(graded(vec![hit, short], 1), (None, Certainty::AtMost));
    let (one, other) = (act(Call::Stand, 100.0, 110.0), act(Call::Hit, 95.0, 105.0));
    assert_eq!(graded(vec![one, other], 1), (None, Certainty::About));
}
