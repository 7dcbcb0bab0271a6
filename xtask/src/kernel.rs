//! `cargo xtask kernel`: compiles the GPU's kernel.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Failure, Step};
use crate::{root, target_dir};

/// NVIDIA's compiler as a Python package; what it writes is understood by drivers from 535 on.
const NVRTC: &str = "nvidia-cuda-nvrtc-cu12==12.2.140";

/// Compiles the kernel with NVRTC, in a Python environment of its own.
pub(crate) fn compile() -> Result<(), Failure> {
    let place = target_dir().join("nvrtc");
    let mut environment = Command::new("python3");
    environment.args(["-m", "venv"]).arg(&place);
    Step::new("python environment", environment).run()?;
    let python = place.join("bin/python");
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", NVRTC]);
    Step::new("install NVRTC", install).run()?;
    let crate_dir = root().join("crates/gpu");
    let mut compile = Command::new(&python);
    compile.arg(crate_dir.join("compile.py")).arg(library(&place)?);
    compile.args([crate_dir.join("src/kernel.cu"), crate_dir.join("src/kernel.ptx")]);
    Step::new("compile the kernel", compile).run()
}

/// Where the package has put its library.
fn library(place: &Path) -> Result<PathBuf, Failure> {
    let packages = fs::read_dir(place.join("lib")).into_iter().flatten().flatten();
    let libraries = packages
        .map(|python| python.path().join("site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"));
    let found = libraries.into_iter().find(|library| library.exists());
    found.ok_or_else(|| Failure::Usage(format!("{NVRTC} has no libnvrtc.so.12 for this machine.")))
}
