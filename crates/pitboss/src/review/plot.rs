//! A result over time, drawn with characters.

use ::odds::review::Parts;
use rules::money::Cents;

use super::signed;

/// The lines of a plot.
const HEIGHT: usize = 12;
/// The columns before it.
const LABEL: usize = 12;
const NET: char = '●';
const EXPECTED: char = '·';

/// The net after every round, and what of it is expectation and play; at most so many columns wide.
pub(super) fn in_text(over_time: &[Parts], width: usize) -> Vec<String> {
    let columns = over_time.len().min(width.saturating_sub(LABEL + 1)).max(1);
    let at = |column: usize| over_time.get((column + 1) * over_time.len() / columns - 1);
    let expected = |parts: &Parts| parts.expectation + parts.play;
    let amounts = || over_time.iter().flat_map(|parts| [parts.net, expected(parts)]);
    let high = amounts().max().unwrap_or(Cents::ZERO).max(Cents::ZERO);
    let low = amounts().min().unwrap_or(Cents::ZERO).min(Cents::ZERO);
    let mut rows = vec![vec![' '; columns]; HEIGHT];
    for (column, parts) in (0..columns).filter_map(at).enumerate() {
        rows[row(expected(parts), low, high)][column] = EXPECTED;
        rows[row(parts.net, low, high)][column] = NET;
    }
    let nothing = row(Cents::ZERO, low, high);
    let label = |number: usize| match number {
        0 => signed(high),
        _ if number == nothing => "0".to_owned(),
        _ if number == HEIGHT - 1 => signed(low),
        _ => String::new(),
    };
    let line = |(number, row): (usize, Vec<char>)| {
        let (label, row): (String, String) = (label(number), row.into_iter().collect());
        let axis = if number == nothing { '┼' } else { '│' };
        format!("{label:>LABEL$}{axis}{row}").trim_end().to_owned()
    };
    rows.into_iter().enumerate().map(line).collect()
}

/// The line of an amount, the highest first.
fn row(amount: Cents, low: Cents, high: Cents) -> usize {
    let range = (high - low).get().max(1);
    let most = i64::try_from(HEIGHT - 1).unwrap_or(0);
    let from_top = ((high - amount).get() * most + range / 2) / range;
    usize::try_from(from_top).unwrap_or(0).min(HEIGHT - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_has_its_ends_and_nothing_in_sight() {
        let parts = |net: i64, expectation: i64| Parts {
            net: Cents::new(net),
            expectation: Cents::new(expectation),
            ..Parts::default()
        };
        let over_time = [parts(1000, -10), parts(0, -20), parts(-1000, -30)];
        let lines = in_text(&over_time, 40);
        assert_eq!(lines.len(), HEIGHT);
        assert_eq!(lines[0], "         +10│●");
        assert_eq!(lines[HEIGHT - 1], "         −10│  ●");
        assert!(lines.iter().any(|line| line.starts_with("           0┼")));
        // More rounds than columns.
        let many = vec![parts(500, 0); 1000];
        assert!(in_text(&many, 40).iter().all(|line| line.chars().count() <= 40));
    }
}
