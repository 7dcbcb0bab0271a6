//! Shoes by the billion: a complete table of a round and a range of shoes go to a GPU, and
//! counts come back.
//!
//! The kernel (`kernel.cu`) knows no rule. It shuffles as `rules::shoe` does, with the numbers of
//! [`odds::simulate`], so shoe n of a seed is the same shoe as on the processor, and its counts are
//! equal to those of [`CompleteTable::play`](odds::simulate::CompleteTable::play). The driver is
//! loaded when a [`Gpu`] is opened; nothing of CUDA is needed to build this.

mod checked;
mod device;
mod job;
mod refusal;

pub use checked::CheckedPlayer;
pub use device::{Gpu, GpuPlayer};
pub use job::Job;
pub use refusal::GpuRefusal;
