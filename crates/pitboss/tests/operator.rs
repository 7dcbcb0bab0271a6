//! `pitboss operator`: the first account that runs a house.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Gives the command with a password, and says how it ended and what it said.
fn operator(name: &str, data: &Path, password: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pitboss"))
        .args(["operator", name, "--data"])
        .arg(data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A name that is refused is refused before the password is read.
    let _ = child.stdin.take().unwrap().write_all(password.as_bytes());
    let done = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

#[test]
fn an_operator_is_made_with_a_password_and_never_without() {
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operator");
    let _ = std::fs::remove_dir_all(&data);
    for (name, password, sentence) in [
        ("max", "", "a password must have at least 10 characters and at most 256 bytes"),
        ("max", "short\n", "a password must have at least 10 characters and at most 256 bytes"),
        (
            "Max",
            "nine of diamonds\n",
            "expected a name of 1 to 32 characters (a-z, 0-9 or -), such as ann-2, found 'Max'",
        ),
        ("guest-1", "nine of diamonds\n", "the name guest-1 is reserved"),
        ("command-line", "nine of diamonds\n", "the name command-line is reserved"),
    ] {
        let (code, out, error) = operator(name, &data, password);
        assert_eq!((code, out.as_str(), error), (2, "", format!("pitboss: {sentence}\n")));
    }
    assert!(!data.exists());
    // The second time it is another password.
    for password in ["nine of diamonds\n", "ten of diamonds"] {
        let (code, out, error) = operator("max", &data, password);
        assert_eq!((code, error.as_str()), (0, ""));
        assert!(out.starts_with("max is an operator"), "{out}");
    }
}

#[test]
fn the_events_of_a_store_are_listed_as_lines_and_as_json() {
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operator-events");
    let _ = std::fs::remove_dir_all(&data);
    let events = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pitboss"));
        let done = command.args(["events", "--data"]).arg(&data).args(more).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
    };
    let (code, out, error) = events(&[]);
    assert_eq!((code, out.as_str()), (2, ""), "{error}");
    assert!(error.starts_with("pitboss: there is no store in "), "{error}");
    assert!(!data.exists());

    operator("max", &data, "nine of diamonds\n");
    let (code, out, error) = events(&[]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(
        out.starts_with("1 20") && out.ends_with(" UTC operator by command-line, max\n"),
        "{out}"
    );
    let (_, out, _) = events(&["--json"]);
    let event: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&event["what"], &event["whom"]), (&"operator".into(), &"max".into()), "{out}");
    assert_eq!(events(&["--after", "1"]), (0, String::new(), String::new()));
}
