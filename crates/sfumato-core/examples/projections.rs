//! How long a promise about every four of thirteen columns takes to check on a release of many
//! classes, and how long merging summaries would: `cargo run --release -p sfumato-core --example
//! projections [classes] [values] [threads]`.

use std::time::Instant;

use sfumato_core::FastMap;
use sfumato_core::group::{ClassTable, Histogram, Summary, evaluate_with};
use sfumato_core::traits::{Direction, Measure, Requirement, Requirements, Scope};

/// The requirement of LKC-privacy: at least `k` people, and at most a share of them with one value.
struct Confidence {
    subsets: Vec<Vec<usize>>,
    k: u64,
}

impl Requirement for Confidence {
    fn describe(&self) -> String {
        format!("k={}", self.k)
    }
    fn model(&self) -> &'static str {
        "confidence"
    }
    fn scope(&self) -> Scope {
        Scope::Projection(self.subsets.clone())
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        vec![0]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        group.people >= self.k && group.histograms[0].max_count() * 2 <= group.people
    }
    fn measures(&self) -> Vec<Measure> {
        vec![
            Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast },
            Measure { name: "c", required: 0.5, direction: Direction::AtMost },
        ]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64, group.histograms[0].max_count() as f64 / group.people as f64]
    }
}

fn main() {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let (n_classes, n_values) = (*given.first().unwrap_or(&100_000), *given.get(1).unwrap_or(&16));
    let threads = *given.get(2).unwrap_or(&2);
    let mut state = 1u64;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    // Columns of 2 to 14 published values, classes of 1 to 20 records.
    let keys: Vec<Vec<u32>> =
        (0..13).map(|c| (0..n_classes).map(|_| random(2 + c) as u32).collect()).collect();
    let mut class = || {
        let rows = 1 + random(20);
        let histogram =
            Histogram::from_counts((0..rows).map(|_| (random(n_values as u64) as u32, 1)));
        Summary::of_histograms(rows, vec![histogram])
    };
    let classes = ClassTable::new(keys, (0..n_classes).map(|_| class()).collect());
    let subsets: Vec<Vec<usize>> = (0..1usize << 13)
        .filter(|set| set.count_ones() == 4)
        .map(|set| (0..13).filter(|column| set >> column & 1 == 1).collect())
        .collect();

    let clock = Instant::now();
    let few = &subsets[..subsets.len() / 50];
    let violations: u64 = few.iter().map(|subset| by_merging(&classes, subset)).sum();
    println!(
        "merging summaries: {:.1} s for {} subsets, found by {} of them ({violations} violations)",
        clock.elapsed().as_secs_f64() * subsets.len() as f64 / few.len() as f64,
        subsets.len(),
        few.len()
    );
    let requirements =
        Requirements::new(vec![Box::new(Confidence { subsets: subsets.clone(), k: 5 })]);
    let at_once = |n: usize, work: &(dyn Fn(usize) + Sync)| {
        let next = std::sync::atomic::AtomicUsize::new(0);
        let until_done = || {
            while let Some(i) =
                Some(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)).filter(|i| *i < n)
            {
                work(i);
            }
        };
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(until_done))));
    };
    let clock = Instant::now();
    let found = evaluate_with(&requirements, &classes, &at_once);
    println!("adding up counts: {:.2} s with {threads} threads", clock.elapsed().as_secs_f64());
    found.iter().for_each(|g| {
        println!("  {} {} ({} violations)", g.measure.name, g.achieved, g.violations)
    });
}

/// Count the groups that fail, by merging summaries.
fn by_merging(classes: &ClassTable, columns: &[usize]) -> u64 {
    let mut groups: FastMap<Vec<u32>, Vec<Summary>> = FastMap::default();
    for (class, summary) in classes.summaries.iter().enumerate() {
        let key = columns.iter().map(|&column| classes.keys[column][class]).collect();
        groups.entry(key).or_default().push(summary.clone());
    }
    let fails = |members: &mut Vec<Summary>| {
        while members.len() > 1 {
            let (mut a, b) = (members.remove(0), members.remove(0));
            a.merge(&b);
            members.push(a);
        }
        let group = &members[0];
        group.people < 5 || group.histograms[0].max_count() * 2 > group.people
    };
    groups.values_mut().map(|members| u64::from(fails(members))).sum()
}
