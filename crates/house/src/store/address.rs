//! Where a store is: in a file of SQLite, or in a database of PostgreSQL.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

use super::{StoreError, StoreResult};

/// Where a store is.
#[derive(Clone, Debug)]
pub enum Address {
    /// A file on this computer.
    File(PathBuf),
    /// A database on a server.
    Postgres(PostgresUrl),
}

impl From<PathBuf> for Address {
    fn from(file: PathBuf) -> Address {
        Address::File(file)
    }
}

impl From<&PathBuf> for Address {
    fn from(file: &PathBuf) -> Address {
        Address::File(file.clone())
    }
}

impl From<&Path> for Address {
    fn from(file: &Path) -> Address {
        Address::File(file.to_owned())
    }
}

impl From<PostgresUrl> for Address {
    fn from(url: PostgresUrl) -> Address {
        Address::Postgres(url)
    }
}

impl From<&Address> for Address {
    fn from(address: &Address) -> Address {
        address.clone()
    }
}

/// How whoever runs the house reads it. There is no password in it.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::File(file) => file.display().fmt(f),
            Address::Postgres(url) => write!(f, "the database {url}"),
        }
    }
}

/// How a URL of PostgreSQL is written.
const FORM: &str = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";

/// The schemes of such a URL.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// A database of PostgreSQL, with the user and the password to open it.
#[derive(Clone)]
pub struct PostgresUrl {
    options: Box<PgConnectOptions>,
    /// The house that must be in the database, where one is known.
    house: Option<String>,
}

impl PostgresUrl {
    /// Whether a text is meant as such a URL, right or wrong.
    pub fn is_meant(text: &str) -> bool {
        SCHEMES.iter().any(|scheme| text.starts_with(scheme))
    }

    /// The same database, which must have this house in it.
    pub(crate) fn of_house(self, house: Option<String>) -> PostgresUrl {
        PostgresUrl { house, ..self }
    }

    pub(super) fn house(&self) -> Option<&str> {
        self.house.as_deref()
    }

    pub(super) fn options(&self) -> &PgConnectOptions {
        &self.options
    }

    /// The name of the database.
    pub(super) fn database(&self) -> &str {
        self.options.get_database().unwrap_or_default()
    }

    /// Where the server is.
    pub(super) fn server(&self) -> String {
        match self.options.get_socket() {
            Some(socket) => socket.display().to_string(),
            None => format!("{}:{}", self.options.get_host(), self.options.get_port()),
        }
    }
}

/// Where it is. There is no password in it.
impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.database(), self.server())
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for PostgresUrl {
    type Err = StoreError;

    /// Reads a URL. What is wrong is said without the URL itself, which may have a password in it.
    fn from_str(text: &str) -> StoreResult<PostgresUrl> {
        let wrong = |why: &dyn fmt::Display| {
            StoreError::Unsuitable(format!(
                "the store is not a valid PostgreSQL URL: {why}; write {FORM}"
            ))
        };
        if !PostgresUrl::is_meant(text) {
            return Err(wrong(&"it does not begin with postgres://"));
        }
        let options = PgConnectOptions::from_str(text).map_err(|error| match error {
            sqlx::Error::Configuration(why) => wrong(&why),
            error => wrong(&error),
        })?;
        match options.get_database() {
            Some(database) if !database.is_empty() => {
                Ok(PostgresUrl { options: Box::new(options), house: None })
            }
            _ => Err(wrong(&"it names no database")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_a_database_and_is_told_without_its_password() {
        let url: PostgresUrl = "postgres://max:secret@db.example:5433/house".parse().unwrap();
        assert_eq!(url.to_string(), "house at db.example:5433");
        assert_eq!(format!("{:?}", Address::from(url)), "Postgres(house at db.example:5433)");
        for wrong in ["mysql://host/house", "postgres://host:5432", "postgres://host:none/house"] {
            let refused = wrong.parse::<PostgresUrl>().unwrap_err().to_string();
            assert!(refused.ends_with(FORM), "{refused}");
        }
    }
}
