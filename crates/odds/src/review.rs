//! How decisions were made, and how much of a result was play and how much was luck.
//!
//! For every round
//!
//! > net = expectation + play + luck
//!
//! The *expectation* is what the opening wagers are worth by the best play from the cards that the
//! player had not seen. *Play* is what the decisions cost, compared with the best act each time: never
//! above nothing. *Luck* is the rest. The wagers and every decision are valued by what the player knew,
//! so that cards alone move luck, and it averages to nothing.

use std::collections::HashMap;

use rules::games::AnyRound;
use rules::money::Cents;
use rules::notation::Line;
use rules::round::{Act, Awaits, Event, Record, Round, Statement};
use rules::terms::TermSheet;
use rules::transcript::{Finding, Transcript, play_up_to};
use rules::wager::{Bettor, Circle};

use crate::casino_war::{TiePolicy, War};
use crate::game::{Valuation, ValuationRefusal, enough_for_a_round, from_here, values_of};
use crate::main_wager;
use crate::setting::Setting;
use crate::side_bets;
use crate::unseen::Unseen;
use crate::value::{ActValue, BetValue, Certainty, Cost, amount_of};

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
    /// What the acts were worth.
    pub judgement: Judgement,
    /// The player's main wager, in cents.
    pub main: f64,
}

impl Decision {
    /// What was chosen.
    pub fn chosen(&self) -> &ActValue {
        &self.judgement.acts[self.judgement.chosen]
    }

    /// The best open act.
    pub fn best(&self) -> &ActValue {
        &self.judgement.acts[0]
    }

    /// How much less than the best act it gains, in cents, by the values as they are.
    pub fn cost(&self) -> f64 {
        self.cost_and_range().shown
    }

    /// The same, and how certain that is.
    pub fn cost_and_range(&self) -> Cost {
        Cost::of(&self.judgement.acts, self.judgement.chosen)
    }

    /// How good it was; none where that is not certain.
    pub fn grade(&self) -> Option<Grade> {
        let Cost { least, most, .. } = self.cost_and_range();
        let [least, most] = [least, most].map(|cost| Grade::of(cost / self.main));
        (least == most).then_some(least)
    }
}

/// What the open acts of a decision were worth, and which of them was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The acts, the best one first.
    pub acts: Vec<ActValue>,
    /// The place of the one that was chosen.
    pub chosen: usize,
}

/// Judges an act in a round; none where there is nothing to choose, or no value.
pub fn judge(
    sheet: &TermSheet,
    round: &AnyRound,
    bettor: Bettor,
    act: Act,
    unseen: &Unseen,
) -> Result<Option<Judgement>, ValuationRefusal> {
    let mut acts = from_here(sheet, round, bettor, unseen)?;
    if let Act::With(call, _) = act {
        // Beside a chosen amount, the most is named as well.
        for value in acts.iter_mut().filter(|value| value.act == Act::Call(call)) {
            if let Some(most) = amount_of(round, bettor, value.act) {
                value.act = Act::With(call, most);
            }
        }
    }
    if acts.len() < 2 {
        return Ok(None);
    }
    if !acts.iter().any(|value| value.act == act) {
        acts.extend(values_of(sheet, round, bettor, &[act], unseen)?);
    }
    acts.sort_by(|one, other| other.gain.total_cmp(&one.gain));
    let chosen = acts.iter().position(|value| value.act == act);
    Ok(chosen.map(|chosen| Judgement { acts, chosen }))
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
    /// How many could not; an expectation that could not counts as one, and as nothing.
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
        self.decisions().filter(|decision| decision.grade() == Some(grade)).count()
    }

    /// How many decisions have no grade, because their cost is not certain enough.
    pub fn ungraded(&self) -> usize {
        self.decisions().filter(|decision| decision.grade().is_none()).count()
    }

    /// How certain the sum of what decisions cost is.
    pub fn certainty(&self) -> Certainty {
        let (mut least, mut most) = (true, true);
        for decision in self.decisions() {
            let certainty = decision.cost_and_range().certainty();
            least &= matches!(certainty, Certainty::Exact | Certainty::AtLeast);
            most &= matches!(certainty, Certainty::Exact | Certainty::AtMost);
        }
        match (least, most) {
            (true, true) => Certainty::Exact,
            (true, false) => Certainty::AtLeast,
            (false, true) => Certainty::AtMost,
            (false, false) => Certainty::About,
        }
    }

    /// How many decisions could not be valued.
    pub fn unvalued(&self) -> u32 {
        self.rounds.iter().map(|round| round.unvalued).sum()
    }

    /// The share of decisions that were the best, of those with a grade; none without one.
    pub fn accuracy(&self) -> Option<f64> {
        let all = self.decisions().count() - self.ungraded();
        (all > 0).then(|| self.count(Grade::Best) as f64 / all as f64)
    }

    /// The most expensive decisions, the worst first, up to so many.
    pub fn most_expensive(&self, most: usize) -> Vec<&Decision> {
        let mut costly: Vec<_> =
            self.decisions().filter(|decision| decision.grade() > Some(Grade::Best)).collect();
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

/// The opening wagers of a bettor in a round, and what their value depends on.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The wagers.
    pub wagers: Vec<(Circle, Cents)>,
    /// The progressive meter, where there is one.
    pub meter: Option<Cents>,
    /// Other bettors with a progressive wager.
    pub others: u8,
}

impl Opening {
    /// The main wager, in cents.
    pub fn main(&self) -> f64 {
        let main = self.wagers.iter().find(|(circle, _)| *circle == Circle::Main);
        main.map_or(0.0, |(_, amount)| cents(*amount))
    }
}

/// What opening wagers are worth by the best play.
///
/// The main wager of a blackjack is valued from the cards that the player had not seen, because more
/// knowledge makes better play: on average, that is more than from a full shoe. Nothing depends on
/// decisions in any other wager, or the same one is always the best, so that it is valued from a full
/// shoe, once for each amount on which it depends: seen cards move its value up as often as down.
#[derive(Debug)]
pub struct Expectations {
    sheet: TermSheet,
    full: Unseen,
    /// The main wager of a blackjack, for all amounts of which no half breaks a chip.
    main: Option<f64>,
    bets: HashMap<(Cents, Cents, u8), Vec<(Circle, f64)>>,
}

/// Amounts and meters for which the value of wagers is kept in mind; all are forgotten at once then.
const MOST_KEPT: usize = 256;

impl Expectations {
    /// Nothing known yet, for tables with these house options.
    pub fn new(sheet: &TermSheet) -> Expectations {
        let full = Unseen::full(sheet);
        Expectations { sheet: sheet.clone(), full, main: None, bets: HashMap::new() }
    }

    /// The house options.
    pub fn sheet(&self) -> &TermSheet {
        &self.sheet
    }

    /// The sum over the wagers of a bettor, in cents, who had not seen these cards of the shoe. None where
    /// they cannot be valued.
    pub fn of(&mut self, opening: &Opening, unseen: &Unseen) -> Option<f64> {
        let on = |circle| opening.wagers.iter().find(|(other, _)| *other == circle);
        let (_, main) = on(Circle::Main).copied().unwrap_or((Circle::Main, Cents::ZERO));
        let meter = on(Circle::Progressive).and(opening.meter).unwrap_or(Cents::ZERO);
        let key = (main, meter, on(Circle::Progressive).map_or(0, |_| opening.others));
        if !self.bets.contains_key(&key) {
            let bets = self.each(key)?;
            if self.bets.len() >= MOST_KEPT {
                self.bets.clear();
            }
            self.bets.insert(key, bets);
        }
        let bets = &self.bets[&key];
        let ev = |circle| {
            bets.iter().filter(|(bet, _)| *bet == circle).map(|(_, ev)| *ev).reduce(f64::max)
        };
        let from_here = self.main_from(main, unseen);
        let worth = |&(circle, bet): &(Circle, Cents)| {
            let ev = match circle {
                Circle::Main => from_here.or_else(|| ev(circle)),
                circle => ev(circle),
            };
            Some(cents(bet) * ev?)
        };
        opening.wagers.iter().map(worth).sum()
    }

    /// The main wager of a blackjack from a shoe that is no longer full; none where that is no other
    /// number, or too few cards are left to know it.
    fn main_from(&self, main: Cents, unseen: &Unseen) -> Option<f64> {
        let sheet = &self.sheet;
        if *unseen == self.full || enough_for_a_round(sheet.game(), unseen).is_err() {
            return None;
        }
        let usual = Setting::of(sheet).ok()?;
        let setting = usual.with_main(sheet, main).unwrap_or(usual);
        main_wager::before_a_round(sheet, setting.main, unseen)
    }

    /// Every wager per unit, by each way to play.
    fn each(&mut self, (main, meter, others): (Cents, Cents, u8)) -> Option<Vec<(Circle, f64)>> {
        let (sheet, full) = (&self.sheet, self.full);
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
        let half = sheet.breakage().returned_half(setting.main);
        let is_whole = half + half == setting.main.into();
        let best = match self.main.filter(|_| is_whole) {
            Some(best) => best,
            None => main_wager::before_a_round(sheet, setting.main, &full)?,
        };
        let mut bets = per_unit(side_bets::bets(sheet, setting, &full));
        bets.push((Circle::Main, best));
        if is_whole {
            self.main = Some(best);
        }
        Some(bets)
    }
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
        let main = opening.main();
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
                Ok(Ok(Some(judgement))) => {
                    decisions.push(Decision { round: number, bettor, judgement, main });
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
        let full = Unseen::full(&whole.sheet);
        let expectation = known.as_mut().and_then(|known| known.of(&opening, &full));
        unvalued += u32::from(expectation.is_none());
        let expectation = expectation.unwrap_or(0.0);
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
