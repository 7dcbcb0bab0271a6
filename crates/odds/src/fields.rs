//! A strategy field by field: what it says, a hand that shows it, and what every act is worth there.
//!
//! ```
//! use odds::Valuation;
//! use odds::fields::Fields;
//! use rules::terms::TermSheet;
//! use rules::wager::{Bettor, Game};
//!
//! let fields = Fields::of(&Valuation::new(TermSheet::new(Game::DoubleDeck))?);
//! let field = fields.named("hard 16 T").unwrap();
//! let shown = fields.example(field, 0).unwrap();
//! assert_eq!((shown.own[0].len(), shown.dealer.len()), (2, 1));
//! assert!(shown.acts.iter().any(|value| value.act.call().name() == "hit"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use rules::card::{Card, Rank, Suit};
use rules::games::AnyRound;
use rules::games::blackjack::{Blackjack, Book, Points};
use rules::money::Chips;
use rules::round::{Call, Event, Place, Round};
use rules::wager::{Bettor, Game};

use crate::double_down_stud::{Class, Stud};
use crate::game::{Valuation, from_here};
use crate::position::Position;
use crate::strategy::{Chart, Page, Row, Table, letter_of, shown_values};
use crate::unseen::Unseen;
use crate::value::ActValue;

/// The place of the ace and of the ten among values.
const ACE: usize = 0;
const TEN: usize = 9;

/// A strategy at a table, as a list of fields.
pub struct Fields {
    table: Valuation,
    fields: Vec<Field>,
    chart: Option<Chart>,
    stud: Option<Stud>,
}

/// One field of a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The table that it is in: `hard`, `soft` or `pairs`, with a page before it such as `free`;
    /// `attack`, `tie` or `hand`.
    pub table: String,
    /// Its row: a total, the letter of a pair, or what the cards are.
    pub row: String,
    /// The letter of the dealer's up card, where it matters.
    pub up: Option<char>,
    /// What to do, the most preferred call first; the first that is open is meant.
    pub calls: Vec<Call>,
    /// How often it comes, where that is known.
    pub often: Option<f64>,
    spot: FieldSpot,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FieldSpot {
    Chart { page: Page, row: Row, up: usize },
    Attack { up: usize },
    Tie,
    Hand(Class),
}

impl Field {
    /// What tells it from all others of a game: `hard 16 T`.
    pub fn name(&self) -> String {
        let up = self.up.map(|up| format!(" {up}"));
        format!("{} {}{}", self.table, self.row, up.unwrap_or_default())
    }
}

/// A hand that is in a field, and what every open act is worth.
#[derive(Clone, Debug)]
pub struct Example {
    /// The player's cards, one list for each hand; the last one that has cards is being played.
    pub own: Vec<Vec<Card>>,
    /// The hand that is being played, counted from 0.
    pub hand: usize,
    /// The dealer's open cards, or the community cards.
    pub dealer: Vec<Card>,
    /// The position in words ([`Position::read`]).
    pub words: String,
    /// Every open act.
    pub acts: Vec<ActValue>,
    /// The main wager, which the gains of the acts are for.
    pub main: Chips,
}

impl Fields {
    /// The strategy for the cards left at a table.
    pub fn of(table: &Valuation) -> Fields {
        let game = table.sheet().game();
        let (mut fields, mut stud) = (Vec::new(), None);
        let chart = table.chart();
        match (&chart, game) {
            (Some(chart), _) => fields = of_chart(chart),
            (None, Game::CasinoWar) => fields.push(Field {
                table: "tie".to_owned(),
                row: "any".to_owned(),
                up: None,
                calls: Vec::new(),
                often: None,
                spot: FieldSpot::Tie,
            }),
            _ => {
                let all = Stud::new(table.sheet(), table.setting(), table.unseen());
                let line = |line: &crate::double_down_stud::ChartLine| Field {
                    table: "hand".to_owned(),
                    row: line.class.to_string(),
                    up: None,
                    calls: vec![if line.doubles() { Call::Double } else { Call::Pass }],
                    often: Some(line.probability),
                    spot: FieldSpot::Hand(line.class),
                };
                fields.extend(all.chart().iter().map(line));
                stud = Some(all);
            }
        }
        let mut all = Fields { table: table.clone(), fields, chart, stud };
        all.settle_ties();
        all
    }

    /// Goes to war or surrenders, whichever is worth more.
    fn settle_ties(&mut self) {
        let best = |fields: &Fields, field: &Field| {
            let shown = fields.example(field, 0)?;
            shown.best().map(|best| best.act.call())
        };
        for at in 0..self.fields.len() {
            if self.fields[at].calls.is_empty() {
                self.fields[at].calls = best(self, &self.fields[at]).into_iter().collect();
            }
        }
    }

    /// The table.
    pub fn table(&self) -> &Valuation {
        &self.table
    }

    /// The fields, in the order in which a chart shows them.
    pub fn iter(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter()
    }

    /// The field of a name.
    pub fn named(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name() == name)
    }

    /// A hand that is in a field; `choice` chooses one of several. None where the cards left or the
    /// rules do not let one come about.
    pub fn example(&self, field: &Field, choice: u64) -> Option<Example> {
        let left = self.table.unseen();
        let (words, position) = self.position(field, choice, left)?;
        let shown = self.valued(words, &position, left)?;
        (shown.acts.len() > 1).then_some(shown)
    }

    /// Whether a hand can be in a field.
    pub fn has_example(&self, field: &Field) -> bool {
        self.position(field, 0, self.table.unseen()).is_some()
    }

    /// A position that is in a field.
    fn position(&self, field: &Field, choice: u64, left: &Unseen) -> Option<(String, Position)> {
        let mut words = self.words(field, &mut Hands { left: *left, choice })?;
        for _ in 0..3 {
            let position = Position::read(self.table.sheet(), &words).ok()?;
            let offers = position.round().offers(position.bettor());
            if field.calls.is_empty() || field.calls.iter().any(|call| offers.contains(*call)) {
                return (offers.iter().count() > 1).then_some((words, position));
            }
            // Something else is offered first.
            words = words.replacen(';', " pass;", 1);
        }
        None
    }

    /// An offer of insurance, against an ace.
    pub fn insurance(&self, choice: u64) -> Option<Example> {
        let left = self.table.unseen();
        let mut cards = Hands { left: *left, choice };
        let second = TEN - 1 - usize::try_from(choice % 3).ok()?;
        let (ace, own) = (cards.of(ACE)?, [cards.of(TEN)?, cards.of(second)?]);
        let attack = self.attack(ACE);
        let words = format!("{attack}{}; dealer {ace}", in_words(&own));
        let position = Position::read(self.table.sheet(), &words).ok()?;
        let shown = self.valued(words, &position, left)?;
        let insures = |value: &ActValue| value.act.call() == Call::Insure;
        shown.acts.iter().any(insures).then_some(shown)
    }

    /// What the acts of a hand are worth on average in several shoes. Suits are not looked at.
    pub(crate) fn on_average(&self, shown: &Example, shoes: &[Unseen]) -> Option<Example> {
        let position = Position::read(self.table.sheet(), &shown.words).ok()?;
        let value = |shoe: &Unseen| {
            let mut unseen = *shoe;
            for card in shown.own.iter().flatten().chain(&shown.dealer) {
                let alike = Suit::ALL.map(|suit| Card::new(card.rank(), suit));
                let gone = alike.into_iter().find(|&card| unseen.of(card) > 0)?;
                unseen.remove(gone).ok()?;
            }
            from_here(self.table.sheet(), position.round(), position.bettor(), &unseen).ok()
        };
        let by_shoe: Vec<Vec<ActValue>> = shoes.iter().map(value).collect::<Option<_>>()?;
        let mut acts = by_shoe.first()?.clone();
        for (at, act) in acts.iter_mut().enumerate() {
            let average = |value: fn(&ActValue) -> f64| {
                let sum: f64 = by_shoe.iter().map(|values| value(&values[at])).sum();
                sum / shoes.len() as f64
            };
            *act = ActValue {
                act: act.act,
                gain: average(|value| value.gain),
                gain_exact: None,
                at_most: None,
                ceiling: average(|value| value.ceiling),
                method: act.method,
                prospects: None,
            };
        }
        Some(Example { acts, ..shown.clone() })
    }

    /// A position with the values of its acts.
    fn valued(&self, words: String, position: &Position, left: &Unseen) -> Option<Example> {
        let (sheet, bettor) = (self.table.sheet(), position.bettor());
        let unseen = left.after(position.events(), bettor.seat()).ok()?;
        let acts = from_here(sheet, position.round(), bettor, &unseen).ok()?;
        let CardsShown { own, dealer, hand } = CardsShown::of(position.events());
        Some(Example { own, hand, dealer, words, acts, main: self.table.setting().main })
    }

    /// The word that comes before the cards where a double attack does.
    fn attack(&self, up: usize) -> &'static str {
        match &self.chart {
            Some(chart) if chart.game() == Game::DoubleAttack && chart.attack[up] => "attack ",
            _ => "",
        }
    }

    /// A hand of a field in words.
    fn words(&self, field: &Field, cards: &mut Hands) -> Option<String> {
        Some(match field.spot {
            FieldSpot::Tie => {
                let rank = cards.rank()?;
                format!("{}; dealer {}", cards.take(&[rank])?, cards.take(&[rank])?)
            }
            FieldSpot::Hand(class) => {
                let [own, community @ ..] = self.stud.as_ref()?.hand_of(class, cards.choice)?;
                format!("{own}; dealer {}", in_words(&community))
            }
            FieldSpot::Attack { up } => format!("dealer {}", cards.of(up)?),
            FieldSpot::Chart { page, row, up } => {
                let (dealer, attack) = (cards.of(up)?, self.attack(up));
                let own = match page {
                    Page::Paid => in_words(&cards.of_row(row)?),
                    Page::Free | Page::Split => {
                        let (value, second) = cards.second_hand_of(row)?;
                        let pair = [cards.of(value)?, cards.like(value)?];
                        let (first, second) = (cards.of(TEN)?, cards.of(second)?);
                        format!("{} split {first} stand {second}", in_words(&pair))
                    }
                    Page::Doubled => {
                        let Row::Hard(total) = row else { return None };
                        let third = usize::from(total).checked_sub(12).filter(|v| *v <= TEN)?;
                        let (first, third) = ([cards.of(5)?, cards.of(4)?], cards.of(third)?);
                        format!("{} double {third}", in_words(&first))
                    }
                };
                format!("{attack}{own}; dealer {dealer}")
            }
        })
    }
}

impl Example {
    /// The best act.
    pub fn best(&self) -> Option<&ActValue> {
        self.acts.iter().max_by(|one, other| one.gain.total_cmp(&other.gain))
    }
}

/// The name of the field that a decision is in; none where no chart shows it, as with insurance.
pub fn field_of(round: &AnyRound, bettor: Bettor) -> Option<String> {
    match round {
        AnyRound::CasinoWar(_) => Some("tie any".to_owned()),
        AnyRound::DoubleDownStud(_) => None,
        AnyRound::DoubleDeck(round) => cell_of(round, bettor),
        AnyRound::DoubleAttack(round) => cell_of(round, bettor),
        AnyRound::FreeBet(round) => cell_of(round, bettor),
    }
}

fn cell_of<B: Book, const S: usize, const T: usize>(
    round: &Blackjack<B, S, T>,
    bettor: Bettor,
) -> Option<String> {
    let value = |card: Card| usize::from(Points::pips(card)).checked_sub(1);
    let up = letter_of(value(round.up_card()?)?);
    let offers = round.offers(bettor);
    if offers.contains(Call::Attack) {
        return Some(format!("attack any {up}"));
    }
    let number = round.current_hand(bettor.seat()).filter(|_| offers.contains(Call::Stand))?;
    let hand = round.hand(bettor.seat(), number);
    let pair = hand.first().filter(|_| offers.contains(Call::Split)).and_then(value);
    let page = match pair {
        _ if hand.is_doubled() => Page::Doubled,
        _ if round.is_on_a_lammer(bettor, number) => Page::Free,
        Some(_) if B::ATTACK && number > 0 => Page::Split,
        _ => Page::Paid,
    };
    let row = Row::of(hand.points(), pair);
    let table = match row {
        Row::Hard(_) => Table::Hard,
        Row::Soft(_) => Table::Soft,
        Row::Pair(_) => Table::Pairs,
    };
    let table = format!("{} {}", page.name(), table.name());
    Some(format!("{} {} {up}", table.trim(), row.name()))
}

fn of_chart(chart: &Chart) -> Vec<Field> {
    let mut fields = Vec::new();
    if chart.game() == Game::DoubleAttack {
        fields.extend(shown_values().map(|up| Field {
            table: "attack".to_owned(),
            row: "any".to_owned(),
            up: Some(letter_of(up)),
            calls: match chart.attack[up] {
                true => vec![Call::Attack, Call::Pass],
                false => vec![Call::Pass],
            },
            often: None,
            spot: FieldSpot::Attack { up },
        }));
    }
    for &page in Page::of(chart.game()) {
        for &table in page.tables() {
            for (row, up) in table.rows().flat_map(|row| shown_values().map(move |up| (row, up))) {
                fields.push(Field {
                    table: format!("{} {}", page.name(), table.name()).trim().to_owned(),
                    row: row.name(),
                    up: Some(letter_of(up)),
                    calls: chart.choice(page, row, up).iter().collect(),
                    often: None,
                    spot: FieldSpot::Chart { page, row, up },
                });
            }
        }
    }
    fields
}

/// The cards that lie open to one player.
pub(crate) struct CardsShown {
    pub(crate) own: Vec<Vec<Card>>,
    pub(crate) hand: usize,
    pub(crate) dealer: Vec<Card>,
}

impl CardsShown {
    /// What events of a round with one player have shown.
    pub(crate) fn of(events: &[Event]) -> CardsShown {
        let mut shown = CardsShown { own: vec![Vec::new()], hand: 0, dealer: Vec::new() };
        for event in events {
            match *event {
                Event::Dealt { place: Place::Hand { hand, .. }, card, .. } => {
                    let hand = usize::from(hand);
                    if hand >= shown.own.len() {
                        shown.own.resize(hand + 1, Vec::new());
                    }
                    shown.own[hand].push(card);
                    shown.hand = hand;
                }
                Event::Dealt { place: Place::Dealer, card, .. } | Event::Turned(card) => {
                    shown.dealer.push(card);
                }
                Event::Split { hand, .. } => {
                    let hand = usize::from(hand);
                    let second = shown.own[hand].pop();
                    shown.own.insert(hand + 1, second.into_iter().collect());
                }
                _ => {}
            }
        }
        shown
    }
}

/// Cards as a position has them.
fn in_words(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Hands made of cards that are left.
struct Hands {
    left: Unseen,
    choice: u64,
}

impl Hands {
    /// A card of one of these ranks, in a suit that the choice moves.
    fn take(&mut self, ranks: &[Rank]) -> Option<Card> {
        let start = usize::try_from(self.choice % 12).ok()?;
        let each = |rank: &Rank| Suit::ALL.map(|suit| Card::new(*rank, suit));
        let cards: Vec<Card> = ranks.iter().flat_map(each).collect();
        let mut turned = (0..cards.len()).map(|at| cards[(at * 5 + start) % cards.len()]);
        let card = turned.find(|&card| self.left.of(card) > 0)?;
        self.left.remove(card).ok()?;
        self.choice = self.choice.wrapping_add(5);
        Some(card)
    }

    /// A card of a value, the ace being 0 and the ten 9.
    fn of(&mut self, value: usize) -> Option<Card> {
        let is_of =
            |rank: &Rank| usize::from(Points::pips(Card::new(*rank, Suit::Clubs))) == value + 1;
        let ranks: Vec<Rank> = Rank::ALL.into_iter().filter(is_of).collect();
        self.take(&ranks)
    }

    /// Another card of the rank that was last taken of a value.
    fn like(&mut self, value: usize) -> Option<Card> {
        // Of ten-value cards a pair has the same rank.
        match value {
            TEN => None,
            _ => self.of(value),
        }
    }

    /// A rank of which two cards are left.
    fn rank(&self) -> Option<Rank> {
        let ranks: Vec<Rank> =
            Rank::ALL.into_iter().filter(|&rank| self.left.of_rank(rank) >= 2).collect();
        let count = u64::try_from(ranks.len()).ok().filter(|count| *count > 0)?;
        ranks.get(usize::try_from(self.choice % count).ok()?).copied()
    }

    /// The cards of a row: two, or three where two cannot be.
    fn of_row(&mut self, row: Row) -> Option<Vec<Card>> {
        let values = match row {
            Row::Pair(TEN) => {
                let ten = |rank: &Rank| {
                    Points::pips(Card::new(*rank, Suit::Clubs)) == 10
                        && self.left.of_rank(*rank) > 1
                };
                let rank = Rank::ALL.into_iter().find(ten)?;
                return Some(vec![self.take(&[rank])?, self.take(&[rank])?]);
            }
            Row::Pair(value) => vec![value, value],
            Row::Soft(total) => vec![ACE, usize::from(total).checked_sub(12).filter(|v| *v > ACE)?],
            Row::Hard(20) => vec![5, 4, 8],
            Row::Hard(total) => {
                let total = usize::from(total);
                let other =
                    |one: usize| total.checked_sub(one + 2).filter(|v| *v > ACE && *v < one);
                let pairs = (1..=TEN).rev().filter_map(|one| Some([one, other(one)?]));
                let pairs: Vec<[usize; 2]> = pairs.collect();
                let count = u64::try_from(pairs.len()).ok().filter(|count| *count > 0)?;
                pairs[usize::try_from(self.choice / 7 % count).ok()?].to_vec()
            }
        };
        values.into_iter().map(|value| self.of(value)).collect()
    }

    /// The value of a pair, and of the card that its second hand gets to be in a row.
    fn second_hand_of(&self, row: Row) -> Option<(usize, usize)> {
        match row {
            Row::Pair(value) => Some((value, value)),
            Row::Soft(total) => {
                Some((usize::from(total).checked_sub(12).filter(|v| *v > ACE)?, ACE))
            }
            Row::Hard(total) => (1..TEN).rev().find_map(|value| {
                let second = usize::from(total).checked_sub(value + 2)?;
                (second > ACE && second <= TEN && second != value).then_some((value, second))
            }),
        }
    }
}
