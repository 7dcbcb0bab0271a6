//! `pitboss operator`: creates the account that runs a house.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;
use house::people::password::Password;
use rules::table::Name;

use crate::data_folder::DataFolder;
use crate::keep::refused;

const EXAMPLES: &str = "\
Examples:
  pitboss operator max                     asks for a password twice
  pitboss operator max < password.txt      the password is the first line
  pitboss operator max --data war-store    another store

A new store has no operator and no password. If the account exists, it keeps
its money, becomes an operator and gets the new password. The house may be
open.";

/// Creates an operator's account.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The name: 1 to 32 characters of a-z, 0-9 and -
    name: String,
    #[command(flatten)]
    data: DataFolder,
}

/// Creates an operator's account, or prints in one sentence why not.
pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let Arguments { name, data } = arguments;
    let made = name.parse::<Name>().map_err(|error| error.to_string());
    let made = made.and_then(|name| Ok((name, data.server()?, data.path()?, read_password()?)));
    let (name, server, data, password) = match made {
        Ok(made) => made,
        Err(sentence) => return Ok(crate::bad_input(&sentence)),
    };
    let runtime = tokio::runtime::Runtime::new()?;
    let made = runtime.block_on(async {
        match server {
            Some(url) => house::make_operator_in(url, name.clone(), &password).await,
            None => house::make_operator(&data, name.clone(), &password).await,
        }
    });
    match made {
        Ok(()) => {
            writeln!(
                out,
                "{name} is an operator now: sign in on the page, or with POST /api/login"
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error @ house::Error::Reserved(_)) => Ok(crate::bad_input(&error)),
        Err(house::Error::Store(error)) => Ok(refused(&error)),
        Err(error) => Ok(crate::failed(&error)),
    }
}

/// The password, typed twice without being shown, or the first line of what is piped in.
fn read_password() -> Result<Password, String> {
    let unreadable = |error: io::Error| format!("the password cannot be read: {error}");
    let text = if io::stdin().is_terminal() {
        let ask = |what| rpassword::prompt_password(what).map_err(unreadable);
        let text = ask("Password: ")?;
        match text == ask("Password again: ")? {
            true => text,
            false => return Err("the two passwords differ".to_owned()),
        }
    } else {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).map_err(unreadable)?;
        line.trim_end_matches(['\r', '\n']).to_owned()
    };
    Password::new(text).map_err(|error| error.to_string())
}
