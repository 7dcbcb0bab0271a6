//! What was: the log of a table, its rounds, and its shoes.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use audit::chain::{Chain, Entry};
use audit::export::Export;
use audit::replay::Replay;
use audit::shoe::{Contribution, ShoeRecord};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Json, Response};
use futures_util::stream::{self, StreamExt};
use rules::table::{Account, Cutter, Input, Name, Seal};
use rules::wager::Game;
use tokio::sync::{OwnedSemaphorePermit, SemaphorePermit};
use wire::{
    Coach, ContributionView, CorrectionLine, EntriesWanted, RoundLine, RoundSpan, RoundStep,
    RoundView, RoundsView, ShoeCutView, ShoeRecordView, WagerLine,
};

use super::answers::{BadQuery, Contradiction, Forbidden, Missing, TooOften};
use super::door::Share;
use super::error::HttpError;
use super::extract::{Query, Within};
use super::house::House;
use super::visitor::{Address, Known};
use crate::people::pseudonym::Pseudonyms;
use crate::people::{Person, Role};
use crate::store::{
    History, People, Players, RoundRow, RoundSummary, RoundsWanted, SettledWager, StoreError,
    Tables, whole,
};
use crate::tables::about;
use crate::tables::commands::places;
use crate::tables::felt::{self, At};
use crate::tables::playback::{ENTRIES_AT_A_TIME, NotShown, Playback};
use crate::tables::story;
use crate::tables::task::{Ask, Published};

/// The most logs of which a part is read at a time, to be saved.
pub const MOST_EXPORTS: usize = 4;

/// The most logs that are being saved at a time, by everybody together.
pub const MOST_OPEN_EXPORTS: usize = 64;

/// The most exports that catch up at a time: a copy under pseudonyms that begins in the middle of a log
/// needs the chain of all entries before it.
pub const MOST_CATCHING_UP: usize = 2;

/// The most logs that one address saves at a time.
pub const MOST_EXPORTS_OF_AN_ADDRESS: usize = 2;

/// The most rounds and shoes that are looked up at a time.
pub const MOST_LOOKUPS: usize = 4;

/// The most lookups from one address, with those that wait for their turn.
pub const MOST_LOOKUPS_OF_AN_ADDRESS: usize = 8;

/// How long a lookup waits for its turn.
pub const LONGEST_LOOKUP_WAIT: Duration = Duration::from_secs(5);

/// Says whether a log has the names of players, or pseudonyms.
const NAMES: HeaderName = HeaderName::from_static("pitboss-names");

/// The most places in logs that are remembered for whoever reads on from there.
const MOST_READ_TO: usize = 256;

/// The most rounds of one answer.
pub const MOST_ROUNDS: u32 = 100;

/// The rounds of an answer where nothing is said.
pub const USUAL_ROUNDS: u32 = 20;

fn busy() -> HttpError {
    HttpError::unavailable("history-busy", "History is busy. Try again.")
}

pub(super) fn no_round() -> HttpError {
    HttpError::missing("round-not-found", "There is no such round, or it is not over yet.")
}

fn other_rules() -> HttpError {
    let sentence = "This was played under another version of the rules. Export the log and open it with that version.";
    HttpError::conflict("other-rules", sentence)
}

impl From<NotShown> for HttpError {
    fn from(not_shown: NotShown) -> HttpError {
        match not_shown {
            NotShown::Store(error) => error.into(),
            NotShown::OtherRules => other_rules(),
        }
    }
}

impl House {
    /// A place among those who look back, as soon as one is free.
    pub(super) async fn looks_back(
        &self,
        from: IpAddr,
    ) -> Result<(Share, SemaphorePermit<'_>), HttpError> {
        let share = self.lookup_shares.take(from).ok_or_else(|| {
            let sentence =
                "Your address is looking up too much at a time. Wait until that is done.";
            HttpError::wait(1, "too-many-lookups", sentence)
        })?;
        let place = tokio::time::timeout(LONGEST_LOOKUP_WAIT, self.lookups.acquire()).await;
        Ok((share, place.map_err(|_| busy())?.map_err(|_| busy())?))
    }

    /// A place among those who save a log.
    fn may_export(&self, from: IpAddr) -> Result<(Share, OwnedSemaphorePermit), HttpError> {
        let share = self.export_shares.take(from).ok_or_else(|| {
            let sentence = "Your address is already saving logs. Wait until they are done.";
            HttpError::wait(10, "too-many-exports", sentence)
        })?;
        let place = self.open_exports.clone().try_acquire_owned();
        Ok((share, place.map_err(|_| busy())?))
    }

    /// What players of a table are called for somebody; none is by their names, for whoever works here
    /// and for whoever has played a round there.
    async fn pseudonyms_for(
        &self,
        person: Option<&Person>,
        table: &str,
    ) -> Result<Option<&Pseudonyms>, StoreError> {
        let Some(Person { name, role, .. }) = person else { return Ok(Some(&self.pseudonyms)) };
        if *role != Role::Player {
            return Ok(None);
        }
        let (table, person) = (Some(table.to_owned()), Some(name.clone()));
        let wanted = RoundsWanted { table, person, before: None, limit: 1 };
        let has_played = !self.store.rounds(&wanted).await?.is_empty();
        Ok((!has_played).then_some(&self.pseudonyms))
    }

    /// How much of a table's log anyone may see.
    async fn published(&self, table: &str) -> Result<Published, HttpError> {
        if self.floor.door(table).is_some() {
            return self.ask(table, Ask::Published).await;
        }
        // At a table that is not open any more nobody plays.
        let (_, last) = self.store.log_of(table).await?.ok_or_else(HttpError::no_table)?;
        Ok(Published { opened: last, last })
    }

    /// Whether the rounds of a table that is open, or was, are reviewed.
    pub(super) fn coach_of(&self, table: &str) -> Coach {
        match (self.floor.door(table), &self.analyst) {
            (Some(door), _) => door.about.coach,
            (None, Some(_)) => Coach::After,
            (None, None) => Coach::Off,
        }
    }

    /// The game of a table that is open, or was.
    pub(super) async fn game_at(&self, table: &str) -> Result<Game, HttpError> {
        let sheet = self.sheet(table).await?.ok_or_else(HttpError::no_table)?;
        Ok(sheet.game())
    }
}

/// The log of a table, for `pitboss verify`. In place of what only some may see yet it has a commitment,
/// which is opened when the round is over.
///
/// Whoever works here or has played a round at that table gets the log itself. Everybody else gets a copy
/// that calls players by pseudonyms, and has a chain of its own: it proves the same, except that its
/// hashes are not the heads that clients are told.
#[utoipa::path(
    get, path = "/api/export/{table}", tag = "anyone",
    params(("table" = String, Path, description = "Which table."), EntriesWanted),
    responses(
        (
            status = 200, body = String, content_type = "text/plain", description = "The log.",
            headers(("pitboss-names" = String, description = "`real`, or `pseudonyms` in a copy.")),
        ),
        BadQuery, Missing, TooOften,
    )
)]
pub(super) async fn export(
    State(house): State<Arc<House>>,
    Address(address): Address,
    Within(table): Within<String>,
    Query(EntriesWanted { from, to }): Query<EntriesWanted>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    house.game_at(&table).await?;
    let (from, to) = (from.unwrap_or(1), to.unwrap_or(u64::MAX));
    if from == 0 {
        return Err(HttpError::bad("bad-query", "Entries are counted from 1."));
    }
    if from > to {
        let sentence = "The first entry that is asked for comes after the last one.";
        return Err(HttpError::bad("bad-query", sentence));
    }
    let viewer = house.person(&headers).await?;
    let shows_names = house.pseudonyms_for(viewer.as_ref(), &table).await?.is_none();
    let place = house.may_export(address)?;
    let published = house.published(&table).await?;
    let published = Published { last: published.last.min(to), ..published };
    let last = published.last;
    let mut chain = match shows_names {
        true => None,
        false => Some(house.catch_up(&table, from.min(last.saturating_add(1))).await?),
    };
    // The first part is read before anything is answered: a damaged log is refused in words.
    let mut first = Export::first_line(&table);
    let next = match from <= last {
        true => house.add_entries(&table, from, published, &mut chain, &mut first).await?,
        false => from,
    };
    let first = stream::iter([Ok::<_, StoreError>(first)]);
    let begin: (_, _, u64, _, _) = (house, table, next, chain, place);
    let entries =
        stream::try_unfold(begin, move |(house, table, from, mut chain, place)| async move {
            if from > last {
                return Ok(None);
            }
            let mut lines = String::new();
            let next = house.add_entries(&table, from, published, &mut chain, &mut lines).await?;
            Ok(Some((lines, (house, table, next, chain, place))))
        });
    let kind = (header::CONTENT_TYPE, "text/plain; charset=utf-8");
    let names = (NAMES, if shows_names { "real" } else { "pseudonyms" });
    Ok(([kind, names], Body::from_stream(first.chain(entries))).into_response())
}

impl House {
    /// Adds so many entries of a log as are read at a time, and tells which one is next. Those of a copy
    /// under pseudonyms go on in its chain. Few do so at a time; who then reads them slowly keeps nobody
    /// waiting.
    async fn add_entries(
        &self,
        table: &str,
        from: u64,
        Published { opened, last }: Published,
        chain: &mut Option<Chain>,
        lines: &mut String,
    ) -> Result<u64, StoreError> {
        let to = last.min(from + ENTRIES_AT_A_TIME - 1);
        let _place = self.exports.acquire().await.expect("it is never closed");
        let mut entries = whole(table, from, to, self.store.entries(table, from, to).await?)?;
        let hidden = entries.iter_mut().filter(|entry| entry.seq > opened);
        hidden.for_each(|entry| *entry = entry.closed());
        match chain {
            None => lines.extend(entries.iter().map(Export::line)),
            Some(chain) => lines.push_str(&self.disguised(table, chain, &entries)),
        }
        Ok(to + 1)
    }

    /// The chain of a table's log under pseudonyms, before an entry, when it is this export's turn.
    async fn catch_up(&self, table: &str, entry: u64) -> Result<Chain, HttpError> {
        let place = tokio::time::timeout(LONGEST_LOOKUP_WAIT, self.catching_up.acquire()).await;
        let _place = place.map_err(|_| busy())?.map_err(|_| busy())?;
        Ok(self.chain_before(table, entry).await?)
    }

    /// That chain, from where it was read to last, or else from its beginning. Other exports read their
    /// parts in between.
    async fn chain_before(&self, table: &str, entry: u64) -> Result<Chain, StoreError> {
        let nearest = {
            let read_to = self.read_to.lock().unwrap_or_else(PoisonError::into_inner);
            let before = read_to.iter().filter(|(of, head)| of == table && head.seq < entry);
            before.map(|(_, head)| *head).max_by_key(|head| head.seq)
        };
        let mut chain = nearest.map_or_else(|| Chain::new(table), Chain::after);
        while chain.next() < entry {
            let to = (entry - 1).min(chain.next() + ENTRIES_AT_A_TIME - 1);
            let from = chain.next();
            let _place = self.exports.acquire().await.expect("it is never closed");
            let entries = whole(table, from, to, self.store.entries(table, from, to).await?)?;
            self.disguised(table, &mut chain, &entries);
        }
        Ok(chain)
    }

    /// Entries under pseudonyms, in a chain of their own.
    fn disguised(&self, table: &str, chain: &mut Chain, entries: &[Entry]) -> String {
        let mut last = None;
        let disguise = |entry: &Entry| {
            let entry = chain.append(self.pseudonyms.in_line(table, &entry.line));
            last = Some(entry.head());
            Export::line(&entry)
        };
        let lines = entries.iter().map(disguise).collect();
        if let Some(head) = last {
            let mut read_to = self.read_to.lock().unwrap_or_else(PoisonError::into_inner);
            read_to.retain(|(of, other)| (of.as_str(), other.seq) != (table, head.seq));
            read_to.push_back((table.to_owned(), head));
            let forgotten = read_to.len().saturating_sub(MOST_READ_TO);
            read_to.drain(..forgotten);
        }
        lines
    }
}

/// Whose wagers are shown: one's own, and anybody's to whoever watches over the house.
fn whose(player: Option<&str>, viewer: &Person) -> Result<Name, HttpError> {
    let Some(player) = player else { return Ok(viewer.name.clone()) };
    let may_ask = matches!(viewer.role, Role::Supervisor | Role::Auditor | Role::Operator);
    match player.parse::<Name>() {
        Ok(name) if name == viewer.name || may_ask => Ok(name),
        Ok(_) => Err(HttpError::forbidden(
            "not-your-rounds",
            "Only supervisors, auditors and operators can see the rounds of others.",
        )),
        Err(error) => {
            Err(HttpError::bad("bad-name", wire::as_sentence(&format!("invalid name: {error}"))))
        }
    }
}

/// The rounds of a player, or those of a table, the latest first.
///
/// Corrections for others than oneself name them by pseudonyms, except to whoever works here or has
/// played a round at that table.
#[utoipa::path(
    get, path = "/api/rounds", tag = "known", params(wire::RoundsWanted),
    responses(
        (status = 200, body = RoundsView, description = "The rounds."),
        BadQuery, Known, Forbidden, Missing, TooOften,
    )
)]
pub(super) async fn rounds(
    State(house): State<Arc<House>>,
    Known(viewer): Known,
    Address(from): Address,
    Query(asked): Query<wire::RoundsWanted>,
) -> Result<Json<RoundsView>, HttpError> {
    let player = whose(asked.player.as_deref(), &viewer)?;
    let limit = asked.limit.unwrap_or(USUAL_ROUNDS);
    if limit == 0 || limit > MOST_ROUNDS {
        return Err(HttpError::bad(
            "bad-limit",
            format!("A page can have 1 to {MOST_ROUNDS} rounds."),
        ));
    }
    if let Some(table) = &asked.table {
        house.game_at(table).await?;
    }
    let _place = house.looks_back(from).await?;
    let is_of_table = asked.table.is_some() && asked.player.is_none();
    // A player's own rounds are rounds that they played.
    let pseudonyms = match &asked.table {
        Some(table) if is_of_table => house.pseudonyms_for(Some(&viewer), table).await?,
        _ => None,
    };
    let person = (!is_of_table).then(|| player.clone());
    let (table, before) = (asked.table, asked.before);
    let wanted = RoundsWanted { table, person, before, limit: limit + 1 };
    let mut found = house.store.rounds(&wanted).await?;
    let is_more = found.len() > usize::try_from(limit).unwrap_or(usize::MAX);
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let before = found.last().filter(|_| is_more).map(|round| round.id);
    let summaries = house.store.summaries(&found, &player).await?;
    let (mut games, mut rounds) = (HashMap::new(), Vec::with_capacity(found.len()));
    for (round, summary) in found.iter().zip(summaries) {
        let game = match games.get(round.table.as_str()) {
            Some(game) => *game,
            None => house.game_at(&round.table).await?,
        };
        games.insert(round.table.as_str(), game);
        rounds.push(line(game, round, summary, pseudonyms));
    }
    Ok(Json(RoundsView { rounds, before }))
}

/// A round as somebody finds it.
fn line(
    game: Game,
    found: &RoundRow,
    summary: RoundSummary,
    pseudonyms: Option<&Pseudonyms>,
) -> RoundLine {
    let called = Called { table: &found.table, pseudonyms };
    let RoundSummary { wagers, net, corrections } = summary;
    RoundLine {
        table: found.table.clone(),
        game: game.name().into(),
        title: game.title().into(),
        round: found.round,
        shoe: found.shoe,
        at: found.at,
        void: found.is_void,
        net: (!wagers.is_empty()).then(|| format!("{net:+}")),
        wagers: wagers.iter().map(|wager| line_of(game, wager, called)).collect(),
        corrections: corrections.iter().filter_map(|it| correction(it, called)).collect(),
    }
}

/// What players of a table are called for whoever asks.
#[derive(Clone, Copy)]
struct Called<'a> {
    table: &'a str,
    /// None where they are called by their names.
    pseudonyms: Option<&'a Pseudonyms>,
}

impl Called<'_> {
    fn player(self, name: &str) -> String {
        match self.pseudonyms {
            Some(pseudonyms) => pseudonyms.of(self.table, name).to_string(),
            None => name.to_owned(),
        }
    }

    fn account(self, account: &Account) -> String {
        match (account, self.pseudonyms) {
            (Account::Player(name), Some(pseudonyms)) => {
                Account::Player(pseudonyms.of(self.table, name.as_str())).to_string()
            }
            (account, _) => account.to_string(),
        }
    }
}

fn correction((seq, input): &(u64, Input), called: Called<'_>) -> Option<CorrectionLine> {
    let Input::Correct { transfer, by, because, .. } = input else { return None };
    Some(CorrectionLine {
        seq: *seq,
        amount: transfer.amount.to_string(),
        from: called.account(&transfer.from),
        to: called.account(&transfer.to),
        by: by.to_string(),
        because: because.to_string(),
    })
}

fn line_of(game: Game, wager: &SettledWager, called: Called<'_>) -> WagerLine {
    let circle = wager.circle;
    WagerLine {
        name: called.player(&wager.person),
        at: wager.bettor.clone(),
        hand: wager.hand + 1,
        circle: circle.name().into(),
        title: circle.title(game).unwrap_or(circle.name()).into(),
        stake: (!wager.is_award).then(|| wager.stake.to_string()),
        free: wager.lammer,
        gain: format!("{:+}", wager.gain),
        clause: wager.clause.clone(),
    }
}

/// A round that is over, step by step, as the viewer saw it.
///
/// Whoever neither works here nor has played a round at that table reads pseudonyms in place of names,
/// the same as in its log.
#[utoipa::path(
    get, path = "/api/rounds/{table}/{round}", tag = "known",
    params(
        ("table" = String, Path, description = "Which table."),
        ("round" = u32, Path, description = "Which round."),
    ),
    responses((status = 200, body = RoundView, description = "The round."), Known, Missing, Contradiction, TooOften)
)]
pub(super) async fn round(
    State(house): State<Arc<House>>,
    Known(viewer): Known,
    Address(from): Address,
    Within((table, round)): Within<(String, u32)>,
) -> Result<Json<RoundView>, HttpError> {
    let game = house.game_at(&table).await?;
    let _place = house.looks_back(from).await?;
    let found = house.store.round(&table, round).await?.ok_or_else(no_round)?;
    let pseudonyms = house.pseudonyms_for(Some(&viewer), &table).await?;
    let called = Called { table: &table, pseudonyms };
    let (from, to) = (found.from, found.to);
    let mut playback = Playback::open(&house.store, &table, from, to, pseudonyms).await?;
    // The log has the name that whoever has another one now had as a guest.
    let then = house.store.former_names(&viewer.name).await?.into_iter();
    let then: Vec<Person> = then.map(|name| Person { name, ..viewer.clone() }).collect();
    let (mut steps, mut replay, mut about) = (Vec::new(), None, None);
    while let Some(step) = playback.step().await? {
        if step.seq < found.from {
            continue;
        }
        let replay =
            replay.get_or_insert_with(|| Replay::begin(&table, round, &step.outcome.opening));
        replay.follow(step.seq, &step.input, &step.outcome);
        let (now, lying) = playback.now().ok_or_else(other_rules)?;
        let is_seated = |person: &&Person| !places(now, &person.name).is_empty();
        let viewer = then.iter().find(is_seated).unwrap_or(&viewer);
        let eyes = felt::seats(now, &places(now, &viewer.name));
        let timed_out = matches!(step.input, Input::TimeOut { .. });
        let happened = (&step.outcome.events[..], timed_out);
        let (events, story) = story::told(now.sheet(), happened, &eyes);
        let seated = now.everyone().map(|(_, chair)| chair.player.clone());
        let bots: Vec<Name> = seated.filter(|player| house.store.is_bot(player)).collect();
        let at = At {
            name: &table,
            table: now,
            ready: &[],
            asking: &[],
            bots,
            company: None,
            away: Vec::new(),
            trouble: None,
            clock: None,
            shuffle_in: None,
            shuffles_for_newcomers: false,
            answers: Vec::new(),
            has_named_cut: false,
            list: None,
            seats: OnceCell::new(),
        };
        let view = Box::new(lying.view(&at, viewer));
        let version = found.version + 1 + u64::try_from(steps.len()).unwrap_or(0);
        steps.push(RoundStep { seq: step.seq, version, events, story, view });
        about.get_or_insert_with(|| about::about(&table, now, house.coach_of(&table)));
    }
    let (Some(about), Some(replay)) = (about, replay) else { return Err(other_rules()) };
    let wagers = house.store.settlements(&table, round).await?;
    let corrections = house.store.corrections(&table, round).await?;
    Ok(Json(RoundView {
        about,
        round,
        shoe: found.shoe,
        at: found.at,
        void: found.is_void,
        steps,
        wagers: wagers.iter().map(|wager| line_of(game, wager, called)).collect(),
        corrections: corrections.iter().filter_map(|it| correction(it, called)).collect(),
        transcript: replay.transcript(),
    }))
}

/// What it takes to check a shoe, as far as everybody may know it.
///
/// Players are called as in the log of the table: by pseudonyms, unless one works here or has played a
/// round there.
#[utoipa::path(
    get, path = "/api/shoes/{table}/{shoe}", tag = "anyone",
    params(
        ("table" = String, Path, description = "Which table."),
        ("shoe" = u32, Path, description = "Which shoe."),
    ),
    responses((status = 200, body = ShoeRecordView, description = "The shoe."), Missing, Contradiction, TooOften)
)]
pub(super) async fn shoe(
    State(house): State<Arc<House>>,
    Address(from): Address,
    Within((table, number)): Within<(String, u32)>,
    headers: HeaderMap,
) -> Result<Json<ShoeRecordView>, HttpError> {
    let game = house.game_at(&table).await?;
    let _place = house.looks_back(from).await?;
    let (first_entry, at) = house
        .store
        .shoe(&table, number)
        .await?
        .ok_or_else(|| HttpError::missing("no-such-shoe", "There is no such shoe."))?;
    let Published { opened, .. } = house.published(&table).await?;
    let viewer = house.person(&headers).await?;
    let pseudonyms = house.pseudonyms_for(viewer.as_ref(), &table).await?;
    let mut playback =
        Playback::open(&house.store, &table, first_entry, opened, pseudonyms).await?;
    let (mut record, mut last_entry) = (ShoeRecord::new(number), first_entry);
    let mut decks = None;
    while let Some(step) = playback.step().await? {
        let (now, _) = playback.now().ok_or_else(other_rules)?;
        if now.shoe().is_some_and(|shoe| shoe.number == number && !shoe.refill) {
            decks.get_or_insert_with(|| about::decks(now.sheet()));
        }
        record.follow(&step.before, &step.input, &step.outcome.events, now);
        last_entry = step.seq + u64::try_from(step.outcome.lines().count()).unwrap_or(0);
        if record.is_over(&step.outcome.events) {
            break;
        }
    }
    let shown = |card: &Option<rules::card::Card>| match card {
        Some(card) => card.to_string(),
        None => felt::UNSEEN.to_owned(),
    };
    let (first, last) = (record.rounds.first().copied(), record.rounds.last().copied());
    let contribution = |one: &Contribution| ContributionView {
        at: one.bettor.to_string(),
        name: one.player.to_string(),
        commitment: one.commitment.to_string(),
        bytes: one.bytes.map(|bytes| bytes.to_string()),
    };
    let cut = |(by, at): &(Cutter, usize)| ShoeCutView {
        by: match by {
            Cutter::Seat(bettor) => Some(bettor.to_string()),
            Cutter::Dealer => None,
        },
        at: *at,
    };
    let revealed = record.revealed.as_ref();
    Ok(Json(ShoeRecordView {
        table,
        game: game.name().into(),
        shoe: number,
        at,
        seal: record.seal.map_or_else(String::new, |seal| seal.to_string()),
        size: record.size,
        decks,
        contributions: record.contributions.iter().map(contribution).collect(),
        house: record.house.as_ref().map_or_else(String::new, ToString::to_string),
        cuts: record.cuts.iter().map(cut).collect(),
        cut_least: record.cut_bounds.0,
        cut_most: record.cut_bounds.1,
        recut_by: record.recut_by.as_ref().map(ToString::to_string),
        unplayed: record.unplayed.as_ref().map(ToString::to_string),
        dealt: record.dealt.iter().map(shown).collect(),
        salt: revealed.map(|sealed| Seal(sealed.salt).to_string()),
        order: revealed.map(|sealed| sealed.order.iter().map(ToString::to_string).collect()),
        rounds: first.zip(last).map(|(first, last)| RoundSpan { first, last }),
        first_entry,
        last_entry,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Opened, scratch};

    #[tokio::test]
    async fn whoever_catches_up_waits_for_a_turn_like_every_export() {
        let store = scratch::file("catching-up");
        let mut config = Config::new(store.parent().unwrap().to_owned());
        config.tables = vec![crate::config::Setup::new("war-1", Game::CasinoWar)];
        let opened = Opened::new(config).await.unwrap();
        let house = &opened.house;
        let soon = Duration::from_millis(100);
        let places = house.exports.acquire_many(u32::try_from(MOST_EXPORTS).unwrap()).await;
        let waits = tokio::time::timeout(soon, house.catch_up("war-1", 2)).await;
        assert!(waits.is_err(), "it reads while four others do");
        drop(places);
        assert_eq!(house.catch_up("war-1", 2).await.unwrap().next(), 2);
        let places = house.catching_up.acquire_many(u32::try_from(MOST_CATCHING_UP).unwrap()).await;
        let waits = tokio::time::timeout(soon, house.catch_up("war-1", 2)).await;
        assert!(waits.is_err(), "a third one catches up");
        drop(places);
        opened.close().await;
    }
}
