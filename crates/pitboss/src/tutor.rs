//! The explorer and the trainer beside the house: what the odds know, for tables of one's own making.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::odds::Valuation;
use ::odds::count::HIGH_LOW;
use ::odds::countable::{Countable, Removals};
use ::odds::fields::{Example, Field, Fields};
use ::odds::train::{Asked, Drill, Mark, Question, Record, Trainer};
use ::odds::unseen::Unseen;
use ::odds::value::{BetValue, Figure, Method, Outcome};
use ::odds::what_if::{Trial, Trials};
use house::analysis::{Lesson, Tutor};
use rules::card::{Card, Rank};
use rules::shoe;
use rules::terms::{Term, TermSheet, values_in_words};
use wire::{
    CardCount, ChartCell, ChartRow, ChartView, CountQuestion, CountTag, FigureView, GradeView,
    HandOver, HandShown, IndexView, OddsLine, OddsOption, OddsPart, OddsTable, OptionChange,
    OptionTried, OutcomeView, QuestionView, RankEffect, RemovalView, TrainingAnswer, TrainingDay,
    TrainingView, WagerOdds,
};

use crate::coach::views;

/// Tables that have been explored and are kept in mind.
const MOST_STUDIES: usize = 48;

/// Tables with drills that are kept in mind.
const MOST_TRAINERS: usize = 16;

/// Options with more values are typed.
const MOST_CHOICES: u32 = 12;

/// The odds, as a house mounts them for whoever explores and trains.
#[derive(Default)]
pub(crate) struct OddsTutor {
    studies: Mutex<VecDeque<(StudyKey, Study)>>,
    trainers: Mutex<VecDeque<(TermSheet, Arc<Trainer>)>>,
}

/// The options of a table, and the cards left.
type StudyKey = (TermSheet, Unseen);

/// What is known of a table.
#[derive(Clone, Default)]
struct Study {
    wagers: Option<OddsLine>,
    charts: Option<Vec<OddsLine>>,
    removal: Option<OddsLine>,
    options: Option<Vec<OddsLine>>,
}

/// Whoever asked has gone.
struct Gone;

/// Tells lines until nobody listens.
struct Telling<'a> {
    tell: &'a mut dyn FnMut(OddsLine) -> bool,
}

impl Telling<'_> {
    fn say(&mut self, line: OddsLine) -> Result<(), Gone> {
        if (self.tell)(line) { Ok(()) } else { Err(Gone) }
    }

    fn all(&mut self, lines: &[OddsLine]) -> Result<(), Gone> {
        lines.iter().try_for_each(|line| self.say(line.clone()))
    }

    fn progress(&mut self, part: OddsPart, done: usize, of: usize) -> Result<(), Gone> {
        self.say(OddsLine::Progress { part, done, of })
    }
}

impl Tutor for OddsTutor {
    fn explore(
        &self,
        sheet: &TermSheet,
        gone: &[Card],
        tell: &mut dyn FnMut(OddsLine) -> bool,
    ) -> Result<(), String> {
        let table = Valuation::new(sheet.clone()).map_err(|why| why.to_string())?;
        let table = table.without(gone).map_err(|why| why.to_string())?;
        // Whoever has gone needs no answer.
        let _ = self.tell_all(&table, &mut Telling { tell });
        Ok(())
    }

    fn train(&self, lesson: &Lesson) -> Result<(TrainingView, Option<String>), String> {
        let trainer = self.trainer(&lesson.sheet)?;
        let drill = Drill::named(&lesson.drill).ok_or_else(|| {
            let names: Vec<&str> = trainer.drills().map(Drill::name).collect();
            format!("the drills here are {}", names.join(", "))
        })?;
        let mut record = match lesson.record.as_str() {
            "" => Record::default(),
            text => Record::read(text).map_err(|why| why.to_string())?,
        };
        let (graded, next) = match &lesson.answer {
            Some(answer) => {
                let (graded, next) = grade(&trainer, &mut record, lesson.day, answer)?;
                (Some(graded), next)
            }
            None => (
                None,
                lesson.field.as_deref().and_then(|field| {
                    let name = format!("decision {} {field}", lesson.seed);
                    trainer.question(&name).ok().filter(|_| drill == Drill::Decision)
                }),
            ),
        };
        let question = match next {
            Some(question) => question,
            None => {
                let last = lesson.answer.as_ref().map(|answer| answer.question.as_str());
                next_question(&trainer, drill, &record, last, lesson.seed)?
            }
        };
        let kept = graded.is_some().then(|| record.text());
        let view = TrainingView {
            graded,
            question: question_view(&question),
            drills: trainer.drills().map(|drill| drill.name().to_owned()).collect(),
            decisions: trainer.decisions(),
            boxes: record.schedule.boxes().to_vec(),
            days: record.days.iter().map(day_view).collect(),
        };
        Ok((view, kept))
    }
}

impl OddsTutor {
    /// Everything about a table, what is known already first of all.
    fn tell_all(&self, table: &Valuation, to: &mut Telling<'_>) -> Result<(), Gone> {
        let key = (table.sheet().clone(), *table.unseen());
        let known = self.known(&key);
        to.say(OddsLine::Table(table_view(table)))?;
        let wagers = match known.wagers {
            Some(wagers) => wagers,
            None => {
                to.progress(OddsPart::Wagers, 0, 1)?;
                let wagers = table.bets().iter().map(wager_view).collect();
                let line = OddsLine::Wagers { wagers };
                self.keep(&key, |study| study.wagers = Some(line.clone()));
                line
            }
        };
        to.say(wagers)?;
        match known.charts {
            Some(charts) => to.all(&charts)?,
            None => {
                let charts = charts(table, to)?;
                self.keep(&key, |study| study.charts = Some(charts));
            }
        }
        match known.removal {
            Some(removal) => to.say(removal)?,
            None => {
                let line = removal(table, to)?;
                self.keep(&key, |study| study.removal = Some(line.clone()));
                to.say(line)?;
            }
        }
        match known.options {
            Some(options) => to.all(&options)?,
            None => {
                let options = options(table, to)?;
                self.keep(&key, |study| study.options = Some(options));
            }
        }
        to.say(OddsLine::End { complete: true })
    }

    fn known(&self, key: &StudyKey) -> Study {
        let studies = lock(&self.studies);
        studies.iter().find(|(other, _)| other == key).map_or_else(Study::default, |s| s.1.clone())
    }

    /// Keeps something about a table in mind, which is then the latest.
    fn keep(&self, key: &StudyKey, change: impl FnOnce(&mut Study)) {
        let mut studies = lock(&self.studies);
        let at = studies.iter().position(|(other, _)| other == key);
        let mut study = at.and_then(|at| studies.remove(at)).map(|(_, s)| s).unwrap_or_default();
        change(&mut study);
        studies.truncate(MOST_STUDIES - 1);
        studies.push_front((key.clone(), study));
    }

    /// The drills of a table.
    fn trainer(&self, sheet: &TermSheet) -> Result<Arc<Trainer>, String> {
        let known = lock(&self.trainers).iter().find(|(other, _)| other == sheet).cloned();
        if let Some((_, trainer)) = known {
            return Ok(trainer);
        }
        let table = Valuation::new(sheet.clone()).map_err(|why| why.to_string())?;
        let trainer = Arc::new(Trainer::new(&table));
        let mut trainers = lock(&self.trainers);
        trainers.truncate(MOST_TRAINERS - 1);
        trainers.push_front((sheet.clone(), trainer.clone()));
        Ok(trainer)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The options and cards of a table.
fn table_view(table: &Valuation) -> OddsTable {
    let sheet = table.sheet();
    let option = |(term, value): (&'static Term, &str)| OddsOption {
        key: term.key.clone(),
        meaning: term.meaning.clone(),
        value: value.to_owned(),
        default: term.default.clone(),
        choices: term.choices(MOST_CHOICES).unwrap_or_default(),
        values: values_in_words(&term.values),
        bears: term.scope == "round" || changes_cards(sheet, term),
        sources: term.source.split_whitespace().map(str::to_owned).collect(),
    };
    let full = Unseen::full(sheet);
    let count = |(card, all): (Card, u8)| CardCount {
        card: card.to_string(),
        all: all.into(),
        left: table.unseen().of(card).into(),
    };
    OddsTable {
        game: sheet.game().name().to_owned(),
        title: sheet.game().title().to_owned(),
        options: sheet.entries().map(option).collect(),
        cards: full.iter().map(count).collect(),
        stake: table.setting().main.to_string(),
    }
}

/// Whether some value of an option changes how many cards there are.
fn changes_cards(sheet: &TermSheet, term: &Term) -> bool {
    let cards = |value: &String| {
        let mut other = sheet.clone();
        other.set([(term.key.as_str(), value.as_str())]).ok().map(|()| shoe::cards(&other))
    };
    let values = term.choices(MOST_CHOICES).unwrap_or_default();
    values.iter().filter_map(cards).any(|count| count != shoe::cards(sheet))
}

fn wager_view(value: &BetValue) -> WagerOdds {
    let exact = value.ev_exact.as_ref().and_then(|ev| ev.printable()).map(ToString::to_string);
    let outcome = |outcome: &Outcome| OutcomeView {
        name: outcome.name.clone(),
        net: outcome.net,
        probability: outcome.probability,
        simulated: outcome.method == Method::Simulated,
    };
    WagerOdds {
        bet: value.bet.name().to_owned(),
        policy: value.policy.clone(),
        ev: value.ev,
        ev_exact: exact,
        element_of_risk: figure(&value.element_of_risk),
        sd: figure(&value.sd),
        hit_frequency: figure(&value.hit_frequency),
        outcomes: value.outcomes.iter().map(outcome).collect(),
        notes: value.notes.clone(),
    }
}

fn figure(figure: &Figure) -> FigureView {
    FigureView { value: figure.value, standard_error: figure.standard_error }
}

/// The tables of the strategy, each told as soon as it is known.
fn charts(table: &Valuation, to: &mut Telling<'_>) -> Result<Vec<OddsLine>, Gone> {
    to.progress(OddsPart::Chart, 0, 1)?;
    let fields = Fields::of(table);
    let all: Vec<&Field> = fields.iter().collect();
    let tables: Vec<&[&Field]> = all.chunk_by(|one, other| one.table == other.table).collect();
    let mut lines = Vec::new();
    for (done, of_table) in tables.iter().enumerate() {
        let mut rows = Vec::new();
        for of_row in of_table.chunk_by(|one, other| one.row == other.row) {
            // Whoever has gone is noticed in the middle of a table too.
            to.progress(OddsPart::Chart, done, tables.len())?;
            let cell = |field: &&Field| ChartCell {
                calls: field.calls.iter().map(|call| call.name().to_owned()).collect(),
                shown: fields.example(field, 0).as_ref().map(hand_view),
            };
            let first = of_row[0];
            rows.push(ChartRow {
                row: first.row.clone(),
                often: first.often,
                cells: of_row.iter().map(cell).collect(),
            });
        }
        let ups = of_table.iter().take_while(|field| field.row == of_table[0].row);
        let ups = ups.filter_map(|field| field.up).map(String::from).collect();
        let line = OddsLine::Chart(ChartView { table: of_table[0].table.clone(), ups, rows });
        to.say(line.clone())?;
        lines.push(line);
    }
    Ok(lines)
}

fn hand_view(shown: &Example) -> HandShown {
    let mut acts = shown.acts.clone();
    acts.sort_by(|one, other| other.gain.total_cmp(&one.gain));
    let unit = f64::from(shown.main.get());
    HandShown {
        own: shown.own.iter().map(|cards| in_words(cards)).collect(),
        hand: shown.hand,
        dealer: in_words(&shown.dealer),
        acts: views(&acts, unit),
    }
}

fn in_words(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

/// What one card of each rank that is gone does.
fn removal(table: &Valuation, to: &mut Telling<'_>) -> Result<OddsLine, Gone> {
    to.progress(OddsPart::Removal, 0, Rank::ALL.len())?;
    let mut removals = Removals::new(table);
    while let Some((done, of)) = removals.step() {
        to.progress(OddsPart::Removal, done, of)?;
    }
    let effect = |(rank, change): &(Rank, f64)| RankEffect {
        rank: rank.letter().to_string(),
        change: *change,
    };
    let wager = |countable: &Countable| RemovalView {
        bet: countable.wager.bet.name().to_owned(),
        policy: countable.wager.policy.clone(),
        ranks: countable.removal.iter().map(effect).collect(),
        countable: !countable.counts.is_empty(),
    };
    Ok(OddsLine::Removal { wagers: removals.counted().iter().map(wager).collect() })
}

/// What other values of each house option do, each told as soon as it is known.
fn options(table: &Valuation, to: &mut Telling<'_>) -> Result<Vec<OddsLine>, Gone> {
    to.progress(OddsPart::Options, 0, 1)?;
    let mut trials = Trials::new(table);
    let (mut lines, of) = (Vec::new(), trials.left());
    while let Some(Trial { term, to: value, found }) = trials.next() {
        let key = term.key.clone();
        let (changes, refused) = match found {
            Ok(Some(tried)) => (tried.changes, None),
            Ok(None) => (Vec::new(), None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let change = |change: &::odds::what_if::Change| OptionChange {
            bet: change.wager.bet.name().to_owned(),
            policy: change.wager.policy.clone(),
            change: change.change,
        };
        if !changes.is_empty() || refused.is_some() {
            let changes = changes.iter().map(change).collect();
            let line = OddsLine::Option(OptionTried { key, to: value, changes, refused });
            to.say(line.clone())?;
            lines.push(line);
        }
        to.progress(OddsPart::Options, of - trials.left(), of)?;
    }
    Ok(lines)
}

/// Grades an answer, and goes on with the hand where it does.
fn grade(
    trainer: &Trainer,
    record: &mut Record,
    day: u32,
    answer: &TrainingAnswer,
) -> Result<(GradeView, Option<Question>), String> {
    let in_words = |why: ::odds::train::TrainRefusal| why.to_string();
    let question = trainer.question(&answer.question).map_err(in_words)?;
    let grade = question.grade(&answer.answer).map_err(in_words)?;
    let item = question.item();
    let (drill, is_right, cost) = (question.drill, grade.is_right, grade.cost);
    record.note(day, Mark { drill, item, is_right, milliseconds: answer.milliseconds, cost });
    let after = question.after(&answer.answer).map(|name| trainer.question(&name));
    let after = after.transpose().map_err(in_words)?;
    let over = after.as_ref().and_then(|after| match &after.asked {
        Asked::Over { own, dealer, net, main } => Some(over_view(own, dealer, *net, *main)),
        _ => None,
    });
    let is_over = over.is_some();
    let graded = GradeView {
        right: grade.is_right,
        answer: answer.answer.clone(),
        best: grade.best,
        cost: grade.cost,
        question: question_view(&question),
        over,
        index: trainer.index(&question).map(|index| IndexView {
            from: index.from,
            below: index.below.name().to_owned(),
            above: index.above.name().to_owned(),
        }),
    };
    Ok((graded, after.filter(|_| !is_over)))
}

#[expect(clippy::cast_precision_loss, reason = "a hand wins far less than 2^52 cents")]
fn over_view(
    own: &[Vec<Card>],
    dealer: &[Card],
    net: rules::money::Cents,
    main: rules::money::Chips,
) -> HandOver {
    HandOver {
        own: own.iter().map(|cards| in_words(cards)).collect(),
        dealer: in_words(dealer),
        net: net.get() as f64 / f64::from(main.get()),
    }
}

/// Hands that end without a decision before one comes that has any.
const MOST_HANDS: u32 = 50;

/// The next question of a drill that there is something to answer to.
fn next_question(
    trainer: &Trainer,
    drill: Drill,
    record: &Record,
    last: Option<&str>,
    seed: u32,
) -> Result<Question, String> {
    for more in 0..MOST_HANDS {
        let question = trainer
            .next(drill, record, last, seed.wrapping_add(more))
            .map_err(|why| why.to_string())?;
        if !matches!(question.asked, Asked::Over { .. }) {
            return Ok(question);
        }
    }
    Err("no hand came to a decision".to_owned())
}

fn question_view(question: &Question) -> QuestionView {
    let mut view = QuestionView {
        name: question.name.clone(),
        drill: question.drill.name().to_owned(),
        shown: None,
        field: None,
        chart: None,
        true_count: None,
        count: None,
    };
    match &question.asked {
        Asked::Act { shown, field, chart, true_count } => {
            view.shown = Some(hand_view(shown));
            view.field = field.clone();
            view.chart = chart.map(|call| call.name().to_owned());
            view.true_count = *true_count;
        }
        Asked::Number { cards, running, seen, left, deck, .. } => {
            let tag =
                |(rank, adds): (Rank, i32)| CountTag { rank: rank.letter().to_string(), adds };
            view.count = Some(CountQuestion {
                cards: in_words(cards),
                running: *running,
                seen: (*seen).into(),
                left: (*left).into(),
                deck: (*deck).into(),
                tags: Rank::ALL.into_iter().zip(HIGH_LOW).map(tag).collect(),
            });
        }
        Asked::Over { .. } => {}
    }
    view
}

fn day_view(day: &::odds::train::Day) -> TrainingDay {
    let answers = f64::from(day.answers.max(1));
    #[expect(clippy::cast_precision_loss, reason = "sums of a day are small")]
    let each = |sum: u64| sum as f64 / answers;
    TrainingDay {
        day: day.day,
        drill: day.drill.name().to_owned(),
        answers: day.answers,
        right: day.right,
        seconds: each(day.milliseconds) / 1e3,
        cost: each(day.millionths) / 1e6,
    }
}

#[cfg(test)]
mod tests {
    use rules::wager::Game;

    use super::*;

    fn lesson(drill: &str, field: &str, seed: u32) -> Lesson {
        Lesson {
            sheet: TermSheet::new(Game::DoubleDeck),
            drill: drill.to_owned(),
            field: Some(field.to_owned()),
            answer: None,
            record: String::new(),
            seed,
            day: 20_000,
        }
    }

    /// Somebody who made a mistake with 16 against a ten begins with such a hand, whatever chance says, and
    /// goes on with other decisions.
    #[test]
    fn a_lesson_begins_with_the_field_that_is_given() {
        let tutor = OddsTutor::default();
        for seed in [1, 2, 3] {
            let wanted = lesson("decision", "hard 16 T", seed);
            let (first, kept) = tutor.train(&wanted).unwrap();
            assert_eq!(first.question.field.as_deref(), Some("hard 16 T"));
            assert_eq!(kept, None, "nothing was answered");
            let shown = first.question.shown.unwrap();
            let points = |card: &String| match card.as_bytes()[0] {
                b'T' | b'J' | b'Q' | b'K' => 10,
                b'A' => 1,
                pip => pip - b'0',
            };
            assert_eq!(shown.own[0].iter().map(points).sum::<u8>(), 16, "{:?}", shown.own);
            assert_eq!(shown.dealer.iter().map(points).collect::<Vec<_>>(), [10]);
            let (question, answer) = (first.question.name, "hit".to_owned());
            let answer = Some(TrainingAnswer { question, answer, milliseconds: 900 });
            let (next, kept) = tutor.train(&Lesson { answer, ..wanted }).unwrap();
            assert_eq!(next.graded.unwrap().question.field.as_deref(), Some("hard 16 T"));
            assert_ne!(next.question.field.as_deref(), Some("hard 16 T"));
            assert!(kept.unwrap().contains("hard 16 T"));
        }
    }

    /// A field of another game, and any field in another drill, is left aside.
    #[test]
    fn a_field_that_is_not_drilled_is_left_aside() {
        let tutor = OddsTutor::default();
        for field in ["tie any", "hard 99 T", "", "hard 16 T hard 16 T"] {
            let (view, _) = tutor.train(&lesson("decision", field, 1)).unwrap();
            let usual = tutor.train(&Lesson { field: None, ..lesson("decision", field, 1) });
            assert_eq!(view, usual.unwrap().0, "{field}");
        }
        let (view, _) = tutor.train(&lesson("running", "hard 16 T", 1)).unwrap();
        assert_eq!((view.question.drill.as_str(), view.question.field), ("running", None));
    }
}
