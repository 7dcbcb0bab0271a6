//! Parts that several messages have in common.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A part that several messages have in common: it is written as JSON once.
pub struct Shared<T>(Arc<Part<T>>);

struct Part<T> {
    value: T,
    json: OnceLock<Box<RawValue>>,
}

impl<T> Shared<T> {
    /// Whether both are one and the same part.
    pub fn is_same(&self, other: &Shared<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Clone> Shared<T> {
    /// The part, to be changed: from now on it is nobody else's.
    pub fn edit(&mut self) -> &mut T {
        if Arc::get_mut(&mut self.0).is_none() {
            *self = Shared::from(self.0.value.clone());
        }
        let part = Arc::get_mut(&mut self.0).expect("it is ours alone");
        part.json = OnceLock::new();
        &mut part.value
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Shared<T> {
        Shared(Arc::new(Part { value, json: OnceLock::new() }))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        Shared(self.0.clone())
    }
}

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.value.fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Shared<T>) -> bool {
        self.is_same(other) || self.0.value == other.0.value
    }
}

impl<T: Eq> Eq for Shared<T> {}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let write = || serde_json::value::to_raw_value(&self.0.value).expect("it is plain JSON");
        self.0.json.get_or_init(write).serialize(serializer)
    }
}

impl<'a, T: Deserialize<'a>> Deserialize<'a> for Shared<T> {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Shared<T>, D::Error> {
        T::deserialize(from).map(Shared::from)
    }
}
