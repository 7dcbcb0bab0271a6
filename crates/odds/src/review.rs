//! How decisions were made, and how much of a result was play and how much was luck.
//!
//! For every round
//!
//! > net = expectation + play + luck
//!
//! The *expectation* is what the opening wagers are worth by the best play from a full shoe. *Play*
//! is what the decisions cost, compared with the best act each time: never above nothing. *Luck*
//! is the rest. Every decision is valued by what the player knew, so that cards alone move luck, and
//! it averages to nothing.

use std::collections::HashMap;

use rules::games::AnyRound;
use rules::money::Cents;
use rules::notation::Line;
use rules::round::{Act, Awaits, Event, Record, Round, Statement};
use rules::table::{Table, TableEvent};
use rules::terms::TermSheet;
use rules::transcript::{Finding, Transcript, play_up_to};
use rules::wager::{Bettor, Circle};

use crate::casino_war::{TiePolicy, War};
use crate::game::{Valuation, ValuationRefusal, from_here, values_of};
use crate::main_wager;
use crate::setting::Setting;
use crate::side_bets;
use crate::unseen::Unseen;
use crate::value::{ActValue, BetValue};

/// How good a decision was, by what it cost in units of the main wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Nothing is better.
    Best,
    /// It costs at most [`Grade::CLOSE`].
    Close,
    /// It costs at most [`Grade::MISTAKE`].
    Mistake,
    /// It costs more.
    Blunder,
}

impl Grade {
    /// Every grade.
    pub const ALL: [Grade; 4] = [Grade::Best, Grade::Close, Grade::Mistake, Grade::Blunder];
    /// The most that a close decision costs, in units of the main wager.
    pub const CLOSE: f64 = 0.02;
    /// The most that a mistake costs, in units of the main wager.
    pub const MISTAKE: f64 = 0.1;
    /// Smaller costs are those of rounding.
    const NOTHING: f64 = 1e-9;

    /// The grade of a cost in units of the main wager.
    pub fn of(cost: f64) -> Grade {
        match cost {
            cost if cost <= Grade::NOTHING => Grade::Best,
            cost if cost <= Grade::CLOSE => Grade::Close,
            cost if cost <= Grade::MISTAKE => Grade::Mistake,
            _ => Grade::Blunder,
        }
    }

    /// Its name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Best => "best",
            Grade::Close => "close",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }
}

/// A decision, and what every open act was worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The round, counted from 1.
    pub round: u32,
    /// Who decided.
    pub bettor: Bettor,
    /// What was chosen.
    pub chosen: ActValue,
    /// The best open act.
    pub best: ActValue,
    /// The player's main wager, in cents.
    pub main: f64,
}

impl Decision {
    /// How much less than the best act it gains, in cents.
    pub fn cost(&self) -> f64 {
        (self.best.gain - self.chosen.gain).max(0.0)
    }

    /// How good it was.
    pub fn grade(&self) -> Grade {
        Grade::of(self.cost() / self.main)
    }
}

/// Judges an act in a round; none where there is nothing to choose, or no value.
pub fn judge(
    sheet: &TermSheet,
    round: &AnyRound,
    bettor: Bettor,
    act: Act,
    unseen: &Unseen,
) -> Result<Option<(ActValue, ActValue)>, ValuationRefusal> {
    let mut values = from_here(sheet, round, bettor, unseen)?;
    if values.len() < 2 {
        return Ok(None);
    }
    let chosen = match values.iter().find(|value| value.act == act) {
        Some(value) => value.clone(),
        None => match values_of(sheet, round, bettor, &[act], unseen)?.pop() {
            Some(value) => value,
            None => return Ok(None),
        },
    };
    values.push(chosen.clone());
    let best = values.into_iter().reduce(|best, other| match other.gain > best.gain {
        true => other,
        false => best,
    });
    Ok(best.map(|best| (chosen, best)))
}

/// A player's part in a round.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundReview {
    /// The round, counted from 1.
    pub round: u32,
    /// What the player won or lost.
    pub net: Cents,
    /// What the opening wagers are worth, in cents.
    pub expectation: f64,
    /// Every decision that could be valued.
    pub decisions: Vec<Decision>,
    /// How many could not.
    pub unvalued: u32,
}

impl RoundReview {
    /// What the decisions cost, in cents: never above nothing.
    pub fn play(&self) -> f64 {
        -self.decisions.iter().map(Decision::cost).sum::<f64>()
    }

    /// The rest, in cents.
    pub fn luck(&self) -> f64 {
        cents(self.net) - self.expectation - self.play()
    }
}

/// A player's rounds, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// The rounds.
    pub rounds: Vec<RoundReview>,
}

/// A result in parts, which add up to the cent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// What the wagers were worth.
    pub expectation: Cents,
    /// What the decisions cost.
    pub play: Cents,
    /// The rest.
    pub luck: Cents,
    /// The sum.
    pub net: Cents,
}

impl Review {
    /// Every decision.
    pub fn decisions(&self) -> impl Iterator<Item = &Decision> {
        self.rounds.iter().flat_map(|round| &round.decisions)
    }

    /// How many decisions have this grade.
    pub fn count(&self, grade: Grade) -> usize {
        self.decisions().filter(|decision| decision.grade() == grade).count()
    }

    /// How many decisions could not be valued.
    pub fn unvalued(&self) -> u32 {
        self.rounds.iter().map(|round| round.unvalued).sum()
    }

    /// The share of decisions that were the best; none without a decision.
    pub fn accuracy(&self) -> Option<f64> {
        let all = self.decisions().count();
        (all > 0).then(|| self.count(Grade::Best) as f64 / all as f64)
    }

    /// The most expensive decisions, the worst first, up to so many.
    pub fn most_expensive(&self, most: usize) -> Vec<&Decision> {
        let mut costly: Vec<_> =
            self.decisions().filter(|decision| decision.grade() > Grade::Best).collect();
        costly.sort_by(|one, other| other.cost().total_cmp(&one.cost()));
        costly.truncate(most);
        costly
    }

    /// The parts of the result after each round.
    pub fn over_time(&self) -> impl Iterator<Item = Parts> {
        let (mut expectation, mut play, mut net) = (0.0, 0.0, Cents::ZERO);
        self.rounds.iter().map(move |round| {
            expectation += round.expectation;
            play += round.play();
            net += round.net;
            let (expectation, play) = (rounded(expectation), rounded(play));
            Parts { expectation, play, luck: net - expectation - play, net }
        })
    }

    /// The parts of the whole result.
    pub fn parts(&self) -> Parts {
        self.over_time().last().unwrap_or_default()
    }
}

#[allow(clippy::cast_precision_loss)]
fn cents(amount: Cents) -> f64 {
    amount.get() as f64
}

#[allow(clippy::cast_possible_truncation)]
fn rounded(cents: f64) -> Cents {
    Cents::new(cents.round() as i64)
}

/// The opening wagers of a player in a round, and what their value depends on.
#[derive(Clone, Debug, Default)]
struct Opening {
    wagers: Vec<(Circle, Cents)>,
    meter: Option<Cents>,
    /// Other bettors with a progressive wager.
    others: u8,
}

/// What opening wagers are worth by the best play from a full shoe, found once for each amount on
/// which it depends.
#[derive(Debug)]
struct Expectations {
    sheet: TermSheet,
    main: Option<f64>,
    bets: HashMap<(Cents, Cents, u8), Vec<(Circle, f64)>>,
}

impl Expectations {
    fn new(sheet: &TermSheet) -> Expectations {
        Expectations { sheet: sheet.clone(), main: None, bets: HashMap::new() }
    }

    /// The sum over the wagers of a bettor, in cents.
    fn of(&mut self, opening: &Opening) -> f64 {
        let on = |circle| opening.wagers.iter().find(|(other, _)| *other == circle);
        let (_, main) = on(Circle::Main).copied().unwrap_or((Circle::Main, Cents::ZERO));
        let meter = on(Circle::Progressive).and(opening.meter).unwrap_or(Cents::ZERO);
        let key = (main, meter, on(Circle::Progressive).map_or(0, |_| opening.others));
        if !self.bets.contains_key(&key) {
            let bets = self.each(key).unwrap_or_default();
            self.bets.insert(key, bets);
        }
        let bets = &self.bets[&key];
        let ev = |circle| {
            bets.iter().filter(|(bet, _)| *bet == circle).map(|(_, ev)| *ev).reduce(f64::max)
        };
        opening.wagers.iter().map(|&(circle, bet)| cents(bet) * ev(circle).unwrap_or(0.0)).sum()
    }

    /// Every wager per unit, by each way to play.
    fn each(&mut self, (main, meter, others): (Cents, Cents, u8)) -> Option<Vec<(Circle, f64)>> {
        let sheet = &self.sheet;
        let full = Unseen::full(sheet);
        let usual = Setting::of(sheet).ok()?;
        let setting = usual.with_main(sheet, main).unwrap_or(usual);
        let setting = setting.with_others(sheet, others).unwrap_or(setting);
        let per_unit = |bets: Vec<BetValue>| {
            bets.into_iter().map(|value| (value.bet, value.ev)).collect::<Vec<_>>()
        };
        if !sheet.game().is_blackjack() {
            let valuation = Valuation::new(sheet.clone()).ok()?.with_setting(setting);
            let mut bets = per_unit(valuation.bets());
            if meter > Cents::ZERO
                && let Ok(setting) = setting.with_meter(sheet, meter)
            {
                bets.retain(|(circle, _)| *circle != Circle::Progressive);
                let war = War::new(sheet, setting, full);
                bets.extend(per_unit(war.progressive(TiePolicy::War).into_iter().collect()));
            }
            return Some(bets);
        }
        let best = match self.main {
            Some(best) => best,
            None => main_wager::best(sheet, &full)?,
        };
        let mut bets = per_unit(side_bets::bets(sheet, setting, &full));
        bets.push((Circle::Main, best));
        self.main = Some(best);
        Some(bets)
    }
}

/// Follows a player at a table, and judges every decision by what that player knew.
///
/// The player has seen the open cards and the own ones of every round of a shoe while seated.
#[derive(Debug)]
pub struct Reviewer {
    player: String,
    expectations: Option<Expectations>,
    /// What the player had not seen before this round.
    unseen: Option<Unseen>,
    round: Option<RoundInReview>,
    review: Review,
}

/// A round that is not over yet.
#[derive(Debug)]
struct RoundInReview {
    bettors: Vec<(Bettor, Opening)>,
    events: Vec<Event>,
    statement: Statement,
    decisions: Vec<Decision>,
    unvalued: u32,
}

impl Reviewer {
    /// Follows the player of this name.
    pub fn new(player: &str) -> Reviewer {
        Reviewer {
            player: player.to_owned(),
            expectations: None,
            unseen: None,
            round: None,
            review: Review::default(),
        }
    }

    /// Takes what an input did at the table.
    pub fn follow(&mut self, before: &Table, events: &[TableEvent], after: &Table) {
        let mut asked = before.round().copied();
        for event in events {
            match event {
                TableEvent::Shuffled { .. } => self.unseen = None,
                TableEvent::BetsClosed => self.begin(before),
                TableEvent::Round(event) => {
                    self.note(before.sheet(), asked.as_ref(), *event);
                    if let Event::Acted(bettor, act) = *event {
                        // Several may be answered at once when time runs out.
                        asked = asked.and_then(|mut round| {
                            round.act(bettor, act, &mut ()).ok().map(|()| round)
                        });
                    }
                }
                TableEvent::Settled => self.finish(after.sheet(), after.rounds_played()),
                _ => {}
            }
        }
        if !after.everyone().any(|(_, chair)| chair.player.as_str() == self.player) {
            self.unseen = None;
        }
    }

    /// The rounds so far.
    pub fn review(self) -> Review {
        self.review
    }

    fn begin(&mut self, table: &Table) {
        let in_round = || table.everyone().filter(|(_, chair)| !chair.wager.is_empty());
        let is_progressive = |(circle, amount): &(Circle, Cents)| {
            *circle == Circle::Progressive && *amount > Cents::ZERO
        };
        let progressives = in_round().filter(|(_, chair)| chair.wager.iter().any(is_progressive));
        let others = u8::try_from(progressives.count().saturating_sub(1)).unwrap_or(u8::MAX);
        let own = in_round().filter(|(_, chair)| chair.player.as_str() == self.player);
        let bettors = own.map(|(bettor, chair)| {
            (bettor, Opening { wagers: chair.wager.clone(), meter: table.meter(), others })
        });
        self.round = Some(RoundInReview {
            bettors: bettors.collect(),
            events: Vec::new(),
            statement: Statement::default(),
            decisions: Vec::new(),
            unvalued: 0,
        });
    }

    fn note(&mut self, sheet: &TermSheet, asked: Option<&AnyRound>, event: Event) {
        let before = self.unseen.unwrap_or_else(|| Unseen::full(sheet));
        let number = u32::try_from(self.review.rounds.len()).unwrap_or(u32::MAX);
        let Some(round) = &mut self.round else { return };
        if let (Event::Acted(bettor, act), Some(asked)) = (event, asked)
            && let Some((_, opening)) = round.bettors.iter().find(|(own, _)| *own == bettor)
        {
            let seats = seats(&round.bettors);
            let main = opening.wagers.iter().find(|(circle, _)| *circle == Circle::Main);
            let main = main.map_or(0.0, |(_, amount)| cents(*amount));
            let unseen = before.after_boxes(&round.events, &seats);
            match unseen.map(|unseen| judge(sheet, asked, bettor, act, &unseen)) {
                Ok(Ok(Some((chosen, best)))) => {
                    round.decisions.push(Decision { round: number, bettor, chosen, best, main });
                }
                Ok(Ok(None)) => {}
                _ => round.unvalued += 1,
            }
        }
        round.statement.note(event);
        round.events.push(event);
    }

    fn finish(&mut self, sheet: &TermSheet, number: u32) {
        let Some(mut round) = self.round.take() else { return };
        let before = self.unseen.unwrap_or_else(|| Unseen::full(sheet));
        self.unseen = before.after_boxes(&round.events, &seats(&round.bettors)).ok();
        if round.bettors.is_empty() {
            return;
        }
        round.decisions.iter_mut().for_each(|decision| decision.round = number);
        let expectations = self.expectations.get_or_insert_with(|| Expectations::new(sheet));
        let expectation = round.bettors.iter().map(|(_, opening)| expectations.of(opening)).sum();
        let net = round.bettors.iter().map(|(bettor, _)| round.statement.net(*bettor)).sum();
        let RoundInReview { decisions, unvalued, .. } = round;
        self.review.rounds.push(RoundReview {
            round: number,
            net,
            expectation,
            decisions,
            unvalued,
        });
    }
}

fn seats(bettors: &[(Bettor, Opening)]) -> Vec<usize> {
    bettors.iter().map(|(bettor, _)| bettor.seat()).collect()
}

/// Reviews a bettor in transcripts of rounds, each of them from a full shoe. Rounds that are not over
/// are left out.
pub fn of_transcripts(rounds: &[Transcript], bettor: Bettor) -> Result<Review, Finding> {
    let mut review = Review::default();
    let mut known: Option<Expectations> = None;
    for (number, transcript) in (1..).zip(rounds) {
        let whole = play_up_to(transcript, None)?;
        let is_over = |round: AnyRound| round.awaits() == Awaits::Nobody;
        if !whole.round.is_some_and(is_over) {
            continue;
        }
        let opening = opening_of(&whole.events, bettor, transcript);
        if opening.wagers.is_empty() {
            continue;
        }
        let main = opening.wagers.iter().find(|(circle, _)| *circle == Circle::Main);
        let main = main.map_or(0.0, |(_, amount)| cents(*amount));
        let (mut decisions, mut unvalued) = (Vec::new(), 0);
        let lines: Vec<(usize, &Line)> = transcript.numbered().collect();
        for (place, &(line, content)) in lines.iter().enumerate() {
            let Line::Act { bettor: who, act } = content else { continue };
            let is_refused = matches!(lines.get(place + 1), Some((_, Line::Refused(_))));
            if *who != bettor || is_refused {
                continue;
            }
            let before = play_up_to(transcript, Some(line - 1))?;
            let Some(round) = before.round else { continue };
            let unseen = Unseen::full(&before.sheet).after(&before.events, bettor.seat());
            match unseen.map(|unseen| judge(&before.sheet, &round, bettor, *act, &unseen)) {
                Ok(Ok(Some((chosen, best)))) => {
                    decisions.push(Decision { round: number, bettor, chosen, best, main });
                }
                Ok(Ok(None)) => {}
                _ => unvalued += 1,
            }
        }
        let mut statement = Statement::default();
        whole.events.iter().for_each(|event| statement.note(*event));
        if known.as_ref().is_none_or(|known| known.sheet != whole.sheet) {
            known = Some(Expectations::new(&whole.sheet));
        }
        let expectation = known.as_mut().map_or(0.0, |known| known.of(&opening));
        let net = statement.net(bettor);
        review.rounds.push(RoundReview { round: number, net, expectation, decisions, unvalued });
    }
    Ok(review)
}

/// What a bettor staked before the first card.
fn opening_of(events: &[Event], bettor: Bettor, transcript: &Transcript) -> Opening {
    let before = events.iter().take_while(|event| matches!(event, Event::Staked { .. }));
    let mut opening = Opening::default();
    for event in before {
        let &Event::Staked { bettor: who, circle, amount, .. } = event else { continue };
        match who == bettor {
            true => opening.wagers.push((circle, amount.into())),
            false => opening.others += u8::from(circle == Circle::Progressive),
        }
    }
    opening.meter = transcript.lines().find_map(|line| match line {
        Line::Meter(meter) => Some(*meter),
        _ => None,
    });
    opening
}
