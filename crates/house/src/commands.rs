//! A client's command as an input of a table. What it may do at the table, the table decides.

use audit::custody::Custody;
use rules::money::Cents;
use rules::round::{Act, Awaits, Call};
use rules::table::{Account, Choice, Cutter, Input, Name, Reporter, Table, TableAwaits};
use rules::wager::{Bettor, Circle, MOST_BETTORS, MOST_SEATS};

use crate::role::{Person, Role};
use crate::wire::{Do, OnCircle, Refused};

/// The places of somebody at a table, from the dealer's far left.
pub(crate) fn places(table: &Table, player: &Name) -> Vec<Bettor> {
    let own = table.everyone().filter(|(_, chair)| chair.player == *player);
    own.map(|(bettor, _)| bettor).collect()
}

/// A command as an input.
pub(crate) fn input(
    table: &Table,
    custody: &Custody,
    who: &Person,
    what: Do,
) -> Result<Input, Refused> {
    let player = Commander { table, places: places(table, &who.name) };
    match what {
        Do::Report { .. } | Do::Order { .. } | Do::Correct { .. } | Do::Dealer { .. } => {
            player.has_no_part(who, by_supervisor(who, what)?)
        }
        Do::Sit { seat, behind } => player.sit(seat, behind, &who.name),
        Do::Leave { at } => Ok(Input::Leave { bettor: player.only(at.as_deref())? }),
        Do::BuyIn { amount } => {
            let (bettor, amount) = (player.first()?, read_amount(&amount)?);
            Ok(Input::BuyIn { bettor, amount })
        }
        Do::Inspect => Ok(Input::Inspect { bettor: player.first()? }),
        Do::Spread => Ok(Input::Spread { bettor: player.first()? }),
        Do::Contribute { bytes } => {
            let bytes = bytes.parse().map_err(|error| Refused::by_house(format!("{error}")))?;
            Ok(Input::Contribute { bettor: player.first()?, bytes })
        }
        Do::ShowBurn => {
            let (bettor, cards) = (player.first()?, custody.burned(table).unwrap_or_default());
            Ok(Input::ShowBurn { bettor, cards })
        }
        Do::Consent { seat, player: name } => {
            let (seat, player) = (player.host(seat)?, read_name(&name)?);
            Ok(Input::Consent { seat, player })
        }
        Do::Revoke { seat, player: name } => {
            let (seat, player) = (player.host(seat)?, read_name(&name)?);
            Ok(Input::Revoke { seat, player })
        }
        Do::Wager { amounts, at } => {
            let amounts = amounts.iter().map(read_on_circle).collect::<Result<_, _>>()?;
            Ok(Input::Wager { bettor: player.place(at.as_deref())?, amounts })
        }
        Do::Clear { at } => Ok(Input::Clear { bettor: player.place(at.as_deref())? }),
        Do::Cut { at } => Ok(Input::Cut { by: Cutter::Seat(player.cutter()?), at }),
        Do::Act { call, amount, hand, at } => player.act(&call, amount, hand, at.as_deref()),
        Do::Choose { choice } => player.choose(&choice),
        Do::Watch { .. } | Do::Ping | Do::Ready | Do::Ask { .. } | Do::Enter { .. } => {
            unreachable!("the table is not asked for this")
        }
    }
}

/// Somebody at a table, and where.
struct Commander<'a> {
    table: &'a Table,
    places: Vec<Bettor>,
}

impl Commander<'_> {
    /// Refuses what somebody does for the house where their own money is: nobody decides, deals or
    /// corrects for themselves.
    fn has_no_part(&self, who: &Person, input: Input) -> Result<Input, Refused> {
        let own = Account::Player(who.name.clone());
        let is_own = match &input {
            Input::Correct { transfer, .. } => transfer.from == own || transfer.to == own,
            _ => false,
        };
        match self.places.is_empty() && !is_own {
            true => Ok(input),
            false => Err(Refused::by_house("whoever plays here does not act for the house here")),
        }
    }

    fn first(&self) -> Result<Bettor, Refused> {
        self.places.first().copied().ok_or_else(not_seated)
    }

    /// The place that is named, or the first one.
    fn place(&self, at: Option<&str>) -> Result<Bettor, Refused> {
        let first = self.first()?;
        let Some(word) = at else { return Ok(first) };
        let named = Bettor::read(word).filter(|bettor| self.places.contains(bettor));
        named.ok_or_else(|| Refused::by_house(format!("'{word}' is no place of yours")))
    }

    /// The place that is named, or the only one.
    fn only(&self, at: Option<&str>) -> Result<Bettor, Refused> {
        if at.is_none() && self.places.len() > 1 {
            return Err(Refused::by_house("you have several boxes: say which one"));
        }
        self.place(at)
    }

    fn sit(&self, seat: usize, behind: bool, name: &Name) -> Result<Input, Refused> {
        let seat = seat.checked_sub(1).filter(|seat| *seat < MOST_SEATS);
        let seat = seat.ok_or_else(|| Refused::by_house("there is no such seat"))?;
        let there = (0..MOST_BETTORS).map(|place| Bettor::behind(seat, place));
        let free = there.skip(1).find(|bettor| self.table.chair(*bettor).is_none());
        let bettor = match behind {
            false => Bettor::at(seat),
            true => free.unwrap_or(Bettor::behind(seat, MOST_BETTORS - 1)),
        };
        Ok(Input::Sit { bettor, player: name.clone() })
    }

    /// A box on which this player was the first, and lets others bet (DAB-13-a).
    fn host(&self, seat: usize) -> Result<usize, Refused> {
        self.first()?;
        let host = seat.checked_sub(1).and_then(|seat| self.table.first_on_box(seat));
        match host.filter(|host| self.places.contains(host)) {
            Some(host) => Ok(host.seat()),
            None => Err(Refused::by_clause(
                "only the first person on a box lets others bet on it",
                "DAB-13-a",
            )),
        }
    }

    /// The seat that is asked for the cut, or else the first.
    fn cutter(&self) -> Result<Bettor, Refused> {
        let first = self.first()?;
        let asked = match self.table.awaits() {
            TableAwaits::Cut(Cutter::Seat(bettor)) => Some(bettor),
            _ => None,
        };
        let own = |bettor: &Bettor| self.places.contains(bettor);
        Ok(asked.filter(own).unwrap_or(first))
    }

    /// The place that is named, or the first one that is asked, or else the first.
    fn asked(&self, at: Option<&str>) -> Result<Bettor, Refused> {
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
    ) -> Result<Input, Refused> {
        let bettor = self.asked(at)?;
        let unknown = || Refused::by_house(format!("there is no call '{call}'"));
        let call = Call::named(call).ok_or_else(unknown)?;
        let amount = amount.as_deref().map(read_amount).transpose()?;
        let act = match (amount, hand) {
            (None, None) => Act::Call(call),
            (Some(amount), None) => Act::With(call, amount),
            (None, Some(hand)) if call == Call::Pass => Act::Hand(hand),
            _ => {
                let sentence = "a hand is named with 'pass' alone, and without an amount";
                return Err(Refused::by_clause(sentence, "DAB-13-f"));
            }
        };
        Ok(Input::Act { bettor, act })
    }

    fn choose(&self, choice: &str) -> Result<Input, Refused> {
        let unknown = || Refused::by_house(format!("there is no choice '{choice}'"));
        let choice = Choice::ALL.into_iter().find(|other| other.to_string() == choice);
        let choice = choice.ok_or_else(unknown)?;
        let bettor = match self.table.awaits() {
            TableAwaits::Choice(asked) if self.places.contains(&asked) => asked,
            _ => self.first()?,
        };
        Ok(Input::Choose { bettor, choice })
    }
}

/// What only a supervisor may do, in the words of the notation.
fn by_supervisor(who: &Person, what: Do) -> Result<Input, Refused> {
    let Person { name, role, .. } = who;
    if *role != Role::Supervisor {
        return Err(Refused::no_supervisor());
    }
    if matches!(&what, Do::Correct { because, .. } if because.trim().is_empty()) {
        return Err(Refused::by_clause("a correction says why", "G-28"));
    }
    let because =
        |words: Option<String>| words.map_or_else(String::new, |words| format!(" because {words}"));
    let line = match what {
        Do::Report { report, injected } => {
            let injected = if injected { " injected" } else { "" };
            format!("report {report} by supervisor {name}{injected}")
        }
        Do::Order { order, because: words } => format!("order {order} by {name}{}", because(words)),
        Do::Correct { round, amount, from, to, because } => {
            format!("correct {round} {amount} from {from} to {to} by {name} because {because}")
        }
        Do::Dealer { dealer } => format!("dealer {dealer} by {name}"),
        _ => unreachable!("a player does this"),
    };
    let input = line.parse().ok().filter(|input: &Input| is_theirs(input, name));
    input.ok_or_else(|| Refused::by_house(format!("'{line}' is not in the notation")))
}

/// What the dealer of a physical table has done with the cards, in the words of the notation.
pub(crate) fn entered(
    table: &Table,
    physical: bool,
    who: &Person,
    line: &str,
) -> Result<Input, Refused> {
    if !physical {
        return Err(Refused::by_house("the house deals this table itself"));
    }
    if who.role != Role::Dealer {
        return Err(Refused::by_house("only a dealer enters what is done with the cards"));
    }
    if let Some(dealer) = table.dealer().filter(|dealer| **dealer != who.name) {
        let sentence = format!("{dealer} deals here, until a supervisor names somebody else");
        return Err(Refused::by_clause(&sentence, "G-13"));
    }
    let input = match line {
        "shuffle" => Some(Input::Shuffle { seal: None, steps: table.usual_shuffle() }),
        line => line.parse().ok(),
    };
    let input = input.filter(is_by_hand).ok_or_else(|| {
        Refused::by_house(format!("'{line}' is nothing that a dealer enters; docs/house.md has it"))
    })?;
    Commander { table, places: places(table, &who.name) }.has_no_part(who, input)
}

/// Whether it is the work of a dealer's hands, or what a dealer saw go wrong.
fn is_by_hand(input: &Input) -> bool {
    if let Input::Report(report) = input {
        return report.by == Reporter::Dealer && !report.injected;
    }
    matches!(
        input,
        Input::Card(_)
            | Input::Turn(_)
            | Input::Peek(_)
            | Input::Deal
            | Input::Decks(_)
            | Input::ShowBurn { .. }
            | Input::Shuffle { seal: None, .. }
            | Input::Cut { by: Cutter::Dealer, .. }
    )
}

/// Whether it is this supervisor's own: words cannot name another one.
fn is_theirs(input: &Input, name: &Name) -> bool {
    match input {
        Input::Report(report) => report.by == Reporter::Supervisor(name.clone()),
        Input::Order { by, .. }
        | Input::Correct { by, .. }
        | Input::Dealer { by: Some(by), .. } => by == name,
        _ => false,
    }
}

pub(crate) fn not_seated() -> Refused {
    Refused::by_clause("take a seat first", "G-26")
}

fn read_name(text: &str) -> Result<Name, Refused> {
    text.parse().map_err(|error| Refused::by_house(format!("'{text}': {error}")))
}

fn read_amount(text: &str) -> Result<Cents, Refused> {
    text.parse().map_err(|error| Refused::by_house(format!("'{text}': {error}")))
}

fn read_on_circle(on: &OnCircle) -> Result<(Circle, Cents), Refused> {
    let unknown = || Refused::by_house(format!("there is no circle '{}'", on.circle));
    Ok((Circle::named(&on.circle).ok_or_else(unknown)?, read_amount(&on.amount)?))
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
        let what = serde_json::from_str(text).unwrap();
        let input = input(&shared(), &Custody::default(), &who, what);
        input.map(|input| input.to_string()).map_err(|refusal| refusal.sentence)
    }

    #[test]
    fn a_command_is_for_a_place_of_ones_own() {
        for (who, text, line) in [
            ("ann", r#"{"type":"clear"}"#, Ok("clear 3")),
            ("ann", r#"{"type":"clear","at":"4"}"#, Ok("clear 4")),
            ("bob", r#"{"type":"clear"}"#, Ok("clear 3b")),
            ("bob", r#"{"type":"clear","at":"3"}"#, Err("'3' is no place of yours")),
            ("eve", r#"{"type":"clear"}"#, Err("take a seat first (G-26)")),
            ("ann", r#"{"type":"leave"}"#, Err("you have several boxes: say which one")),
            ("ann", r#"{"type":"leave","at":"4"}"#, Ok("leave 4")),
            ("eve", r#"{"type":"sit","seat":3,"behind":true}"#, Ok("sit 3c eve")),
            ("eve", r#"{"type":"sit","seat":0}"#, Err("there is no such seat")),
            ("ann", r#"{"type":"consent","seat":3,"player":"eve"}"#, Ok("consent 3 eve")),
            (
                "bob",
                r#"{"type":"consent","seat":3,"player":"eve"}"#,
                Err("only the first person on a box lets others bet on it (DAB-13-a)"),
            ),
            ("bob", r#"{"type":"act","call":"pass","hand":2}"#, Ok("act 3b hand 2")),
            ("ann", r#"{"type":"act","call":"double","amount":"5"}"#, Ok("act 3 double 5")),
            (
                "ann",
                r#"{"type":"act","call":"hit","hand":2}"#,
                Err("a hand is named with 'pass' alone, and without an amount (DAB-13-f)"),
            ),
        ] {
            let line = line.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(said(who, Role::Player, text), line, "{who} {text}");
        }
    }

    #[test]
    fn nobody_acts_for_the_house_where_they_play() {
        let correct = |to: &str| {
            let (from, because) = ("house", "it was 20");
            serde_json::json!({ "type": "correct", "round": 2, "amount": "5", "from": from,
                "to": to, "because": because })
            .to_string()
        };
        let refused = Err("whoever plays here does not act for the house here".to_owned());
        for (who, text) in [
            ("ann", correct("rack:3")),
            ("bob", correct("rack:4")),
            ("eve", correct("player:eve")),
            ("bob", r#"{"type":"report","report":"face-up 9d"}"#.to_owned()),
            ("ann", r#"{"type":"order","order":"recut"}"#.to_owned()),
            ("ann", r#"{"type":"dealer","dealer":"max"}"#.to_owned()),
        ] {
            assert_eq!(said(who, Role::Supervisor, &text), refused, "{who} {text}");
        }
        assert!(said("eve", Role::Supervisor, &correct("rack:3")).is_ok());
        assert!(said("eve", Role::Supervisor, &correct("player:max")).is_ok());
    }

    #[test]
    fn a_dealer_enters_cards_and_reports_and_does_not_play() {
        let entered = |who: &str, line| {
            let who = Person { role: Role::Dealer, ..Person::player(who.parse().unwrap()) };
            entered(&shared(), true, &who, line).map(|input| input.to_string())
        };
        for line in ["card 9d", "peek no", "report face-up 9d by dealer"] {
            assert_eq!(entered("eve", line).as_deref(), Ok(line));
            assert!(entered("bob", line).is_err(), "{line}");
        }
        for line in [
            "report face-up 9d by dealer injected",
            "report face-up 9d by player 3",
            "report face-up 9d by supervisor eve",
            "order discard by eve",
        ] {
            assert!(entered("eve", line).is_err(), "{line}");
        }
    }

    #[test]
    fn only_supervisors_report_order_and_correct_and_in_their_own_name() {
        for (text, line) in [
            (
                r#"{"type":"report","report":"face-up 9d"}"#,
                Some("report face-up 9d by supervisor eve"),
            ),
            (
                r#"{"type":"report","report":"face-up 9d","injected":true}"#,
                Some("report face-up 9d by supervisor eve injected"),
            ),
            (
                r#"{"type":"order","order":"recut","because":"it was shallow"}"#,
                Some("order recut by eve because it was shallow"),
            ),
            (
                r#"{"type":"correct","round":2,"amount":"5","from":"house","to":"rack:3","because":"it was 20"}"#,
                Some("correct 2 5 from house to rack:3 by eve because it was 20"),
            ),
            (r#"{"type":"dealer","dealer":"ann"}"#, Some("dealer ann by eve")),
            (
                r#"{"type":"correct","round":2,"amount":"5","from":"house","to":"rack:3","because":" "}"#,
                None,
            ),
            (r#"{"type":"report","report":"face-up 9d by dealer"}"#, None),
            (r#"{"type":"order","order":"recut by ann because"}"#, None),
            (r#"{"type":"order","order":"win"}"#, None),
        ] {
            assert_eq!(said("eve", Role::Supervisor, text).ok().as_deref(), line, "{text}");
            for role in [Role::Player, Role::Dealer, Role::Auditor, Role::Operator] {
                let refused = "only a supervisor decides about this (G-09)".to_owned();
                assert_eq!(said("eve", role, text), Err(refused), "{text}");
            }
        }
    }
}
