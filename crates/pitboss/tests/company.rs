//! The house players that `pitboss serve` runs: they sit down, play, and leave with the last person.

#[path = "../../house/tests/client/mod.rs"]
mod client;
mod process;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use client::{Client, Guest, export_of};
use process::Process;
use serde_json::json;

const CONFIG: &str = r#"
    pace = { card_ms = 0, inspection_ms = 0, contributions_ms = 100 }
    table = [
        { name = "war-1", game = "casino-war" },
        { name = "stud-1", game = "double-down-stud" },
        { name = "deck-1", game = "double-deck" },
        { name = "attack-1", game = "double-attack" },
        { name = "free-1", game = "free-bet" },
    ]
"#;

/// How many house players have bet and been paid or lost in the last round.
fn have_played(client: &Client) -> usize {
    let seats = client.view["company"]["seats"].as_array().unwrap();
    let seats = seats.iter().map(|seat| usize::try_from(seat.as_u64().unwrap()).unwrap());
    let has_played = |seat: usize| !client.seat(seat)["results"].as_array().unwrap().is_empty();
    seats.filter(|seat| has_played(*seat)).count()
}

#[test]
fn house_players_keep_people_company_in_every_game() {
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("company");
    let _ = std::fs::remove_dir_all(&data);
    let config = data.with_extension("toml");
    std::fs::write(&config, CONFIG).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    command.args(["serve", "--port", "0", "--config"]).arg(config).arg("--data").arg(&data);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let process = Process(child);
    let address = line.trim().strip_prefix("The house is open at http://").unwrap();
    let address: SocketAddr = address.parse().unwrap();

    for table in ["war-1", "stud-1", "deck-1", "attack-1", "free-1"] {
        let ann = Guest::new(address);
        let mut client = Client::at(address, table, &ann, None);
        client.sit(1, "500");
        client.done(json!({ "type": "company", "players": 2 }));
        // They take their seats before the first card.
        client.until(|client| client.view["company"]["seats"].as_array().unwrap().len() == 2);
        client.play_until(|client| client.round() > 2 && have_played(client) == 2);
        client.done(json!({ "type": "company", "players": 1 }));
        client.play_until(|client| client.view["company"]["seats"].as_array().unwrap().len() == 1);
        client.play_until(|client| client.view["betting"] == true);
        client.ask(&json!({ "type": "clear" }));
        client.done(json!({ "type": "leave" }));
        client.until(|client| client.view["company"]["seats"] == json!([]));
        let log = export_of(address, table);
        assert!(audit::verify(log.as_bytes(), &[]).unwrap().is_clean(), "{log}");
        let is_theirs = |line: &&str| line.contains(" placed ") && !line.contains(" placed 1 ");
        let theirs: Vec<&str> = log.lines().filter(is_theirs).collect();
        assert!(!theirs.is_empty(), "{log}");
        assert!(!theirs.iter().any(|line| line.contains("progressive")), "{theirs:#?}");
    }
    process.close();
    let _ = std::fs::remove_dir_all(&data);
}
