//! What changes about people, at every node of a house: a session, a role, a limit or a name.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use rules::table::Name;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::interval;
use wire::bus::PersonChanged;

use super::house::House;
use crate::bus::{self, BusError};
use crate::nodes::Node;
use crate::store::StoreResult;

/// How often people are read again while the bus is away.
const REREAD_EVERY: Duration = Duration::from_secs(1);

/// Tells the other nodes whom this one changes, and follows what they change, until the house closes.
pub(crate) async fn follow_people(house: Arc<House>, node: Arc<Node>) {
    while let Err(error) = follow(&house, &node).await {
        tracing::warn!(what = "bus", why = %error, "no news of people from other nodes");
        tokio::time::sleep(REREAD_EVERY).await;
    }
}

async fn follow(house: &House, node: &Node) -> Result<(), BusError> {
    let bus = &node.relay().bus;
    let subject = bus.subject("people");
    let mut news = bus.subscribe(subject.clone()).await?;
    let (mut changed, mut breaks) = (house.store.people_changed(), bus.breaks());
    let (mut closing, mut every) = (house.closing.clone(), interval(REREAD_EVERY));
    // Whatever was said before this node listened, or while the bus was away, is read from the store.
    let mut is_behind = true;
    loop {
        tokio::select! {
            _ = closing.changed() => return Ok(()),
            Some(message) = news.next() => {
                if let Some(PersonChanged { from, name }) = bus::read(&message.payload)
                    && from != bus.inbox()
                {
                    let name = name.and_then(|name| name.parse::<Name>().ok());
                    is_behind |= house.reread(name.as_ref()).await.is_err();
                }
            }
            said = changed.recv() => {
                let name = match said {
                    Ok(name) => Some(name),
                    Err(RecvError::Lagged(_)) => None,
                    Err(RecvError::Closed) => return Ok(()),
                };
                let news = PersonChanged { from: bus.inbox().to_owned(), name };
                // A node that is not reached reads everybody again once the bus is back.
                let _ = bus.publish(subject.clone(), &news).await;
            }
            Ok(()) = breaks.changed() => is_behind = true,
            _ = every.tick() => if is_behind {
                is_behind = house.reread(None).await.is_err() || !bus.is_up();
            },
        }
    }
}

impl House {
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
