//! Positions by chance: whatever the terms, the amounts and the rack, a value that is called exact is what brute
//! force comes to, and no other is more than that.
//!
//! `POSITION_CASES=100` tries a hundred times as many, `POSITION_SEED=7` others.

mod worlds;

use odds::ledger::Ledger;
use odds::simulate::Wyrand;
use odds::unseen::Unseen;
use odds::value::{ActValue, Method};
use odds::{open_acts, values_of};
use rules::card::{Card, Rank, Suit};
use rules::games::{AnyRound, TableWagers, opening};
use rules::money::Cents;
use rules::round::{Act, Amounts, Awaits, Call, Event, Place, Round};
use rules::shoe::{below, deck};
use rules::terms::{self, TermSheet};
use rules::wager::{Bettor, Circle, Game};
use worlds::{Brute, after, worlds};

const ONE: Bettor = Bettor::at(0);

/// Rounds that are begun in a test run; about a third of them come to a decision with a value.
const ROUNDS: u64 = 400;

/// Steps after which brute force gives up on an act.
const MOST_STEPS: u64 = 300_000;

/// Choices by chance.
struct Dice(Wyrand);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        below(u32::try_from(bound).unwrap(), &mut self.0) as usize
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Terms of which each is its default or another value; amounts are such that chips break.
    fn sheet(&mut self, game: Game) -> TermSheet {
        let mut sheet = TermSheet::new(game);
        for term in terms::of(game).filter(|term| term.scope == "round") {
            let words: Vec<&str> =
                term.values.split('|').filter(|word| !word.contains(['.', '='])).collect();
            if !words.is_empty() && self.below(2) == 0 {
                // What does not go with the choices before it is refused, and stays as it was.
                let _ = sheet.set([(term.key.as_str(), *self.one_of(&words))]);
            }
        }
        if game == Game::DoubleAttack && self.below(2) == 0 {
            sheet.set([("seats", "6")]).unwrap();
        }
        let unit = *self.one_of(&["1.00", "5.00", "0.01"]);
        sheet.set([("chip_unit", unit)]).unwrap();
        sheet
    }

    /// Cards of a few ranks in two suits, so that pairs are frequent and brute force comes to an end.
    fn shoe(&mut self, sheet: &TermSheet) -> Vec<Card> {
        let (full, deck) = (Unseen::full(sheet), deck(sheet.game()).collect::<Vec<Card>>());
        let ranks: Vec<Rank> = (0..6).map(|_| self.one_of(&deck).rank()).collect();
        let cards = 10 + self.below(9);
        let mut shoe = Unseen::NONE;
        for _ in 0..cards {
            let card = Card::new(*self.one_of(&ranks), *self.one_of(&[Suit::Spades, Suit::Hearts]));
            if shoe.of(card) < full.of(card) {
                shoe.add(card);
            }
        }
        shoe.iter().flat_map(|(card, count)| (0..count).map(move |_| card)).collect()
    }

    /// An act that is open, with any amount where one goes with it.
    fn act(&mut self, round: &AnyRound) -> Act {
        // An insurance that was placed before is not part of a value.
        let is_part = |act: &Act| act.call() != Call::Insure;
        let acts: Vec<Act> = open_acts(round, ONE).into_iter().filter(is_part).collect();
        let act = *self.one_of(&acts);
        self.with_amount(round, act)
    }

    fn with_amount(&mut self, round: &AnyRound, act: Act) -> Act {
        let range = match (act, round.amounts(ONE, act.call())) {
            (_, Amounts::Required(range)) | (Act::With(..), Amounts::Optional(range)) => range,
            _ => return act,
        };
        if range.is_empty() {
            return act;
        }
        let steps = (range.most.get() - range.least.get()) / range.step.get();
        let steps = self.below(steps as usize + 1) as i64;
        let amount = i64::from(range.least.get()) + steps * i64::from(range.step.get());
        Act::With(act.call(), Cents::new(amount))
    }
}

/// A decision, and the cards that nobody has seen.
struct Decision {
    sheet: TermSheet,
    /// The chips before the wager, where they are limited.
    bankroll: Option<Cents>,
    round: AnyRound,
    events: Vec<Event>,
    unseen: Unseen,
}

impl Decision {
    /// Plays a round by chance, up to some decision.
    fn any(game: Game, dice: &mut Dice) -> Option<Decision> {
        let sheet = dice.sheet(game);
        let mut shoe = dice.shoe(&sheet);
        let unit = i64::from(opening(&sheet).chip_unit.get());
        let least = i64::from(opening(&sheet).main_min.get());
        let main = (least + unit - 1) / unit * unit + unit * dice.below(7) as i64;
        let mut wagers = TableWagers::NONE;
        // Chips for everything, or for a few doubles or splits at most.
        let most = usize::try_from(4 * (main / unit)).unwrap();
        let bankroll =
            (dice.below(2) == 0).then(|| Cents::new(main + unit * dice.below(most) as i64));
        if let Some(bankroll) = bankroll {
            wagers.bankroll(ONE, bankroll).unwrap();
        }
        wagers.place(&opening(&sheet), ONE, &[(Circle::Main, Cents::new(main))]).ok()?;
        let mut events = Vec::new();
        let mut round = AnyRound::start(&sheet, &wagers, &mut events);
        let mut acts = dice.below(4);
        while shoe.len() >= 4 {
            match round.awaits() {
                Awaits::Acts(_) if acts == 0 => {
                    let unseen = shoe.into_iter().collect();
                    return Some(Decision { sheet, bankroll, round, events, unseen });
                }
                Awaits::Acts(_) => {
                    round.act(ONE, dice.act(&round), &mut events).unwrap();
                    acts -= 1;
                }
                Awaits::Card(_) => {
                    let card = shoe.swap_remove(dice.below(shoe.len()));
                    round.deal(card, &mut events).unwrap();
                }
                // It stays among the cards that nobody has seen.
                Awaits::FaceDown(Place::Dealer) => round.deal_face_down(&mut events).unwrap(),
                Awaits::Peek => round.peek(false, &mut events).unwrap(),
                Awaits::FaceDown(_) | Awaits::Turn | Awaits::Nobody => return None,
            }
        }
        None
    }

    /// Every open act, and those with an amount once more with any.
    fn acts(&self, dice: &mut Dice) -> Vec<Act> {
        let mut acts = open_acts(&self.round, ONE);
        for act in acts.clone() {
            let other = dice.with_amount(&self.round, act);
            if !acts.contains(&other) {
                acts.push(other);
            }
        }
        acts
    }

    /// In words, to look into it.
    fn in_words(&self) -> String {
        let chosen = self.sheet.chosen().map(|(term, value)| format!("{}={value}", term.key));
        let left = self.unseen.iter().map(|(card, count)| format!("{card}*{count}"));
        let (chosen, left): (Vec<_>, Vec<_>) = (chosen.collect(), left.collect());
        let (game, bankroll) = (self.sheet.game(), self.bankroll);
        let (chosen, left) = (chosen.join(" "), left.join(" "));
        format!("{game} {chosen}; bankroll {bankroll:?}; left {left}\n  {:?}", self.events)
    }
}

/// Whether a value is what brute force says, or less where it says "at least", and never less than what
/// it is taken to be worth at most.
fn is_right(value: &ActValue, brute: Brute) -> bool {
    let near = 1e-9 * brute.gain.abs().max(1.0);
    match value.method {
        Method::Exact => (value.gain - brute.gain).abs() < near,
        _ => value.gain < brute.gain + near && brute.gain < value.ceiling + near,
    }
}

fn said(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[track_caller]
fn check(game: Game) {
    let mut dice = Dice(Wyrand::of(said("POSITION_SEED").unwrap_or(1), game as u64));
    let (mut exact, mut bounds, mut wrong, mut by_looking) = (0, 0, Vec::new(), 0_f64);
    for _ in 0..ROUNDS * said("POSITION_CASES").unwrap_or(1) {
        let Some(decision) = Decision::any(game, &mut dice) else { continue };
        let acts = decision.acts(&mut dice);
        let Decision { sheet, round, events, unseen, .. } = &decision;
        let Ok(values) = values_of(sheet, round, ONE, &acts, unseen) else { continue };
        let worlds = worlds(events, unseen);
        for value in values {
            let mut steps = MOST_STEPS;
            let brute = after(*round, Ledger::of(ONE), value.act, &worlds, &mut steps);
            let Some(brute) = brute else { continue };
            *(if value.method == Method::Exact { &mut exact } else { &mut bounds }) += 1;
            if value.method == Method::Bound {
                // As a part of what is allowed for looking at sibling hands.
                let known = value.at_most.unwrap_or(value.gain).max(value.gain);
                by_looking = by_looking.max((brute.gain - known) / (value.ceiling - known));
            }
            if !is_right(&value, brute) {
                wrong.push(format!("{}\n  {value:?}, by force {brute:?}", decision.in_words()));
            }
        }
    }
    println!("{game}: {exact} exact, {bounds} bounds, looking adds {by_looking:.3} of what it may");
    assert!(exact > 0);
    wrong.truncate(3);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn casino_war_is_worth_what_brute_force_says() {
    check(Game::CasinoWar);
}

#[test]
fn double_down_stud_is_worth_what_brute_force_says() {
    check(Game::DoubleDownStud);
}

#[test]
fn double_deck_is_worth_what_brute_force_says() {
    check(Game::DoubleDeck);
}

#[test]
fn double_attack_is_worth_what_brute_force_says() {
    check(Game::DoubleAttack);
}

#[test]
fn free_bet_is_worth_what_brute_force_says() {
    check(Game::FreeBet);
}
