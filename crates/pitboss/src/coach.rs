//! The coach beside the house: what the odds know, for what one player knows.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use ::odds::fields::field_of;
use ::odds::from_here;
use ::odds::review::{self, Decision, Expectations, Opening, judge};
use ::odds::unseen::Unseen;
use ::odds::value::{ActValue, Certainty, Cost, Method, Prospects};
use house::analysis::{Analysis, OwnDecision, OwnRound, Position};
use rules::card::Card;
use rules::round::Act;
use rules::terms::TermSheet;
use rules::wager::Bettor;
use wire::{
    ActValueView, CostMethod, Grade, ProspectsView, ReviewedDecision, RoundReview, ValueMethod,
};

/// House options for which the value of opening wagers is kept in mind, the latest first.
const MOST_KNOWN: usize = 64;

/// The odds, as a house mounts them.
#[derive(Default)]
pub(crate) struct OddsBesideTheHouse {
    /// What opening wagers are worth, found at the first review of a round with those house options.
    known: Mutex<VecDeque<Expectations>>,
}

impl Analysis for OddsBesideTheHouse {
    fn values(&self, position: &Position) -> Result<Vec<ActValueView>, String> {
        let unseen = unseen(position)?;
        let Position { sheet, round, bettor, .. } = position;
        let mut values =
            from_here(sheet, round, *bettor, &unseen).map_err(|why| why.to_string())?;
        values.sort_by(|one, other| other.gain.total_cmp(&one.gain));
        Ok(views(&values, DOLLAR))
    }

    fn review(&self, round: &OwnRound) -> RoundReview {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let place = known.iter().position(|known| *known.sheet() == round.sheet);
        let found = place.and_then(|place| known.remove(place));
        known.truncate(MOST_KNOWN - 1);
        known.push_front(found.unwrap_or_else(|| Expectations::new(&round.sheet)));
        let (review, entries) = review(round, &mut known[0]);
        let field = |seq: u64, bettor: Bettor| {
            let made = round.decisions.iter().map(|made| (made.seq, &made.position));
            let mut made = made.filter(|(at, position)| *at == seq && position.bettor == bettor);
            made.next().and_then(|(_, position)| field_of(&position.round, bettor))
        };
        let decision = |(decision, seq): (&Decision, u64)| ReviewedDecision {
            seq,
            at: decision.bettor.to_string(),
            field: field(seq, decision.bettor),
            acts: views(&decision.judgement.acts, DOLLAR),
            chosen: decision.judgement.chosen,
            grade: match decision.grade() {
                Some(review::Grade::Best) => Grade::Best,
                Some(review::Grade::Close) => Grade::Close,
                Some(review::Grade::Mistake) => Grade::Mistake,
                Some(review::Grade::Blunder) => Grade::Blunder,
                None => Grade::Unsure,
            },
        };
        RoundReview {
            expectation: dollars(review.expectation),
            play: dollars(review.play()),
            luck: dollars(review.luck()),
            decisions: review.decisions.iter().zip(entries).map(decision).collect(),
            unvalued: review.unvalued,
        }
    }
}

/// What a player's decisions in a round cost, and what was luck; with the log's entry of each decision.
pub(crate) fn review(
    round: &OwnRound,
    known: &mut Expectations,
) -> (review::RoundReview, Vec<u64>) {
    let openings: Vec<(_, Opening)> = round
        .openings
        .iter()
        .map(|(bettor, wagers)| {
            let others = u8::try_from(round.progressives.saturating_sub(1)).unwrap_or(u8::MAX);
            (*bettor, Opening { wagers: wagers.clone(), meter: round.meter, others })
        })
        .collect();
    let (mut decisions, mut entries, mut unvalued) = (Vec::new(), Vec::new(), 0);
    for OwnDecision { seq, position, act } in &round.decisions {
        let &Position { ref sheet, round: ref asked, bettor, .. } = position;
        let opening = openings.iter().find(|(own, _)| *own == bettor);
        let main = opening.map_or(0.0, |(_, opening)| opening.main());
        let found = unseen(position).map(|unseen| judge(sheet, asked, bettor, *act, &unseen));
        match found {
            Ok(Ok(Some(judgement))) => {
                decisions.push(Decision { round: round.round, bettor, judgement, main });
                entries.push(*seq);
            }
            Ok(Ok(None)) => {}
            _ => unvalued += 1,
        }
    }
    let expectation = unseen_of(&round.sheet, &round.seen).ok().and_then(|unseen| {
        let of = |(_, opening): &(_, Opening)| known.of(opening, &unseen);
        openings.iter().map(of).sum::<Option<f64>>()
    });
    unvalued += u32::from(expectation.is_none());
    let expectation = expectation.unwrap_or(0.0);
    let (round, net) = (round.round, round.net);
    (review::RoundReview { round, net, expectation, decisions, unvalued }, entries)
}

/// What the player has not seen.
fn unseen(position: &Position) -> Result<Unseen, String> {
    unseen_of(&position.sheet, &position.seen)
}

fn unseen_of(sheet: &TermSheet, seen: &[Card]) -> Result<Unseen, String> {
    let mut unseen = Unseen::full(sheet);
    let mut seen = seen.iter();
    seen.try_for_each(|&card| unseen.remove(card)).map_err(|why| why.to_string())?;
    Ok(unseen)
}

/// Cents in a dollar.
const DOLLAR: f64 = 100.0;

/// Acts as the wire tells them, which come with the best one first, in units of so many cents.
pub(crate) fn views(values: &[ActValue], unit: f64) -> Vec<ActValueView> {
    let costs = (0..values.len()).map(|place| Cost::of(values, place));
    values.iter().zip(costs).map(|(value, cost)| view(value, cost, unit)).collect()
}

fn view(value: &ActValue, cost: Cost, unit: f64) -> ActValueView {
    ActValueView {
        call: value.act.call().name().into(),
        amount: match value.act {
            Act::With(_, amount) => Some(amount.to_string()),
            _ => None,
        },
        gain: value.gain / unit,
        cost: cost.shown / unit,
        cost_method: match cost.certainty() {
            Certainty::Exact => CostMethod::Exact,
            Certainty::AtLeast => CostMethod::AtLeast,
            Certainty::AtMost => CostMethod::AtMost,
            Certainty::About => CostMethod::About,
        },
        method: match value.method {
            Method::Exact => ValueMethod::Exact,
            Method::Bound => ValueMethod::Bound,
            Method::Simulated => ValueMethod::Simulated,
        },
        at_most: value.at_most.map(|most| most / unit),
        prospects: value.prospects.map(|Prospects { win, push, lose }| ProspectsView {
            win,
            push,
            lose,
        }),
    }
}

fn dollars(cents: f64) -> f64 {
    cents / DOLLAR
}

#[cfg(test)]
mod tests {
    use rules::games::{AnyRound, TableWagers, opening};
    use rules::money::Cents;
    use rules::round::{Awaits, Call, Event, Place, Record, Round, Statement};
    use rules::shoe::{Numbers, below};
    use rules::wager::{Circle, Game};

    use super::*;

    const ONE: Bettor = Bettor::at(0);

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

    impl Seeded {
        fn one_of(&mut self, many: usize) -> usize {
            usize::try_from(below(u32::try_from(many).unwrap(), self)).unwrap()
        }
    }

    /// A shoe that is played to a fourth of its cards.
    struct PlayedShoe {
        left: Vec<Card>,
        seen: Vec<Card>,
    }

    impl PlayedShoe {
        fn full(sheet: &TermSheet) -> PlayedShoe {
            let full = Unseen::full(sheet);
            let left = full.iter().flat_map(|(card, count)| vec![card; count.into()]).collect();
            PlayedShoe { left, seen: Vec::new() }
        }
    }

    /// A round in which every card and every decision is left to chance, as a house tells it.
    fn by_chance(sheet: &TermSheet, played: &mut PlayedShoe, numbers: &mut Seeded) -> OwnRound {
        let is_shuffled = |shoe: &PlayedShoe| {
            let all = rules::shoe::cards(sheet);
            rules::shoe::behind_cut_card(sheet).is_none() || shoe.left.len() < (all / 4).max(30)
        };
        if is_shuffled(played) {
            *played = PlayedShoe::full(sheet);
        }
        let PlayedShoe { left: shoe, seen: before } = played;
        let wagers = vec![(Circle::Main, Cents::new(1000))];
        let mut placed = TableWagers::NONE;
        placed.place(&opening(sheet), ONE, &wagers).unwrap();
        let mut events: Vec<Event> = Vec::new();
        let mut round = AnyRound::start(sheet, &placed, &mut events);
        let (mut hole, mut decisions, mut seq) = (None, Vec::new(), 0);
        loop {
            let mut draw = |numbers: &mut Seeded| shoe.swap_remove(numbers.one_of(shoe.len()));
            match round.awaits() {
                Awaits::Card(_) => round.deal(draw(numbers), &mut events).unwrap(),
                Awaits::FaceDown(place) => {
                    let card = draw(numbers);
                    hole = if place == Place::Dealer { Some(card) } else { hole };
                    round.deal_face_down(&mut events).unwrap();
                }
                Awaits::Peek => {
                    round.peek(round.reader_answer(hole.unwrap()), &mut events).unwrap();
                }
                Awaits::Turn => round.turn(hole.unwrap(), &mut events).unwrap(),
                Awaits::Acts(_) => {
                    let calls: Vec<Call> = round.offers(ONE).iter().collect();
                    let act = Act::Call(calls[numbers.one_of(calls.len())]);
                    let seen = events.iter().filter_map(|event| match event {
                        Event::Dealt { card, .. } | Event::Turned(card) => Some(*card),
                        _ => None,
                    });
                    let (sheet, seen) =
                        (sheet.clone(), before.iter().copied().chain(seen).collect());
                    let position = Position { sheet, round, bettor: ONE, seen };
                    seq += 1;
                    decisions.push(OwnDecision { seq, position, act });
                    round.act(ONE, act, &mut events).unwrap();
                }
                Awaits::Nobody => break,
            }
        }
        let mut statement = Statement::default();
        events.iter().for_each(|event| statement.note(*event));
        let seen = before.clone();
        before.extend(events.iter().filter_map(|event| match event {
            Event::Dealt { card, .. } | Event::Turned(card) => Some(*card),
            _ => None,
        }));
        OwnRound {
            sheet: sheet.clone(),
            round: 1,
            openings: vec![(ONE, wagers)],
            meter: None,
            progressives: 0,
            seen,
            decisions,
            net: statement.net(ONE),
        }
    }

    /// As a house is told, through shoes of which the player has seen the cards: the parts of every round
    /// are its net, decisions cost something, and over a thousand rounds luck averages to nothing within
    /// four standard errors.
    #[allow(clippy::cast_precision_loss)]
    fn check(game: Game, seed: u64) {
        let (sheet, mut numbers) = (TermSheet::new(game), Seeded(seed));
        let odds = OddsBesideTheHouse::default();
        let mut shoe = PlayedShoe::full(&sheet);
        let (mut luck, mut play, mut sum, mut net) = (Vec::new(), 0.0, 0.0, 0.0);
        for _ in 0..1000 {
            let round = by_chance(&sheet, &mut shoe, &mut numbers);
            let review = odds.review(&round);
            assert_eq!(review.unvalued, 0);
            for decision in &review.decisions {
                assert!(decision.chosen < decision.acts.len() && decision.acts[0].cost == 0.0);
            }
            let won = round.net.get() as f64 / 100.0;
            let parts = review.expectation + review.play + review.luck;
            assert!((parts - won).abs() < 1e-9, "{game}: {parts} is not {won}");
            assert!(review.play <= 0.0);
            luck.push(review.luck);
            play += review.play;
            sum += parts;
            net += won;
        }
        assert!((sum - net).abs() < 0.005, "{game}: to the cent");
        assert!(play < 0.0, "{game}: chance plays badly");
        let mean = luck.iter().sum::<f64>() / 1000.0;
        let spread = luck.iter().map(|luck| (luck - mean).powi(2)).sum::<f64>() / 999.0;
        let error = (spread / 1000.0).sqrt();
        assert!(mean.abs() < 4.0 * error, "{game}: luck {mean} ± {error}");
        // The wagers of all of them were valued once.
        assert_eq!(odds.known.lock().unwrap().len(), 1);
    }

    #[test]
    fn the_parts_of_a_thousand_rounds_of_casino_war_are_their_net() {
        check(Game::CasinoWar, 11);
    }

    #[test]
    fn the_parts_of_a_thousand_rounds_of_double_down_stud_are_their_net() {
        check(Game::DoubleDownStud, 12);
    }

    #[test]
    fn the_parts_of_a_thousand_rounds_of_double_deck_are_their_net() {
        check(Game::DoubleDeck, 13);
    }

    #[test]
    fn the_parts_of_a_thousand_rounds_of_double_attack_are_their_net() {
        check(Game::DoubleAttack, 14);
    }

    #[test]
    fn the_parts_of_a_thousand_rounds_of_free_bet_are_their_net() {
        check(Game::FreeBet, 15);
    }

    /// A house with many kinds of tables keeps no more in mind than it says.
    #[test]
    fn no_more_house_options_are_kept_in_mind_than_there_is_room_for() {
        let (odds, mut numbers) = (OddsBesideTheHouse::default(), Seeded(1));
        for more in 0..MOST_KNOWN + 3 {
            let mut sheet = TermSheet::new(Game::CasinoWar);
            sheet.set([("main_max", (1000 + more).to_string().as_str())]).unwrap();
            let mut shoe = PlayedShoe::full(&sheet);
            odds.review(&by_chance(&sheet, &mut shoe, &mut numbers));
        }
        assert_eq!(odds.known.lock().unwrap().len(), MOST_KNOWN);
    }
}
