//! What a table tells of itself to whoever comes: its options, circles, payouts, cards and signs.

use rules::card::Card;
use rules::games;
use rules::money::Odds;
use rules::round::{Place, Range};
use rules::shoe;
use rules::table::{Irregularity, Kind, Table, TableRefusal};
use rules::terms::TermSheet;
use rules::wager::{Circle, Game};
use wire::{
    AboutTable, AmountsView, CircleView, Coach, DecksView, KindView, OddsView, PayView, SignView,
    TermView,
};

/// What never changes at a table.
pub(crate) fn about(name: &str, table: &Table, coach: Coach) -> AboutTable {
    let sheet = table.sheet();
    let (game, opening) = (sheet.game(), games::opening(sheet));
    let term = |(term, value): (&'static rules::terms::Term, &str)| TermView {
        key: term.key.as_str().into(),
        value: value.to_owned(),
        meaning: term.meaning.as_str().into(),
    };
    let circle = |circle: Circle| {
        let amounts = opening.amounts(circle);
        Some(CircleView {
            circle: circle.name().into(),
            title: circle.title(game)?.into(),
            opening: amounts.map(|range| choice(range, circle == Circle::Main)),
        })
    };
    let pay = |pay: games::Pay| PayView {
        circle: pay.circle.name().into(),
        code: pay.code.into(),
        words: pay.what.replace('-', " "),
        brief: pay.brief.replace('-', " "),
        odds: odds_view(pay.odds),
        clause: pay.clause.into(),
    };
    AboutTable {
        house: String::new(),
        table: name.to_owned(),
        game: game.name().into(),
        title: game.title().into(),
        terms: sheet.entries().map(term).collect(),
        options: options(sheet),
        circles: Circle::ALL.into_iter().filter_map(circle).collect(),
        pays: games::pays(sheet).into_iter().map(pay).collect(),
        buy_in: choice(opening.buy_in(), true),
        signs: signs(table),
        decks: decks(sheet),
        coach,
    }
}

/// The house options that are not the default, as a link names them.
pub(crate) fn options(sheet: &TermSheet) -> String {
    let chosen: Vec<String> =
        sheet.chosen().map(|(term, value)| format!("{}={value}", term.key)).collect();
    chosen.join(" ")
}

/// The cards of a full shoe.
pub(crate) fn decks(sheet: &TermSheet) -> DecksView {
    let cards = shoe::deck(sheet.game()).map(|card| card.to_string()).collect();
    DecksView { cards, times: shoe::decks(sheet) }
}

fn signs(table: &Table) -> Vec<SignView> {
    let clause = TableRefusal::MidShoe.source(table.sheet().game()).id();
    let (code, words) = ("no-mid-shoe-entry".into(), "No mid-shoe entry".into());
    let barred = SignView { code, words, clause: clause.into() };
    table.bars_entry().then_some(barred).into_iter().collect()
}

/// What can go wrong in a game.
pub(crate) fn kinds(game: Game) -> Vec<KindView> {
    let kind = |kind: Kind| {
        let clause = kind.source(game)?.id();
        let card = Card::DECK[0];
        let can_name = |place, card| Irregularity::new(kind, place, card).is_some();
        let (place, card) = (Some(Place::hand(0, 0)), Some(card));
        Some(KindView {
            kind: kind.name().into(),
            words: kind.in_words().into(),
            clause: clause.into(),
            has_place: can_name(place, None) || can_name(place, card),
            has_card: can_name(None, card) || can_name(place, card),
        })
    };
    Kind::ALL.into_iter().filter_map(kind).collect()
}

pub(super) const fn odds_view(odds: Odds) -> OddsView {
    OddsView { pays: odds.pays(), to: odds.stake() }
}

/// The amounts one may choose from.
pub(super) fn choice(Range { least, most, step }: Range, required: bool) -> AmountsView {
    let [least, most, step] = [least, most, step].map(|chips| chips.to_string());
    AmountsView { least, most, step, required }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_tells_of_which_cards_its_shoe_is_made() {
        let cards = |game| {
            let decks = decks(&TermSheet::new(game));
            (decks.cards.len(), decks.times)
        };
        assert_eq!(cards(Game::CasinoWar), (52, 6));
        assert_eq!(cards(Game::DoubleDownStud), (52, 1));
        // There is no ten in it (DAB-2-a).
        assert_eq!(cards(Game::DoubleAttack), (48, 8));
    }

    #[test]
    fn a_table_that_bars_entry_says_so_on_a_sign() {
        let signs = |game, terms: &[(&str, &str)]| {
            let mut sheet = TermSheet::new(game);
            sheet.set(terms.iter().copied()).unwrap();
            let about = about("a", &Table::new(sheet), Coach::Off);
            about.signs.iter().map(|sign| sign.clause.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(signs(Game::DoubleDeck, &[]), ["DDB-P22"]);
        assert_eq!(signs(Game::FreeBet, &[]), [""; 0]);
        assert_eq!(signs(Game::FreeBet, &[("mid_shoe_entry", "barred")]), ["FBB-5-b"]);
        assert_eq!(signs(Game::DoubleAttack, &[("mid_shoe_entry", "barred")]), ["DAB-5-h"]);
    }
}
