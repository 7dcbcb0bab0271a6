//! Which tables a node takes and gives, by what the store says: without a clock, a disk or a bus of its own.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::Instant;

use crate::store::{NodeInfo, NodeRow, OwnerRow};

/// A node that was not heard of for so long is given no table.
pub(crate) const GONE_AFTER: Duration = Duration::from_millis(2_500);

/// A table that nobody has owned for so long is taken by whoever sees it, fair share or not.
pub(crate) const LONGEST_UNOWNED: Duration = Duration::from_secs(2);

/// How long a table without an owner waits for the node that is wanted there.
pub(crate) const LONGEST_WANTED: Duration = Duration::from_secs(5);

/// The most tables that a node gives away at a time.
const GIVEN_TOGETHER: usize = 4;

/// Since when a node has seen tables without an owner.
pub(crate) type Unowned = HashMap<String, Instant>;

/// A house of several nodes, as one of them sees it.
pub(crate) struct Spread<'a> {
    me: &'a NodeInfo,
    nodes: &'a [NodeRow],
    rows: HashMap<&'a str, &'a OwnerRow>,
    own: Vec<&'a OwnerRow>,
}

impl<'a> Spread<'a> {
    pub(crate) fn new(me: &'a NodeInfo, rows: &'a [OwnerRow], nodes: &'a [NodeRow]) -> Spread<'a> {
        let own = rows.iter().filter(|row| row.node.as_ref() == Some(&me.name)).collect();
        let rows = rows.iter().map(|row| (row.table.as_str(), row)).collect();
        Spread { me, nodes, rows, own }
    }

    /// The other nodes that take tables.
    fn others(&self) -> impl Iterator<Item = &'a NodeRow> {
        let me = self.me;
        self.nodes.iter().filter(move |node| is_open_to(me, node))
    }

    fn node(&self, name: Option<&String>) -> Option<&'a NodeRow> {
        self.nodes.iter().find(|node| Some(&node.info.name) == name)
    }

    /// Whether this node gives its tables away and takes none.
    pub(crate) fn is_draining(&self) -> bool {
        self.node(Some(&self.me.name)).is_some_and(|node| node.is_draining)
    }

    /// Which node owns a table, where one does.
    pub(crate) fn row(&self, table: &str) -> Option<&'a OwnerRow> {
        self.rows.get(table).copied()
    }

    /// Another node that is there and is to own a table next.
    fn wanted(&self, row: &OwnerRow) -> Option<&'a NodeRow> {
        self.others().find(|node| Some(&node.info.name) == row.wanted.as_ref())
    }

    /// Whether a round goes on elsewhere under the rules that it began with.
    fn is_for_others(&self, row: &OwnerRow) -> bool {
        let Some(last) = self.node(row.node.as_ref()) else { return false };
        last.info.rules != self.me.rules
            && self.others().any(|node| node.info.rules == last.info.rules)
    }

    /// Which of all tables, each with whether it is here, the node takes now: what nobody owns, up to a
    /// fair share; more of what stays without an owner; and what is its own in the store alone.
    pub(crate) fn takes<'t>(
        &self,
        tables: &[(&'t str, bool)],
        unowned: &mut Unowned,
        now: Instant,
    ) -> Vec<&'t str> {
        if self.is_draining() {
            unowned.clear();
            return Vec::new();
        }
        let share = tables.len().div_ceil(self.others().count() + 1);
        let mut own = tables.iter().filter(|(_, is_here)| *is_here).count();
        let is_own = |row: &OwnerRow| row.node.as_ref() == Some(&self.me.name);
        let is_free =
            |row: &OwnerRow| is_own(row) || row.left.is_zero() && !self.is_for_others(row);
        let free: Vec<&str> = tables
            .iter()
            .filter(|(table, is_here)| !is_here && self.row(table).is_none_or(is_free))
            .map(|(table, _)| *table)
            .collect();
        let is_still: HashSet<&str> = free.iter().copied().collect();
        unowned.retain(|table, _| is_still.contains(table.as_str()));
        let mut taken = Vec::new();
        for table in free {
            let since = unowned.entry(table.to_owned()).or_insert(now);
            let waits = now.duration_since(*since);
            let row = self.row(table);
            let is_for_me =
                row.is_some_and(|row| is_own(row) || row.wanted.as_ref() == Some(&self.me.name));
            // A node that is gone, or takes nothing, is not waited for.
            let is_for_another = row.is_some_and(|row| !is_own(row) && self.wanted(row).is_some());
            let is_taken = match is_for_another {
                true => waits > LONGEST_WANTED,
                false => is_for_me || own < share || waits > LONGEST_UNOWNED,
            };
            if is_taken {
                taken.push(table);
                own += 1;
            }
        }
        taken
    }

    /// The tables of this node that are wanted elsewhere, by a node that is there.
    pub(crate) fn wanted_elsewhere(&self) -> Vec<(&'a OwnerRow, &'a NodeRow)> {
        self.own.iter().filter_map(|row| Some((*row, self.wanted(row)?))).collect()
    }

    /// What the node gives away to be left with a fair share, or with nothing where it is drained.
    pub(crate) fn gives(&self) -> Gives<'a> {
        let stays = |row: &&&OwnerRow| self.wanted(row).is_none();
        let own: Vec<&'a OwnerRow> = self.own.iter().filter(stays).copied().collect();
        let mut held: HashMap<&str, usize> = HashMap::new();
        for row in self.rows.values() {
            *held.entry(row.node.as_deref().unwrap_or_default()).or_default() += 1;
        }
        let held_by = |node: &NodeRow| held.get(node.info.name.as_str()).copied().unwrap_or(0);
        let held = self.others().map(|node| (held_by(node), node)).collect();
        Gives { left: own.len(), own, held, is_draining: self.is_draining(), given: 0 }
    }
}

/// Whether another node takes tables.
pub(crate) fn is_open_to(me: &NodeInfo, node: &NodeRow) -> bool {
    node.info.name != me.name && node.seen < GONE_AFTER && !node.is_draining
}

/// The tables that a node gives away, one after the other: which of them can be given is seen by trying.
pub(crate) struct Gives<'a> {
    own: Vec<&'a OwnerRow>,
    /// How many it has.
    left: usize,
    /// How many the others have.
    held: Vec<(usize, &'a NodeRow)>,
    is_draining: bool,
    given: usize,
}

impl<'a> Gives<'a> {
    /// A table to give, and the node with the fewest. Each table comes once.
    pub(crate) fn next(&mut self) -> Option<(&'a OwnerRow, &'a NodeRow)> {
        let (count, node) = self.held.iter().min_by_key(|(count, _)| *count)?;
        let is_fair = self.left <= count + 1;
        let is_over = self.given == GIVEN_TOGETHER || is_fair && !self.is_draining;
        if is_over { None } else { Some((self.own.pop()?, node)) }
    }

    /// The last one was given.
    pub(crate) fn gave(&mut self) {
        (self.left, self.given) = (self.left - 1, self.given + 1);
        if let Some((count, _)) = self.held.iter_mut().min_by_key(|(count, _)| *count) {
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(name: &str, rules: &str) -> NodeInfo {
        let address = format!("{name}-1");
        NodeInfo { name: name.to_owned(), address, rules: rules.to_owned() }
    }

    fn node(name: &str) -> NodeRow {
        NodeRow { info: info(name, "1"), seen: Duration::ZERO, is_draining: false }
    }

    fn gone(name: &str) -> NodeRow {
        NodeRow { seen: GONE_AFTER, ..node(name) }
    }

    fn drained(name: &str) -> NodeRow {
        NodeRow { is_draining: true, ..node(name) }
    }

    fn of_other_rules(name: &str) -> NodeRow {
        NodeRow { info: info(name, "2"), ..node(name) }
    }

    /// `war-1 a`, `war-1 -` without an owner, `war-1 a!` with an expired lease, `war-1 a >b` wanted at b.
    fn row(text: &str) -> OwnerRow {
        let words: Vec<&str> = text.split(' ').collect();
        let is_held = words[1] != "-" && !words[1].ends_with('!');
        OwnerRow {
            table: words[0].to_owned(),
            node: Some(words[1].trim_end_matches('!').to_owned()).filter(|node| node != "-"),
            epoch: 1,
            left: if is_held { Duration::from_secs(1) } else { Duration::ZERO },
            wanted: words.get(2).map(|word| word.trim_start_matches('>').to_owned()),
        }
    }

    /// What `a` takes of these tables, where it has seen what it sees now for so long.
    fn taken(rows: &[&str], others: &[NodeRow], waited: Duration) -> String {
        let rows: Vec<OwnerRow> = rows.iter().map(|text| row(text)).collect();
        let (me, nodes) = (info("a", "1"), [&[node("a")], others].concat());
        let spread = Spread::new(&me, &rows, &nodes);
        let is_here = |row: &OwnerRow| row.node.as_deref() == Some("a") && !row.left.is_zero();
        let tables: Vec<(&str, bool)> =
            rows.iter().map(|row| (row.table.as_str(), is_here(row))).collect();
        let (mut unowned, now) = (Unowned::new(), Instant::now());
        spread.takes(&tables, &mut unowned, now);
        spread.takes(&tables, &mut unowned, now + waited).join(" ")
    }

    #[test]
    fn a_node_takes_its_share_of_what_nobody_owns() {
        let all = ["war-1 -", "war-2 b!", "war-3 b", "war-4 -"];
        assert_eq!(taken(&all, &[node("b")], Duration::ZERO), "war-1 war-2");
        assert_eq!(taken(&all, &[gone("b")], Duration::ZERO), "war-1 war-2 war-4");
        assert_eq!(taken(&all, &[drained("b")], Duration::ZERO), "war-1 war-2 war-4");
        let long = LONGEST_UNOWNED + Duration::from_millis(1);
        assert_eq!(taken(&all, &[node("b")], long), "war-1 war-2 war-4");
        // What is its own in the store, and was not loaded.
        assert_eq!(taken(&["war-1 a", "war-2 a!"], &[node("b")], Duration::ZERO), "war-2");
    }

    #[test]
    fn a_table_waits_for_the_node_that_is_wanted_while_that_is_there() {
        let wanted = ["war-1 - >b"];
        for (others, waits, takes) in [
            (vec![node("b")], Duration::ZERO, ""),
            (vec![node("b")], LONGEST_WANTED, ""),
            (vec![node("b")], LONGEST_WANTED + Duration::from_millis(1), "war-1"),
            (vec![gone("b")], Duration::ZERO, "war-1"),
            (vec![drained("b")], Duration::ZERO, "war-1"),
            (vec![], Duration::ZERO, "war-1"),
            (vec![gone("b"), node("c")], Duration::ZERO, "war-1"),
        ] {
            assert_eq!(taken(&wanted, &others, waits), takes, "{others:?} {waits:?}");
        }
        // What is wanted here comes on top of the share.
        let full = ["war-1 a", "war-2 - >a"];
        assert_eq!(taken(&full, &[node("b")], Duration::ZERO), "war-2");
    }

    #[test]
    fn a_round_goes_on_under_its_rules_where_a_node_has_them() {
        let left = ["war-1 b!"];
        let others = [of_other_rules("b"), of_other_rules("c")];
        let long = LONGEST_UNOWNED * 9;
        assert_eq!(taken(&left, &others, long), "");
        let gone = NodeRow { seen: GONE_AFTER, ..of_other_rules("c") };
        let others = [NodeRow { seen: GONE_AFTER, ..of_other_rules("b") }, gone];
        assert_eq!(taken(&left, &others, Duration::ZERO), "war-1");
    }

    /// What `a` gives to whom, where each table but those named can be given.
    fn given(rows: &[&str], nodes: &[NodeRow], stuck: &[&str]) -> String {
        let rows: Vec<OwnerRow> = rows.iter().map(|text| row(text)).collect();
        let me = info("a", "1");
        let spread = Spread::new(&me, &rows, nodes);
        let words = |row: &OwnerRow, node: &NodeRow| format!("{}>{}", row.table, node.info.name);
        let wanted = spread.wanted_elsewhere();
        let mut given: Vec<String> = wanted.iter().map(|(row, node)| words(row, node)).collect();
        let mut gives = spread.gives();
        while let Some((row, node)) = gives.next() {
            if !stuck.contains(&row.table.as_str()) {
                gives.gave();
                given.push(words(row, node));
            }
        }
        given.join(" ")
    }

    #[test]
    fn a_node_gives_what_is_more_than_its_share_and_what_is_wanted_elsewhere() {
        let own = ["w-1 a", "w-2 a", "w-3 a", "w-4 a", "w-5 b"];
        assert_eq!(given(&own, &[node("a"), node("b")], &[]), "w-4>b");
        assert_eq!(given(&own, &[node("a"), gone("b")], &[]), "");
        // One that cannot be given now keeps none of the others.
        assert_eq!(given(&own, &[node("a"), node("b")], &["w-4", "w-3"]), "w-2>b");
        let wanted = ["w-1 a >b", "w-2 a >c", "w-3 b"];
        assert_eq!(given(&wanted, &[node("a"), node("b"), gone("c")], &[]), "w-1>b");
    }

    #[test]
    fn a_node_that_is_drained_gives_everything() {
        let own = ["w-1 a", "w-2 a", "w-3 b", "w-4 b"];
        let nodes = [drained("a"), node("b"), node("c")];
        assert_eq!(given(&own, &nodes, &[]), "w-2>c w-1>c");
        assert_eq!(given(&own, &[drained("a"), gone("b")], &[]), "");
        let (me, rows) = (info("a", "1"), [row("w-9 -")]);
        let spread = Spread::new(&me, &rows, &nodes);
        assert!(spread.takes(&[("w-9", false)], &mut Unowned::new(), Instant::now()).is_empty());
    }
}
