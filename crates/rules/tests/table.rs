//! The table: sitting down, shuffle and cut, the shoe, the racks, and money that only moves.

use rules::money::Cents;
use rules::table::{Input, Table, TableAwaits, TableEvent, TableRefusal};
use rules::terms::TermSheet;
use rules::wager::{Bettor, Circle, Game};

const SEAL: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// A table of Casino War with these terms.
fn table(terms: &[(&str, &str)]) -> Table {
    let mut sheet = TermSheet::new(Game::CasinoWar);
    sheet.set(terms.iter().copied()).unwrap();
    Table::new(sheet)
}

fn apply(table: &mut Table, line: &str) -> Result<Vec<String>, TableRefusal> {
    let line = line.replace("SEAL", SEAL).replace("usual", &usual_shuffle(table));
    let input: Input = line.parse().unwrap_or_else(|_| panic!("'{line}' is no input"));
    let mut events = Vec::new();
    table.apply(&input, &mut events)?;
    Ok(events.iter().map(TableEvent::to_string).collect())
}

/// The steps that a dealer would take now.
fn usual_shuffle(table: &Table) -> String {
    let steps: Vec<_> = table.usual_shuffle().iter().map(ToString::to_string).collect();
    steps.join(" ")
}

/// Plays a script: `< INPUT` with all its events as `> EVENT`, `! ID` where it is refused for that
/// clause, ruling or term; `. INPUT; INPUT` are accepted, whatever they lead to. In `shuffle SEAL usual`
/// the steps are those that a dealer would take.
fn play(table: &mut Table, script: &str) {
    let mut lines = script.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    while let Some(line) = lines.next() {
        let (mark, rest) = line.split_at(2);
        if mark == ". " {
            for input in rest.split("; ") {
                apply(table, input).unwrap_or_else(|refusal| panic!("{input}: {refusal}"));
            }
            continue;
        }
        assert_eq!(mark, "< ", "{line}");
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with(['<', '.'])) {
            expected.push(line.replace("SEAL", SEAL));
        }
        let before = table.clone();
        let found = match apply(table, rest) {
            Ok(events) => events.iter().map(|event| format!("> {event}")).collect(),
            Err(refusal) => {
                assert_eq!(*table, before, "{line} is refused and changes nothing");
                vec![format!("! {}", refusal.source(Game::CasinoWar).id())]
            }
        };
        assert_eq!(found, expected, "{line}");
    }
}

/// Ann at 3 came first, then Bob at 5 and Cid at 1; each has 100.
fn three_players() -> Table {
    let mut table = table(&[]);
    play(&mut table, ". sit 3 ann; sit 5 bob; sit 1 cid");
    play(&mut table, ". buy-in 3 100; buy-in 5 100; buy-in 1 100");
    table
}

/// The same, with a shoe that is cut and burned.
fn three_bettors() -> Table {
    let mut table = three_players();
    play(&mut table, ". inspect 3; shuffle SEAL usual; commit cut 3 120; card ??");
    table
}

/// A round of seat 5 alone, who loses 2 against 3.
const LOSS: &str = ". wager 5 main 5; deal; card 2c; card 3c";

#[test]
fn a_war_from_the_first_arrival_to_the_last_chip() {
    // CW-5-c-1, CW-7-a, CW-7-b, CW-8-a, CW-8-d, CW-8-h, CW-8-c-2, CW-8-f, CW-8-g-3, CW-9-a, CW-11-c-T4, CW-R19.
    play(
        &mut table(&[]),
        "< sit 3 ann
         > sat 3 ann
         > moved 10000 from house to meter
         > meter 10000
         > spread face-up
         < buy-in 3 100
         > moved 100 from player:ann to rack:3
         > rack 3 100
         . sit 5 bob; buy-in 5 50
         < inspect 3
         > inspected 3
         < shuffle SEAL wash plug riffle riffle strip riffle turn riffle cut
         > shuffled 1 312 SEAL
         > cut-offered 3
         < commit cut 3 120
         > cut 3 120
         > mixed 0
         < card ??
         > burned
         < wager 3 main 10 tie 5 progressive 5
         > placed 3 main 10 tie 5 progressive 5
         < wager 5 main 20
         > placed 5 main 20
         < deal
         > bets-closed
         > said No more bets.
         > staked 3 main 10
         > moved 10 from rack:3 to escrow
         > staked 3 tie 5
         > moved 5 from rack:3 to escrow
         > staked 3 progressive 5
         > moved 5 from rack:3 to escrow
         > moved 0.75 from house to meter
         > staked 5 main 20
         > moved 20 from rack:5 to escrow
         > rack 3 80
         > rack 5 30
         > meter 10000.75
         < card 9d
         > card 3 9d
         < card 4c
         > card 5 4c
         < card 9s
         > card dealer 9s
         > net 5 main -20 on 20, is lost (CW-8-a-1)
         > moved 20 from escrow to house
         > net 3 tie +50 on 5, pays 10 to 1 (CW-8-a-3)
         > moved 5 from escrow to rack:3
         > moved 50 from house to rack:3
         > rack 3 135
         < act 3 war 5
         > act 3 war 5
         > staked 3 war 10
         > moved 10 from rack:3 to escrow
         > staked 3 war-tie 5
         > moved 5 from rack:3 to escrow
         > collected 5 4c
         > said No more bets.
         > rack 3 120
         < card ??
         > card burn ??
         . card ??; card ??
         < card 4d
         > card 3 4d
         < card 4h
         > card dealer 4h
         > net 3 main 0 on 10, pushes (CW-8-g-3)
         > moved 10 from escrow to rack:3
         > net 3 war +20 on 10, pays 2 to 1 (CW-8-g-3)
         > moved 10 from escrow to rack:3
         > moved 20 from house to rack:3
         > net 3 war-tie +50 on 5, pays 10 to 1 (CW-8-g-3)
         > moved 5 from escrow to rack:3
         > moved 50 from house to rack:3
         > net 3 progressive +145 on 5, pays 30 to 1 and is collected (CW-11-c-T4)
         > moved 5 from escrow to house
         > moved 150 from house to rack:3
         > collected 3 9d 4d
         > collected dealer 9s 4h
         > settled
         > rack 3 365
         < leave 3
         > moved 365 from rack:3 to player:ann
         > left 3 ann",
    );
}

#[test]
fn a_tied_player_who_gives_no_answer_surrenders_and_stakes_nothing() {
    // G-06, CW-8-c-1: half of 5 is lost.
    let mut table = three_bettors();
    play(
        &mut table,
        ". wager 3 main 5; wager 5 main 5; deal; card 9d; card 8c; card 9s
         < time-out 5
         ! CW-1-round
         < time-out 3
         > act 3 surrender
         > net 3 main -2.50 on 5, half is lost (CW-8-c-1)
         > moved 2.50 from escrow to house
         > moved 2.50 from escrow to rack:3
         > collected 5 8c
         > collected 3 9d
         > collected dealer 9s
         > settled
         > rack 3 97.50
         < time-out 3
         ! CW-1-initial-wager",
    );
}

#[test]
fn a_house_may_let_the_supervisor_decide_for_a_silent_player() {
    // G-06.
    let mut table = table(&[("tie_timeout", "supervisor_decides")]);
    play(
        &mut table,
        ". sit 1 ann; buy-in 1 100; inspect 1; shuffle SEAL usual
         < time-out 1
         > cut-refused 1
         . commit; cut dealer 52; card ??; wager 1 main 5; deal; card 9d; card 9s
         < time-out 1
         > held 1",
    );
}

#[test]
fn a_refused_cut_passes_counterclockwise_and_comes_to_the_dealer_last() {
    // CW-5-c-1, CW-5-d, G-05: from 3 to 1, and around to 5; G-06 for who is silent.
    play(
        &mut three_players(),
        ". inspect 3
         < shuffle SEAL wash plug riffle riffle strip riffle turn riffle cut
         > shuffled 1 312 SEAL
         > cut-offered 3
         < cut dealer 120
         ! CW-5-c
         < commit cut 1 120
         ! CW-5-c
         < time-out 5
         ! CW-5-c
         < cut 3 pass
         > cut-refused 3
         > cut-offered 1
         < time-out 1
         > cut-refused 1
         > cut-offered 5
         < commit cut 3 120
         ! CW-5-c
         < cut 5 pass
         > cut-refused 5
         < commit cut 5 120
         ! G-11
         < commit
         > mixed 0
         < cut 5 120
         ! CW-5-c
         < cut dealer pass
         ! CW-5-c
         < cut dealer 120
         > cut dealer 120",
    );
}

#[test]
fn an_offered_cut_does_not_stay_with_an_empty_seat() {
    // CW-5-d: Ann leaves, Cid is next; who sits down meanwhile is asked in turn.
    play(
        &mut three_players(),
        ". inspect 3; shuffle SEAL usual
         < leave 3
         > moved 100 from rack:3 to player:ann
         > left 3 ann
         > cut-offered 1
         . sit 7 dee
         < cut 1 pass
         > cut-refused 1
         > cut-offered 7
         . leave 5
         < cut 7 pass
         > cut-refused 7
         . leave 1; leave 7; commit
         < cut dealer 100
         > cut dealer 100",
    );
    // Who takes the seat of someone who refused has refused nothing.
    play(
        &mut three_players(),
        ". inspect 3; shuffle SEAL usual; cut 3 pass; leave 3; sit 3 dee; cut 1 pass
         < cut 5 pass
         > cut-refused 5
         > cut-offered 3",
    );
}

#[test]
fn the_dealer_cuts_where_the_house_so_chooses() {
    // CW-5-b.
    let mut table = table(&[("cut_by", "dealer")]);
    play(
        &mut table,
        ". sit 1 ann; inspect 1; shuffle SEAL usual
         < commit cut 1 120
         ! G-11
         < commit
         > mixed 0
         < cut 1 120
         ! CW-5-c
         < cut dealer 120
         > cut dealer 120",
    );
}

#[test]
fn a_cut_lies_a_deck_from_both_ends() {
    // CW-5-e, G-12: of 312 cards 52 to 260, of 416 cards 52 to 364; the dealer is bound too.
    for (decks, most) in [("6", 260), ("7", 312), ("8", 364)] {
        for by in ["1", "dealer"] {
            let mut table = table(&[("decks", decks)]);
            play(&mut table, ". sit 1 ann; inspect 1; shuffle SEAL usual");
            if by == "dealer" {
                play(&mut table, ". commit");
            }
            let cut = if by == "dealer" { "cut" } else { "commit cut" };
            for at in [0, 51, most + 1, 5000] {
                let refusal = apply(&mut table, &format!("{cut} {by} {at}")).unwrap_err();
                assert_eq!(refusal, TableRefusal::CutOutsideBounds { least: 52, most });
                assert_eq!(refusal.source(Game::CasinoWar).id(), "CW-5-e");
            }
            for at in [52, most] {
                let mut table = table.clone();
                assert!(apply(&mut table, &format!("{cut} {by} {at}")).is_ok(), "{by} {at}");
                assert_eq!(table.shoe().unwrap().cut, Some(at));
            }
        }
    }
}

/// Plays rounds of seat 5 until so many cards have left the shoe, each round two cards.
fn deal_until(table: &mut Table, dealt: usize) {
    while table.shoe().unwrap().dealt < dealt {
        play(table, LOSS);
    }
    assert_eq!(table.shoe().unwrap().dealt, dealt);
}

/// Bob, who loses all the time, has enough chips for a shoe.
fn long_shoe() -> Table {
    let mut table = three_bettors();
    play(&mut table, ". buy-in 5 1000");
    table
}

#[test]
fn the_cut_card_on_the_dealer_gives_the_next_cut_to_the_far_right() {
    // CW-5-f: 312 - 78 = 234 cards lie before the cut card. CW-7-a: one is burned, so 116 rounds
    // take it to 233, and the player's card of the next one is the last before the cut card.
    let mut table = long_shoe();
    deal_until(&mut table, 233);
    assert_eq!(table.awaits(), TableAwaits::Wagers);
    play(
        &mut table,
        ". wager 3 main 5; deal
         < card 2c
         > card 3 2c
         < card 3c
         > cut-card-reached
         > card dealer 3c
         > net 3 main -5 on 5, is lost (CW-8-a-1)
         > moved 5 from escrow to house
         > collected 3 2c
         > collected dealer 3c
         > settled
         > retired 1 77
         < wager 3 main 5
         ! CW-5-g
         < shuffle SEAL usual
         ! CW-5-g
         < reveal SEAL 2c3c
         > revealed 1
         < reveal SEAL 2c3c
         ! CW-5-a
         < shuffle SEAL usual
         > shuffled 2 312 SEAL
         > cut-offered 5
         . commit cut 5 60; card ??; wager 5 main 5; deal; card 2c; card 3c",
    );
    // CW-5-c-3: Bob at 5 is at the far right. CW-5-g: the new shoe starts from its own first card.
    assert_eq!(table.rounds_played(), 118);
    let shoe = table.shoe().unwrap();
    assert_eq!((shoe.number, shoe.dealt, shoe.cut_card_at), (2, 3, Some(234)));
    assert!(!shoe.cut_card_reached());
}

#[test]
fn the_cut_card_on_a_player_gives_that_player_the_next_cut() {
    // CW-5-c-2, CW-7-d: a war takes seven cards, and so the 235th comes to a player. The round goes
    // on, through another war.
    let mut table = long_shoe();
    deal_until(&mut table, 225);
    play(
        &mut table,
        ". wager 5 main 5; deal; card 9c; card 9d; act 5 war; card ??; card ??; card ??
         . card 2c; card 3c",
    );
    deal_until(&mut table, 234);
    assert_eq!(table.awaits(), TableAwaits::Wagers, "the cut card is next, and not out");
    play(
        &mut table,
        ". sit 2 dee; wager 3 main 5; deal
         < card 9c
         > cut-card-reached
         > card 3 9c
         . card 9h; act 3 war; card ??; card ??; card ??; card 4c
         < card 5c
         > card dealer 5c
         > net 3 main -5 on 5, is lost (CW-8-g-1)
         > moved 5 from escrow to house
         > net 3 war -5 on 5, is lost (CW-8-g-1)
         > moved 5 from escrow to house
         > collected 3 9c 4c
         > collected dealer 9h 5c
         > settled
         > retired 1 71
         . reveal SEAL 9c",
    );
    let mut without_ann = table.clone();
    play(
        &mut table,
        "< shuffle SEAL usual
         > shuffled 2 312 SEAL
         > cut-offered 3",
    );
    play(
        &mut without_ann,
        ". leave 3
         < shuffle SEAL usual
         > shuffled 2 312 SEAL
         > cut-offered 2",
    );
}

#[test]
fn the_cut_card_among_burn_cards_is_the_dealers() {
    // CW-5-c-3, CW-8-f: two cards after 231, and the second burn card is the 235th.
    let mut table = long_shoe();
    deal_until(&mut table, 231);
    play(
        &mut table,
        ". wager 3 main 5; deal; card 9c; card 9d; act 3 war
         < card ??
         > card burn ??
         < card ??
         > cut-card-reached
         > card burn ??
         . card ??; card 2c; card 3c; reveal SEAL 9c
         < shuffle SEAL usual
         > shuffled 2 312 SEAL
         > cut-offered 5",
    );
}

#[test]
fn the_cut_card_lies_as_deep_as_the_house_says() {
    // CW-5-f, CW-R10: 416 - 208 = 208 cards before it.
    let mut table = table(&[("decks", "8"), ("cut_card_depth", "208")]);
    play(&mut table, ". sit 1 ann; inspect 1; shuffle SEAL usual");
    assert_eq!(table.shoe().unwrap().cut_card_at, Some(208));
    assert_eq!(table.shoe().unwrap().left(), 416);
}

/// Everyone plays for the progressive, and the dealer and every player get nothing but nines of
/// diamonds.
fn all_nines(table: &mut Table, seats: &[usize]) -> Vec<String> {
    for seat in seats {
        play(table, &format!(". wager {seat} main 5 progressive 5"));
    }
    play(table, ". deal");
    seats.iter().for_each(|_| play(table, ". card 9d"));
    play(table, ". card 9d");
    seats.iter().for_each(|seat| play(table, &format!(". act {seat} war")));
    play(table, ". card ??; card ??; card ??");
    seats.iter().for_each(|_| play(table, ". card 9d"));
    apply(table, "card 9d").unwrap()
}

#[test]
fn a_hit_takes_the_meter_with_its_contributions_and_the_seed_comes_back() {
    // CW-11-b, CW-11-c-T1, CW-R19: 10000 and 15 percent of 5.
    let mut table = three_bettors();
    let told = all_nines(&mut table, &[3]);
    let money = &told[told.iter().position(|line| line.contains("progressive")).unwrap()..];
    assert_eq!(
        money,
        [
            "net 3 progressive +4995 on 5, pays 1000 to 1 and is collected (CW-11-c-T1)",
            "moved 5 from escrow to house",
            "moved 5000 from house to rack:3",
            "awarded 3 progressive +10000.75 (CW-11-b)",
            "moved 10000.75 from meter to rack:3",
            "moved 10000 from house to meter",
            "collected 3 9d 9d",
            "collected dealer 9d 9d",
            "settled",
            // 100 - 5 - 5 - 5, then 5 + 5 + 10 of the war, and the progressive.
            "rack 3 15105.75",
            "meter 10000",
        ]
    );
}

#[test]
fn the_house_adds_the_cent_that_raised_shares_need_and_pays_envy() {
    // CW-R19: 10002.25 in three is 3334.09 each, two cents more than there is. CW-R21: 1000 from
    // each of the two others.
    let mut table = table(&[("decks", "8")]);
    play(&mut table, ". sit 1 ann; sit 2 bob; sit 3 cid; buy-in 1 100; buy-in 2 100; buy-in 3 100");
    play(&mut table, ". inspect 1; shuffle SEAL usual; commit cut 1 60; card ??");
    let told = all_nines(&mut table, &[1, 2, 3]);
    let awards = &told[told.iter().position(|line| line.starts_with("awarded")).unwrap()..];
    assert_eq!(
        awards[..7],
        [
            "awarded 3 progressive +3334.09 (CW-11-b)",
            "moved 3334.09 from meter to rack:3",
            "awarded 2 progressive +3334.09 (CW-11-b)",
            "moved 3334.09 from meter to rack:2",
            "awarded 1 progressive +3334.09 (CW-11-b)",
            "moved 0.02 from house to meter",
            "moved 3334.09 from meter to rack:1",
        ]
    );
    let envy: Vec<_> = awards.iter().filter(|line| line.contains(" 1000 from house")).collect();
    let [right, middle, left] =
        [3, 2, 1].map(|seat| format!("moved 1000 from house to rack:{seat}"));
    assert_eq!(envy, [&right, &right, &middle, &middle, &left, &left]);
    assert_eq!(
        awards[awards.len() - 5..],
        // 100 - 15 + 20 + 5000 + 3334.09 + 2000.
        ["settled", "rack 1 10439.09", "rack 2 10439.09", "rack 3 10439.09", "meter 10000"]
    );
}

#[test]
fn the_second_hit_in_settlement_order_is_paid_the_seed() {
    // CW-R19: 10001.50 for seat 3, who is settled first, and 10000 for seat 1.
    let mut table = table(&[("progressive_shared", "settlement_order")]);
    play(&mut table, ". sit 1 ann; sit 3 cid; buy-in 1 100; buy-in 3 100");
    play(&mut table, ". inspect 1; shuffle SEAL usual; commit cut 1 60; card ??");
    let told = all_nines(&mut table, &[1, 3]);
    let awards = &told[told.iter().position(|line| line.starts_with("awarded")).unwrap()..];
    assert_eq!(
        awards[..5],
        [
            "awarded 3 progressive +10001.50 (CW-11-b)",
            "moved 10001.50 from meter to rack:3",
            "awarded 1 progressive +10000 (CW-11-b)",
            "moved 10000 from house to meter",
            "moved 10000 from meter to rack:1",
        ]
    );
    assert_eq!(told.last().unwrap(), "meter 10000");
}

#[test]
fn a_table_without_progressive_has_no_meter() {
    // CW-R22.
    let mut table = table(&[("progressive_offered", "off")]);
    play(
        &mut table,
        "< sit 1 ann
         > sat 1 ann
         > spread face-up
         . buy-in 1 100; inspect 1; shuffle SEAL usual; commit cut 1 60; card ??
         < wager 1 main 5 progressive 5
         ! CW-11-a
         . wager 1 main 5",
    );
    assert_eq!(table.meter(), None);
    assert!(!table.opening_lines().iter().any(|line| line.starts_with("meter")));
}

#[test]
fn seats_and_racks_have_their_order() {
    // G-26, G-29, G-31, CW-R25; G-04, G-07 for chips.
    play(
        &mut table(&[("seats", "5")]),
        "< sit 6 ann
         ! seats
         . sit 5 ann
         < sit 5 bob
         ! G-31
         < sit 4 ann
         ! G-29
         < buy-in 4 100
         ! G-26
         < leave 4
         ! G-26
         < buy-in 5 0
         ! chip_unit
         < buy-in 5 -5
         ! chip_unit
         < buy-in 5 0.50
         ! chip_unit
         < buy-in 5 7.50
         ! chip_unit
         < buy-in 5 10000001
         ! G-07
         < buy-in 5 50000000000
         ! G-07
         . buy-in 5 10000000
         < leave 5
         > moved 10000000 from rack:5 to player:ann
         > left 5 ann
         < sit 4 ann
         > sat 4 ann
         < leave 4
         > left 4 ann",
    );
}

#[test]
fn nothing_happens_before_its_time() {
    // CW-4-b, CW-5-a, CW-5-c, CW-7-a, CW-6-b, CW-1-round.
    play(
        &mut table(&[]),
        "< shuffle SEAL usual
         ! CW-4-b
         . sit 1 ann; buy-in 1 100
         < shuffle SEAL usual
         ! CW-4-b
         . inspect 1
         < wager 1 main 5
         ! CW-5-a
         < card ??
         ! CW-5-a
         < cut 1 120
         ! CW-5-a
         . shuffle SEAL usual
         < cut 1 120
         ! G-11
         < open 1 SEAL
         ! CW-5-c
         < shuffle SEAL usual
         ! CW-5-c
         < deal
         ! CW-5-c
         . commit cut 1 120
         < wager 1 main 5
         ! CW-7-a
         < card 9d
         ! CW-7-a
         . card ??
         < card ??
         ! CW-1-initial-wager
         < act 1 war
         ! CW-1-initial-wager
         < peek no
         ! CW-1-initial-wager
         < turn 9d
         ! CW-1-initial-wager
         < deal
         ! CW-1-initial-wager
         < clear 1
         ! CW-1-initial-wager
         . wager 1 main 5; deal
         < deal
         ! CW-1-round
         < card ??
         ! CW-1-round
         < wager 1 main 5
         ! CW-6-b
         < clear 1
         ! CW-6-b
         < leave 1
         ! CW-6-b
         < reveal SEAL 9d
         ! CW-1-round
         . card 9d
         < act 1 war
         ! CW-8-c",
    );
}

#[test]
fn a_wager_is_covered_by_its_rack_and_lies_there_until_bets_close() {
    // CW-6-b, G-07.
    play(
        &mut three_bettors(),
        ". sit 2 dee
         < wager 2 main 5
         ! CW-6-a
         < wager 7 main 5
         ! G-26
         < wager 3b main 5
         ! G-31
         < wager 3 main 96 tie 5
         ! G-07
         < wager 3 main 95 tie 5
         > placed 3 main 95 tie 5
         < wager 3 tie 5
         ! CW-1-initial-wager
         < wager 3 main 100
         > placed 3 main 100
         < clear 3
         > cleared 3
         < deal
         ! CW-1-initial-wager
         . wager 3 main 5; wager 5 main 5
         < leave 5
         > cleared 5
         > moved 100 from rack:5 to player:bob
         > left 5 bob
         < deal
         > bets-closed
         > said No more bets.
         > staked 3 main 5
         > moved 5 from rack:3 to escrow
         > rack 3 95",
    );
}

#[test]
fn an_empty_rack_no_circle_and_a_circle_named_twice_are_refused_as_such() {
    let mut table = three_bettors();
    play(&mut table, ". sit 2 dee");
    let refusal = apply(&mut table, "wager 2 main 5").unwrap_err();
    assert_eq!(refusal, TableRefusal::NothingBought);
    assert_eq!(refusal.in_words(Game::CasinoWar), "buy chips before placing a wager (CW-6-a)");
    // These could not be read back, so the notation has no lines for them.
    let before = table.clone();
    let nothing = Input::Wager { bettor: Bettor::at(2), amounts: Vec::new() };
    let refusal = table.apply(&nothing, &mut Vec::new()).unwrap_err();
    assert_eq!(table, before);
    let sentence = "place a main wager to take part (CW-1-initial-wager)";
    assert_eq!(refusal.in_words(Game::CasinoWar), sentence);
    let amounts = vec![(Circle::Main, Cents::new(500)), (Circle::Main, Cents::new(1000))];
    let twice = Input::Wager { bettor: Bettor::at(2), amounts };
    let refusal = table.apply(&twice, &mut Vec::new()).unwrap_err();
    assert_eq!(refusal, TableRefusal::CircleTwice { circle: Circle::Main });
}

#[test]
fn chips_bought_during_a_round_can_be_staked_in_it() {
    // CW-R04, G-07: eight dollars bought during the round do not pay a war of ten, two more do.
    let mut table = table(&[]);
    play(
        &mut table,
        ". sit 1 ann; buy-in 1 10; inspect 1; shuffle SEAL usual; commit cut 1 60; card ??; wager 1 main 10; deal
         < buy-in 1 8
         > moved 8 from player:ann to rack:1
         > buy-in 1 8
         > rack 1 8
         . card 9d; card 9s
         < act 1 war
         ! G-07
         . buy-in 1 2
         < act 1 war
         > act 1 war
         > staked 1 war 10
         > moved 10 from rack:1 to escrow
         > said No more bets.
         > rack 1 0",
    );
}

#[test]
fn a_round_opens_with_all_it_starts_from() {
    // The same before and after bets close.
    let mut table = table(&[("decks", "8"), ("main_min", "10")]);
    play(&mut table, ". sit 3 ann; sit 1 bob; sit 7 cid; buy-in 3 100; buy-in 1 50; buy-in 7 5");
    play(&mut table, ". inspect 3; shuffle SEAL usual; commit cut 3 60; card ??");
    play(&mut table, ". wager 1 main 10; deal; card 2c; card 3c");
    play(&mut table, ". wager 3 main 10 tie 5 progressive 10; wager 1 main 15");
    let expected = [
        "round 2",
        "shoe 1 at 3",
        "game casino-war",
        "terms main_min=10 decks=8",
        "person bob 1",
        "person ann 3",
        "bankroll 1 40",
        "bankroll 3 100",
        "meter 10000",
        "wager 1 main 15",
        "wager 3 main 10 tie 5 progressive 10",
    ];
    assert_eq!(table.opening_lines(), expected);
    play(&mut table, ". deal");
    assert_eq!(table.opening_lines(), expected);
    play(&mut table, ". card 2c; buy-in 1 100");
    assert_eq!(table.opening_lines(), expected);
}

#[test]
fn a_deserted_table_awaits_a_player_and_goes_on_with_its_shoe() {
    let mut table = three_bettors();
    play(&mut table, ". leave 1; leave 3; leave 5");
    assert_eq!(table.awaits(), TableAwaits::Player);
    play(&mut table, ". sit 7 eve");
    assert_eq!(table.awaits(), TableAwaits::Wagers);
    assert_eq!(table.shoe().unwrap().dealt, 1);
}

#[test]
fn a_round_opens_with_people_on_several_boxes_and_several_on_one() {
    // DAB-13-b, DAB-14, G-29: Ann has boxes 1 and 4 and one rack; who sits at box 2 decides, and
    // while they do not bet, Bob behind them.
    let mut sheet = TermSheet::new(Game::DoubleAttack);
    sheet.set([("max_bettors_per_box", "2"), ("max_boxes_per_player", "2")]).unwrap();
    let mut table = Table::new(sheet);
    play(&mut table, ". sit 4 ann; sit 1 ann; buy-in 1 100; inspect 4");
    play(&mut table, ". sit 2b bob; buy-in 2b 50; consent 2 cid; sit 2 cid; buy-in 2 60");
    play(&mut table, ". shuffle SEAL usual; commit cut 4 60; card ??");
    play(&mut table, ". wager 2b main 10; wager 4 main 20; wager 1 main 30");
    let expected = [
        "round 1",
        "shoe 1 at 1",
        "game double-attack",
        "terms max_boxes_per_player=2 max_bettors_per_box=2",
        "person ann 1 4",
        "person bob 2",
        "bankroll 1 100",
        "bankroll 2 50",
        "wager 1 main 30",
        "wager 2 main 10",
        "wager 4 main 20",
    ];
    assert_eq!(table.opening_lines(), expected);
    play(&mut table, ". wager 2 main 5");
    let with_cid = [
        "person ann 1 4",
        "person cid 2",
        "bankroll 1 100",
        "bankroll 2 60",
        "bankroll 2b 50",
        "wager 1 main 30",
        "wager 2 main 5",
        "wager 2b main 10",
        "wager 4 main 20",
    ];
    // Cid is seated, and so decides with less.
    assert_eq!(table.opening_lines()[4..], with_cid);
    play(&mut table, ". deal");
    assert_eq!(table.opening_lines()[4..], with_cid);
}

#[test]
fn everybody_has_a_stated_time_and_so_has_an_idle_table() {
    // G-06, G-14.
    let mut table = table(&[("action_timeout_s", "25"), ("idle_timeout_s", "600")]);
    let mut after = |script: &str| {
        play(&mut table, script);
        table.patience()
    };
    assert_eq!(after(""), None, "cards lie spread, and nobody is there");
    assert_eq!(after(". sit 1 ann; buy-in 1 100"), Some(10));
    assert_eq!(after(". inspect 1"), None);
    assert_eq!(after(". shuffle SEAL usual"), Some(1));
    assert_eq!(after(". commit cut 1 60 house h1 1 SEAL"), Some(1));
    assert_eq!(after(". open 1 SEAL"), None);
    assert_eq!(after(". card ??"), Some(600));
    assert_eq!(after(". wager 1 main 10"), None);
    assert_eq!(after(". deal; card 9d"), None);
    assert_eq!(after(". card 9c"), Some(25));
    assert_eq!(after(". act 1 surrender; leave 1"), Some(600), "nobody plays from this shoe");
    assert_eq!(after(". idle; reveal SEAL 9d"), None);
}
