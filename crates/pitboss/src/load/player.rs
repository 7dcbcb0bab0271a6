//! A player without a socket: hears, checks what is heard, and says what to do next.
//!
//! Knows no rule of any game. It does what the view offers, and holds the house to what any viewer may
//! expect: versions without a gap, money that is accounted for, and no card that was not told.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use audit::mix::CommitmentPlace;
use rules::card::Card;
use rules::money::Cents;
use rules::table::Seal;
use rules::wager::Bettor;
use wire::{
    AboutTable, AwaitedWhat, Command, FromHouse, MixStage, Offer, OnCircle, PlayerCommand, Refusal,
    View, ViewChange,
};

use super::numbers::Numbers;
use super::sitting::Stage;

/// What a player buys chips for, where the account holds so much.
const BUY_IN: Cents = Cents::new(100_000);

/// What a player buys chips for who plays at two tables.
const BUY_IN_OF_TWO: Cents = Cents::new(25_000);

/// Cards have indices below this.
const INDICES: usize = 64;

/// What the house says while it cannot reach its store.
const TRIED_AGAIN: [&str; 3] = ["store-not-written", "store-not-read", "table-loading"];

/// How many of ten wagers have a side bet.
const SIDE_BETS: u32 = 3;

/// What the house did wrong.
pub(super) type Fault = String;

/// The money of a player, as the view and the account have it.
#[derive(Clone, Copy, Default)]
struct Holdings {
    account: Cents,
    rack: Cents,
    layout: Cents,
    /// Won and lost in the round that the view shows.
    gains: Cents,
}

impl Holdings {
    fn all(self) -> Cents {
        self.account + self.rack + self.layout
    }
}

/// What the player adds to the order of a shoe.
#[derive(Clone)]
struct MixStep {
    stage: MixStage,
    shoe: u32,
    seal: String,
    at: String,
    /// The commitments in the closed list.
    listed: Vec<String>,
}

/// What is open to the player, as the last view says.
#[derive(Default)]
struct OpenChoices {
    round: u32,
    betting: bool,
    seated: bool,
    ready: bool,
    has_wager: bool,
    asked_to_inspect: bool,
    /// What the table waits for, for the order of the cards.
    mix: Option<MixStep>,
    cut: Option<(usize, usize)>,
    offers: Vec<(String, String, Option<String>)>,
    choice: Option<String>,
}

/// A command of which the answer is still to come.
pub(super) struct PendingCommand {
    pub(super) id: String,
    pub(super) what: Command,
    /// When it was sent first.
    pub(super) since: Instant,
    /// Whether it was sent before, so that it may have been done long ago.
    pub(super) again: bool,
}

/// A command that the house said was done.
pub(super) struct DoneCommand {
    pub(super) id: String,
    pub(super) what: PlayerCommand,
    pub(super) seq: Option<u64>,
}

/// What came of a message.
pub(super) enum Effect {
    /// The answer to what was asked: whether it was done, and how long after it was sent first.
    Answer { done: bool, waited: Duration },
    /// All of the table is shown.
    Shown,
    /// The house closes.
    Closing,
    /// Anything else.
    Told,
}

/// A guest whom the house has let in.
#[derive(Clone)]
pub(super) struct NewGuest {
    pub(super) name: String,
    pub(super) cookie: String,
    pub(super) from: Ipv4Addr,
}

/// Somebody at a table.
pub(super) struct Player {
    pub(super) name: String,
    pub(super) cookie: String,
    /// The address that a house which trusts this computer as a proxy counts the player under.
    pub(super) from: Ipv4Addr,
    pub(super) table: String,
    seat: usize,
    numbers: Numbers,
    /// The node that the player is connected to, by its number; of those of the run in turn.
    pub(super) node: usize,
    /// Where the same guest plays at two tables: which of both this is. The account moves at either then,
    /// so that only what moves at this table is accounted for.
    of_two: Option<u8>,
    /// What the account holds, where it moves at another table too.
    purse: Cents,
    /// The circles, the least on each, and whether it must be there.
    circles: Vec<(String, Cents, bool)>,
    least_buy_in: Cents,
    pub(super) version: Option<u64>,
    /// The table as it was shown last, and the number of that view on this socket.
    view: Option<Box<View>>,
    number: u64,
    pub(super) asked: Option<PendingCommand>,
    sent: u32,
    open: OpenChoices,
    holdings: Holdings,
    /// What is accounted for but for the gains of the round; none where steps were missed.
    base: Option<Cents>,
    /// Whether a round is in play: wagers lie on the layout then, and before in the rack. None where
    /// steps were missed.
    in_round: Option<bool>,
    /// How often each card was told since bets closed; none where steps were missed.
    told: Option<[u8; INDICES]>,
    /// The hands that were shown to everybody since then: seat and hand, counted from 1.
    shown: Vec<(usize, usize)>,
    /// Whether something was done of which the step is still to be told.
    expects_step: bool,
    /// The last version at which something was refused.
    refused_at: Option<u64>,
    sat_out: Option<u32>,
    /// The id of the house.
    house: String,
    /// The bytes for a shoe, by its seal: kept for the opening, and after a lost connection.
    contribution: Option<(String, Seal)>,
    /// Whether the player has begun to play.
    plays: bool,
    /// Whether the player goes home when possible.
    pub(super) goes_home: bool,
    pub(super) acknowledged: Vec<DoneCommand>,
    /// Every step that was told, and what was told of it, in short.
    pub(super) steps: Vec<(u64, u64)>,
    /// The last entry of the log that the player knows, as the house told it.
    pub(super) head: Option<(u64, String)>,
    pub(super) refusals: Vec<String>,
    /// Whether the player is counted among the seated.
    pub(super) is_counted: bool,
}

impl Player {
    pub(super) fn new(
        NewGuest { name, cookie, from }: NewGuest,
        table: String,
        seat: usize,
        numbers: Numbers,
        of_two: Option<u8>,
        node: usize,
    ) -> Player {
        Player {
            name,
            cookie,
            from,
            table,
            seat,
            numbers,
            node,
            of_two,
            purse: Cents::ZERO,
            circles: Vec::new(),
            least_buy_in: Cents::ZERO,
            version: None,
            view: None,
            number: 0,
            asked: None,
            sent: 0,
            open: OpenChoices::default(),
            holdings: Holdings::default(),
            base: None,
            in_round: None,
            told: None,
            shown: Vec::new(),
            expects_step: false,
            refused_at: None,
            sat_out: None,
            house: String::new(),
            contribution: None,
            plays: false,
            goes_home: false,
            acknowledged: Vec::new(),
            steps: Vec::new(),
            head: None,
            refusals: Vec::new(),
            is_counted: false,
        }
    }

    /// Whether the player has a seat.
    pub(super) fn is_seated(&self) -> bool {
        self.open.seated
    }

    /// Whether the player has to decide.
    pub(super) fn is_asked(&self) -> bool {
        !self.open.offers.is_empty()
    }

    /// Whether the player has placed a wager.
    pub(super) fn has_wagered(&self) -> bool {
        self.acknowledged.iter().any(|done| matches!(done.what, PlayerCommand::Wager { .. }))
    }

    /// The round at the table, by its number.
    pub(super) fn round(&self) -> u32 {
        self.open.round
    }

    /// Whether the player has left the table, and the chips with them.
    pub(super) fn is_away(&self) -> bool {
        self.version.is_some() && !self.open.seated
    }

    /// The last entry of the log that the player has heard of.
    pub(super) fn last_entry(&self) -> u64 {
        let told = self.head.as_ref().map_or(0, |(seq, _)| *seq);
        let done = self.acknowledged.last().and_then(|done| done.seq);
        told.max(done.unwrap_or(0))
    }

    /// Does as everybody does.
    pub(super) fn follow(&mut self, stage: Stage) {
        self.plays = stage >= Stage::Begun;
        self.goes_home |= stage >= Stage::Leaving;
    }

    /// Whether the table waits for what the player adds to the order of the cards.
    pub(super) fn is_mixing(&self) -> bool {
        self.open.mix.is_some()
    }

    /// How long the player thinks, about so long.
    pub(super) fn think(&mut self, about: Duration) -> Duration {
        let thousandths = u32::try_from(500 + self.numbers.below(1001)).unwrap_or(1000);
        about * thousandths / 1000
    }

    /// What was refused may be tried again.
    pub(super) fn forget_refusal(&mut self) {
        self.refused_at = None;
    }

    /// The next command, under an id of its own.
    pub(super) fn ask(&mut self, what: Command) -> &PendingCommand {
        self.sent += 1;
        let table = self.of_two.map(|table| format!("{table}-")).unwrap_or_default();
        let id = format!("{}-{table}{}", self.name, self.sent);
        self.asked.insert(PendingCommand { id, what, since: Instant::now(), again: false })
    }

    /// Takes a message of the house, and says what is wrong with it.
    pub(super) fn hear(&mut self, text: &str) -> Result<Effect, Fault> {
        let message: FromHouse =
            serde_json::from_str(text).map_err(|error| format!("{error} in {text}"))?;
        match message {
            FromHouse::Answer { id, ok, seq, refusal } => {
                return self.hear_answer(&id, ok, seq, refusal);
            }
            FromHouse::Table { about } => {
                // The table is watched anew, on this socket or another: its node may have changed.
                self.lose_touch();
                self.learn(&about)?;
            }
            FromHouse::Account(purse) if self.of_two.is_some() => {
                self.purse = amount(&purse.balance)?;
            }
            FromHouse::Account(purse) => {
                let balance = amount(&purse.balance)?;
                if self.base.is_some() && balance != self.holdings.account {
                    let known = self.holdings.account;
                    return Err(format!("the account holds {balance}, but should hold {known}"));
                }
                self.holdings.account = balance;
            }
            FromHouse::State { version, number, view } => {
                self.hear_state(version)?;
                (self.number, self.view) = (number, Some(view));
                // Its step may be in this view already.
                if let Some(asked) = &mut self.asked {
                    asked.again = true;
                }
                self.see()?;
                return Ok(Effect::Shown);
            }
            FromHouse::Event { version, events, number, change, .. } => {
                self.hear_event(version, &events)?;
                match change {
                    Some(change) => self.hear_change(number, *change)?,
                    None => self.lose_touch(),
                }
            }
            FromHouse::Change { version, number, change } => {
                self.hear_state(version)?;
                self.hear_change(number, *change)?;
            }
            FromHouse::Head { seq, hash } => self.head = Some((seq, hash)),
            FromHouse::Closing => return Ok(Effect::Closing),
            FromHouse::Away { refusal } => {
                return Err(format!("the house sent the player away: {}", refusal.sentence));
            }
            FromHouse::Hello { .. } | FromHouse::Session(_) | FromHouse::Lobby { .. } => {}
        }
        Ok(Effect::Told)
    }

    /// Forgets what cannot be known after the socket was closed; versions and commands are kept.
    pub(super) fn lose_touch(&mut self) {
        (self.base, self.told, self.in_round) = (None, None, None);
        (self.refused_at, self.expects_step) = (None, false);
    }

    fn learn(&mut self, about: &AboutTable) -> Result<(), Fault> {
        self.least_buy_in = amount(&about.buy_in.least)?;
        self.house.clone_from(&about.house);
        self.circles.clear();
        for circle in &about.circles {
            if let Some(opening) = &circle.opening {
                let least = amount(&opening.least)?;
                self.circles.push((circle.circle.to_string(), least, opening.required));
            }
        }
        Ok(())
    }

    fn hear_answer(
        &mut self,
        id: &str,
        ok: bool,
        seq: Option<u64>,
        refusal: Option<Box<Refusal>>,
    ) -> Result<Effect, Fault> {
        let asked = self.asked.take().filter(|asked| asked.id == id);
        let Some(asked) = asked else {
            return Err(format!("an answer to '{id}', which was never sent"));
        };
        let waited = asked.since.elapsed();
        match (refusal, ok) {
            (None, true) => {
                if let PendingCommand { id, what: Command::Player(what), again, .. } = asked {
                    self.expects_step = !again;
                    self.acknowledged.push(DoneCommand { id, what, seq });
                }
            }
            (Some(refusal), false) => {
                self.refused_at = self.version;
                // What the house could not do is tried again.
                if !TRIED_AGAIN.contains(&&*refusal.code) {
                    self.after_refusal(&asked.what);
                }
                self.refusals.push(format!("{} ({})", refusal.sentence, refusal.code));
            }
            _ => return Err("an answer that is neither yes nor no".to_owned()),
        }
        Ok(Effect::Answer { done: ok, waited })
    }

    /// A seat that is taken is tried no more, nor a wager that is not allowed now.
    fn after_refusal(&mut self, refused: &Command) {
        match refused {
            Command::Player(PlayerCommand::Sit { .. }) => {
                self.seat = self.seat % rules::wager::MOST_SEATS + 1
            }
            Command::Player(PlayerCommand::Wager { .. }) => self.sat_out = Some(self.open.round),
            _ => {}
        }
    }

    fn hear_state(&mut self, version: u64) -> Result<(), Fault> {
        match self.version {
            Some(known) if version < known => {
                return Err(format!("version {version} comes after {known}"));
            }
            // Something was shown that is no step, such as who is ready.
            Some(known) if version == known => {}
            _ => self.lose_touch(),
        }
        self.version = Some(version);
        Ok(())
    }

    fn hear_event(&mut self, version: u64, events: &[String]) -> Result<(), Fault> {
        match self.version {
            Some(known) if version == known + 1 => self.version = Some(version),
            known => return Err(format!("version {version} comes after {known:?}")),
        }
        let mut hash = FIRST_HASH;
        for line in events {
            self.hear_line(line)?;
            hash = hashed(hash, line);
        }
        self.steps.push((version, hash));
        Ok(())
    }

    fn hear_change(&mut self, number: u64, change: ViewChange) -> Result<(), Fault> {
        if number != self.number + 1 {
            return Err(format!("view {number} comes after {}", self.number));
        }
        self.number = number;
        self.view.as_mut().ok_or("a change before any view")?.take(change);
        self.see()
    }

    fn hear_line(&mut self, line: &str) -> Result<(), Fault> {
        // The results of the last round are cleared with its cards.
        let is_over = self.in_round == Some(false);
        let brings_cards = matches!(line.split(' ').next(), Some("spread" | "cut" | "burned"));
        if line == "bets-closed" || is_over && brings_cards {
            self.base = self.base.map(|base| base + self.holdings.gains);
            self.holdings.gains = Cents::ZERO;
        }
        if line == "bets-closed" {
            self.told = Some([0; INDICES]);
            self.shown.clear();
            self.in_round = Some(true);
        }
        if line == "settled" {
            self.in_round = Some(false);
        }
        if let Some(moved) = line.strip_prefix("moved ") {
            let words: Vec<&str> = moved.split(' ').collect();
            let [sum, "from", from, "to", to] = words[..] else {
                return Err(format!("'{line}' moves no money"));
            };
            let is_mine = |account: &str| account.strip_prefix("player:") == Some(&self.name);
            if is_mine(from) {
                self.holdings.account -= amount(sum)?;
            }
            if is_mine(to) {
                self.holdings.account += amount(sum)?;
            }
        }
        if let Some(shown) = line.strip_prefix("shown ") {
            self.shown.push(seat_and_hand(shown));
        }
        if let Some((seat, hand)) = line.strip_prefix("split ").map(seat_and_hand) {
            let later = self.shown.iter_mut().filter(|(at, number)| *at == seat && *number > hand);
            later.for_each(|(_, number)| *number += 1);
            if self.shown.contains(&(seat, hand)) {
                self.shown.push((seat, hand + 1));
            }
        }
        if let Some(told) = &mut self.told {
            let words = line.split(' ').filter(|word| word.len() == 2);
            for card in words.filter_map(|word| word.parse::<Card>().ok()) {
                told[card.index()] = told[card.index()].saturating_add(1);
            }
        }
        Ok(())
    }

    /// Looks at the table: what is open, and whether money and cards are as they were told.
    fn see(&mut self) -> Result<(), Fault> {
        let Some(view) = self.view.take() else { return Ok(()) };
        let seen = self.look_at(&view);
        self.view = Some(view);
        seen
    }

    fn look_at(&mut self, view: &View) -> Result<(), Fault> {
        self.expects_step = false;
        let own = view.me.and_then(|seat| view.seats.get(seat - 1));
        self.open = OpenChoices {
            round: view.round,
            betting: view.betting,
            seated: own.is_some(),
            ready: own.is_some_and(|seat| seat.ready),
            has_wager: own.is_some_and(|seat| !seat.wagers.is_empty()),
            asked_to_inspect: view.awaited.what == AwaitedWhat::Inspection
                && view.me.is_some_and(|seat| view.awaited.seats.contains(&seat)),
            mix: mix_step(view),
            cut: view.cut.as_ref().map(|cut| (cut.least, cut.most)),
            offers: view.offers.iter().map(offered).collect(),
            choice: view.choices.first().map(|choice| choice.choice.to_string()),
        };
        if self.in_round.is_none() && view.betting {
            self.in_round = Some(false);
        }
        let mut now = Holdings { account: self.holdings.account, ..Holdings::default() };
        if let Some(seat) = own {
            now.rack = seat.rack.as_deref().map_or(Ok(Cents::ZERO), amount)?;
            let in_round = self.in_round == Some(true);
            for wager in seat.wagers.iter().filter(|wager| in_round && !wager.free) {
                now.layout += amount(&wager.amount)?;
            }
            for result in &seat.results {
                now.gains += amount(&result.gain)?;
            }
        }
        self.check_money(now)?;
        self.check_cards(view)
    }

    /// Account, rack and layout are what they were, and what was won and lost since.
    fn check_money(&mut self, now: Holdings) -> Result<(), Fault> {
        // Who leaves takes the chips along, and the results of the seat are no longer shown.
        let has_left = self.holdings.rack + self.holdings.layout > Cents::ZERO && !self.open.seated;
        let accounted = now.all() - now.gains;
        if let Some(base) = self.base.filter(|_| !has_left)
            && accounted != base
        {
            let (account, rack, layout, gains) = (now.account, now.rack, now.layout, now.gains);
            return Err(format!(
                "account {account}, rack {rack} and layout {layout} after gains of {gains}: \
                 {base} was there before"
            ));
        }
        self.base = self.in_round.is_some().then_some(accounted);
        self.holdings = now;
        Ok(())
    }

    /// No face lies there that was not told, or shown with its hand.
    fn check_cards(&mut self, view: &View) -> Result<(), Fault> {
        let mut seen = [0; INDICES];
        let seats = (1..).zip(view.seats.iter());
        let hands = seats.flat_map(|(seat, view)| {
            (1..).zip(&view.hands).map(move |(number, hand)| ((seat, number), hand))
        });
        let hidden = hands.filter(|(at, _)| !self.shown.contains(at)).flat_map(|(_, hand)| hand);
        for word in hidden.chain(&view.dealer).filter(|word| **word != "??") {
            let card: Card = word.parse().map_err(|_| format!("'{word}' is not a card"))?;
            seen[card.index()] += 1;
        }
        let told = self.told.get_or_insert(seen);
        match seen.iter().zip(&*told).position(|(seen, told)| seen > told) {
            Some(at) => {
                let card = Card::DECK.into_iter().find(|card| card.index() == at);
                let card = card.map_or("a card".to_owned(), |card| card.to_string());
                Err(format!("{card} is shown but was not announced"))
            }
            None => Ok(()),
        }
    }

    /// What the player does now; nothing where nothing is to be done before the next step.
    pub(super) fn wish(&mut self) -> Option<PlayerCommand> {
        let waits = self.asked.is_some() || self.expects_step;
        if waits || (self.refused_at.is_some() && self.refused_at == self.version) {
            return None;
        }
        if !self.open.seated {
            let (seat, behind) = (self.seat, false);
            return (!self.goes_home).then_some(PlayerCommand::Sit { seat, behind });
        }
        if let Some(added) = self.open.mix.clone().and_then(|step| self.add(&step)) {
            return Some(added);
        }
        if let Some((least, most)) = self.open.cut {
            let at = least + self.numbers.below(most - least + 1);
            return Some(PlayerCommand::Cut { at: Some(at) });
        }
        if let Some(choice) = self.open.choice.clone() {
            return Some(PlayerCommand::Choose { choice });
        }
        if self.open.asked_to_inspect {
            return Some(PlayerCommand::Inspect);
        }
        if self.is_asked() {
            return Some(self.decision());
        }
        if self.goes_home {
            return self.way_home();
        }
        let bets = self.plays && self.open.betting && !self.open.ready;
        if bets { self.next_wager() } else { None }
    }

    /// Commits to bytes for the order of a shoe, and opens them once the closed list has them.
    fn add(&mut self, step: &MixStep) -> Option<PlayerCommand> {
        let seal: Seal = step.seal.parse().ok()?;
        let bytes = match &self.contribution {
            Some((of, bytes)) if *of == step.seal => *bytes,
            _ => self.numbers.bytes().parse().ok()?,
        };
        self.contribution = Some((step.seal.clone(), bytes));
        let place = CommitmentPlace {
            house: &self.house,
            table: &self.table,
            shoe: step.shoe,
            seal: &seal,
            seat: Bettor::read(&step.at)?,
        };
        let commitment = place.commitment(&bytes).to_string();
        match step.stage {
            MixStage::Commit => Some(PlayerCommand::Commit { commitment: Some(commitment) }),
            _ if step.listed.contains(&commitment) => {
                Some(PlayerCommand::Open { bytes: bytes.to_string() })
            }
            _ => None,
        }
    }

    fn decision(&mut self) -> PlayerCommand {
        let (at, call, amount) =
            self.open.offers[self.numbers.below(self.open.offers.len())].clone();
        PlayerCommand::Act { call, amount, hand: None, at: Some(at) }
    }

    fn way_home(&self) -> Option<PlayerCommand> {
        match (self.open.betting, self.open.has_wager) {
            (true, true) => Some(PlayerCommand::Clear { at: None }),
            _ if self.in_round == Some(true) => None,
            _ => Some(PlayerCommand::Leave { at: None }),
        }
    }

    /// Chips, a wager, and then the word that it is all.
    fn next_wager(&mut self) -> Option<PlayerCommand> {
        if self.open.has_wager || self.sat_out == Some(self.open.round) {
            return Some(PlayerCommand::Ready);
        }
        let needed = self.circles.iter().filter(|(_, _, required)| *required);
        let needed: Cents = needed.map(|(_, least, _)| *least).sum();
        if self.holdings.rack < needed {
            let sum = match self.of_two {
                None => self.holdings.account.min(BUY_IN),
                Some(_) => self.purse.min(BUY_IN_OF_TWO),
            };
            self.goes_home = sum < self.least_buy_in;
            return (!self.goes_home).then(|| PlayerCommand::BuyIn { amount: sum.to_string() });
        }
        let (mut amounts, mut left) = (Vec::new(), self.holdings.rack - needed);
        let with_side = self.numbers.below(10) < SIDE_BETS as usize;
        for (circle, least, required) in &self.circles {
            let is_chosen = *required || (with_side && *least <= left);
            if is_chosen {
                left = if *required { left } else { left - *least };
                amounts.push(OnCircle { circle: circle.clone(), amount: least.to_string() });
            }
        }
        Some(PlayerCommand::Wager { amounts, at: None })
    }
}

/// What the table waits for from the viewer, for the order of the cards.
fn mix_step(view: &View) -> Option<MixStep> {
    let mix = view.mix.as_ref().filter(|mix| mix.answered == Some(false))?;
    let (shoe, at) = (view.shoe.as_ref()?, view.mine.first()?);
    Some(MixStep {
        stage: mix.stage,
        shoe: shoe.number,
        seal: shoe.seal.clone(),
        at: at.clone(),
        listed: mix.list.iter().map(|one| one.commitment.clone()).collect(),
    })
}

fn offered(offer: &Offer) -> (String, String, Option<String>) {
    let amount = offer.amounts.as_ref().filter(|amounts| amounts.required);
    let amount = amount.map(|amounts| amounts.least.to_owned());
    (offer.at.clone(), offer.call.to_string(), amount)
}

/// `7`, or `7 2` for a second hand; counted from 1.
fn seat_and_hand(words: &str) -> (usize, usize) {
    let mut words = words.split(' ').map(|word| word.parse().unwrap_or(0));
    (words.next().unwrap_or(0), words.next().unwrap_or(1))
}

fn amount(word: &str) -> Result<Cents, Fault> {
    word.parse().map_err(|_| format!("'{word}' is not an amount"))
}

/// The hash of no line (FNV-1a).
pub(super) const FIRST_HASH: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of one more line.
pub(super) fn hashed(hash: u64, line: &str) -> u64 {
    let letters = line.bytes().chain([b'\n']);
    letters.fold(hash, |hash, letter| (hash ^ u64::from(letter)).wrapping_mul(0x0100_0000_01b3))
}
