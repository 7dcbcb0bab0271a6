//! The blackjacks' side wagers against known values and against brute force.

mod brute;

use brute::{cards, same, sheet, spread, start};
use odds::setting::Setting;
use odds::side_bets::{bets, bonus, push22};
use odds::unseen::Unseen;
use odds::value::BetValue;
use rules::games::AnyRound;
use rules::round::{Act, Call, Round};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

fn all(sheet: &TermSheet) -> Vec<BetValue> {
    bets(sheet, Setting::of(sheet).unwrap(), &Unseen::full(sheet))
}

/// Push 22 by table A with six decks; by table B the third line pays 7 in place of 8.
#[test]
fn known_values_come_out() {
    let ev = |table| {
        let sheet = sheet(Game::FreeBet, &[("push22_paytable", table)]);
        push22(&sheet, Setting::of(&sheet).unwrap(), &Unseen::full(&sheet)).unwrap()
    };
    let (a, b) = (ev("A"), ev("B"));
    assert!((a.ev - -0.0684286).abs() < 5e-8, "{}", a.ev);
    let other = a.outcomes.iter().find(|outcome| outcome.net == 8.0).unwrap();
    same(b.ev, a.ev - other.probability);
    assert!(a.ev_exact.unwrap().printable().is_some());
}

/// Insurance is 2 to 1, and with six decks 96 of 311 cards make it win; holding tens they are fewer.
/// Double Attack pays 5 to 2, and 96 of 383 cards are worth ten.
#[test]
fn insurance_depends_on_what_the_seat_knows() {
    let exact = |game| -> Vec<(String, String)> {
        let insurance = all(&TermSheet::new(game)).into_iter();
        let insurance = insurance.filter(|value| value.bet == Circle::Insurance);
        insurance.map(|value| (value.policy, value.ev_exact.unwrap().to_string())).collect()
    };
    let expected = |lines: [&str; 4]| -> Vec<(String, String)> {
        let policies = ["any", "no ten", "one ten", "two tens"];
        policies.iter().zip(lines).map(|(p, ev)| (p.to_string(), ev.to_string())).collect()
    };
    assert_eq!(exact(Game::FreeBet), expected(["-23/311", "-7/103", "-8/103", "-9/103"]));
    // 32 of 103, then 101 cards: 2 x 32 - 71 = -7, and so on.
    assert_eq!(exact(Game::DoubleDeck), expected(["-7/103", "-5/101", "-8/101", "-11/101"]));
    // 5/2 x 96 - 287 = -47 of 383; 240 - 285 = -45 of 381, then 3.5 less for each ten.
    assert_eq!(exact(Game::DoubleAttack), expected(["-47/383", "-15/127", "-97/762", "-52/381"]));
}

/// Three suited eights: 4 suits x 8 x 7 x 6 ways of 384 x 383 x 382.
#[test]
fn the_bonus_is_counted() {
    let sheet = TermSheet::new(Game::DoubleAttack);
    let value = bonus(&sheet, Setting::of(&sheet).unwrap(), &Unseen::full(&sheet)).unwrap();
    let suited = value.outcomes.iter().find(|outcome| outcome.net == 200.0).unwrap();
    assert_eq!(suited.combinations, Some((4_u64 * 8 * 7 * 6).into()));
    assert_eq!(value.combinations, Some((384_u64 * 383 * 382).into()));
    let coloured = value.outcomes.iter().find(|outcome| outcome.net == 50.0).unwrap();
    assert_eq!(coloured.combinations, Some((2 * (16_u64 * 15 * 14 - 2 * 8 * 7 * 6)).into()));
}

#[track_caller]
fn compare(value: &BetValue, unit: f64, ends: &std::collections::BTreeMap<i64, f64>) {
    for (&net, &p) in ends {
        let of_net =
            value.outcomes.iter().filter(|outcome| (outcome.net * unit - net as f64).abs() < 1e-6);
        same(of_net.map(|outcome| outcome.probability).sum(), p);
    }
    let total: f64 = value.outcomes.iter().map(|outcome| outcome.probability).sum();
    same(total, 1.0);
    same(value.ev, ends.iter().map(|(&net, p)| net as f64 / unit * p).sum());
}

/// Stands, or hits once where the hand is small, so that the dealer's cards come after the player's.
fn plays(round: &AnyRound, bettor: Bettor) -> Act {
    let offers = round.offers(bettor);
    let small = round.points(0, 0).is_some_and(|points| points.total() < 12);
    let call = [Call::Pass, Call::Hit, Call::Stand]
        .into_iter()
        .find(|&call| offers.contains(call) && (call != Call::Hit || small));
    Act::Call(call.unwrap())
}

#[test]
fn bonus_and_push_22_are_worth_what_brute_force_says() {
    for (game, circle, terms, line) in [
        (Game::DoubleAttack, Circle::Bonus, &[][..], "8c*3 8s 8d Kc 7c 9h"),
        (
            Game::DoubleAttack,
            Circle::Bonus,
            &[("dealing_mode", "hole_card")],
            "8c*2 8s Kc 6d 6h 4c*2",
        ),
        (
            Game::DoubleAttack,
            Circle::Bonus,
            &[("dealing_mode", "hole_card_reader")],
            "Ac Kc 8d*3 6h 5s*2",
        ),
        (Game::FreeBet, Circle::Push22, &[], "8c*3 6c*2 8d 9h Ts Kd Ac"),
        (Game::FreeBet, Circle::Push22, &[("push22_paytable", "B")], "6c*2 6s Kc Ks 9d 7c As Jh"),
    ] {
        let sheet = sheet(game, terms);
        let setting = Setting::of(&sheet).unwrap();
        let unit = i64::from(setting.side.unwrap().get());
        let shoe = cards(line);
        let unseen: Unseen = shoe.iter().copied().collect();
        let value = match circle {
            Circle::Bonus => bonus(&sheet, setting, &unseen),
            _ => push22(&sheet, setting, &unseen),
        };
        let main = i64::from(setting.main.get());
        let (round, ledger) = start(&sheet, None, &[&[(Circle::Main, main), (circle, unit)]]);
        let ends = spread(round, ledger, &shoe, &plays, &|_, l| l.gain(circle).get());
        compare(&value.unwrap(), unit as f64, &ends);
    }
}

/// The insurance of every round with an ace up, and of those in which one holds so many tens.
#[test]
fn insurance_is_worth_what_brute_force_says() {
    for (game, terms, line) in [
        (Game::DoubleDeck, &[][..], "Ac*2 Kc*2 Td 9h 8s*2 7c"),
        (Game::DoubleDeck, &[("peek", "none_original_bets_only")], "Ac*2 Kc*3 Td 9h 8s*2"),
        (Game::DoubleAttack, &[], "Ac*2 Kc*3 Jd 9h 8s*2"),
        (Game::DoubleAttack, &[("dealing_mode", "hole_card_reader")], "Ac*2 Kc*3 Jd 9h 8s*2"),
        (Game::FreeBet, &[], "Ac*2 Kc*2 Td 9h 8s*2 7c"),
    ] {
        let sheet = sheet(game, terms);
        let setting = Setting::of(&sheet).unwrap();
        let shoe = cards(line);
        let values = bets(&sheet, setting, &shoe.iter().copied().collect());
        let value =
            values.iter().find(|v| v.bet == Circle::Insurance && v.policy == "any").unwrap();
        let main = i64::from(setting.main.get());
        let (round, ledger) = start(&sheet, None, &[&[(Circle::Main, main)]]);
        let insures = |round: &AnyRound, bettor: Bettor| {
            let offers = round.offers(bettor);
            let calls = [Call::Insure, Call::Pass, Call::Stand];
            Act::Call(calls.into_iter().find(|&call| offers.contains(call)).unwrap())
        };
        let ends = spread(round, ledger, &shoe, &insures, &|_, l| {
            (l.staked(Circle::Insurance).get(), l.gain(Circle::Insurance).get())
        });
        let taken: f64 = ends.iter().filter(|((s, _), _)| *s > 0).map(|(_, p)| p).sum();
        let won: f64 = ends.iter().map(|((_, gain), p)| *gain as f64 * p).sum();
        same(value.ev, won / taken / (main / 2) as f64);
    }
}

/// A house without Push 22 has no such wager.
#[test]
fn what_is_not_offered_is_not_valued() {
    let sheet = sheet(Game::FreeBet, &[("push22_offered", "off")]);
    assert!(all(&sheet).iter().all(|value| value.bet == Circle::Insurance));
}
