//! What a table is asked by clients and by the floor, and how it answers.

use std::collections::BTreeSet;

use rules::money::Cents;
use rules::table::{Input, Name, Table, TableAwaits, TableRefusal};
use rules::wager::Bettor;
use tokio::sync::oneshot;

use wire::{FromHouse, OrdersView, Refusal, SupervisorCommand};

use super::orders::in_view;
use super::tell::moment;
use super::write::Extra;
use super::{
    Ask, Decision, Done, MOST_ASKING, NotDone, Published, Question, TableTask, Viewer, Waiting,
    known, turn_away, unix_time,
};
use crate::analysis::Position;
use crate::failpoints::{Failpoint, reach};
use crate::people::Person;
use crate::store::{Append, Command, HeldBack, Risk, StoreError, TableStore};
use crate::tables::chips::Holding;
use crate::tables::commands::{self, Decree, Meaning, TableCommand, places};
use crate::tables::live::Live;
use crate::tables::refusals;
use crate::tables::{about, asks};

impl<A: TableStore> TableTask<A> {
    /// Does what is asked, and answers.
    pub(super) async fn take(&mut self, ask: Ask) -> Result<(), StoreError> {
        match ask {
            Ask::Watch { viewer, id, from } => {
                if self.is_behind(from).await? {
                    viewer.to.watch_again();
                    return Err(StoreError::Owned);
                }
                self.watch(viewer, id, from).await;
            }
            Ask::Unwatch { socket, player } => {
                self.viewers.retain(|viewer| viewer.socket != socket);
                self.recheck_clock();
                if self.forget_who_asked() || self.is_away(&player) {
                    self.show();
                }
            }
            // Who leaves is seen to after every message.
            Ask::LookAround | Ask::BooksDiffer | Ask::Close { .. } | Ask::HandOver { .. } => {}
            Ask::Published(answer) => {
                let (opened, last) = (self.live.public, self.live.head().seq);
                let _ = answer.send(Published { opened, last });
            }
            Ask::Positions { player, answer } => {
                let Live { table, seen, seen_since, .. } = &self.live;
                let question = Question {
                    round: table.rounds_played() + 1,
                    positions: Position::of(table, seen, &player),
                    shoe: table.shoe().map_or(0, |shoe| shoe.number),
                    seen_since: *seen_since,
                    moment: moment(table),
                    now: self.moment.clone(),
                };
                drop(answer.send(question));
            }
            Ask::Closed { player, answer } => {
                drop(answer.send(asks::closed(&self.live.table, &player)));
            }
            Ask::Command { socket, id, to, .. } if !self.is_shown_to(socket) => {
                to.refuse(id, refusals::not_watching());
            }
            Ask::Command { who, id, what, to, .. } => {
                let answer = |id, done| match done {
                    Ok(seq) => to.done(id, seq),
                    Err(refusal) => to.refuse(id, refusal),
                };
                return self.command(who, id, what, answer).await;
            }
            Ask::Decide { who, what, answer } => return self.decides(who, what, answer).await,
        }
        Ok(())
    }

    /// Whether somebody has seen more of the table than there is here, because another node owns it by now:
    /// this one was paused.
    async fn is_behind(&self, from: Option<u64>) -> Result<bool, StoreError> {
        let has_seen_more = from.is_some_and(|from| from > self.live.version);
        if !has_seen_more || !self.means.is_of_a_node {
            return Ok(false);
        }
        Ok(self.means.store.epoch(&self.name).await? != Some(self.epoch))
    }

    /// Carries out what a supervisor decides, and tells what may be decided then.
    pub(super) async fn decides(
        &mut self,
        who: Person,
        what: Option<(String, SupervisorCommand)>,
        answer: oneshot::Sender<Decision>,
    ) -> Result<(), StoreError> {
        let mut done = Ok(None);
        if let Some((id, what)) = what {
            let what = TableCommand::Supervisor(what);
            self.command(who.clone(), id, what, |_, answer| done = answer).await?;
        }
        let mut waiting = Vec::new();
        match self.means.store.waiting_corrections(&self.name).await {
            Ok(rows) => waiting.extend(rows.iter().filter_map(in_view)),
            Err(error) => {
                tracing::error!(table = self.name, what = "store", why = %error, "the waiting corrections cannot be read");
                done = done.and(Err(refusals::not_read()));
            }
        }
        let view = self.view(&who);
        let now = OrdersView {
            table: self.name.clone(),
            seq: done.as_ref().ok().copied().flatten(),
            round: view.round,
            awaited: view.awaited.what,
            outcomes: view.outcomes,
            prompt: view.prompt,
            kinds: about::kinds(self.live.table.sheet().game()),
            waiting,
        };
        let _ = answer.send(Decision { done, now });
        Ok(())
    }

    /// Says what is whose here, before anybody is answered who might ask.
    pub(super) fn note_holdings(&mut self) {
        let (table, felt) = (&self.live.table, &self.live.felt);
        let in_play = |bettor| table.round().map_or(Cents::ZERO, |_| felt.staked(bettor));
        let mut now: Vec<(Name, Holding)> = Vec::with_capacity(self.holding.len());
        for (bettor, chair) in table.everyone() {
            let (rack, staked) = (chair.rack, in_play(bettor));
            match now.iter_mut().find(|(name, _)| *name == chair.player) {
                Some((_, holding)) => {
                    holding.rack += rack;
                    holding.staked += staked;
                }
                None => now.push((chair.player.clone(), Holding { rack, staked })),
            }
        }
        if now != self.holding {
            self.means.holdings.set(&self.name, &self.holding, &now);
            self.holding = now;
        }
    }

    /// Whether a socket watches, which it does not where that was refused.
    pub(super) fn is_shown_to(&self, socket: u64) -> bool {
        self.viewers.iter().any(|viewer| viewer.socket == socket)
    }

    /// Shows the table: what was missed since a version, or else all of it.
    pub(super) async fn watch(&mut self, viewer: Viewer, id: String, from: Option<u64>) {
        self.viewers.retain(|other| other.socket != viewer.socket && other.to.is_open());
        let has_place =
            |player: &Name| self.live.table.everyone().any(|(_, chair)| chair.player == *player);
        if self.viewers.len() >= self.means.viewers && !has_place(&viewer.who.name) {
            let refusal =
                Refusal::by_house("too-many-spectators", "The spectator limit is reached.");
            return viewer.to.refuse(id, refusal);
        }
        let (socket, who, to) = (viewer.socket, viewer.who.clone(), viewer.to.clone());
        let is_back = self.is_away(&who.name);
        self.viewers.push(viewer);
        self.recheck_clock();
        to.done(id, None);
        to.send(FromHouse::Table { about: Box::new(self.about()) });
        if let Some(account) = self.account(&who.name).await {
            to.send(account);
        }
        let missed = from.and_then(|from| self.live.version.checked_sub(from)).unwrap_or(u64::MAX);
        if let Ok(missed @ 1..) = usize::try_from(missed)
            && missed <= self.live.steps.len()
        {
            for step in self.live.steps.range(self.live.steps.len() - missed..) {
                to.send(step.told(self.live.table.sheet(), &who.name, None));
            }
        }
        let view = self.view(&who);
        let mut number = 0;
        if let Some(viewer) = self.viewers.iter_mut().find(|viewer| viewer.socket == socket) {
            (viewer.number, viewer.shown) = (viewer.number + 1, Some(view.clone()));
            number = viewer.number;
        }
        to.send(self.state(number, view));
        to.send(self.head());
        if is_back {
            self.show_to(|viewer| viewer.who.name != who.name);
        }
    }

    /// Carries out a command once, answers, and announces what came of it.
    ///
    /// Whether it was carried out before is asked only where it is refused now: the store takes no id
    /// twice. Where that cannot be read, a node answers nobody and its table stands still: what another
    /// node has written meanwhile may be that command.
    pub(super) async fn command(
        &mut self,
        who: Person,
        id: String,
        what: TableCommand,
        answer: impl FnOnce(String, Result<Option<u64>, Refusal>),
    ) -> Result<(), StoreError> {
        let asks = what.in_one_line(&self.name);
        let command = Command { player: who.name.clone(), id, asks };
        match self.carry_out(&who, &command, what).await {
            Ok(Done::Step(seq)) => {
                reach(Failpoint::BeforeReply);
                answer(command.id, Ok(Some(seq)));
                self.announce().await;
            }
            Ok(Done::Aside) => {
                answer(command.id, Ok(None));
                self.set_clock();
                self.show();
            }
            Err(NotDone::Lost(error)) => {
                self.unsure = Some(command.id);
                return Err(error);
            }
            Err(not_done) => {
                self.note_wagers();
                let done = match known(&self.means.store, &command).await {
                    Ok(Some(done)) => done,
                    Ok(None) => Err(self.in_words(not_done)),
                    Err(error) if self.means.is_of_a_node => {
                        self.unsure = Some(command.id);
                        return Err(error);
                    }
                    Err(error) => {
                        tracing::error!(table = self.name, what = "store", why = %error, "the store cannot be read, so a command is refused");
                        Err(refusals::not_read())
                    }
                };
                answer(command.id, done);
            }
        }
        Ok(())
    }

    /// Answers while nothing can be written. A command is refused only where it was certainly not carried
    /// out; otherwise its client waits, and asks again when the table goes on.
    pub(super) async fn turn_away(&self, ask: Ask, waiting: &mut Waiting) {
        let is_unsure = |id: &String| self.means.is_of_a_node || self.unsure.as_ref() == Some(id);
        match ask {
            Ask::Command { id, to, .. } if is_unsure(&id) => waiting.add(to),
            ask => turn_away(&self.name, &self.means.store, ask, waiting).await,
        }
    }

    /// Puts a command to the table.
    async fn carry_out(
        &mut self,
        who: &Person,
        command: &Command,
        what: TableCommand,
    ) -> Result<Done, NotDone> {
        let (table, custody) = (&self.live.table, &self.live.custody);
        let input = match what {
            TableCommand::Player(what) => match commands::by_player(table, custody, who, what)? {
                Meaning::Input(input) => input,
                Meaning::Ready => return self.take_ready(command).await,
                Meaning::Ask { seat } => return self.take_question(command, seat).await,
                Meaning::Commit { commitment } => {
                    return self.take_commitment(&who.name, commitment);
                }
                Meaning::Open { bytes } => return self.take_opening(&who.name, bytes),
                Meaning::Company { players } => {
                    return self.take_company(who, command, players).await;
                }
                Meaning::NameCut { bettor, at } => return self.take_cut(bettor, at),
            },
            TableCommand::Supervisor(what) => match commands::by_supervisor(table, who, what)? {
                Decree::Input(input) => {
                    let corrected = self.may_correct(&input).await?;
                    if self.needs_a_second(&input, corrected) {
                        return self.ask_for_a_second(command, &input).await;
                    }
                    self.with_true_card(input)
                }
                Decree::Correction { id, is_approved } => {
                    return self.decide_correction(who, command, id, is_approved).await;
                }
                Decree::Unseat { bettor, because } => {
                    return self.take_unseating(command, bettor, &because).await;
                }
            },
            TableCommand::Dealer(what) => {
                let input = commands::by_dealer(table, self.means.physical, who, what)?;
                // The log says whose hands the cards were in: only who is named there enters them.
                if table.dealer().is_none() && table.round().is_none() {
                    let dealer = Input::Dealer { name: who.name.clone(), by: None };
                    self.does(&dealer).await.map_err(NotDone::Lost)?;
                }
                input
            }
        };
        self.allow(&who.name, &input).await?;
        let command = Some(command.clone());
        self.put(&input, Extra { command, ..Extra::default() }).await.map(Done::Step)
    }

    /// Refuses chips and wagers where a player's own limit forbids them. What is decided in a round
    /// is never held back.
    async fn allow(&self, player: &Name, input: &Input) -> Result<(), Refusal> {
        let wagers = match input {
            Input::BuyIn { .. } | Input::Sit { .. } => None,
            Input::Wager { bettor, amounts } => {
                let chairs = self.live.table.everyone();
                let others = chairs.filter(|(at, chair)| at != bettor && chair.player == *player);
                let wagers = others.flat_map(|(_, chair)| chair.wager.iter());
                Some(wagers.chain(amounts).map(|(_, amount)| *amount).sum())
            }
            _ => return Ok(()),
        };
        let allowed = self.means.store.allow(player, &self.name, wagers, unix_time()).await;
        allowed.map_err(|held| match held {
            HeldBack::Limit(limit) => refusals::by_own_limit(limit),
            HeldBack::Barrier(barrier) => refusals::by_barrier(barrier),
            HeldBack::Renamed => Refusal::by_house(
                "account-in-progress",
                "Your account is being created. Try again in a moment.",
            ),
            HeldBack::Store(error) => {
                tracing::error!(table = self.name, what = "store", why = %error, "a player's limits cannot be read");
                refusals::not_read()
            }
        })
    }

    /// Notes what lies here before the deal, for tables elsewhere that hold a player to a limit.
    pub(super) fn note_wagers(&self) {
        self.means.store.note_wagers(&self.name, &mut before_the_deal(&self.live.table));
    }

    /// What an input changes of what lies here before the deal, of players who have a limit.
    pub(super) fn risks(&self, after: &Table) -> Vec<Risk> {
        let of = |table, player: &Name| -> Cents {
            let own = before_the_deal(table).filter(|(name, _)| name == player);
            own.map(|(_, amount)| amount).sum()
        };
        let before = &self.live.table;
        let people = before_the_deal(before).chain(before_the_deal(after)).map(|(name, _)| name);
        let limited: BTreeSet<Name> =
            people.filter(|name| self.means.store.has_limits(name)).collect();
        let risks = limited.into_iter().filter_map(|person| {
            let (was, amount) = (of(before, &person), of(after, &person));
            (was != amount).then(|| Risk { person, amount, is_more: amount > was })
        });
        risks.collect()
    }

    /// Notes that no further wager of a player comes.
    async fn take_ready(&mut self, command: &Command) -> Result<Done, NotDone> {
        self.may_be_ready(&command.player)?;
        self.note_command(command).await?;
        if !self.ready.contains(&command.player) {
            self.ready.push(command.player.clone());
        }
        Ok(Done::Aside)
    }

    /// Notes that somebody asks to bet on a box.
    async fn take_question(&mut self, command: &Command, seat: usize) -> Result<Done, NotDone> {
        let seat = self.may_ask(seat, &command.player)?;
        self.note_command(command).await?;
        self.asking.push((seat, command.player.clone()));
        Ok(Done::Aside)
    }

    /// Writes down that a command was carried out which is no input: it is done once like any other.
    pub(super) async fn note_command(&self, command: &Command) -> Result<(), NotDone> {
        let (table, epoch, command) = (self.name.clone(), self.epoch, Some(command.clone()));
        self.note(Append { table, epoch, command, ..Append::default() }).await
    }

    /// Writes down what is no input.
    pub(super) async fn note(&self, append: Append) -> Result<(), NotDone> {
        self.means.store.append(append).await.map_err(|error| match error {
            StoreError::Repeated => NotDone::Repeated,
            StoreError::Changed => refusals::no_such_correction().into(),
            error => {
                tracing::error!(table = self.name, what = "commit", why = %error, "a command cannot be saved");
                NotDone::Failed(error)
            }
        })
    }

    /// Refuses *ready* of whoever has no wager and can place none now.
    pub(super) fn may_be_ready(&self, player: &Name) -> Result<(), NotDone> {
        let table = &self.live.table;
        let mine = places(table, player);
        if mine.is_empty() {
            return Err(refusals::not_seated().into());
        }
        let refusal = match table.awaits() {
            TableAwaits::Wagers if self.has_part(player) => return Ok(()),
            TableAwaits::Wagers => {
                asks::may_bet_next(table, &mine).err().unwrap_or(TableRefusal::NothingBought)
            }
            awaits => TableRefusal::NotAwaited { awaits },
        };
        Err(refusal.into())
    }

    /// The box that somebody may ask to bet on; refuses what the table would refuse later.
    pub(super) fn may_ask(&self, seat: usize, player: &Name) -> Result<usize, NotDone> {
        let refused = |code, sentence: &str| Err(Refusal::by_house(code, sentence).into());
        let table = &self.live.table;
        let host = seat.checked_sub(1).and_then(|seat| table.first_on_box(seat));
        let Some(host) = host else {
            return refused("box-is-free", "Nobody has this box. Take it yourself.");
        };
        let seat = host.seat();
        if table.chair(host).is_some_and(|chair| chair.player == *player) {
            return refused("box-is-yours", "This box is yours.");
        }
        if self.asking.contains(&(seat, player.clone())) {
            return refused("asked-before", "You have already asked.");
        }
        if self.asking.len() == MOST_ASKING {
            return refused(
                "too-many-ask",
                "Too many people are asking at this table. Try again later.",
            );
        }
        let consent = Input::Consent { seat, player: player.clone() };
        table.clone().apply(&consent, &mut Vec::new())?;
        Ok(seat)
    }

    /// Forgets who asked and is gone, or has come to the table, or whose host is gone.
    /// Tells whether there was somebody.
    pub(super) fn forget_who_asked(&mut self) -> bool {
        let asking = std::mem::take(&mut self.asking);
        let table = &self.live.table;
        let still = |(seat, player): &(usize, Name)| {
            let sits = |bettor: &Bettor| bettor.seat() == *seat;
            table.first_on_box(*seat).is_some()
                && self.is_here(player)
                && !places(table, player).iter().any(sits)
        };
        let were = asking.len();
        self.asking = asking.into_iter().filter(still).collect();
        self.asking.len() < were
    }

    pub(super) fn in_words(&self, not_done: NotDone) -> Refusal {
        let game = self.live.table.sheet().game();
        match not_done {
            NotDone::Table(refusal) => refusals::by_table(refusal, game),
            NotDone::House(refusal) => refusal,
            NotDone::Overdrawn => refusals::by_clause(
                "overdrawn",
                "G-07",
                "You do not have that much in your account.",
            ),
            NotDone::Repeated => Refusal::by_house("id-used", "This id was used before."),
            NotDone::MeterMoved | NotDone::Failed(_) | NotDone::Lost(_) => refusals::not_written(),
        }
    }
}

/// The wagers that lie at a table before the deal, by place.
fn before_the_deal(table: &Table) -> impl Iterator<Item = (Name, Cents)> {
    let chairs = table.everyone().filter(|_| table.round().is_none());
    chairs.filter(|(_, chair)| !chair.wager.is_empty()).map(|(_, chair)| {
        (chair.player.clone(), chair.wager.iter().map(|(_, amount)| *amount).sum())
    })
}
