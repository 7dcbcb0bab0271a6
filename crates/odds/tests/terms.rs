//! Every term of the book, and combinations of them: whatever a house chooses is valued or refused.

use odds::Valuation;
use odds::game::Expectation;
use odds::simulate::Wyrand;
use rules::shoe::below;
use rules::terms::{self, Term, TermSheet};
use rules::wager::{Circle, Game};

/// Values to try for a term: the words and numbers it lists, the ends of a range, the bound and one
/// more.
fn values(term: &Term) -> Vec<String> {
    let ends = |part: &str| match (part.split_once(".."), part.strip_prefix(">=")) {
        (Some((least, most)), _) => vec![least.to_owned(), most.to_owned()],
        (None, Some(least)) => {
            let more = least.parse::<u32>().map(|least| (least + 1).to_string());
            std::iter::once(least.to_owned()).chain(more).collect()
        }
        (None, None) => vec![part.to_owned()],
    };
    term.values.split('|').flat_map(ends).collect()
}

/// Values a table, or shows that it is refused in one sentence.
fn check(sheet: &TermSheet) -> bool {
    let words: Vec<String> = sheet.chosen().map(|(t, v)| format!("{}={v}", t.key)).collect();
    let chosen = format!("{} {}", sheet.game(), words.join(" "));
    let valued = match Valuation::new(sheet.clone()) {
        Ok(valued) => valued,
        Err(refused) => {
            assert_eq!(refused.to_string().lines().count(), 1, "{chosen}");
            return false;
        }
    };
    let all = valued.expectations();
    assert!(!all.is_empty(), "{chosen}");
    for found in &all {
        // Even who always doubles loses no more.
        assert!(found.ev.is_finite() && found.ev >= -1.5, "{chosen}: {} {}", found.wager, found.ev);
    }
    let ev = |policy: &str| {
        let of = |found: &&Expectation| {
            (found.wager.bet, found.wager.policy.as_str()) == (Circle::Main, policy)
        };
        all.iter().find(of).map(|found| found.ev)
    };
    if let (Some(best), Some(basic)) = (ev("best"), ev("basic")) {
        // A stud house may set its payouts so high that it loses, but no blackjack gives much away,
        // except where half of the wager is half a cent, which surrender returns as a whole one.
        let is_a_cent = words.iter().any(|word| word == "main_max=0.01");
        let most = if sheet.game() == Game::DoubleDownStud || is_a_cent { 1.0 } else { 0.1 };
        assert!(best >= basic - 1e-12 && best < most, "{chosen}: best {best}, basic {basic}");
    }
    true
}

/// One term at a time.
#[test]
fn every_value_of_every_term_is_valued() {
    let mut valued = 0;
    for game in Game::ALL {
        let mut known: Vec<String> = Vec::new();
        for term in terms::of(game).filter(|term| term.scope == "round" || term.key == "decks") {
            for value in values(term) {
                let mut sheet = TermSheet::new(game);
                let refused = sheet.set([(term.key.as_str(), value.as_str())]).is_err();
                let words: String =
                    sheet.chosen().map(|(t, v)| format!("{}={v} ", t.key)).collect();
                if refused || known.contains(&words) {
                    continue;
                }
                assert!(check(&sheet), "{game} {words}is refused");
                known.push(words);
                valued += 1;
            }
        }
    }
    assert!(valued > 40, "{valued}");
}

/// Rounds with a split are simulated with a wager of the table, whatever that is.
#[test]
fn tables_of_unusual_wagers_are_valued_in_full() {
    let tables: [&[(&str, &str)]; 3] =
        [&[("main_min", "25")], &[("chip_unit", "3")], &[("main_min", "7"), ("main_max", "7")]];
    for choices in tables {
        for game in [Game::DoubleDeck, Game::DoubleAttack, Game::FreeBet] {
            let mut sheet = TermSheet::new(game);
            sheet.set(choices.iter().copied()).unwrap();
            let bets = Valuation::new(sheet).unwrap().bets();
            let main = bets.iter().find(|value| value.bet == Circle::Main).unwrap();
            let sum: f64 = main.outcomes.iter().map(|outcome| outcome.probability).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{game} {choices:?}: {sum}");
        }
    }
}

/// All terms at once, chosen by chance.
#[test]
fn any_combination_of_terms_is_valued() {
    let mut numbers = Wyrand::of(7, 0);
    for game in Game::ALL {
        let mut valued = 0;
        for _ in 0..12 {
            let mut sheet = TermSheet::new(game);
            for term in terms::of(game) {
                let values = values(term);
                let at = below(u32::try_from(values.len()).unwrap(), &mut numbers);
                // What does not go with the choices before it is refused, and stays as it was.
                let mut with = sheet.clone();
                if with.set([(term.key.as_str(), values[at as usize].as_str())]).is_ok() {
                    sheet = with;
                }
            }
            valued += u32::from(check(&sheet));
        }
        assert!(valued > 0, "{game}: every table was refused");
    }
}
