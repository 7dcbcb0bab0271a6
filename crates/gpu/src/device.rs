//! The GPU: its driver, its memory, and kernels launched on it.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUdevice_attribute, CUfunction_attribute};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::Ptx;
use odds::simulate::{NETS, TableCounts};

use crate::job::Job;
use crate::refusal::GpuRefusal;

/// The kernel, compiled from `kernel.cu` by `cargo xtask kernel`.
const KERNEL: &str = include_str!("kernel.ptx");

/// The most threads of a block, and the least that are worth it.
const MOST_THREADS: u32 = 1_024;
const LEAST_THREADS: u32 = 128;
/// No more shoes for a block at a time, so that no 32-bit count of it overflows.
const MOST_SHOES_A_BLOCK: u64 = 1 << 24;

/// A GPU whose driver has been loaded.
pub struct Gpu {
    context: Arc<CudaContext>,
    name: String,
}

impl Gpu {
    /// Loads the driver and opens the first GPU.
    pub fn open() -> Result<Gpu, GpuRefusal> {
        // SAFETY: this loads libcuda, whose initialisation is the driver's own and touches nothing
        // of ours; no other thread of this program loads it at the same time.
        #[allow(unsafe_code)]
        let is_present = unsafe { sys::is_culib_present() };
        if !is_present {
            return Err(GpuRefusal::NoDriver);
        }
        let context = CudaContext::new(0).map_err(refused)?;
        let name = context.name().map_err(refused)?;
        Ok(Gpu { context, name })
    }

    /// The GPU's name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A GPU that plays the shoes of a table.
pub struct GpuPlayer {
    stream: Arc<CudaStream>,
    kernel: CudaFunction,
    job: Job,
    new_shoe: CudaSlice<u32>,
    entries: CudaSlice<u32>,
    deltas: CudaSlice<u64>,
    end_bytes: CudaSlice<u32>,
    config: LaunchConfig,
    /// How many entries lie in shared memory.
    near: u32,
}

impl GpuPlayer {
    /// Copies a table to the GPU.
    pub fn new(gpu: &Gpu, job: Job) -> Result<GpuPlayer, GpuRefusal> {
        let stream = gpu.context.default_stream();
        let module = gpu.context.load_module(Ptx::from_src(KERNEL)).map_err(refused)?;
        let kernel = module.load_function(job.kernel()).map_err(refused)?;
        let attribute = |which| gpu.context.attribute(which).map_err(refused);
        let room =
            attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        let blocks = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let (threads, near) = layout(&job, room.unsigned_abs() as usize)?;
        kernel
            .set_attribute(
                CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                room,
            )
            .map_err(refused)?;
        let config = LaunchConfig {
            grid_dim: (blocks.unsigned_abs(), 1, 1),
            block_dim: (threads, 1, 1),
            shared_mem_bytes: room.unsigned_abs(),
        };
        // An empty array has no address on a GPU.
        let (mut deltas, mut end_bytes) = (job.deltas.clone(), job.end_bytes.clone());
        deltas.push(0);
        end_bytes.push(0);
        Ok(GpuPlayer {
            new_shoe: stream.clone_htod(&job.new_shoe).map_err(refused)?,
            entries: stream.clone_htod(&job.entries).map_err(refused)?,
            deltas: stream.clone_htod(&deltas).map_err(refused)?,
            end_bytes: stream.clone_htod(&end_bytes).map_err(refused)?,
            stream,
            kernel,
            job,
            config,
            near,
        })
    }

    /// Plays a range of shoes.
    pub fn play(&mut self, shoes: Range<u64>) -> Result<TableCounts, GpuRefusal> {
        let most = MOST_SHOES_A_BLOCK * u64::from(self.config.grid_dim.0);
        let mut counts = TableCounts::default();
        let mut from = shoes.start;
        while from < shoes.end {
            let to = shoes.end.min(from.saturating_add(most));
            counts.add(&self.launch(from..to)?);
            from = to;
        }
        Ok(counts)
    }

    fn launch(&mut self, shoes: Range<u64>) -> Result<TableCounts, GpuRefusal> {
        let mut answer = self.stream.alloc_zeros::<u64>(Job::COUNTS).map_err(refused)?;
        let (first, count) = (shoes.start, shoes.end - shoes.start);
        let (job, specials) = (&self.job, u32::try_from(self.job.deltas.len()));
        let specials = specials.map_err(|_| GpuRefusal::Memory)?;
        let mut launch = self.stream.launch_builder(&self.kernel);
        launch.arg(&job.seed).arg(&first).arg(&count);
        launch.arg(&job.size).arg(&job.burned).arg(&job.behind).arg(&job.shuffles);
        launch.arg(&specials).arg(&self.near);
        launch.arg(&self.new_shoe).arg(&self.entries).arg(&self.deltas).arg(&self.end_bytes);
        launch.arg(&mut answer);
        // SAFETY: the arguments are those of the kernel in `kernel.cu`, in its order and of its
        // types. Every index stays within what was copied: rows lead to rows of the same table,
        // codes to specials of the same table, places to cards of the shoe, and `layout` has made
        // room in shared memory for all that the kernel lays out there.
        #[allow(unsafe_code)]
        unsafe { launch.launch(self.config) }.map_err(refused)?;
        Job::counts(&self.stream.clone_dtoh(&answer).map_err(refused)?)
    }
}

/// How many threads a block has, and how many entries of the table fit into shared memory with what
/// the kernel lays out there: specials, counts and a shoe for each thread.
fn layout(job: &Job, room: usize) -> Result<(u32, u32), GpuRefusal> {
    let word = size_of::<u32>();
    let common = job.deltas.len() * (size_of::<u64>() + word) + NETS * word;
    let mut threads = MOST_THREADS;
    while threads >= LEAST_THREADS {
        let shoes = job.new_shoe.len() * word * threads as usize;
        if let Some(left) = room.checked_sub(common + shoes) {
            // What comes after them is aligned to two words.
            let near = (left / word).min(job.entries.len()) & !1;
            return Ok((threads, u32::try_from(near).map_err(|_| GpuRefusal::Memory)?));
        }
        threads /= 2;
    }
    Err(GpuRefusal::Memory)
}

fn refused(error: DriverError) -> GpuRefusal {
    let words = error.error_string().map(|words| words.to_string_lossy().into_owned());
    GpuRefusal::Driver(words.unwrap_or_else(|_| "an unknown error".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(cards: usize, entries: usize) -> Job {
        Job {
            seed: 1,
            size: u32::try_from(cards).unwrap(),
            burned: 1,
            behind: 26,
            is_fresh: false,
            shuffles: 1,
            handful: 8,
            new_shoe: vec![0; cards.div_ceil(4)],
            entries: vec![0; entries],
            deltas: vec![0; 100],
            end_bytes: vec![0; 100],
        }
    }

    /// 100 specials of 12 bytes, 256 counts of 4, and 104 bytes of shoe for each thread.
    #[test]
    fn a_block_has_room_for_its_shoes_before_the_table() {
        assert_eq!(layout(&job(104, 51), 110_000), Ok((1_024, 50)));
        // 110,000 bytes less 1,200, 1,024 and 106,496 are 1,280.
        assert_eq!(layout(&job(104, 5_000), 110_000), Ok((1_024, 320)));
        assert_eq!(layout(&job(104, 5_000), 96 * 1_024).map(|(threads, _)| threads), Ok(512));
        assert_eq!(layout(&job(416, 5_000), 16 * 1_024), Err(GpuRefusal::Memory));
    }
}
