//! Shoes of a plan, played round by round.

use std::cell::Cell;
use std::ops::Range;

use rules::card::Card;
use rules::essence::Essence;
use rules::games::blackjack::{self, Blackjack, Book, DoubleAttack, DoubleDeck, FreeBet};
use rules::games::casino_war::{self, CasinoWar};
use rules::games::double_down_stud::{self, DoubleDownStud};
use rules::games::opening;
use rules::money::{Cents, Chips, LARGEST_AMOUNT};
use rules::round::{Act, Driver, Event, Place, Record, Round};
use rules::shoe::{Shoe, deck};
use rules::wager::{Bettor, Circle, Game, MOST_SEATS, Wagers};

use super::account::{Account, Payoff, is_added_to_main};
use super::compiled::{CARDS, RANKS, ShoePlayer, TablePlayer, TableUsage};
use super::decide::{CardPlayer, CountPlayer, Decide, Doubling, SameCall};
use super::numbers::Wyrand;
use super::plan::{Decisions, Plan, Ramp};
use super::tally::{self, Bins, Sums, Tally};
use crate::blackjack::DrawnCards;
use crate::count::{CountKeeper, SeenCards, counters_seat};

impl Plan {
    /// Plays a range of shoes: by compiled tables once a run is long enough for them to pay, and
    /// round by round before that and where there are none. The result is the same.
    pub fn play(&self, shoes: Range<u64>) -> Tally {
        let by_tables = self.tables.if_due(|| self.play_by_tables(shoes.clone()));
        let tally = by_tables.unwrap_or_else(|| self.play_by_rounds(shoes));
        self.tables.count(tally.rounds);
        tally
    }

    /// Plays a range of shoes, with the result of each.
    pub fn play_each(&self, shoes: Range<u64>) -> Vec<Tally> {
        let by_tables = self.tables.if_due(|| self.play_each_by_tables(shoes.clone()));
        let each = by_tables.unwrap_or_else(|| self.play_each_by_rounds(shoes));
        self.tables.count(each.iter().map(|tally| tally.rounds).sum());
        each
    }

    /// Plays a range of shoes by compiled tables; none where several seats play, where the bet
    /// follows the count, and where the strategy looks at more than the round.
    pub fn play_by_tables(&self, shoes: Range<u64>) -> Option<Tally> {
        self.tables.lend(|| self.table_player(), |player| player.play(self, shoes, None))
    }

    /// The same with the result of each shoe.
    pub fn play_each_by_tables(&self, shoes: Range<u64>) -> Option<Vec<Tally>> {
        let mut each = Vec::new();
        let play = |player: &mut dyn TablePlayer| {
            player.play(self, shoes, Some(&mut each));
        };
        self.tables.lend(|| self.table_player(), play).map(|()| each)
    }

    /// What the compiled tables took that no thread is using now; none where nothing has been played
    /// by one.
    pub fn table_usage(&self) -> Option<TableUsage> {
        self.tables.usage()
    }

    /// Plays a range of shoes by the rounds themselves.
    pub fn play_by_rounds(&self, shoes: Range<u64>) -> Tally {
        match self.seats() {
            1 => self.keep_books::<1>(shoes, None).close(),
            _ => self.keep_books::<MOST_SEATS>(shoes, None).close(),
        }
    }

    /// The same with the result of each shoe.
    pub fn play_each_by_rounds(&self, shoes: Range<u64>) -> Vec<Tally> {
        let each = match self.seats() {
            1 => self.keep_books::<1>(shoes, Some(Vec::new())).each,
            _ => self.keep_books::<MOST_SEATS>(shoes, Some(Vec::new())).each,
        };
        each.unwrap_or_default()
    }

    /// What each round of a shoe came to, with one seat.
    pub(super) fn payoffs(&self, shoe: u64) -> Vec<Payoff> {
        let mut payoffs = Payoffs { round: Payoff::default(), all: Vec::new() };
        self.play_on::<1>(shoe..shoe + 1, &mut payoffs);
        payoffs.all
    }

    /// A player by tables, where there is one.
    fn table_player(&self) -> Option<Box<dyn TablePlayer>> {
        self.compile(NewTablePlayer(self))
    }

    /// Passes the beginning of a round and the strategy on, where those are all that a round depends
    /// on but the cards.
    pub(super) fn compile<C: Compile>(&self, compile: C) -> Option<C::Compiled> {
        if self.seats() != 1 || self.ramp().is_some() {
            return None;
        }
        let sheet = self.sheet();
        let wagers = self.wagers_of::<1>(1, 1);
        match (sheet.game(), &self.strategy().way) {
            (Game::CasinoWar, &Decisions::Same(call)) => {
                let terms = casino_war::WarTerms::read(sheet);
                let start = CasinoWar::<1>::start(terms, &wagers, &mut ());
                Some(compile.round(start, SameCall(call)))
            }
            (Game::DoubleDeck, way) => {
                self.compile_blackjack::<DoubleDeck, C>(&wagers, way, compile)
            }
            (Game::DoubleAttack, way) => {
                self.compile_blackjack::<DoubleAttack, C>(&wagers, way, compile)
            }
            (Game::FreeBet, way) => self.compile_blackjack::<FreeBet, C>(&wagers, way, compile),
            _ => None,
        }
    }

    fn compile_blackjack<B: Book + Send + 'static, C: Compile>(
        &self,
        wagers: &Wagers<1, 1>,
        way: &Decisions,
        compile: C,
    ) -> Option<C::Compiled> {
        let Decisions::Chart(chart) = way else { return None };
        let terms = blackjack::BlackjackTerms::<B>::read(self.sheet());
        let start = Blackjack::<B, 1, 1>::start(terms, wagers, &mut ());
        Some(compile.round(start, chart.compile()))
    }

    fn keep_books<const N: usize>(
        &self,
        shoes: Range<u64>,
        each: Option<Vec<Tally>>,
    ) -> Books<'_, N> {
        let mut books = Books { each, ..Books::new(self) };
        self.play_on::<N>(shoes, &mut books);
        books
    }

    /// Plays a range of shoes and keeps nothing but the number of rounds, with one seat: what the
    /// rules, the cards and the decisions cost.
    pub fn play_and_forget(&self, shoes: Range<u64>) -> u64 {
        let mut rounds = RoundCounter(0);
        self.play_on::<1>(shoes, &mut rounds);
        rounds.0
    }

    /// Plays a range of shoes on a layout with room for `N` boxes.
    pub(crate) fn play_on<const N: usize>(&self, shoes: Range<u64>, watcher: &mut impl Watcher) {
        let sheet = self.sheet();
        let wagers = self.wagers::<N>(self.seats().into());
        match (sheet.game(), &self.strategy().way) {
            (Game::CasinoWar, &Decisions::Same(call)) => {
                let terms = casino_war::WarTerms::read(sheet);
                let start = |wagers: &_| CasinoWar::<N>::start(terms, wagers, &mut ());
                self.play_rounds(
                    shoes,
                    PreparedRounds::with(&wagers, start),
                    &SameCall(call),
                    watcher,
                );
            }
            (Game::DoubleDownStud, strategy) => {
                let terms = double_down_stud::StudTerms::read(sheet);
                let begin = Studs { terms, wagers: &wagers };
                match strategy {
                    &Decisions::Same(call) => {
                        self.play_rounds(shoes, begin, &SameCall(call), watcher)
                    }
                    _ => self.play_rounds(shoes, begin, self.doubling(), watcher),
                }
            }
            (Game::DoubleDeck, _) => self.play_blackjack::<DoubleDeck, N>(shoes, &wagers, watcher),
            (Game::DoubleAttack, _) => {
                self.play_blackjack::<DoubleAttack, N>(shoes, &wagers, watcher);
            }
            (Game::FreeBet, _) => self.play_blackjack::<FreeBet, N>(shoes, &wagers, watcher),
            _ => unreachable!("a plan has a strategy of its game"),
        }
    }

    fn play_blackjack<B: Book, const N: usize>(
        &self,
        shoes: Range<u64>,
        wagers: &[Wagers<N, 1>],
        watcher: &mut impl Watcher,
    ) {
        let terms = blackjack::BlackjackTerms::<B>::read(self.sheet());
        let start = |wagers: &_| Blackjack::<B, N, 1>::start(terms, wagers, &mut ());
        let begin = PreparedRounds::with(wagers, start);
        match &self.strategy().way {
            Decisions::Chart(chart) => self.play_rounds(shoes, begin, &chart.compile(), watcher),
            Decisions::ByCards(best) => {
                let boxes = [const { Cell::new(DrawnCards::NONE) }; N];
                let decide = CardPlayer { play: &best.play, boxes: &boxes };
                self.play_rounds(shoes, begin, &decide, &mut CardMemory { boxes: &boxes, watcher });
            }
            Decisions::ByCount(play) => {
                let (seat, seen) = (counters_seat(self), Cell::new(SeenCards::default()));
                let decide = CountPlayer { play, seat, seen: &seen };
                let keeper = CountKeeper::new(&play.count, seat);
                let mut memory = CountMemory { keeper, seen: &seen, watcher };
                self.play_rounds(shoes, begin, &decide, &mut memory);
            }
            _ => unreachable!("a plan has a strategy of its game"),
        }
    }

    /// The hands that gain by doubling in Double Down Stud.
    fn doubling(&self) -> &Doubling {
        self.doubling.get_or_init(|| Doubling::best(self.sheet(), self.setting()))
    }

    /// The wagers of all seats, by the number of units.
    fn wagers<const N: usize>(&self, seats: usize) -> Vec<Wagers<N, 1>> {
        let most = self.ramp().map_or(1, |ramp| usize::from(ramp.most));
        (1..=most).map(|units| self.wagers_of(seats, units)).collect()
    }

    pub(super) fn wagers_of<const N: usize>(&self, seats: usize, units: usize) -> Wagers<N, 1> {
        let amounts = self.amounts(units);
        let mut opening = opening(self.sheet());
        // A ramp may go beyond the table's limit, and all seats are one company.
        opening.main_max = LARGEST_AMOUNT;
        opening.boxes = None;
        let mut wagers = Wagers::NONE;
        for seat in 0..seats {
            let placed = wagers.place(&opening, Bettor::at(seat), &amounts);
            assert_eq!(placed, Ok(()), "a plan's wagers can be placed");
        }
        wagers.set_meter(self.setting().meter);
        wagers
    }

    fn play_rounds<R: Round, D: Decide<R>>(
        &self,
        shoes: Range<u64>,
        begin: impl Begin<R>,
        decide: &D,
        watcher: &mut impl Watcher,
    ) {
        match self.ramp() {
            None => {
                let dealer = SimulatedDealer::<_, false>::new(self, decide);
                self.play_shoes(shoes, dealer, begin, |_, _| 1, watcher);
            }
            Some(ramp) => {
                let dealer = SimulatedDealer::<_, true>::new(self, decide);
                let cards = deck(self.sheet().game()).count();
                let units = |count, left| ramp.units(count, left as f64 / cards as f64);
                self.play_shoes(shoes, dealer, begin, units, watcher);
            }
        }
    }

    fn play_shoes<R: Round, D: Decide<R>, const COUNTS: bool>(
        &self,
        shoes: Range<u64>,
        mut dealer: SimulatedDealer<'_, D, COUNTS>,
        begin: impl Begin<R>,
        units: impl Fn(i32, usize) -> usize,
        watcher: &mut impl Watcher,
    ) {
        for shoe in shoes {
            dealer.begin(Wyrand::of(self.seed(), shoe));
            loop {
                dealer.shoe.begin_round();
                let units = units(dealer.count, dealer.shoe.left());
                let mut round = begin.with(units);
                watcher.begin(units);
                let played = round.play(&mut dealer, watcher);
                assert!(played.is_ok(), "a strategy does what is offered");
                watcher.end(units);
                if dealer.shoe.is_spent() && !dealer.shuffles_again() {
                    break;
                }
            }
            watcher.shoe_is_over(shoe);
        }
    }
}

/// Compiles rounds of any game.
pub(super) trait Compile {
    type Compiled;

    fn round<R, D>(self, start: R, decide: D) -> Self::Compiled
    where
        R: Essence + Send + 'static,
        D: Decide<R> + Send + 'static;
}

/// Makes a player by tables that are built as they are used.
struct NewTablePlayer<'a>(&'a Plan);

impl Compile for NewTablePlayer<'_> {
    type Compiled = Box<dyn TablePlayer>;

    fn round<R, D>(self, start: R, decide: D) -> Box<dyn TablePlayer>
    where
        R: Essence + Send + 'static,
        D: Decide<R> + Send + 'static,
    {
        match start.sees_suits() {
            false => Box::new(ShoePlayer::<R, D, RANKS>::new(self.0, start, decide)),
            true => Box::new(ShoePlayer::<R, D, CARDS>::new(self.0, start, decide)),
        }
    }
}

/// Begins rounds.
trait Begin<R> {
    /// A round with a number of units.
    fn with(&self, units: usize) -> R;
}

/// Rounds that have been begun once, by the number of units.
struct PreparedRounds<R>(Vec<R>);

impl<R> PreparedRounds<R> {
    fn with<const N: usize>(
        wagers: &[Wagers<N, 1>],
        start: impl Fn(&Wagers<N, 1>) -> R,
    ) -> PreparedRounds<R> {
        PreparedRounds(wagers.iter().map(start).collect())
    }
}

impl<R: Copy> Begin<R> for PreparedRounds<R> {
    #[inline(always)]
    fn with(&self, units: usize) -> R {
        self.0[units - 1]
    }
}

/// Rounds of Double Down Stud, which are begun faster than copied.
struct Studs<'a, const N: usize> {
    terms: double_down_stud::StudTerms,
    wagers: &'a [Wagers<N, 1>],
}

impl<const N: usize> Begin<DoubleDownStud<N>> for Studs<'_, N> {
    #[inline(always)]
    fn with(&self, units: usize) -> DoubleDownStud<N> {
        DoubleDownStud::start(self.terms, &self.wagers[units - 1], &mut ())
    }
}

impl Ramp {
    /// The units bet at a count with this many decks left.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn units(&self, count: i32, decks: f64) -> usize {
        let units = self.base + self.slope * f64::from(count) / decks;
        units.clamp(1.0, f64::from(self.most)) as usize
    }
}

/// The shoe and the strategy; counts the cards seen if the bet follows the count.
struct SimulatedDealer<'a, D, const COUNTS: bool> {
    shoe: Shoe,
    numbers: Wyrand,
    hole: Card,
    decide: &'a D,
    /// How often a shoe is shuffled, and how often this one still is.
    shuffles_a_shoe: u64,
    shuffles: u64,
    count: i32,
    weights: [i32; 16],
}

impl<'a, D, const COUNTS: bool> SimulatedDealer<'a, D, COUNTS> {
    fn new(plan: &'a Plan, decide: &'a D) -> SimulatedDealer<'a, D, COUNTS> {
        let mut weights = [0; 16];
        if let Some(ramp) = plan.ramp() {
            weights[2..15].copy_from_slice(&ramp.weights);
        }
        SimulatedDealer {
            shoe: plan.shoe(),
            numbers: Wyrand::of(0, 0),
            hole: Card::DECK[0],
            decide,
            shuffles_a_shoe: plan.shuffles_a_shoe(),
            shuffles: 0,
            count: 0,
            weights,
        }
    }

    /// Takes a new shoe.
    #[inline(never)]
    fn begin(&mut self, numbers: Wyrand) {
        self.numbers = numbers;
        self.shoe.renew();
        self.shuffles = self.shuffles_a_shoe;
        self.shuffles_again();
    }

    /// Shuffles; not where the shoe is done with.
    #[inline]
    fn shuffles_again(&mut self) -> bool {
        if self.shuffles == 0 {
            return false;
        }
        self.shuffles -= 1;
        self.shoe.shuffle(&mut self.numbers);
        self.count = 0;
        true
    }

    #[inline]
    fn draw(&mut self) -> Card {
        self.shoe.draw(&mut self.numbers).expect("a shoe has more cards than a table can take")
    }

    #[inline]
    fn see(&mut self, card: Card) {
        if COUNTS {
            self.count += self.weights[card.rank() as usize % 16];
        }
    }
}

impl<R, D: Decide<R>, const COUNTS: bool> Driver<R> for SimulatedDealer<'_, D, COUNTS> {
    #[inline(always)]
    fn card(&mut self) -> Card {
        let card = self.draw();
        self.see(card);
        card
    }

    #[inline(always)]
    fn cards<const N: usize>(&mut self) -> [Card; N] {
        let drawn = self.shoe.draw_some(&mut self.numbers);
        let cards = drawn.unwrap_or_else(|| std::array::from_fn(|_| self.draw()));
        for card in cards {
            self.see(card);
        }
        cards
    }

    /// A hole card is seen before the next bet; a burn card is not.
    #[inline(always)]
    fn face_down(&mut self, place: Place) {
        let card = self.draw();
        if place == Place::Dealer {
            self.hole = card;
            self.see(card);
        }
    }

    #[inline(always)]
    fn hole(&mut self) -> Card {
        self.hole
    }

    #[inline(always)]
    fn decide(&mut self, round: &R, bettor: Bettor) -> Act {
        Act::Call(self.decide.decide(round, bettor))
    }
}

/// Watches shoes being played.
pub(crate) trait Watcher: Record {
    /// A round begins with this many units.
    fn begin(&mut self, units: usize);
    /// A round is over.
    fn end(&mut self, units: usize);
    /// A shoe is over.
    fn shoe_is_over(&mut self, shoe: u64);
}

/// Keeps the cards of every box for a strategy that needs them, and passes every event on.
struct CardMemory<'a, W, const N: usize> {
    boxes: &'a [Cell<DrawnCards>; N],
    watcher: &'a mut W,
}

impl<W: Watcher, const N: usize> Record for CardMemory<'_, W, N> {
    #[inline(always)]
    fn note(&mut self, event: Event) {
        for (seat, drawn) in self.boxes.iter().enumerate() {
            let mut cards = drawn.get();
            cards.note(seat, event);
            drawn.set(cards);
        }
        self.watcher.note(event);
    }
}

impl<W: Watcher, const N: usize> Watcher for CardMemory<'_, W, N> {
    fn begin(&mut self, units: usize) {
        self.boxes.iter().for_each(|drawn| drawn.set(DrawnCards::NONE));
        self.watcher.begin(units);
    }

    fn end(&mut self, units: usize) {
        self.watcher.end(units);
    }

    fn shoe_is_over(&mut self, shoe: u64) {
        self.watcher.shoe_is_over(shoe);
    }
}

/// Keeps the count for a strategy that goes by it, and passes every event on; to any watcher, because
/// the games are compiled again for each kind of them.
struct CountMemory<'a> {
    keeper: CountKeeper<'a>,
    seen: &'a Cell<SeenCards>,
    watcher: &'a mut dyn Watcher,
}

impl Record for CountMemory<'_> {
    #[inline(never)]
    fn note(&mut self, event: Event) {
        self.keeper.note(event);
        self.seen.set(self.keeper.seen());
        self.watcher.note(event);
    }
}

impl Watcher for CountMemory<'_> {
    fn begin(&mut self, units: usize) {
        self.seen.set(self.keeper.seen());
        self.watcher.begin(units);
    }

    fn end(&mut self, units: usize) {
        self.keeper.end_round();
        self.watcher.end(units);
    }

    fn shoe_is_over(&mut self, shoe: u64) {
        self.keeper.forget();
        self.watcher.shoe_is_over(shoe);
    }
}

/// Counts rounds, and forgets what happens in them.
struct RoundCounter(u64);

impl Record for RoundCounter {
    #[inline(always)]
    fn note(&mut self, _: Event) {}
}

impl Watcher for RoundCounter {
    fn begin(&mut self, _: usize) {}

    fn end(&mut self, _: usize) {
        self.0 += 1;
    }

    fn shoe_is_over(&mut self, _: u64) {}
}

/// Keeps what every round came to, with one seat.
struct Payoffs {
    round: Payoff,
    all: Vec<Payoff>,
}

impl Record for Payoffs {
    fn note(&mut self, event: Event) {
        self.round.note(event);
    }
}

impl Watcher for Payoffs {
    fn begin(&mut self, _: usize) {
        self.round = Payoff::default();
    }

    fn end(&mut self, _: usize) {
        self.all.push(self.round);
    }

    fn shoe_is_over(&mut self, _: u64) {}
}

/// The account of every seat, and the sums so far.
struct Books<'a, const N: usize> {
    plan: &'a Plan,
    /// What each shoe came to, where that is asked for.
    each: Option<Vec<Tally>>,
    accounts: [Account; N],
    /// What was added to main wagers on the way.
    added: i64,
    shoes: u64,
    main: WagerTally,
    side: WagerTally,
    progressive: WagerTally,
    envy: WagerTally,
    bettor: Option<tally::CountBettor>,
    unit: Chips,
    seats: usize,
    has_side_wagers: bool,
    /// Whether there is nothing but a flat main wager.
    is_plain: bool,
}

/// One wager's page in the books.
struct WagerTally {
    bins: Bins,
    squares: u128,
}

impl WagerTally {
    fn new(unit: Chips) -> WagerTally {
        WagerTally { bins: Bins::new(unit), squares: 0 }
    }

    /// Counts what the seats of a round gained.
    #[inline]
    fn count(&mut self, gains: impl Iterator<Item = Cents>) {
        let mut together = Cents::ZERO;
        for gain in gains {
            self.bins.count(gain);
            together += gain;
        }
        self.squares += u128::from(together.get().unsigned_abs()).pow(2);
    }

    fn close<const N: usize>(&self, staked: i128) -> Sums {
        let nets = self.bins.nets();
        let squares = if N == 1 { tally::squares(&nets) } else { self.squares };
        Sums { nets, staked, squares }
    }
}

impl<'a, const N: usize> Books<'a, N> {
    fn new(plan: &'a Plan) -> Books<'a, N> {
        let (side, progressive) = plan.side_stakes();
        Books {
            plan,
            each: None,
            accounts: [Account::default(); N],
            added: 0,
            shoes: 0,
            main: WagerTally::new(plan.setting().main),
            side: WagerTally::new(side.map_or(Chips::ZERO, |(_, chips)| chips)),
            progressive: WagerTally::new(progressive.unwrap_or(Chips::ZERO)),
            envy: WagerTally::new(progressive.unwrap_or(Chips::ZERO)),
            bettor: plan.ramp().map(|_| tally::CountBettor::default()),
            unit: plan.setting().main,
            seats: plan.seats().into(),
            has_side_wagers: side.is_some() || progressive.is_some(),
            is_plain: side.is_none() && progressive.is_none() && plan.ramp().is_none(),
        }
    }

    #[inline]
    fn gain(&mut self, bettor: Bettor, circle: Circle, gain: Cents) {
        self.accounts[bettor.seat().min(N - 1)].gain(circle, gain);
    }

    /// Counts what is more than a flat main wager.
    #[inline(never)]
    fn end_the_rest(&mut self, units: usize) {
        if self.bettor.is_some() {
            self.end_by_the_count(units);
        }
        if self.has_side_wagers {
            self.end_side_wagers();
        }
    }

    /// Counts the round of a bettor who bets by the count, for one unit.
    fn end_by_the_count(&mut self, units: usize) {
        let units = i64::try_from(units).expect("a few units");
        let gain = self.accounts[0].main.get();
        if let Some(bettor) = &mut self.bettor {
            bettor.gain += i128::from(gain);
            bettor.squares += u128::from(gain.unsigned_abs()).pow(2);
            bettor.wagered += i128::from(self.unit.get()) * i128::from(units);
        }
        self.accounts[0].main = Cents::new(gain / units);
    }

    fn end_side_wagers(&mut self) {
        let accounts = self.accounts;
        let seats = accounts.iter().take(self.seats);
        self.side.count(seats.clone().map(|account| account.side));
        self.progressive.count(seats.clone().map(|account| account.progressive));
        self.envy.count(seats.map(|account| account.envy));
    }

    /// Begins anew after a shoe that is asked for by itself.
    #[inline(never)]
    fn close_shoe(&mut self) {
        if let Some(mut each) = self.each.take() {
            each.push(self.close());
            *self = Books { each: Some(each), ..Books::new(self.plan) };
        }
    }

    fn close(&self) -> Tally {
        let (side, progressive) = self.plan.side_stakes();
        let decided = self.main.bins.nets().values().sum::<u64>();
        let all = |unit: Chips| i128::from(unit.get()) * i128::from(decided);
        let of = |page: &WagerTally, stake: Option<Chips>| {
            stake.map_or(Sums::default(), |unit| page.close::<N>(all(unit)))
        };
        Tally {
            shoes: self.shoes,
            rounds: decided / self.seats as u64,
            main: self.main.close::<N>(all(self.unit) + i128::from(self.added)),
            side: of(&self.side, side.map(|(_, chips)| chips)),
            progressive: of(&self.progressive, progressive),
            envy: of(&self.envy, progressive),
            bettor: self.bettor.unwrap_or_default(),
        }
    }
}

impl<const N: usize> Record for Books<'_, N> {
    #[inline(always)]
    fn note(&mut self, event: Event) {
        match event {
            Event::Settled(settled) => self.gain(settled.bettor, settled.circle, settled.gain),
            Event::Awarded { bettor, circle, amount, .. } => self.gain(bettor, circle, amount),
            Event::Staked { circle, amount, .. } if is_added_to_main(circle) => {
                self.added += i64::from(amount.get());
            }
            _ => {}
        }
    }
}

impl<const N: usize> Watcher for Books<'_, N> {
    #[inline]
    fn begin(&mut self, _: usize) {
        self.accounts = [Account::default(); N];
    }

    #[inline]
    fn end(&mut self, units: usize) {
        if !self.is_plain {
            self.end_the_rest(units);
        }
        match N {
            1 => self.main.bins.count(self.accounts[0].main),
            _ => {
                let accounts = self.accounts;
                self.main.count(accounts.iter().take(self.seats).map(|account| account.main));
            }
        }
    }

    fn shoe_is_over(&mut self, _: u64) {
        self.shoes += 1;
        if self.each.is_some() {
            self.close_shoe();
        }
    }
}
