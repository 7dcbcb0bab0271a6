//! A table between two rounds as lines of text, so that it can resume without its whole history.

use super::Table;
use crate::notation::Words;
use crate::terms::TermSheet;

impl Table {
    /// Whether [`Table::standing`] has lines.
    pub fn stands(&self) -> bool {
        let Table { sheet: _, seats, cards, rounds, pit } = self;
        seats.stands() && cards.stands() && !rounds.in_play() && pit.stands()
    }

    /// Everything that later rounds depend on, where bets could be closed now and no irregularity is
    /// open: each part of the table writes down its own state.
    ///
    /// Terms are not in it; [`resumed`](Self::resumed) is given them. Nor is the round before: the
    /// deal forgets it. There is none between the last round of a shoe and the next bets, while the
    /// order of a shoe, commitments to it and a round that can still be undone are pending: a
    /// restart then reads the few inputs since the last one.
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
