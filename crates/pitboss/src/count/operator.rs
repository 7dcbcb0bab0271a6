//! The house's side: what a counter could win at a table, and what stops it.

use odds::Valuation;
use odds::count::{BetLimits, BetTable, CountTally, Prospect};
use odds::setting::Setting;
use odds::simulate::{Plan, Strategy};
use odds::what_if::what_if;
use rules::shoe;
use rules::terms::TermSheet;

use super::study::{depth, effects, flat_edge, play, table_count};
use super::{Request, Wanted};
use crate::odds::progress::with_progress;
use crate::sim::interrupt::Interrupt;

/// A table as it is, or with one option changed.
pub(super) struct TriedTable {
    /// The option and its value; none for the table as it is.
    pub(super) change: Option<(String, String)>,
    /// Cards before the cut card, and in the shoe.
    pub(super) depth: (usize, usize),
    /// What a flat bet gains.
    pub(super) flat: f64,
    /// A counter who bets in every round.
    pub(super) always: Prospect,
    /// A counter who sits out wherever the count is bad.
    pub(super) choosy: Prospect,
}

/// What a counter could win at a table, and at tables like it.
pub(super) struct OperatorStudy<'a> {
    pub(super) request: &'a Request,
    pub(super) count: String,
    /// The table as it is, then other places of the cut card, the deepest first.
    pub(super) depths: Vec<TriedTable>,
    /// The table as it is, then with every other option that matters.
    pub(super) options: Vec<TriedTable>,
    pub(super) is_interrupted: bool,
}

/// Places of the cut card that are tried, in hundredths of the shoe behind it.
const BEHIND: [usize; 9] = [15, 20, 25, 30, 35, 40, 45, 50, 60];
/// Smaller changes of the expectation are not worth a simulation.
const MATTERS: f64 = 1e-5;

impl<'a> OperatorStudy<'a> {
    pub(super) fn of(request: &'a Request, interrupt: &Interrupt) -> Result<Self, String> {
        let sheet = request.plan.sheet();
        let effects = effects(&request.plan)?;
        let count = table_count(request, sheet, &effects)?.system.name().to_owned();
        let mut study = OperatorStudy {
            request,
            count,
            depths: Vec::new(),
            options: Vec::new(),
            is_interrupted: false,
        };
        let now = study.tried(sheet.clone(), None, interrupt)?;
        study.depths.extend(now);
        let mut behind: Vec<usize> = BEHIND.map(|part| shoe::cards(sheet) * part / 100).into();
        // The ends of what the rules allow.
        behind.extend(ends_of_depth(sheet));
        behind.sort_unstable();
        behind.dedup();
        behind.retain(|behind| Some(*behind) != shoe::behind_cut_card(sheet));
        for behind in behind {
            let change = ("cut_card_depth".to_owned(), behind.to_string());
            if let Some(sheet) = changed(sheet, &change) {
                let tried = study.tried(sheet, Some(change), interrupt)?;
                study.depths.extend(tried);
            }
        }
        if study.depths.is_empty() {
            return Err("this table does not take the wager that is followed".to_owned());
        }
        study.depths[1..].sort_by_key(|tried| std::cmp::Reverse(tried.depth.0));
        for change in study.changes()? {
            if let Some(sheet) = changed(sheet, &change) {
                let tried = study.tried(sheet, Some(change), interrupt)?;
                study.options.extend(tried);
            }
        }
        study.is_interrupted = interrupt.has_come();
        if study.is_interrupted {
            eprintln!("Interrupted: tables that had not been tried yet have the fewest rounds.");
        }
        Ok(study)
    }

    /// Every other value of an option that bears on the wager.
    fn changes(&self) -> Result<Vec<(String, String)>, String> {
        let sheet = self.request.plan.sheet().clone();
        let table = Valuation::new(sheet).map_err(|refusal| refusal.to_string())?;
        let found = with_progress("Trying every option", |bar| what_if(&table, bar));
        let (bet, _) = self.request.wager;
        let matters = |line: &&odds::what_if::TriedValue| {
            line.changes.iter().any(|change| {
                change.wager.bet == bet && change.change.is_none_or(|size| size.abs() > MATTERS)
            })
        };
        let lines = found.lines.iter().filter(matters);
        Ok(lines.map(|line| (line.term.key.clone(), line.to.clone())).collect())
    }

    /// Plays a table; none where it does not take the same wagers.
    fn tried(
        &self,
        sheet: TermSheet,
        change: Option<(String, String)>,
        interrupt: &Interrupt,
    ) -> Result<Option<TriedTable>, String> {
        let request = self.request;
        let usual = &request.plan;
        let strategy = Strategy::named(&sheet, usual.strategy().name());
        let strategy = strategy.unwrap_or_else(|_| usual.strategy().clone());
        let setting = Setting::of(&sheet).and_then(|setting| {
            let Setting { meter, main, .. } = usual.setting();
            Ok(Setting { meter, ..setting.with_main(&sheet, main.into())? })
        });
        let Ok(setting) = setting else { return Ok(None) };
        let plan = Plan::new(sheet.clone(), strategy, usual.seed());
        let plan = plan
            .and_then(|plan| plan.with_side_wagers(true).with_seats(usual.seats()))
            .map_err(|refusal| refusal.to_string())?
            .with_setting(setting);
        if !CountTally::wagers(&plan).contains(&request.wager) {
            return Ok(None);
        }
        let effects = match request.system {
            Wanted::Known(_) => Vec::new(),
            Wanted::Best { .. } => effects(&plan)?,
        };
        let count = table_count(request, &sheet, &effects)?;
        let tally = play(&plan, &count, request, interrupt);
        let (bet, unit) = request.wager;
        let limits = request.limits(bet, unit);
        let best = |limits: BetLimits| {
            let table = BetTable::new(&tally, limits);
            table.prospect(&table.best_score())
        };
        let always = best(BetLimits { sits_out_below: None, ..limits });
        let from = (-3..=8).map(|from| best(BetLimits { sits_out_below: Some(from), ..limits }));
        let choosy = from.fold(
            always,
            |best, other| {
                if other.score() > best.score() { other } else { best }
            },
        );
        Ok(Some(TriedTable {
            change,
            depth: depth(&sheet),
            flat: flat_edge(&tally, &plan),
            always,
            choosy,
        }))
    }

    /// The table as it is.
    pub(super) fn now(&self) -> &TriedTable {
        &self.depths[0]
    }

    /// What an hour is worth to a counter.
    pub(super) fn hourly(&self, prospect: &Prospect) -> f64 {
        prospect.mean * self.request.pace as f64
    }

    /// Whether a counter who bets in every round gains nothing that is more than chance.
    pub(super) fn is_stopped(prospect: &Prospect) -> bool {
        prospect.mean <= 2.0 * prospect.error
    }

    /// What stops a counter who bets in every round, in a sentence.
    pub(super) fn verdict(&self) -> String {
        let now = self.now();
        if Self::is_stopped(&now.always) {
            return "At these terms a counter who bets in every round wins nothing with this spread."
                .to_owned();
        }
        let stopping = self.depths[1..].iter().filter(|tried| Self::is_stopped(&tried.always));
        let deepest = stopping.max_by_key(|tried| tried.depth.0);
        let cut = match deepest {
            Some(tried) => format!(
                "A cut card after {} of {} cards stops a counter who bets in every round.",
                tried.depth.0, tried.depth.1
            ),
            None => "No place of the cut card that was tried stops a counter who bets in every \
                     round."
                .to_owned(),
        };
        let options: Vec<String> = self
            .options
            .iter()
            .filter(|tried| Self::is_stopped(&tried.always))
            .filter_map(|tried| tried.change.as_ref().map(|(key, to)| format!("{key}={to}")))
            .collect();
        let others = match options.is_empty() {
            true => "No other single option that was tried does.".to_owned(),
            false => format!("So does {}.", options.join(", ")),
        };
        let machine = match self.has_continuous_machine() {
            true => " With shuffle_method=continuous there is nothing to count.",
            false => "",
        };
        format!("{cut} {others}{machine}")
    }

    /// Whether the rules allow a machine that takes the cards back after every round.
    fn has_continuous_machine(&self) -> bool {
        let mut sheet = self.request.plan.sheet().clone();
        sheet.set([("shuffle_method", "continuous")]).is_ok() && shoe::is_continuous(&sheet)
    }
}

/// The same terms with one option changed; none where the rules do not allow it.
fn changed(sheet: &TermSheet, (key, to): &(String, String)) -> Option<TermSheet> {
    let mut sheet = sheet.clone();
    sheet.set([(key.as_str(), to.as_str())]).ok()?;
    (shoe::behind_cut_card(&sheet).is_some()).then_some(sheet)
}

/// The fewest and the most cards that the rules allow behind the cut card.
fn ends_of_depth(sheet: &TermSheet) -> Vec<usize> {
    let allowed = |behind: &usize| {
        changed(sheet, &("cut_card_depth".to_owned(), behind.to_string())).is_some()
    };
    let mut all = (1..shoe::cards(sheet)).filter(allowed);
    let first = all.next();
    first.into_iter().chain(all.next_back()).collect()
}
