//! The program with its store on PostgreSQL: opened, killed, audited, written out, and refused.

#![cfg(unix)]

#[path = "../../house/tests/postgres_server/mod.rs"]
mod postgres_server;
mod process;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use postgres_server::Server;
use process::Process;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn pitboss(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// What a command that is refused says, in one line, and nothing else.
fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim().trim_start_matches("pitboss: ").to_owned()
}

/// Opens a house, and gives the lines that it opens with.
fn serve(arguments: &[&str]) -> (Process, Vec<String>) {
    let mut command = pitboss(&["serve", "--port", "0"]);
    let child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut house = Process(child.unwrap());
    let lines = BufReader::new(house.0.stdout.take().unwrap()).lines();
    let lines = lines.map(Result::unwrap);
    // The last one that is printed before the house is open to everybody.
    let mut found = Vec::new();
    for line in lines {
        let is_last = line.starts_with("Ctrl-C");
        found.push(line);
        if is_last {
            return (house, found);
        }
    }
    panic!("it did not open: {found:?}")
}

#[test]
fn a_house_on_postgres_is_run_from_the_command_line() {
    let Some(server) = Server::start("program") else { return };
    let (url, folder) = (server.database("house"), folder("postgres-program"));
    let data = folder.join("data").display().to_string();
    let (house, lines) = serve(&["--store", &url, "--data", &data]);
    assert!(
        lines.iter().any(|it| it.starts_with("Its store is the database house at ")),
        "{lines:?}"
    );
    // Another one is kept out while it is open.
    let second = folder.join("second").display().to_string();
    let refused = pitboss(&["serve", "--port", "0", "--store", &url, "--data", &second]).output();
    let refused = refusal(&refused.unwrap());
    assert!(refused.starts_with("another house is open with the database house"), "{refused}");

    let mut operator = pitboss(&["operator", "max", "--store", &url]);
    let mut operator = operator.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    operator.stdin.take().unwrap().write_all(b"nine of diamonds\n").unwrap();
    assert!(operator.wait().unwrap().success());
    house.kill();

    // By its configuration, at once after it was killed.
    let file = folder.join("pitboss.toml");
    let text = format!("store = \"{url}\"\n[[table]]\nname = \"war-1\"\ngame = \"casino-war\"\n");
    std::fs::write(&file, text).unwrap();
    let file = file.display().to_string();
    let (house, _) = serve(&["--config", &file, "--data", &data]);
    house.close();

    let events = pitboss(&["events", "--store", &url]).output().unwrap();
    let events = String::from_utf8(events.stdout).unwrap();
    assert_eq!(events.matches(" start by house").count(), 2, "{events}");
    assert!(events.contains(" operator by "), "{events}");
    let audit = pitboss(&["audit", "--store", &url]).output().unwrap();
    assert!(audit.status.success(), "{audit:?}");
    assert!(String::from_utf8(audit.stdout).unwrap().contains("no difference"));
    let out = folder.join("out").display().to_string();
    let exported = pitboss(&["export", &out, "--store", &url]).output().unwrap();
    assert!(exported.status.success(), "{exported:?}");
    assert!(folder.join("out/war-1.log").exists());
    let copies = folder.join("copies").display().to_string();
    let copied = refusal(&pitboss(&["backup", &copies, "--store", &url]).output().unwrap());
    assert!(copied.contains("pg_dump"), "{copied}");
    assert!(!folder.join("copies").exists());
}

#[test]
fn a_store_that_is_none_is_one_sentence() {
    let folder = folder("postgres-none");
    let data = folder.join("data").display().to_string();
    for (url, says) in [
        ("postgres://db.example", "it names no database"),
        ("mysql://db.example/house", "it does not begin with postgres://"),
        ("postgres://127.0.0.1:9/house", "127.0.0.1:9 cannot be reached"),
    ] {
        let serve = ["serve", "--port", "0", "--data", &data, "--store", url];
        let out = folder.join("out").display().to_string();
        for arguments in [&serve[..], &["audit", "--store", url], &["export", &out, "--store", url]]
        {
            let refused = refusal(&pitboss(arguments).output().unwrap());
            assert!(refused.contains(says), "{arguments:?}: {refused}");
        }
        assert!(!folder.join("out").exists(), "{url}");
    }
    let file = folder.join("pitboss.toml");
    std::fs::write(
        &file,
        "store = \"sqlite.db\"\n[[table]]\nname = \"a\"\ngame = \"casino-war\"\n",
    )
    .unwrap();
    let file = file.display().to_string();
    let refused = pitboss(&["serve", "--port", "0", "--data", &data, "--config", &file]).output();
    assert!(refusal(&refused.unwrap()).contains("is not a valid PostgreSQL URL"));
}
