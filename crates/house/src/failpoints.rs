//! Moments at which a test has this process end as a kill would end it. Only a program that was built with
//! the feature `failpoints` has them.

/// A moment at which the process can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failpoint {
    /// A transaction is ready, and not committed.
    BeforeCommit,
    /// A transaction is committed, and nobody was told.
    AfterCommit,
    /// The table believes what was committed, and the player was not answered.
    BeforeReply,
}

/// Does nothing.
#[cfg(not(feature = "failpoints"))]
pub(crate) const fn reach(_: Failpoint) {}

/// Ends the process, if this is the moment that `PITBOSS_FAILPOINT` names, such as `after-commit:17`: the
/// 17th time that a commit was made.
#[cfg(feature = "failpoints")]
pub(crate) fn reach(point: Failpoint) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static ARMED: OnceLock<Option<(Failpoint, AtomicU64)>> = OnceLock::new();
    let armed = ARMED.get_or_init(|| {
        let (point, times) = read(&std::env::var("PITBOSS_FAILPOINT").ok()?)?;
        Some((point, AtomicU64::new(times)))
    });
    if let Some((at, left)) = armed
        && *at == point
        && left.fetch_sub(1, Ordering::Relaxed) == 1
    {
        // Nothing is flushed, closed or told, and every destructor is left out.
        std::process::abort();
    }
}

/// A moment, and how often it has to come.
#[cfg(feature = "failpoints")]
fn read(text: &str) -> Option<(Failpoint, u64)> {
    let (point, times) = text.split_once(':')?;
    let point = match point {
        "before-commit" => Failpoint::BeforeCommit,
        "after-commit" => Failpoint::AfterCommit,
        "before-reply" => Failpoint::BeforeReply,
        _ => return None,
    };
    Some((point, times.parse().ok().filter(|times| *times > 0)?))
}

#[cfg(all(test, feature = "failpoints"))]
mod tests {
    use super::*;

    #[test]
    fn a_failpoint_has_a_name_and_a_number() {
        assert_eq!(read("after-commit:17"), Some((Failpoint::AfterCommit, 17)));
        for wrong in ["", "after-commit", "after-commit:0", "after-commit:x", "elsewhere:1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
