//! Plays transcripts of a whole table and compares what they expect.

use std::slice;

use super::TableLine;
use super::check::{Finding, RoundSoFar};
use crate::games::AnyRound;
use crate::money::Cents;
use crate::notation::{Awaiting, Line};
use crate::round::{Audience, Awaits, Record, Statement};
use crate::table::{Input, Table, TableAwaits, TableEvent, TableRefusal};
use crate::terms::TermSheet;
use crate::wager::{Bettor, Game};

/// Plays lines at a new table, up to an input that is answered against expectation.
pub(super) fn play(sheet: TermSheet, lines: &[(usize, TableLine)]) -> Vec<Finding> {
    let mut sitting = Sitting::new(sheet);
    let mut findings = Vec::new();
    let mut lines = lines.iter().peekable();
    while let Some((number, line)) = lines.next() {
        let refusal_follows =
            matches!(lines.peek(), Some((_, TableLine::OfRound(Line::Refused(_)))));
        let Err(Difference { expected, found, is_the_end }) = sitting.take(line, refusal_follows)
        else {
            continue;
        };
        findings.push(Finding::failed(*number, &expected, &found));
        if is_the_end {
            break;
        }
    }
    findings
}

/// What differs from the transcript.
struct Difference {
    expected: String,
    found: String,
    /// Whether all that follows rests on it.
    is_the_end: bool,
}

/// A table, and what is known of the last input.
struct Sitting {
    table: Table,
    /// What came of it.
    told: Vec<TableEvent>,
    /// How much of that has been expected.
    heard: usize,
    /// Why it was refused.
    refusal: Option<TableRefusal>,
    /// The round in play, or the last one.
    round: Option<AnyRound>,
    statement: Statement,
}

impl Sitting {
    fn new(sheet: TermSheet) -> Sitting {
        Sitting {
            table: Table::new(sheet),
            told: Vec::new(),
            heard: 0,
            refusal: None,
            round: None,
            statement: Statement::default(),
        }
    }

    fn take(&mut self, line: &TableLine, refusal_follows: bool) -> Result<(), Difference> {
        let compared = match line {
            TableLine::Input(input) => return self.input(slice::from_ref(input), refusal_follows),
            TableLine::Cards(cards) => {
                let inputs: Vec<Input> = cards.iter().copied().map(Input::Card).collect();
                return self.input(&inputs, refusal_follows);
            }
            TableLine::OfRound(Line::Refused(id)) => return self.refused(line, id.as_deref()),
            TableLine::OfRound(Line::Clause(_)) => Ok(()),
            TableLine::OfRound(Line::Done) => self.done(),
            TableLine::OfRound(line) => {
                RoundSoFar { round: self.round.as_ref(), statement: &self.statement }.compare(line)
            }
            TableLine::Awaits(words) => self.awaits(words),
            TableLine::Tells { only, event } => self.tells(*only, event),
            TableLine::Quiet => {
                self.told.get(self.heard).map_or(Ok(()), |event| Err(event.to_string()))
            }
            TableLine::Rack(bettor, amount) => same(*amount, self.rack(*bettor)),
            TableLine::MeterShows(amount) => same(*amount, self.table.meter()),
            TableLine::Outcomes(outcomes) => self.outcomes(outcomes),
            TableLine::Notes(clauses) => self.notes(clauses),
        };
        let difference =
            |found| Difference { expected: line.to_string(), found, is_the_end: false };
        compared.map_err(difference)
    }

    /// Tells the table all of this, or nothing.
    fn input(&mut self, inputs: &[Input], refusal_follows: bool) -> Result<(), Difference> {
        let mut table = self.table.clone();
        let mut told = Vec::new();
        self.refusal = None;
        for input in inputs {
            let before = table.clone();
            if let Err(refusal) = table.apply(input, &mut told) {
                let game = self.game();
                if table != before {
                    return Err(refused_yet_changed(refusal, game));
                }
                self.refusal = Some(refusal);
                self.hear(Vec::new());
                return if refusal_follows { Ok(()) } else { Err(not_accepted(refusal, game)) };
            }
        }
        self.round = table.round().or(table.last_round()).copied().or(self.round);
        self.table = table;
        self.hear(told);
        Ok(())
    }

    fn hear(&mut self, told: Vec<TableEvent>) {
        for event in &told {
            match *event {
                TableEvent::BetsClosed => self.statement = Statement::default(),
                TableEvent::Round(event) => self.statement.note(event),
                _ => {}
            }
        }
        (self.told, self.heard) = (told, 0);
    }

    fn refused(&self, line: &TableLine, id: Option<&str>) -> Result<(), Difference> {
        let found = match self.refusal {
            None => "accepted".to_owned(),
            Some(refusal) if id.is_none_or(|id| refusal.rests_on(self.game(), id)) => {
                return Ok(());
            }
            Some(refusal) => format!("refused: {}", refusal.in_words(self.game())),
        };
        let is_the_end = self.refusal.is_none();
        Err(Difference { expected: line.to_string(), found, is_the_end })
    }

    fn awaits(&self, words: &str) -> Result<(), String> {
        let awaits = self.table.awaits();
        let found = awaits.to_string();
        let is_so = plain(words) == plain(&found) || short(awaits, words);
        if is_so { Ok(()) } else { Err(format!("awaits {found}")) }
    }

    /// The event comes after those that were expected before.
    fn tells(&mut self, only: Option<u8>, event: &str) -> Result<(), String> {
        let is_it = |told: &TableEvent| reaches(told.audience(), only) && told.to_string() == event;
        match self.told[self.heard..].iter().position(is_it) {
            Some(place) => {
                self.heard += place + 1;
                Ok(())
            }
            None => Err(match &self.told[self.heard..] {
                [] => "nothing more".to_owned(),
                rest => rest.iter().map(in_words).collect::<Vec<_>>().join("; "),
            }),
        }
    }

    /// The chips of the player at this place; boxes of one person share them.
    fn rack(&self, bettor: Bettor) -> Option<Cents> {
        let home = self.table.chair(bettor)?.home;
        self.table.chair(home).map(|chair| chair.rack)
    }

    /// Compares what a supervisor may order, in whatever order.
    fn outcomes(&self, expected: &[String]) -> Result<(), String> {
        let mut found: Vec<_> = self.table.outcomes().iter().map(ToString::to_string).collect();
        let words = found.join(", ");
        let mut expected = expected.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        match (found == expected, words.is_empty()) {
            (true, _) => Ok(()),
            (_, true) => Err("nothing to decide".to_owned()),
            _ => Err(words),
        }
    }

    /// The dealer's screen shows a note for each of these clauses.
    fn notes(&self, clauses: &[String]) -> Result<(), String> {
        let found: Vec<_> = self.table.notes().iter().map(|note| note.clause).collect();
        match clauses.iter().all(|clause| found.contains(&clause.as_str())) {
            true => Ok(()),
            false if found.is_empty() => Err("no note".to_owned()),
            false => Err(found.join(" ")),
        }
    }

    /// No round is in play, no irregularity is open, and every wager of the last round is
    /// settled exactly once.
    fn done(&self) -> Result<(), String> {
        let awaits = self.table.awaits();
        let is_frozen = matches!(awaits, TableAwaits::Supervisor(_) | TableAwaits::Choice(_));
        if is_frozen || self.table.round().is_some() {
            return Err(format!("awaits {awaits}"));
        }
        match self.statement.is_balanced() {
            true => Ok(()),
            false => Err("wagers that are not settled exactly once".to_owned()),
        }
    }

    fn game(&self) -> Game {
        self.table.sheet().game()
    }
}

fn not_accepted(refusal: TableRefusal, game: Game) -> Difference {
    Difference {
        expected: "the line to be accepted".to_owned(),
        found: format!("refused: {}", refusal.in_words(game)),
        is_the_end: true,
    }
}

fn refused_yet_changed(refusal: TableRefusal, game: Game) -> Difference {
    let found = format!("refused, and yet the table changed: {}", refusal.in_words(game));
    Difference { expected: "a refused line to change nothing".to_owned(), found, is_the_end: true }
}

/// Words without their article.
fn plain(words: &str) -> &str {
    ["the ", "a "].iter().find_map(|article| words.strip_prefix(article)).unwrap_or(words)
}

/// Whether these are the words of a round for what is awaited.
fn short(awaits: TableAwaits, words: &str) -> bool {
    let TableAwaits::Round(awaits) = awaits else { return false };
    let awaiting = match awaits {
        Awaits::Card(_) | Awaits::FaceDown(_) => Awaiting::Card,
        Awaits::Peek => Awaiting::Peek,
        Awaits::Turn => Awaiting::Turn,
        Awaits::Nobody => return false,
        Awaits::Acts(bettors) => {
            return bettors.iter().any(|bettor| Awaiting::Act(bettor).to_string() == words);
        }
    };
    awaiting.to_string() == words
}

fn reaches(audience: Audience, only: Option<u8>) -> bool {
    match audience {
        Audience::Everyone => only.is_none(),
        Audience::Box(seat) => only == Some(seat),
    }
}

/// An event as the transcript would have it.
fn in_words(told: &TableEvent) -> String {
    match told.audience() {
        Audience::Everyone => told.to_string(),
        Audience::Box(seat) => format!("to box {} alone: {told}", seat + 1),
    }
}

/// Compares an amount that may not be there at all.
fn same(expected: Cents, found: Option<Cents>) -> Result<(), String> {
    match found {
        Some(found) if found == expected => Ok(()),
        Some(found) => Err(found.to_string()),
        None => Err("none".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crate::transcript::{check, read};

    /// What is found at a table of Casino War.
    fn findings(lines: &str) -> Vec<String> {
        let text = format!("game casino-war\ntable\n{lines}");
        let transcripts = read(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(read(&transcripts[0].to_string()).map(|again| again[0].to_string()), {
            Ok(transcripts[0].to_string())
        });
        let report = check(&transcripts[0]);
        report.findings.iter().map(|found| format!("{}: {found}", found.line - 2)).collect()
    }

    const OPEN: &str = "sit 3 ann; buy-in 3 100; inspect 3; shuffle sealed wash plug riffle riffle \
                        strip riffle turn riffle cut; mix; cut 3 60; card ??\n";

    #[test]
    fn a_table_is_told_and_tells() {
        let day = format!(
            "{OPEN}tells burned\nquiet\nawaits wagers\nrack 3 100\nmeter-shows 10000\n\
             wager 3 main 10 tie 5\ndeal\ntells said No more bets.\ntells rack 3 85\nquiet\n\
             awaits card\ncards 9d 9s\nawaits act 3\nawaits a decision\noffers 3 surrender war\n\
             act 3 hit\nrefused CW-8-c\nact 3 surrender\nnet 3 tie +50\nnet 3 +45\nrack 3 145\ndone\n"
        );
        assert_eq!(findings(&day), [""; 0]);
    }

    #[test]
    fn what_is_otherwise_is_said() {
        for (lines, sentence) in [
            ("awaits the shuffle", "expected awaits the shuffle, found awaits wagers"),
            ("rack 3 90", "expected rack 3 90, found 100"),
            ("rack 2 90", "expected rack 2 90, found none"),
            ("meter-shows 5", "expected meter-shows 5, found 10000"),
            ("quiet", "expected quiet, found burned"),
            ("tells settled", "expected tells settled, found burned"),
            ("tells burned\ntells burned", "expected tells burned, found nothing more"),
            ("whispers 3 burned", "expected whispers 3 burned, found burned"),
            ("refused", "expected refused, found accepted"),
            (
                "deal\nrefused CW-2-a",
                "expected refused CW-2-a, found refused: nobody has placed a wager \
                 (CW-1-initial-wager)",
            ),
            (
                "deal\ndone",
                "expected the line to be accepted, found refused: nobody has placed a wager \
                 (CW-1-initial-wager)",
            ),
            ("wager 3 main 10; deal\ndone", "expected done, found awaits a card"),
            ("note CW-8-f", "expected note CW-8-f, found no note"),
            ("outcomes void", "expected outcomes void, found nothing to decide"),
            (
                "wager 3 main 10; deal; report face-up 9d by dealer\noutcomes void",
                "expected outcomes void, found discard",
            ),
        ] {
            let found = findings(&format!("{OPEN}{lines}\n"));
            assert_eq!(found.len(), 1, "{lines}: {found:?}");
            assert_eq!(found[0].split_once(": ").unwrap().1, sentence, "{lines}");
        }
    }

    #[test]
    fn cards_leave_the_shoe_all_or_none() {
        let day =
            format!("{OPEN}wager 3 main 10; deal; cards 9d 8s 7c\nrefused\ncards 9d 8s\ndone\n");
        assert_eq!(findings(&day), [""; 0]);
    }

    #[test]
    fn a_round_is_compared_as_its_last_card_left_it() {
        let stud = "game double-down-stud\ntable\nsit 1 ann; buy-in 1 100; inspect 1\n\
            shuffle physical wash machine\nwager 1 main 10; deal; cards 9h ?? 2h 3h 4h\n\
            act 1 pass\nturn Kh\nhand 1 flush\nbuy-in 1 10\nhand 1 flush\nleave 1\n\
            hand 1 flush\n";
        assert!(check(&read(stud).unwrap()[0]).findings.is_empty());
        // A line that is refused leaves the round as it was, also with its first cards.
        let refused = format!(
            "{OPEN}wager 3 main 10 progressive 5; deal; cards 9d 9d 7c\nrefused\n\
             cards 9d 8d\noutcome 3 none\n"
        );
        assert_eq!(findings(&refused), [""; 0]);
    }

    #[test]
    fn a_round_can_be_repeated() {
        let day = format!("{OPEN}repeat 3 wager 3 main 10; deal; cards 8d 9s\nrack 3 70\n");
        assert_eq!(findings(&day), [""; 0]);
    }

    #[test]
    fn terms_of_the_table_are_judged_before_it_opens() {
        let found = |text: &str| check(&read(text).unwrap()[0]).findings.len();
        assert_eq!(found("game casino-war\nterms decks=8\ntable\nsit 1 ann\n"), 0);
        assert_eq!(found("game casino-war\nterms decks=5\ntable\nleave 1\n"), 1);
        assert_eq!(found("game casino-war\nterms decks=5\nrefused CW-2-a\ntable\nsit 1 ann\n"), 0);
    }

    #[test]
    fn what_no_table_can_be_told_is_unreadable() {
        for (lines, sentence) in [
            (
                "table\nwibble 3",
                "expected an input of a table, such as 'sit 3 ann' or 'deal', found 'wibble'",
            ),
            (
                "table\nsit 3",
                "expected a name of 1 to 32 of a-z, 0-9 and -, such as ann-2, found the end of \
                 the line",
            ),
            (
                "table\nchoose 3 wait",
                "expected a choice (late-card, refund, take, refuse or keep), found 'wait'",
            ),
            ("table\ncut 3 many", "expected a number, found 'many'"),
            (
                "table\ntells",
                "expected an event of the table, such as 'rack 3 90', found the end of the line",
            ),
            ("table\nrepeat 0 deal", "expected a number from 1 to 1000, found '0'"),
            ("table\nquiet please", "expected the end of the line, found 'please'"),
            (
                "table\nremedy void",
                "expected an input of a table, such as 'sit 3 ann' or 'deal', found 'remedy'",
            ),
            (
                "wager 1 main 10\ntable",
                "expected 'table' right after clauses, game and terms, found it later",
            ),
        ] {
            let errors = read(&format!("game casino-war\n{lines}\n")).unwrap_err();
            assert_eq!(errors[0].reason.to_string(), sentence);
        }
    }
}
