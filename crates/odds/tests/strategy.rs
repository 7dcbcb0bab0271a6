//! Charts as text, and laid out for quick lookup.

use odds::strategy::{Chart, Choice, Page, Row, shown_values};
use rules::card::Card;
use rules::games::blackjack::{Book, FreeBet, Hand, Points};
use rules::round::Call;
use rules::terms::TermSheet;
use rules::wager::Game;

/// A chart with something of everything.
fn chart(game: Game) -> Chart {
    let mut chart = Chart::new(game);
    let choices = ["H", "S", "DH", "DS", "RH", "RS", "DRH"].map(|word| word.parse().unwrap());
    let mut next = choices.iter().cycle();
    for &page in Page::of(game) {
        for row in page.tables().iter().flat_map(|table| table.rows()) {
            for up in shown_values() {
                let choice: Choice = *next.next().unwrap();
                let calls = matches!(row, Row::Pair(_)).then_some(Call::Split);
                let choice = Choice::of(calls.into_iter().chain(choice.iter()));
                chart.set(page, row, up, choice);
            }
        }
    }
    if game == Game::DoubleAttack {
        chart.attack[4] = true;
    }
    chart.even_money = true;
    chart
}

#[test]
fn a_chart_reads_as_it_prints() {
    for game in [Game::DoubleDeck, Game::DoubleAttack, Game::FreeBet] {
        let chart = chart(game);
        assert_eq!(chart.to_string().parse(), Ok(chart));
    }
    assert_eq!(Choice::STAND.to_string(), "S");
    assert_eq!(Choice::STAND, "S".parse().unwrap());
}

#[test]
fn a_refusal_names_the_line_and_what_was_expected() {
    let text = chart(Game::DoubleDeck).to_string();
    let refused = |text: &str| text.parse::<Chart>().unwrap_err().to_string();
    assert_eq!(
        refused("game casino-war"),
        "line 1: expected game double-deck, game double-attack or game free-bet"
    );
    assert_eq!(
        refused(&text.replace("even-money yes", "even-money perhaps")),
        "line 2: expected even-money yes or even-money no"
    );
    assert_eq!(
        refused(&text.replace("even-money yes", "attack 5")),
        "line 2: expected no attack: only double-attack has one"
    );
    assert_eq!(
        refused(&text.replacen("   H", "   Q", 1)),
        "line 5: expected letters of H, S, D, R in order of preference, not 'Q'"
    );
    assert_eq!(
        refused(&text.replacen("   H", "   P", 1)),
        "line 5: expected letters of H, S, D, R in order of preference, not 'P'"
    );
    assert_eq!(refused(&text.replacen("   H", "", 1)), "line 5: expected 10 choices, found 9");
    assert_eq!(refused(&text.replacen("\n19 ", "\n20 ", 1)), "line 6: expected the row 20 once");
    assert_eq!(
        refused(&text.replacen("\n19 ", "\n32 ", 1)),
        "line 6: expected a row of the table 'hard'"
    );
    assert_eq!(
        refused(&text.replace("soft ", "free soft ")),
        "line 23: expected a table such as 'hard 2 3 4 5 6 7 8 9 T A', not 'free soft'"
    );
    let cut: Vec<&str> = text.lines().take(5).collect();
    assert_eq!(refused(&cut.join("\n")), "line 6: expected a row 19 in the table 'hard'");
}

#[test]
fn a_compiled_chart_says_what_the_chart_says() {
    let chart = chart(Game::FreeBet);
    let (compiled, book) = (chart.compile(), FreeBet::read(&TermSheet::new(Game::FreeBet)));
    for one in Card::DECK {
        for other in Card::DECK {
            let hand = Hand::EMPTY.with(book, one).with(book, other);
            for up in Card::DECK {
                let pair = hand.is_pair().then(|| value_of(one));
                let row = Row::of(hand.points(), pair);
                for page in [Page::Paid, Page::Free] {
                    let choice = chart.choice(page, row, value_of(up));
                    assert_eq!(compiled.choice(page, &hand, up), choice, "{one} {other} {up}");
                }
            }
        }
    }
}

/// The place of a card's value: the ace is 0, the ten 9.
fn value_of(card: Card) -> usize {
    usize::from(Points::pips(card)) - 1
}
