//! A client's command as an input of a table. Whether it may be done there, the table decides.

use audit::custody::Custody;
use rules::card::Card;
use rules::games::blackjack::MOST_HANDS;
use rules::money::{AmountError, Cents};
use rules::round::{Act, Awaits, Call, Place};
use rules::table::{
    Account, Choice, Cutter, Decks, Input, Irregularity, Kind, Name, Order, Report, Reporter, Seal,
    Table, TableAwaits, Transfer, WrittenReason,
};
use rules::wager::{Bettor, Circle, MOST_BETTORS, MOST_SEATS};
use wire::{DealerCommand, OnCircle, Party, PlayerCommand, Refusal, SupervisorCommand};

use super::refusals::{by_clause, not_a_supervisor, not_seated, unreadable};
use crate::people::{Person, Role};

/// A command at a table, by who may say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableCommand {
    Player(PlayerCommand),
    Dealer(DealerCommand),
    Supervisor(SupervisorCommand),
}

impl TableCommand {
    /// All that the command asks for, in one line: an id is good for one line only.
    pub(crate) fn in_one_line(&self, table: &str) -> String {
        let line = match self {
            TableCommand::Player(command) => serde_json::to_string(&(table, command)),
            TableCommand::Dealer(command) => serde_json::to_string(&(table, "dealer", command)),
            TableCommand::Supervisor(command) => {
                serde_json::to_string(&(table, "supervisor", command))
            }
        };
        line.expect("a command is plain JSON")
    }
}

/// What a player's command means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// An input of the table.
    Input(Input),
    /// No further wager comes.
    Ready,
    /// Somebody asks to bet on a box, counted from 1.
    Ask { seat: usize },
    /// Somebody commits to bytes for the order, or adds nothing.
    Commit { commitment: Option<Seal> },
    /// Somebody opens that commitment.
    Open { bytes: Seal },
    /// Somebody wants so many house players at the table.
    Company { players: usize },
    /// Whoever is asked names the cut of a sealed order.
    NameCut { bettor: Bettor, at: usize },
}

/// The places of somebody at a table, from the dealer's far left.
pub(crate) fn places(table: &Table, player: &Name) -> Vec<Bettor> {
    let own = table.everyone().filter(|(_, chair)| chair.player == *player);
    own.map(|(bettor, _)| bettor).collect()
}

/// What a player's command means.
pub(crate) fn by_player(
    table: &Table,
    custody: &Custody,
    who: &Person,
    command: PlayerCommand,
) -> Result<Meaning, Refusal> {
    let player = Commander { table, places: places(table, &who.name) };
    Ok(Meaning::Input(match command {
        PlayerCommand::Ready => return Ok(Meaning::Ready),
        PlayerCommand::Ask { seat } => return Ok(Meaning::Ask { seat }),
        PlayerCommand::Company { players } => {
            player.first()?;
            return Ok(Meaning::Company { players });
        }
        PlayerCommand::Sit { seat, behind } => player.sit(seat, behind, &who.name)?,
        PlayerCommand::Leave { at } => Input::Leave { bettor: player.only(at.as_deref())? },
        PlayerCommand::BuyIn { amount } => {
            Input::BuyIn { bettor: player.first()?, amount: read_amount(&amount)? }
        }
        PlayerCommand::Inspect => Input::Inspect { bettor: player.first()? },
        PlayerCommand::Spread => Input::Spread { bettor: player.first()? },
        PlayerCommand::Commit { commitment } => {
            never_by_staff(who)?;
            player.first()?;
            let commitment = commitment.as_deref().map(read_bytes).transpose()?;
            return Ok(Meaning::Commit { commitment });
        }
        PlayerCommand::Open { bytes } => {
            never_by_staff(who)?;
            return Ok(Meaning::Open { bytes: read_bytes(&bytes)? });
        }
        PlayerCommand::ShowBurn => {
            let cards = custody.burned(table).unwrap_or_default();
            Input::ShowBurn { bettor: player.first()?, cards }
        }
        PlayerCommand::Consent { seat, player: name } => {
            Input::Consent { seat: player.host(seat)?, player: read_name(&name)? }
        }
        PlayerCommand::Revoke { seat, player: name } => {
            Input::Revoke { seat: player.host(seat)?, player: read_name(&name)? }
        }
        PlayerCommand::Wager { amounts, at } => {
            let amounts: Vec<_> = amounts.iter().map(read_on_circle).collect::<Result<_, _>>()?;
            if who.is_house_player() && amounts.iter().any(|(on, _)| *on == Circle::Progressive) {
                return Err(Refusal::by_house(
                    "house-player-progressive",
                    "House players do not bet on the progressive.",
                ));
            }
            Input::Wager { bettor: player.place(at.as_deref())?, amounts }
        }
        PlayerCommand::Clear { at } => Input::Clear { bettor: player.place(at.as_deref())? },
        PlayerCommand::Cut { at } => {
            let bettor = player.cutter()?;
            if at.is_some() {
                never_by_staff(who)?;
            }
            match (at, table.awaits()) {
                (Some(at), TableAwaits::Commitments(_)) => {
                    return Ok(Meaning::NameCut { bettor, at });
                }
                _ => Input::Cut { by: Cutter::Seat(bettor), at },
            }
        }
        PlayerCommand::Act { call, amount, hand, at } => {
            player.act(&call, amount, hand, at.as_deref())?
        }
        PlayerCommand::Choose { choice } => player.choose(&choice)?,
    }))
}

/// Whoever works for the house adds nothing to an order, and does not cut.
fn never_by_staff(who: &Person) -> Result<(), Refusal> {
    match who.role {
        Role::Player if !who.is_house_player() => Ok(()),
        _ => Err(Refusal::by_house(
            "staff-never-mixes",
            "You work for the house, so you cannot add to the order or cut.",
        )),
    }
}

fn read_bytes(digits: &str) -> Result<Seal, Refusal> {
    let sentence = || "expected 64 hexadecimal digits in lower case".to_owned();
    digits.parse().map_err(|_| unreadable("bad-bytes", digits, sentence()))
}

/// Somebody at a table, and where.
struct Commander<'a> {
    table: &'a Table,
    places: Vec<Bettor>,
}

impl Commander<'_> {
    /// Refuses what somebody does for the house where their own money is: nobody decides, deals or
    /// corrects for themselves.
    fn has_no_part(&self, who: &Person, input: Input) -> Result<Input, Refusal> {
        let own = Account::Player(who.name.clone());
        let is_own = match &input {
            Input::Correct { transfer, .. } => transfer.from == own || transfer.to == own,
            _ => false,
        };
        self.has_no_place()?;
        match is_own {
            false => Ok(input),
            true => Err(Refusal::by_house("own-money", "You cannot correct your own money.")),
        }
    }

    fn has_no_place(&self) -> Result<(), Refusal> {
        match self.places.is_empty() {
            true => Ok(()),
            false => Err(Refusal::by_house(
                "plays-here",
                "You are seated here, so you cannot act for the house at this table.",
            )),
        }
    }

    fn first(&self) -> Result<Bettor, Refusal> {
        self.places.first().copied().ok_or_else(not_seated)
    }

    /// The place that is named, or the first one.
    fn place(&self, at: Option<&str>) -> Result<Bettor, Refusal> {
        let first = self.first()?;
        let Some(word) = at else { return Ok(first) };
        let named = Bettor::read(word).filter(|bettor| self.places.contains(bettor));
        named.ok_or_else(|| {
            unreadable("not-your-place", word, format!("You have no place '{word}'"))
        })
    }

    /// The place that is named, or the only one.
    fn only(&self, at: Option<&str>) -> Result<Bettor, Refusal> {
        if at.is_none() && self.places.len() > 1 {
            return Err(Refusal::by_house(
                "several-boxes",
                "You have several boxes. Say which one.",
            ));
        }
        self.place(at)
    }

    fn sit(&self, seat: usize, behind: bool, name: &Name) -> Result<Input, Refusal> {
        let seat = seat.checked_sub(1).filter(|seat| *seat < MOST_SEATS);
        let seat =
            seat.ok_or_else(|| Refusal::by_house("no-such-box", "There is no such seat."))?;
        let there = (0..MOST_BETTORS).map(|place| Bettor::behind(seat, place));
        let free = there.skip(1).find(|bettor| self.table.chair(*bettor).is_none());
        let bettor = match behind {
            false => Bettor::at(seat),
            true => free.unwrap_or(Bettor::behind(seat, MOST_BETTORS - 1)),
        };
        Ok(Input::Sit { bettor, player: name.clone() })
    }

    /// A box on which this player was the first, and lets others bet (DAB-13-a).
    fn host(&self, seat: usize) -> Result<usize, Refusal> {
        self.first()?;
        let host = seat.checked_sub(1).and_then(|seat| self.table.first_on_box(seat));
        match host.filter(|host| self.places.contains(host)) {
            Some(host) => Ok(host.seat()),
            None => Err(by_clause(
                "not-your-box",
                "DAB-13-a",
                "Only the first bettor on a box can let others bet on it.",
            )),
        }
    }

    /// The seat that is asked for the cut, or else the first.
    fn cutter(&self) -> Result<Bettor, Refusal> {
        let first = self.first()?;
        let asked = match self.table.awaits() {
            TableAwaits::Cut(Cutter::Seat(bettor)) | TableAwaits::Commitments(Some(bettor)) => {
                Some(bettor)
            }
            _ => None,
        };
        let own = |bettor: &Bettor| self.places.contains(bettor);
        Ok(asked.filter(own).unwrap_or(first))
    }

    /// The place that is named, or the first one that is asked, or else the first.
    fn asked(&self, at: Option<&str>) -> Result<Bettor, Refusal> {
        let TableAwaits::Round(Awaits::Acts(asked)) = self.table.awaits() else {
            return self.place(at);
        };
        let own = asked.iter().find(|bettor| self.places.contains(bettor));
        match (at, own) {
            (None, Some(own)) => Ok(own),
            _ => self.place(at),
        }
    }

    fn act(
        &self,
        call: &str,
        amount: Option<String>,
        hand: Option<u8>,
        at: Option<&str>,
    ) -> Result<Input, Refusal> {
        let bettor = self.asked(at)?;
        let unknown = || unreadable("no-such-call", call, format!("there is no call '{call}'"));
        let call = Call::named(call).ok_or_else(unknown)?;
        let amount = amount.as_deref().map(read_amount).transpose()?;
        let act = match (amount, hand) {
            (None, None) => Act::Call(call),
            (Some(amount), None) => Act::With(call, amount),
            (None, Some(hand)) if call == Call::Pass => Act::Hand(hand),
            _ => {
                return Err(by_clause(
                    "hand-with-pass-alone",
                    "DAB-13-f",
                    "Name a hand only with 'pass', and without an amount.",
                ));
            }
        };
        Ok(Input::Act { bettor, act })
    }

    fn choose(&self, choice: &str) -> Result<Input, Refusal> {
        let unknown =
            || unreadable("no-such-choice", choice, format!("there is no choice '{choice}'"));
        let choice = Choice::named(choice);
        let choice = choice.ok_or_else(unknown)?;
        let bettor = match self.table.awaits() {
            TableAwaits::Choice(asked) if self.places.contains(&asked) => asked,
            _ => self.first()?,
        };
        Ok(Input::Choose { bettor, choice })
    }
}

/// What a supervisor's command means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decree {
    /// An input of the table, in the supervisor's own name.
    Input(Input),
    /// A correction that another one asked for is approved or refused.
    Correction { id: i64, is_approved: bool },
    /// Somebody's place is taken once their round is over.
    Unseat { bettor: Bettor, because: WrittenReason },
}

/// What a supervisor's command means.
pub(crate) fn by_supervisor(
    table: &Table,
    who: &Person,
    command: SupervisorCommand,
) -> Result<Decree, Refusal> {
    if who.role != Role::Supervisor {
        return Err(not_a_supervisor());
    }
    let by = who.name.clone();
    let commander = Commander { table, places: places(table, &who.name) };
    let input = match command {
        SupervisorCommand::Approve { correction: id } => {
            return commander.has_no_place().map(|()| Decree::Correction { id, is_approved: true });
        }
        SupervisorCommand::Refuse { correction: id } => {
            return commander
                .has_no_place()
                .map(|()| Decree::Correction { id, is_approved: false });
        }
        SupervisorCommand::Unseat { at, because } => {
            let (bettor, because) = (read_bettor(&at)?, read_reason(&because)?);
            if table.chair(bettor).is_none() {
                let sentence = format!("nobody is at place {at}");
                return Err(unreadable("nobody-there", &at, sentence));
            }
            return commander.has_no_place().map(|()| Decree::Unseat { bettor, because });
        }
        SupervisorCommand::Report { irregularity, injected } => {
            let irregularity = read_irregularity(&irregularity)?;
            Input::Report(Report { irregularity, by: Reporter::Supervisor(by), injected })
        }
        SupervisorCommand::Order { order, because } => {
            let because = because.as_deref().map(read_reason).transpose()?;
            Input::Order { order: read_order(&order)?, by, card: None, because }
        }
        SupervisorCommand::Correct { round, amount, from, to, because } => {
            let (from, to) = (read_party(from)?, read_party(to)?);
            let transfer = Transfer { from, to, amount: read_amount(&amount)? };
            Input::Correct { round, transfer, by, because: read_reason(&because)? }
        }
        SupervisorCommand::ChangeDealer { dealer } => {
            Input::Dealer { name: read_name(&dealer)?, by: Some(by) }
        }
    };
    commander.has_no_part(who, input).map(Decree::Input)
}

/// Refuses what somebody would decide about their own money.
pub(crate) fn has_no_part(table: &Table, who: &Person, input: Input) -> Result<Input, Refusal> {
    Commander { table, places: places(table, &who.name) }.has_no_part(who, input)
}

/// What the dealer of a physical table did with the cards, as an input.
pub(crate) fn by_dealer(
    table: &Table,
    physical: bool,
    who: &Person,
    command: DealerCommand,
) -> Result<Input, Refusal> {
    if !physical {
        return Err(Refusal::by_house("house-deals", "The house deals this table itself."));
    }
    if who.role != Role::Dealer {
        return Err(Refusal::by_house("not-a-dealer", "Only a dealer can enter cards."));
    }
    if let Some(dealer) = table.dealer().filter(|dealer| **dealer != who.name) {
        let sentence = format!("{dealer} deals here until a supervisor sends another dealer.");
        let refusal = by_clause("other-dealer", "G-13", &sentence);
        return Err(refusal.with("dealer", wire::Parameter::word(dealer)));
    }
    let input = match command {
        DealerCommand::Decks { reference: None } => Input::Decks(Decks::Inspected),
        DealerCommand::Decks { reference: Some(reference) } => {
            Input::Decks(Decks::PreShuffled(read_name(&reference)?))
        }
        DealerCommand::Shuffle => Input::Shuffle { seal: None, steps: table.usual_shuffle() },
        DealerCommand::Cut { at } => Input::Cut { by: Cutter::Dealer, at: Some(at) },
        DealerCommand::Deal => Input::Deal,
        DealerCommand::Card { card } => Input::Card(card.as_deref().map(read_card).transpose()?),
        DealerCommand::Peek { natural } => Input::Peek(natural),
        DealerCommand::Turn { card } => Input::Turn(read_card(&card)?),
        DealerCommand::ShowBurn { at, cards } => {
            let cards = cards.iter().map(|card| read_card(card)).collect::<Result<_, _>>()?;
            Input::ShowBurn { bettor: read_bettor(&at)?, cards }
        }
        DealerCommand::Report { irregularity } => {
            let irregularity = read_irregularity(&irregularity)?;
            Input::Report(Report { irregularity, by: Reporter::Dealer, injected: false })
        }
    };
    Commander { table, places: places(table, &who.name) }.has_no_part(who, input)
}

fn read_name(text: &str) -> Result<Name, Refusal> {
    text.parse().map_err(|error| unreadable("bad-name", text, format!("invalid name: {error}")))
}

fn read_amount(text: &str) -> Result<Cents, Refusal> {
    text.parse().map_err(|error| match error {
        AmountError::TooLarge => unreadable("amount-too-large", text, error.to_string()),
        AmountError::Unreadable => {
            unreadable("bad-amount", text, format!("invalid amount: {error}"))
        }
    })
}

fn read_card(text: &str) -> Result<Card, Refusal> {
    text.parse().map_err(|_| unreadable("bad-card", text, format!("'{text}' is not a card")))
}

fn read_bettor(text: &str) -> Result<Bettor, Refusal> {
    let bad = || unreadable("bad-place", text, format!("'{text}' is not a place at the table"));
    Bettor::read(text).filter(|bettor| bettor.seat() < MOST_SEATS).ok_or_else(bad)
}

fn read_reason(text: &str) -> Result<WrittenReason, Refusal> {
    text.parse().map_err(|_| {
        let most = WrittenReason::LONGEST;
        let sentence = format!("Give a reason of 1 to {most} characters on one line, without #.");
        by_clause("bad-reason", "G-28", &sentence).with("most", wire::Parameter::count(most))
    })
}

fn read_on_circle(on: &OnCircle) -> Result<(Circle, Cents), Refusal> {
    let name = &on.circle;
    let unknown = || unreadable("no-such-circle", name, format!("there is no circle '{name}'"));
    Ok((Circle::named(name).ok_or_else(unknown)?, read_amount(&on.amount)?))
}

fn read_order(order: &wire::Order) -> Result<Order, Refusal> {
    let bettor = order.at.as_deref().map(read_bettor).transpose()?;
    let name = &order.order;
    let unknown = || {
        unreadable(
            "no-such-order",
            name,
            format!("'{name}' is not a valid order: check the word and the place"),
        )
    };
    Order::named(name, bettor).ok_or_else(unknown)
}

fn read_irregularity(told: &wire::Irregularity) -> Result<Irregularity, Refusal> {
    let kind = &told.kind;
    let unknown = || unreadable("no-such-kind", kind, format!("there is no irregularity '{kind}'"));
    let named = Kind::named(kind).ok_or_else(unknown)?;
    let place = told.place.as_ref().map(read_place).transpose()?;
    let card = told.card.as_deref().map(read_card).transpose()?;
    Irregularity::new(named, place, card).ok_or_else(|| {
        let sentence = format!("'{kind}' lacks a place or a card, or has one too many");
        unreadable("bad-irregularity", kind, sentence)
    })
}

fn read_place(place: &wire::Place) -> Result<Place, Refusal> {
    let count = |number: usize, most: usize| {
        let number = number.checked_sub(1).filter(|number| *number < most);
        number.and_then(|number| u8::try_from(number).ok())
    };
    match *place {
        wire::Place::Dealer => Ok(Place::Dealer),
        wire::Place::Hand { seat, hand } => {
            match (count(seat, MOST_SEATS), count(hand, MOST_HANDS)) {
                (Some(seat), Some(hand)) => Ok(Place::Hand { seat, hand }),
                _ => Err(Refusal::by_house("no-such-box", "There is no such seat or hand.")),
            }
        }
    }
}

fn read_party(party: Party) -> Result<Account, Refusal> {
    Ok(match party {
        Party::House => Account::House,
        Party::Rack(at) => Account::Rack(read_bettor(&at)?),
        Party::Player(name) => Account::Player(read_name(&name)?),
    })
}

#[cfg(test)]
mod tests {
    use rules::terms::TermSheet;
    use rules::wager::Game;

    use super::*;

    /// Ann with boxes 3 and 4, and bob behind her at 3.
    fn shared() -> Table {
        let mut sheet = TermSheet::new(Game::DoubleAttack);
        sheet.set([("max_bettors_per_box", "2"), ("max_boxes_per_player", "2")]).unwrap();
        let mut table = Table::new(sheet);
        for line in ["sit 3 ann", "consent 3 bob", "sit 3b bob", "sit 4 ann"] {
            table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
        }
        table
    }

    fn said(who: &str, role: Role, text: &str) -> Result<String, String> {
        let who = Person { role, ..Person::player(who.parse().unwrap()) };
        let command = serde_json::from_str(text).unwrap();
        match by_player(&shared(), &Custody::default(), &who, command) {
            Ok(Meaning::Input(input)) => Ok(input.to_string()),
            Ok(other) => panic!("{other:?}"),
            Err(refusal) => Err(refusal.sentence),
        }
    }

    fn ordered(who: &str, role: Role, text: &str) -> Result<String, String> {
        let who = Person { role, ..Person::player(who.parse().unwrap()) };
        let command = serde_json::from_str(text).unwrap();
        let decree = by_supervisor(&shared(), &who, command);
        let told = |decree| match decree {
            Decree::Input(input) => input.to_string(),
            other => format!("{other:?}"),
        };
        decree.map(told).map_err(|refusal| refusal.code.into_owned())
    }

    #[test]
    fn a_command_is_for_a_place_of_ones_own() {
        for (who, text, line) in [
            ("ann", r#"{"type":"clear"}"#, Ok("clear 3")),
            ("ann", r#"{"type":"clear","at":"4"}"#, Ok("clear 4")),
            ("bob", r#"{"type":"clear"}"#, Ok("clear 3b")),
            ("bob", r#"{"type":"clear","at":"3"}"#, Err("You have no place '3'.")),
            ("eve", r#"{"type":"clear"}"#, Err("Take a seat first.")),
            ("ann", r#"{"type":"leave"}"#, Err("You have several boxes. Say which one.")),
            ("ann", r#"{"type":"leave","at":"4"}"#, Ok("leave 4")),
            ("eve", r#"{"type":"sit","seat":3,"behind":true}"#, Ok("sit 3c eve")),
            ("eve", r#"{"type":"sit","seat":0}"#, Err("There is no such seat.")),
            ("ann", r#"{"type":"consent","seat":3,"player":"eve"}"#, Ok("consent 3 eve")),
            (
                "bob",
                r#"{"type":"consent","seat":3,"player":"eve"}"#,
                Err("Only the first bettor on a box can let others bet on it."),
            ),
            ("bob", r#"{"type":"act","call":"pass","hand":2}"#, Ok("act 3b hand 2")),
            ("ann", r#"{"type":"act","call":"double","amount":"5"}"#, Ok("act 3 double 5")),
            (
                "ann",
                r#"{"type":"act","call":"double","amount":"99999999999999999999"}"#,
                Err("That amount is too large."),
            ),
            (
                "ann",
                r#"{"type":"act","call":"double","amount":"1e3"}"#,
                Err("Invalid amount: an amount is dollars with up to two decimals, such as 10 or \
                     7.50."),
            ),
            (
                "ann",
                r#"{"type":"act","call":"hit","hand":2}"#,
                Err("Name a hand only with 'pass', and without an amount."),
            ),
        ] {
            let line = line.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(said(who, Role::Player, text), line, "{who} {text}");
        }
    }

    #[test]
    fn nobody_acts_for_the_house_where_they_play() {
        let correct = |to: &str| {
            format!(
                r#"{{"type":"correct","round":2,"amount":"5","from":"house","to":{to},"because":"it was 20"}}"#
            )
        };
        let report = r#"{"type":"report","irregularity":{"kind":"face-up","card":"9d"}}"#;
        for (who, text) in [
            ("ann", correct(r#"{"rack":"3"}"#)),
            ("bob", correct(r#"{"rack":"4"}"#)),
            ("bob", report.to_owned()),
            ("ann", r#"{"type":"order","order":{"order":"recut"}}"#.to_owned()),
            ("ann", r#"{"type":"change_dealer","dealer":"max"}"#.to_owned()),
            ("ann", r#"{"type":"approve","correction":1}"#.to_owned()),
            ("ann", r#"{"type":"refuse","correction":1}"#.to_owned()),
            ("bob", r#"{"type":"unseat","at":"3","because":"it is late"}"#.to_owned()),
        ] {
            let refused = ordered(who, Role::Supervisor, &text);
            assert_eq!(refused, Err("plays-here".to_owned()), "{who} {text}");
        }
        let own = ordered("eve", Role::Supervisor, &correct(r#"{"player":"eve"}"#));
        assert_eq!(own, Err("own-money".to_owned()));
        assert!(ordered("eve", Role::Supervisor, &correct(r#"{"rack":"3"}"#)).is_ok());
        assert!(ordered("eve", Role::Supervisor, &correct(r#"{"player":"max"}"#)).is_ok());
    }

    #[test]
    fn a_dealer_enters_cards_and_reports_and_does_not_play() {
        let entered = |who: &str, text: &str| {
            let who = Person { role: Role::Dealer, ..Person::player(who.parse().unwrap()) };
            let command = serde_json::from_str(text).unwrap();
            let input = by_dealer(&shared(), true, &who, command);
            input.map(|input| input.to_string()).map_err(|refusal| refusal.code.into_owned())
        };
        for (text, line) in [
            (r#"{"type":"card","card":"9d"}"#, "card 9d"),
            (r#"{"type":"card","card":null}"#, "card ??"),
            (r#"{"type":"peek","natural":false}"#, "peek no"),
            (r#"{"type":"cut","at":60}"#, "cut dealer 60"),
            (r#"{"type":"show_burn","at":"3b","cards":["9d"]}"#, "show-burn 3b 9d"),
            (r#"{"type":"decks","reference":"q4-117"}"#, "decks pre-shuffled q4-117"),
            (
                r#"{"type":"report","irregularity":{"kind":"missed-hit","place":{"hand":{"seat":3,"hand":2}}}}"#,
                "report missed-hit 3 2 by dealer",
            ),
        ] {
            assert_eq!(entered("eve", text).as_deref(), Ok(line));
            assert_eq!(entered("bob", text), Err("plays-here".to_owned()), "{text}");
        }
        for (text, code) in [
            (r#"{"type":"card","card":"1x"}"#, "bad-card"),
            (r#"{"type":"show_burn","at":"9","cards":[]}"#, "bad-place"),
            (r#"{"type":"report","irregularity":{"kind":"face-up"}}"#, "bad-irregularity"),
            (
                r#"{"type":"report","irregularity":{"kind":"no-card","place":{"hand":{"seat":0,"hand":1}}}}"#,
                "no-such-box",
            ),
        ] {
            assert_eq!(entered("eve", text), Err(code.to_owned()), "{text}");
        }
    }

    #[test]
    fn only_supervisors_report_order_and_correct_and_in_their_own_name() {
        let correct = |because: &str| {
            format!(
                r#"{{"type":"correct","round":2,"amount":"5","from":"house","to":{{"rack":"3"}},"because":"{because}"}}"#
            )
        };
        for (text, line) in [
            (
                r#"{"type":"report","irregularity":{"kind":"face-up","card":"9d"}}"#.to_owned(),
                Ok("report face-up 9d by supervisor eve"),
            ),
            (
                r#"{"type":"report","irregularity":{"kind":"misdealt","card":"9d","place":"dealer"},"injected":true}"#
                    .to_owned(),
                Ok("report misdealt dealer 9d by supervisor eve injected"),
            ),
            (
                r#"{"type":"report","irregularity":{"kind":"misdealt","card":"Kd","place":{"hand":{"seat":7,"hand":4}}}}"#
                    .to_owned(),
                Ok("report misdealt 7 4 Kd by supervisor eve"),
            ),
            // A box has four hands at most, though a table has seven boxes.
            (
                r#"{"type":"report","irregularity":{"kind":"misdealt","card":"Kd","place":{"hand":{"seat":1,"hand":5}}}}"#
                    .to_owned(),
                Err("no-such-box"),
            ),
            (
                r#"{"type":"order","order":{"order":"recut"},"because":"it was shallow"}"#.to_owned(),
                Ok("order recut by eve because it was shallow"),
            ),
            (
                r#"{"type":"order","order":{"order":"admit","at":"3b"}}"#.to_owned(),
                Ok("order admit 3b by eve"),
            ),
            (correct("it was 20"), Ok("correct 2 5 from house to rack:3 by eve because it was 20")),
            (r#"{"type":"change_dealer","dealer":"ann"}"#.to_owned(), Ok("dealer ann by eve")),
            (
                r#"{"type":"approve","correction":7}"#.to_owned(),
                Ok("Correction { id: 7, is_approved: true }"),
            ),
            (
                r#"{"type":"unseat","at":"5","because":"it is late"}"#.to_owned(),
                Err("nobody-there"),
            ),
            (r#"{"type":"unseat","at":"3","because":""}"#.to_owned(), Err("bad-reason")),
            (correct(" "), Err("bad-reason")),
            (correct("it was 20\\nby ann"), Err("bad-reason")),
            (
                r#"{"type":"report","irregularity":{"kind":"face-up 9d by dealer"}}"#.to_owned(),
                Err("no-such-kind"),
            ),
            (r#"{"type":"order","order":{"order":"recut","at":"3"}}"#.to_owned(), Err("no-such-order")),
            (r#"{"type":"order","order":{"order":"admit"}}"#.to_owned(), Err("no-such-order")),
            (r#"{"type":"order","order":{"order":"win"}}"#.to_owned(), Err("no-such-order")),
        ] {
            let line = line.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(ordered("eve", Role::Supervisor, &text), line, "{text}");
            for role in [Role::Player, Role::Dealer, Role::Auditor, Role::Operator] {
                let refused = Err("not-a-supervisor".to_owned());
                assert_eq!(ordered("eve", role, &text), refused, "{text}");
            }
        }
    }
}
