//! Where the store of a house lies.

use std::path::{Path, PathBuf};

use clap::Args;
use etcetera::{BaseStrategy, choose_base_strategy};
use house::STORE_FILE;
use house::store::{Address, PostgresUrl};

/// The directory of the store under the data directory of a user.
const OF_A_USER: &str = "pitboss";

/// The directory of the store in the working directory, where earlier versions made it.
const BEFORE: &str = "pitboss-data";

/// The option that names the directory of a store.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DataFolder {
    /// The directory of the store [default: pitboss in the user's data
    /// directory, or ./pitboss-data if it has a store]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The database of the store, as postgres://USER@HOST:PORT/DATABASE,
    /// instead of a file in the directory
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

impl DataFolder {
    /// The directory that is named; or the one in the working directory, if it has a store; or the
    /// user's own.
    pub(crate) fn path(&self) -> Result<PathBuf, &'static str> {
        if let Some(named) = &self.data {
            return Ok(named.clone());
        }
        let before = Path::new(BEFORE);
        if before.join(STORE_FILE).exists() {
            return Ok(before.to_owned());
        }
        of_the_user().ok_or("this user has no data directory; name one for the store with --data")
    }

    /// The database that is named.
    pub(crate) fn server(&self) -> Result<Option<PostgresUrl>, String> {
        let url = self.store.as_ref().map(|url| url.parse::<PostgresUrl>());
        url.transpose().map_err(|error| error.to_string())
    }

    /// The store of a house that was open before: the database that is named, or the file in the
    /// directory.
    pub(crate) fn existing_store(&self) -> Result<Address, String> {
        if let Some(url) = self.server()? {
            return Ok(Address::Postgres(url));
        }
        let data = self.path()?;
        let file = data.join(STORE_FILE);
        match file.exists() {
            true => Ok(Address::File(file)),
            false => {
                let data = data.display();
                Err(format!("there is no store in {data}; --data names another directory"))
            }
        }
    }

    /// What an operator should know of the directory that was chosen for them.
    pub(crate) fn note(&self) -> Option<String> {
        let is_before = self.data.is_none() && self.path() == Ok(BEFORE.into());
        let user = of_the_user().filter(|_| is_before)?;
        Some(format!(
            "That is where earlier versions kept it. To move it, close the house and type: \
             mv {BEFORE} {}",
            user.display()
        ))
    }
}

fn of_the_user() -> Option<PathBuf> {
    Some(choose_base_strategy().ok()?.data_dir().join(OF_A_USER))
}
