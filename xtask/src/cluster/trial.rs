//! `cargo xtask cluster --test`: a crowd plays in a cluster that is broken in every way, and what is left
//! is compared with what the players were told.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::faults::{Fault, Numbers, plan};
use super::postgres_server::on_its_own;
use super::proxy::Way;
use super::timeline::{Timeline, now};
use super::{Cluster, DATABASE, Interrupted, Length, Node, Options, USER, signal};
use crate::step::{Failure, Step};
use crate::{cargo, target_dir, tools};

/// The folder of the program and of the logs, in that of the build.
const KEPT: &str = "cluster-test";

/// How long a table stays a node's that is not heard of any more (`LEASE` of the house).
const LEASE: Duration = Duration::from_millis(2_500);

/// How long a player at the table of a dead node may wait, in a long test.
const LONGEST_GAP: Duration = Duration::from_secs(5);

/// How long a table may stand still on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long the players may take to sit down, and to leave and check what they were told.
const LONGEST_BEGINNING: Duration = Duration::from_secs(120);
const LONGEST_END: Duration = Duration::from_secs(300);

/// What a node that is to end at a failpoint does before: at least, and how much more at most.
const DOES_BEFORE: (usize, usize) = (20, 40);

/// Notes in the database who writes: the node by the name of its connection, and the lease at that moment.
const WITNESS: &str = "
CREATE SCHEMA witness;
CREATE TABLE witness.writes (table_id TEXT, first BIGINT, epoch BIGINT, lease BIGINT, owner TEXT, writer TEXT);
CREATE FUNCTION witness.note() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO witness.writes SELECT added.table_id, min(added.seq), added.epoch, leases.epoch,
        leases.node, current_setting('application_name')
        FROM added LEFT JOIN public.leases ON leases.table_id = added.table_id
        GROUP BY added.table_id, added.epoch, leases.epoch, leases.node;
    RETURN NULL;
END $$;
CREATE TRIGGER witnessed AFTER INSERT ON entries REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION witness.note();";

/// What must not be in the database at the end, and how many there are of it.
const NEVER: [(&str, &str); 5] = [
    (
        "writes of a node that did not own the table",
        "SELECT count(*) FROM witness.writes WHERE writer IS DISTINCT FROM 'pitboss node ' || owner \
         OR epoch IS DISTINCT FROM lease",
    ),
    (
        "epochs with two owners",
        "SELECT count(*) FROM (SELECT FROM witness.writes GROUP BY table_id, epoch \
         HAVING count(DISTINCT writer) > 1) AS shared",
    ),
    (
        "entries under an earlier epoch than the entry before",
        "SELECT count(*) FROM (SELECT epoch, lag(epoch) OVER (PARTITION BY table_id ORDER BY seq) \
         AS before FROM entries) AS pairs WHERE epoch < before",
    ),
    ("cents that the books do not sum to", "SELECT abs(coalesce(sum(balance), 0)) FROM accounts"),
    ("books that did not agree", "SELECT count(*) FROM events WHERE what = 'difference'"),
];

/// Builds the program with failpoints, and tests it.
pub(super) fn run(
    options: &Options,
    length: Length,
    interrupted: &Interrupted,
) -> Result<(), Failure> {
    let build = ["build", "--profile", "quick", "--package", "pitboss", "--bin", "pitboss"];
    let build = [&build[..], &["--features", "failpoints"]].concat();
    Step::new("the program", cargo(&build)).run()?;
    tools::need_postgresql()?;
    tools::need_nats_server()?;
    let begun = Instant::now();
    let program = &kept(&target_dir().join("quick/pitboss"))?;
    let cluster = Cluster::start(program, options, interrupted)?;
    let mut numbers = Numbers::new(options.seed);
    let plan = plan(length, &mut numbers);
    if cluster.postgres.psql(DATABASE, WITNESS).is_none() {
        return Err(Failure::Found("the witness cannot be added to the database.".to_owned()));
    }
    let players = options.tables * 5 / 2;
    let crowd = Crowd::begin(program, &cluster, players, options.seed)?;
    let mut trial = Trial {
        cluster,
        crowd,
        numbers,
        gaps: BTreeMap::new(),
        times: BTreeMap::new(),
        wrong: Vec::new(),
    };
    if let Err(failure) = trial.play(options.tables, &plan, interrupted) {
        trial.keep_logs();
        return Err(failure);
    }
    trial.end(program, length)?;
    println!("The cluster was tested in {:.0?}.", begun.elapsed());
    Ok(())
}

/// A copy of a program, so that every run of a node is of the same one, whatever is built meanwhile.
fn kept(program: &Path) -> Result<PathBuf, Failure> {
    let kept = target_dir().join(KEPT);
    let copy = kept.join("pitboss");
    // One that still runs elsewhere cannot be written into.
    let _ = fs::remove_file(&copy);
    let copied = fs::create_dir_all(&kept).and_then(|()| fs::copy(program, &copy));
    copied.map_err(|error| Failure::Found(format!("{}: {error}", copy.display())))?;
    Ok(copy)
}

/// The players, who are a program of their own.
pub(super) struct Crowd {
    process: Child,
    report: PathBuf,
    timeline: Timeline,
}

impl Crowd {
    pub(super) fn begin(
        program: &Path,
        cluster: &Cluster,
        players: usize,
        seed: u64,
    ) -> Result<Crowd, Failure> {
        let wrong = |error| Failure::Found(format!("the crowd does not come: {error}"));
        let file = |name: &str| cluster.folder.path.join(name);
        let (report, timeline) = (file("crowd.log"), file("timeline"));
        File::create(&timeline).map_err(wrong)?;
        let urls: Vec<String> = cluster.nodes.iter().map(Node::url).collect();
        let out = File::create(&report).map_err(wrong)?;
        let mut command = on_its_own(program, "KILL", None);
        command.args([
            "load",
            "--cluster",
            &urls.join(","),
            "--think",
            "300",
            "--seconds",
            "86400",
        ]);
        command.args(["--players", &players.to_string(), "--seed", &seed.to_string()]);
        command.arg("--timeline").arg(&timeline).stdin(Stdio::null());
        command.stdout(out.try_clone().map_err(wrong)?).stderr(out);
        let process = command.spawn().map_err(wrong)?;
        Ok(Crowd { process, report, timeline: Timeline::of(&timeline).map_err(wrong)? })
    }

    pub(super) fn read(&mut self) -> Result<(), Failure> {
        if let Ok(Some(status)) = self.process.try_wait() {
            let said = fs::read_to_string(&self.report).unwrap_or_default();
            return Err(Failure::Found(format!("the crowd has left early ({status}): {said}")));
        }
        let wrong = |error| Failure::Found(format!("the timeline cannot be read: {error}"));
        self.timeline.read().map_err(wrong)
    }
}

impl Crowd {
    /// Where the players note what was done.
    pub(super) fn noted(&self) -> io::Result<String> {
        fs::read_to_string(self.report.with_file_name("timeline"))
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A test under way. The crowd is ended before the cluster.
struct Trial {
    crowd: Crowd,
    cluster: Cluster,
    numbers: Numbers,
    /// How long the tables concerned stood still, by fault.
    gaps: BTreeMap<Fault, Vec<Duration>>,
    /// How often each fault was made.
    times: BTreeMap<Fault, usize>,
    wrong: Vec<String>,
}

impl Trial {
    /// Breaks the cluster in every way that is planned, one after the other.
    fn play(
        &mut self,
        tables: usize,
        plan: &[Fault],
        interrupted: &Interrupted,
    ) -> Result<(), Failure> {
        self.until_played(tables)?;
        for (number, fault) in (1..).zip(plan) {
            if interrupted.is_so() {
                self.wrong.push("interrupted".to_owned());
                break;
            }
            self.settle()?;
            let before = self.gaps.get(fault).map_or(0, Vec::len);
            self.breaks(*fault)?;
            *self.times.entry(*fault).or_default() += 1;
            let gaps = self.gaps.get(fault).map_or(&[][..], |gaps| &gaps[before..]);
            let (name, tables, of) = (fault.name(), gaps.len(), plan.len());
            let longest = in_seconds(gaps.iter().max().copied().unwrap_or_default());
            println!("{number:>3}/{of}  {name:<32}{tables:>3} tables, longest {longest}");
        }
        Ok(())
    }

    /// Opens a node, again where that fails, as whatever keeps services running does.
    fn open(&mut self, node: usize) -> Result<(), Failure> {
        let begun = Instant::now();
        loop {
            match self.cluster.nodes[node].open() {
                Err(failure) if begun.elapsed() > PATIENCE => return Err(failure),
                Err(failure) => {
                    println!("         {failure}");
                    sleep(Duration::from_secs(1));
                }
                Ok(()) => return Ok(()),
            }
        }
    }

    /// Waits until somebody was answered at most of the tables.
    fn until_played(&mut self, tables: usize) -> Result<(), Failure> {
        let begun = Instant::now();
        loop {
            self.crowd.read()?;
            if self.crowd.timeline.played(now()).len() * 10 >= tables * 9 {
                return Ok(());
            }
            if begun.elapsed() > LONGEST_BEGINNING {
                let (played, count) =
                    (self.crowd.timeline.played(now()).len(), self.crowd.timeline.count());
                return Err(Failure::Found(format!(
                    "people play at {played} of {tables} tables only, and were answered {count} times"
                )));
            }
            sleep(Duration::from_millis(200));
        }
    }

    /// Lets the cluster be for a moment.
    fn settle(&mut self) -> Result<(), Failure> {
        let pause = 1000 + self.numbers.below(1000);
        sleep(Duration::from_millis(pause as u64));
        for number in 0..self.cluster.nodes.len() {
            let node = &mut self.cluster.nodes[number];
            if let Some(status) = node.has_ended() {
                let (name, words) = (node.name().to_owned(), node.last_words());
                self.wrong.push(format!("{name} has ended by itself ({status}): {words}"));
                self.open(number)?;
            }
        }
        self.crowd.read()
    }

    /// Up to so much time.
    fn time_up_to(&mut self, most: u64) -> Duration {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Duration::from_millis(self.numbers.below(most) as u64)
    }

    /// The tables of a node.
    fn tables_of(&self, node: usize) -> Vec<String> {
        let name = self.cluster.nodes[node].name();
        let line = format!("SELECT table_id FROM leases WHERE node = '{name}'");
        let found = self.cluster.postgres.psql(DATABASE, &line).unwrap_or_default();
        found.lines().map(str::to_owned).collect()
    }

    /// Breaks something, and mends it.
    fn breaks(&mut self, fault: Fault) -> Result<(), Failure> {
        let node = self.numbers.below(self.cluster.nodes.len());
        let longer_than_a_lease = LEASE + Duration::from_millis(1500) + self.time_up_to(1500);
        match fault {
            Fault::Kill => self.kill(fault, node),
            Fault::BeforeCommit | Fault::AfterCommit | Fault::BeforeReply => {
                self.end_at_failpoint(fault, node)
            }
            Fault::Pause => self.pause(fault, node, longer_than_a_lease),
            Fault::PostgresKilled => self.restart_postgres(fault, "KILL"),
            Fault::PostgresRestarted => self.restart_postgres(fault, "INT"),
            Fault::NatsKilled => {
                let at = now();
                self.cluster.bus.kill();
                sleep(self.time_up_to(2000));
                self.cluster.bus.begin()?;
                self.all_go_on(fault, at)
            }
            Fault::Slow => {
                let at = now();
                let time = Duration::from_millis(5) + self.time_up_to(25);
                self.make(node, &[0, 1], Way::Slow(time));
                sleep(Duration::from_secs(4));
                self.make(node, &[0, 1], Way::Open);
                self.all_go_on(fault, at)
            }
            Fault::StorePaused => self.change_way(fault, node, 0, Way::Still, longer_than_a_lease),
            Fault::BusPaused => self.change_way(fault, node, 1, Way::Still, longer_than_a_lease),
            Fault::StoreCut => self.change_way(fault, node, 0, Way::Cut, longer_than_a_lease),
            Fault::BusCut => self.change_way(fault, node, 1, Way::Cut, longer_than_a_lease),
            Fault::Rolling => {
                for node in 0..self.cluster.nodes.len() {
                    let (tables, at) = (self.tables_of(node), now());
                    self.close(node);
                    self.open(node)?;
                    self.go_on(fault, at, &tables)?;
                }
                Ok(())
            }
        }
    }

    /// Kills a node. It comes back at once, or when others have its tables.
    fn kill(&mut self, fault: Fault, node: usize) -> Result<(), Failure> {
        let (tables, at) = (self.tables_of(node), now());
        self.cluster.nodes[node].kill();
        if self.numbers.below(2) == 0 {
            self.open(node)?;
            return self.go_on(fault, at, &tables);
        }
        self.go_on(fault, at, &tables)?;
        self.open(node)
    }

    /// Restarts a node with a failpoint, and waits until it has come there.
    fn end_at_failpoint(&mut self, fault: Fault, node: usize) -> Result<(), Failure> {
        self.close(node);
        let (least, more) = DOES_BEFORE;
        let count = least + self.numbers.below(more);
        let point = format!("{}:{count}", fault.failpoint().unwrap_or_default());
        self.cluster.nodes[node].open_until(Some(&point))?;
        let begun = Instant::now();
        while self.cluster.nodes[node].has_ended().is_none() {
            if begun.elapsed() > PATIENCE {
                self.wrong.push(format!("a node did not come to {point} within {PATIENCE:?}"));
                self.cluster.nodes[node].kill();
                return self.open(node);
            }
            sleep(Duration::from_millis(5));
        }
        let (tables, at) = (self.tables_of(node), now());
        self.go_on(fault, at, &tables)?;
        self.open(node)
    }

    /// Stops a node for a while. When it goes on, it says that it has lost its tables.
    fn pause(&mut self, fault: Fault, node: usize, time: Duration) -> Result<(), Failure> {
        let (tables, at) = (self.tables_of(node), now());
        let logged = self.cluster.nodes[node].log().len();
        self.cluster.nodes[node].signal("STOP");
        sleep(time);
        let lost = tables.len() - self.tables_of(node).len().min(tables.len());
        self.cluster.nodes[node].signal("CONT");
        self.go_on(fault, at, &tables)?;
        let (begun, name) = (Instant::now(), self.cluster.nodes[node].name().to_owned());
        let says_so = |node: &Node| node.log()[logged..].contains("what=\"moved\"");
        while lost > 0 && !says_so(&self.cluster.nodes[node]) {
            if begun.elapsed() > PATIENCE {
                let wrong =
                    format!("{name} has lost {lost} tables while it was paused, in silence");
                self.wrong.push(wrong);
                break;
            }
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn restart_postgres(&mut self, fault: Fault, signal: &str) -> Result<(), Failure> {
        let at = now();
        self.cluster.postgres.end_by(signal);
        self.cluster.postgres.begin_or_why().map_err(Failure::Found)?;
        self.all_go_on(fault, at)
    }

    /// Makes ways of a node others.
    fn make(&self, node: usize, which: &[usize], way: Way) {
        for number in which {
            self.cluster.ways[node][*number].make(way);
        }
    }

    /// Makes a way of a node another one for a while.
    fn change_way(
        &mut self,
        fault: Fault,
        node: usize,
        which: usize,
        way: Way,
        time: Duration,
    ) -> Result<(), Failure> {
        let (tables, at) = (self.tables_of(node), now());
        self.make(node, &[which], way);
        sleep(time);
        self.make(node, &[which], Way::Open);
        self.go_on(fault, at, &tables)
    }

    /// Closes a node as an operator does.
    fn close(&mut self, node: usize) {
        if let Some(wrong) = self.cluster.nodes[node].close() {
            self.wrong.push(wrong);
        }
    }

    fn all_go_on(&mut self, fault: Fault, at: Duration) -> Result<(), Failure> {
        let tables = self.crowd.timeline.played(at);
        self.go_on(fault, at, &tables)
    }

    /// Waits until somebody was answered at each of these tables again, since a moment, where people
    /// played before; and notes how long that took.
    fn go_on(&mut self, fault: Fault, at: Duration, tables: &[String]) -> Result<(), Failure> {
        self.crowd.read()?;
        let played = tables.iter().filter(|table| self.crowd.timeline.was_played(table, at));
        let mut waiting: Vec<String> = played.cloned().collect();
        let begun = Instant::now();
        loop {
            self.crowd.read()?;
            let (timeline, gaps) = (&self.crowd.timeline, self.gaps.entry(fault).or_default());
            waiting.retain(|table| match timeline.gap(table, at) {
                Some(gap) => {
                    gaps.push(gap);
                    false
                }
                None => true,
            });
            if waiting.is_empty() {
                return Ok(());
            }
            if begun.elapsed() > PATIENCE {
                let (name, tables) = (fault.name(), waiting.join(", "));
                self.wrong.push(format!("{name}: {tables} did not go on within {PATIENCE:?}"));
                return Ok(());
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// Has the players leave, and holds what is left against what they were told.
    fn end(mut self, program: &Path, length: Length) -> Result<(), Failure> {
        self.settle()?;
        self.all_ready();
        println!("\nThe players leave, and compare the logs with what they were told.");
        self.compare();
        self.audit(program);
        for (what, line) in NEVER {
            let found = self.cluster.postgres.psql(DATABASE, line);
            match found.as_deref() {
                Some("0") => println!("0 {what}"),
                Some(count) => self.wrong.push(format!("{count} {what}")),
                None => self.wrong.push(format!("it cannot be asked for {what}")),
            }
        }
        let writes = "SELECT count(*) FROM witness.writes";
        let writes = self.cluster.postgres.psql(DATABASE, writes).unwrap_or_default();
        println!("{writes} writes were witnessed");
        for node in self.cluster.nodes.iter().filter(|node| node.log().contains("panicked")) {
            self.wrong.push(format!("{} has panicked", node.name()));
        }
        if self.cluster.nodes.iter().any(|node| !node.is_open()) {
            self.wrong.push("a node is not open at the end".to_owned());
        }
        self.tell_gaps(length);
        if !self.wrong.is_empty() {
            self.keep_logs();
        }
        let Trial { crowd, cluster, mut wrong, .. } = self;
        drop(crowd);
        if let Err(unclean) = cluster.end() {
            wrong.push(unclean.to_string());
        }
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(Failure::Found(wrong.join("\n       "))),
        }
    }

    /// Waits until every node says that it is ready.
    fn all_ready(&mut self) {
        let begun = Instant::now();
        for node in self.cluster.nodes.iter().filter(|node| node.is_open()) {
            while let Some(why) = node.why_not_ready() {
                if begun.elapsed() > PATIENCE {
                    self.wrong.push(format!("{} is not ready: {why}", node.name()));
                    break;
                }
                sleep(Duration::from_millis(100));
            }
        }
    }

    /// Has the players leave, who say whether anything was wrong.
    fn compare(&mut self) {
        signal(&self.crowd.process, "INT");
        let begun = Instant::now();
        let status = loop {
            match self.crowd.process.try_wait() {
                Ok(Some(status)) => break Some(status),
                _ if begun.elapsed() > LONGEST_END => break None,
                _ => sleep(Duration::from_millis(100)),
            }
        };
        print!("{}", fs::read_to_string(&self.crowd.report).unwrap_or_default());
        match status {
            Some(status) if status.success() => {}
            Some(_) => self.wrong.push("the players found something wrong".to_owned()),
            None => self.wrong.push(format!("the players did not leave within {LONGEST_END:?}")),
        }
    }

    fn audit(&mut self, program: &Path) {
        let store = self.cluster.postgres.url(USER, DATABASE);
        match Command::new(program).args(["audit", "--store", &store]).output() {
            Ok(audit) => {
                print!("{}", String::from_utf8_lossy(&audit.stdout));
                eprint!("{}", String::from_utf8_lossy(&audit.stderr));
                if !audit.status.success() {
                    self.wrong.push("the audit found a difference".to_owned());
                }
            }
            Err(error) => self.wrong.push(format!("the audit does not start: {error}")),
        }
    }

    /// How long tables stood still.
    fn tell_gaps(&mut self, length: Length) {
        println!("\n{:<32} times tables   p50     p99     longest", "fault");
        for (fault, times) in &self.times {
            let mut gaps = self.gaps.get(fault).cloned().unwrap_or_default();
            gaps.sort();
            let Some(longest) = gaps.last().copied() else { continue };
            let quantile = |hundredths: usize| {
                let at = (gaps.len() * hundredths).div_ceil(100).max(1);
                in_seconds(gaps[at - 1])
            };
            let (name, tables) = (fault.name(), gaps.len());
            let (half, most, all) = (quantile(50), quantile(99), in_seconds(longest));
            println!("{name:<32} {times:>5} {tables:>6} {half:>7} {most:>7} {all:>7}");
            if length == Length::Long && fault.takes_a_node() && longest > LONGEST_GAP {
                let most = in_seconds(LONGEST_GAP);
                self.wrong.push(format!("{name}: a table stood still for {all}, more than {most}"));
            }
        }
    }

    /// Keeps what was logged, where something was wrong.
    fn keep_logs(&self) {
        let kept = target_dir().join(KEPT);
        let files = fs::read_dir(&self.cluster.folder.path).into_iter().flatten().flatten();
        for file in files.map(|file| file.path()) {
            let is_log = file.extension().is_none_or(|extension| extension == "log");
            if let Some(name) = file.file_name().filter(|_| is_log && file.is_file()) {
                let _ = fs::copy(&file, kept.join(name));
            }
        }
        let _ = fs::copy(self.cluster.postgres.folder().join("log"), kept.join("postgresql.log"));
        println!("The logs are kept in {}.", kept.display());
    }
}

/// `2.41 s`.
fn in_seconds(time: Duration) -> String {
    let hundredths = time.as_millis() / 10;
    format!("{}.{:02} s", hundredths / 100, hundredths % 100)
}
