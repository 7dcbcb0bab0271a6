//! What the books say apart from rounds: clauses, what refusals rest on, house options.

use rules::clause;
use rules::money::Cents;
use rules::refusal::{Parameter, Refusal, Source};
use rules::round::Call;
use rules::terms::{self, TermSheet};
use rules::wager::Game;

/// Every id is a clause, a ruling or a term that there is, and is named once in a citation.
#[test]
fn citations_name_what_there_is() {
    for game in Game::ALL {
        for citation in game.book().citations() {
            let mut seen = Vec::new();
            for source in [citation.source()].into_iter().chain(citation.see_also()) {
                let known = match source {
                    Source::Clause(id) => clause::find(id).is_some(),
                    Source::Ruling(id) => clause::find_ruling(id).is_some(),
                    Source::HouseOption(key) => terms::of(game).any(|term| term.key == key),
                };
                assert!(known, "{game} {}: {source}", citation.code);
                assert!(!seen.contains(&source), "{game} {}: {source} twice", citation.code);
                seen.push(source);
            }
        }
    }
}

#[test]
fn a_book_has_its_own_clauses() {
    for game in Game::ALL {
        let of_game = clause::all().iter().filter(|clause| clause.game == game);
        assert!(of_game.clone().count() > 0);
        for clause in of_game {
            assert_eq!(clause.id.split('-').next(), Some(game.book().prefix));
        }
    }
}
#[test]
fn every_clause_stands_in_a_section() {
    for clause in clause::all() {
        assert_ne!(clause.section(), "", "{}", clause.id);
    }
    let title = |id: &str| clause::find(id).unwrap().section();
    assert_eq!(title("CW-1-war"), "Definitions");
    assert_eq!(title("CW-11-a"), "The progressive");
    assert_eq!(title("DDB-P12"), "The printed rules");
}

#[test]
fn a_refusal_has_a_code_parameters_and_a_sentence() {
    let refusal = Refusal::AboveRack { left: Cents::new(750) };
    assert_eq!(refusal.code(), "above-rack");
    assert_eq!(refusal.parameters(), [("left", Parameter::Amount(Cents::new(750)))]);
    assert_eq!(refusal.in_words(Game::CasinoWar), "the rack has only 7.50 left (G-07)");
    let foreign = Refusal::CallForeign { call: Call::Hit };
    assert_eq!(foreign.parameters(), [("call", Parameter::Word("hit".to_owned()))]);
    assert!(foreign.rests_on(Game::CasinoWar, "CW-8-c"));
    assert!(foreign.rests_on(Game::CasinoWar, "CW-1-round") && foreign.code() == "call-foreign");
    assert!(!foreign.rests_on(Game::CasinoWar, "CW-8-d"));
}

#[test]
fn the_form_of_an_id_tells_what_it_is() {
    assert_eq!(Source::of("CW-8-c"), Source::Clause("CW-8-c"));
    assert_eq!(Source::of("DDB-P12"), Source::Clause("DDB-P12"));
    assert_eq!(Source::of("DDB-R12"), Source::Ruling("DDB-R12"));
    assert_eq!(Source::of("G-07"), Source::Ruling("G-07"));
    assert_eq!(Source::of("side_max"), Source::HouseOption("side_max"));
}
fn refused(game: Game, choices: &[(&str, &str)]) -> String {
    TermSheet::new(game).set(choices.iter().copied()).unwrap_err().to_string()
}

#[test]
fn a_refused_term_says_what_was_expected_and_who_says_so() {
    for (game, key, value, sentence) in [
        (
            Game::CasinoWar,
            "decks",
            "5",
            "decks=5 is not allowed; expected 6, 7 or 8 (CW-2-a CW-2-d CW-R08)",
        ),
        (
            Game::CasinoWar,
            "decks",
            "five",
            "decks=five cannot be read; expected 6, 7 or 8 (CW-2-a CW-2-d CW-R08)",
        ),
        (
            Game::FreeBet,
            "push22_paytable",
            "C",
            "push22_paytable=C is not allowed; expected A or B (FBB-10-c FBB-R16)",
        ),
        (
            Game::CasinoWar,
            "main_min",
            "10000000.01",
            "main_min=10000000.01 is not allowed; expected 0.01 to 10000000 (G-07)",
        ),
        (
            Game::CasinoWar,
            "main_min",
            "6000",
            "main_min=6000 is not allowed; expected not more than main_max, 5000 (G-07)",
        ),
        (
            Game::CasinoWar,
            "main_max",
            "3",
            "main_max=3 is not allowed; expected not less than main_min, 5 (G-07)",
        ),
    ] {
        assert_eq!(refused(game, &[(key, value)]), sentence);
    }
    assert!(refused(Game::CasinoWar, &[("size", "6")]).starts_with("casino-war has no term"));
}

#[test]
fn a_sheet_knows_what_the_house_has_chosen() {
    let mut sheet = TermSheet::new(Game::CasinoWar);
    assert_eq!(sheet.chosen().count(), 0);
    sheet.set([("decks", "8"), ("main_min", "5.00")]).unwrap();
    let chosen: Vec<_> = sheet.chosen().map(|(term, value)| (&*term.key, value)).collect();
    assert_eq!(chosen, [("decks", "8")]);
    assert_eq!(sheet.number("decks"), Some(8));
}
