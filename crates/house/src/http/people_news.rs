//! What changes about people, at every node of a house: a session, a role, a limit or a name.
//!
//! The bus is the fast way to hear of it. What is lost there, or changed by another program, is read from the
//! database soon after.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use rules::table::Name;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{MissedTickBehavior, interval, sleep};
use wire::bus::PersonChanged;

use super::house::House;
use crate::bus::{self, BusError};
use crate::nodes::Node;
use crate::store::StoreResult;

/// How often the database is asked who was changed.
const READ_EVERY: Duration = Duration::from_millis(500);

/// Tells the other nodes whom this one changes, and follows what they change, until the house closes.
pub(crate) async fn follow_people(house: Arc<House>, node: Arc<Node>) {
    let hears = async {
        while let Err(error) = hear(&house, &node).await {
            tracing::warn!(what = "bus", why = %error, "no news of people from other nodes");
            sleep(READ_EVERY).await;
        }
    };
    tokio::join!(hears, read(&house));
}

async fn hear(house: &House, node: &Node) -> Result<(), BusError> {
    let bus = &node.relay().bus;
    let subject = bus.subject("people");
    let mut news = bus.subscribe(subject.clone()).await?;
    let (mut changed, mut closing) = (house.store.people_changed(), house.closing.clone());
    loop {
        tokio::select! {
            _ = closing.changed() => return Ok(()),
            Some(message) = news.next() => {
                if let Some(PersonChanged { from, name }) = bus::read(&message.payload)
                    && from != bus.inbox()
                {
                    let name = name.and_then(|name| name.parse::<Name>().ok());
                    // Where it cannot be read now, it is read soon.
                    let _ = house.reread(name.as_ref()).await;
                }
            }
            said = changed.recv() => {
                let name = match said {
                    Ok(name) => Some(name),
                    Err(RecvError::Lagged(_)) => None,
                    Err(RecvError::Closed) => return Ok(()),
                };
                let news = PersonChanged { from: bus.inbox().to_owned(), name };
                // A node that is not reached reads it in the database.
                let _ = bus.publish(subject.clone(), &news).await;
            }
        }
    }
}

/// Reads in the database who was changed, until the house closes.
async fn read(house: &House) {
    let (mut closing, mut turns) = (house.closing.clone(), interval(READ_EVERY));
    turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // What was changed before this node read for the first time is not known.
    let mut since = None;
    loop {
        tokio::select! {
            _ = closing.changed() => return,
            _ = turns.tick() => {}
        }
        match house.read_news(since).await {
            Ok(version) => since = Some(version),
            Err(error) => {
                tracing::warn!(what = "store", why = %error, "no news of people from the database");
            }
        }
    }
}

impl House {
    /// Follows what was changed about people since a version. Gives the one that it has followed now.
    async fn read_news(&self, since: Option<i64>) -> StoreResult<i64> {
        let news = self.store.people_news(since.unwrap_or(0)).await?;
        match news.names.filter(|_| since.is_some()) {
            Some(names) => {
                for name in names {
                    self.reread(Some(&name)).await?;
                }
            }
            None => self.reread(None).await?,
        }
        Ok(news.version)
    }

    /// Reads again who people are, after another node changed somebody, and has their sockets see whether
    /// they are still welcome.
    async fn reread(&self, name: Option<&Name>) -> StoreResult<()> {
        self.store.reread_people(name).await?;
        match name {
            Some(name) => self.send_away(name),
            None => {
                let open = self.sockets_of.lock().unwrap_or_else(PoisonError::into_inner);
                for sockets in open.values() {
                    sockets.changed.send_replace(());
                }
            }
        }
        Ok(())
    }
}
