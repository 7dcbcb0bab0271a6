//! The best play, as tables and charts.

use ::odds::Valuation;
use ::odds::double_down_stud::{self as stud, Class, Stud};
use ::odds::from_here;
use ::odds::strategy::{Chart, Page, Row, Table, letter_of, shown_values};
use rules::card::Card;
use rules::games::{AnyRound, TableWagers, opening};
use rules::round::{Call, Round};
use rules::wager::{Bettor, Circle, Game};

/// What to do.
pub(crate) enum Advice {
    /// A list of cases.
    Lines(Vec<AdviceLine>),
    /// Charts by hand and up card, and what they do not show.
    Grids(Vec<Grid>, Vec<String>),
}

/// One case.
pub(crate) struct AdviceLine {
    /// When it applies.
    pub(crate) when: String,
    /// What to do then.
    pub(crate) call: Call,
    /// What the added wager brings against not making it, for each unit of it.
    pub(crate) gain: f64,
    /// How often it comes, where that is known.
    pub(crate) share: Option<f64>,
}

/// A chart: what to do with a hand, by the dealer's up card.
pub(crate) struct Grid {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<(String, Vec<Cell>)>,
}

/// One field of a chart.
#[derive(Clone)]
pub(crate) struct Cell {
    /// What to do; where it is not open, `otherwise`.
    pub(crate) call: Call,
    pub(crate) otherwise: Option<Call>,
}

impl Cell {
    /// The letters of the field.
    pub(crate) fn letters(&self) -> String {
        let otherwise = self.otherwise.map(|call| letter(call).to_lowercase());
        format!("{}{}", letter(self.call), otherwise.unwrap_or_default())
    }
}

/// The letter of a call.
pub(crate) fn letter(call: Call) -> &'static str {
    match call {
        Call::Hit => "H",
        Call::Stand => "S",
        Call::Double => "D",
        Call::Split => "P",
        Call::Surrender => "R",
        Call::War => "W",
        Call::Attack => "A",
        Call::Insure => "I",
        Call::EvenMoney => "E",
        Call::Pass => "–",
    }
}

/// The best play at a table.
pub(crate) fn advice(table: &Valuation) -> Advice {
    match table.sheet().game() {
        Game::CasinoWar => Advice::Lines(casino_war(table)),
        Game::DoubleDownStud => Advice::Lines(double_down_stud(table)),
        _ => match table.chart() {
            Some(chart) => Advice::Grids(grids(&chart), notes(table, &chart)),
            None => Advice::Lines(Vec::new()),
        },
    }
}

/// A chart as grids: one for every table of every page, and one for attacks.
fn grids(chart: &Chart) -> Vec<Grid> {
    let columns: Vec<_> = shown_values().map(|up| letter_of(up).to_string()).collect();
    let mut grids = Vec::new();
    if chart.game() == Game::DoubleAttack {
        let attack = |up| if chart.attack[up] { Call::Attack } else { Call::Pass };
        let cells = shown_values().map(|up| Cell { call: attack(up), otherwise: None }).collect();
        let rows = vec![(String::new(), cells)];
        grids.push(Grid { title: "Double attack".to_owned(), columns: columns.clone(), rows });
    }
    for &page in Page::of(chart.game()) {
        for &table in page.tables() {
            let row = |row: Row| {
                let cell = |up| {
                    let mut calls = chart.choice(page, row, up).iter();
                    let call = calls.next().unwrap_or(Call::Stand);
                    Cell { call, otherwise: calls.next() }
                };
                let hand = match row {
                    Row::Pair(_) => format!("{0},{0}", row.name()),
                    _ => row.name(),
                };
                (hand, shown_values().map(cell).collect())
            };
            let rows = table.rows().map(row).collect();
            grids.push(Grid { title: title(page, table), columns: columns.clone(), rows });
        }
    }
    grids
}

/// What the tables of a chart do not show.
fn notes(table: &Valuation, chart: &Chart) -> Vec<String> {
    let offered = table.sheet().entries().any(|pair| pair.0.key == "even_money" && pair.1 == "on");
    let even_money = match chart.even_money {
        true => "A blackjack against an ace takes even money.",
        false => "A blackjack against an ace declines even money.",
    };
    if offered { vec![even_money.to_owned()] } else { Vec::new() }
}

/// What a table of a chart is for.
fn title(page: Page, table: Table) -> String {
    let hands = match table {
        Table::Hard => "Hard totals",
        Table::Soft => "Soft totals",
        Table::Pairs => "Pairs",
    };
    match page {
        Page::Paid => hands.to_owned(),
        Page::Free => format!("{hands}, hand on a lammer"),
        Page::Split => format!("{hands}, later hands of a split"),
        Page::Doubled => format!("{hands}, after doubling"),
    }
}

/// War or surrender on a tie.
fn casino_war(table: &Valuation) -> Vec<AdviceLine> {
    let tie = Card::DECK.into_iter().find(|&card| table.unseen().of(card) >= 2);
    let Some(tie) = tie else { return Vec::new() };
    let one = Bettor::at(0);
    let main = table.setting().main;
    let mut wagers = TableWagers::NONE;
    let mut unseen = *table.unseen();
    let placed = wagers.place(&opening(table.sheet()), one, &[(Circle::Main, main.into())]);
    placed.expect("a setting holds wagers that the house takes");
    let mut round = AnyRound::start(table.sheet(), &wagers, &mut ());
    for _ in 0..2 {
        round.deal(tie, &mut ()).expect("a round takes what it awaits");
        unseen.remove(tie).expect("it has been counted");
    }
    let values = from_here(table.sheet(), &round, one, &unseen).unwrap_or_default();
    let best = values.iter().max_by(|one, other| one.gain.total_cmp(&other.gain));
    let plain = |call| values.iter().find(|value| value.act == rules::round::Act::Call(call));
    let (Some(best), Some(war), Some(surrender)) = (best, plain(Call::War), plain(Call::Surrender))
    else {
        return Vec::new();
    };
    let gain = (war.gain - surrender.gain) / f64::from(main.get());
    let call = best.act.call();
    vec![AdviceLine { when: "any tie".to_owned(), call, gain, share: None }]
}

/// Double or pass, by what the four known cards are.
fn double_down_stud(table: &Valuation) -> Vec<AdviceLine> {
    let chart = Stud::new(table.sheet(), table.setting(), table.unseen()).chart();
    let alike = |one: &stud::ChartLine, other: &stud::ChartLine| {
        let pairs = matches!((one.class, other.class), (Class::Pair(_), Class::Pair(_)));
        pairs && one.gain == other.gain
    };
    let line = |lines: &[stud::ChartLine]| {
        let (first, last) = (&lines[0], &lines[lines.len() - 1]);
        let (mut lowest, mut highest) = (first.class, last.class);
        if lowest > highest {
            std::mem::swap(&mut lowest, &mut highest);
        }
        let when = match (lowest, highest) {
            (Class::Pair(from), Class::Pair(to)) if from < to => {
                format!("pair of {} to {}", from.plural(), to.plural())
            }
            _ => first.class.to_string(),
        };
        let mixed = if first.is_uniform() { "" } else { " (on average; single hands differ)" };
        AdviceLine {
            when: format!("{when}{mixed}"),
            call: if first.doubles() { Call::Double } else { Call::Pass },
            gain: first.gain.to_f64(),
            share: Some(lines.iter().map(|line| line.probability).sum()),
        }
    };
    chart.chunk_by(alike).map(line).collect()
}

#[cfg(test)]
mod tests {
    use ::odds::strategy::Choice;

    use super::*;

    #[test]
    fn a_chart_is_drawn_field_by_field() {
        let mut chart = Chart::new(Game::DoubleAttack);
        chart.attack[5] = true;
        chart.set(Page::Paid, Row::Pair(7), 1, Choice::of([Call::Split, Call::Hit]));
        let grids = grids(&chart);
        let titles: Vec<_> = grids.iter().map(|grid| grid.title.as_str()).collect();
        assert_eq!(titles[..4], ["Double attack", "Hard totals", "Soft totals", "Pairs"]);
        let doubled = ["Hard totals, after doubling", "Soft totals, after doubling"];
        assert_eq!(titles[4], "Pairs, later hands of a split");
        assert_eq!(titles[5..], doubled);
        assert_eq!(grids[0].columns.join(""), "23456789TA");
        let letters: Vec<_> = grids[0].rows[0].1.iter().map(Cell::letters).collect();
        assert_eq!(letters.join(""), "––––A–––––");
        let (hand, cells) = grids[3].rows.iter().find(|(hand, _)| hand == "8,8").unwrap();
        assert_eq!((hand.as_str(), cells[0].letters().as_str()), ("8,8", "Ph"));
        assert_eq!(cells[1].letters(), "S");
    }
}
