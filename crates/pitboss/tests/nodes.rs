//! `pitboss nodes`, with the database of a house on a real server.

#![cfg(unix)]

#[path = "../../house/tests/postgres_server/mod.rs"]
mod postgres_server;

use std::process::{Command, Output, Stdio};

use postgres_server::Server;

fn pitboss(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    command.args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a command that is refused says, in one line, and nothing else.
fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

/// The database of a house with two nodes that are there, and one that is gone.
fn house(server: &Server) -> String {
    let url = server.database("house");
    let mut operator = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    operator.args(["operator", "max", "--store", &url]).stdin(Stdio::piped());
    let mut operator = operator.stdout(Stdio::null()).spawn().unwrap();
    use std::io::Write;
    operator.stdin.take().unwrap().write_all(b"nine of diamonds\n").unwrap();
    assert!(operator.wait().unwrap().success());
    let now = "CAST(unixepoch('subsec') * 1000 AS BIGINT)";
    for line in [
        // Leases of a minute, so that a slow machine sees them too.
        format!("INSERT INTO nodes VALUES ('a', '127.0.0.1:8042', '3', {now} + 60000, 0)"),
        format!("INSERT INTO nodes VALUES ('b', '127.0.0.1:8043', '3', {now} + 60000, 0)"),
        format!("INSERT INTO nodes VALUES ('c', '127.0.0.1:8044', '2', {now} - 200000, 0)"),
        "INSERT INTO tables VALUES ('war-1', 4), ('free-1', 9)".to_owned(),
        format!("INSERT INTO leases VALUES ('war-1', 'a', 4, {now} + 60000, NULL)"),
        format!("INSERT INTO leases VALUES ('free-1', 'c', 9, {now} - 1, NULL)"),
    ] {
        server.psql("house", &line).expect(&line);
    }
    url
}

#[test]
fn nodes_are_shown_and_drained_and_tables_are_moved() {
    let Some(server) = Server::start("nodes") else { return };
    let url = house(&server);
    let nodes = |words: &[&str]| pitboss(&[&["nodes", "--store", &url], words].concat());
    let list = printed(&nodes(&[]));
    let lines: Vec<Vec<&str>> = list.lines().map(|it| it.split_whitespace().collect()).collect();
    assert_eq!(lines[1][..5], ["a", "127.0.0.1:8042", "3", "0.0", "s"], "{list}");
    assert_eq!(lines[3], ["c", "127.0.0.1:8044", "2", "3", "min", "ago", "0", "gone"], "{list}");
    assert_eq!(lines[6], ["free-1", "c", "9", "expired"], "{list}");
    assert_eq!(lines[7][..3], ["war-1", "a", "4"], "{list}");

    let json = printed(&nodes(&["--json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["nodes"][0]["tables"], 1);
    assert_eq!(json["tables"][0]["table"], "free-1");
    assert_eq!(json["tables"][0]["lease_ms"], 0);
    assert!(json["tables"][1]["lease_ms"].as_u64().unwrap() > 1000);

    let draining =
        || server.psql("house", "SELECT string_agg(name, ' ') FROM nodes WHERE draining = 1");
    assert!(printed(&nodes(&["drain", "a"])).contains("hands over 1 table"));
    assert_eq!(draining().as_deref(), Some("a"));
    assert!(refusal(&nodes(&["move", "free-1", "a"])).contains("is draining"));
    assert_eq!(printed(&nodes(&["drain", "a", "--undo"])), "a takes tables again\n");
    assert_eq!(draining().as_deref(), Some(""));

    let wanted = || server.psql("house", "SELECT string_agg(table_id || wanted, ' ') FROM leases");
    let moved = printed(&nodes(&["move", "war-1", "b"]));
    assert_eq!(moved, "a is asked to hand war-1 over to b\n");
    assert_eq!(wanted().as_deref(), Some("war-1b"));
    for (words, says) in [
        (&["move", "war-1", "c"][..], "was last seen 3 min ago"),
        (&["move", "war-1", "d"], "there is no node 'd'; the nodes are a, b, c"),
        (&["move", "war-7", "b"], "no node has owned a table 'war-7'"),
        (&["drain", "d"], "there is no node 'd'"),
        (&["drain"], "NODE is missing"),
        (&["drain", "a", "--json"], "--json"),
    ] {
        assert!(refusal(&nodes(words)).contains(says), "{words:?}");
    }
    assert_eq!(wanted().as_deref(), Some("war-1b"));
    assert_eq!(draining().as_deref(), Some(""));
}

#[test]
fn a_database_without_a_house_is_refused_and_left_alone() {
    let Some(server) = Server::start("no-nodes") else { return };
    let (empty, other) = (server.database("empty"), server.database("other"));
    server.psql("other", "CREATE TABLE recipes (name TEXT)").unwrap();
    let missing = server.url("pitboss", "missing");
    for (url, says) in [
        (empty.as_str(), "there is no house in the database empty"),
        (&other, "has tables of another program"),
        (&missing, "has no database missing"),
        ("postgres://db.example", "it names no database"),
        ("http://127.0.0.1:8042", "it does not begin with postgres://"),
        ("postgres://127.0.0.1:9/house", "127.0.0.1:9 cannot be reached"),
    ] {
        for words in [&["nodes"][..], &["nodes", "drain", "a"], &["nodes", "move", "t", "a"]] {
            let said = refusal(&pitboss(&[words, &["--store", url]].concat()));
            assert!(said.contains(says), "{words:?} {url}: {said}");
        }
    }
    assert!(refusal(&pitboss(&["nodes"])).contains("--store is missing"));
    let tables = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    assert_eq!(server.psql("empty", tables).as_deref(), Some("0"));
    assert_eq!(server.psql("other", tables).as_deref(), Some("1"));
}
