//! Sends house players where people want company.
//!
//! They are programs. Whoever opens the house plays for them ([`crate::config::Company`]), over the same
//! protocol as everybody, on a connection that the house makes for them: it needs neither a port nor a
//! certificate, and no address is counted for it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Router;
use rules::money::Cents;
use rules::table::{Account, Name};
use tokio::io::duplex;
use tokio::time::interval;

use super::caller::Connection;
use super::desk::HousePlayer;
use super::entrance::{Entrance, serve_connection};
use super::house::House;
use super::places::Activity;
use crate::config::Invitation;
use crate::people::names::HOUSE;
use crate::people::{Kind, Role};
use crate::store::{Change, Money, PLAY_MONEY, People, Players, StoreError, StoreResult};

/// How often it is seen where house players are wanted.
const LOOKED_EVERY: Duration = Duration::from_millis(500);

/// Bytes that may be on their way on a house player's connection, either way.
const ON_THE_WAY: usize = 64 * 1024;

/// A house player with less is given as much as a new player has.
const LITTLE: Cents = Cents::new(50_000);

/// Sends house players where they are wanted, until the house closes.
pub(crate) async fn keep_company(house: Arc<House>, router: Router, entrance: Entrance) {
    let Some(company) = house.company.company.clone() else { return };
    let (mut closing, mut every) = (house.closing.clone(), interval(LOOKED_EVERY));
    loop {
        tokio::select! {
            _ = closing.changed() => return,
            _ = every.tick() => {}
        }
        for door in house.floor.doors().iter().filter(|door| door.is_here()) {
            let (table, wanted) = (&door.about.table, door.glance.borrow().company);
            if house.company.busy_at(table) >= wanted {
                continue;
            }
            let mut players = house.company.players.iter().enumerate();
            let Some((number, player)) = players.find(|(_, player)| player.is_free()) else {
                break;
            };
            match house.ready_to_play(&player.name).await {
                Ok(true) => {
                    let way = (router.clone(), entrance);
                    company.go(house.invite(player, number, table, way));
                }
                // It is tried again after a rest, and another one before it.
                not_ready => {
                    if let Err(why) = not_ready {
                        tracing::warn!(who = %player.name, what = "company", %why, "a house player cannot come");
                    }
                    player.note(table, Weak::new());
                }
            }
        }
    }
}

impl House {
    /// Whether a house player has an account, and money in it: it is given both.
    async fn ready_to_play(&self, name: &Name) -> StoreResult<bool> {
        if !self.store.is_bot(name) {
            let by: Name = HOUSE.parse().expect("a name");
            let (name, kind, role) = (name.clone(), Kind::Bot, Role::Player);
            return match self
                .store
                .change(Change::Make { by, name, kind, role, password: None })
                .await
            {
                // Somebody had the name before it was reserved.
                Err(StoreError::Taken) => Ok(false),
                made => made.map(|()| true),
            };
        }
        let has = self.store.balance("", &Account::Player(name.clone())).await?;
        if has < LITTLE {
            let (name, amount) = (name.clone(), PLAY_MONEY - has);
            self.store.change(Change::Refill { name, has, amount }).await?;
        }
        Ok(true)
    }

    /// An invitation to a table, and a connection to the house to go there by.
    fn invite(
        &self,
        player: &HousePlayer,
        number: usize,
        table: &str,
        (router, entrance): (Router, Entrance),
    ) -> Invitation {
        let busy = Arc::new(());
        player.note(table, Arc::downgrade(&busy));
        let (ours, theirs) = duplex(ON_THE_WAY);
        let number = u8::try_from(number).unwrap_or(u8::MAX);
        let [peer, reached] =
            [Ipv4Addr::new(127, 255, 255, number), Ipv4Addr::LOCALHOST].map(IpAddr::V4);
        let connection = Connection { peer, reached, is_encrypted: true };
        let (activity, closing) = (Activity::new(), self.closing.clone());
        tokio::spawn(serve_connection(ours, connection, router, entrance, activity, closing));
        let (table, token) = (table.to_owned(), player.token.clone());
        Invitation { table, token, connection: theirs, _busy: busy }
    }
}
