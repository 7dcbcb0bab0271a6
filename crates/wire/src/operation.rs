//! How the house is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A copy of the store: the answer to `POST /api/backup`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BackupView {
    /// Its file, in the directory of the store.
    pub file: String,
    /// How long it is.
    pub bytes: u64,
}

/// That all is well: the answer to `GET /health`, and to `POST /api/logout`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Fine {
    /// Always true.
    pub ok: bool,
}

/// That everybody could play: the answer to `GET /ready`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ready {
    /// Always true.
    pub ready: bool,
}
