//! A table as its house runs it, step by step.

use audit::chain::Entry;
use audit::log::{Kind, RulesLine};
use audit::mix::CommitmentPlace;
use rules::table::{Account, Input, Seal, TableAwaits, TableEvent};
use rules::wager::Game;

use wire::{DealerCommand, FromHouse, Irregularity, OnCircle, Order, PlayerCommand};

use super::write::Extra;
use super::*;
use crate::limits::MOST_VIEWERS;
use crate::metrics::Metrics;
use crate::people::Role;
use crate::scratch;
use crate::store::{Append, Change, History, Money, PROGRESSIVE, People, Tables};
use crate::tables::dealer;

/// A table of Casino War, and a store in which ann has money.
async fn table(name: &str) -> TableTask {
    let mut sheet = TermSheet::new(Game::CasinoWar);
    sheet.set([("cut_card_depth", "156")]).unwrap();
    opened(name, "war-1", sheet).await
}

async fn opened(name: &str, table: &str, sheet: TermSheet) -> TableTask {
    let store = Store::open(&scratch::file(name)).await.unwrap();
    store.add_guest(&"ann".parse().unwrap(), "secret").await.unwrap();
    store.add_guest(&"eve".parse().unwrap(), "other").await.unwrap();
    store.add_guest(&"dan".parse().unwrap(), "third").await.unwrap();
    let progressive = Some(Progressive::open(&store, Cents::new(1_000_000)).await.unwrap());
    let (orders, pace) = (dealer::entropy(), Pace::default());
    let means = Means {
        store,
        orders,
        salts: dealer::salts(),
        time_of_day: dealer::time_of_day(),
        pace,
        physical: false,
        coach: wire::Coach::Off,
        company: 0,
        viewers: MOST_VIEWERS,
        progressive,
        correction_alone: Cents::new(10_000),
        holdings: Holdings::default(),
        metrics: Metrics::default(),
        house: "h1".parse().unwrap(),
        is_of_a_node: false,
    };
    TableTask::open(table, &sheet, means).await.unwrap()
}

impl TableTask {
    async fn takes(&mut self, line: &str) {
        let done = self.put(&line.parse().unwrap(), Extra::default()).await;
        assert!(done.is_ok(), "{line}");
    }

    /// Lets the dealer go on until wagers are awaited.
    async fn goes_on(&mut self) {
        while let Some(due) = Due::at(&self.live.table) {
            if matches!(due, Due::Idle(_)) {
                break;
            }
            self.when_due(due).await.unwrap();
        }
    }

    /// What is answered to a command.
    async fn answers(
        &mut self,
        name: &str,
        role: Role,
        what: impl Into<TableCommand>,
    ) -> (bool, Option<Refusal>) {
        let who = Person { role, ..Person::player(name.parse().unwrap()) };
        let id = format!("{name} {}", self.live.version);
        let mut answer = None;
        self.command(who, id, what.into(), |_, done| answer = Some(done)).await.unwrap();
        let done = answer.unwrap();
        (done.is_ok(), done.err())
    }

    /// Shows the table to somebody, on socket 0.
    fn shows_to(&mut self, name: &str) -> mpsc::Receiver<FromHouse> {
        let (to, hears) = Outbox::new(&Metrics::default());
        let who = Person::player(name.parse().unwrap());
        let shown = Some(self.view(&who));
        self.viewers.push(Viewer { socket: 0, who, to, shown, number: 0 });
        hears
    }

    /// The commitment of a seat to bytes, for the shoe in use.
    fn commitment(&self, seat: Bettor, bytes: &Seal) -> Seal {
        let shoe = self.live.table.shoe().unwrap();
        let (shoe, seal) = (shoe.number, shoe.seal.unwrap());
        CommitmentPlace { house: "h1", table: &self.name, shoe, seal: &seal, seat }
            .commitment(bytes)
    }

    /// The last input of the log.
    async fn last_input(&self) -> String {
        let log = self.log().await;
        log.iter().rev().find_map(|line| line.strip_prefix("< ")).unwrap().to_owned()
    }

    async fn log(&self) -> Vec<String> {
        let entries = self.means.store.entries(&self.name, 1, u64::MAX).await.unwrap();
        let line = |entry: Entry| match Kind::of(&entry.line)? {
            (Kind::Clock, _) => None,
            (kind, text) => Some(kind.line(text)),
        };
        entries.into_iter().filter_map(line).collect()
    }

    /// Loads the table as a start would, and says how many steps that took.
    async fn loaded(&self) -> (Live, usize) {
        let (store, sheet) = (&self.means.store, self.live.table.sheet());
        let live = Live::load(store, &self.name, sheet, self.epoch).await.unwrap();
        let steps = live.steps.len();
        (live, steps)
    }
}

impl From<PlayerCommand> for TableCommand {
    fn from(command: PlayerCommand) -> TableCommand {
        TableCommand::Player(command)
    }
}

impl From<DealerCommand> for TableCommand {
    fn from(command: DealerCommand) -> TableCommand {
        TableCommand::Dealer(command)
    }
}

impl From<SupervisorCommand> for TableCommand {
    fn from(command: SupervisorCommand) -> TableCommand {
        TableCommand::Supervisor(command)
    }
}

/// A card lies face up.
fn face_up(card: &str) -> Irregularity {
    Irregularity { kind: "face-up".to_owned(), place: None, card: Some(card.to_owned()) }
}

fn order(order: &str, because: Option<String>) -> SupervisorCommand {
    let order = Order { order: order.to_owned(), at: None };
    SupervisorCommand::Order { order, because }
}

/// The words of orders.
fn words(orders: &[Order]) -> Vec<&str> {
    orders.iter().map(|order| order.order.as_str()).collect()
}

/// Everything that later steps depend on.
fn parts(live: &Live) -> impl PartialEq + std::fmt::Debug + use<> {
    let Live { table, chain, felt, custody, version, public, tally, .. } = live;
    (table.clone(), *chain, felt.clone(), custody.clone(), *version, *public, *tally)
}

#[tokio::test]
async fn a_start_from_the_last_round_is_a_start_from_the_beginning() {
    let mut task = table("checkpoint").await;
    task.takes("sit 3 ann").await;
    task.takes("buy-in 3 1000").await;
    let mut rounds = 0;
    while rounds < 90 {
        match (task.live.table.awaits(), Due::at(&task.live.table)) {
            (TableAwaits::Wagers, Some(Due::Idle(_))) => {
                task.takes("wager 3 main 5 progressive 5").await;
            }
            (_, Some(due)) => {
                rounds += u32::from(due == Due::Deal);
                task.when_due(due).await.unwrap();
            }
            (awaits, None) => panic!("nobody does anything: {awaits:?}"),
        }
        // Every step of the first rounds, and around every shuffle.
        if rounds < 4 || task.live.table.shoe().is_none_or(|shoe| shoe.dealt < 5) {
            let (live, steps) = task.loaded().await;
            assert_eq!(parts(&live), parts(&task.live));
            let since_the_deal = task
                .live
                .steps
                .iter()
                .rev()
                .position(|step| step.events.contains(&TableEvent::BetsClosed));
            assert_eq!(since_the_deal.map_or(steps, |since| since + 1), steps);
        }
    }
    assert!(task.live.table.shoe().unwrap().number > 1);
    task.means.store.tamper("DELETE FROM checkpoints").await;
    let (live, steps) = task.loaded().await;
    assert_eq!(parts(&live), parts(&task.live));
    assert_eq!(steps, task.live.steps.len());
}

#[tokio::test]
async fn a_shortcut_that_is_wrong_is_not_taken_and_books_that_differ_close_the_table() {
    let mut task = table("wrong").await;
    task.takes("sit 3 ann").await;
    task.takes("buy-in 3 1000").await;
    while task.live.table.awaits() != TableAwaits::Wagers {
        task.when_due(Due::at(&task.live.table).unwrap()).await.unwrap();
    }
    task.takes("wager 3 main 10").await;
    task.takes("deal").await;
    let (known, steps) = (parts(&task.live), task.live.steps.len());
    for wrong in [
        // Log and books would agree with it.
        "UPDATE checkpoints SET version = version + 1",
        "UPDATE checkpoints SET standing = replace(standing, 'rack 1000', 'rack 900')",
        "UPDATE checkpoints SET standing = replace(standing, 'main 10', 'main 20')",
        "UPDATE checkpoints SET standing = replace(standing, 'shoe 1', 'shoe 2')",
        "UPDATE checkpoints SET standing = 'nothing'",
    ] {
        task.means.store.tamper(wrong).await;
        let (live, played) = task.loaded().await;
        assert_eq!(parts(&live), known, "{wrong}");
        assert_eq!(played, steps, "{wrong}");
    }
    task.means.store.tamper("UPDATE accounts SET balance = 1 WHERE account = 'escrow'").await;
    let (store, sheet) = (&task.means.store, task.live.table.sheet());
    let refused = Live::load(store, &task.name, sheet, task.epoch).await.err().unwrap();
    assert_eq!(
        refused.to_string(),
        "table war-1 cannot go on: its log has 10 in escrow, and the books have 0.01"
    );
}

#[tokio::test]
async fn other_rules_begin_after_the_last_round_and_never_in_one() {
    let mut task = table("rules").await;
    task.takes("sit 3 ann").await;
    task.takes("buy-in 3 1000").await;
    let mut rounds = 0;
    while rounds < 2 {
        let table = &task.live.table;
        let is_placed = table.everyone().any(|(_, chair)| !chair.wager.is_empty());
        match table.awaits() {
            TableAwaits::Wagers if !is_placed => task.takes("wager 3 main 5").await,
            _ => task.when_due(Due::at(table).unwrap()).await.unwrap(),
        }
        rounds = task.live.table.rounds_played();
    }
    // The program that wrote these had other rules.
    let store = task.means.store.clone();
    let earlier = "UPDATE checkpoints SET rules = replace(rules, 'version ', 'version 0')";
    store.tamper(earlier).await;
    let (live, steps) = task.loaded().await;
    assert_eq!((live.table.standing(), steps), (task.live.table.standing(), 0));

    // The new rules begin with how the table stands, so that the log can be verified from there.
    let log = task.log().await;
    let rules = log.iter().rposition(|line| line.starts_with("# version ")).unwrap();
    let standing = live.table.standing().unwrap();
    let standing: Vec<String> = standing.iter().map(|line| format!("= {line}")).collect();
    assert_eq!(log[rules + 1..], standing);

    task.live = live;
    task.takes("wager 3 main 5").await;
    task.takes("deal").await;
    store.tamper(earlier).await;
    let (store, sheet) = (&task.means.store, task.live.table.sheet());
    let refused = Live::load(store, &task.name, sheet, task.epoch).await.err().unwrap();
    assert!(refused.to_string().contains("is in play; finish it with"), "{refused}");
}

#[tokio::test]
async fn a_supervisor_orders_in_their_own_name_and_nobody_else_does() {
    let mut task = table("orders").await;
    task.takes("sit 3 ann").await;
    task.takes("buy-in 3 100").await;
    task.goes_on().await;
    task.takes("wager 3 main 5").await;
    task.takes("deal").await;
    let report = || SupervisorCommand::Report { irregularity: face_up("9d"), injected: false };
    let (ok, refusal) = task.answers("ann", Role::Player, report()).await;
    assert_eq!((ok, refusal.unwrap().source.id()), (false, Some("G-09")));
    let eve = Person { role: Role::Supervisor, ..Person::player("eve".parse().unwrap()) };
    assert!(task.answers("eve", Role::Supervisor, report()).await.0);

    // The table is frozen: nothing is due, and only the supervisor sees what may be ordered.
    assert_eq!(task.clock, None);
    assert_eq!(words(&task.view(&eve).outcomes), ["discard"]);
    let frozen = task.view(&Person::player(eve.name.clone())).frozen.unwrap();
    assert_eq!((&*frozen.code, frozen.source.id()), ("frozen", Some("CW-10-b")));
    assert_eq!(
        frozen.sentence,
        "The table waits for a supervisor: a card lies face up in the shoe, reported by eve."
    );
    assert!(task.view(&Person::player(eve.name.clone())).outcomes.is_empty());
    let (ok, refusal) = task.answers("eve", Role::Supervisor, order("void", None)).await;
    let refusal = refusal.unwrap();
    assert!(!ok && refusal.source.id().is_some_and(|id| id.starts_with("CW-10")), "{refusal:?}");
    assert!(task.answers("eve", Role::Supervisor, order("discard", None)).await.0);
    assert!(task.log().await.iter().any(|line| line.starts_with("> ordered discard by eve")));
    assert!(task.clock.is_some());
    assert!(task.view(&eve).frozen.is_none());
}

/// Whether seat 3 was last shown as away to somebody; none where nothing was shown of that.
fn last_away(hears: &mut mpsc::Receiver<FromHouse>) -> Option<bool> {
    let mut last = None;
    while let Ok(message) = hears.try_recv() {
        let change = match message {
            FromHouse::State { view, .. } => {
                last = Some(view.seats[2].away);
                continue;
            }
            FromHouse::Event { change: Some(change), .. } | FromHouse::Change { change, .. } => {
                change
            }
            _ => continue,
        };
        let seat = change.seats.into_iter().flatten().find(|change| change.seat == 3);
        last = seat.and_then(|seat| seat.away).or(last);
    }
    last
}

#[tokio::test]
async fn who_is_gone_is_shown_as_away_until_they_are_back() {
    let mut task = table("away").await;
    task.takes("sit 3 ann").await;
    let mut eve = task.shows_to("eve");
    let watch = |socket| {
        let (to, hears) = Outbox::new(&Metrics::default());
        let who = Person::player("ann".parse().unwrap());
        (
            Ask::Watch {
                viewer: Viewer { socket, who, to, shown: None, number: 0 },
                id: "w".to_owned(),
                from: None,
            },
            hears,
        )
    };
    let unwatch = |socket| Ask::Unwatch { socket, player: "ann".parse().unwrap() };
    let ((first, mut hears), (second, _hears)) = (watch(1), watch(2));
    task.take(first).await.unwrap();
    assert_eq!(last_away(&mut eve), Some(false));
    assert_eq!(last_away(&mut hears), Some(false), "she sees herself there");
    task.take(second).await.unwrap();
    task.take(unwatch(1)).await.unwrap();
    assert_eq!(last_away(&mut eve), None, "her other page is open");
    task.take(unwatch(2)).await.unwrap();
    assert_eq!(last_away(&mut eve), Some(true));
    task.take(watch(3).0).await.unwrap();
    assert!(task.view(&Person::player("eve".parse().unwrap())).seats[2].away, "it was closed");
}

#[tokio::test]
async fn who_comes_in_mid_shoe_is_told_before_chips_are_bought() {
    // DDB-P22: who does not bet in a round waits for the shuffle.
    let mut task = opened("barred", "deck-1", TermSheet::new(Game::DoubleDeck)).await;
    let _hears = task.shows_to("ann");
    let barred = |task: &TableTask, name: &str| {
        let view = task.view(&Person::player(name.parse().unwrap()));
        let waits: Vec<_> = view.seats.iter().filter(|seat| seat.waits).map(|s| s.seat).collect();
        (view.barred.and_then(|refusal| refusal.source.id().map(str::to_owned)), waits)
    };
    let by_sign = Some("DDB-P22".to_owned());
    task.takes("sit 3 ann").await;
    task.takes("buy-in 3 100").await;
    task.goes_on().await;
    assert_eq!(barred(&task, "eve"), (None, vec![]), "the shoe has only begun");
    task.takes("wager 3 main 10").await;
    task.when_due(Due::Deal).await.unwrap();
    assert_eq!(barred(&task, "ann"), (None, vec![]));
    assert_eq!(barred(&task, "eve"), (by_sign.clone(), vec![]), "she cannot bet in it any more");
    task.takes("sit 5 eve").await;
    assert_eq!(barred(&task, "eve"), (by_sign.clone(), vec![5]));
    task.goes_on().await;
    assert_eq!(task.live.table.awaits(), TableAwaits::Wagers);
    assert_eq!(barred(&task, "ann"), (None, vec![5]));
    assert_eq!(barred(&task, "eve"), (by_sign.clone(), vec![5]));
    task.takes("buy-in 5 100").await;
    let amounts = vec![OnCircle { circle: "main".to_owned(), amount: "10".to_owned() }];
    let (ok, refusal) =
        task.answers("eve", Role::Player, PlayerCommand::Wager { amounts, at: None }).await;
    let source = |refusal: Option<Refusal>| {
        refusal.and_then(|refusal| refusal.source.id().map(str::to_owned))
    };
    assert_eq!((ok, source(refusal)), (false, by_sign.clone()), "and so it is");
    let (ok, refusal) = task.answers("eve", Role::Player, PlayerCommand::Ready).await;
    assert_eq!((ok, source(refusal)), (false, by_sign), "she has chips");
}

#[tokio::test]
async fn somebody_asks_to_bet_on_a_box_and_is_let() {
    // DAB-13-a.
    let mut sheet = TermSheet::new(Game::DoubleAttack);
    sheet.set([("max_bettors_per_box", "2")]).unwrap();
    let mut task = opened("asks", "attack-1", sheet).await;
    let _hears = task.shows_to("eve");
    let ask = || PlayerCommand::Ask { seat: 3 };
    let asking = |task: &TableTask| {
        let view = task.view(&Person::player("ann".parse().unwrap()));
        view.seats[2].asking.clone()
    };
    let (ok, refusal) = task.answers("eve", Role::Player, ask()).await;
    assert_eq!((ok, &*refusal.unwrap().code), (false, "box-is-free"));
    task.takes("sit 3 ann").await;
    assert!(task.answers("eve", Role::Player, ask()).await.0);
    assert_eq!(asking(&task), ["eve"]);
    assert!(!task.answers("ann", Role::Player, ask()).await.0, "it is hers");
    task.takes("consent 3 eve").await;
    assert!(asking(&task).is_empty());

    // Who goes asks no more.
    task.takes("revoke 3 eve").await;
    assert!(task.answers("eve", Role::Player, ask()).await.0);
    let player = "eve".parse().unwrap();
    task.take(Ask::Unwatch { socket: 0, player }).await.unwrap();
    assert!(asking(&task).is_empty());

    let mut alone = table("asks-alone").await;
    alone.takes("sit 3 ann").await;
    let (ok, refusal) = alone.answers("eve", Role::Player, ask()).await;
    assert!(
        !ok && refusal.unwrap().source != wire::Source::House,
        "Casino War has one bettor a box"
    );
}

#[tokio::test]
async fn a_store_in_the_middle_of_an_older_shuffle_says_what_to_do() {
    let task = table("older-shuffle").await;
    let (store, sheet) = (task.means.store.clone(), TermSheet::new(Game::CasinoWar));
    let epoch = store.own("war-2").await.unwrap();
    let mut chain = audit::chain::Chain::new("war-2");
    let lines = ["# version 2 game casino-war", "< mix"];
    let entries = lines.map(|line| chain.append(line)).to_vec();
    let table = "war-2".to_owned();
    store.append(Append { table, epoch, entries, ..Append::default() }).await.unwrap();
    let opened = TableTask::open("war-2", &sheet, task.means.clone()).await;
    let why = opened.err().unwrap().to_string();
    assert!(why.contains("under rules version 2; start the program that did"), "{why}");
}

#[tokio::test]
async fn a_wager_of_nothing_is_refused_with_its_clause() {
    let mut task = table("nothing-wagered").await;
    for line in ["sit 3 ann", "buy-in 3 100", "inspect 3"] {
        task.takes(line).await;
    }
    task.goes_on().await;
    let before = task.log().await;
    let nothing = PlayerCommand::Wager { at: None, amounts: Vec::new() };
    let (ok, refusal) = task.answers("ann", Role::Player, nothing).await;
    let refusal = refusal.unwrap();
    assert!(!ok);
    assert_eq!(refusal.code, "main-wager-missing");
    assert_eq!(refusal.source, wire::Source::Clause("CW-1-initial-wager".into()));
    assert_eq!(task.log().await, before);
}

/// What lies at a table of another node is known to the store alone.
#[tokio::test]
async fn a_wager_counts_with_what_lies_at_a_table_of_another_node() {
    let mut task = table("limits-of-nodes").await;
    task.takes("sit 1 ann").await;
    task.takes("buy-in 1 200").await;
    task.goes_on().await;
    let store = task.means.store.clone();
    let (name, loss) = ("ann".parse().unwrap(), Some(Some(10_000)));
    let limit = Change::Bounds { name, loss, minutes: None, now: unix_time() };
    store.change(limit).await.unwrap();
    store.tamper("INSERT INTO tables VALUES ('war-9', 1)").await;
    store.tamper("INSERT INTO risks VALUES ('ann', 'war-9', 6000)").await;
    let wager = |amount: &str| {
        let on = OnCircle { circle: "main".to_owned(), amount: amount.to_owned() };
        PlayerCommand::Wager { at: None, amounts: vec![on] }
    };
    let (done, refusal) = task.answers("ann", Role::Player, wager("45")).await;
    assert_eq!((done, &*refusal.unwrap().code), (false, "own-loss"));
    assert!(task.live.table.chair(Bettor::at(0)).unwrap().wager.is_empty());
    assert_eq!(task.answers("ann", Role::Player, wager("40")).await, (true, None));
    // It is dealt, and lies there no more.
    task.takes("deal").await;
    store.tamper("INSERT INTO risks VALUES ('ann', 'war-1', 1)").await;
}

#[tokio::test]
async fn what_the_log_could_not_be_read_back_from_is_not_done() {
    let mut task = table("unreadable").await;
    for line in ["sit 3 ann", "buy-in 3 100", "inspect 3"] {
        task.takes(line).await;
    }
    task.goes_on().await;
    let before = task.log().await;
    // No box has a ninth hand, so a report of one has no line that can be read.
    let place = rules::round::Place::hand(0, 8);
    let irregularity = rules::table::Irregularity::Misdealt { place, card: "Kd".parse().unwrap() };
    let (by, injected) = (rules::table::Reporter::Dealer, false);
    let report = Input::Report(rules::table::Report { irregularity, by, injected });
    let decided = task.decide(&"report face-up Kd by dealer".parse().unwrap()).unwrap();
    let done = task.write(&report, decided, Extra::default()).await;
    let refusal = task.in_words(done.unwrap_err());
    assert_eq!(refusal.code, "store-not-written");
    assert_eq!(task.log().await, before);
}

#[tokio::test]
async fn a_table_that_cannot_go_on_names_the_entry() {
    let task = table("names-entry").await;
    let (store, sheet) = (task.means.store.clone(), TermSheet::new(Game::CasinoWar));
    for (name, input, reason) in
        [("war-2", "< wager 3", "entry 2: expected a circle ("), ("war-3", "< deal", "entry 2: ")]
    {
        let epoch = store.own(name).await.unwrap();
        let mut chain = audit::chain::Chain::new(name);
        let rules = RulesLine::new(sheet.clone()).write(&mut chain);
        let entries = vec![rules, chain.append(input)];
        let table = name.to_owned();
        store.append(Append { table, epoch, entries, ..Append::default() }).await.unwrap();
        let why = TableTask::open(name, &sheet, task.means.clone()).await.err().unwrap();
        let expected = format!("table {name} cannot go on: {reason}");
        assert!(why.to_string().starts_with(&expected), "{why}");
    }
}

#[tokio::test]
async fn a_window_ends_when_everyone_who_is_here_has_answered() {
    let mut task = table("adds").await;
    let _hears = task.shows_to("ann");
    for line in ["sit 3 ann", "sit 4 bob", "inspect 3"] {
        task.takes(line).await;
    }
    task.when_due(Due::Shuffle).await.unwrap();
    let left = |task: &TableTask| task.clock.unwrap().0.saturating_duration_since(Instant::now());
    assert!(left(&task) > Duration::from_millis(500), "{:?}", task.clock);
    assert!(left(&task) <= Duration::from_secs(2), "never longer than the rules say");
    let (ann, bytes) = ("ann".parse().unwrap(), Seal([0x5c; 32]));
    let commitment = task.commitment(Bettor::at(2), &bytes);
    assert!(task.take_commitment(&ann, Some(commitment)).is_ok());
    task.set_clock();
    assert!(left(&task) > Duration::from_millis(500), "ann is also asked for the cut");
    assert!(task.take_cut(Bettor::at(2), 60).is_ok());
    task.set_clock();
    assert_eq!((left(&task), task.clock.unwrap().1), (Duration::ZERO, Due::Commit));
    task.when_due(Due::Commit).await.unwrap();
    assert_eq!(task.last_input().await, format!("commit cut 3 60 house h1 3 {commitment}"));
    assert!(left(&task) > Duration::from_millis(500), "{:?}", task.clock);
    assert!(task.take_opening(&ann, bytes).is_ok());
    task.set_clock();
    assert_eq!((left(&task), task.clock.unwrap().1), (Duration::ZERO, Due::Open));
    task.when_due(Due::Open).await.unwrap();
    assert_eq!(task.last_input().await, format!("open 3 {bytes}"));
    assert_eq!(Due::at(&task.live.table), Some(Due::Dealer), "the burn card");
}

#[tokio::test]
async fn whoever_comes_before_the_bets_are_closed_is_waited_for() {
    let mut task = table("comes-back").await;
    let _ann = task.shows_to("ann");
    for line in ["sit 3 ann", "buy-in 3 100", "sit 4 dan", "buy-in 4 100"] {
        task.takes(line).await;
    }
    task.goes_on().await;
    task.takes("wager 3 main 10").await;
    assert!(task.answers("ann", Role::Player, PlayerCommand::Ready).await.0);
    let left = |task: &mut TableTask| {
        let (when, due) = task.next_due().unwrap();
        assert_eq!(due, Due::Deal);
        when.saturating_duration_since(Instant::now())
    };
    assert_eq!(left(&mut task), Duration::ZERO, "dan has chips, and is not here");
    let dan = task.shows_to("dan");
    let all = Pace::default().betting;
    assert!(left(&mut task) > all - Duration::from_secs(5), "dan is here, and may still bet");
    drop(dan);
    assert_eq!(left(&mut task), Duration::ZERO);
    // What could not be written is not tried again at once.
    task.reload().await.unwrap();
    task.ready.push("ann".parse().unwrap());
    assert!(left(&mut task) > Duration::ZERO);
    // Who was ready, and who was not there, is written down with the deal.
    task.when_due(Due::Deal).await.unwrap();
    let log = task.means.store.entries("war-1", 1, u64::MAX).await.unwrap();
    let deal = log.iter().rev().find(|entry| entry.line.ends_with(" deal")).unwrap();
    assert!(deal.line.ends_with("!3 deal"), "{}", deal.line);
    let dan = log.iter().rev().find(|entry| entry.line.starts_with("@ "));
    assert!(dan.unwrap().line.ends_with(" away 4"), "{dan:?}");
}

#[tokio::test]
async fn a_bad_answer_is_refused_in_one_sentence_that_names_it() {
    let mut task = table("bad-answers").await;
    let (_ann, _dan) = (task.shows_to("ann"), task.shows_to("dan"));
    for line in ["sit 3 ann", "sit 4 dan", "inspect 3"] {
        task.takes(line).await;
    }
    let [ann, dan, eve] = ["ann", "dan", "eve"].map(|name| name.parse::<Name>().unwrap());
    let bytes = Seal([0x5c; 32]);
    let refused = |task: &TableTask, done: Result<Done, NotDone>| match done {
        Err(not_done) => task.in_words(not_done).sentence,
        Ok(_) => panic!("it is taken"),
    };
    let early = task.take_commitment(&ann, None);
    assert_eq!(refused(&task, early), "The table is waiting for the shuffle.");
    task.when_due(Due::Shuffle).await.unwrap();
    let commitment = task.commitment(Bettor::at(2), &bytes);
    assert!(task.take_commitment(&ann, Some(commitment)).is_ok());
    assert!(task.take_commitment(&ann, Some(commitment)).is_ok(), "the same answer again");
    let other = task.take_commitment(&ann, Some(bytes));
    assert_eq!(
        refused(&task, other),
        "You have already answered for this shoe, and a commitment cannot be changed."
    );
    let equal = task.take_commitment(&dan, Some(commitment));
    assert_eq!(
        refused(&task, equal),
        "Another player has made the same commitment. Choose other bytes."
    );
    let cut = task.take_cut(Bettor::at(2), 3);
    assert_eq!(refused(&task, cut), "The cut must take 52 to 260 cards from the front.");
    let opened = task.take_opening(&ann, bytes);
    assert_eq!(refused(&task, opened), "The table is waiting for the cut by seat 3.");
    task.when_due(Due::Commit).await.unwrap();
    let stranger = task.take_opening(&eve, bytes);
    assert_eq!(refused(&task, stranger), "You have no commitment in the list for this shoe.");
    let wrong = task.take_opening(&ann, Seal([0x5d; 32]));
    assert_eq!(
        refused(&task, wrong),
        "These bytes are not the ones that you committed to for this shoe."
    );
    assert!(task.take_opening(&ann, bytes).is_ok());
    assert!(task.take_opening(&ann, bytes).is_ok(), "the same answer again");
    task.when_due(Due::Open).await.unwrap();
    assert_eq!(task.last_input().await, format!("open 3 {bytes}"));
}

#[tokio::test]
async fn nobody_waits_for_who_is_gone_or_works_for_the_house_and_neither_cuts() {
    let mut task = table("nobody-waits").await;
    let _hears = task.shows_to("dan");
    for line in ["sit 3 ann", "sit 1 eve", "sit 4 dan", "inspect 3"] {
        task.takes(line).await;
    }
    let _works = task.shows_to("eve");
    task.viewers.last_mut().unwrap().who.role = Role::Supervisor;
    task.when_due(Due::Shuffle).await.unwrap();
    // Seat 3 came first and is gone; seat 1 is next and works for the house; then seat 4.
    for seat in [3, 1] {
        let (_, due) = task.clock.unwrap();
        assert_eq!(due, Due::CutPassed(Bettor::at(seat - 1)));
        task.when_due(due).await.unwrap();
    }
    assert_eq!(task.clock.unwrap().1, Due::Commit);
    let (ok, refusal) =
        task.answers("eve", Role::Supervisor, PlayerCommand::Commit { commitment: None }).await;
    assert_eq!((ok, &*refusal.unwrap().code), (false, "staff-never-mixes"));
    let dan = "dan".parse().unwrap();
    assert!(task.take_commitment(&dan, None).is_ok(), "dan adds nothing");
    assert!(task.take_cut(Bettor::at(3), 100).is_ok());
    task.set_clock();
    assert!(task.clock.unwrap().0 <= Instant::now());
    task.when_due(Due::Commit).await.unwrap();
    assert_eq!(task.last_input().await, "commit cut 4 100");
    assert_eq!(Due::at(&task.live.table), Some(Due::Dealer), "nobody has anything to open");
}

#[tokio::test]
async fn a_hit_at_one_table_takes_what_both_added_together_with_its_round_or_not_at_all() {
    // CW-R19: 15 % of 5 each, on a seed of 10,000.
    let mut here = table("hit").await;
    let (sheet, means) = (here.live.table.sheet().clone(), here.means.clone());
    let store = means.store.clone();
    let mut there = TableTask::open("war-2", &sheet, means).await.unwrap();
    for (task, name) in [(&mut here, "ann"), (&mut there, "eve")] {
        for line in [
            &format!("sit 1 {name}"),
            "buy-in 1 100",
            "inspect 1",
            "shuffle physical wash plug riffle riffle strip turn riffle cut",
            "cut 1 60",
            "card ??",
            "wager 1 main 5 progressive 5",
            "deal",
            "card Ah",
        ] {
            task.takes(line).await;
        }
    }
    let meter = |task: &TableTask| task.live.table.meter().unwrap().to_string();
    assert_eq!([meter(&here), meter(&there)], ["10000.75", "10001.50"]);
    for line in ["card Ah", "act 1 war", "card ??", "card ??", "card ??", "card Ah"] {
        there.takes(line).await;
    }
    store
        .tamper(
            "CREATE TRIGGER broken BEFORE INSERT ON ended \
             BEGIN SELECT RAISE(ABORT, 'broken'); END",
        )
        .await;
    let last: Input = "card Ah".parse().unwrap();
    assert!(matches!(there.put(&last, Extra::default()).await, Err(NotDone::Failed(_))));
    let figures = async || store.figures(PROGRESSIVE).await.unwrap();
    assert_eq!(figures().await.unwrap().awards, 0, "no round, no award");
    store.tamper("DROP TRIGGER broken").await;
    there.takes("card Ah").await;
    let figures = figures().await.unwrap();
    assert_eq!((figures.awards, figures.awarded.to_string()), (1, "10001.50".to_owned()));
    let meter_account = Account::Meter;
    let held = store.balance(PROGRESSIVE, &meter_account).await.unwrap();
    assert_eq!((held.to_string(), held), ("10000".to_owned(), figures.balance()));
    let awards = store.settlements("war-2", 1).await.unwrap();
    let award = awards.iter().find(|wager| wager.is_award).unwrap();
    assert_eq!(award.gain.to_string(), "10001.50");
    assert_eq!(store.total().await.unwrap(), Cents::ZERO);

    here.look();
    assert_eq!(here.glance().borrow().meter.unwrap().to_string(), "10000");
    assert_eq!(meter(&here), "10000.75", "nobody watches who would have to be told");

    // The first table is told before its own next wager counts.
    here.takes("card 4s").await;
    here.takes("wager 1 main 5 progressive 5").await;
    here.takes("deal").await;
    assert_eq!(meter(&here), "10000.75");
    assert!(here.log().await.iter().any(|line| line == "< meter 10000"));

    // The meter moves on while something is put right, and the decision takes back from there.
    here.takes("report no-card 1 by dealer").await;
    there.takes("wager 1 main 5 progressive 5").await;
    there.takes("deal").await;
    assert_eq!(meter(&there), "10001.50");
    here.takes("order dead by eve").await;
    assert_eq!(meter(&here), "10000.75");
}

#[tokio::test]
async fn tables_of_two_nodes_move_one_meter_and_decide_again() {
    // CW-R19: each node has its own idea of the meter, and the store the right one.
    let seed = Cents::new(1_000_000);
    let mut here = table("two-nodes").await;
    let (sheet, mut means) = (here.live.table.sheet().clone(), here.means.clone());
    let store = means.store.clone();
    let other = Progressive::open(&store, seed).await.unwrap();
    means.progressive = Some(other.clone());
    let mut there = TableTask::open("war-2", &sheet, means).await.unwrap();
    for (task, name) in [(&mut here, "ann"), (&mut there, "eve")] {
        for line in [
            &format!("sit 1 {name}"),
            "buy-in 1 100",
            "inspect 1",
            "shuffle physical wash plug riffle riffle strip turn riffle cut",
            "cut 1 60",
            "card ??",
        ] {
            task.takes(line).await;
        }
    }
    let round = ["wager 1 main 5 progressive 5", "deal", "card Ah", "card 4s"];
    for is_here in [true, false, true, false, false, true] {
        let task = if is_here { &mut here } else { &mut there };
        for line in round {
            task.takes(line).await;
        }
        assert!(task.trouble.is_none());
    }
    let figures = store.figures(PROGRESSIVE).await.unwrap().unwrap();
    assert_eq!((figures.seeded, figures.contributed), (seed, Cents::new(6 * 75)));
    let held = store.balance(PROGRESSIVE, &Account::Meter).await.unwrap();
    assert_eq!(held, figures.balance());
    assert_eq!(store.total().await.unwrap(), Cents::ZERO);
    let shows = other.shows();
    assert_eq!(*shows.borrow(), seed + Cents::new(5 * 75));
    other.refresh(&store).await.unwrap();
    assert_eq!(*shows.borrow(), held);
    // What was decided again is in the log once.
    let deals = here.log().await.iter().filter(|line| *line == "< deal").count();
    assert_eq!(deals, 3);
}

#[tokio::test]
async fn who_is_gone_has_more_time_once_a_round_and_who_is_there_has_not() {
    // G-06: and then silence decides as for anybody.
    let mut task = table("grace").await;
    let _hears = task.shows_to("ann");
    for line in ["sit 3 ann", "sit 4 bob", "buy-in 3 100", "inspect 3"] {
        task.takes(line).await;
    }
    let cut = async |task: &mut TableTask| match Due::at(&task.live.table) {
        Some(due @ Due::CutRefused(_)) => task.when_due(due).await.unwrap(),
        other => panic!("{other:?}"),
    };
    let steps: Vec<_> = task.live.table.usual_shuffle().iter().map(ToString::to_string).collect();
    task.takes(&format!("shuffle physical {}", steps.join(" "))).await;
    cut(&mut task).await;
    let asked = |task: &TableTask| Due::at(&task.live.table).unwrap().asked();
    assert_eq!(asked(&task), [Bettor::at(3)], "ann is here and has not cut");
    cut(&mut task).await;
    assert_eq!(asked(&task), [Bettor::at(3)], "bob is gone, and gets more time");
    let left = task.clock.unwrap().0.duration_since(Instant::now());
    assert!(left > dealer::GRACE - Duration::from_secs(1), "{left:?}");
    cut(&mut task).await;
    assert_ne!(asked(&task), [Bettor::at(3)], "once");
}

/// As a process that was stopped for longer than the time to answer: what was asked meanwhile comes first,
/// and so does what a socket still holds.
#[tokio::test]
async fn whoever_answered_while_the_process_was_stopped_is_not_answered_for() {
    for (at, is_in_a_socket) in [false, true].into_iter().cycle().take(12).enumerate() {
        let mut task = table(&format!("stalled-{at}")).await;
        task.takes("sit 1 ann").await;
        task.takes("buy-in 1 100").await;
        let _hears = task.shows_to("ann");
        assert_eq!(task.live.table.awaits(), TableAwaits::Inspection(Bettor::at(0)));
        let long_ago = Instant::now() - Duration::from_secs(3);
        task.clock = Some((long_ago, Due::Inspection(Bettor::at(0))));
        task.acts_after = long_ago;
        let (asks, mut asked) = mpsc::channel(MOST_ASKED);
        let (close, mut closing) = watch::channel(false);
        let who = Person::player("ann".parse().unwrap());
        let (to, _answers) = Outbox::new(&Metrics::default());
        let what = TableCommand::Player(PlayerCommand::Inspect);
        let inspected = Ask::Command { socket: 0, who, id: "one".to_owned(), what, to };
        if is_in_a_socket {
            let later = asks.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                let _ = later.send(inspected).await;
            });
        } else {
            asks.send(inspected).await.map_err(drop).unwrap();
        }
        while task.live.table.awaits() == TableAwaits::Inspection(Bettor::at(0)) {
            assert!(task.step(&mut asked, &mut closing).await);
        }
        let log = task.log().await;
        assert!(log.iter().any(|line| line == "< inspect 1"), "{at}: {log:?}");
        assert!(!log.iter().any(|line| line.starts_with("< time-out")), "{at}: {log:?}");
        drop(close);
    }
}

#[tokio::test]
async fn a_dealer_enters_the_cards_of_a_physical_table_and_nobody_else_does() {
    let mut task = table("physical").await;
    task.means.physical = true;
    for line in ["sit 3 ann", "buy-in 3 100", "inspect 3"] {
        task.takes(line).await;
    }
    let enter = |line: &str| {
        let words: Vec<_> = line.split(' ').collect();
        let card = |word: &str| Some(word.to_owned()).filter(|word| word != "??");
        match words[..] {
            ["shuffle"] => DealerCommand::Shuffle,
            ["deal"] => DealerCommand::Deal,
            ["decks", "inspected"] => DealerCommand::Decks { reference: None },
            ["cut", at] => DealerCommand::Cut { at: at.parse().unwrap() },
            ["card", word] => DealerCommand::Card { card: card(word) },
            ["turn", word] => DealerCommand::Turn { card: word.to_owned() },
            ["report", word] => DealerCommand::Report { irregularity: face_up(word) },
            _ => panic!("{line}"),
        }
    };
    assert_eq!(task.clock, None, "nobody but the dealer shuffles");
    for role in [Role::Player, Role::Supervisor, Role::Operator] {
        assert!(!task.answers("eve", role, enter("shuffle")).await.0, "{role:?}");
    }
    for line in ["shuffle", "cut 60"] {
        let (done, refusal) = task.answers("eve", Role::Dealer, enter(line)).await;
        let is_shuffle = line == "shuffle";
        assert_eq!(done, is_shuffle, "{line}: {refusal:?}");
    }
    task.takes("cut 3 60").await;
    let dealer = Person { role: Role::Dealer, ..Person::player("eve".parse().unwrap()) };
    assert!(!task.view(&dealer).procedure.is_empty(), "the dealer reads what to do");
    for line in ["card Xx", "turn 9d", "deal", "shuffle"] {
        assert!(!task.answers("eve", Role::Dealer, enter(line)).await.0, "{line}");
    }
    assert!(task.answers("eve", Role::Dealer, enter("card ??")).await.0);
    task.takes("wager 3 main 5").await;
    assert_eq!(task.clock.unwrap().1, Due::Deal);
    for line in ["deal", "card 9d", "card 4s"] {
        assert!(task.answers("eve", Role::Dealer, enter(line)).await.0, "{line}");
    }
    assert_eq!(task.live.table.rounds_played(), 1);
    let discard = || order("discard", None);
    let report = enter("report 9d");
    assert!(task.answers("eve", Role::Dealer, report).await.0, "the dealer saw it");
    assert!(!task.answers("eve", Role::Dealer, discard()).await.0, "and does not decide");
    let (done, refusal) = task.answers("eve", Role::Supervisor, discard()).await;
    assert!(done, "{refusal:?}");
    let log = task.log().await;
    assert!(log.iter().any(|line| line.starts_with("< shuffle physical")));

    // The log says in whose hands the cards were: only who is named there enters them (G-13).
    let dealers = |log: &[String]| {
        log.iter().filter(|line| line.starts_with("< dealer")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(dealers(&log), ["< dealer eve"]);
    let (done, refusal) = task.answers("dan", Role::Dealer, enter("card ??")).await;
    assert_eq!((done, refusal.unwrap().source.id()), (false, Some("G-13")));
    let change = SupervisorCommand::ChangeDealer { dealer: "dan".to_owned() };
    assert!(task.answers("eve", Role::Supervisor, change).await.0);
    assert_eq!(dealers(&task.log().await), ["< dealer eve", "< dealer dan by eve"]);
    assert!(!task.answers("eve", Role::Dealer, enter("card ??")).await.0);
    // The new dealer burns a card first (CW-7-a).
    assert!(task.answers("dan", Role::Dealer, enter("card ??")).await.0);

    let mut digital = table("digital").await;
    let (done, refusal) = digital.answers("eve", Role::Dealer, enter("shuffle")).await;
    assert_eq!((done, &*refusal.unwrap().code), (false, "house-deals"));
}

#[tokio::test]
async fn a_refusal_of_a_table_that_stands_still_says_that_nothing_was_done() {
    let mut task = table("standing-still").await;
    let sit = PlayerCommand::Sit { seat: 3, behind: false };
    assert!(task.answers("ann", Role::Player, sit.clone()).await.0);
    let entries = task.means.store.entries("war-1", 1, u64::MAX).await.unwrap();
    let sat = |entry: &&Entry| matches!(Kind::of(&entry.line), Some((Kind::Input, text)) if text.starts_with("sit"));
    let seq = entries.iter().find(sat).unwrap().seq;
    let done = format!("ann {}", task.live.version - 1);
    let asks = |id: &str, what: &PlayerCommand| {
        let (to, hears) = Outbox::new(&Metrics::default());
        let overflow = to.overflow();
        let (id, what) = (id.to_owned(), TableCommand::Player(what.clone()));
        let who = Person::player("ann".parse().unwrap());
        (Ask::Command { socket: 0, who, id, what, to }, hears, overflow)
    };
    let mut waiting = Waiting::default();
    // Its answer was lost on the way, and it is asked again.
    let (ask, mut hears, _) = asks(&done, &sit);
    task.turn_away(ask, &mut waiting).await;
    let Some(FromHouse::Answer { ok: true, seq: led_to, .. }) = hears.recv().await else {
        panic!()
    };
    assert_eq!(led_to, Some(seq));
    // One that was never tried is refused.
    let ready = PlayerCommand::Ready;
    let (ask, mut hears, _) = asks("new", &ready);
    task.turn_away(ask, &mut waiting).await;
    let Some(FromHouse::Answer { refusal: Some(why), .. }) = hears.recv().await else { panic!() };
    assert_eq!(why.code, "store-not-written");
    // Nobody knows whether this one was written: it waits, and is asked again later.
    task.unsure = Some("tried".to_owned());
    let (ask, mut hears, cut_off) = asks("tried", &ready);
    task.turn_away(ask, &mut waiting).await;
    assert!(hears.try_recv().is_err());
    drop(waiting);
    cut_off.notified().await;
    assert!(hears.try_recv().is_err());
}

#[tokio::test]
async fn what_cannot_be_written_is_said_at_the_table_until_something_can() {
    let mut task = table("trouble").await;
    let mut hears = task.shows_to("ann");
    let store = task.means.store.clone();
    store
        .tamper(
            "CREATE TRIGGER broken BEFORE INSERT ON entries \
             BEGIN SELECT RAISE(ABORT, 'broken'); END",
        )
        .await;
    let sit = || PlayerCommand::Sit { seat: 3, behind: false };
    let (done, refusal) = task.answers("ann", Role::Player, sit()).await;
    assert_eq!((done, &*refusal.unwrap().code), (false, "store-not-written"));
    let Some(FromHouse::Change { change, .. }) = hears.recv().await else { panic!() };
    let trouble = change.trouble.flatten().unwrap();
    let sentence = "Betting is paused: the table cannot save. Your chips are safe.";
    assert_eq!((&*trouble.code, &*trouble.sentence), ("table-paused", sentence));
    assert_eq!(change.prompt.as_deref(), Some(sentence));
    store.tamper("DROP TRIGGER broken").await;
    task.probe().await.unwrap();
    let Some(FromHouse::Change { change, .. }) = hears.recv().await else { panic!() };
    assert_eq!(change.trouble, Some(None), "it is seen without anybody's doing");
    assert!(task.answers("ann", Role::Player, sit()).await.0);
    let Some(FromHouse::Event { change: Some(change), .. }) = hears.recv().await else { panic!() };
    let name = change.seats.unwrap()[0].name.clone();
    assert_eq!((change.trouble, name), (None, Some(Some("ann".to_owned()))));
}

#[tokio::test]
async fn a_supervisor_decides_without_watching() {
    let mut task = table("decides").await;
    for line in ["sit 3 ann", "buy-in 3 100"] {
        task.takes(line).await;
    }
    task.goes_on().await;
    task.takes("wager 3 main 5").await;
    task.takes("deal").await;
    let eve = Person { role: Role::Supervisor, ..Person::player("eve".parse().unwrap()) };
    let next = task.live.custody.next(&task.live.table).unwrap();
    let mut decide = async |what: Option<SupervisorCommand>| {
        let (answer, answered) = oneshot::channel();
        let what = what.map(|what| (format!("{what:?}"), what));
        task.take(Ask::Decide { who: eve.clone(), what, answer }).await.unwrap();
        answered.await.unwrap()
    };
    let before = decide(None).await;
    assert!(before.now.outcomes.is_empty() && before.done == Ok(None));
    // The next card of the sealed order is another one, whatever is reported.
    let report = |card: &str| {
        Some(SupervisorCommand::Report { irregularity: face_up(card), injected: false })
    };
    let order = |word: &str| Some(order(word, Some("it was seen".to_owned())));
    for (guess, is_dismissed) in [("9d", true), ("As", false)] {
        let reported = decide(report(guess)).await;
        assert!(reported.done.is_ok());
        assert_eq!(words(&reported.now.outcomes), ["discard"], "the same for every guess");
        if is_dismissed {
            assert!(decide(order("dismiss")).await.done.is_ok());
        }
    }
    let refusal = decide(order("void")).await.done.unwrap_err();
    assert!(refusal.source.id().is_some_and(|id| id.starts_with("CW-10")), "{refusal:?}");
    let ordered = decide(order("discard")).await;
    assert!(ordered.done.is_ok_and(|seq| seq == ordered.now.seq && seq.is_some()));
    let log = task.log().await;
    let discarded = log.iter().find_map(|line| line.strip_prefix("> discarded ")).unwrap();
    assert_eq!(discarded, next.to_string());
    let line = format!("< order discard by eve showing {next} because it was seen");
    assert!(log.contains(&line), "who, why and which card are in the log");
    // An order that moves no card tells none.
    let dismissed = "< order dismiss by eve because it was seen";
    assert!(log.iter().any(|line| line == dismissed));
}

#[tokio::test]
async fn other_cards_come_after_a_day() {
    // FBB-2-c, FBB-R28: also where the house was closed meanwhile.
    let mut task = opened("decks", "free-1", TermSheet::new(Game::FreeBet)).await;
    let in_hours = |task: &TableTask| {
        let left = task.decks.unwrap().saturating_duration_since(Instant::now());
        (left.as_secs() + 1800) / 3600
    };
    assert_eq!(in_hours(&task), 24);
    let since = Some(unix_time() - 20 * 3600);
    let (table, epoch) = (task.name.clone(), task.epoch);
    let append = Append { table, epoch, decks: since, ..Append::default() };
    task.means.store.append(append).await.unwrap();
    task.look_after_decks().await.unwrap();
    assert_eq!(in_hours(&task), 4);

    task.takes("sit 3 ann").await;
    task.takes("buy-in 3 100").await;
    task.goes_on().await;
    task.decks_due().await.unwrap();
    task.goes_on().await;
    let log = task.log().await;
    for line in ["< decks due", "< decks inspected", "> revealed 1"] {
        assert!(log.iter().any(|other| other == line), "{line}");
    }
    assert_eq!((task.live.table.awaits(), in_hours(&task)), (TableAwaits::Wagers, 24));
}

#[tokio::test]
async fn an_idle_table_spreads_its_cards_and_sleeps_when_nobody_is_there() {
    // G-14.
    let mut task = table("idle").await;
    task.takes("sit 3 ann").await;
    task.goes_on().await;
    task.takes("leave 3").await;
    assert_eq!(Due::at(&task.live.table), Some(Due::Idle(0)));
    task.when_due(Due::Idle(0)).await.unwrap();
    task.goes_on().await;
    assert_eq!((task.live.table.awaits(), task.clock), (TableAwaits::Player, None));
    let log = task.log().await;
    assert!(log.iter().any(|line| line == "< idle"));
    assert!(log.iter().any(|line| line == "> revealed 1"));
}

#[tokio::test]
async fn a_table_keeps_the_terms_it_was_opened_with() {
    let means = table("terms").await.means;
    let sheet = TermSheet::new(Game::CasinoWar);
    let refused = TableTask::open("war-1", &sheet, means.clone()).await.err().unwrap().to_string();
    assert_eq!(
        refused,
        "table war-1 cannot go on: it was opened with cut_card_depth=156, and the configuration \
         says cut_card_depth=78; keep the former, or give the table another name"
    );
    let other = TermSheet::new(Game::FreeBet);
    let refused = TableTask::open("war-1", &other, means).await.err().unwrap().to_string();
    assert!(refused.contains("with casino-war, and the configuration says free-bet;"), "{refused}");
}

/// The pages that a store has.
async fn pages(file: &std::path::Path) -> i64 {
    let store = Store::open(file).await.unwrap();
    let pages = store.pages().await;
    store.close().await;
    pages
}

/// A start writes who owns a table, its rules and what its meter shows: whichever of these finds no room,
/// the table opens as soon as there is some.
#[tokio::test]
async fn a_start_without_room_leaves_the_table_able_to_go_on() {
    let (mut later, mut at_once) = (0, 0);
    for room in 0..4 {
        let file = crate::scratch::file(&format!("no-room-{room}"));
        let store = Store::open(&file).await.unwrap();
        store.add_guest(&"ann".parse().unwrap(), "secret").await.unwrap();
        Progressive::open(&store, Cents::new(1_000_000)).await.unwrap();
        store.tamper("CREATE TABLE ballast (weight)").await;
        store.tamper("INSERT INTO ballast VALUES (zeroblob(1000000))").await;
        store.close().await;
        let most = pages(&file).await + room;
        let store = Store::with_pages(&file, most).await;
        let progressive = Some(Progressive::open(&store, Cents::new(1_000_000)).await.unwrap());
        let (orders, pace, viewers) = (dealer::entropy(), Pace::default(), MOST_VIEWERS);
        let means = Means {
            store: store.clone(),
            orders,
            salts: dealer::salts(),
            time_of_day: dealer::time_of_day(),
            pace,
            physical: false,
            coach: wire::Coach::Off,
            company: 0,
            viewers,
            progressive,
            correction_alone: Cents::new(10_000),
            holdings: Holdings::default(),
            metrics: Metrics::default(),
            house: "h1".parse().unwrap(),
            is_of_a_node: false,
        };
        let sheet = TermSheet::new(Game::CasinoWar);
        for table in (1..100).map(|number| format!("war-{number}")) {
            match TableTask::load(&table, &sheet, means.clone()).await {
                Ok(task) => {
                    at_once += 1;
                    assert!(task.live.table.shares_meter());
                }
                Err(StoreError::Full) => {
                    later += 1;
                    let (asks, asked) = mpsc::channel(MOST_ASKED);
                    let (close, closing) = watch::channel(false);
                    let glance = watch::Sender::new(Glance {
                        trouble: Some(refusals::table_disk_full()),
                        ..Glance::of(&Table::new(sheet.clone()), &[])
                    });
                    let mut seen = glance.subscribe();
                    let (name, terms) = (table.clone(), sheet.clone());
                    let opens = tokio::spawn(open_later(
                        name,
                        terms,
                        means.clone(),
                        glance,
                        asked,
                        closing,
                    ));
                    // Who asks meanwhile is answered.
                    let (to, mut hears) = Outbox::new(&Metrics::default());
                    let who = Person::player("ann".parse().unwrap());
                    let what = TableCommand::Player(PlayerCommand::Ready);
                    let id = "one".to_owned();
                    asks.send(Ask::Command { socket: 0, who, id, what, to }).await.unwrap();
                    let answer = serde_json::to_string(&hears.recv().await.unwrap()).unwrap();
                    assert!(answer.contains("store-not-written"), "{answer}");
                    // Somebody makes room.
                    store.tamper("DELETE FROM ballast").await;
                    seen.wait_for(|glance| glance.trouble.is_none()).await.unwrap();
                    let (answer, answered) = oneshot::channel();
                    asks.send(Ask::Published(answer)).await.unwrap();
                    assert!(answered.await.unwrap().last > 0);
                    close.send(true).unwrap();
                    opens.await.unwrap();
                    break;
                }
                Err(error) => panic!("{error}"),
            }
        }
        store.close().await;
    }
    assert_eq!(later, 4, "and {at_once} found room");
}
