//! A table between two rounds, written down and resumed.

use rules::table::Table;
use rules::terms::TermSheet;
use rules::wager::Game;

fn table(game: Game, terms: &[(&str, &str)], lines: &[&str]) -> Table {
    let mut sheet = TermSheet::new(game);
    sheet.set(terms.iter().copied()).unwrap();
    let mut table = Table::new(sheet);
    apply(&mut table, lines);
    table
}

fn apply(table: &mut Table, lines: &[&str]) {
    for line in lines {
        table.apply(&line.parse().unwrap(), &mut Vec::new()).unwrap();
    }
}

fn read(table: &Table, lines: &[String]) -> Option<Table> {
    Table::resumed(table.sheet().clone(), lines.iter().map(String::as_str))
}

#[test]
fn a_standing_says_all_and_nothing_else_is_read() {
    let seal = "5c".repeat(32);
    let shuffle = format!("shuffle {seal} wash plug riffle riffle strip turn riffle cut");
    let opened = ["sit 7 bob", "sit 2 ann", "buy-in 2 100", "inspect 7", &shuffle];
    let mut table = table(Game::CasinoWar, &[], &opened);
    assert_eq!(table.standing(), None);
    apply(&mut table, &["commit cut 7 60", "card ??", "wager 2 main 10 tie 5"]);
    let standing = table.standing().unwrap();
    let shoe =
        format!("shoe 1 first {seal} size 312 cut 60 dealt 1 burned 1 cut-card 234 whole sound");
    assert_eq!(
        standing,
        [
            "seat 2 ann rack 100 at 2 seated arrival 1 skipped 0",
            "seat 7 bob rack 0 at 7 seated arrival 0 skipped 0",
            "wager 2 main 10 tie 5",
            "arrivals 2",
            "meter own seeded 10000 contributed 0 awarded 0 in 0 restored 0 in 0 overflow 0",
            "method manual",
            &shoe,
            "of-shoe 0",
            "burned ??",
            "shoes 1 next first",
            "unwashed second",
            "asked first-arrival",
            "last-cut 7 passed",
            "rounds 0",
            "pit found 0 0 0 0",
        ]
    );
    assert_eq!(read(&table, &standing).unwrap(), table);
    for missing in 0..standing.len() {
        let mut lines = standing.clone();
        let line = lines.remove(missing);
        // An empty seat and a wager that was never placed have no line.
        let optional = ["seat 7", "wager", "unwashed", "last-cut"];
        let may_be_missing = optional.iter().any(|start| line.starts_with(start));
        assert_eq!(read(&table, &lines).is_some(), may_be_missing, "{line}");
        lines.insert(missing, format!("{line} "));
        assert_eq!(read(&table, &lines), None, "{line}");
    }
    for (known, wrong) in [
        ("dealt 1 ", "dealt 313 "),
        ("cut 60", "cut 312"),
        ("rack 100", "rack 14"),
        ("main 10", "main 1"),
        ("seat 7", "seat 8"),
        ("at 7", "at 2"),
        ("seeded 10000", "seeded -1"),
    ] {
        let lines: Vec<_> = standing.iter().map(|line| line.replace(known, wrong)).collect();
        assert_ne!(lines, standing);
        assert_eq!(read(&table, &lines), None, "{wrong}");
    }
}

#[test]
fn boxes_batches_dealers_and_what_the_pit_knows_stand_in_it() {
    let seal = "5c".repeat(32);
    let shared = table(
        Game::DoubleAttack,
        &[("max_bettors_per_box", "2"), ("max_boxes_per_player", "2")],
        &[
            "sit 3 ann",
            "consent 3 bob",
            "sit 3b bob",
            "sit 4 ann",
            "buy-in 4 100",
            "buy-in 3b 50",
            "inspect 3",
            "shuffle physical wash plug riffle riffle strip turn riffle cut",
            "cut 3 60",
            "card ??",
            "dealer eve",
            "card ??",
            "wager 3b main 10",
            "wager 4 main 10",
        ],
    );
    let two = format!("shuffle {seal} wash machine");
    let batches = table(
        Game::FreeBet,
        &[("shuffle_method", "automated")],
        &["sit 1 ann", "buy-in 1 100", "inspect 1", &two, "commit cut 1 60", "card ??", &two],
    );
    let meter = table(
        Game::CasinoWar,
        &[],
        &[
            "meter 12000",
            "sit 1 ann",
            "buy-in 1 100",
            "inspect 1",
            "shuffle physical wash plug riffle riffle strip turn riffle cut",
            "cut 1 60",
            "card ??",
            "wager 1 main 10",
            "deal",
            "report face-up 2c by dealer",
            "order discard by eve",
            "card 9d",
            "card 4c",
        ],
    );
    let shared_lines = shared.standing().unwrap();
    for line in [
        "dealer eve",
        "consent 3 bob",
        "seat 3b bob rack 50 at 3b standing arrival 1 skipped 0",
        "seat 4 ann rack 0 at 3 seated arrival 2 skipped 0",
    ] {
        assert!(shared_lines.iter().any(|other| other == line), "{line}: {shared_lines:?}");
    }
    assert!(batches.standing().unwrap().iter().any(|line| line.starts_with("stored 2 second")));
    assert!(meter.standing().unwrap().contains(&"meter shared 12000".to_owned()));
    assert!(meter.standing().unwrap().contains(&"pit found 1 0 1 0".to_owned()));
    // The deal forgets the round before, which no standing has.
    for (mut table, lines) in [
        (shared, &["deal"][..]),
        (batches, &["wager 1 main 10", "deal"]),
        (meter, &["wager 1 main 10", "deal"]),
    ] {
        let mut resumed = read(&table, &table.standing().unwrap()).unwrap();
        apply(&mut table, lines);
        apply(&mut resumed, lines);
        assert_eq!(resumed, table);
    }
}
