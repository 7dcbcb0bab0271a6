//! What supervisors decide that is more than one input: orders with the card that was reported as it truly
//! is; corrections, within what the round moved and above an amount only by two of them; and whose place is
//! taken.

use audit::log::Outcome;
use rules::money::Cents;
use rules::round::{Event, Remedy};
use rules::table::{Account, Input, Irregularity, Name, Order, TableEvent, WrittenReason};
use rules::wager::Bettor;
use wire::{Parameter, Refusal, WaitingCorrection};

use super::write::Extra;
use super::{Done, NotDone, TableTask};
use crate::people::Person;
use crate::store::{
    Append, Command, Correctable, CorrectionRow, CorrectionStep, EventKind, HouseEvent, StoreError,
    TableStore, Unseating,
};
use crate::tables::commands;
use crate::tables::refusals;

/// The longest reason of a correction that needs two supervisors: the log adds who approved it.
const LONGEST_SHARED_REASON: usize =
    WrittenReason::LONGEST - " (approved by )".len() - Name::LONGEST;

/// A correction that waits, as supervisors see it.
pub(super) fn in_view(row: &CorrectionRow) -> Option<WaitingCorrection> {
    let Input::Correct { round, transfer, because, .. } = &row.input else { return None };
    Some(WaitingCorrection {
        id: row.id,
        round: *round,
        amount: transfer.amount.to_string(),
        from: transfer.from.to_string(),
        to: transfer.to.to_string(),
        by: row.asked_by.to_string(),
        because: because.to_string(),
        at: row.at,
        until: row.until,
    })
}

impl<A: TableStore> TableTask<A> {
    /// An order with the card that it moves or shows. At a table whose cards the house deals, that is the
    /// true one, whatever was reported; and where no card is moved or shown, none is told.
    pub(super) fn with_true_card(&self, input: Input) -> Input {
        let Input::Order { order, ref by, ref because, .. } = input else { return input };
        let (table, custody) = (&self.live.table, &self.live.custody);
        let reported = table.reported().map(|report| report.irregularity);
        let card = reported.and_then(|what| custody.reported(table, what));
        let shown = Input::Order { order, by: by.clone(), card, because: because.clone() };
        // A hole card that was seen in Double Down Stud is kept in mind, without an event.
        let is_hole = matches!(reported, Some(Irregularity::HoleSeen(_)));
        let is_kept_in_mind = is_hole && order == Order::PlayOn;
        let is_seen = |event: &TableEvent| {
            matches!(
                event,
                TableEvent::Drawn(_) | TableEvent::Round(Event::Remedied(Remedy::HoleCardShown(_)))
            )
        };
        let moves = |outcome: &Outcome| is_kept_in_mind || outcome.events.iter().any(is_seen);
        let outcome = Outcome::of(&mut table.clone(), &shown);
        if card.is_some() && outcome.is_ok_and(|outcome| moves(&outcome)) { shown } else { input }
    }

    /// Whether a correction is too large for one supervisor, together with the earlier ones of its
    /// round: many small ones are no way around.
    pub(super) fn needs_a_second(&self, input: &Input, corrected: Cents) -> bool {
        let alone = self.means.correction_alone;
        matches!(input, Input::Correct { transfer, .. } if transfer.amount + corrected > alone)
    }

    /// Notes a correction that a second supervisor has to approve.
    pub(super) async fn ask_for_a_second(
        &mut self,
        command: &Command,
        input: &Input,
    ) -> Result<Done, NotDone> {
        let by = &command.player;
        if approved(input, by).is_none() {
            let sentence = format!(
                "Give a reason of at most {LONGEST_SHARED_REASON} characters: a second supervisor has \
                 to approve this correction, and the log says who did."
            );
            let refusal = refusals::by_clause("bad-reason", "G-28", &sentence);
            return Err(refusal.with("most", Parameter::count(LONGEST_SHARED_REASON)).into());
        }
        let line = self.by_name(input).to_string();
        let event = self.event(by, EventKind::CorrectionAsked, None, &line);
        let step = CorrectionStep::Ask { line, by: by.clone() };
        let (command, step, event) = (Some(command.clone()), Some(step), Some(event));
        self.note(self.append_of(command, step, event)).await.map(|()| Done::Aside)
    }

    /// Approves or refuses a correction that waits.
    pub(super) async fn decide_correction(
        &mut self,
        who: &Person,
        command: &Command,
        id: i64,
        is_approved: bool,
    ) -> Result<Done, NotDone> {
        let waiting = self.means.store.waiting_corrections(&self.name).await;
        let waiting = waiting.map_err(|error| self.unread(&error))?;
        let asked = waiting.into_iter().find(|row| row.id == id);
        let CorrectionRow { input, asked_by, .. } =
            asked.ok_or_else(refusals::no_such_correction)?;
        let by = who.name.clone();
        let step = Some(CorrectionStep::Decide { id, by: by.clone(), is_approved });
        let command = Some(command.clone());
        if !is_approved {
            let what = EventKind::CorrectionRefused;
            let event = Some(self.event(&by, what, Some(&asked_by), &input.to_string()));
            return self.note(self.append_of(command, step, event)).await.map(|()| Done::Aside);
        }
        if asked_by == by {
            let sentence = "You asked for this correction. Another supervisor has to approve it.";
            return Err(Refusal::by_house("own-correction", sentence).into());
        }
        let input = commands::has_no_part(&self.live.table, who, self.at_rack(&input))?;
        let input = approved(&input, &by).ok_or_else(refusals::no_such_correction)?;
        self.may_correct(&input).await?;
        let what = EventKind::CorrectionApproved;
        let event = Some(self.event(&by, what, Some(&asked_by), &input.to_string()));
        let extra = Extra { command, correction: step, event, ..Extra::default() };
        self.put(&input, extra).await.map(Done::Step)
    }

    /// A correction with the player in place of the rack: by the time it is approved somebody else may
    /// sit there.
    fn by_name(&self, correction: &Input) -> Input {
        with_accounts(correction, |account| {
            let Account::Rack(at) = account else { return None };
            self.live.table.chair(*at).map(|chair| Account::Player(chair.player.clone()))
        })
    }

    /// A correction with the rack in place of a player who has one now.
    fn at_rack(&self, correction: &Input) -> Input {
        let rack = |name: &Name| {
            let mut chairs = self.live.table.everyone();
            chairs.find(|(_, chair)| chair.player == *name).map(|(_, chair)| chair.home)
        };
        with_accounts(correction, |account| {
            let Account::Player(name) = account else { return None };
            rack(name).map(Account::Rack)
        })
    }

    /// Refuses a correction of more than the round moved, or for somebody who had no part in it; says
    /// what was corrected in that round before.
    pub(super) async fn may_correct(&self, input: &Input) -> Result<Cents, NotDone> {
        let Input::Correct { round, transfer, .. } = input else { return Ok(Cents::ZERO) };
        self.decide(input)?;
        let found = self.means.store.correctable(&self.name, *round).await;
        let found = found.map_err(|error| self.unread(&error))?;
        let Some(Correctable { people, left, corrected }) = found else { return Ok(Cents::ZERO) };
        for account in [&transfer.from, &transfer.to] {
            let person = match account {
                Account::Player(name) => Some(name),
                Account::Rack(at) => self.live.table.chair(*at).map(|chair| &chair.player),
                _ => None,
            };
            if let Some(person) = person.filter(|person| !people.contains(person)) {
                let sentence = format!("{person} had no wager in round {round}.");
                let refusal = refusals::by_clause("not-in-that-round", "G-28", &sentence);
                return Err(refusal.with("player", Parameter::word(person)).into());
            }
        }
        // Whatever was moved by a correction can be moved back.
        if transfer.amount <= left {
            return Ok(corrected);
        }
        let sentence = match left == Cents::ZERO {
            true => format!("Nothing that moved in round {round} is left to correct."),
            false => format!(
                "At most {left} of round {round} can be corrected: what was staked and settled in it, \
                 less earlier corrections."
            ),
        };
        let refusal = refusals::by_clause("correction-above-round", "G-28", &sentence);
        Err(refusal.with("most", Parameter::amount(left)).into())
    }

    /// Notes that somebody's place is taken once their round is over.
    pub(super) async fn take_unseating(
        &mut self,
        command: &Command,
        bettor: Bettor,
        because: &WrittenReason,
    ) -> Result<Done, NotDone> {
        let chair = self.live.table.chair(bettor).ok_or_else(refusals::not_seated)?;
        let player = chair.player.clone();
        let words = format!("place {bettor}: {because}");
        let event = self.event(&command.player, EventKind::Unseat, Some(&player), &words);
        let append = self.append_of(Some(command.clone()), None, Some(event));
        let unseating = Some(Unseating::Ordered(player.clone()));
        self.note(Append { unseating, ..append }).await?;
        if !self.leaving.contains(&player) {
            self.leaving.push(player);
        }
        Ok(Done::Aside)
    }

    fn append_of(
        &self,
        command: Option<Command>,
        correction: Option<CorrectionStep>,
        event: Option<HouseEvent>,
    ) -> Append {
        let (table, epoch) = (self.name.clone(), self.epoch);
        Append { table, epoch, command, correction, event, ..Append::default() }
    }

    fn event(&self, by: &Name, what: EventKind, whom: Option<&Name>, words: &str) -> HouseEvent {
        let more = format!("table {}: {words}", self.name);
        HouseEvent { who: by.to_string(), what, whom: whom.cloned(), more }
    }

    fn unread(&self, error: &StoreError) -> NotDone {
        tracing::error!(table = self.name, what = "store", why = %error, "corrections cannot be read");
        refusals::not_read().into()
    }
}

/// A correction with other accounts, where there are others.
fn with_accounts(correction: &Input, other: impl Fn(&Account) -> Option<Account>) -> Input {
    let mut correction = correction.clone();
    if let Input::Correct { transfer, .. } = &mut correction {
        for account in [&mut transfer.from, &mut transfer.to] {
            if let Some(other) = other(account) {
                *account = other;
            }
        }
    }
    correction
}

/// A correction as the log has it: who asked, and who approved. None where its reason is too long.
fn approved(input: &Input, by: &Name) -> Option<Input> {
    let Input::Correct { round, transfer, by: asked_by, because } = input else { return None };
    let is_short = because.as_str().chars().count() <= LONGEST_SHARED_REASON;
    let because = format!("{because} (approved by {by})").parse().ok().filter(|_| is_short)?;
    let (round, transfer, by) = (*round, transfer.clone(), asked_by.clone());
    Some(Input::Correct { round, transfer, by, because })
}
