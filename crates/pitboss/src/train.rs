//! `pitboss train`: decisions, whole hands and counting, drilled in the terminal.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use ::odds::Valuation;
use ::odds::fields::Example;
use ::odds::train::{Asked, Drill, Grade, Index, Mark, Question, Record, Trainer};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rules::card::Card;
use rules::round::{Act, Call, Calls};
use rules::terms::TermSheet;
use rules::wager::Game;

use crate::halt::{Halt, ended, unreadable, unwritable};
use crate::named;
use crate::odds::progress::with_progress;
use crate::play::act;
use crate::play::draw::name as card_name;
use crate::play::input::{Entry, Input};
use crate::screen::{self, Screen};
use crate::text::{either, grouped};

const HELP: &str = "\
Drills:
  decision   what the strategy says; what you get wrong comes back sooner
  hand       whole hands, every decision graded
  running    the running high-low count of a few cards
  true       the true count: running count per deck left, rounded down
  deviation  a close decision at a true count, and its index

Answers are graded by the value of each play: exact, or \"at least\" where a pair
may be split. After a mistake you see what it costs, in units of the main wager.
Type a letter, a word or a number, and press Enter. ? shows what you can type,
Enter alone shows the answer, q leaves.

With --record, your progress is kept in a file and continues from there.

Examples:
  pitboss train double-deck                        decisions of the strategy
  pitboss train free-bet --drill hand              whole hands
  pitboss train double-deck --drill running        the running count
  pitboss train attack --drill deviation --seed 7  the same questions each time
  pitboss train double-deck --record mine.train    continues where you left
  pitboss train stud --questions 20                20 questions and a summary";

/// Drills decisions, hands and counting.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    #[arg(value_name = "GAME", help = named::games_help(""))]
    game: String,
    /// The drill: decision, hand, running, true or deviation
    #[arg(long, value_name = "NAME", default_value = "decision")]
    drill: String,
    /// Sets a house option; can be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Asks the same questions each time [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Ends after this many questions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    questions: Option<u32>,
    /// A file that keeps your progress
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let stdin = io::stdin();
    let mut input = Input::new(stdin.lock(), !stdin.is_terminal());
    let mut screen = Screen::new(out, screen::is_colourful(), screen::width());
    ended(train(arguments, &mut input, &mut screen))
}

fn train(
    arguments: &Arguments,
    input: &mut Input<impl BufRead>,
    screen: &mut Screen<impl Write>,
) -> Result<(), Halt> {
    let mut sheet = TermSheet::new(named::game_or_why(&arguments.game)?);
    sheet.set(named::choices(&arguments.set)?).map_err(|refusal| named::in_words(&refusal))?;
    let drill = Drill::named(&arguments.drill).ok_or_else(|| {
        let found = arguments.drill.escape_debug();
        format!("expected --drill {}, found '{found}'", either(&Drill::ALL.map(Drill::name)))
    })?;
    let record = match &arguments.record {
        Some(file) if file.exists() => read(file)?,
        _ => Record::default(),
    };
    let chance = match arguments.seed {
        Some(seed) => ChaCha20Rng::seed_from_u64(seed),
        None => ChaCha20Rng::try_from_rng(&mut rand::rngs::SysRng).map_err(io::Error::other)?,
    };
    let table = Valuation::new(sheet).map_err(|refusal| refusal.to_string())?;
    let trainer = with_progress("Finding the strategy", |_| Trainer::new(&table));
    let file = arguments.record.clone();
    let mut lesson =
        Lesson { trainer, drill, record, file, chance, last: None, sum: Sum::default() };
    lesson.first()?;
    // Before anything is asked: nobody trains for a file that cannot be written.
    lesson.save()?;
    lesson.go_on(arguments.questions.unwrap_or(u32::MAX), input, screen)?;
    lesson.sum.show(screen)?;
    if let Some(file) = &lesson.file {
        screen.say(&format!("{} written.", file.display()))?;
    }
    Ok(())
}

fn read(file: &Path) -> Result<Record, String> {
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    Record::read(&text).map_err(|why| format!("{}: {why}", file.display()))
}

/// What is trained, and how it went.
struct Lesson {
    trainer: Trainer,
    drill: Drill,
    record: Record,
    /// Where the record is kept.
    file: Option<PathBuf>,
    chance: ChaCha20Rng,
    last: Option<String>,
    sum: Sum,
}

/// What a question was answered with.
enum Answer {
    Given(String),
    /// The answer is to be shown.
    Unknown,
    Quit,
}

impl Lesson {
    /// The next question; a hand that needs no decision is passed over.
    fn next(&mut self) -> Result<Question, String> {
        loop {
            let seed = self.chance.next_u32();
            let next = self.trainer.next(self.drill, &self.record, self.last.as_deref(), seed);
            let question = next.map_err(|why| why.to_string())?;
            if !matches!(question.asked, Asked::Over { .. }) {
                return Ok(question);
            }
        }
    }

    /// Refuses a drill that there is not, before anything is asked.
    fn first(&mut self) -> Result<(), String> {
        let mut tried = self.chance.clone();
        let question = self.trainer.next(self.drill, &self.record, None, tried.next_u32());
        question.map(drop).map_err(|why| why.to_string())
    }

    fn go_on(
        &mut self,
        most: u32,
        input: &mut Input<impl BufRead>,
        screen: &mut Screen<impl Write>,
    ) -> Result<(), Halt> {
        let mut following: Option<Question> = None;
        while self.sum.answers < most {
            let question = match following.take() {
                Some(question) => question,
                None => self.next()?,
            };
            screen.blank()?;
            show(&question, screen)?;
            let begun = Instant::now();
            let answer = match self.ask(&question, input, screen)? {
                Answer::Quit => break,
                answer => answer,
            };
            let took = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
            let (said, grade) = match &answer {
                Answer::Given(said) => {
                    (said.clone(), question.grade(said).map_err(|why| why.to_string())?)
                }
                _ => unknown(&question)?,
            };
            self.note(&question, &grade, took);
            self.save()?;
            screen.say(&verdict(&question, &said, &grade))?;
            if let Some(index) = self.trainer.index(&question) {
                screen.say(&index_play(index))?;
            }
            if let Asked::Act { shown, .. } = &question.asked {
                screen.say(&values(shown))?;
            }
            self.last = Some(question.name.clone());
            // An unknown decision of a hand is played in the best way.
            let played = if matches!(answer, Answer::Given(_)) { &said } else { &grade.best };
            if let Some(name) = question.after(played) {
                let after = self.trainer.question(&name).map_err(|why| why.to_string())?;
                match &after.asked {
                    Asked::Over { .. } => show(&after, screen)?,
                    _ => following = Some(after),
                }
            }
        }
        Ok(())
    }

    /// Asks until the answer can be graded.
    fn ask(
        &self,
        question: &Question,
        input: &mut Input<impl BufRead>,
        screen: &mut Screen<impl Write>,
    ) -> Result<Answer, Halt> {
        loop {
            let open = open(question);
            match &open {
                Some(open) => {
                    let words: Vec<&str> = open.iter().map(act::in_brackets).collect();
                    screen.offer(&[words, act::HELP.to_vec()].concat())?;
                }
                None => screen.offer(&["a number", "[?] help", "[q]uit"])?,
            }
            let Some(line) = input.read(screen)? else { return Ok(Answer::Quit) };
            let words = match Entry::read(&line) {
                Entry::Quit => return Ok(Answer::Quit),
                Entry::Nothing => return Ok(Answer::Unknown),
                Entry::Words(words) => words,
                _ => {
                    screen.say(
                        "Type one of the letters in brackets, or the number that is asked for, and \
                         press Enter. Enter alone shows the answer; q leaves.",
                    )?;
                    continue;
                }
            };
            let said = match open {
                Some(open) => {
                    act::read(words.get(..1).unwrap_or_default(), open, self.game()).map(|act| {
                        let call: Call = act.call();
                        call.name().to_owned()
                    })
                }
                None => Ok(line.trim().to_owned()),
            };
            match said.and_then(|said| match question.grade(&said) {
                Ok(_) => Ok(said),
                Err(why) => Err(wire::as_sentence(&why.to_string())),
            }) {
                Ok(said) => return Ok(Answer::Given(said)),
                Err(sentence) => screen.say(&sentence)?,
            }
        }
    }

    /// Writes the record aside and renames it, so that what was learned is never lost.
    fn save(&self) -> Result<(), Halt> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut aside = file.as_os_str().to_owned();
        aside.push(".part");
        let written = fs::write(&aside, self.record.text());
        let written = written.and_then(|()| fs::rename(&aside, file));
        written.map_err(|error| unwritable(file, &error).into())
    }

    fn game(&self) -> Game {
        self.trainer.table().sheet().game()
    }

    fn note(&mut self, question: &Question, grade: &Grade, milliseconds: u32) {
        let (drill, is_right, cost) = (question.drill, grade.is_right, grade.cost);
        let mark = Mark { drill, item: question.item(), is_right, milliseconds, cost };
        self.record.note(today(), mark);
        self.sum.answers += 1;
        self.sum.right += u32::from(is_right);
        self.sum.seconds += f64::from(milliseconds) / 1e3;
        self.sum.cost += cost;
    }
}

/// Days since 1970.
fn today() -> u32 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs() / (24 * 60 * 60)).unwrap_or_default()
}

/// The calls that can be answered; none where a number is.
fn open(question: &Question) -> Option<Calls> {
    match &question.asked {
        Asked::Act { shown, .. } => Some(shown.acts.iter().map(|value| value.act.call()).collect()),
        _ => None,
    }
}

/// The grade of somebody who does not know: that of the worst answer.
fn unknown(question: &Question) -> Result<(String, Grade), Halt> {
    let best = match &question.asked {
        Asked::Act { shown, .. } => shown.best().map(|best| best.act.call().name().to_owned()),
        Asked::Number { answer, .. } => Some(answer.to_string()),
        Asked::Over { .. } => None,
    };
    let grade = question.grade(&best.unwrap_or_default()).map_err(|why| why.to_string())?;
    Ok((String::new(), Grade { is_right: false, ..grade }))
}

fn cards(cards: &[Card]) -> String {
    cards.iter().map(|&card| card_name(card)).collect::<Vec<_>>().join(" ")
}

fn show(question: &Question, screen: &mut Screen<impl Write>) -> io::Result<()> {
    match &question.asked {
        Asked::Act { shown, true_count, .. } => {
            if let Some(count) = true_count {
                screen.plain(&grouped(&format!("True count  {count:+}")))?;
            }
            screen.plain(&format!("Dealer      {}", cards(&shown.dealer)))?;
            for (at, hand) in shown.own.iter().enumerate() {
                let mark = match shown.own.len() {
                    1 => "You  ",
                    _ if at == shown.hand => "You ▸",
                    _ => "     ",
                };
                screen.plain(&format!("{mark}       {}", cards(hand)))?;
            }
        }
        Asked::Number { cards: counted, running, left, deck, .. } => match running {
            None => {
                screen.say(&cards(counted))?;
                screen.plain("The running count?")?;
            }
            Some(running) => {
                let decks = f64::from(*left) / f64::from(*deck);
                let word = if left == deck { "deck" } else { "decks" };
                screen.plain(&grouped(&format!(
                    "Running count {running:+}, {decks} {word} left. The true count, rounded down?"
                )))?;
            }
        },
        Asked::Over { own, dealer, net, main } => {
            let hands: Vec<String> = own.iter().map(|hand| cards(hand)).collect();
            let hands = hands.join(" / ");
            let dealer = if dealer.is_empty() { "–".to_owned() } else { cards(dealer) };
            #[expect(clippy::cast_precision_loss, reason = "a hand wins far less than 2^52 cents")]
            let units = net.get() as f64 / f64::from(main.get());
            screen
                .say(&format!("The hand ends: {hands} against {dealer}, {units:+} of a wager."))?;
        }
    }
    Ok(())
}

fn verdict(question: &Question, said: &str, grade: &Grade) -> String {
    let best = &grade.best;
    let chart = match &question.asked {
        Asked::Act { chart: Some(call), .. } if call.name() != best => {
            format!(" The strategy, which goes by totals, says {}.", call.name())
        }
        _ => String::new(),
    };
    match (grade.is_right, said) {
        (true, _) if grade.cost == 0.0 => format!("Right: {best}.{chart}"),
        (true, said) => {
            format!(
                "Right: {said}, as the strategy says; here {best} gains {:.4} more.",
                grade.cost
            )
        }
        (false, "") => format!("It is {best}.{chart}"),
        (false, said) if grade.cost > 0.0 => {
            format!("No: {said} costs {:.4} of a wager. The best is {best}.{chart}", grade.cost)
        }
        (false, said) => format!("No, not {said}: it is {best}."),
    }
}

/// Where the count changes the play.
fn index_play(index: Index) -> String {
    let Index { from, below, above } = index;
    let (below, above) = (below.name(), above.name());
    let from = format!("{from:+}").replace("+0", "0");
    grouped(&format!("With these cards: {above} from a true count of {from} on, {below} below."))
}

/// What every act is worth, the best one first.
fn values(shown: &Example) -> String {
    let mut acts = shown.acts.clone();
    acts.sort_by(|one, other| other.gain.total_cmp(&one.gain));
    let unit = f64::from(shown.main.get());
    let value = |value: &::odds::value::ActValue| {
        let amount = match value.act {
            Act::With(_, amount) => format!(" with {amount}"),
            _ => String::new(),
        };
        format!("{}{amount} {:+.4}", value.act.call().name(), value.gain / unit)
    };
    grouped(&acts.iter().map(value).collect::<Vec<_>>().join("   "))
}

/// How it went.
#[derive(Default)]
struct Sum {
    answers: u32,
    right: u32,
    seconds: f64,
    cost: f64,
}

impl Sum {
    fn show(&self, screen: &mut Screen<impl Write>) -> io::Result<()> {
        if self.answers == 0 {
            return Ok(());
        }
        let answers = f64::from(self.answers);
        let share = 100.0 * f64::from(self.right) / answers;
        let cost = match self.cost > 0.0 {
            true => format!(" Mistakes cost {:.4} of a wager in all.", self.cost),
            false => String::new(),
        };
        screen.blank()?;
        screen.say(&format!(
            "{} of {} right ({share:.0} %), {:.1} s each.{cost}",
            self.right,
            self.answers,
            self.seconds / answers
        ))
    }
}
