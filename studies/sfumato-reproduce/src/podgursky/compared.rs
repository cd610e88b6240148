//! Compares algorithms: the retained utility for each k, and the time.

use sfumato_core::Result;
use sfumato_sets::data::BasketData;
use sfumato_sets::forms::subsets::{decide, make_plan};
use sfumato_sets::job::Job;
use sfumato_sets::traits::SetView;

use crate::bench::clock::{Took, timed};
use crate::figure::Settings;
use crate::found::{Number, Table};

/// An algorithm as a curve.
#[derive(Debug, Clone, Copy)]
pub struct Arm {
    /// What the curve is called: the thesis' name, where it has one.
    pub name: &'static str,
    /// What runs.
    pub algorithm: &'static str,
}

impl Arm {
    /// A curve.
    pub const fn new(name: &'static str, algorithm: &'static str) -> Self {
        Arm { name, algorithm }
    }
}

pub const MOND_EVEN: Arm = Arm::new("MOND_EVEN", "set-mondrian(split=even)");
pub const MOND_ENTROPY: Arm = Arm::new("MOND_ENTROPY", "set-mondrian(split=entropy)");
pub const MOND_UTILITY: Arm = Arm::new("ours: utility", "set-mondrian(split=utility)");
pub const CLUSTER_ALL: Arm = Arm::new("CLUSTER_ALL", "set-cluster(neighbours=all)");
pub const CLUSTER_RAND: Arm = Arm::new("CLUSTER_RAND", "set-cluster(neighbours=random)");
pub const CLUSTER_LSH: Arm = Arm::new("CLUSTER_LSH", "set-cluster(neighbours=lsh, probes=record)");
pub const OUR_CLUSTER: Arm = Arm::new("ours: cluster", "set-cluster(neighbours=lsh)");
pub const ITER_ALL: Arm =
    Arm::new("ITER_CLUSTER_ALL", "set-iterative-cluster(neighbours=all, join=utility)");
pub const OUR_ITER_ALL: Arm =
    Arm::new("ours: rounds, all", "set-iterative-cluster(neighbours=all)");
pub const ITER_LSH: Arm =
    Arm::new("ITER_CLUSTER_LSH", "set-iterative-cluster(neighbours=lsh, join=utility)");
pub const OUR_ITER_LSH: Arm = Arm::new("ours: rounds", "set-iterative-cluster(neighbours=lsh)");
pub const TWO_PHASE: Arm = Arm::new("TWO_PHASE", "two-phase");
pub const K1_ALL: Arm = Arm::new("K1_ALL", "k1-gather(neighbours=all)");
pub const K1_LSH: Arm = Arm::new("K1_LSH", "k1-gather(neighbours=lsh, probes=record)");
pub const OUR_K1: Arm = Arm::new("ours: k1", "k1-gather(neighbours=lsh)");
pub const K1_TOP_DOWN: Arm = Arm::new("ours: k1-top-down", "k1-top-down");

/// What a run kept and took.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// The share of the utility.
    pub utility: f64,
    /// The share of the instances of items.
    pub instances: f64,
    /// How long it took.
    pub took: Took,
}

impl Kept {
    /// The processor time, where the operating system tells.
    pub fn time(&self) -> f64 {
        self.took.time()
    }
}

/// Run an algorithm in memory: nothing is read, written or verified.
pub fn measure(baskets: &BasketData, arm: &Arm, k: u64, settings: &Settings<'_>) -> Result<Kept> {
    let mut job = Job::default();
    let model = if arm.algorithm.starts_with("k1") { "k1-anonymity" } else { "k-anonymity" };
    job.privacy.models = vec![format!("{model}(k={k})")];
    job.recode.algorithm = arm.algorithm.into();
    job.run.seed = Some(settings.seed_of(&[k]));
    let plan = make_plan(&job, baskets.quasi.len())?;
    let (decision, took) = timed(|| decide(&plan, baskets, settings.observer))?;
    let published = decision.published;
    let kept = published.kept();
    let before = baskets.quasi.counts();
    let view = SetView {
        patterns: None,
        items: &baskets.items,
        before: &before,
        after: &kept.instances,
        records: baskets.quasi.len() as u64,
        emptied: kept.empty,
    };
    let share =
        |metric: usize| sfumato_sets::metrics::subsets::ALL[metric].measure(&view).unwrap_or(1.0);
    Ok(Kept { utility: share(0), instances: share(1), took })
}

/// Every algorithm for every k.
pub struct Grid {
    /// The algorithms.
    pub arms: Vec<Arm>,
    /// Rows: k, and what each algorithm kept.
    pub lines: Vec<(u64, Vec<Kept>)>,
}

impl Grid {
    /// Run all.
    pub fn run(
        baskets: &BasketData,
        arms: &[Arm],
        ks: &[u64],
        settings: &Settings<'_>,
    ) -> Result<Self> {
        let mut lines = Vec::new();
        for k in ks.iter().filter(|k| **k <= baskets.quasi.len() as u64) {
            let run = |arm| measure(baskets, arm, *k, settings);
            lines.push((*k, arms.iter().map(run).collect::<Result<_>>()?));
        }
        Ok(Grid { arms: arms.to_vec(), lines })
    }

    /// The two tables: what is kept and what it takes.
    pub fn tables(&self, kept: &str, taken: &str) -> Vec<Table> {
        let names: Vec<&str> = self.arms.iter().map(|arm| arm.name).collect();
        let mut utility = Table::new(kept, "k", "utility kept, %", &names).digits(2);
        let mut seconds = Table::new(taken, "k", "processor time, s", &names).digits(2);
        for (k, line) in &self.lines {
            utility.push(k, line.iter().map(|kept| Number::exact(100.0 * kept.utility)).collect());
            seconds.push(k, line.iter().map(|kept| Number::exact(kept.time())).collect());
        }
        vec![utility, seconds]
    }

    fn place(&self, arm: &Arm) -> usize {
        self.arms
            .iter()
            .position(|other| other.name == arm.name)
            .expect("figures compare what they run")
    }

    /// What the first and each of some others keep, in percent, at every k that is asked for.
    pub fn kept(
        &self,
        first: &Arm,
        others: &[Arm],
        asked: impl Fn(u64) -> bool,
    ) -> Vec<(f64, f64)> {
        let percent = |line: &[Kept], arm: &Arm| 100.0 * line[self.place(arm)].utility;
        let lines = self.lines.iter().filter(|(k, _)| asked(*k));
        let of = |(_, line): &(u64, Vec<Kept>)| -> Vec<(f64, f64)> {
            others.iter().map(|other| (percent(line, first), percent(line, other))).collect()
        };
        lines.flat_map(of).collect()
    }

    /// The same at the k nearest to one, and which that is.
    pub fn kept_near(&self, first: &Arm, second: &Arm, k: u64) -> (Vec<(f64, f64)>, String) {
        let nearest = self.lines.iter().map(|(at, _)| *at).min_by_key(|at| at.abs_diff(k));
        match nearest {
            Some(at) => {
                let pairs = self.kept(first, &[*second], |k| k == at);
                let words = pairs.iter().map(|(a, b)| format!("{a:.2} and {b:.2} % at k = {at}"));
                let words = words.collect::<Vec<String>>().join(", ");
                (pairs, words)
            }
            None => (Vec::new(), "no k was run".into()),
        }
    }

    /// The processor times of two algorithms, summed over every k that is asked for.
    pub fn times(&self, first: &Arm, second: &Arm, asked: impl Fn(u64) -> bool) -> Vec<(f64, f64)> {
        let sum = |arm: &Arm| -> f64 {
            let lines = self.lines.iter().filter(|(k, _)| asked(*k));
            // Times are known to a hundredth of a second.
            lines.map(|(_, line)| line[self.place(arm)].time()).sum::<f64>().max(0.005)
        };
        vec![(sum(first), sum(second))]
    }

    /// The least and the largest k.
    pub fn ends(&self) -> (u64, u64) {
        let ks = || self.lines.iter().map(|(k, _)| *k);
        (ks().min().unwrap_or(0), ks().max().unwrap_or(0))
    }
}
