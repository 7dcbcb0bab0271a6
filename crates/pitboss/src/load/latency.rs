//! How long things took: counted in buckets, each within a thirtieth of the time itself.

use std::time::Duration;

/// Parts of each power of two.
const PARTS: u32 = 32;
const BITS: u32 = PARTS.ilog2();
/// Up to a little more than an hour, in microseconds.
const BUCKETS: usize = ((32 - BITS + 1) * PARTS) as usize;

/// Times, counted.
#[derive(Clone)]
pub(super) struct Latency {
    counts: Vec<u64>,
    longest: Duration,
}

impl Default for Latency {
    fn default() -> Latency {
        Latency { counts: vec![0; BUCKETS], longest: Duration::ZERO }
    }
}

impl Latency {
    pub(super) fn add(&mut self, time: Duration) {
        self.counts[bucket(time)] += 1;
        self.longest = self.longest.max(time);
    }

    pub(super) fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub(super) fn longest(&self) -> Duration {
        self.longest
    }

    /// The time that so many of a thousand did not exceed.
    pub(super) fn quantile(&self, thousandths: u64) -> Duration {
        let wanted = (self.count() * thousandths).div_ceil(1000).max(1);
        let mut seen = 0;
        let found = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        found.map_or(Duration::ZERO, |at| upper(at).min(self.longest))
    }
}

fn bucket(time: Duration) -> usize {
    let micros = u32::try_from(time.as_micros()).unwrap_or(u32::MAX).max(1);
    let power = micros.ilog2();
    let at = match power < BITS {
        true => micros,
        false => (power - BITS + 1) * PARTS + ((micros >> (power - BITS)) & (PARTS - 1)),
    };
    at as usize
}

/// The longest time of a bucket.
fn upper(at: usize) -> Duration {
    let at = u64::try_from(at).unwrap_or(u64::MAX);
    let parts = u64::from(PARTS);
    let micros = match at / parts {
        0 => at,
        power => ((parts + at % parts + 1) << (power - 1)) - 1,
    };
    Duration::from_micros(micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_its_times_and_no_other() {
        for micros in (1..5000).chain([65_535, 65_536, 1_000_000, 4_000_000_000]) {
            let at = bucket(Duration::from_micros(micros));
            assert!(upper(at) >= Duration::from_micros(micros), "{micros}");
            assert!(at == 0 || upper(at - 1) < Duration::from_micros(micros), "{micros}");
            assert!(upper(at).as_micros() <= u128::from(micros + micros / 30 + 1), "{micros}");
        }
    }

    #[test]
    fn quantiles_are_those_of_the_times() {
        let mut latency = Latency::default();
        (1..=1000).for_each(|micros| latency.add(Duration::from_micros(micros)));
        latency.add(Duration::from_millis(80));
        assert_eq!(latency.count(), 1001);
        assert_eq!(latency.longest(), Duration::from_millis(80));
        let half = latency.quantile(500).as_micros();
        assert!((500..520).contains(&half), "{half}");
        assert!(latency.quantile(999).as_micros() <= 1024);
        assert_eq!(latency.quantile(1000), Duration::from_millis(80));
    }
}
