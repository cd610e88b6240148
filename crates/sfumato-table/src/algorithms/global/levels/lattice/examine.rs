//! Examines one node: which groups may be published there, and what that costs.

use sfumato_core::dataset::{Column, Role};
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::traits::{Join, Scope, Task};

use super::frequencies::{Frequencies, Node};
use super::ladder::Ladder;
use super::packed::Layout;
use crate::algorithms::global::shared::groups::Groups;
use crate::algorithms::global::shared::publish::judge;

/// The outcome of examining a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeOutcome {
    /// The number of rows that may not be published.
    pub suppressed: u64,
    /// Whether that many may be suppressed, and something is left.
    pub feasible: bool,
    /// The cost of the release; infinite if there is none.
    pub cost: f64,
    /// The cost without suppression, which is a lower bound for this node and, if merging never
    /// helps, for all above.
    pub bound: f64,
}

/// A table with the levels of its columns, to examine nodes.
pub struct Examiner<'a> {
    /// The task.
    pub task: &'a Task<'a>,
    /// The quasi columns.
    pub quasi: Vec<&'a Column>,
    /// The levels of each quasi column.
    pub ladders: Vec<Ladder>,
    /// The layout of packed records.
    pub layout: Layout,
    /// `sums[column][level]`: the cost of all cells of a column at a level.
    pub sums: Vec<Vec<f64>>,
    /// `bits[column][level]`: how well a column at a level separates records.
    pub bits: Vec<Vec<f64>>,
    /// `occurring[column][level]`: the number of values of a level that records have.
    pub occurring: Vec<Vec<usize>>,
    /// The sensitive columns that a model reads, by their places among all.
    sensitive: Vec<usize>,
    n_sensitive: usize,
    counts_target: bool,
    whole: Summary,
    min_rows: u64,
    count_only: bool,
    /// Whether rows must be read, because people have several, or promises are about some of the
    /// columns.
    pub needs_rows: bool,
}

impl<'a> Examiner<'a> {
    /// An examiner for a task whose quasi columns all have levels.
    pub fn new(task: &'a Task<'a>) -> Self {
        let quasi = task.table.quasi();
        let ladder =
            |(place, column): (usize, &&Column)| Ladder::new(column, place, task.objective);
        let ladders: Vec<Ladder> = quasi.iter().enumerate().map(ladder).collect();
        let (mut sums, mut bits, mut occurring) = (Vec::new(), Vec::new(), Vec::new());
        for (column, ladder) in quasi.iter().zip(&ladders) {
            let mut counts = vec![0u64; column.domain.len() + 1];
            column.codes.iter().for_each(|code| counts[code as usize] += 1);
            let per_value = |level: &super::ladder::Level| {
                let mut rows = vec![0u64; level.values.len()];
                level.of_code.iter().zip(&counts).for_each(|(&value, n)| rows[value as usize] += n);
                rows
            };
            let rows: Vec<Vec<u64>> = ladder.levels.iter().map(per_value).collect();
            let sum = |(level, rows): (&super::ladder::Level, &Vec<u64>)| {
                rows.iter()
                    .zip(&level.price)
                    .filter(|(n, _)| **n > 0)
                    .map(|(&n, price)| n as f64 * price)
                    .sum()
            };
            sums.push(ladder.levels.iter().zip(&rows).map(sum).collect());
            bits.push(rows.iter().map(|rows| entropy(rows)).collect::<Vec<f64>>());
            occurring
                .push(rows.iter().map(|rows| rows.iter().filter(|n| **n > 0).count()).collect());
        }
        let mut order: Vec<usize> = (0..quasi.len()).collect();
        order.sort_by(|&a, &b| bits[b][0].total_cmp(&bits[a][0]).then(a.cmp(&b)));
        let n_sensitive = task.table.counted().len();
        let needed = task.requirements.needed_histograms(n_sensitive);
        let count_only = task.requirements.is_count_only();
        let sizes: Vec<usize> =
            ladders.iter().map(|ladder| ladder.levels[0].values.len()).collect();
        Examiner {
            sums,
            sensitive: (0..n_sensitive).filter(|&place| needed[place] && !count_only).collect(),
            n_sensitive,
            counts_target: task.objective.outsider > 0.0,
            whole: task.whole(),
            min_rows: task.requirements.min_people(),
            needs_rows: task.table.subject.is_some()
                || task
                    .requirements
                    .iter()
                    .any(|requirement| matches!(requirement.scope(), Scope::Projection(_))),
            count_only,
            layout: Layout::new(&sizes, order),
            bits,
            occurring,
            task,
            quasi,
            ladders,
        }
    }

    /// The records of the table without generalization.
    pub fn base<const W: usize>(&self) -> Frequencies<W> {
        let sensitive = self.task.table.counted();
        let mut counted: Vec<&Column> =
            self.sensitive.iter().map(|&place| sensitive[place]).collect();
        counted.extend(self.task.table.of_role(Role::Target).next().filter(|_| self.counts_target));
        Frequencies::of_table(
            &self.quasi,
            &self.ladders,
            &self.layout,
            self.task.table.n_rows,
            &counted,
        )
    }

    /// The highest node.
    pub fn top(&self) -> Node {
        self.ladders.iter().map(|ladder| ladder.levels.len() as u8 - 1).collect()
    }

    /// The cost of all cells at a node, if prices are added.
    pub fn cells(&self, node: &[u8]) -> f64 {
        self.sums.iter().zip(node).map(|(sums, &level)| sums[level as usize]).sum()
    }

    /// Examine a node by its frequency set.
    pub fn examine<const W: usize>(&self, set: &Frequencies<W>) -> NodeOutcome {
        let fails = self.failing(set);
        let failing = || (0..fails.len()).filter(|&group| fails[group]);
        let suppressed: u64 = failing().map(|group| u64::from(set.rows[group])).sum();
        let objective = self.task.objective;
        let adds_cells = objective.join() == Join::Sum && !objective.ignores_cells();
        if !self.allows(suppressed) {
            let bound = if adds_cells { self.cells(&set.node) } else { f64::NEG_INFINITY };
            return self.outcome(suppressed, bound, 0.0);
        }
        if adds_cells {
            let price = self.cell_prices(set);
            let lost = failing().map(|group| f64::from(set.rows[group]) * price(group)).sum();
            return self.outcome(suppressed, self.cells(&set.node), lost);
        }
        let prices: Vec<f64> = match objective.ignores_cells() {
            false => {
                let price = self.cell_prices(set);
                (0..set.len()).map(|group| f64::from(set.rows[group]) * price(group)).collect()
            }
            true => {
                let outsiders = self.outsiders(set);
                let class = |rows: u32, outsiders: u64| {
                    objective.class(u64::from(rows)) + objective.outsider * outsiders as f64
                };
                set.rows
                    .iter()
                    .zip(outsiders)
                    .map(|(&rows, outsiders)| class(rows, outsiders))
                    .collect()
            }
        };
        let lost = failing().map(|group| prices[group]).sum();
        self.outcome(suppressed, prices.iter().sum(), lost)
    }

    /// Which groups may not be published.
    fn failing<const W: usize>(&self, set: &Frequencies<W>) -> Vec<bool> {
        let mut fails: Vec<bool> =
            set.rows.iter().map(|&rows| u64::from(rows) < self.min_rows).collect();
        if self.count_only {
            return fails;
        }
        let asked: Vec<usize> = (0..fails.len()).filter(|&group| !fails[group]).collect();
        let mut histograms: Vec<Vec<Histogram>> = vec![Vec::new(); set.len()];
        for (&place, pairs) in self.sensitive.iter().zip(&set.pairs) {
            for ((histograms, fails), counts) in
                histograms.iter_mut().zip(&fails).zip(pairs.by_record())
            {
                if !fails {
                    histograms.resize(self.n_sensitive, Histogram::default());
                    histograms[place] = Histogram::from_counts(counts);
                }
            }
        }
        let summaries: Vec<Summary> = asked
            .iter()
            .map(|&group| {
                let mut histograms = std::mem::take(&mut histograms[group]);
                histograms.resize(self.n_sensitive, Histogram::default());
                Summary::of_histograms(u64::from(set.rows[group]), histograms)
            })
            .collect();
        // What is left out changes the release that groups are compared with, so look again until
        // nothing changes. Beyond the limit it doesn't matter any more.
        let mut release = self.whole.clone();
        loop {
            for (summary, &group) in summaries.iter().zip(&asked) {
                fails[group] = fails[group] || !self.task.requirements.holds(summary, &release);
            }
            let lost = |(&rows, &fails): (&u32, &bool)| if fails { u64::from(rows) } else { 0 };
            let suppressed: u64 = set.rows.iter().zip(&fails).map(lost).sum();
            if suppressed == 0 || !self.allows(suppressed) {
                return fails;
            }
            let kept = summaries.iter().zip(&asked).filter(|(_, group)| !fails[**group]);
            let reference = union(kept.map(|(summary, _)| summary), self.n_sensitive);
            if reference == release {
                return fails;
            }
            release = reference;
        }
    }

    /// The price of the cells of a row, for each group.
    fn cell_prices<'s, const W: usize>(
        &'s self,
        set: &'s Frequencies<W>,
    ) -> impl Fn(usize) -> f64 + 's {
        let join = self.task.objective.join();
        move |group| {
            join.all(self.ladders.iter().enumerate().map(|(column, ladder)| {
                let value = self.layout.get(&set.records[group], column);
                ladder.levels[set.node[column] as usize].price[value as usize]
            }))
        }
    }

    /// How many rows of each group don't have its most frequent target.
    fn outsiders<const W: usize>(&self, set: &Frequencies<W>) -> Vec<u64> {
        match set.pairs.last().filter(|_| self.counts_target) {
            None => vec![0; set.len()],
            Some(pairs) => {
                let most =
                    |counts: &mut dyn Iterator<Item = (u32, u64)>| counts.map(|(_, n)| n).max();
                let rest = |(mut counts, &rows)| u64::from(rows) - most(&mut counts).unwrap_or(0);
                pairs.by_record().zip(&set.rows).map(rest).collect()
            }
        }
    }

    /// Whether a number of rows may be suppressed, and something is left.
    fn allows(&self, suppressed: u64) -> bool {
        let n_rows = self.task.table.n_rows as u64;
        suppressed <= self.task.max_suppressed && (suppressed < n_rows || n_rows == 0)
    }

    fn outcome(&self, suppressed: u64, all: f64, lost: f64) -> NodeOutcome {
        let feasible = self.allows(suppressed);
        let cost = match (feasible, suppressed) {
            (false, _) => f64::INFINITY,
            (true, 0) => all,
            (true, n) => all - lost + n as f64 * self.task.objective.suppressed,
        };
        NodeOutcome { suppressed, feasible, cost, bound: all }
    }

    /// Examine a node by the rows of the table.
    pub fn examine_rows(&self, node: &[u8]) -> NodeOutcome {
        let level = |(ladder, &level): (&Ladder, &u8)| ladder.levels[level as usize].cut();
        let cuts: Vec<_> = self.ladders.iter().zip(node).map(level).collect();
        let groups = Groups::new(&self.quasi, &cuts, self.task.table.n_rows);
        let verdict = judge(self.task, &cuts, &groups);
        let objective = self.task.objective;
        let target = self.task.table.of_role(Role::Target).next().filter(|_| self.counts_target);
        let mut outsiders = vec![0u64; groups.len()];
        if let Some(target) = target {
            let mut pairs: Vec<(u32, u32)> =
                groups.of_row.iter().copied().zip(target.codes.iter()).collect();
            pairs.sort_unstable();
            outsiders.copy_from_slice(&groups.rows);
            for same in pairs.chunk_by(|a, b| a == b) {
                let group = same[0].0 as usize;
                outsiders[group] = outsiders[group].min(groups.rows[group] - same.len() as u64);
            }
        }
        let (mut all, mut lost) = (0.0, 0.0);
        for (group, outsiders) in outsiders.into_iter().enumerate() {
            let row = groups.example[group] as usize;
            let cells =
                self.quasi.iter().zip(&self.ladders).zip(node).map(|((column, ladder), &level)| {
                    let level = &ladder.levels[level as usize];
                    level.price[level.of_code[column.codes.get(row) as usize] as usize]
                });
            let rows = groups.rows[group];
            let price = rows as f64 * objective.join().all(cells)
                + objective.class(rows)
                + objective.outsider * outsiders as f64;
            all += price;
            lost += if verdict.kept[group] { 0.0 } else { price };
        }
        self.outcome(verdict.suppressed, all, lost)
    }
}

/// The entropy of a distribution, in bits.
fn entropy(rows: &[u64]) -> f64 {
    let all = rows.iter().sum::<u64>().max(1) as f64;
    -rows
        .iter()
        .filter(|n| **n > 0)
        .map(|&n| n as f64 / all)
        .map(|share| share * share.log2())
        .sum::<f64>()
}

/// The union of groups. Counts of histograms are added in one go, since merging one after the other
/// would copy them each time.
fn union<'s>(summaries: impl Iterator<Item = &'s Summary> + Clone, n_sensitive: usize) -> Summary {
    let rows = summaries.clone().map(|summary| summary.rows).sum();
    let histogram = |place: usize| {
        Histogram::from_counts(
            summaries.clone().flat_map(|summary| summary.histograms[place].entries()).copied(),
        )
    };
    Summary::of_histograms(rows, (0..n_sensitive).map(histogram).collect())
}
