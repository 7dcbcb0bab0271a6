//! Why a GPU cannot play.

use std::fmt;

/// Why a GPU cannot play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GpuRefusal {
    /// The driver is not installed.
    NoDriver,
    /// The driver refuses.
    Driver(String),
    /// The shoe is too large for the memory next to the processors.
    Memory,
    /// The table is for a shoe that the kernel cannot shuffle.
    Shoe,
    /// No complete table can be built of the plan.
    Table(String),
    /// The processor comes to something else.
    Wrong {
        /// The first shoe that was compared.
        from: u64,
        /// The one after the last.
        to: u64,
    },
    /// More shoes ran out of cards than can be played again.
    Exhausted,
}

impl fmt::Display for GpuRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuRefusal::NoDriver => f.write_str("the NVIDIA driver (libcuda) is not installed"),
            GpuRefusal::Driver(why) => write!(f, "the GPU's driver reports: {why}"),
            GpuRefusal::Memory => f.write_str("this GPU has too little shared memory for the shoe"),
            GpuRefusal::Shoe => f.write_str("shoes of this size are not played on a GPU"),
            GpuRefusal::Table(why) => f.write_str(why),
            GpuRefusal::Wrong { from, to } => {
                write!(f, "the GPU is wrong: shoes {from} to {to} come to something else")
            }
            GpuRefusal::Exhausted => f.write_str("too many shoes run out of cards at these terms"),
        }
    }
}

impl std::error::Error for GpuRefusal {}
