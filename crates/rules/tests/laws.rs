//! The laws of a round, held by random rounds of all five games on full shoes.
//!
//! Tables are drawn from every term of the sheet, with one to seven boxes, shared boxes, boxes of
//! one person, racks that run short and side wagers; decisions are drawn from what is offered.

mod common;

use std::cell::RefCell;
use std::collections::BTreeSet;

use common::ledger::Ledger;
use common::offers::{offered_iff_accepted, taken_iff_awaited};
use common::play::{Cures, Input, Play, asked, draw_act};
use common::table::{Boxes, Table};
use common::tape::{Tape, hold, hold_game};
use common::{Law, ensure};
use rules::card::Card;
use rules::games::AnyRound;
use rules::games::blackjack::{self, Blackjack, Book, DoubleAttack, DoubleDeck, FreeBet};
use rules::games::casino_war::{self, CasinoWar};
use rules::games::double_down_stud::{self, DoubleDownStud};
use rules::games::opening;
use rules::money::Cents;
use rules::round::{
    Act, Audience, Awaits, Driver, Event, Place, Reason, Remedy, Round, Ruling, Settlement,
    Statement, Why,
};
use rules::transcript::{check, read};
use rules::wager::{Bettor, Circle, Game, Wagers};

/// Plays a random round to its end.
fn random_play(game: Game, cures: Cures, tape: &mut Tape<'_>) -> Result<Play, String> {
    let table = Table::draw(game, Boxes::Any, tape);
    Play::to_the_end(table, cures, tape, |_, _| Ok(()))
}

/// Plays random rounds and holds each to a law when it is over, with and without irregularities.
fn hold_whole_rounds(cases: u32, law: impl Fn(&Play) -> Law) {
    for cures in [Cures::No, Cures::Some] {
        hold(cases, |game, tape| {
            let play = random_play(game, cures, tape)?;
            law(&play).map_err(|why| play.explain(&why))
        });
    }
}

/// Plays random rounds and holds every moment of them to a law.
fn hold_moments(cases: u32, law: impl Fn(&Play, &mut Tape<'_>) -> Law) {
    for cures in [Cures::No, Cures::Some] {
        hold(cases, |game, tape| {
            let table = Table::draw(game, Boxes::Any, tape);
            Play::to_the_end(table, cures, tape, &law).map(|_| ())
        });
    }
}

#[test]
fn what_is_offered_is_accepted_and_nothing_else() {
    hold_moments(250, |play, _| offered_iff_accepted(&play.round));
}

#[test]
fn what_is_refused_changes_nothing() {
    hold_moments(250, |play, _| taken_iff_awaited(&play.round, play.down));
}

// Shows CW-R26, DDS-8-d, DAB-13-d, DAB-13-e, DAB-13-f, DAB-13-g.
#[test]
fn answers_to_one_joint_offer_commute() {
    hold_moments(1_500, |play, tape| {
        let asked: Vec<_> = asked(&play.round).iter().collect();
        for pair in asked.windows(2) {
            let [one, other] = [pair[0], pair[1]];
            let acts = [one, other].map(|b| Input::Act(b, draw_act(&play.round, b, tape)));
            let one_rack = play.table.rack(one) == play.table.rack(other);
            if one_rack && acts.iter().all(|act| stakes_money(play, *act)) {
                // What one box stakes, the other box of the same person cannot.
                continue;
            }
            let there = in_this_order(play, &acts)?;
            let back = in_this_order(play, &[acts[1], acts[0]])?;
            ensure!(there.0 == back.0, "the rounds differ after {acts:?} and the reverse");
            ensure!(there.1 == back.1, "the statements differ after {acts:?} and the reverse");
        }
        Ok(())
    });
}

fn stakes_money(play: &Play, input: Input) -> bool {
    let (mut round, mut events) = (play.round, Vec::new());
    let taken = input.put(&mut round, &mut events);
    taken.is_ok() && events.iter().any(|event| matches!(event, Event::Staked { .. }))
}

fn in_this_order(play: &Play, inputs: &[Input]) -> Result<(AnyRound, Statement), String> {
    let (mut round, mut statement) = (play.round, play.statement());
    for input in inputs {
        input
            .put(&mut round, &mut statement)
            .map_err(|refusal| format!("{input:?} of {inputs:?}: {refusal:?}"))?;
    }
    Ok((round, statement))
}

// Shows CW-9-a, CW-11-c, DDS-10-b, DDS-10-c, DAB-6-d-2, DAB-6-d-3, FBB-9-b-2-i, FBB-10-a, FBB-10-b,
// FBB-10-c.
#[test]
fn every_wager_is_decided_once_for_what_its_ruling_allows() {
    hold_whole_rounds(2_000, |play| {
        ensure!(play.statement().is_balanced(), "staked and settled differ");
        Ledger::read(&play.table, play.events())
    });
}

#[test]
fn a_round_ends_within_a_stated_number_of_inputs() {
    hold_whole_rounds(1_500, |play| {
        let counts = |input: &Input| !matches!(input, Input::Remedy(_) | Input::BuyIn(..));
        let inputs = play.inputs().filter(counts).count();
        let most = most_inputs(&play.table);
        ensure!(inputs <= most, "{inputs} inputs, expected at most {most}");
        Ok(())
    });
}

/// Cards in a hand that could have taken one more a moment before.
///
/// A hand ends at 21 or above, so before its last card it counts 20 at most. Ten aces count a soft
/// 20; a two makes them a hard 12, eight more aces a 20, and any card ends it: 10 + 1 + 8 + 1. No
/// other way has smaller steps: with an ace, the eleven points of counting all low are a 21.
const MOST_CARDS_IN_A_HAND: usize = 20;

/// Cards before the dealer.
///
/// Where soft 17 is hit the dealer goes on from seven aces, then cannot pass through the soft 18 to
/// 21 and needs a five to leap to a hard 12, and takes five more aces: 7 + 1 + 5. Where soft 17
/// stands it is one card less.
const MOST_CARDS_OF_A_DEALER: usize = 13;

/// The most inputs of a round, remedies and buy-ins not counted: they come from outside, add no card
/// or question to a hand beyond its own, and may be repeated where they change nothing.
///
/// - Casino War: a card for each seat and the dealer, an answer of each, three burn cards, a war card
///   for each and the dealer.
/// - Double Down Stud: a card for each seat, the hole card, three open cards, an answer of each, the
///   turn.
/// - Blackjack, for each box of `h` hands and `b` bettors: 20 cards a hand; a call before each of
///   them but the first two, 18 a hand; a call for each of the `h - 1` splits; one call that ends
///   each hand; for each of the other bettors an answer to every double and every split; two answers
///   of everyone, to the attack and to insurance. And for the dealer 13 cards, the turning of the one
///   dealt face down, and the reader's answer.
fn most_inputs(table: &Table) -> usize {
    let seats = table.sheet.number("seats").unwrap() as usize;
    let hands = blackjack::MOST_HANDS;
    match table.game() {
        Game::CasinoWar => 3 * seats + 5,
        Game::DoubleDownStud => 2 * seats + 5,
        game => {
            let bettors = if game == Game::DoubleAttack { 3 } else { 1 };
            let played = hands * (MOST_CARDS_IN_A_HAND + MOST_CARDS_IN_A_HAND - 2);
            let split_and_ended = (hands - 1) + hands;
            let followed = (bettors - 1) * (hands + hands - 1);
            let windows = 2 * bettors;
            let dealer = MOST_CARDS_OF_A_DEALER + 2;
            seats * (played + split_and_ended + followed + windows) + dealer
        }
    }
}

#[test]
fn the_same_inputs_bring_the_same_events() {
    hold_whole_rounds(1_000, |play| {
        let mut opened = Vec::new();
        let mut round = play.table.start(&mut opened);
        ensure!(opened == play.opened, "the opening differs");
        for step in &play.steps {
            let mut events = Vec::new();
            step.input.put(&mut round, &mut events).map_err(|r| format!("{step:?}: {r:?}"))?;
            ensure!(events == step.events, "{:?} brought {events:?}", step.input);
        }
        ensure!(round == play.round, "the rounds differ");
        Ok(())
    });
}

#[test]
fn a_printed_round_is_read_back_and_passes() {
    hold_whole_rounds(400, |play| {
        let transcript = play.transcript();
        let text = transcript.to_string();
        let read = read(&text).map_err(|errors| format!("{errors:?} in\n{text}"))?;
        ensure!(read == [transcript], "read back it differs:\n{text}");
        let report = check(&read[0]);
        ensure!(report.passed(), "{:?} in\n{text}", report.findings);
        ensure!(text.ends_with("done\n"), "it ends with\n{text}");
        Ok(())
    });
}

#[test]
fn a_round_that_follows_its_own_course_comes_to_the_same_as_step_by_step() {
    hold_moments(250, |play, tape| {
        let driver = Seen::of(play, tape.below(1 << 16));
        match play.round {
            AnyRound::CasinoWar(round) => same_course(play, round, AnyRound::CasinoWar, driver),
            AnyRound::DoubleDownStud(round) => {
                same_course(play, round, AnyRound::DoubleDownStud, driver)
            }
            AnyRound::DoubleDeck(round) => same_course(play, round, AnyRound::DoubleDeck, driver),
            AnyRound::DoubleAttack(round) => {
                same_course(play, round, AnyRound::DoubleAttack, driver)
            }
            AnyRound::FreeBet(round) => same_course(play, round, AnyRound::FreeBet, driver),
        }
    });
}

/// Plays from a moment to the end, by the game's own course and as any round is played.
fn same_course<R: Round>(play: &Play, own: R, any: fn(R) -> AnyRound, driver: Seen) -> Law {
    let (mut own, mut events) = (own, Vec::new());
    let (mut stepwise, mut expected) = (play.round, Vec::new());
    let ended = own.play(&mut driver.clone(), &mut events);
    ensure!(stepwise.play(&mut driver.clone(), &mut expected) == ended, "it ends with {ended:?}");
    ensure!(events == expected, "{events:?} happens, expected {expected:?}");
    ensure!(any(own) == stepwise, "they differ in the end");
    ensure!(own.awaits() == Awaits::Nobody, "it still awaits {:?}", own.awaits());
    Ok(())
}

/// A driver that answers the same way to the same questions.
#[derive(Clone)]
struct Seen {
    cards: Vec<Card>,
    hole: Card,
    number: usize,
}

impl Seen {
    fn of(play: &Play, number: usize) -> Seen {
        let cards = play.table.shoe();
        Seen { hole: play.down.unwrap_or(cards[0]), cards, number }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.number = (self.number * 25_173 + 13_849) % (1 << 16);
        (self.number * bound) >> 16
    }
}

impl<R: Round> Driver<R> for Seen {
    fn card(&mut self) -> Card {
        let place = self.below(self.cards.len());
        self.cards.swap_remove(place)
    }

    fn face_down(&mut self, place: Place) {
        let card = Driver::<R>::card(self);
        if place == Place::Dealer {
            self.hole = card;
        }
    }

    fn hole(&mut self) -> Card {
        self.hole
    }

    fn decide(&mut self, round: &R, bettor: Bettor) -> Act {
        let calls: Vec<_> = round.offers(bettor).iter().collect();
        Act::Call(calls[self.below(calls.len())])
    }
}

#[test]
fn a_round_of_one_box_is_the_same_on_a_small_layout() {
    for cures in [Cures::No, Cures::Some] {
        hold(800, |game, tape| {
            let table = Table::draw(game, Boxes::First, tape);
            let play = Play::to_the_end(table, cures, tape, |_, _| Ok(()))?;
            let law = match game {
                Game::CasinoWar => {
                    let terms = casino_war::WarTerms::read(&play.table.sheet);
                    same_events(&play, |w, r| CasinoWar::<1>::start(terms, w, r))
                }
                Game::DoubleDownStud => {
                    let terms = double_down_stud::StudTerms::read(&play.table.sheet);
                    same_events(&play, |w, r| DoubleDownStud::<1>::start(terms, w, r))
                }
                Game::DoubleDeck => same_blackjack::<DoubleDeck>(&play),
                Game::DoubleAttack => same_blackjack::<DoubleAttack>(&play),
                Game::FreeBet => same_blackjack::<FreeBet>(&play),
            };
            law.map_err(|why| play.explain(&why))
        });
    }
}

fn same_blackjack<B: Book>(play: &Play) -> Law {
    let terms = blackjack::BlackjackTerms::<B>::read(&play.table.sheet);
    same_events(play, |w, r| Blackjack::<B, 1, 1>::start(terms, w, r))
}

/// Replays a round of the first box in a round that has room for no more.
fn same_events<R: Round>(play: &Play, start: impl Fn(&Wagers<1, 1>, &mut Vec<Event>) -> R) -> Law {
    let mut wagers = Wagers::<1, 1>::NONE;
    for (bettor, amounts) in &play.table.slips {
        let placed = wagers.place(&opening(&play.table.sheet), *bettor, amounts);
        ensure!(placed.is_ok(), "{placed:?}");
    }
    for &(bettor, amount) in &play.table.bankrolls {
        ensure!(wagers.bankroll(bettor, amount).is_ok(), "a bankroll of {amount}");
    }
    if play.table.game() == Game::CasinoWar {
        wagers.set_meter(play.table.meter());
    }
    let mut events = Vec::new();
    let mut round = start(&wagers, &mut events);
    ensure!(events == play.opened, "the opening is {events:?}");
    for step in &play.steps {
        ensure!(round.awaits() == step.awaited, "awaits {:?}", round.awaits());
        let mut events = Vec::new();
        step.input.put(&mut round, &mut events).map_err(|r| format!("{step:?}: {r:?}"))?;
        ensure!(events == step.events, "{:?} brought {events:?}", step.input);
    }
    ensure!(round.awaits() == Awaits::Nobody, "awaits {:?}", round.awaits());
    Ok(())
}

// Shows DDB-R04.
#[test]
fn cards_held_by_their_owner_are_seen_by_nobody_else_before_they_are_shown() {
    hold_whole_rounds(2_000, |play| {
        let private = play.table.game() == Game::DoubleDeck
            && play.table.sheet.word("player_cards") == "private";
        let mut cards = [0; 7];
        let mut shown = [false; 7];
        for step in &play.steps {
            for event in &step.events {
                match *event {
                    Event::Dealt { place: Place::Hand { seat, .. }, .. } => {
                        let count = &mut cards[usize::from(seat)];
                        *count += 1;
                        let expected = match private && *count <= 2 {
                            true => Audience::Box(seat),
                            false => Audience::Everyone,
                        };
                        ensure!(event.audience() == expected, "{event:?} to {expected:?}");
                    }
                    Event::Shown { seat, .. } => {
                        let twice = std::mem::replace(&mut shown[usize::from(seat)], true);
                        ensure!(private && !twice, "{event:?} was not hidden");
                    }
                    _ => {
                        ensure!(event.audience() == Audience::Everyone, "{event:?}");
                    }
                }
            }
            if private && !matches!(step.input, Input::Remedy(_)) {
                settled(&step.events).try_for_each(|settled| {
                    let on_a_hand = settled.circle != Circle::Insurance;
                    let open = shown[settled.bettor.seat()] || !on_a_hand;
                    ensure!(open, "decided before it was shown: {settled:?}");
                    Ok(())
                })?;
            }
        }
        Ok(())
    });
}

// Shows G-24, DAB-7-b, DDS-8-b, FBB-6-b, DDB-P6.
#[test]
fn a_card_is_in_an_event_when_it_was_told_and_no_sooner() {
    hold_whole_rounds(1_500, |play| {
        for step in &play.steps {
            let in_events = step.events.iter().filter_map(card_in);
            ensure!(
                in_events.clone().eq(step.input.card()),
                "{:?} told {:?}",
                step.input,
                in_events.collect::<Vec<_>>()
            );
        }
        Ok(())
    });
}

fn card_in(event: &Event) -> Option<rules::card::Card> {
    match *event {
        Event::Dealt { card, .. }
        | Event::Turned(card)
        | Event::Remedied(Remedy::HoleCardShown(card)) => Some(card),
        _ => None,
    }
}

fn settled(events: &[Event]) -> impl Iterator<Item = Settlement> {
    events.iter().filter_map(|event| match event {
        Event::Settled(settlement) => Some(*settlement),
        _ => None,
    })
}

/// Whether these settlements go from the highest box down.
fn goes_down(settlements: impl Iterator<Item = Settlement>) -> bool {
    settlements.map(|settled| settled.bettor.seat()).is_sorted_by(|one, next| one >= next)
}

// Shows G-05, CW-8-a, CW-8-g, CW-R26, DDS-9-a, DAB-5-e, FBB-6-r-2, DAB-6-d-2, DDB-P1.
#[test]
fn settlement_goes_from_the_highest_seat_down() {
    hold_whole_rounds(2_000, |play| {
        // A hole card shown early lets naturals be paid in turn and the dealer's hand end at once.
        let seen = play.inputs().any(|i| matches!(i, Input::Remedy(Remedy::HoleCardShown(_))));
        for step in play.steps.iter().filter(|step| step.is_dealers_card() && !seen) {
            for circle in [Circle::Insurance, Circle::Bonus, Circle::Push22] {
                let on_it = settled(&step.events).filter(|settled| settled.circle == circle);
                ensure!(goes_down(on_it), "{circle} in {:?}", step.events);
            }
            // What waited for the dealer's second card comes before what waits for the total.
            let waited =
                |settled: &Settlement| matches!(settled.reason.why, Why::Surrender | Why::Bust);
            let before = |settled: &Settlement| {
                play.table.game() == Game::FreeBet
                    && play.table.sheet.word("settlement_order") == "collect_all_then_pay"
                    && is_taken(settled)
            };
            let on_hands = || settled(&step.events).filter(is_on_a_hand);
            let first = on_hands().filter(waited);
            let then = on_hands().filter(|s| !waited(s)).filter(before);
            let last = on_hands().filter(|s| !waited(s) && !before(s));
            ensure!(goes_down(first), "held ones in {:?}", step.events);
            ensure!(goes_down(then), "collected ones in {:?}", step.events);
            ensure!(goes_down(last), "paid ones in {:?}", step.events);
        }
        Ok(())
    });
}

fn is_on_a_hand(settled: &Settlement) -> bool {
    !matches!(settled.circle, Circle::Insurance | Circle::Bonus | Circle::Push22)
}

/// Whether a wager is lost; a lammer that loses is removed with what lies beside it.
fn is_taken(settled: &Settlement) -> bool {
    settled.ruling == Ruling::Take || settled.lammer && settled.reason.why == Why::Lower
}

// Shows FBB-6-r, FBB-6-r-1, FBB-6-r-2, FBB-R25.
#[test]
fn free_bet_collects_everything_before_it_pays_or_goes_seat_by_seat() {
    hold_game(Game::FreeBet, 3_000, |game, tape| {
        let play = random_play(game, Cures::No, tape)?;
        let order = play.table.sheet.word("settlement_order");
        for step in play.steps.iter().filter(|step| step.is_dealers_card()) {
            let on_hands: Vec<_> = settled(&step.events).filter(is_on_a_hand).collect();
            let first_other = on_hands.iter().position(|settled| !is_taken(settled));
            let last_taken = on_hands.iter().rposition(is_taken);
            let collected_first = match (first_other, last_taken) {
                (Some(other), Some(taken)) => taken < other,
                _ => true,
            };
            let holds = match order {
                "collect_all_then_pay" => collected_first || dealer_has_natural(&step.events),
                _ => goes_down(on_hands.iter().copied()),
            };
            ensure!(holds, "{}", play.explain(&format!("{order}: {on_hands:?}")));
        }
        Ok(())
    });
}

/// Whether the dealer's natural settles: then all is collected or pushed.
fn dealer_has_natural(events: &[Event]) -> bool {
    settled(events)
        .any(|settled| matches!(settled.reason.why, Why::BothNaturals | Why::DealerNatural))
}

// Shows DAB-6-d, DAB-6-d-1, DAB-R14.
#[test]
fn the_bonus_is_settled_before_every_wager_on_a_hand_that_waits_for_the_dealer() {
    hold_game(Game::DoubleAttack, 3_000, |game, tape| {
        let play = random_play(game, Cures::No, tape)?;
        for step in play.steps.iter().filter(|step| step.is_dealers_card()) {
            let all: Vec<_> = settled(&step.events).collect();
            let bonus = all.iter().rposition(|settled| settled.circle == Circle::Bonus);
            let hand = all.iter().position(is_on_a_hand);
            if let (Some(bonus), Some(hand)) = (bonus, hand) {
                ensure!(bonus < hand, "{}", play.explain(&format!("{all:?}")));
            }
        }
        Ok(())
    });
}

// Shows G-03.
#[test]
fn a_void_of_the_whole_round_leaves_everyone_as_they_were() {
    hold_whole_rounds(1_500, |play| {
        let voided = play.inputs().any(|input| input == Input::Remedy(Remedy::Void));
        if voided && play.table.sheet.word("void_scope") == "whole_round" {
            let statement = play.statement();
            for bettor in play.table.bettors() {
                let net = statement.net(bettor);
                ensure!(net == Cents::ZERO, "{bettor} has {net} of a void round");
            }
        }
        Ok(())
    });
}

/// Every call, and every remedy that the game's book knows.
const REACHED: [(Game, &str, &str); 5] = [
    (Game::CasinoWar, "surrender war", "void release dead late dealer-late burn-forgotten"),
    (Game::DoubleDownStud, "double pass", "void hole"),
    (
        Game::DoubleDeck,
        "hit stand double split insure even-money pass",
        "void release dead late no-more-cards dealer-late hole reader-out",
    ),
    (
        Game::DoubleAttack,
        "hit stand double split hand surrender attack insure pass",
        "void release dead sides-back late no-more-cards dealer-late hole reader-out",
    ),
    (
        Game::FreeBet,
        "hit stand double split insure even-money pass",
        "void release dead sides-back late no-more-cards dealer-late hole reader-out",
    ),
];

/// The clauses that decide the wagers of a game, as far as they are no wonder.
const SETTLED: [(Game, &str); 5] = [
    (
        Game::CasinoWar,
        "CW-8-a-1 CW-8-a-2 CW-8-a-3 CW-8-c-1 CW-8-g-1 CW-8-g-2 CW-8-g-3 CW-10-a CW-10-b CW-10-d CW-R12 \
         CW-11-b CW-11-envy-a CW-11-c CW-11-c-T1 CW-11-c-T2 CW-11-c-T3 CW-11-c-T4 CW-11-c-T5 CW-11-c-T6",
    ),
    (
        Game::DoubleDownStud,
        "DDS-9-a DDS-9-b DDS-10-b-T1 DDS-10-b-T2 DDS-10-b-T3 DDS-10-b-T4 DDS-10-b-T5 DDS-10-b-T6 \
         DDS-10-b-T7 DDS-10-b-T8 DDS-10-b-T9 DDS-10-c DDS-11-a G-03",
    ),
    (Game::DoubleDeck, "DDB-P1 DDB-P2 DDB-P3 DDB-P9 DDB-P21 DDB-R03 DDB-R09 DDB-R15 DDB-R18 G-03"),
    (
        Game::DoubleAttack,
        "DAB-5-a-1 DAB-5-a-2 DAB-5-a-3 DAB-5-b DAB-5-e DAB-6-d-1 DAB-6-d-2-T1 DAB-6-d-2-T2 DAB-6-d-2-T3 \
         DAB-6-d-2-T4 DAB-6-d-2-T5 DAB-8-a-1 DAB-8-a-2 DAB-8-a-3 DAB-9-c DAB-10-d DAB-11-c DAB-11-d \
         DAB-15-a DAB-15-i G-20 G-03",
    ),
    (
        Game::FreeBet,
        "FBB-6-g-1 FBB-6-g-2 FBB-6-h-1 FBB-6-n-1 FBB-6-n-2 FBB-6-o-1 FBB-6-o-2 FBB-6-p FBB-6-q-1 \
         FBB-6-q-2 FBB-7-d FBB-7-e FBB-10-b FBB-10-c-T1 FBB-10-c-T2 FBB-10-c-T3 FBB-11-a FBB-11-h G-03",
    ),
];

/// The laws are held by rounds in which everything happens, and not by dull ones alone.
#[test]
fn random_rounds_reach_every_call_remedy_and_settlement() {
    let reached = RefCell::new(BTreeSet::new());
    hold_whole_rounds(1_500, |play| {
        let seen = play.events().filter_map(|event| match event {
            Event::Acted(_, Act::Hand(_)) => Some("hand".to_owned()),
            Event::Acted(_, act) => Some(act.call().to_string()),
            Event::Remedied(remedy) => Some(word_of(remedy).to_owned()),
            Event::Settled(Settlement { reason: Reason { clause, .. }, .. })
            | Event::Awarded { clause, .. } => Some(clause.to_owned()),
            _ => None,
        });
        reached.borrow_mut().extend(seen.map(|what| (play.table.game(), what)));
        Ok(())
    });
    let expected = REACHED.iter().flat_map(|&(game, calls, remedies)| {
        calls.split(' ').chain(remedies.split(' ')).map(move |word| (game, word))
    });
    let settled = SETTLED
        .iter()
        .flat_map(|&(game, clauses)| clauses.split_whitespace().map(move |clause| (game, clause)));
    let reached = reached.into_inner();
    let missing: Vec<_> = expected
        .chain(settled)
        .filter(|&(game, what)| !reached.contains(&(game, what.to_owned())))
        .collect();
    assert!(missing.is_empty(), "never reached: {missing:?}");
}

fn word_of(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::Void => "void",
        Remedy::Release(_) => "release",
        Remedy::DeadHand { .. } => "dead",
        Remedy::SidesBack(_) => "sides-back",
        Remedy::LateCard { .. } => "late",
        Remedy::NoMoreCards { .. } => "no-more-cards",
        Remedy::DealerOwedCard => "dealer-late",
        Remedy::HoleCardShown(_) => "hole",
        Remedy::ReaderOutOfUse => "reader-out",
        Remedy::BurnForgotten => "burn-forgotten",
    }
}
