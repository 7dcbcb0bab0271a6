//! Any recorded round is shown as it was played.

use audit::export::ReadError;
use audit::replay::{Replay, ReplayError, replay};
use audit::verify::verify;
use rules::transcript::{check, read};
use rules::wager::Game;

use crate::house::{House, day, forged, log, sheet};

const SHUFFLE: &str = "< shuffle 0000000000000000000000000000000000000000000000000000000000000000 wash plug \
                       riffle riffle strip riffle turn riffle cut";

/// A short day: a tie, and no answer. What is claimed to come of it is partly left out.
const WAR: [&str; 26] = [
    "# version now game casino-war",
    "< sit 1 ann",
    "> sat 1 ann",
    "> moved 10000 from house to meter",
    "> meter 10000",
    "> spread face-up",
    "< inspect 1",
    "> inspected 1",
    "< buy-in 1 100",
    "> moved 100 from player:ann to rack:1",
    "> rack 1 100",
    SHUFFLE,
    "> shuffled 1 312 0000000000000000000000000000000000000000000000000000000000000000",
    "> cut-offered 1",
    "< commit cut 1 100",
    "> cut 1 100",
    "> mixed 0",
    "< card ??",
    "> burned",
    "< wager 1 main 10 tie 5",
    "> placed 1 main 10 tie 5",
    "< deal",
    "< card 9d",
    "< card 9s",
    "< time-out 1",
    "< deal",
];

/// The moment in which its bets are closed.
const OPENED: [&str; 15] = [
    "< deal",
    "= round 1",
    "= shoe 1 at 1",
    "= game casino-war",
    "= person ann 1",
    "= bankroll 1 100",
    "= meter 10000",
    "= wager 1 main 10 tie 5",
    "> bets-closed",
    "> said No more bets.",
    "> staked 1 main 10",
    "> moved 10 from rack:1 to escrow",
    "> staked 1 tie 5",
    "> moved 5 from rack:1 to escrow",
    "> rack 1 85",
];

/// What is known of the war's round in the end.
fn war() -> Replay {
    replay(forged(WAR.map(str::to_owned)).to_string().as_bytes(), 1).unwrap()
}

#[test]
fn a_round_is_printed_step_by_step_with_cards_and_settlements() {
    let expected = "\
Round 1 of war-1

Starts from
          round 1
          shoe 1 at 1
          game casino-war
          person ann 1
          bankroll 1 100
          meter 10000
          wager 1 main 10 tie 5

Step by step
      22  deal
            bets-closed
            said No more bets.
            staked 1 main 10
            moved 10 from rack:1 to escrow
            staked 1 tie 5
            moved 5 from rack:1 to escrow
            rack 1 85
      23  card 9d
            card 1 9d
      24  card 9s
            card dealer 9s
            net 1 tie +50 on 5, pays 10 to 1 (CW-8-a-3)
            moved 5 from escrow to rack:1
            moved 50 from house to rack:1
            rack 1 140
      25  time-out 1
            act 1 surrender
            net 1 main -5 on 10, half is lost (CW-8-c-1)
            moved 5 from escrow to house
            moved 5 from escrow to rack:1
            collected 1 9d
            collected dealer 9s
            settled
            rack 1 145

Result
          net 1 main -5
          net 1 tie +50
          net 1 +45
";
    assert_eq!(war().to_string(), expected);
}

#[test]
fn a_round_is_a_transcript_that_plays_alone() {
    let expected = "\
# round 1 of war-1
game casino-war
person ann 1
bankroll 1 100
meter 10000
wager 1 main 10 tie 5
cards 9d 9s
act 1 surrender
net 1 main -5
net 1 tie +50
net 1 +45
done
";
    assert_eq!(war().transcript(), expected);
}

#[test]
fn every_round_of_every_game_plays_alone() {
    for game in Game::ALL {
        let text = log(game, &day(game, 7)).unwrap().to_string();
        let rounds = verify(text.as_bytes(), &[]).unwrap().rounds;
        for round in (1..=rounds).step_by(9) {
            let shown = replay(text.as_bytes(), round).unwrap();
            assert_eq!((shown.round, shown.settled), (round, round < rounds));
            assert_eq!(shown.opening[0], format!("round {round}"));
            let transcript = read(&shown.transcript()).unwrap();
            assert!(check(&transcript[0]).passed(), "{game} {round}");
        }
    }
}

#[test]
fn chips_bought_between_the_last_bet_and_the_first_card_are_in_the_round_alone_too() {
    for game in Game::ALL {
        let mut house = House::new(sheet(game), 7);
        for line in ["sit 1 ann", "buy-in 1 200", "sit 4 bob", "buy-in 4 200"] {
            house.tell(line);
        }
        while house.table.round().is_none() {
            house.step();
        }
        house.tell("buy-in 4 10");
        while house.table.rounds_played() == 0 {
            house.step();
        }
        let text = log(game, &house.inputs).unwrap().to_string();
        assert_eq!(verify(text.as_bytes(), &[]).unwrap().findings, [], "{game}");
        let shown = replay(text.as_bytes(), 1).unwrap().transcript();
        let after_wagers = shown.lines().skip_while(|line| !line.starts_with("wager "));
        let mut of_round = after_wagers.skip_while(|line| line.starts_with("wager "));
        assert_eq!(of_round.next(), Some("buy-in 4 10"), "{shown}");
    }
}

#[test]
fn a_round_in_play_is_shown_as_far_as_it_went() {
    let lines = WAR.map(str::to_owned).into_iter().take(24);
    let shown = replay(forged(lines).to_string().as_bytes(), 1).unwrap();
    assert!(!shown.settled && shown.steps.len() == 3);
    assert!(shown.to_string().contains("\nNot over yet; so far\n          net 1 tie +50\n"));
    assert!(!shown.transcript().contains("done") && !shown.transcript().contains("net"));
}

#[test]
fn a_round_that_is_not_there_is_said_so() {
    let words = |lines: &[&str], round| {
        let export = forged(lines.iter().map(ToString::to_string)).to_string();
        replay(export.as_bytes(), round).unwrap_err().to_string()
    };
    assert_eq!(replay("".as_bytes(), 1), Err(ReplayError::Unreadable(ReadError::NoExport)));
    assert_eq!(words(&[], 1), "there is no round 1: none was played");
    assert_eq!(words(&WAR[..21], 1), "there is no round 1: none was played");
    let opened = [&WAR[..21], &OPENED].concat();
    assert_eq!(words(&opened, 0), "there is no round 0: one was played");
    assert_eq!(words(&opened, 2), "there is no round 2: one was played");
    let broken = "round 2 is not in the part that can be played: entry 22: the log lacks \
                  '= round 1', which the rules give";
    assert_eq!(words(&WAR, 2), broken);
}
