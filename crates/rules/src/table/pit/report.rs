//! Who reports what.

use std::fmt::{self, Display, Formatter};

use super::irregularity::Irregularity;
use crate::notation::{Unreadable, Words, one_of};
use crate::table::account::Name;
use crate::wager::Bettor;

/// Who reports that something went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reporter {
    /// A check of the system: `system`.
    System,
    /// The dealer: `dealer`.
    Dealer,
    /// Someone at the table: `player 3`.
    Player(Bettor),
    /// A supervisor: `supervisor eve`.
    Supervisor(Name),
}

impl Reporter {
    fn read(words: &mut Words<'_>) -> Result<Reporter, Unreadable> {
        const REPORTERS: [&str; 4] = ["system", "dealer", "player", "supervisor"];
        let known = |word| REPORTERS.contains(&word).then_some(word);
        Ok(match words.next_by(|| one_of("a reporter", REPORTERS), known)? {
            "system" => Reporter::System,
            "dealer" => Reporter::Dealer,
            "player" => Reporter::Player(words.place()?),
            _ => Reporter::Supervisor(words.read()?),
        })
    }
}

impl Display for Reporter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Reporter::System => f.write_str("system"),
            Reporter::Dealer => f.write_str("dealer"),
            Reporter::Player(bettor) => write!(f, "player {bettor}"),
            Reporter::Supervisor(name) => write!(f, "supervisor {name}"),
        }
    }
}

/// Something went wrong, as somebody says: `face-up 9d by dealer`.
///
/// What it says is found to be so by the order that follows, or is dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What.
    pub irregularity: Irregularity,
    /// Who says so.
    pub by: Reporter,
    /// Whether a supervisor brought it about for training: `injected`.
    pub injected: bool,
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.irregularity, self.by)?;
        f.write_str(if self.injected { " injected" } else { "" })
    }
}

impl Report {
    /// Reads what is after `report`.
    pub(crate) fn read(words: &mut Words<'_>) -> Result<Report, Unreadable> {
        let irregularity = Irregularity::read(words)?;
        words.exactly("by")?;
        Ok(Report { irregularity, by: Reporter::read(words)?, injected: words.skip("injected") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Kind;
    use crate::table::Input;

    #[test]
    fn a_report_has_one_spelling() {
        let lines = [
            "misdealt 3 9d by player 3b",
            "misdealt 3 2 9d by dealer",
            "misdealt dealer 9d by supervisor eve injected",
            "face-up 9d by system",
            "ten Td by dealer",
            "drawn-unseen by player 1",
            "drawn-seen 9d by dealer",
            "overdraw 9d by dealer",
            "dealer-missed by dealer",
            "no-card 3 by player 3",
            "one-card 7 by dealer",
            "missed-hit 3 by player 3",
            "missed-hit 3 4 by player 3",
            "shuffler-fault by system",
            "reader-misused by system",
            "reader-broken by dealer",
            "burn-forgotten by supervisor eve",
            "hole-seen 9d by player 2",
            "bad-cut by dealer",
        ];
        for line in lines {
            let report = Report::read(&mut Words::new(line)).unwrap();
            assert_eq!(report.to_string(), line);
        }
        for kind in Kind::ALL {
            let begins = |line: &&str| line.split(' ').next() == Some(kind.name());
            assert!(lines.iter().any(begins), "{kind}");
        }
    }

    #[test]
    fn what_belongs_to_a_kind_is_not_left_out() {
        for line in [
            "",
            "by dealer",
            "jam by dealer",
            "misdealt 9d by dealer",
            "misdealt 3 by dealer",
            "misdealt 3 1 9d by dealer",
            "misdealt 3 5 9d by dealer",
            "face-up by dealer",
            "face-up ?? by dealer",
            "drawn-unseen 9d by dealer",
            "no-card by dealer",
            "no-card 3 2 by dealer",
            "no-card dealer by dealer",
            "missed-hit 8 by dealer",
            "bad-cut",
            "bad-cut by",
            "bad-cut by player",
            "bad-cut by supervisor",
            "bad-cut by eve",
            "bad-cut by dealer eve",
            "bad-cut injected by dealer",
        ] {
            assert!(format!("report {line}").parse::<Input>().is_err(), "{line}");
        }
    }
}
