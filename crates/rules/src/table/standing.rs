//! A table between two rounds as lines of text, so that it can go on without its whole past.

use super::Table;
use crate::notation::Words;
use crate::terms::TermSheet;

impl Table {
    /// Whether [`Table::standing`] has lines.
    pub fn stands(&self) -> bool {
        let Table { sheet: _, seats, cards, rounds, pit } = self;
        seats.stands() && cards.stands() && !rounds.in_play() && pit.stands()
    }

    /// All that the next round and every later one depend on, where bets could be closed now and
    /// no irregularity is open: each part of the table writes down its own.
    ///
    /// Terms are not in it; [`resumed`](Self::resumed) is given them. The round before is not in it
    /// either: the deal forgets it. From the last round of a shoe to the next bets there is none, for
    /// the secrets of a shoe, what players add to it and a round that may still be undone are under
    /// way: a restart then reads the few inputs since the last one.
    pub fn standing(&self) -> Option<Vec<String>> {
        let Table { sheet: _, seats, cards, rounds, pit } = self;
        let all = || [seats.standing(), cards.standing(), vec![rounds.standing()], pit.standing()];
        self.stands().then(|| all().concat())
    }

    /// The table with this standing; none where no table could have written the lines.
    pub fn resumed<'a>(
        sheet: TermSheet,
        standing: impl IntoIterator<Item = &'a str>,
    ) -> Option<Table> {
        let mut table = Table::new(sheet);
        let lines: Vec<_> = standing.into_iter().collect();
        for line in &lines {
            let mut words = Words::new(line);
            let (keyword, rest) = (words.word("").ok()?, &mut words);
            let is_known = table.seats.resume(keyword, rest).ok()?
                || table.cards.resume(keyword, rest, &table.sheet).ok()?
                || table.rounds.resume(keyword, rest).ok()?
                || table.pit.resume(keyword, rest).ok()?;
            words.end().ok().filter(|()| is_known)?;
        }
        let is_whole = table.seats.is_whole() && table.cards.is_whole();
        let same = |written: Vec<String>| written.iter().eq(lines.iter());
        (is_whole && table.standing().is_some_and(same)).then_some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wager::Game;

    fn table(game: Game, terms: &[(&str, &str)], lines: &[&str]) -> Table {
        let mut sheet = TermSheet::new(game);
        sheet.set(terms.iter().copied()).unwrap();
        let mut table = Table::new(sheet);
        for line in lines {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        table
    }

    fn read(table: &Table, lines: &[String]) -> Option<Table> {
        Table::resumed(table.sheet().clone(), lines.iter().map(String::as_str))
    }

    #[test]
    fn a_standing_says_all_and_nothing_else_is_read() {
        let seal = "5c".repeat(32);
        let shuffle = format!("shuffle {seal} wash plug riffle riffle strip turn riffle cut");
        let opened = ["sit 7 bob", "sit 2 ann", "buy-in 2 100", "inspect 7", &shuffle, "mix"];
        let mut table = table(Game::CasinoWar, &[], &opened);
        assert_eq!(table.standing(), None);
        for line in ["cut 7 60", "card ??", "wager 2 main 10 tie 5"] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        let standing = table.standing().unwrap();
        let shoe = format!(
            "shoe 1 first {seal} size 312 cut 60 dealt 1 burned 1 cut-card 234 whole sound"
        );
        assert_eq!(
            standing,
            [
                "seat 2 ann rack 100 at 2 seated arrival 1 skipped 0",
                "seat 7 bob rack 0 at 7 seated arrival 0 skipped 0",
                "wager 2 main 10 tie 5",
                "arrivals 2",
                "meter own seeded 10000 contributed 0 awarded 0 in 0 restored 0 in 0 overflow 0",
                "method manual",
                &shoe,
                "of-shoe 0",
                "burned ??",
                "shoes 1 next first",
                "unwashed second",
                "asked first-arrival",
                "last-cut 7 passed",
                "rounds 0",
                "pit found 0 0 0 0",
            ]
        );
        assert_eq!(read(&table, &standing).unwrap(), table);
        for missing in 0..standing.len() {
            let mut lines = standing.clone();
            let line = lines.remove(missing);
            // An empty seat and a wager that was never placed have no line.
            let optional = ["seat 7", "wager", "unwashed", "last-cut"];
            let may_be_missing = optional.iter().any(|start| line.starts_with(start));
            assert_eq!(read(&table, &lines).is_some(), may_be_missing, "{line}");
            lines.insert(missing, format!("{line} "));
            assert_eq!(read(&table, &lines), None, "{line}");
        }
        for (known, wrong) in [
            ("dealt 1 ", "dealt 313 "),
            ("cut 60", "cut 312"),
            ("rack 100", "rack 14"),
            ("main 10", "main 1"),
            ("seat 7", "seat 8"),
            ("at 7", "at 2"),
            ("seeded 10000", "seeded -1"),
        ] {
            let lines: Vec<_> = standing.iter().map(|line| line.replace(known, wrong)).collect();
            assert_ne!(lines, standing);
            assert_eq!(read(&table, &lines), None, "{wrong}");
        }
    }

    #[test]
    fn boxes_batches_dealers_and_what_the_pit_knows_stand_in_it() {
        let seal = "5c".repeat(32);
        let shared = table(
            Game::DoubleAttack,
            &[("max_bettors_per_box", "2"), ("max_boxes_per_player", "2")],
            &[
                "sit 3 ann",
                "consent 3 bob",
                "sit 3b bob",
                "sit 4 ann",
                "buy-in 4 100",
                "buy-in 3b 50",
                "inspect 3",
                "shuffle physical wash plug riffle riffle strip turn riffle cut",
                "cut 3 60",
                "card ??",
                "dealer eve",
                "card ??",
                "wager 3b main 10",
                "wager 4 main 10",
            ],
        );
        let two = format!("shuffle {seal} wash machine");
        let batches = table(
            Game::FreeBet,
            &[("shuffle_method", "automated")],
            &["sit 1 ann", "buy-in 1 100", "inspect 1", &two, "mix", "cut 1 60", "card ??", &two],
        );
        let meter = table(
            Game::CasinoWar,
            &[],
            &[
                "meter 12000",
                "sit 1 ann",
                "buy-in 1 100",
                "inspect 1",
                "shuffle physical wash plug riffle riffle strip turn riffle cut",
                "cut 1 60",
                "card ??",
                "wager 1 main 10",
                "deal",
                "report face-up 2c by dealer",
                "order discard by eve",
                "card 9d",
                "card 4c",
            ],
        );
        let shared_lines = shared.standing().unwrap();
        for line in [
            "dealer eve",
            "consent 3 bob",
            "seat 3b bob rack 50 at 3b standing arrival 1 skipped 0",
            "seat 4 ann rack 0 at 3 seated arrival 2 skipped 0",
        ] {
            assert!(shared_lines.iter().any(|other| other == line), "{line}: {shared_lines:?}");
        }
        assert!(batches.standing().unwrap().iter().any(|line| line.starts_with("stored 2 second")));
        assert!(meter.standing().unwrap().contains(&"meter shared 12000".to_owned()));
        assert!(meter.standing().unwrap().contains(&"pit found 1 0 1 0".to_owned()));
        for mut table in [shared, batches, meter] {
            let resumed = read(&table, &table.standing().unwrap());
            table.rounds.forget_last();
            assert_eq!(resumed, Some(table));
        }
    }
}
