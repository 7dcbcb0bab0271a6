//! Places for connections: who has one, and who gives it up when there are no more.
//!
//! In a full house a newcomer takes the place of an idle connection, of a request that does not arrive, or
//! of one of an address that has far more places than the newcomer's. So a handful of addresses cannot hold
//! the door, and nobody who has few connections loses one in the middle of a request.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::Notify;

use super::door::Share;

/// How long half a request keeps its place in a full house.
pub const HALF_KEEPS_PLACE: Duration = Duration::from_secs(1);

/// An address with more than this part of all places is crowding: in a full house it gives places up to
/// whoever has fewer, also in the middle of a request.
pub const CROWDING_PART: usize = 16;

/// So many places of one address are no crowd, however few there are.
const NO_CROWD: usize = 4;

/// What a connection is doing, in the order in which its place is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// Answered, and silent since.
    Idle,
    /// Its request has not arrived, or not all of it.
    Half,
    /// The house is answering.
    Answering,
}

/// What a connection is doing, and since when.
#[derive(Debug)]
pub(crate) struct Activity(Mutex<(Phase, Instant)>);

impl Activity {
    pub(crate) fn new() -> Arc<Activity> {
        Arc::new(Activity(Mutex::new((Phase::Half, Instant::now()))))
    }

    fn set(&self, phase: Phase) {
        *lock(&self.0) = (phase, Instant::now());
    }

    /// The head of a request has arrived, and a body may follow.
    pub(crate) fn has_head(&self, has_body: bool) {
        self.set(if has_body { Phase::Half } else { Phase::Answering });
    }

    /// All of a request has arrived, or its answer is ready.
    pub(crate) fn answers(&self) {
        self.set(Phase::Answering);
    }
}

/// The body of an answer. With its end the connection is idle.
pub(crate) struct AnswerBody {
    body: Body,
    activity: Arc<Activity>,
}

impl AnswerBody {
    pub(crate) fn new(body: Body, activity: Arc<Activity>) -> AnswerBody {
        AnswerBody { body, activity }
    }
}

impl Drop for AnswerBody {
    fn drop(&mut self) {
        self.activity.set(Phase::Idle);
    }
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The places of a house.
#[derive(Debug)]
pub(crate) struct Places {
    most: usize,
    crowding: usize,
    taken: Mutex<Taken>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct Taken {
    next: u64,
    by: HashMap<u64, Holder>,
}

/// A connection that has a place.
#[derive(Debug)]
struct Holder {
    /// None for a trusted proxy, whose connections bring requests of many clients.
    share: Option<Share>,
    activity: Arc<Activity>,
    gives_up: Arc<Notify>,
}

/// A place, until it is dropped or given up.
#[derive(Debug)]
pub(crate) struct Place {
    of: Arc<Places>,
    number: u64,
    pub(crate) activity: Arc<Activity>,
    gives_up: Arc<Notify>,
}

/// Why there is no place now.
#[derive(Debug)]
pub(crate) enum NoPlace {
    /// There will be one soon: here is the share again.
    Wait(Option<Share>),
    /// The address has many places already.
    Crowd,
}

impl Places {
    pub(crate) fn new(most: usize) -> Arc<Places> {
        let crowding = (most / CROWDING_PART).max(NO_CROWD);
        Arc::new(Places { most, crowding, taken: Mutex::default(), freed: Notify::new() })
    }

    /// A place for a newcomer, whose address has this share; a trusted proxy has none. In a full house
    /// another connection gives its own up.
    pub(crate) fn take(
        self: &Arc<Places>,
        share: Option<Share>,
        now: Instant,
    ) -> Result<Place, NoPlace> {
        let mut taken = lock(&self.taken);
        if taken.by.len() >= self.most {
            let others = share.as_ref().map_or(0, |share| share.weight() - 1);
            match self.least_needed(&taken, others, now) {
                Some(number) => {
                    let holder = taken.by.remove(&number).expect("it was just found");
                    holder.gives_up.notify_one();
                }
                None if others > self.crowding => return Err(NoPlace::Crowd),
                None => return Err(NoPlace::Wait(share)),
            }
        }
        let (number, activity, gives_up) = (taken.next, Activity::new(), Arc::default());
        taken.next += 1;
        let holder = Holder { share, activity, gives_up };
        let (activity, gives_up) = (holder.activity.clone(), holder.gives_up.clone());
        taken.by.insert(number, holder);
        Ok(Place { of: self.clone(), number, activity, gives_up })
    }

    /// The connection that gives its place up to somebody whose address has so many others.
    fn least_needed(&self, taken: &Taken, others: usize, now: Instant) -> Option<u64> {
        let may_go = |(number, holder): (&u64, &Holder)| {
            let (phase, since) = *lock(&holder.activity.0);
            let weight = holder.share.as_ref().map_or(1, Share::weight);
            let is_crowding = weight > self.crowding && weight > others + 1;
            let is_late = now.saturating_duration_since(since) >= HALF_KEEPS_PLACE;
            let may_go = match phase {
                Phase::Idle => weight >= others,
                Phase::Half => is_crowding || (is_late && weight >= others),
                Phase::Answering => is_crowding,
            };
            may_go.then_some((phase, Reverse(weight), since, *number))
        };
        taken.by.iter().filter_map(may_go).min().map(|(.., number)| number)
    }

    /// Waits until a place was given back.
    pub(crate) async fn freed(&self) {
        self.freed.notified().await;
    }
}

impl Place {
    /// Waits until somebody else has this place.
    pub(crate) async fn given_up(&self) {
        self.gives_up.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.of.taken).by.remove(&self.number);
        self.of.freed.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::super::door::Shares;
    use super::*;

    /// A house with 64 places, of which an address has 16 at most.
    struct House {
        places: Arc<Places>,
        shares: Arc<Shares>,
        now: Instant,
    }

    impl House {
        fn new() -> House {
            House { places: Places::new(64), shares: Shares::new(16, 64), now: Instant::now() }
        }

        fn comes(&self, address: &str) -> Result<Place, NoPlace> {
            let share = self.shares.take(address.parse().unwrap()).unwrap();
            self.places.take(Some(share), self.now)
        }

        /// All places are taken from four addresses.
        fn full() -> (House, Vec<Place>) {
            let house = House::new();
            let from = |number: usize| format!("10.0.0.{}", number / 16);
            let places = (0..64).map(|number| house.comes(&from(number)).unwrap()).collect();
            (house, places)
        }
    }

    fn is_given_up(place: &Place) -> bool {
        place.given_up().now_or_never().is_some()
    }

    #[test]
    fn four_addresses_with_half_requests_keep_nobody_out() {
        let (house, places) = House::full();
        let newcomers: Vec<Place> =
            (0..8).map(|_| house.comes("192.0.2.1").expect("a place")).collect();
        assert_eq!(places.iter().filter(|place| is_given_up(place)).count(), 8);
        assert!(newcomers.iter().all(|place| !is_given_up(place)));
        // The attackers get none of these places back, at once or later.
        drop(places);
        let (mut house, _places) = House::full();
        let honest = house.comes("192.0.2.1").unwrap();
        house.now += 2 * HALF_KEEPS_PLACE;
        let _attack: Vec<_> = (0..40).map(|_| house.comes("10.0.0.9")).take(16).collect();
        assert!(!is_given_up(&honest));
    }

    #[test]
    fn a_crowd_gives_places_up_even_while_it_is_answered() {
        let (house, places) = House::full();
        places.iter().for_each(|place| place.activity.answers());
        house.comes("192.0.2.1").unwrap();
        assert!(is_given_up(&places[0]), "the oldest of the largest share");
    }

    #[test]
    fn idle_connections_go_first_then_late_requests_and_no_answer_of_those_who_have_few() {
        let mut house = House::new();
        let from = |number: usize| format!("10.0.{number}.1");
        let places: Vec<Place> =
            (0..64).map(|number| house.comes(&from(number)).unwrap()).collect();
        places[1..].iter().for_each(|place| place.activity.answers());
        let waits = house.comes("192.0.2.1");
        assert!(matches!(waits, Err(NoPlace::Wait(Some(_)))), "{waits:?}");
        drop(waits);
        // The end of an answer.
        drop(AnswerBody::new(Body::empty(), places[7].activity.clone()));
        let first = house.comes("192.0.2.1").unwrap();
        assert!(is_given_up(&places[7]));
        first.activity.answers();
        // Half a request, once it is late.
        assert!(house.comes("192.0.2.2").is_err());
        house.now += 2 * HALF_KEEPS_PLACE;
        house.comes("192.0.2.2").unwrap().activity.answers();
        assert!(is_given_up(&places[0]));
        assert!(places[1..].iter().enumerate().all(|(at, place)| at == 6 || !is_given_up(place)));
    }

    #[test]
    fn an_address_with_many_places_gets_no_more_of_a_full_house() {
        let house = House::new();
        let from = |number: usize| format!("10.0.0.{}", number / 7);
        let places: Vec<Place> =
            (0..64).map(|number| house.comes(&from(number)).unwrap()).collect();
        places.iter().for_each(|place| place.activity.answers());
        let more = house.comes("10.0.0.1");
        assert!(matches!(more, Err(NoPlace::Crowd)), "{more:?}");
        // A proxy brings requests of many clients: it gets a place, and keeps it.
        let proxy = house.places.take(None, house.now).unwrap();
        proxy.activity.answers();
        let _others = ["192.0.2.1", "192.0.2.2"].map(|other| house.comes(other).unwrap());
        assert!(!is_given_up(&proxy));
    }

    #[test]
    fn places_that_are_given_back_are_free_again() {
        let (house, places) = House::full();
        drop(places);
        assert!(lock(&house.places.taken).by.is_empty());
        let again: Vec<Place> = (0..16).map(|_| house.comes("10.0.0.1").unwrap()).collect();
        assert_eq!(lock(&house.places.taken).by.len(), again.len());
        assert!(house.places.freed().now_or_never().is_some());
    }
}
