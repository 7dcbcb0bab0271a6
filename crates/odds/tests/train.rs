//! The fields of a strategy, and drills made of them.

use odds::Valuation;
use odds::fields::Fields;
use odds::position::Position;
use odds::train::{Asked, Drill, Mark, Question, Record, TrainRefusal, Trainer};
use rules::card::{Card, Rank};
use rules::games::blackjack::Points;
use rules::round::Call;
use rules::terms::TermSheet;
use rules::wager::Game;

const BLACKJACKS: [Game; 3] = [Game::DoubleDeck, Game::DoubleAttack, Game::FreeBet];

fn table(game: Game) -> Valuation {
    Valuation::new(TermSheet::new(game)).unwrap()
}

fn trainer(game: Game) -> Trainer {
    Trainer::new(&table(game))
}

/// The total of cards and whether it is soft, reckoned here.
fn total(cards: &[Card]) -> (u32, bool) {
    let pips = |card: &Card| match card.rank() {
        Rank::Ace => 1,
        Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => 10,
        rank => rank as u32,
    };
    let low: u32 = cards.iter().map(pips).sum();
    let is_soft = low <= 11 && cards.iter().any(|card| card.rank() == Rank::Ace);
    (if is_soft { low + 10 } else { low }, is_soft)
}

fn letter(card: Card) -> char {
    match Points::pips(card) {
        10 => 'T',
        1 => 'A',
        _ => card.rank().letter(),
    }
}

#[test]
fn every_hand_is_in_its_field() {
    for game in BLACKJACKS {
        let fields = Fields::of(&table(game));
        let mut shown = 0;
        // Splits take their time to value, and one up card is as good as another.
        for field in fields.iter().filter(|field| field.up == Some('6')) {
            for choice in [0, 3, 1_000_003] {
                let Some(hand) = fields.example(field, choice) else { continue };
                shown += 1;
                assert_eq!(hand.dealer.len(), 1, "{}", field.name());
                assert_eq!(letter(hand.dealer[0]), '6', "{}", field.name());
                let own = &hand.own[hand.hand];
                let (points, is_soft) = total(own);
                match field.table.rsplit(' ').next().unwrap() {
                    "hard" => {
                        assert_eq!((points.to_string(), is_soft), (field.row.clone(), false));
                        assert!(own.len() > 2 || own[0].rank() != own[1].rank());
                    }
                    "soft" => {
                        assert_eq!((points.to_string(), is_soft), (field.row.clone(), true));
                    }
                    "pairs" => {
                        let row = field.row.chars().next().unwrap();
                        assert_eq!([letter(own[0]), letter(own[1])], [row; 2]);
                        assert_eq!(own[0].rank(), own[1].rank());
                    }
                    _ => {}
                }
                let is_open = |call: &Call| hand.acts.iter().any(|act| act.act.call() == *call);
                assert!(field.calls.iter().any(is_open), "{}", field.name());
            }
        }
        let all = fields.iter().filter(|field| field.up == Some('6')).count();
        assert!(shown > 2 * all, "{game}: {shown} hands in {all} fields");
    }
}

#[test]
fn a_field_has_the_values_of_its_position_also_with_cards_gone() {
    let gone: Vec<Card> = ["Td", "Td", "5s", "Ac"].map(|card| card.parse().unwrap()).to_vec();
    let table = table(Game::DoubleDeck).without(&gone).unwrap();
    let fields = Fields::of(&table);
    for name in ["hard 16 T", "soft 18 9", "pairs 8 A", "hard 11 6"] {
        let hand = fields.example(fields.named(name).unwrap(), 0).unwrap();
        let words = format!("{}; seen Td*2 5s Ac", hand.words);
        let position = Position::read(table.sheet(), &words).unwrap();
        let values = position.values().unwrap();
        assert_eq!(values.len(), hand.acts.len());
        for (one, other) in hand.acts.iter().zip(&values) {
            assert_eq!(one.act, other.act);
            assert!((one.gain - other.gain).abs() < 1e-12, "{name}");
        }
    }
}

#[test]
fn a_question_is_its_name() {
    for game in Game::ALL {
        let trainer = trainer(game);
        for drill in trainer.drills() {
            let question = trainer.next(drill, &Record::default(), None, 7).unwrap();
            let again = trainer.question(&question.name).unwrap();
            assert_eq!(format!("{question:?}"), format!("{again:?}"), "{}", question.name);
        }
    }
    let trainer = trainer(Game::CasinoWar);
    let long = "x".repeat(1000);
    for wrong in
        ["", "decision", "decision 7 hard 16 T", "decision x tie any", "hand 7 dance", &long]
    {
        let refused = trainer.question(wrong).unwrap_err();
        assert!(matches!(refused, TrainRefusal::NoQuestion(_)), "{wrong}");
    }
}

fn gains(question: &Question) -> Vec<(String, f64)> {
    let Asked::Act { shown, .. } = &question.asked else { panic!("a decision") };
    let unit = f64::from(shown.main.get());
    let gain = |act: &odds::value::ActValue| (act.act.call().name().to_owned(), act.gain / unit);
    shown.acts.iter().map(gain).collect()
}

#[test]
fn a_mistake_costs_what_the_best_act_gains_more() {
    let trainer = trainer(Game::DoubleDeck);
    let question = trainer.question("decision 1 hard 20 6").unwrap();
    let gains = gains(&question);
    let of = |name: &str| gains.iter().find(|(call, _)| call == name).unwrap().1;
    let grade = question.grade("hit").unwrap();
    assert!(!grade.is_right && grade.best == "stand");
    assert!((grade.cost - (of("stand") - of("hit"))).abs() < 1e-12);
    assert!(question.grade("stand").unwrap().is_right);
    let refused = question.grade("war").unwrap_err();
    assert_eq!(refused.to_string(), "'war' is not open; answer hit or stand");
}

/// 16 against a ten is hit by the chart; with a ten and a six of two decks it is the best as well.
#[test]
fn what_the_chart_says_is_right() {
    let trainer = trainer(Game::DoubleDeck);
    for seed in 0..8 {
        let question = trainer.question(&format!("decision {seed} hard 16 T")).unwrap();
        let Asked::Act { chart, .. } = &question.asked else { panic!("a decision") };
        assert!(question.grade(chart.unwrap().name()).unwrap().is_right);
    }
}

#[test]
fn a_hand_is_played_to_its_end_and_its_money_is_settled() {
    for game in Game::ALL {
        let trainer = trainer(game);
        let (mut over, mut decisions) = (0, 0);
        for seed in 0..40 {
            let mut question = trainer.question(&format!("hand {seed}")).unwrap();
            loop {
                match &question.asked {
                    Asked::Over { own, net, main, .. } => {
                        over += 1;
                        assert!(!own[0].is_empty());
                        assert!(net.get().abs() <= 2_000 * i64::from(main.get()));
                        break;
                    }
                    Asked::Act { shown, .. } => {
                        decisions += 1;
                        let best = shown.best().unwrap().act.call().name();
                        assert!(question.grade(best).unwrap().is_right);
                        question = trainer.question(&question.after(best).unwrap()).unwrap();
                    }
                    Asked::Number { .. } => panic!("no number in a hand"),
                }
            }
        }
        assert_eq!(over, 40);
        assert!(decisions > 0, "{game}");
        assert!(trainer.question("hand 1 dance").is_err());
    }
}

#[test]
fn counts_are_those_that_one_reckons_by_hand() {
    let trainer = trainer(Game::DoubleDeck);
    let adds = |card: &Card| match card.rank() {
        Rank::Two | Rank::Three | Rank::Four | Rank::Five | Rank::Six => 1,
        Rank::Seven | Rank::Eight | Rank::Nine => 0,
        _ => -1,
    };
    for seed in 0..50 {
        let question = trainer.question(&format!("running {seed}")).unwrap();
        let Asked::Number { cards, answer, running: None, .. } = &question.asked else {
            panic!("cards to count")
        };
        assert_eq!(cards.iter().map(adds).sum::<i32>(), *answer);
        assert!(question.grade(&format!(" {answer:+} ")).unwrap().is_right);
        assert!(!question.grade(&(answer + 1).to_string()).unwrap().is_right);
        assert!(question.grade("many").is_err());
        let question = trainer.question(&format!("true {seed}")).unwrap();
        let Asked::Number { running: Some(running), seen, left, answer, .. } = &question.asked
        else {
            panic!("a running count")
        };
        // Two decks are balanced: the count for each 52 cards left, rounded down.
        assert_eq!((seen % 26, seen + left), (0, 104));
        assert_eq!((running * 52).div_euclid(i32::from(*left)), *answer);
    }
}

#[test]
fn there_is_nothing_to_count_where_ranks_are_alike_or_every_round_is_shuffled() {
    for game in [Game::CasinoWar, Game::DoubleDownStud] {
        let trainer = trainer(game);
        assert_eq!(trainer.drills().collect::<Vec<_>>(), [Drill::Decision, Drill::Hand]);
        let refused = trainer.next(Drill::Running, &Record::default(), None, 1).unwrap_err();
        assert!(matches!(refused, TrainRefusal::NothingToCount(other, _) if other == game));
    }
    let mut sheet = TermSheet::new(Game::FreeBet);
    sheet.set([("shuffle_method", "continuous")]).unwrap();
    let machine = Trainer::new(&Valuation::new(sheet).unwrap());
    assert!(machine.drills().all(|drill| !drill.counts()));
}

/// Insurance pays 2 to 1, so that it gains where more than a third of the cards left are tens: with the
/// high-low count from about +3 on.
#[test]
fn insurance_is_worth_it_at_high_counts_alone() {
    let trainer = trainer(Game::DoubleDeck);
    let mut seen = [0, 0];
    for seed in 0..400 {
        let Ok(question) = trainer.question(&format!("deviation {seed}")) else { continue };
        let Asked::Act { field: None, true_count: Some(count), .. } = &question.asked else {
            continue;
        };
        let is_high = *count >= 4;
        if is_high || *count <= 1 {
            seen[usize::from(is_high)] += 1;
            let best = if is_high { "insure" } else { "pass" };
            assert!(question.grade(best).unwrap().is_right, "{count}");
        }
    }
    assert!(seen[0] > 5 && seen[1] > 2, "{seen:?}");
}

/// A decision of the strategy, asked at a true count.
fn at_a_count(trainer: &Trainer, field: &str) -> Question {
    let mut question = trainer.question(&format!("decision 1 {field}")).unwrap();
    let Asked::Act { true_count, .. } = &mut question.asked else { panic!("a decision") };
    assert_eq!(*true_count, None);
    *true_count = Some(0);
    question
}

/// Published for the high-low count ("Illustrious 18", several decks, any hand of a total): stand on 15
/// against a ten from +4, on 12 against a three from +2 and a two from +3, on 13 against a two from −1. Few
/// decks and the very cards move an index by two at the most. Sixteen (0) is the exception: with a ten and
/// a six, Griffin's effects of removal favour hitting by 1.12 + 1.64 + 1.12 = 3.9 % in one deck, 2.9 % in
/// 69.5 cards; a true count is worth 0.77 %, and the three cards are −0.8: near +3.
#[test]
fn index_numbers_are_near_those_that_are_published() {
    let trainer = trainer(Game::DoubleDeck);
    for (field, published, near) in [
        ("hard 16 T", 3, 1),
        ("hard 15 T", 4, 2),
        ("hard 12 3", 2, 2),
        ("hard 12 2", 3, 2),
        ("hard 13 2", -1, 2),
    ] {
        let index = trainer.index(&at_a_count(&trainer, field)).unwrap();
        assert_eq!((index.below, index.above), (Call::Hit, Call::Stand), "{field}");
        assert!((index.from - published).abs() <= near, "{field}: {}", index.from);
    }
    // Nobody hits 20 or stands on 8, whatever the count.
    for field in ["hard 20 6", "hard 8 9"] {
        assert_eq!(trainer.index(&at_a_count(&trainer, field)), None, "{field}");
    }
    let plain = trainer.question("decision 1 hard 16 T").unwrap();
    assert_eq!(trainer.index(&plain), None, "no true count is asked about");
}

/// Six decks, half of the 234 cards before the cut card gone: 195 are left, of which 60 (1 + c / 40) are
/// tens at a true count of c before the round. A ten, an eight or nine and an ace are seen, −2 points;
/// insurance is even where 64 of the 192 others are tens, so at c = 3.33, which is (195 × 3.33 − 104) /
/// 192 = 2.85 at the decision. With two tens in hand it is 4.00 before and 195 × 4 − 156 over 192, 3.25.
/// Rounded down that is from +3 on.
#[test]
fn insurance_has_the_index_that_one_reckons_by_hand() {
    let trainer = trainer(Game::FreeBet);
    let mut asked = 0;
    for seed in 0..120 {
        let Ok(question) = trainer.question(&format!("deviation {seed}")) else { continue };
        let Asked::Act { field: None, true_count: Some(count), .. } = question.asked else {
            continue;
        };
        asked += 1;
        let index = trainer.index(&question).unwrap();
        assert_eq!((index.from, index.below, index.above), (3, Call::Pass, Call::Insure));
        let best = if count >= 3 { "insure" } else { "pass" };
        assert!(question.grade(best).unwrap().is_right, "{count}");
    }
    assert!(asked > 5, "{asked}");
}

fn mark(item: &str, is_right: bool) -> Mark<'_> {
    Mark { drill: Drill::Decision, item: Some(item), is_right, milliseconds: 900, cost: 0.0 }
}

#[test]
fn decisions_that_were_wrong_are_asked_again_soon() {
    let trainer = trainer(Game::CasinoWar);
    assert_eq!(trainer.decisions(), 1);
    let stud = self::trainer(Game::DoubleDownStud);
    let mut record = Record::default();
    let first = stud.next(Drill::Decision, &record, None, 1).unwrap();
    let item = first.item().unwrap().to_owned();
    record.note(1, mark(item.as_str(), false));
    let (mut last, mut asked) = (first.name, Vec::new());
    for seed in 2..6 {
        let next = stud.next(Drill::Decision, &record, Some(&last), seed).unwrap();
        let name = next.item().unwrap().to_owned();
        record.note(1, mark(name.as_str(), true));
        asked.push(name);
        last = next.name;
    }
    assert_eq!(asked.iter().position(|name| *name == item), Some(3));
}
