//! A player's own rounds, as that player saw them: what is told to whoever says what decisions cost.

use rules::card::Card;
use rules::games::AnyRound;
use rules::money::Cents;
use rules::round::{Act, Event, Record, Round, Statement};
use rules::table::{Name, Table, TableEvent};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle};

use super::Position;
use super::seen::{SeenCards, places};

/// A round that is over, and a player's part in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnRound {
    /// The house options of the table.
    pub sheet: TermSheet,
    /// The round, counted from 1.
    pub round: u32,
    /// The opening wagers at each of the player's places.
    pub openings: Vec<(Bettor, Vec<(Circle, Cents)>)>,
    /// The progressive meter when bets closed.
    pub meter: Option<Cents>,
    /// How many progressive wagers there were in all.
    pub progressives: usize,
    /// What the player had seen of the shoe before, in the order of a deck.
    pub seen: Vec<Card>,
    /// What the player decided, in order.
    pub decisions: Vec<OwnDecision>,
    /// What the player won or lost.
    pub net: Cents,
}

/// A decision that a player made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnDecision {
    /// The entry of the log.
    pub seq: u64,
    /// What the player knew.
    pub position: Position,
    /// What was chosen, or what the clock chose.
    pub act: Act,
}

/// Follows a table through its log, and collects the rounds of one player.
#[derive(Clone, Debug)]
pub struct OwnRounds {
    /// Under which names the player may be seated: a guest who made an account has two.
    names: Vec<String>,
    seen: SeenCards,
    round: Option<(OwnRound, Statement)>,
}

impl OwnRounds {
    /// Those of the player of this name.
    pub fn of(player: &str) -> OwnRounds {
        OwnRounds::of_any(vec![player.to_owned()])
    }

    /// Those of a player with several names, one after the other.
    pub fn of_any(names: Vec<String>) -> OwnRounds {
        OwnRounds { names, seen: SeenCards::default(), round: None }
    }

    /// Takes what an entry of the log did at the table, and tells the rounds that are over with it: one
    /// at most.
    pub fn follow(
        &mut self,
        seq: u64,
        before: &Table,
        events: &[TableEvent],
        after: &Table,
    ) -> Option<OwnRound> {
        let mut asked = before.round().copied();
        let mut over = None;
        for event in events {
            match event {
                TableEvent::BetsClosed => self.begin(before),
                TableEvent::Round(event) => {
                    if let (Event::Acted(bettor, act), Some(round)) = (event, &mut asked) {
                        self.decide(seq, before, round, (*bettor, *act));
                        // Several may be answered at once when time runs out.
                        let _ = round.act(*bettor, *act, &mut ());
                    }
                    if let Some((_, statement)) = &mut self.round {
                        statement.note(*event);
                    }
                }
                TableEvent::Settled => over = self.finish(after.rounds_played()),
                _ => {}
            }
        }
        self.seen.follow(events, after);
        over
    }

    fn is_own(&self, player: &Name) -> bool {
        self.names.iter().any(|name| name == player.as_str())
    }

    fn begin(&mut self, table: &Table) {
        let in_round = || table.everyone().filter(|(_, chair)| !chair.wager.is_empty());
        let is_progressive = |(circle, amount): &(Circle, Cents)| {
            *circle == Circle::Progressive && *amount > Cents::ZERO
        };
        let progressives = in_round().filter(|(_, chair)| chair.wager.iter().any(is_progressive));
        let own = || in_round().filter(|(_, chair)| self.is_own(&chair.player));
        let seen = own().next().map(|(_, chair)| self.seen.before_round(&chair.player));
        let openings: Vec<_> = own().map(|(bettor, chair)| (bettor, chair.wager.clone())).collect();
        let round = OwnRound {
            sheet: table.sheet().clone(),
            round: 0,
            openings,
            meter: table.meter(),
            progressives: progressives.count(),
            seen: seen.unwrap_or_default(),
            decisions: Vec::new(),
            net: Cents::ZERO,
        };
        self.round = (!round.openings.is_empty()).then(|| (round, Statement::default()));
    }

    fn decide(&mut self, seq: u64, table: &Table, asked: &AnyRound, (bettor, act): (Bettor, Act)) {
        let player =
            table.everyone().find(|(at, chair)| *at == bettor && self.is_own(&chair.player));
        let Some((round, _)) = &mut self.round else { return };
        let Some((_, chair)) =
            player.filter(|_| round.openings.iter().any(|(at, _)| *at == bettor))
        else {
            return;
        };
        let seats: Vec<usize> =
            places(table, &chair.player).iter().map(|bettor| bettor.seat()).collect();
        let position = Position {
            sheet: table.sheet().clone(),
            round: asked.seen_from(&seats),
            bettor,
            seen: self.seen.by(&chair.player, &seats),
        };
        round.decisions.push(OwnDecision { seq, position, act });
    }

    fn finish(&mut self, number: u32) -> Option<OwnRound> {
        let (mut round, statement) = self.round.take()?;
        round.round = number;
        round.net = round.openings.iter().map(|(bettor, _)| statement.net(*bettor)).sum();
        Some(round)
    }
}
