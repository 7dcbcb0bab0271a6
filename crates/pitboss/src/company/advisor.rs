//! What a house player does: the chart of its table, or the best act where a game has no chart.

use ::odds::Valuation;
use ::odds::position::Position;
use ::odds::strategy::{Chart, Page, Row};
use rules::card::Card;
use rules::games::blackjack::Points;
use rules::round::Call;
use rules::terms::TermSheet;
use rules::wager::{Circle, Game};
use wire::WagerView;

/// What is done where nothing better is known: it adds no money (G-06).
const CALM: [Call; 3] = [Call::Stand, Call::Pass, Call::Surrender];

/// What a house player sees of its decision.
pub(crate) struct Sight<'a> {
    /// The dealer's cards, or those that all players share.
    pub(crate) dealer: &'a [String],
    /// The own hands.
    pub(crate) hands: &'a [Vec<String>],
    /// The hand that is played, counted from 1.
    pub(crate) playing: Option<usize>,
    /// What lies on the layout.
    pub(crate) wagers: &'a [WagerView],
}

/// Says what to do at a table of some terms.
pub(crate) struct Advisor {
    sheet: TermSheet,
    /// The printable chart, in a blackjack.
    chart: Option<Chart>,
}

impl Advisor {
    /// Works the chart out, which takes a while.
    pub(crate) fn new(sheet: TermSheet) -> Advisor {
        let chart = Valuation::new(sheet.clone()).ok().and_then(|table| table.chart());
        Advisor { sheet, chart }
    }

    /// The call to make, of those that are open.
    pub(crate) fn call(&self, sight: &Sight<'_>, open: &[Call]) -> Option<Call> {
        let wanted = match &self.chart {
            Some(chart) => by_chart(chart, sight, open),
            None => self.by_value(sight, open),
        };
        let is_open = |call: &Call| open.contains(call);
        wanted.filter(is_open).or_else(|| CALM.into_iter().find(is_open)).or(open.first().copied())
    }

    /// The act that is worth most with the cards in sight.
    fn by_value(&self, sight: &Sight<'_>, open: &[Call]) -> Option<Call> {
        let mut wagers = sight.wagers.iter();
        let main = wagers.find(|wager| wager.circle == Circle::Main.name())?;
        let own = sight.hands.first()?.join(" ");
        let dealer: Vec<String> = cards(sight.dealer).map(|card| card.to_string()).collect();
        let text = format!("main {}; {own}; dealer {}", main.amount, dealer.join(" "));
        let values = Position::read(&self.sheet, &text).ok()?.values().ok()?;
        let values = values.iter().filter(|value| open.contains(&value.act.call()));
        let best = values.max_by(|one, other| one.gain.total_cmp(&other.gain))?;
        Some(best.act.call())
    }
}

/// What a chart says.
fn by_chart(chart: &Chart, sight: &Sight<'_>, open: &[Call]) -> Option<Call> {
    let up = cards(sight.dealer).next()?;
    let value = |card: Card| usize::from(Points::pips(card)).saturating_sub(1);
    if open.contains(&Call::Attack) {
        return Some(if chart.attack[value(up)] { Call::Attack } else { Call::Pass });
    }
    if open.contains(&Call::EvenMoney) && chart.even_money {
        return Some(Call::EvenMoney);
    }
    let number = sight.playing?;
    let hand: Vec<Card> = cards(sight.hands.get(number.checked_sub(1)?)?).collect();
    let on_hand = || sight.wagers.iter().filter(|wager| wager.hand == number);
    let has = |circle: Circle| on_hand().any(|wager| wager.circle == circle.name());
    let page = match chart.game() {
        Game::FreeBet
            if on_hand().any(|wager| wager.circle == Circle::Main.name() && wager.free) =>
        {
            Page::Free
        }
        Game::DoubleAttack if has(Circle::Double) => Page::Doubled,
        Game::DoubleAttack if number > 1 => Page::Split,
        _ => Page::Paid,
    };
    let pair = hand.first().filter(|_| open.contains(&Call::Split)).map(|card| value(*card));
    let row = Row::of(Points::of(&hand), pair);
    Some(chart.choice(page, row, value(up)).first_that(|call| open.contains(&call)))
}

/// The cards that are open.
fn cards(words: &[String]) -> impl Iterator<Item = Card> {
    words.iter().filter_map(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is called for with one hand against the dealer's cards, of some calls.
    fn called(advisor: &Advisor, hand: &str, dealer: &str, open: &[Call]) -> Call {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let circle = Circle::Main.name().into();
        let wager = WagerView { hand: 1, circle, amount: "10".to_owned(), free: false };
        let (dealer, hands) = (&words(dealer)[..], &[words(hand)][..]);
        let sight = Sight { dealer, hands, playing: Some(1), wagers: &[wager] };
        advisor.call(&sight, open).unwrap()
    }

    #[test]
    fn a_tie_goes_to_war_and_three_of_a_kind_is_doubled() {
        let war = Advisor::new(TermSheet::new(Game::CasinoWar));
        // To surrender costs half of the wager, and a war less than a third.
        assert_eq!(called(&war, "9s", "9d", &[Call::Surrender, Call::War]), Call::War);
        let stud = Advisor::new(TermSheet::new(Game::DoubleDownStud));
        let open = [Call::Double, Call::Pass];
        assert_eq!(called(&stud, "Kc", "?? Kd Kh 3s", &open), Call::Double);
        // Nothing better than a pair can come of it.
        assert_eq!(called(&stud, "Jc", "?? 7d 4h 2s", &open), Call::Pass);
    }

    #[test]
    fn a_blackjack_is_played_by_its_chart() {
        let deck = Advisor::new(TermSheet::new(Game::DoubleDeck));
        let open = [Call::Stand, Call::Hit, Call::Double, Call::Split];
        for (hand, dealer, open, wanted) in [
            ("8s 8h", "Ts ??", &open[..], Call::Split),
            ("5s 6h", "6s ??", &open[..3], Call::Double),
            // What is not open is not called for.
            ("5s 6h", "6s ??", &open[..2], Call::Hit),
            ("Ts 6h", "6s ??", &open[..3], Call::Stand),
            ("Ts 6h", "9s ??", &open[..3], Call::Hit),
            ("As 7h", "6s ??", &open[..2], Call::Stand),
            ("Ts 9h", "As ??", &[Call::Insure, Call::Pass][..], Call::Pass),
        ] {
            assert_eq!(called(&deck, hand, dealer, open), wanted, "{hand} against {dealer}");
        }
    }

    #[test]
    fn a_weak_up_card_is_attacked_and_a_strong_one_is_not() {
        let attack = Advisor::new(TermSheet::new(Game::DoubleAttack));
        let open = [Call::Attack, Call::Pass];
        assert_eq!(called(&attack, "", "6s", &open), Call::Attack);
        assert_eq!(called(&attack, "", "As", &open), Call::Pass);
    }
}
