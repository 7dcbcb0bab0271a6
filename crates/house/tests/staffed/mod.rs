//! A house with people in it, over HTTP.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use house::Config;
use house::people::password::Password;
use house::tables::dealer::Pace;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection, Row};

pub(crate) use crate::client::open::quick;
use crate::client::{Guest, http_with, open};

pub(crate) const PASSWORD: &str = "nine of diamonds";

/// A house, and where its store is.
pub(crate) struct Open {
    house: open::Open,
    pub(crate) address: SocketAddr,
    pub(crate) data: PathBuf,
}

impl Open {
    /// With a store of its own.
    pub(crate) fn new(name: &str) -> Open {
        Open::again(new_data(name))
    }

    /// An operator's cookie.
    pub(crate) fn operator(&self) -> String {
        // The store is there once the house answers.
        assert_eq!(self.ask("GET", "/health", "", &Value::Null).0, 200);
        make_operator(&self.data, "max");
        self.enter("/api/login", "", &json!({ "name": "max", "password": PASSWORD })).cookie
    }

    pub(crate) fn again(data: PathBuf) -> Open {
        let mut config = Config::new(data);
        config.tables.truncate(1);
        Open::with(config)
    }

    /// A house in which nobody waits for a card.
    pub(crate) fn with(config: Config) -> Open {
        Open::at_pace(config, quick())
    }

    pub(crate) fn at_pace(mut config: Config, pace: Pace) -> Open {
        for table in &mut config.tables {
            table.pace = pace;
        }
        let data = config.data.clone();
        let house = open::Open::with(config);
        Open { address: house.address, data, house }
    }

    /// Creates an account with a role, and signs in.
    pub(crate) fn staff(&self, operator: &str, name: &str, role: &str) -> String {
        let person = json!({ "name": name, "kind": "account", "role": role, "password": PASSWORD });
        let (status, made) = self.ask("POST", "/api/people", operator, &person);
        assert_eq!(status, 200, "{made}");
        self.enter("/api/login", "", &json!({ "name": name, "password": PASSWORD })).cookie
    }

    /// Asks with a cookie or a token, and gives the status and the answer.
    pub(crate) fn ask(&self, method: &str, path: &str, by: &str, body: &Value) -> (u16, Value) {
        let (head, body) = self.answer(method, path, by, &body.to_string());
        (status(&head), serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    pub(crate) fn answer(
        &self,
        method: &str,
        path: &str,
        by: &str,
        body: &str,
    ) -> (String, String) {
        let kind = "Content-Type: application/json\r\n";
        let by = match by.contains('=') {
            true => format!("Cookie: {by}\r\n"),
            false if by.is_empty() => String::new(),
            false => format!("Authorization: Bearer {by}\r\n"),
        };
        http_with(self.address, method, path, &format!("{kind}{by}"), body)
    }

    /// Asks for something that lets somebody in.
    pub(crate) fn enter(&self, path: &str, by: &str, body: &Value) -> Guest {
        let (head, answer) = self.answer("POST", path, by, &body.to_string());
        assert_eq!(status(&head), 200, "{path} {body} {answer}");
        let me: Value = serde_json::from_str(&answer).unwrap();
        Guest { name: me["name"].as_str().unwrap().to_owned(), cookie: cookie(&head) }
    }

    pub(crate) fn me(&self, by: &str) -> Value {
        let (status, me) = self.ask("GET", "/api/me", by, &Value::Null);
        assert_eq!(status, 200, "{me}");
        me
    }

    /// Gives back where its store is.
    pub(crate) fn close(self) -> PathBuf {
        self.house.close();
        self.data
    }
}

pub(crate) fn new_data(name: &str) -> PathBuf {
    open::data(&format!("people-{name}"))
}

/// What `pitboss operator` does.
pub(crate) fn make_operator(data: &Path, name: &str) {
    let password = Password::new(PASSWORD.to_owned()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let made = house::make_operator(data, name.parse().unwrap(), &password);
    runtime.block_on(made).unwrap();
}

pub(crate) fn status(head: &str) -> u16 {
    head.split(' ').nth(1).unwrap().parse().unwrap()
}

pub(crate) fn cookie(head: &str) -> String {
    let line = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(line.contains("; HttpOnly; SameSite=Strict"), "{line}");
    line.split(';').next().unwrap().to_owned()
}

/// Does something to a store behind the house's back, and gives the first column of what comes.
pub(crate) fn sql(data: &Path, line: &'static str) -> Result<Vec<String>, sqlx::Error> {
    let file = format!("sqlite://{}", data.join(house::STORE_FILE).display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut store = SqliteConnection::connect(&file).await?;
        let rows = sqlx::query(line).fetch_all(&mut store).await?;
        store.close().await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    })
}
