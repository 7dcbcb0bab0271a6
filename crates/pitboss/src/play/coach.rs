//! The coach beside the table: what every open act is worth, and what a choice cost.

use ::odds::from_here;
use ::odds::review::{Decision, Expectations, Grade, Opening, RoundReview, judge};
use ::odds::unseen::Unseen;
use ::odds::value::{ActValue, Certainty, Cost, Method, Prospects};
use rules::games::AnyRound;
use rules::money::Cents;
use rules::round::{Act, Call, Event};
use rules::terms::TermSheet;
use rules::wager::Bettor;

use crate::text::{Ink, Text, grouped};

/// The columns of the longest bar, to either side of zero.
const BAR: f64 = 10.0;

/// What the player has seen, and how the decisions were.
#[derive(Default)]
pub(crate) struct Coach {
    /// What the player had not seen before this round; none of a full shoe.
    unseen: Option<Unseen>,
    /// The same before the last round.
    before: Option<Unseen>,
    decisions: Vec<Decision>,
    /// How many of them were made before this round.
    earlier: usize,
    /// What opening wagers are worth, once a round is over.
    known: Option<Expectations>,
}

impl Coach {
    /// All cards are in the shoe again.
    pub(super) fn forget(&mut self) {
        self.unseen = None;
    }

    /// What the player has not seen after these events.
    fn unseen(&self, sheet: &TermSheet, events: &[Event], seat: usize) -> Option<Unseen> {
        let before = self.unseen.unwrap_or_else(|| Unseen::full(sheet));
        before.after(events, seat).ok()
    }

    /// The open acts as bars, and a sentence why; nothing where there is nothing to choose.
    pub(super) fn advice(
        &self,
        sheet: &TermSheet,
        round: &AnyRound,
        bettor: Bettor,
        events: &[Event],
    ) -> Vec<Text> {
        let unseen = self.unseen(sheet, events, bettor.seat());
        let values = unseen.and_then(|unseen| from_here(sheet, round, bettor, &unseen).ok());
        let mut values = values.unwrap_or_default();
        values.sort_by(|one, other| other.gain.total_cmp(&one.gain));
        let [best, next, ..] = &values[..] else { return Vec::new() };
        let names: Vec<String> = values.iter().map(|value| written(value.act)).collect();
        let is_certain = Cost::of(&values, 0).certainty() == Certainty::Exact;
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let most = values.iter().map(|value| value.gain.abs()).fold(0.0, f64::max);
        let lines = values.iter().zip(&names).enumerate().map(|(place, (value, name))| {
            let is_best = is_certain && place == 0;
            let (mark, ink) = if is_best { ("▸", Ink::Bold) } else { (" ", Ink::Plain) };
            let (bar, gain, about) = (bar(value.gain, most), chips(value.gain), about(value));
            let line = format!("{mark} {name:<width$}  {bar}  {gain:>8}{about}");
            Text::new().with(ink, line)
        });
        let why: Vec<String> = match is_certain {
            true => why((best, &names[0]), (next, &names[1])).collect(),
            false => vec![format!("{} may be best, but that is not certain.", names[0])],
        };
        [Text::plain("Coach:")]
            .into_iter()
            .chain(lines)
            .chain(why.into_iter().map(Text::plain))
            .collect()
    }

    /// Judges a decision: what it cost, in a sentence.
    pub(super) fn judge(
        &mut self,
        sheet: &TermSheet,
        (round, bettor, main): (&AnyRound, Bettor, Cents),
        act: Act,
        events: &[Event],
    ) -> Option<String> {
        let unseen = self.unseen(sheet, events, bettor.seat())?;
        let judgement = judge(sheet, round, bettor, act, &unseen).ok()??;
        let number = u32::try_from(self.decisions.len()).unwrap_or(u32::MAX);
        let main = cents(main);
        let decision = Decision { round: number, bettor, judgement, main };
        let certainty = decision.cost_and_range().certainty().in_words();
        let cost = chips(decision.cost());
        let (act, best) = (written(act), written(decision.best().act));
        let cost = format!("{certainty}{}", cost.trim_start_matches('+'));
        let sentence = match decision.grade() {
            Some(Grade::Best) => "Coach: that is the best.".to_owned(),
            Some(grade) => format!(
                "Coach: {act} costs {cost} on average, compared with {best} ({}).",
                grade.name()
            ),
            None if decision.judgement.chosen == 0 => {
                format!("Coach: {act} seems best, but that is not certain.")
            }
            None => format!("Coach: {act} costs {cost} on average, compared with {best}."),
        };
        self.decisions.push(decision);
        Some(sentence)
    }

    /// A round is over: the player remembers its cards.
    pub(super) fn remember(&mut self, sheet: &TermSheet, events: &[Event], seat: usize) {
        self.before = Some(self.unseen.unwrap_or_else(|| Unseen::full(sheet)));
        self.unseen = self.unseen(sheet, events, seat);
    }

    /// What the choices in a round that is over cost, and what was luck, in a sentence.
    pub(super) fn after_round(
        &mut self,
        sheet: &TermSheet,
        opening: &Opening,
        net: Cents,
    ) -> String {
        let known = self.known.get_or_insert_with(|| Expectations::new(sheet));
        let before = self.before.take().unwrap_or_else(|| Unseen::full(sheet));
        let expectation = known.of(opening, &before).unwrap_or(0.0);
        let decisions = self.decisions.split_off(self.earlier);
        let round = u32::try_from(self.earlier).unwrap_or(u32::MAX);
        let review = RoundReview { round, net, expectation, decisions, unvalued: 0 };
        let luck = chips(review.luck());
        let sentence = match (review.decisions.len(), chips(-review.play())) {
            (0, _) => format!("Coach: you had nothing to decide. Luck: {luck}."),
            (1, cost) if cost == NOTHING => {
                format!("Coach: your choice was the best. Luck: {luck}.")
            }
            (_, cost) if cost == NOTHING => {
                format!("Coach: all your choices were the best. Luck: {luck}.")
            }
            (_, cost) => format!(
                "Coach: your choices cost {} on average. Luck: {luck}.",
                cost.trim_start_matches('+')
            ),
        };
        self.decisions.extend(review.decisions);
        self.earlier = self.decisions.len();
        sentence
    }

    /// How the decisions were, in a sentence.
    pub(super) fn farewell(&self) -> Option<String> {
        let is_best = |one: &&Decision| one.grade() == Some(Grade::Best);
        let best = self.decisions.iter().filter(is_best).count();
        let cost: f64 = self.decisions.iter().map(Decision::cost).sum();
        let cost = chips(cost);
        let cost = cost.trim_start_matches('+');
        match self.decisions.len() {
            0 => None,
            1 if best == 1 => Some("Coach: your one decision was the best.".to_owned()),
            all if best == all => Some(format!("Coach: all {all} decisions were the best.")),
            all => Some(format!(
                "Coach: {best} of {all} decisions were the best; the rest cost {cost} in all."
            )),
        }
    }
}

/// Smaller differences are those of rounding, in cents.
const LEAST: f64 = 1e-9;

/// What rounds to no chips, as [`chips`] writes it.
const NOTHING: &str = "0.00";

/// A gain in chips, with its sign.
fn chips(cents: f64) -> String {
    let amount = grouped(&format!("{:+.2}", cents / 100.0));
    if amount.trim_start_matches(['+', '−']) == NOTHING { NOTHING.to_owned() } else { amount }
}

/// A gain to the right of the middle, a loss to the left; the longest takes one side.
fn bar(gain: f64, most: f64) -> String {
    let long = if most > 0.0 { columns(gain.abs() / most * BAR) } else { 0 };
    let blocks = "█".repeat(long.max(usize::from(gain.abs() > LEAST)));
    let side = columns(BAR);
    match gain < 0.0 {
        true => format!("{blocks:>side$}│{:side$}", ""),
        false => format!("{:side$}│{blocks:<side$}", ""),
    }
}

/// How often the hand wins, and whether the gain may be more.
fn about(value: &ActValue) -> String {
    let bound = if value.method == Method::Bound { " at least" } else { "" };
    let wins = value.prospects.map(|prospects| format!("  wins {} %", percent(prospects.win)));
    format!("{bound}{}", wins.unwrap_or_default())
}

/// Why the best act is better than the next one: what it gains and, where both play on with the same
/// wager, what it wins.
fn why(
    (best, name): (&ActValue, &str),
    (next, other): (&ActValue, &str),
) -> impl Iterator<Item = String> {
    let gained = best.gain - next.gain;
    if gained < LEAST {
        return [Some(format!("{name} and {other} are worth the same.")), None]
            .into_iter()
            .flatten();
    }
    // At least a value is at most a loss.
    let (least, most) = match best.method {
        Method::Bound => ("at least ", "at most "),
        _ => ("", ""),
    };
    let amount = |cents: f64| grouped(&format!("{:.2}", cents.abs() / 100.0));
    let gain = match best.gain < 0.0 {
        true => format!("it loses {most}{}, {} less", amount(best.gain), amount(gained)),
        false => format!("it wins {least}{}, {} more", amount(best.gain), amount(gained)),
    };
    let gain = format!("{name} is best: on average {gain} than {other}.");
    let same_wager = |value: &ActValue| matches!(value.act.call(), Call::Hit | Call::Stand);
    let both = best.prospects.zip(next.prospects);
    let both = both.filter(|_| same_wager(best) && same_wager(next));
    let odds = both.and_then(|(own, others)| in_percent((name, own), (other, others)));
    [Some(gain), odds].into_iter().flatten()
}

/// What an act wins more often than another, or loses less often.
fn in_percent(
    (name, own): (&str, Prospects),
    (other, others): (&str, Prospects),
) -> Option<String> {
    let differ = |one: f64, other: f64| percent(one) != percent(other);
    if own.win > others.win && differ(own.win, others.win) {
        let (win, less) = (percent(own.win), percent(others.win));
        return Some(format!("{name} wins {win} %, {other} only {less} %."));
    }
    let (lose, more) = (percent(own.lose), percent(others.lose));
    let loses = own.lose < others.lose && differ(own.lose, others.lose);
    loses.then(|| format!("{name} loses {lose} %, {other} {more} %."))
}

/// A chance as a whole number of percent; a small one is not called none, nor a great one certain.
fn percent(chance: f64) -> String {
    match format!("{:.0}", 100.0 * chance) {
        whole if whole == "0" && chance > 0.0 => "<1".to_owned(),
        whole if whole == "100" && chance < 1.0 => ">99".to_owned(),
        whole => whole,
    }
}

fn written(act: Act) -> String {
    match act {
        Act::With(call, amount) => format!("{} {amount}", call.name()),
        _ => act.call().name().to_owned(),
    }
}

#[allow(clippy::cast_precision_loss)]
fn cents(amount: Cents) -> f64 {
    amount.get() as f64
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn columns(number: f64) -> usize {
    number.round().clamp(0.0, BAR) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(call: Call, gain: f64, win: f64) -> ActValue {
        ActValue {
            act: Act::Call(call),
            gain,
            gain_exact: None,
            at_most: None,
            ceiling: gain,
            method: Method::Exact,
            prospects: Some(Prospects { win, push: 0.0, lose: 1.0 - win }),
        }
    }

    /// The best of two losses is the smaller one.
    #[test]
    fn the_best_act_loses_less_or_wins_more() {
        for (best, next, sentence) in [
            (-156.0, -272.0, "hit is best: on average it loses 1.56, 1.16 less than stand."),
            (50.0, -70.0, "hit is best: on average it wins 0.50, 1.20 more than stand."),
            (350.0, 300.0, "hit is best: on average it wins 3.50, 0.50 more than stand."),
        ] {
            let (best, next) = (value(Call::Hit, best, 0.42), value(Call::Stand, next, 0.36));
            let lines: Vec<String> = why((&best, "hit"), (&next, "stand")).collect();
            assert_eq!(lines, [sentence, "hit wins 42 %, stand only 36 %."]);
        }
        let same = value(Call::Hit, 100.0, 0.5);
        let lines: Vec<String> = why((&same, "hit"), (&same, "stand")).collect();
        assert_eq!(lines, ["hit and stand are worth the same."]);
        let bound = ActValue { method: Method::Bound, ..value(Call::Split, -100.0, 0.4) };
        let lines: Vec<String> =
            why((&bound, "split"), (&value(Call::Hit, -150.0, 0.4), "hit")).collect();
        assert_eq!(lines, ["split is best: on average it loses at most 1.00, 0.50 less than hit."]);
    }

    /// A loss goes to the left of zero, and half of the longest is half as long.
    #[test]
    fn bars_are_drawn_from_zero() {
        assert_eq!(bar(-400.0, 400.0), "██████████│          ");
        assert_eq!(bar(-200.0, 400.0), "     █████│          ");
        assert_eq!(bar(100.0, 200.0), "          │█████     ");
        assert_eq!(bar(0.0, 200.0), "          │          ");
        assert_eq!(bar(-1.0, 200.0), "         █│          ");
    }

    #[test]
    fn chances_are_not_called_certain() {
        assert_eq!([0.0, 0.004, 0.42, 0.996, 1.0].map(percent), ["0", "<1", "42", ">99", "100"]);
        assert_eq!(chips(-0.3), "0.00");
    }
}
