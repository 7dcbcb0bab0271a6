//! The kernel on the processor: the same counts as the table, shoe by shoe, and so as the rounds.

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use gpu::{GpuRefusal, Job};
use odds::simulate::{
    CODE_BITS, COMMON, GOES_ON, NETS, NO_SUM, Plan, Strategy, Supply, TableCounts,
};
use rules::terms::TermSheet;
use rules::wager::Game;
use sha2::{Digest, Sha256};

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name)
}

/// The kernel compiled for the processor, with a C compiler of this machine.
fn kernel() -> &'static Path {
    static KERNEL: OnceLock<PathBuf> = OnceLock::new();
    KERNEL.get_or_init(|| {
        let program =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("kernel-{}", std::process::id()));
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let mut command = Command::new(compiler);
        command.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program);
        let compiled = command.arg(source("processor.c")).status();
        assert!(compiled.expect("a C compiler").success());
        program
    })
}

fn play(job: &Job, shoes: &Range<u64>, near: usize) -> TableCounts {
    answer(job, shoes, near).unwrap()
}

fn answer(job: &Job, shoes: &Range<u64>, near: usize) -> Result<TableCounts, GpuRefusal> {
    let mut child = Command::new(kernel())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the kernel runs");
    child.stdin.take().unwrap().write_all(&job.to_bytes(shoes, near)).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let words = output.stdout.as_chunks::<8>().0.iter();
    let answer: Vec<u64> = words.map(|word| u64::from_le_bytes(*word)).collect();
    assert_eq!(answer.len(), Job::COUNTS);
    Job::counts(&answer)
}

fn plan(game: Game, terms: &[(&str, &str)], strategy: &str, supply: Supply) -> Plan {
    let mut sheet = TermSheet::new(game);
    sheet.set(terms.iter().copied()).unwrap();
    let strategy = Strategy::named(&sheet, strategy).unwrap();
    Plan::new(sheet, strategy, 7).unwrap().with_supply(supply)
}

/// Whole tallies, and single shoes of far numbers.
fn is_the_same(plan: &Plan, shoes: u64) {
    let table = plan.complete_table().unwrap();
    let job = Job::new(&table, plan.seed()).unwrap();
    let far = (1 << 59) + 12_345;
    for range in [0..shoes, far..far + 1, far + 1..far + 2] {
        for near in [0, 1_000.min(table.entries.len()) & !1] {
            let counts = play(&job, &range, near);
            assert_eq!(counts, table.play(plan, range.clone()), "{range:?} {:?}", plan.sheet());
            let tally = plan.tally_of(&table, counts, range.end - range.start);
            assert_eq!(tally, plan.play_by_rounds(range.clone()));
        }
    }
}

#[test]
fn the_kernel_plays_the_shoes_of_the_processor() {
    is_the_same(&plan(Game::CasinoWar, &[], "war", Supply::Shoes), 3_000);
    is_the_same(&plan(Game::CasinoWar, &[("decks", "8")], "surrender", Supply::Fresh), 300);
    is_the_same(&plan(Game::DoubleDeck, &[], "basic", Supply::Shoes), 20_000);
    is_the_same(&plan(Game::DoubleDeck, &[("cut_card_depth", "26")], "mimic", Supply::Fresh), 500);
    is_the_same(&plan(Game::DoubleAttack, &[], "basic", Supply::Shoes), 3_000);
}

#[test]
fn the_kernel_plays_free_bet() {
    is_the_same(&plan(Game::FreeBet, &[], "basic", Supply::Shoes), 5_000);
    let continuous = [("shuffle_method", "continuous")];
    is_the_same(&plan(Game::FreeBet, &continuous, "basic", Supply::Shoes), 300);
}

/// With no card behind the cut card, almost every shoe runs out in the middle of a round.
#[test]
fn shoes_that_run_out_of_cards_are_told_of() {
    let plan = plan(Game::DoubleDeck, &[], "basic", Supply::Shoes);
    let table = plan.complete_table().unwrap();
    let job = Job { behind: 0, ..Job::new(&table, plan.seed()).unwrap() };
    let exhausted = play(&job, &(100..150), 0).exhausted;
    assert!(exhausted.len() > 30, "{exhausted:?}");
    assert!(exhausted.is_sorted() && exhausted.iter().all(|shoe| (100..150).contains(shoe)));
    assert_eq!(answer(&job, &(100..400), 0), Err(GpuRefusal::Exhausted));
}

/// What the kernel and the tables have to agree on.
#[test]
fn the_kernel_has_the_constants_of_the_tables() {
    let text = fs::read_to_string(source("kernel.cu")).unwrap();
    for (name, value) in [
        ("CODE_BITS", u64::from(CODE_BITS)),
        ("COMMON", COMMON as u64),
        ("NETS", NETS as u64),
        ("GOES_ON", GOES_ON.into()),
        ("NO_SUM", NO_SUM),
    ] {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("#define {name} ")));
        let word = line.unwrap().trim_end_matches("ull");
        let read = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => word.parse(),
        };
        assert_eq!(read, Ok(value), "{name}");
    }
}

/// What is compiled for GPUs is this kernel: `cargo xtask kernel` compiles it again.
#[test]
fn the_compiled_kernel_is_that_of_the_source() {
    let digest = Sha256::digest(fs::read(source("kernel.cu")).unwrap());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let compiled = fs::read_to_string(source("kernel.ptx")).unwrap();
    let first = compiled.lines().next().unwrap();
    assert_eq!(first, format!("// sha256 of kernel.cu: {digest}"), "run `cargo xtask kernel`");
}
