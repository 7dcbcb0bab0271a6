//! What checking a transcript finds: in a round, at a table, and in lines that make no sense.

use rules::transcript::{CheckReport, check, read};

/// Plays lines of Casino War.
fn play(lines: &str) -> CheckReport {
    let transcripts =
        read(&format!("game casino-war\n{lines}\n")).unwrap_or_else(|errors| panic!("{errors:?}"));
    let again = read(&transcripts[0].to_string()).unwrap();
    assert_eq!(again[0].to_string(), transcripts[0].to_string());
    check(&transcripts[0])
}

/// The findings, each with its line after the `game` line.
fn findings(report: &CheckReport) -> Vec<String> {
    assert_eq!(report.passed(), report.findings.is_empty());
    report.findings.iter().map(|found| format!("{}: {found}", found.line - 1)).collect()
}

#[test]
fn a_failed_expectation_says_what_was_found() {
    let report = play(
        "awaits card\nwager 1 main 10\ncards 9d\nawaits act 1\noffers 1 war\ntotal 1 9\n\
         hand 1 pair\ndone\ncards 9s\noutcome 1 suited-tie\noffers 1 hit\nact 1 surrender\n\
         net 1 main +5\nnet 1 -10\nawaits wagers",
    );
    assert_eq!(
        findings(&report),
        [
            "1: expected awaits card, found awaits wagers",
            "4: expected awaits act 1, found awaits card for the dealer",
            "5: expected offers 1 war, found nothing offered",
            "6: expected total 1 9, found none",
            "7: expected hand 1 pair, found none",
            "8: expected done, found awaits card for the dealer",
            "10: expected outcome 1 suited-tie, found tie",
            "11: expected offers 1 hit, found surrender war",
            "13: expected net 1 main +5, found -5",
            "14: expected net 1 -10, found -5",
            "15: expected awaits wagers, found awaits nobody",
        ]
    );
    assert!(!report.is_malformed());
}

#[test]
fn a_refusal_is_expected_or_fails() {
    for (lines, sentence) in [
        (
            "wager 1 main 4",
            "1: expected the line to be accepted, found refused: the table minimum is 5 \
             (house option main_min)",
        ),
        (
            "wager 1 main 4\nrefused CW-2-a",
            "2: expected refused for CW-2-a, found refused: the table minimum is 5 \
             (house option main_min)",
        ),
        ("wager 1 main 5\nrefused", "2: expected refused, found accepted"),
        (
            "awaits wagers\nrefused CW-2-a",
            "2: expected refused for CW-2-a, found no input on the line before",
        ),
        (
            "terms decks=5\ntable\nleave 1",
            "1: expected the line to be accepted, found refused: decks=5 is not allowed; expected \
             6, 7 or 8 (CW-2-a CW-2-d CW-R08)",
        ),
    ] {
        assert_eq!(findings(&play(lines)), [sentence]);
    }
    // What follows from a failure is no error of the transcript.
    let derailed = play("wager 1 main 4\ncards 9d");
    assert_eq!((derailed.findings.len(), derailed.is_malformed()), (1, false));
}

#[test]
fn what_makes_no_sense_where_it_stands_is_an_error_of_the_transcript() {
    for (lines, sentence) in [
        ("cards 9d", "1: no card is awaited: the round awaits wagers, and none is accepted yet"),
        ("wager 1 main 5\ncards ??", "2: expected a card face up for seat 1, found ??"),
        ("wager 1 main 5\ncards 9d 9c 4d", "2: no card is awaited: the round awaits act 1"),
        ("wager 1 main 5\ncards 9d 4c 4d", "2: no card is awaited: the round awaits nobody"),
        (
            "wager 1 main 5\ncards 9d 9c\nact 1 war\ncards 4d",
            "4: expected ?? to be burned, found 4d",
        ),
        ("turn 9d", "1: no card is to be turned: the round awaits wagers"),
        (
            "wager 2 main 5\ncards 9d\nturn 9c",
            "3: no card is to be turned: the round awaits card for the dealer",
        ),
        ("terms size=6", "1: casino-war has no term 'size'; its terms are: main_min, "),
        ("wager 1 main 5\nterms decks=6", "2: expected 'terms' before the first wager"),
        ("wager 1 main 5\ncards 9d\nmeter 5", "3: expected 'meter' before the first card"),
        (
            "person ann 1 2\nperson bob 2 3",
            "2: expected one person at each seat, found two at seat 2",
        ),
    ] {
        let report = play(lines);
        let [found] = &findings(&report)[..] else { panic!("{lines}: {report:?}") };
        assert!(found.starts_with(sentence), "{found}");
        assert!(report.is_malformed(), "{lines}");
    }
    let meter = check(&read("game free-bet\nmeter 5\n").unwrap()[0]);
    let sentence = "expected no 'meter' in free-bet, which has no progressive";
    assert_eq!(meter.findings[0].to_string(), sentence);
}

#[test]
fn a_table_that_does_otherwise_is_found_out() {
    let open = "table\nsit 3 ann; buy-in 3 100; inspect 3\n\
                shuffle sealed wash plug riffle riffle strip riffle turn riffle cut\n\
                commit cut 3 60; card ??";
    for (lines, sentence) in [
        ("awaits the shuffle", "awaits the shuffle, found awaits wagers"),
        ("rack 3 90", "rack 3 90, found 100"),
        ("rack 2 90", "rack 2 90, found none"),
        ("meter-shows 5", "meter-shows 5, found 10000"),
        ("quiet", "quiet, found burned"),
        ("tells settled", "tells settled, found burned"),
        ("tells burned\ntells burned", "tells burned, found nothing more"),
        ("whispers 3 burned", "whispers 3 burned, found burned"),
        ("refused", "refused, found accepted"),
        (
            "deal\nrefused CW-2-a",
            "refused CW-2-a, found refused: nobody has placed a wager (CW-1-initial-wager)",
        ),
        (
            "deal\ndone",
            "the line to be accepted, found refused: nobody has placed a wager \
             (CW-1-initial-wager)",
        ),
        ("wager 3 main 10; deal\ndone", "done, found awaits a card"),
        ("note CW-8-f", "note CW-8-f, found no note"),
        ("outcomes void", "outcomes void, found nothing to decide"),
        (
            "wager 3 main 10; deal; report face-up 9d by dealer\noutcomes void",
            "outcomes void, found discard",
        ),
    ] {
        let report = play(&format!("{open}\n{lines}"));
        let [found] = &report.findings[..] else { panic!("{lines}: {report:?}") };
        assert_eq!(found.to_string(), format!("expected {sentence}"), "{lines}");
    }
}

#[test]
fn what_no_table_can_be_told_is_unreadable() {
    let an_input = "an input of a table, such as 'sit 3 ann' or 'deal'";
    let a_name = "a name of 1 to 32 characters (a-z, 0-9 or -), such as ann-2";
    let a_choice = "a choice (late-card, refund, take, refuse or keep)";
    let an_event = "an event of the table, such as 'rack 3 90'";
    for (lines, expected, found) in [
        ("table\nwibble 3", an_input, "'wibble'"),
        ("table\nremedy void", an_input, "'remedy'"),
        ("table\nsit 3", a_name, "the end of the line"),
        ("table\nchoose 3 wait", a_choice, "'wait'"),
        ("table\ncut 3 many", "a number", "'many'"),
        ("table\ntells", an_event, "the end of the line"),
        ("table\nrepeat 0 deal", "a number from 1 to 1000", "'0'"),
        ("table\nquiet please", "the end of the line", "'please'"),
        ("wager 1 main 10\ntable", "'table' right after clauses, game and terms", "it later"),
    ] {
        let errors = read(&format!("game casino-war\n{lines}\n")).unwrap_err();
        let reason = errors[0].reason.to_string();
        assert_eq!(reason, format!("expected {expected}, found {found}"));
    }
}
