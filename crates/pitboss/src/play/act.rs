//! Decisions as they are typed: a key or a word, with an amount where one belongs.

use rules::games::AnyRound;
use rules::money::Cents;
use rules::offer::{self, AddedStake, added_stake};
use rules::refusal::Refusal;
use rules::round::{Act, Amounts, Call, Calls, Round};
use rules::wager::{Bettor, Game};

/// The call's letter, and the word with the letter in brackets.
const fn key(call: Call) -> (&'static str, &'static str) {
    match call {
        Call::Hit => ("h", "[h]it"),
        Call::Stand => ("s", "[s]tand"),
        Call::Double => ("d", "[d]ouble"),
        // Splitting and passing are open together only to bettors behind, and nobody bets behind here.
        Call::Split => ("p", "s[p]lit"),
        Call::Pass => ("p", "[p]ass"),
        Call::Surrender => ("u", "s[u]rrender"),
        Call::War => ("w", "[w]ar"),
        Call::Attack => ("a", "[a]ttack"),
        Call::Insure => ("i", "[i]nsure"),
        Call::EvenMoney => ("e", "[e]ven money"),
    }
}

/// The word of a call, with its letter in brackets.
pub(crate) fn in_brackets(call: Call) -> &'static str {
    key(call).1
}

/// Reads a decision; whether it is open is for the rules to say.
pub(crate) fn read(words: &[String], open: Calls, game: Game) -> Result<Act, String> {
    let call = words.first().and_then(|word| call_said(word, open, game));
    let Some(call) = call else { return Err(expected(open)) };
    match words {
        [_] => Ok(Act::Call(call)),
        [_, amount] => match amount.parse::<Cents>() {
            Ok(amount) => Ok(Act::With(call, amount)),
            Err(not) => Err(format!("Expected an amount after {call}: {not}.")),
        },
        _ => Err(expected(open)),
    }
}

/// What can be typed at every prompt.
pub(crate) const HELP: [&str; 2] = ["[?] help", "[q]uit"];

/// What is open, with keys and amounts.
pub(crate) fn offered(round: &AnyRound, bettor: Bettor) -> Vec<String> {
    let calls = round.offers(bettor).iter().map(|call| offered_call(round, bettor, call));
    calls.chain(HELP.map(str::to_owned)).collect()
}

fn offered_call(round: &AnyRound, bettor: Bettor, call: Call) -> String {
    let word = key(call).1;
    let added = added_stake(round, bettor, call);
    match (round.amounts(bettor, call), added) {
        (Amounts::Required(range), _) if range.least < range.most => {
            format!("{word} up to {}", range.most)
        }
        (Amounts::Required(range), _) => format!("{word} {}", range.most),
        (Amounts::Optional(range), AddedStake::Chips(chips)) if !range.is_empty() => {
            let side = format!("{} AMOUNT: also bets on another tie", key(call).0);
            format!("{word} {chips} ({side})")
        }
        (_, AddedStake::Chips(chips)) => format!("{word} {chips}"),
        (_, AddedStake::Lammer) => format!("{word} FREE"),
        (_, AddedStake::Nothing) if call == Call::Surrender => format!("{word} half"),
        (_, AddedStake::Nothing) => word.to_owned(),
    }
}

/// Whether the house pays for a call.
pub(crate) fn is_free(round: &AnyRound, bettor: Bettor, call: Call) -> bool {
    matches!(added_stake(round, bettor, call), AddedStake::Lammer)
}

/// How an amount goes with a call, where one can be chosen.
pub(crate) fn with_amount(round: &AnyRound, bettor: Bettor, call: Call) -> Option<String> {
    let is_open = match round.amounts(bettor, call) {
        Amounts::Required(range) => range.least < range.most,
        Amounts::Optional(range) => !range.is_empty(),
        Amounts::None | Amounts::Hand(_) => false,
    };
    is_open.then(|| format!("{} AMOUNT", key(call).0))
}

/// Why each usual call that is not open is refused, in a sentence with its source.
pub(crate) fn closed(round: &AnyRound, bettor: Bettor) -> Vec<(Call, String)> {
    let in_words = |(call, refusal): (Call, Refusal)| (call, refusal.in_words(round.game()));
    offer::closed(round, bettor).map(in_words).collect()
}

/// An open call by its key or the beginning of its word, else any usual one.
fn call_said(word: &str, open: Calls, game: Game) -> Option<Call> {
    let word = if matches!(word, "n" | "no") && open.contains(Call::Pass) { "pass" } else { word };
    let is_key = |call: &Call| key(*call).0 == word;
    let begins = |call: &Call| !word.is_empty() && call.name().starts_with(word);
    let known = || game.book().calls.iter().copied();
    open.iter()
        .find(is_key)
        .or_else(|| open.iter().find(begins))
        .or_else(|| known().find(is_key))
        .or_else(|| known().find(begins))
        .or_else(|| Call::named(word))
}

fn expected(open: Calls) -> String {
    let words: Vec<_> = open.iter().map(|call| key(call).1).collect();
    format!("Expected {}; type ? for help, q to leave.", words.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str, open: &[Call], game: Game) -> Result<Act, String> {
        let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
        read(&words, Calls::of(open), game)
    }

    #[test]
    fn keys_words_and_beginnings() {
        use Call::{Double, Hit, Insure, Pass, Split, Stand, Surrender, War};
        let play = [Hit, Stand, Double, Split, Surrender];
        for (line, call) in
            [("h", Hit), ("s", Stand), ("stand", Stand), ("p", Split), ("su", Surrender)]
        {
            assert_eq!(said(line, &play, Game::DoubleAttack), Ok(Act::Call(call)), "{line}");
        }
        let five = Cents::new(500);
        assert_eq!(said("d 5", &play, Game::FreeBet), Ok(Act::With(Double, five)));
        assert_eq!(said("no", &[Insure, Pass], Game::FreeBet), Ok(Act::Call(Pass)));
        assert_eq!(said("p", &[Insure, Pass], Game::FreeBet), Ok(Act::Call(Pass)));
        assert_eq!(said("s", &[Surrender, War], Game::CasinoWar), Ok(Act::Call(Surrender)));
        // What is closed is still understood, so that the rules can say why.
        assert_eq!(said("p", &[Hit, Stand], Game::DoubleDeck), Ok(Act::Call(Split)));
        assert_eq!(said("war", &[Hit, Stand], Game::DoubleDeck), Ok(Act::Call(War)));
    }

    #[test]
    fn what_is_no_decision_gets_a_sentence() {
        for line in ["x", "", "h 5 5", "10"] {
            let sentence = said(line, &[Call::Hit, Call::Stand], Game::FreeBet).unwrap_err();
            assert_eq!(
                sentence, "Expected [h]it or [s]tand; type ? for help, q to leave.",
                "{line}"
            );
        }
        assert!(said("d five", &[Call::Double], Game::FreeBet).unwrap_err().contains("7.50"));
    }
}
