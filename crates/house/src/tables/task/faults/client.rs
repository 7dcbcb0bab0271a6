//! A client on a network that it cannot trust: sends again what was not answered, and asks again for
//! what it missed.

use tokio::sync::mpsc;
use tokio::time::Instant;

use audit::mix::CommitmentPlace;
use rules::table::Seal;
use rules::wager::Bettor;
use wire::{
    AboutTable, AwaitedWhat, FromHouse, MixStage, OnCircle, PlayerCommand, View, ViewChange,
};

use super::numbers::Numbers;
use crate::metrics::Metrics;
use crate::people::Person;
use crate::tables::outbox::Outbox;

/// A command of which the answer is still to come.
#[derive(Clone)]
pub(super) struct Pending {
    pub(super) id: String,
    pub(super) what: PlayerCommand,
}

pub(super) struct Client {
    pub(super) who: Person,
    /// The table, by its place in the house.
    pub(super) table: usize,
    pub(super) socket: u64,
    pub(super) to: Outbox,
    pub(super) hears: mpsc::Receiver<FromHouse>,
    pub(super) version: Option<u64>,
    pub(super) view: Option<Box<View>>,
    /// The number of that view on this socket.
    pub(super) number: u64,
    pub(super) about: Option<Box<AboutTable>>,
    pub(super) pending: Option<Pending>,
    pub(super) sent: u32,
    pub(super) acknowledged: Vec<(Pending, Option<u64>)>,
    pub(super) heads: Vec<(u64, String)>,
    pub(super) wakes: Instant,
    pub(super) numbers: Numbers,
    seat: usize,
    bet_in: Option<u32>,
    plays: bool,
}

impl Client {
    pub(super) fn new(who: Person, table: usize, seat: usize, numbers: Numbers) -> Client {
        let (to, hears) = Outbox::new(&Metrics::default());
        Client {
            who,
            table,
            socket: 0,
            to,
            hears,
            version: None,
            view: None,
            number: 0,
            about: None,
            pending: None,
            sent: 0,
            acknowledged: Vec::new(),
            heads: Vec::new(),
            wakes: Instant::now(),
            numbers,
            seat,
            bet_in: None,
            plays: seat > 0,
        }
    }

    /// A new socket; what was on its way on the old one is gone.
    pub(super) fn connect(&mut self, socket: u64) {
        self.socket = socket;
        self.number = 0;
        (self.to, self.hears) = Outbox::new(&Metrics::default());
    }

    /// Takes a message, and tells whether steps are missing.
    pub(super) fn hear(&mut self, message: FromHouse) -> bool {
        match message {
            FromHouse::Answer { id, ok, seq, .. } => self.hear_answer(&id, ok, seq),
            FromHouse::Table { about } => self.about = Some(about),
            FromHouse::State { version, number, view }
                if self.version.is_none_or(|known| version >= known) && number > self.number =>
            {
                (self.version, self.number, self.view) = (Some(version), number, Some(view));
            }
            FromHouse::Event { version, number, change, .. } => {
                let known = self.version.unwrap_or(0);
                if version > known + 1 || self.version.is_none() {
                    return true;
                }
                // Otherwise it came before, on another way.
                if version == known + 1 {
                    if change.is_some() && number != self.number + 1 {
                        return true;
                    }
                    self.version = Some(version);
                    self.take(number, change);
                }
            }
            FromHouse::Change { number, change, .. } if number > self.number => {
                if number != self.number + 1 || self.view.is_none() {
                    return true;
                }
                self.take(number, Some(change));
            }
            FromHouse::Head { seq, hash } => self.heads.push((seq, hash)),
            _ => {}
        }
        false
    }

    /// Takes over what changed in the view.
    pub(super) fn take(&mut self, number: u64, change: Option<Box<ViewChange>>) {
        if let (Some(view), Some(change)) = (&mut self.view, change) {
            view.take(*change);
            self.number = number;
        }
    }

    pub(super) fn hear_answer(&mut self, id: &str, ok: bool, seq: Option<u64>) {
        let before = self.acknowledged.iter().find(|(done, _)| done.id == id);
        if let Some((done, first)) = before.filter(|_| ok) {
            // What was done stays done, and a refusal of an earlier try may come late.
            assert_eq!(seq, *first, "{id} {:?}", done.what);
        }
        let Some(pending) = self.pending.take_if(|pending| pending.id == id) else { return };
        if ok {
            self.acknowledged.push((pending, seq));
        }
    }

    /// What the client sends next: what has no answer, or something new.
    pub(super) fn speaks(&mut self) -> Option<Pending> {
        if self.pending.is_none() {
            let what = match self.numbers.happens(40) {
                true => self.nonsense(),
                false => self.wish()?,
            };
            self.sent += 1;
            let id = format!("{}-{}", self.who.name, self.sent);
            self.pending = Some(Pending { id, what });
        }
        self.pending.clone()
    }

    /// Something that may be refused: not now, not here, not so much.
    fn nonsense(&mut self) -> PlayerCommand {
        match self.numbers.below(8) {
            0 => PlayerCommand::BuyIn { amount: "5000".to_owned() },
            1 => PlayerCommand::Cut { at: Some(self.numbers.below(400)) },
            2 => {
                PlayerCommand::Act { call: "double".to_owned(), amount: None, hand: None, at: None }
            }
            3 => PlayerCommand::Sit { seat: self.numbers.below(9), behind: false },
            4 => PlayerCommand::Clear { at: None },
            5 => PlayerCommand::Leave { at: None },
            6 => PlayerCommand::Inspect,
            _ => PlayerCommand::Wager { amounts: Vec::new(), at: Some("9z".to_owned()) },
        }
    }

    fn wish(&mut self) -> Option<PlayerCommand> {
        let (view, about) = (self.view.as_ref()?, self.about.as_ref()?);
        if !self.plays {
            return None;
        }
        let Some(me) = view.me else {
            return Some(PlayerCommand::Sit { seat: self.seat, behind: false });
        };
        if let Some(cut) = &view.cut {
            let at = cut.least + self.numbers.below(cut.most - cut.least + 1);
            return Some(PlayerCommand::Cut { at: Some(at).filter(|_| !at.is_multiple_of(5)) });
        }
        if !view.offers.is_empty() {
            let offer = &view.offers[self.numbers.below(view.offers.len())];
            let amount = offer.amounts.as_ref().filter(|amounts| amounts.required);
            let amount = amount.map(|amounts| amounts.least.clone());
            let (call, at) = (offer.call.to_string(), Some(offer.at.clone()));
            return Some(PlayerCommand::Act { call, amount, hand: None, at });
        }
        if view.awaited.what == AwaitedWhat::Inspection {
            return Some(PlayerCommand::Inspect);
        }
        if let Some(mix) = view.mix.as_ref().filter(|mix| mix.answered == Some(false)) {
            // The same again for the same shoe, also after a reload.
            let shoe = view.shoe.as_ref()?;
            let bytes = Seal([u8::try_from(shoe.number % 256).unwrap(); 32]);
            let place = CommitmentPlace {
                house: &about.house,
                table: &about.table,
                shoe: shoe.number,
                seal: &shoe.seal.parse().unwrap(),
                seat: Bettor::read(&view.mine[0]).unwrap(),
            };
            return Some(match mix.stage {
                MixStage::Commit => {
                    PlayerCommand::Commit { commitment: Some(place.commitment(&bytes).to_string()) }
                }
                _ => PlayerCommand::Open { bytes: bytes.to_string() },
            });
        }
        let seat = &view.seats[me - 1];
        if !view.betting || seat.ready {
            return None;
        }
        if seat.rack.as_deref() == Some("0") {
            return Some(PlayerCommand::BuyIn { amount: "200".to_owned() });
        }
        if !seat.wagers.is_empty() || self.bet_in == Some(view.round) {
            return Some(PlayerCommand::Ready);
        }
        self.bet_in = Some(view.round);
        if self.numbers.happens(60) {
            return Some(PlayerCommand::Leave { at: None });
        }
        let mut amounts = Vec::new();
        for circle in &about.circles {
            if let Some(opening) = &circle.opening
                && (opening.required || self.numbers.happens(400))
            {
                let (circle, amount) = (circle.circle.to_string(), opening.least.clone());
                amounts.push(OnCircle { circle, amount });
            }
        }
        Some(PlayerCommand::Wager { amounts, at: None })
    }
}
