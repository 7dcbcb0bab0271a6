//! Attacks on the order of a shoe by somebody with the house's memory, a seat, and the cut.

use audit::chain::Chain;
use audit::custody::{Custody, SealedOrder};
use audit::export::Export;
use audit::log::{Outcome, RulesLine};
use audit::mix::{CommitmentPlace, mix};
use audit::secret::LineSalt;
use audit::verify::{Verdict, verify};
use rules::card::Card;
use rules::table::{CommitmentList, Cutter, Input, Seal, Table, TableAwaits};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Game};

use crate::house::{HOUSE, TABLE};

/// Shoes that are attacked.
const SHOES: usize = 200;
/// The attacker's seat, and that of an honest player.
const ATTACKER: usize = 0;
const HONEST: usize = 1;

/// What the attacker knows when it commits: all but the bytes of the honest player.
struct Plan {
    bytes: Seal,
    cut: usize,
}

/// One shoe of Casino War after the other, whose first round the attacker wants to win.
struct Attack {
    table: Table,
    custody: Custody,
    chain: Chain,
    entries: Vec<audit::chain::Entry>,
    numbers: u64,
    wins: usize,
}

impl Attack {
    fn new(seed: u64) -> Attack {
        let sheet = TermSheet::new(Game::CasinoWar);
        let mut chain = Chain::new(TABLE);
        let entries = vec![RulesLine::new(sheet.clone()).write(&mut chain)];
        let (table, custody) = (Table::new(sheet), Custody::default());
        let mut attack = Attack { table, custody, chain, entries, numbers: seed, wins: 0 };
        for line in ["sit 1 mal", "buy-in 1 5000", "sit 2 ann", "inspect 1"] {
            attack.tell(line);
        }
        attack
    }

    fn tell(&mut self, line: &str) {
        self.put(&line.parse().unwrap_or_else(|error| panic!("{line}: {error}")));
    }

    fn put(&mut self, input: &Input) {
        let before = self.table.clone();
        let outcome = Outcome::of(&mut self.table, input);
        let outcome = outcome.unwrap_or_else(|refusal| panic!("{input}: {refusal}"));
        let salt = LineSalt::new([1; 16]);
        self.entries.extend(outcome.write(input, &mut self.chain, salt));
        self.custody.follow(&before, input, &outcome.events, &self.table);
    }

    fn number(&mut self) -> u64 {
        self.numbers = self.numbers.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.numbers ^ (self.numbers >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn bytes(&mut self) -> Seal {
        Seal(std::array::from_fn(|_| self.number().to_le_bytes()[0]))
    }

    /// Plays one shoe: the attacker plans before the honest player opens, and then says which of the
    /// two openings arrive.
    fn shoe(
        &mut self,
        plan: impl Fn(&Sealed) -> Plan,
        arrive: impl Fn(&Sealed, &Plan, Seal) -> [bool; 2],
    ) {
        self.mixes(plan, arrive);
        self.round();
    }

    /// A shoe up to its openings.
    fn mixes(
        &mut self,
        plan: impl Fn(&Sealed) -> Plan,
        arrive: impl Fn(&Sealed, &Plan, Seal) -> [bool; 2],
    ) {
        let mut order = self.custody.stack(&self.table);
        for last in (1..order.len()).rev() {
            let below = u32::try_from(last + 1).unwrap();
            order.swap(last, rules::shoe::below(below, &mut || self.number()) as usize);
        }
        let salt = self.bytes().0;
        let sealed = SealedOrder { salt, order };
        self.custody.keep(sealed.clone());
        let steps = self.table.usual_shuffle();
        self.put(&Input::Shuffle { seal: Some(sealed.seal()), steps });

        let shoe = self.table.shoe().unwrap().number;
        let known = Sealed { seal: sealed.seal(), order: sealed.order, shoe };
        let (plan, honest) = (plan(&known), self.bytes());
        let commitments = [(ATTACKER, plan.bytes), (HONEST, honest)]
            .map(|(seat, bytes)| (Bettor::at(seat), known.commitment(seat, &bytes)));
        let house = HOUSE.parse().unwrap();
        let list = CommitmentList { house, commitments: commitments.to_vec() };
        // Whoever is asked for the cut names it, and it is the attacker every other time.
        let TableAwaits::Commitments(Some(asked)) = self.table.awaits() else { panic!() };
        self.put(&Input::Commit { cut: Some((asked, plan.cut)), list: Some(list) });

        let arrives = arrive(&known, &plan, honest);
        let openings = [(ATTACKER, plan.bytes), (HONEST, honest)].into_iter().zip(arrives);
        let openings = openings.filter(|(_, arrives)| *arrives);
        let openings = openings.map(|((seat, bytes), _)| (Bettor::at(seat), bytes)).collect();
        self.put(&Input::Open { openings });
    }

    /// Whether the attacker would win with the cards as they lie.
    fn would_win(&self) -> bool {
        let (mut table, mut custody) = (self.table.clone(), self.custody.clone());
        let mut put = |input: Input| {
            let before = table.clone();
            let outcome = Outcome::of(&mut table, &input).unwrap();
            custody.follow(&before, &input, &outcome.events, &table);
            custody.next(&table).unwrap()
        };
        put(Input::Card(None));
        put("wager 1 main 10".parse().unwrap());
        let player = put("deal".parse().unwrap());
        let dealer = put(Input::Card(Some(player)));
        beats(player, dealer)
    }

    /// Has the cards cut again as long as the attacker would lose and the table allows it.
    fn recuts_until_it_wins(&mut self) {
        while !self.would_win() {
            let before = self.table.clone();
            let order: Input = "order recut by eve because it was shallow".parse().unwrap();
            if Outcome::of(&mut self.table, &order).is_err() {
                return;
            }
            self.table = before;
            self.put(&order);
            let at = self.custody.drawn_cut(&self.table);
            self.put(&Input::Cut { by: Cutter::Dealer, at });
        }
    }

    /// The burn card, the attacker's card, the dealer's card, and another shoe.
    fn round(&mut self) {
        for line in ["card ??", "wager 1 main 10", "deal"] {
            self.tell(line);
        }
        let [player, dealer] = [(); 2].map(|()| {
            let card = self.custody.next(&self.table).unwrap();
            self.put(&Input::Card(Some(card)));
            card
        });
        self.wins += usize::from(beats(player, dealer));
        if self.table.round().is_some() {
            self.tell("act 1 surrender");
        }
        self.tell("order reshuffle by eve");
        let reveal = self.custody.reveal(&self.table).unwrap();
        self.put(&reveal);
    }

    fn verdict(self) -> (usize, Verdict) {
        let export = Export { table: TABLE.to_owned(), entries: self.entries }.to_string();
        (self.wins, verify(export.as_bytes(), &[]).unwrap())
    }
}

/// What the house's memory holds of a shoe.
struct Sealed {
    seal: Seal,
    order: Vec<Card>,
    shoe: u32,
}

impl Sealed {
    fn commitment(&self, seat: usize, bytes: &Seal) -> Seal {
        let (shoe, seal, seat) = (self.shoe, &self.seal, Bettor::at(seat));
        CommitmentPlace { house: HOUSE, table: TABLE, shoe, seal, seat }.commitment(bytes)
    }

    /// Whether the attacker wins with these values and this cut.
    fn wins(&self, mut values: [Seal; 2], cut: usize) -> bool {
        values.sort_unstable();
        let mut cards = mix(&self.order, &self.seal, &values);
        cards.rotate_left(cut);
        beats(cards[1], cards[2])
    }

    /// Bytes and a cut of the attacker's that win against bytes that the honest player might have.
    fn best_against(&self, honest: Seal) -> Plan {
        let tries = (0..40_u8).flat_map(|own| [52, 100, 150, 200, 260].map(|cut| (own, cut)));
        let plans = tries.map(|(own, cut)| Plan { bytes: Seal([own; 32]), cut });
        let mut plans = plans.peekable();
        let first = Plan { bytes: Seal([0; 32]), cut: 52 };
        plans.find(|plan| self.wins([plan.bytes, honest], plan.cut)).unwrap_or(first)
    }

    /// The values of the mix, where some openings do not arrive.
    fn values(&self, plan: &Plan, honest: Seal, arrives: [bool; 2]) -> [Seal; 2] {
        let value = |seat, bytes: Seal, arrives| match arrives {
            true => bytes,
            false => self.commitment(seat, &bytes),
        };
        [value(ATTACKER, plan.bytes, arrives[0]), value(HONEST, honest, arrives[1])]
    }

    /// The first of these ways in which the attacker wins, or else the first of all.
    fn choose(&self, plan: &Plan, honest: Seal, ways: &[[bool; 2]]) -> [bool; 2] {
        let wins = |way: &&[bool; 2]| self.wins(self.values(plan, honest, **way), plan.cut);
        *ways.iter().find(wins).unwrap_or(&ways[0])
    }
}

fn beats(player: Card, dealer: Card) -> bool {
    player.rank() > dealer.rank()
}

/// How many of 200 rounds are won at most by chance. Of 311 other cards 23 have the dealer's rank, so
/// the player's is higher in 144 of 311 cases: 92.6 are expected with a deviation of 7.1, and this is
/// five deviations more.
const BY_CHANCE: usize = 128;
/// The same where the better of two orders is chosen: 142.4 expected, with a deviation of 6.4.
const BEST_OF_TWO: usize = 174;
/// And of four: 183.4 expected, with a deviation of 3.9, and three and a half deviations more.
const BEST_OF_FOUR: usize = 197;

#[test]
fn whoever_knows_the_sealed_order_and_cuts_wins_no_more_than_chance_where_all_open() {
    let mut attack = Attack::new(1);
    for _ in 0..SHOES {
        // The best that the attacker can do is to guess.
        attack.shoe(|known| known.best_against(Seal([9; 32])), |_, _, _| [true; 2]);
    }
    let (wins, verdict) = attack.verdict();
    assert!(verdict.is_clean(), "{verdict}");
    assert_eq!((verdict.orders.opened, &verdict.orders.unopened[..]), (200, &[][..]));
    assert!(wins <= BY_CHANCE, "{wins} of {SHOES}");
    // With the honest bytes in hand, as where they are not committed to first, it is no contest.
    let mut known = Attack::new(1);
    let order = known.custody.stack(&known.table);
    let won = (0..SHOES).filter(|_| {
        let (seal, honest) = (known.bytes(), known.bytes());
        let sealed = Sealed { seal, order: order.clone(), shoe: 1 };
        let plan = sealed.best_against(honest);
        sealed.wins([plan.bytes, honest], plan.cut)
    });
    assert_eq!(won.count(), SHOES);
}

#[test]
fn whoever_withholds_an_opening_has_two_orders_to_choose_from_and_is_named() {
    let mut attack = Attack::new(2);
    for _ in 0..SHOES {
        attack.shoe(
            |known| known.best_against(Seal([9; 32])),
            |known, plan, honest| known.choose(plan, honest, &[[true; 2], [false, true]]),
        );
    }
    let (wins, verdict) = attack.verdict();
    assert!(verdict.is_clean(), "{verdict}");
    assert!(wins <= BEST_OF_TWO, "{wins} of {SHOES}");
    assert!(wins > BY_CHANCE, "withholding is worth something, and so it is shown");
    let orders = &verdict.orders;
    assert!(orders.unopened.iter().all(|shoe| shoe.missing == ["mal".parse().unwrap()]));
    let withheld = u32::try_from(orders.unopened.len()).unwrap();
    assert_eq!(orders.opened + withheld, 200);
    let mal = orders.people[&"mal".parse().unwrap()];
    assert_eq!((mal.commitments, mal.missing), (200, withheld));
    assert_eq!(orders.people[&"ann".parse().unwrap()].missing, 0);
    let line = format!("  mal: {withheld} of 200 commitments not opened\n");
    assert!(verdict.to_string().contains(&line), "{verdict}");
}

#[test]
fn whoever_controls_what_arrives_has_four_orders_of_two_and_every_such_shoe_is_listed() {
    let mut attack = Attack::new(3);
    let ways = [[true, true], [false, true], [true, false], [false, false]];
    for _ in 0..SHOES {
        attack.shoe(
            |known| known.best_against(Seal([9; 32])),
            |known, plan, honest| known.choose(plan, honest, &ways),
        );
    }
    let (wins, verdict) = attack.verdict();
    assert!(verdict.is_clean(), "{verdict}");
    assert!(wins <= BEST_OF_FOUR, "{wins} of {SHOES}");
    let orders = &verdict.orders;
    assert_eq!(orders.opened as usize + orders.unopened.len(), SHOES);
    assert!(orders.unopened.iter().all(|shoe| shoe.commitments == 2));
    assert!(verdict.to_string().contains("at most 2^2 orders"), "{verdict}");
}

#[test]
fn whoever_has_the_cards_cut_again_has_two_orders_to_choose_from_and_is_listed() {
    let mut attack = Attack::new(4);
    for _ in 0..SHOES {
        attack.mixes(|known| known.best_against(Seal([9; 32])), |_, _, _| [true; 2]);
        attack.recuts_until_it_wins();
        attack.round();
    }
    let (wins, verdict) = attack.verdict();
    assert!(verdict.is_clean(), "{verdict}");
    assert!(wins <= BEST_OF_TWO, "{wins} of {SHOES}");
    assert!(wins > BY_CHANCE, "one more cut is worth something, and so it is shown");
    let orders = &verdict.orders;
    let eve = "eve".parse().unwrap();
    assert!(orders.recut.iter().all(|recut| recut.by == eve));
    assert_eq!(orders.interventions[&eve]["recut"] as usize, orders.recut.len());
    assert_eq!(orders.interventions[&eve]["reshuffle"] as usize, SHOES);
    // By chance 107 of 200 are lost with the first cut, with a deviation of 7.
    assert!((72..=142).contains(&orders.recut.len()), "{}", orders.recut.len());
    let line = format!(
        "{} of 200 shoes: cut again by order, so whoever ordered it may have chosen between two orders",
        orders.recut.len()
    );
    let shoe = format!("\n  shoe {}: ordered by eve\n", orders.recut[0].shoe);
    let verdict = verdict.to_string();
    assert!(verdict.contains(&line) && verdict.contains(&shoe), "{verdict}");
}

#[test]
fn nobody_replaces_an_order_unseen_once_the_list_is_closed() {
    let mut attack = Attack::new(5);
    attack.mixes(|known| known.best_against(Seal([9; 32])), |_, _, _| [true; 2]);
    // From the mix until the shoe is in use the house might know the order, and nobody is idle.
    let refused = |attack: &Attack, line: &str| {
        let refusal = Outcome::of(&mut attack.table.clone(), &line.parse().unwrap());
        refusal.err().map(|why| why.to_string())
    };
    let awaits = |what: &str| Some(format!("the table is waiting for {what}"));
    assert_eq!(refused(&attack, "idle"), awaits("a burn card"));
    attack.round();

    // The same while openings arrive, in the game whose cards are changed after a day as well.
    let mut table = Table::new(TermSheet::new(Game::FreeBet));
    let (seal, hash) = (Seal([1; 32]), Seal([2; 32]));
    let lines = ["sit 1 ann", "inspect 1"].map(str::to_owned).into_iter().chain([
        format!("shuffle {seal} wash plug riffle riffle strip turn riffle cut"),
        format!("commit cut 1 60 house h1 1 {hash}"),
    ]);
    for line in lines {
        Outcome::of(&mut table, &line.parse().unwrap()).unwrap();
    }
    for line in ["idle", "decks due", "order reshuffle by eve", "order recut by eve", "spread 1"] {
        assert!(Outcome::of(&mut table.clone(), &line.parse().unwrap()).is_err(), "{line}");
    }
    assert_eq!(table.awaits(), TableAwaits::Openings);
}
