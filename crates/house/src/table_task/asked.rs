//! What a table is asked by clients and by the floor, and how it answers.

use rules::money::Cents;
use rules::table::{Input, Name, TableAwaits, TableRefusal};
use rules::wager::Bettor;
use tokio::sync::oneshot;

use super::{Ask, Chips, Decision, MOST_ASKING, NotDone, TableTask, Viewer, unix_time};
use crate::archive::Archive;
use crate::commands::{self, not_seated, places};
use crate::dealer::Due;
use crate::felt;
use crate::role::Person;
use crate::socket::{Outbox, not_watching};
use crate::store::{Append, Command, Known, StoreError};
use crate::wire::{Do, FromHouse, OrdersView, Refused};

impl<A: Archive> TableTask<A> {
    /// Does what is asked, and answers.
    pub(super) async fn take(&mut self, ask: Ask) -> Result<(), StoreError> {
        match ask {
            Ask::Watch { viewer, id, from } => self.watch(viewer, id, from).await,
            Ask::Unwatch { socket, player } => {
                self.viewers.retain(|viewer| viewer.socket != socket);
                // Who is gone keeps nobody waiting.
                if let Some((_, Due::Deal | Due::Mix)) = self.clock {
                    self.set_clock();
                }
                if self.forget_who_asked() || self.is_away(&player) {
                    self.show();
                }
            }
            Ask::Chips { player, answer } => drop(answer.send(self.chips(&player))),
            Ask::Public(answer) => drop(answer.send(self.live.public)),
            Ask::Command { socket, id, to, .. } if !self.is_shown_to(socket) => {
                to.send(FromHouse::refused(id, not_watching()));
            }
            Ask::Command { who, id, what, to, .. } => {
                return self.command(who, id, what, &to).await;
            }
            Ask::Decide { who, what, answer } => return self.decides(who, what, answer).await,
        }
        Ok(())
    }

    /// Carries out what a supervisor decides, and tells what may be decided then.
    pub(super) async fn decides(
        &mut self,
        who: Person,
        what: Option<(String, Do)>,
        answer: oneshot::Sender<Decision>,
    ) -> Result<(), StoreError> {
        let mut done = Ok(None);
        if let Some((id, what)) = what {
            let (to, mut waiting) = Outbox::new();
            self.command(who.clone(), id, what, &to).await?;
            done = match waiting.try_recv() {
                Ok(FromHouse::Answer { ok: true, seq, .. }) => Ok(seq),
                Ok(FromHouse::Answer { refusal: Some(refusal), .. }) => Err(refusal),
                _ => Err(self.in_words(NotDone::Failed)),
            };
        }
        let view = self.view(&who);
        let now = OrdersView {
            table: self.name.clone(),
            seq: done.as_ref().ok().copied().flatten(),
            round: view.round,
            awaited: view.awaited.what,
            outcomes: view.outcomes,
            said: view.said,
            kinds: felt::kinds(self.live.table.sheet().game()),
        };
        let _ = answer.send(Decision { done, now });
        Ok(())
    }

    /// What is somebody's here, where they have a place.
    pub(super) fn chips(&self, player: &Name) -> Option<Chips> {
        let (table, felt) = (&self.live.table, &self.live.felt);
        let racks = table.everyone().filter(|(_, chair)| chair.player == *player);
        let in_play = |bettor| table.round().map_or(Cents::ZERO, |_| felt.staked(bettor));
        let each = racks.map(|(bettor, chair)| (chair.rack, in_play(bettor)));
        each.reduce(|(rack, staked), (more, laid)| (rack + more, staked + laid))
            .map(|(rack, staked)| Chips { rack, staked })
    }

    /// Whether a socket watches, which it does not where that was refused.
    pub(super) fn is_shown_to(&self, socket: u64) -> bool {
        self.viewers.iter().any(|viewer| viewer.socket == socket)
    }

    /// Shows the table: what was missed since a version, or else all of it.
    pub(super) async fn watch(&mut self, viewer: Viewer, id: String, from: Option<u64>) {
        self.viewers.retain(|other| other.socket != viewer.socket && other.to.is_open());
        if self.viewers.len() >= self.means.viewers {
            let refusal = Refused::by_house("as many watch this table as can");
            return viewer.to.send(FromHouse::refused(id, refusal));
        }
        let (who, to) = (viewer.who.clone(), viewer.to.clone());
        let is_back = self.is_away(&who.name);
        self.viewers.push(viewer);
        to.send(FromHouse::done(id, None));
        to.send(FromHouse::Table { about: Box::new(self.about()) });
        if let Some(account) = self.account(&who.name).await {
            to.send(account);
        }
        let missed = from.and_then(|from| self.live.version.checked_sub(from)).unwrap_or(u64::MAX);
        match usize::try_from(missed) {
            Ok(missed @ 1..) if missed <= self.live.steps.len() => {
                let steps = self.live.steps.range(self.live.steps.len() - missed..);
                for step in steps {
                    let is_last = step.version == self.live.version;
                    let view = is_last.then(|| self.view(&who));
                    to.send(step.told(self.live.table.sheet(), &who.name, view));
                }
            }
            _ => to.send(self.state(&who)),
        }
        to.send(self.head());
        if is_back {
            let others = self.viewers.iter().filter(|viewer| viewer.who.name != who.name);
            others.for_each(|viewer| viewer.to.send(self.state(&viewer.who)));
        }
    }

    /// Applies a command once, answers, and announces what came of it.
    ///
    /// Whether it was applied before is asked only where it is refused now: the store takes no id twice.
    pub(super) async fn command(
        &mut self,
        who: Person,
        id: String,
        what: Do,
        to: &Outbox,
    ) -> Result<(), StoreError> {
        let asks = serde_json::to_string(&(&self.name, &what)).expect("a command is plain JSON");
        let command = Command { player: who.name.clone(), id, asks };
        let done = match what {
            Do::Ready | Do::Ask { .. } => self.take_aside(&command, &what, to).await,
            what => self.carry_out(&who, &command, what, to).await?,
        };
        if let Err(refusal) = done {
            to.send(self.refuse(command, refusal).await);
        }
        Ok(())
    }

    /// The answer to a command that is refused now, unless it was applied before.
    pub(super) async fn refuse(&self, command: Command, refusal: Refused) -> FromHouse {
        let refusal = match self.means.store.known(&command).await {
            Ok(None) => refusal,
            Ok(Some(Known::Applied(seq))) => return FromHouse::done(command.id, seq),
            Ok(Some(Known::Other)) => Refused::by_house("this id was used for another command"),
            Err(error) => {
                tracing::error!(table = self.name, what = "store", why = %error, "a command is refused");
                Refused::by_house("it could not be read; send it again")
            }
        };
        FromHouse::refused(command.id, refusal)
    }

    /// Puts a command to the table as an input.
    pub(super) async fn carry_out(
        &mut self,
        who: &Person,
        command: &Command,
        what: Do,
        to: &Outbox,
    ) -> Result<Result<(), Refused>, StoreError> {
        let asks_to_deal = matches!(what, Do::Enter { .. });
        let input = match &what {
            Do::Enter { line } => {
                commands::entered(&self.live.table, self.means.physical, who, line)
            }
            _ => commands::input(&self.live.table, &self.live.custody, who, what),
        };
        let input = match input {
            Ok(input) => input,
            Err(refusal) => return Ok(Err(refusal)),
        };
        // The log says whose hands the cards were in: only who is named there enters them.
        let deals = asks_to_deal && self.live.table.dealer().is_none();
        if deals && self.live.table.round().is_none() {
            self.does(&Input::Dealer { name: who.name.clone(), by: None }).await?;
        }
        if let Err(refusal) = self.allow(&who.name, &input).await {
            self.note_wagers();
            return Ok(Err(refusal));
        }
        match self.put(&input, None, Some(command.clone())).await? {
            Ok(seq) => {
                to.send(FromHouse::done(command.id.clone(), Some(seq)));
                self.announce().await;
                Ok(Ok(()))
            }
            Err(not_done) => {
                self.note_wagers();
                Ok(Err(self.in_words(not_done)))
            }
        }
    }

    /// Refuses chips and wagers where a player's own limit forbids them. What is decided in a round
    /// is never held back.
    pub(super) async fn allow(&self, player: &Name, input: &Input) -> Result<(), Refused> {
        let wagers = match input {
            Input::BuyIn { .. } => None,
            Input::Wager { bettor, amounts } => {
                let chairs = self.live.table.everyone();
                let others = chairs.filter(|(at, chair)| at != bettor && chair.player == *player);
                let wagers = others.flat_map(|(_, chair)| chair.wager.iter());
                Some(wagers.chain(amounts).map(|(_, amount)| *amount).sum())
            }
            _ => return Ok(()),
        };
        let allowed = self.means.store.allow(player, &self.name, wagers, unix_time()).await;
        allowed.unwrap_or_else(|error| {
            tracing::error!(table = self.name, what = "store", why = %error, "a limit is not known");
            Err(Refused::by_house("it could not be read; send it again"))
        })
    }

    /// Notes what lies here before the deal, for tables elsewhere that hold a player to a limit.
    pub(super) fn note_wagers(&self) {
        let table = &self.live.table;
        let chairs = table.everyone().filter(|_| table.round().is_none());
        let mut wagers = chairs.filter(|(_, chair)| !chair.wager.is_empty()).map(|(_, chair)| {
            (chair.player.clone(), chair.wager.iter().map(|(_, amount)| *amount).sum())
        });
        self.means.store.note_wagers(&self.name, &mut wagers);
    }

    /// Notes that no further wager of a player comes, or that somebody asks to bet on a box: no
    /// input, but applied once like any command.
    pub(super) async fn take_aside(
        &mut self,
        command: &Command,
        what: &Do,
        to: &Outbox,
    ) -> Result<(), Refused> {
        let player = command.player.clone();
        let asked = match what {
            Do::Ask { seat } => Some(self.may_ask(*seat, &player)?),
            _ => {
                self.may_be_ready(&player)?;
                None
            }
        };
        let (table, epoch, command) = (self.name.clone(), self.epoch, command.clone());
        let id = command.id.clone();
        let append = Append { table, epoch, command: Some(command), ..Append::default() };
        match self.means.store.append(append).await {
            Ok(()) => to.send(FromHouse::done(id, None)),
            Err(StoreError::Repeated) => return Err(self.in_words(NotDone::Repeated)),
            Err(error) => {
                tracing::error!(table = self.name, what = "commit", why = %error, "it is not noted");
                return Err(self.in_words(NotDone::Failed));
            }
        }
        match asked {
            Some(seat) => self.asking.push((seat, player)),
            None if !self.ready.contains(&player) => self.ready.push(player),
            None => {}
        }
        self.set_clock();
        self.show();
        Ok(())
    }

    /// Refuses *ready* of whoever has no wager and can place none now.
    pub(super) fn may_be_ready(&self, player: &Name) -> Result<(), Refused> {
        let table = &self.live.table;
        let mine = places(table, player);
        if mine.is_empty() {
            return Err(not_seated());
        }
        let refusal = match table.awaits() {
            TableAwaits::Wagers if self.has_part(player) => return Ok(()),
            TableAwaits::Wagers => {
                felt::may_bet_next(table, &mine).err().unwrap_or(TableRefusal::NothingBought)
            }
            awaits => TableRefusal::NotAwaited { awaits },
        };
        Err(self.in_words(NotDone::Refused(refusal)))
    }

    /// The box that somebody may ask to bet on; refuses what the table would refuse later.
    pub(super) fn may_ask(&self, seat: usize, player: &Name) -> Result<usize, Refused> {
        let table = &self.live.table;
        let host = seat.checked_sub(1).and_then(|seat| table.first_on_box(seat));
        let Some(host) = host else {
            return Err(Refused::by_house("nobody has this box: take it yourself"));
        };
        let seat = host.seat();
        if table.chair(host).is_some_and(|chair| chair.player == *player) {
            return Err(Refused::by_house("this box is yours"));
        }
        if self.asking.contains(&(seat, player.clone())) {
            return Err(Refused::by_house("you have asked already"));
        }
        if self.asking.len() == MOST_ASKING {
            return Err(Refused::by_house("too many ask at this table; try again later"));
        }
        let consent = Input::Consent { seat, player: player.clone() };
        let refused = table.clone().apply(&consent, &mut Vec::new());
        refused.map_err(|refusal| self.in_words(NotDone::Refused(refusal)))?;
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

    pub(super) fn in_words(&self, not_done: NotDone) -> Refused {
        let game = self.live.table.sheet().game();
        match not_done {
            NotDone::Refused(refusal) => Refused::by_table(&refusal, game),
            NotDone::Overdrawn => {
                Refused::by_clause("your account does not hold that much", "G-07")
            }
            NotDone::Repeated => Refused::by_house("this id was used before"),
            NotDone::Failed => Refused::by_house("it could not be written down; send it again"),
        }
    }
}
