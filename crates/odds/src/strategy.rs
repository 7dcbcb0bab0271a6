//! Printable strategies: charts by total and up card, as text and ready for quick lookup.
//!
//! A chart is plain text: the game, what to do before the cards, and tables of choices. A choice is
//! a word of letters in order of preference; the first open one is played: `H` hits, `S`
//! stands, `D` doubles, `P` splits, `R` surrenders. If none of them is open, the hand stands.
//!
//! ```text
//! game double-deck
//! even-money no
//!
//! hard   2  3  4  5  6  7  8  9  T  A
//! 11    DH DH DH DH DH DH DH DH DH DH
//! …
//! ```
//!
//! `hard` and `soft` have a row for each total, `pairs` for each value. Free Bet has the same tables
//! for hands that carry a lammer (`free hard`…). Double Attack has them for hands that took their card
//! after doubling (`doubled hard`…), has `split pairs` for hands other than the first of a split pair,
//! which need not carry a double attack, and a line `attack` with the up cards that are attacked.

use std::fmt;
use std::str::FromStr;

use rules::card::Card;
use rules::games::blackjack::{Hand, Points};
use rules::round::{Call, Calls};
use rules::wager::Game;

/// How many values cards have; the ace comes first, the ten last.
pub const VALUES: usize = 10;

/// The letters of the values with their places, in the order in which charts show them.
fn shown() -> impl Iterator<Item = (char, usize)> {
    "23456789TA".chars().zip((1..=VALUES).map(|place| place % VALUES))
}

/// The calls of a chart, with their letters.
const LETTERS: [(char, Call); 5] = [
    ('H', Call::Hit),
    ('S', Call::Stand),
    ('D', Call::Double),
    ('P', Call::Split),
    ('R', Call::Surrender),
];

/// Calls in order of preference, each at most once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Three bits a call, the first one lowest; 7 ends the list.
    calls: u16,
}

impl Choice {
    /// Stands.
    pub const STAND: Choice = Choice { calls: 0o77770 | Call::Stand as u16 };

    /// These calls, without repetitions and without calls that no chart has.
    pub fn of(calls: impl IntoIterator<Item = Call>) -> Choice {
        let mut choice = Choice { calls: 0x7fff };
        let mut place = 0;
        for call in calls {
            if LETTERS.iter().any(|&(_, known)| known == call) && !choice.iter().any(|c| c == call)
            {
                choice.calls &= !(7 << (3 * place));
                choice.calls |= (call as u16) << (3 * place);
                place += 1;
            }
        }
        choice
    }

    /// The calls, the most preferred one first.
    pub fn iter(self) -> impl Iterator<Item = Call> {
        (0..LETTERS.len()).map_while(move |place| {
            let code = usize::from(self.calls >> (3 * place) & 7);
            LETTERS.get(code).map(|_| Call::ALL[code])
        })
    }

    /// The most preferred call.
    #[inline]
    pub fn first(self) -> Call {
        Call::ALL[usize::from(self.calls & 7)]
    }

    /// Whether this is the most preferred call.
    #[inline]
    pub fn begins_with(self, call: Call) -> bool {
        self.calls & 7 == call as u16
    }

    /// The most preferred one of the calls that are open; standing always is.
    #[inline]
    pub fn among(self, open: Calls) -> Call {
        self.first_that(|call| open.contains(call))
    }

    /// The most preferred call that is open; standing always is.
    #[inline]
    pub fn first_that(self, is_open: impl Fn(Call) -> bool) -> Call {
        self.iter().find(|&call| is_open(call)).unwrap_or(Call::Stand)
    }

    /// The same without a call.
    #[must_use]
    pub fn without(self, call: Call) -> Choice {
        Choice::of(self.iter().filter(|&other| other != call))
    }
}

/// The letters, such as `DH`.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |call| LETTERS.iter().find(|(_, other)| *other == call).map(|(l, _)| l);
        f.pad(&self.iter().filter_map(letter).collect::<String>())
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A word that is no choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAChoice;

impl FromStr for Choice {
    type Err = NotAChoice;

    fn from_str(word: &str) -> Result<Choice, NotAChoice> {
        let call = |letter| LETTERS.iter().find(|(l, _)| *l == letter).map(|(_, call)| *call);
        let calls: Option<Vec<Call>> = word.chars().map(call).collect();
        let choice = Choice::of(calls.iter().flatten().copied());
        match calls {
            Some(calls) if !calls.is_empty() && choice.iter().count() == calls.len() => Ok(choice),
            _ => Err(NotAChoice),
        }
    }
}

/// Which hands a page of a chart is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Page {
    /// Hands that carry money.
    Paid,
    /// Hands that carry a lammer (Free Bet).
    Free,
    /// Hands of a split pair other than the first (Double Attack): only pairs have choices of their
    /// own.
    Split,
    /// Hands that took their card after doubling (Double Attack).
    Doubled,
}

impl Page {
    /// Every page.
    pub const ALL: [Page; 4] = [Page::Paid, Page::Free, Page::Split, Page::Doubled];

    /// The pages of a game's chart.
    pub const fn of(game: Game) -> &'static [Page] {
        match game {
            Game::FreeBet => &[Page::Paid, Page::Free],
            Game::DoubleAttack => &[Page::Paid, Page::Split, Page::Doubled],
            _ => &[Page::Paid],
        }
    }

    /// The word before a table's name.
    pub const fn name(self) -> &'static str {
        match self {
            Page::Paid => "",
            Page::Free => "free",
            Page::Split => "split",
            Page::Doubled => "doubled",
        }
    }

    /// The tables on the page.
    pub const fn tables(self) -> &'static [Table] {
        match self {
            Page::Split => &[Table::Pairs],
            Page::Doubled => &[Table::Hard, Table::Soft],
            _ => &[Table::Hard, Table::Soft, Table::Pairs],
        }
    }
}

/// A table of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// By a hard total.
    Hard,
    /// By a soft total.
    Soft,
    /// By the value of a pair that can be split.
    Pairs,
}

impl Table {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Hard => "hard",
            Table::Soft => "soft",
            Table::Pairs => "pairs",
        }
    }

    /// Its rows, the highest first.
    pub fn rows(self) -> impl Iterator<Item = Row> {
        let totals = |from: u8, to: u8| (from..=to).rev();
        let (hard, soft, pairs) = match self {
            Table::Hard => (Some(totals(4, 20)), None, None),
            Table::Soft => (None, Some(totals(12, 20)), None),
            Table::Pairs => (
                None,
                None,
                Some(shown().map(|(_, value)| value).collect::<Vec<_>>().into_iter().rev()),
            ),
        };
        let hard = hard.into_iter().flatten().map(Row::Hard);
        let soft = soft.into_iter().flatten().map(Row::Soft);
        hard.chain(soft).chain(pairs.into_iter().flatten().map(Row::Pair))
    }
}

/// A row of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Row {
    /// A hard total.
    Hard(u8),
    /// A soft total.
    Soft(u8),
    /// A pair, by the place of its value: the ace is 0, the ten 9.
    Pair(usize),
}

/// Room for the rows of a page: hard totals by themselves, then soft totals, then pairs.
pub(crate) const ROWS: usize = 64;
const SOFT_ROWS: u8 = 20;
const PAIR_ROWS: usize = 48;

impl Row {
    /// The row of a hand.
    #[inline]
    pub fn of(points: Points, pair: Option<usize>) -> Row {
        match pair {
            Some(value) => Row::Pair(value),
            None if points.is_soft() => Row::Soft(points.total()),
            None => Row::Hard(points.total()),
        }
    }

    #[inline]
    pub(crate) const fn place(self) -> usize {
        match self {
            Row::Hard(total) => total as usize % ROWS,
            Row::Soft(total) => (SOFT_ROWS + total) as usize % ROWS,
            Row::Pair(value) => (PAIR_ROWS + value) % ROWS,
        }
    }

    /// Its name in a table: a total, or the letter of a pair's value.
    pub fn name(self) -> String {
        match self {
            Row::Hard(total) | Row::Soft(total) => total.to_string(),
            Row::Pair(value) => letter_of(value).to_string(),
        }
    }
}

/// The letter of a value: `A`, `2`…`9`, `T`.
pub fn letter_of(value: usize) -> char {
    shown().find(|(_, place)| *place == value).map_or('?', |(letter, _)| letter)
}

/// The values in the order in which charts show them, as places: the ace is 0, the ten 9.
pub fn shown_values() -> impl Iterator<Item = usize> {
    shown().map(|(_, value)| value)
}

/// The place of a card's value.
#[inline]
pub(crate) fn value_of(card: Card) -> usize {
    usize::from(Points::pips(card)).wrapping_sub(1) % 16
}

/// A strategy that can be printed: it depends on totals, pairs and the up card alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    game: Game,
    /// Whether to attack, by the place of the up card's value: the ace is 0, the ten 9.
    pub attack: [bool; VALUES],
    /// Whether a natural takes even money.
    pub even_money: bool,
    pages: [Vec<[Choice; VALUES]>; Page::ALL.len()],
}

impl Chart {
    /// A chart on which every hand stands.
    pub fn new(game: Game) -> Chart {
        let pages = Page::ALL.map(|page| match Page::of(game).contains(&page) {
            true => vec![[Choice::STAND; VALUES]; ROWS],
            false => Vec::new(),
        });
        Chart { game, attack: [false; VALUES], even_money: false, pages }
    }

    /// The game it is for.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The choice of a row against an up card; a page that the game does not have stands.
    pub fn choice(&self, page: Page, row: Row, up: usize) -> Choice {
        let page = match (page, row) {
            (Page::Split, Row::Hard(_) | Row::Soft(_)) => Page::Paid,
            _ => page,
        };
        self.pages[page as usize].get(row.place()).map_or(Choice::STAND, |row| row[up])
    }

    /// Sets a choice; a page that the game does not have is left alone.
    pub fn set(&mut self, page: Page, row: Row, up: usize, choice: Choice) {
        if let Some(row) = self.pages[page as usize].get_mut(row.place()) {
            row[up] = choice;
        }
    }

    /// The same without a call.
    #[must_use]
    pub fn without(mut self, call: Call) -> Chart {
        for choice in self.pages.iter_mut().flatten().flatten() {
            *choice = choice.without(call);
        }
        self
    }

    /// The chart laid out for quick lookup.
    pub fn compile(&self) -> CompiledChart {
        let mut cells = vec![[Choice::STAND; 16]; CELLS];
        for &page in Page::of(self.game) {
            for points in Points::all() {
                let value = (usize::from(points.low()) / 2).clamp(1, VALUES) - 1;
                for (is_pair, pair) in [(false, None), (true, Some(value))] {
                    let row = Row::of(points, pair);
                    for up in 0..VALUES {
                        cells[cell(page, is_pair, points)][up + 1] = self.choice(page, row, up);
                    }
                }
            }
        }
        let cells = cells.into_boxed_slice().try_into().expect("as many rows");
        CompiledChart { cells, attack: self.attack, even_money: self.even_money }
    }
}

/// A chart for the simulator: one load for each decision.
#[derive(Clone, Debug)]
pub struct CompiledChart {
    /// By [`cell`] and the pips of the up card.
    cells: Box<[[Choice; 16]; CELLS]>,
    attack: [bool; VALUES],
    even_money: bool,
}

/// Room for hands with and without a pair, on every page.
const CELLS: usize = Page::ALL.len() * 2 * Points::DIFFERENT;

/// The place of a hand in a compiled chart.
#[inline]
const fn cell(page: Page, is_pair: bool, points: Points) -> usize {
    (page as usize * 2 + is_pair as usize) * Points::DIFFERENT + points.place()
}

impl CompiledChart {
    /// What a hand does against an up card, in order of preference.
    #[inline]
    pub fn choice(&self, page: Page, hand: &Hand, up: Card) -> Choice {
        let pips = usize::from(Points::pips(up));
        self.cells[cell(page, hand.is_pair(), hand.points())][pips % 16]
    }

    /// Whether this up card is attacked.
    #[inline]
    pub fn attacks(&self, up: Card) -> bool {
        self.attack[value_of(up) % VALUES]
    }

    /// Whether a natural takes even money.
    #[inline]
    pub fn takes_even_money(&self) -> bool {
        self.even_money
    }
}

/// Why a text is no chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartRefusal {
    /// The line, counted from 1; after the last one where something is missing.
    pub line: usize,
    /// What was expected.
    pub expected: String,
}

impl fmt::Display for ChartRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl std::error::Error for ChartRefusal {}

impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "game {}", self.game)?;
        if self.game == Game::DoubleAttack {
            let ups = shown().filter(|(_, value)| self.attack[*value]);
            let ups: String = ups.map(|(letter, _)| format!(" {letter}")).collect();
            writeln!(f, "attack{}", if ups.is_empty() { " none" } else { &ups })?;
        }
        writeln!(f, "even-money {}", if self.even_money { "yes" } else { "no" })?;
        for &page in Page::of(self.game) {
            for &table in page.tables() {
                self.print(page, table, f)?;
            }
        }
        Ok(())
    }
}

impl Chart {
    fn print(&self, page: Page, table: Table, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = title(page, table);
        write!(f, "\n{title:<12}")?;
        for (letter, _) in shown() {
            write!(f, " {letter:>4}")?;
        }
        writeln!(f)?;
        for row in table.rows() {
            write!(f, "{:<12}", row.name())?;
            for (_, up) in shown() {
                write!(f, " {:>4}", self.choice(page, row, up))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn title(page: Page, table: Table) -> String {
    format!("{} {}", page.name(), table.name()).trim_start().to_owned()
}

impl FromStr for Chart {
    type Err = ChartRefusal;

    /// Reads what [`Chart`] prints; blank lines and what follows `#` are skipped.
    fn from_str(text: &str) -> Result<Chart, ChartRefusal> {
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(at, line)| {
                let words = line.split('#').next().unwrap_or("").split_whitespace();
                (at + 1, words.collect::<Vec<_>>())
            })
            .filter(|(_, words)| !words.is_empty());
        let end = text.lines().count() + 1;
        let refuse = |line, expected: &str| ChartRefusal { line, expected: expected.to_owned() };
        let (line, words) = lines.next().unwrap_or((end, vec![]));
        let game = match words[..] {
            ["game", name] => Game::named(name).filter(|game| BLACKJACKS.contains(game)),
            _ => None,
        };
        let expected = "game double-deck, game double-attack or game free-bet";
        let mut chart = Chart::new(game.ok_or_else(|| refuse(line, expected))?);
        let mut reader = Reader { chart: &mut chart, table: None, read: Vec::new() };
        for (line, words) in lines {
            reader.take(&words).map_err(|expected| ChartRefusal { line, expected })?;
        }
        match reader.missing() {
            Some(missing) => Err(ChartRefusal { line: end, expected: missing }),
            None => Ok(chart),
        }
    }
}

const BLACKJACKS: [Game; 3] = [Game::DoubleDeck, Game::DoubleAttack, Game::FreeBet];

/// A chart that is being read.
struct Reader<'a> {
    chart: &'a mut Chart,
    /// The table that rows belong to.
    table: Option<(Page, Table)>,
    /// The rows read so far.
    read: Vec<(Page, Row)>,
}

impl Reader<'_> {
    fn take(&mut self, words: &[&str]) -> Result<(), String> {
        match words {
            ["attack", "none"] => self.attack(&[]),
            ["attack", ups @ ..] if !ups.is_empty() => self.attack(ups),
            ["even-money", word @ ("yes" | "no")] => {
                self.chart.even_money = *word == "yes";
                Ok(())
            }
            ["even-money", ..] => Err("even-money yes or even-money no".to_owned()),
            _ if words.len() > VALUES && words.ends_with(&["T", "A"]) => self.head(words),
            [name, choices @ ..] => self.row(name, choices),
            [] => Ok(()),
        }
    }

    fn attack(&mut self, ups: &[&str]) -> Result<(), String> {
        if self.chart.game != Game::DoubleAttack {
            return Err("no attack: only double-attack has one".to_owned());
        }
        self.chart.attack = [false; VALUES];
        for up in ups {
            let found = shown().find(|(letter, _)| up.chars().eq([*letter]));
            let expected = || "up cards to attack: 2 3 4 5 6 7 8 9 T A, or none".to_owned();
            self.chart.attack[found.ok_or_else(expected)?.1] = true;
        }
        Ok(())
    }

    fn head(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, ups) = words.split_at(words.len() - VALUES);
        let in_order = ups.iter().zip(shown()).all(|(up, (letter, _))| up.chars().eq([letter]));
        let name = name.join(" ");
        let pages = Page::of(self.chart.game).iter();
        let mut tables = pages.flat_map(|&page| page.tables().iter().map(move |&t| (page, t)));
        self.table = tables.find(|&(page, table)| title(page, table) == name && in_order);
        match self.table {
            Some(_) => Ok(()),
            None => Err(format!("a table such as 'hard 2 3 4 5 6 7 8 9 T A', not '{name}'")),
        }
    }

    fn row(&mut self, name: &str, choices: &[&str]) -> Result<(), String> {
        let Some((page, table)) = self.table else {
            return Err("attack, even-money or the head of a table".to_owned());
        };
        let row = table.rows().find(|row| row.name() == name);
        let row = row.ok_or_else(|| format!("a row of the table '{}'", title(page, table)))?;
        if choices.len() != VALUES {
            return Err(format!("{VALUES} choices, found {}", choices.len()));
        }
        for (choice, (_, up)) in choices.iter().zip(shown()) {
            let read: Result<Choice, NotAChoice> = choice.parse();
            let open = |choice: &Choice| table == Table::Pairs || !choice.to_string().contains('P');
            let choice = read.ok().filter(open).ok_or_else(|| {
                let split = if table == Table::Pairs { ", P" } else { "" };
                format!("letters of H, S, D{split}, R in order of preference, not '{choice}'")
            })?;
            self.chart.set(page, row, up, choice);
        }
        if self.read.contains(&(page, row)) {
            return Err(format!("the row {name} once"));
        }
        self.read.push((page, row));
        Ok(())
    }

    /// The first row that was not read.
    fn missing(&self) -> Option<String> {
        let pages = Page::of(self.chart.game).iter();
        let mut rows = pages.flat_map(|&page| {
            let rows = move |&table: &Table| table.rows().map(move |row| (page, table, row));
            page.tables().iter().flat_map(rows)
        });
        let lacking = rows.find(|&(page, _, row)| !self.read.contains(&(page, row)));
        lacking.map(|(page, table, row)| {
            format!("a row {} in the table '{}'", row.name(), title(page, table))
        })
    }
}
