//! What the money that an input moves comes to for each player.

use rules::money::Cents;
use rules::table::{Account, Input, Name, Table, Transfer};

/// What a round has come to for somebody, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gain {
    /// Who.
    pub person: Name,
    /// The round at the table.
    pub round: u32,
    /// Won; below zero, lost or staked.
    pub gain: Cents,
}

/// What everyone wins or loses by an input: chips that are bought and changed back are none of it.
pub fn of(input: &Input, moved: &[Transfer], before: &Table, after: &Table) -> Vec<Gain> {
    let round = match input {
        Input::Correct { round, .. } => *round,
        _ => before.rounds_played() + 1,
    };
    let whose = |account: &Account| match account {
        Account::Player(name) => Some(name.clone()),
        Account::Rack(bettor) => {
            let chair = before.chair(*bettor).or_else(|| after.chair(*bettor));
            chair.map(|chair| chair.player.clone())
        }
        _ => None,
    };
    let mut gains: Vec<Gain> = Vec::new();
    for Transfer { from, to, amount } in moved {
        let (person, gain) = match (whose(from), whose(to)) {
            (Some(person), None) => (person, -*amount),
            (None, Some(person)) => (person, *amount),
            _ => continue,
        };
        match gains.iter_mut().find(|gain| gain.person == person) {
            Some(before) => before.gain += gain,
            None => gains.push(Gain { person, round, gain }),
        }
    }
    gains.retain(|gain| gain.gain != Cents::ZERO);
    gains
}

#[cfg(test)]
mod tests {
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;

    #[test]
    fn stakes_are_lost_until_they_are_back_and_chips_are_no_gain() {
        let mut table = Table::new(TermSheet::new(Game::CasinoWar));
        table.apply(&"sit 3 ann".parse().unwrap(), &mut Vec::new()).unwrap();
        table.apply(&"sit 4 bob".parse().unwrap(), &mut Vec::new()).unwrap();
        let gains = |input: &str, moved: &[(&str, &str, i64)]| {
            let transfer = |&(from, to, amount): &(&str, &str, i64)| Transfer {
                from: from.parse().unwrap(),
                to: to.parse().unwrap(),
                amount: Cents::new(amount),
            };
            let moved: Vec<_> = moved.iter().map(transfer).collect();
            let gains = of(&input.parse().unwrap(), &moved, &table, &table);
            let told = |gain: Gain| format!("{} {} {}", gain.person, gain.round, gain.gain.get());
            gains.into_iter().map(told).collect::<Vec<_>>()
        };
        let buys = [("player:ann", "rack:3", 500), ("rack:4", "player:bob", 300)];
        assert!(gains("buy-in 3 5", &buys).is_empty());
        let staked = [("rack:3", "escrow", 500), ("rack:4", "escrow", 100)];
        assert_eq!(gains("deal", &staked), ["ann 1 -500", "bob 1 -100"]);
        let won = [("escrow", "rack:3", 500), ("house", "rack:3", 500), ("escrow", "house", 100)];
        assert_eq!(gains("deal", &won), ["ann 1 1000"]);
        let put_right = "correct 7 5 from house to player:eve by max because it was 20";
        assert_eq!(gains(put_right, &[("house", "player:eve", 500)]), ["eve 7 500"]);
    }
}
