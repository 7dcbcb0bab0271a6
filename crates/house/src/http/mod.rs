//! HTTP and sockets: the house's one port, with a page, a small API, and the WebSocket of a table.
//!
//! In reading order: `error` (why a request is not answered), `house` (what requests find), `door` and
//! `vault` (how many guests and passwords), `analyst` and `studies` (how many questions to the coach and
//! about the odds), `desk` (house players), `held` (answers that hold for a second), `caller` (where a
//! request comes from), `visitor` (who asks), `extract` (what a request brings) and `answers` (how refusals
//! are described); then the routes, each with
//! its description beside it: `entry`, `accounts`, `me`, `office`, `orders`, `operation`, `coach`, `review`,
//! `tutor`, `history`, `book`; `frames` and `upgrade` (how a WebSocket is opened and read), `socket` and
//! `client` (a WebSocket), and `lobby` (another); `company` (where house players are sent); `description`
//! (for programs), `pages` (the browser client),
//! `request_id` (for the log), `stall` (a client that does not read), `places` (who has a place among the
//! connections) and `entrance` (the port).

mod accounts;
mod analyst;
mod answers;
mod book;
mod caller;
mod client;
mod coach;
mod company;
mod convert;
mod description;
mod desk;
mod door;
pub mod entrance;
mod entry;
mod error;
mod extract;
mod frames;
mod held;
mod history;
mod house;
mod lobby;
mod me;
mod office;
mod operation;
mod orders;
mod pages;
mod people_news;
mod places;
mod request_id;
mod review;
mod socket;
mod stall;
mod studies;
mod tutor;
mod upgrade;
mod vault;
mod visitor;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{any, get};
use axum::{Extension, Router, middleware};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use description::Description;
use error::HttpError;

pub use accounts::LOCK_OUT_NOTED_EVERY;
pub(crate) use analyst::Analyst;
pub use analyst::QUESTIONS_A_SECOND;
pub use client::{LONGEST_FAREWELL, LONGEST_WRITE, PING_EVERY, VISIT_EVERY};
pub(crate) use coach::coach_for_nodes;
pub(crate) use company::keep_company;
pub(crate) use desk::Desk;
pub use door::{
    LONGEST_TURN, MOST_ADDRESSES, SHARE_OF_A_SITE, SIGN_INS_OF_AN_ACCOUNT, SIGN_INS_OF_AN_ADDRESS,
};
pub(crate) use door::{Messages, Shares};
pub use entry::MOST_NAMES;
pub use extract::{LONGEST_BODY, LONGEST_BODY_READ};
pub use held::HELD_FOR;
pub(crate) use held::Held;
pub use history::{
    LONGEST_LOOKUP_WAIT, MOST_CATCHING_UP, MOST_EXPORTS, MOST_EXPORTS_OF_AN_ADDRESS, MOST_LOOKUPS,
    MOST_LOOKUPS_OF_AN_ADDRESS, MOST_OPEN_EXPORTS, MOST_ROUNDS, USUAL_ROUNDS,
};
pub(crate) use house::House;
pub use lobby::LOBBY_EVERY;
pub(crate) use lobby::look_after;
pub use me::{BROKE, MOST_POINTS};
pub use office::{LONGEST_BECAUSE, LONGEST_LABEL, MOST_LISTED};
pub use operation::MOST_BACKUPS;
pub(crate) use people_news::follow_people;
pub use places::{CROWDING_PART, HALF_KEEPS_PLACE};
pub use request_id::{LONGEST_ID, REQUEST_ID};
pub use review::{MOST_REVIEWED, USUAL_REVIEWED};
pub use socket::RESERVED_OF_A_PERSON;
pub use stall::{LEAST_TAKEN, LONGEST_STALL};
pub(crate) use studies::Studies;
pub use studies::{MOST_STUDIES, MOST_STUDIES_OF_AN_ADDRESS};
pub use tutor::LONGEST_STUDY;
pub(crate) use vault::Vault;
pub use vault::{MOST_HASHED, MOST_TO_HASH, MOST_TO_HASH_FROM_AN_ADDRESS};
pub use visitor::COOKIE;

/// The routes of a house, as they describe themselves.
fn routes() -> OpenApiRouter<Arc<House>> {
    OpenApiRouter::new()
        .routes(routes!(entry::guest))
        .routes(routes!(accounts::sign_up))
        .routes(routes!(accounts::rename))
        .routes(routes!(accounts::log_in))
        .routes(routes!(accounts::log_out))
        .routes(routes!(accounts::change_password))
        .routes(routes!(me::me))
        .routes(routes!(me::limits))
        .routes(routes!(me::exclude))
        .routes(routes!(me::bankroll))
        .routes(routes!(me::statistics))
        .routes(routes!(me::cashier))
        .routes(routes!(operation::tables, operation::open_private))
        .routes(routes!(operation::table))
        .routes(routes!(orders::open, orders::decide))
        .routes(routes!(orders::closed_calls))
        .routes(routes!(coach::values))
        .routes(routes!(review::review))
        .routes(routes!(tutor::explore))
        .routes(routes!(tutor::train))
        .routes(routes!(book::rules))
        .routes(routes!(book::clause))
        .routes(routes!(history::export))
        .routes(routes!(history::rounds))
        .routes(routes!(history::round))
        .routes(routes!(history::shoe))
        .routes(routes!(office::people, office::make))
        .routes(routes!(office::role))
        .routes(routes!(office::password))
        .routes(routes!(office::token))
        .routes(routes!(office::revoke))
        .routes(routes!(office::suspend, office::reinstate))
        .routes(routes!(office::end_sessions))
        .routes(routes!(office::events))
        .routes(routes!(operation::back_up))
        .routes(routes!(operation::health))
        .routes(routes!(operation::ready))
        .routes(routes!(operation::metrics))
        .routes(routes!(socket::open))
        .routes(routes!(lobby::open))
        .routes(routes!(description::page))
        .routes(routes!(description::openapi))
        .routes(routes!(description::asyncapi))
}

/// The ways into a house.
pub(crate) fn router(house: Arc<House>) -> Router {
    let (router, described) = routes().split_for_parts();
    // The files of the page are compressed when they are built.
    let compression = CompressionLayer::new().quality(CompressionLevel::Fastest);
    router
        .layer(compression)
        .route("/api/{*rest}", any(async || HttpError::nothing()))
        .method_not_allowed_fallback(async || HttpError::other_method())
        .fallback_service(get(pages::serve).fallback(async || HttpError::other_method()))
        .layer(Extension(Arc::new(Description::new(&described))))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(middleware::from_fn(error::outlive))
        .layer(middleware::from_fn(entry::guard))
        .layer(middleware::from_fn_with_state(house.clone(), caller::identify))
        .layer(middleware::from_fn(pages::guard))
        .layer(middleware::from_fn(request_id::trace))
        .with_state(house)
}
