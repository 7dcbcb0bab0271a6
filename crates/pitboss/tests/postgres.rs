//! The program with its store on PostgreSQL: opened, killed, audited, written out, and refused.

#![cfg(unix)]

#[path = "../../house/tests/postgres_server/mod.rs"]
mod postgres_server;
mod process;

use std::fs::DirBuilder;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::DirBuilderExt;
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

/// Everything that keeps a node from its database: one sentence, status 2, and nothing changed.
#[test]
fn what_cannot_be_the_database_of_a_node_is_refused_with_status_2() {
    let Some(server) = Server::start("refusals") else { return };
    let folder = folder("postgres-refusals");
    let serve = |url: &str, data: &str| {
        let file = folder.join("pitboss.toml");
        let text = format!(
            "store = \"{url}\"\nnode = \"a\"\nbus = \"nats://pit:secret@127.0.0.1:9\"\n\
             [[table]]\nname = \"war-1\"\ngame = \"casino-war\"\n"
        );
        std::fs::write(&file, text).unwrap();
        let (file, data) = (file.display().to_string(), folder.join(data).display().to_string());
        let serve = ["serve", "--port", "0", "--config", &file, "--data", &data];
        refusal(&pitboss(&serve).output().unwrap())
    };
    let tables = |database: &str| {
        let count = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
        server.psql(database, count).unwrap()
    };
    // A server that says it is older: what stands in for its own function comes first on its path.
    let old = server.database("old");
    let lines = "CREATE SCHEMA older; CREATE FUNCTION older.current_setting(name TEXT) RETURNS TEXT \
         LANGUAGE sql AS $$ SELECT CASE name WHEN 'server_version_num' THEN '130014' ELSE '13.14' END $$; \
         ALTER DATABASE old SET search_path = older, pg_catalog, public";
    server.psql("old", lines).unwrap();
    let said = serve(&old, "data");
    assert!(said.ends_with("has version 13.14; the house needs 14 or later"), "{said}");
    assert_eq!(tables("old"), "0");

    server.database("bare");
    let lines = "CREATE ROLE clerk LOGIN; REVOKE ALL ON SCHEMA public FROM public";
    server.psql("bare", lines).unwrap();
    let said = serve(&server.url("clerk", "bare"), "data");
    assert!(said.contains("the user clerk of the database bare"), "{said}");
    assert_eq!(tables("bare"), "0");

    // A data folder of another house, and a node of the same name.
    let url = server.database("house");
    let operator = |url: &str| {
        let mut operator = pitboss(&["operator", "max", "--store", url]);
        let mut operator = operator.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        operator.stdin.take().unwrap().write_all(b"nine of diamonds\n").unwrap();
        assert!(operator.wait().unwrap().success());
    };
    operator(&url);
    DirBuilder::new().mode(0o700).create(folder.join("other")).unwrap();
    std::fs::write(folder.join("other/pitboss.house"), "0123456789abcdef\n").unwrap();
    let said = serve(&url, "other");
    assert!(said.contains("the data directory is that of the house 0123456789abcdef"), "{said}");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // The number is that of the locks on nodes' names.
            let line = "SELECT pg_advisory_lock(1346983012, hashtext('a')); SELECT pg_sleep(30)";
            server.psql("house", line)
        });
        let sleeps = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
        while server.psql("house", sleeps).unwrap() == "0" {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let said = serve(&url, "twin");
        assert!(said.starts_with("a node named a is open with the database house"), "{said}");
        let end =
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
        server.psql("house", end).unwrap();
    });
    assert_eq!(server.psql("house", "SELECT count(*) FROM nodes").unwrap(), "0");
}
