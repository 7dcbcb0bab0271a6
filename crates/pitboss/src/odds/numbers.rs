//! Numbers as people read them.

use ::odds::BigUint;
use ::odds::value::{BetValue, Figure, Method};

use crate::text::{grouped, with_minus};

/// A part of one as a percentage with its sign: `−2.3301 %`; small ones keep three digits.
pub(crate) fn percent(part: f64) -> String {
    let part = clean(part);
    let sign = if part > 0.0 { "+" } else { "" };
    format!("{sign}{}", share(part))
}

/// The decimal places of a percentage that show at least three digits of it.
fn places(percent: f64) -> usize {
    match percent.abs() {
        size if size < 0.01 => whole(-size.log10().floor() + 2.0),
        _ => 4,
    }
}

/// A number that is whole, small and not below nothing.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn whole(number: f64) -> usize {
    number.round().clamp(0.0, 1000.0) as usize
}

/// A part of one as a percentage, with a sign only if it is negative.
pub(crate) fn share(part: f64) -> String {
    match part * 100.0 {
        0.0 => "0 %".to_owned(),
        percent => with_minus(&format!("{percent:.*} %", places(percent))),
    }
}

/// A gain in units of the wager: `+1`, `−0.5`, `+2,999.15`; four places at the most.
pub(crate) fn units(net: f64) -> String {
    let rounded = clean((net * 1e4).round() / 1e4);
    let number = grouped(&format!("{rounded:+}"));
    if rounded == 0.0 { "0".to_owned() } else { number }
}

/// A figure, with a mark before it where it is simulated.
pub(crate) fn figure(figure: &Figure, written: impl Fn(f64) -> String) -> String {
    match figure.method {
        Method::Exact => written(figure.value),
        Method::Bound => format!("≥{}", written(figure.value)),
        Method::Simulated => format!("≈{}", written(figure.value)),
    }
}

/// What is simulated of a wager, each with its standard error.
pub(crate) fn errors(value: &BetValue) -> Option<String> {
    let with_error = |name: &str, figure: &Figure, written: fn(f64) -> String| {
        let error = figure.standard_error?;
        Some(format!("{name} {} ± {}", written(figure.value), written(error)))
    };
    let words: Vec<_> = [
        with_error("risk", &value.element_of_risk, share),
        with_error("spread", &value.sd, plain),
        with_error("wins", &value.hit_frequency, share),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!words.is_empty()).then(|| format!("simulated, with standard errors: {}", words.join(", ")))
}

/// A further number of a wager by its name: money with cents, shares of a unit as such.
pub(crate) fn further(name: &str, number: f64) -> String {
    match name {
        "meter" => grouped(&format!("meter: {number:.2}")),
        "break_even_meter" => grouped(&format!("break-even meter: {number:.2}")),
        "others" => format!("other seats with a progressive wager: {number:.0}"),
        "ev_for_each_other" => format!("each other seat adds {}", percent(number)),
        "splits" => format!("rounds with a split: {}", share(number)),
        "split_rounds_played" => {
            grouped(&format!("rounds with a split that were simulated: {number:.0}"))
        }
        _ => grouped(&format!("{}: {number:.0}", name.replace('_', " "))),
    }
}

/// A number of combinations: `4,303,653,120`, and from 10¹⁵ on `2.2783×10²⁷`.
pub(crate) fn ways(ways: &BigUint) -> String {
    let digits = ways.to_string();
    match digits.len() {
        ..16 => grouped(&digits),
        len => format!("{}.{}×10{}", &digits[..1], &digits[1..5], superscript(len - 1)),
    }
}

/// A number as an exponent.
pub(crate) fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = number.to_string();
    digits.chars().filter_map(|digit| digit.to_digit(10)).map(|d| DIGITS[d as usize]).collect()
}

/// A plain number with four places.
pub(crate) fn plain(number: f64) -> String {
    format!("{number:.4}")
}

/// Without a negative zero.
fn clean(number: f64) -> f64 {
    if number.abs() < 1e-12 { 0.0 } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(percent(-0.0233006), "−2.3301 %");
        assert_eq!(percent(-1e-14), "0 %");
        assert_eq!(percent(0.000_012_345), "+0.00123 %");
        assert_eq!(share(0.5), "50.0000 %");
        assert_eq!(share(-0.5), "−50.0000 %");
        assert_eq!(share(1e-9), "0.000000100 %");
        assert_eq!(units(2999.15), "+2,999.15");
        assert_eq!(units(-0.5), "−0.5");
        assert_eq!(units(0.0), "0");
        assert_eq!(ways(&4_303_653_120_u64.into()), "4,303,653,120");
        assert_eq!(ways(&2_278_270_764_228_519_687_u64.into()), "2.2782×10¹⁸");
        assert_eq!(further("break_even_meter", 196_353.4), "break-even meter: 196,353.40");
        assert_eq!(further("meter", 10_000.0), "meter: 10,000.00");
    }
}
