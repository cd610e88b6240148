//! Measures how fast the searches over cuts are: `specialization_speed [rows] [l] [k] [c]
//! [algorithm] [threads]`, on records like those of Adult under LKC-privacy: any `l` of 13 quasi
//! values are shared by `k` records, at most a share `c` of them with one value of the sensitive
//! column. With `l` = 0 the promise is about classes. Algorithms that go up get the 9 columns that
//! are usual for Adult, all with trees.
//!
//! The data are made in memory: skewed columns that share a factor, with a class that depends on
//! several of them. Prints the wall time of making the table and of the algorithm, its CPU time,
//! the cuts and the peak memory of the process. 0 threads are all there are.

use std::time::Instant;

use sfumato_core::column::Codes;
use sfumato_core::dataset::{
    Column, Domain, Hierarchy, LevelTable, Missing, Role, Table, ValueKind,
};
use sfumato_core::group::Summary;
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Direction, Measure, Objective, Requirement, Requirements, Scope, Task};

/// A column: its name, its number of values, the sizes of the bands of its tree from the leaves up
/// (none for numbers), its skew, and the share of records that have the first value in any case.
type Spec = (&'static str, usize, &'static [usize], f64, f64);

const QUASI: [Spec; 13] = [
    ("age", 74, &[], 1.3, 0.0),
    ("capital-gain", 120, &[], 1.0, 0.91),
    ("capital-loss", 90, &[], 1.0, 0.95),
    ("education-num", 16, &[], 0.9, 0.0),
    ("final-weight", 20_000, &[], 1.5, 0.0),
    ("hours", 96, &[], 0.7, 0.0),
    ("education", 16, &[2, 4, 8], 1.5, 0.0),
    ("country", 41, &[4, 10, 20], 2.0, 0.89),
    ("occupation", 14, &[7], 1.0, 0.0),
    ("race", 5, &[2], 1.5, 0.8),
    ("relationship", 6, &[3], 1.5, 0.0),
    ("sex", 2, &[], 1.0, 0.0),
    ("work-class", 8, &[2, 4, 6], 2.0, 0.6),
];
const TREES_FROM: usize = 6;
const MARITAL: usize = 7;

/// LKC-privacy on one sensitive column.
struct Lkc {
    /// The subsets of columns. Empty for a promise about classes.
    subsets: Vec<Vec<usize>>,
    k: u64,
    c: f64,
}

impl Requirement for Lkc {
    fn describe(&self) -> String {
        format!("lkc(k={}, c={})", self.k, self.c)
    }
    fn model(&self) -> &'static str {
        "lkc"
    }
    fn scope(&self) -> Scope {
        if self.subsets.is_empty() { Scope::Class } else { Scope::Projection(self.subsets.clone()) }
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        if self.c < 1.0 { vec![0] } else { Vec::new() }
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        let most = || group.histograms[0].max_count() as f64;
        group.people >= self.k && (self.c >= 1.0 || most() <= self.c * group.people as f64)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64]
    }
    fn min_people(&self) -> u64 {
        self.k
    }
    fn is_count_only(&self) -> bool {
        self.c >= 1.0
    }
}

/// A small generator whose numbers are good enough for skewed test data.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, default: f64| args.get(i).and_then(|arg| arg.parse().ok()).unwrap_or(default);
    let (n_rows, l, k, c) =
        (number(0, 1e6) as usize, number(1, 4.0) as usize, number(2, 20.0), number(3, 1.0));
    let call = args.get(4).map_or("top-down-specialization", String::as_str);
    let up = call.starts_with("bottom-up");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number(5, 0.0) as usize).build();
    let pool = pool.expect("a pool of threads");

    let start = Instant::now();
    let table = table(n_rows, up);
    println!("{n_rows} rows made in {:.2} s", start.elapsed().as_secs_f64());
    let names: Vec<&str> = table.quasi().iter().map(|column| column.name.as_str()).collect();
    let subsets = if l == 0 { Vec::new() } else { subsets(names.len(), l) };
    let lkc = Lkc { subsets, k: k as u64, c };
    let n_subsets = lkc.subsets.len();
    let requirements = Requirements::new(vec![Box::new(lkc)]);
    let objective = Objective::ncp(&table);
    let task = Task::new(&table, &requirements, &objective);
    let call: Call = call.parse().expect("a call");
    let algorithm = sfumato_table::algorithms::find(&call.name).expect("it is registered");
    let params = Params::check(algorithm.info(), &call.args).expect("a score");

    let (start, cpu) = (Instant::now(), cpu_seconds());
    let recoding =
        pool.install(|| algorithm.anonymize(&params, &task)).expect("the data are large enough");
    println!(
        "{call}, {n_subsets} subsets: {:.2} s wall, {:.2} s CPU, {} classes",
        start.elapsed().as_secs_f64(),
        cpu_seconds() - cpu,
        recoding.n_classes()
    );
    for finding in recoding.findings() {
        println!("  {}: {}", finding.name, finding.value);
    }
    let size = |(i, name): (usize, &&str)| format!("{name} {}", recoding.column(i).values.len());
    let sizes: Vec<String> = names.iter().enumerate().map(size).collect();
    println!("  values published: {}", sizes.join(", "));
    println!(
        "peak {:.0} MB, table {:.0} MB",
        status("VmHWM") / 1e6,
        table.code_bytes() as f64 / 1e6
    );
}

/// All subsets of `size` columns.
fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let all = 0..1u32 << n;
    let of_size = all.filter(|mask| mask.count_ones() as usize == size.min(n));
    of_size.map(|mask| (0..n).filter(|i| mask >> i & 1 == 1).collect()).collect()
}

fn table(n_rows: usize, up: bool) -> Table {
    let mut numbers = Numbers(11);
    let mut codes: Vec<Vec<u32>> = QUASI.iter().map(|_| Vec::with_capacity(n_rows)).collect();
    let (mut marital, mut class) = (Vec::with_capacity(n_rows), Vec::with_capacity(n_rows));
    for _ in 0..n_rows {
        let shared = numbers.next();
        let mut towards = 0.0;
        for (i, (&(_, n, _, skew, first), column)) in QUASI.iter().zip(&mut codes).enumerate() {
            let x = if numbers.next() < 0.35 { shared } else { numbers.next() };
            let x = if numbers.next() < first { 0.0 } else { x.powf(skew) };
            // Weights tell nothing; the first columns tell most.
            towards += if i == 4 { 0.0 } else { x / (i + 1) as f64 };
            column.push(((x * n as f64) as u32).min(n as u32 - 1));
        }
        marital.push((numbers.next() * numbers.next() * MARITAL as f64) as u32);
        class.push(u32::from(towards + 0.6 * numbers.next() > 1.2));
    }
    let mut columns: Vec<Column> = QUASI
        .iter()
        .zip(codes)
        .enumerate()
        .filter(|(i, _)| !up || ![1, 2, 3, 4].contains(i))
        .map(|(i, (&(name, n, bands, ..), codes))| {
            let bands =
                if i < TREES_FROM { up.then_some(&[5, 10, 20, 40][..]) } else { Some(bands) };
            column(name, Role::Quasi, n, codes, bands)
        })
        .collect();
    columns.push(column("marital", Role::Sensitive, MARITAL, marital, Some(&[])));
    columns.push(column("income", Role::Target, 2, class, Some(&[])));
    Table { n_rows, columns, subject: None }
}

fn column(name: &str, role: Role, n: usize, codes: Vec<u32>, bands: Option<&[usize]>) -> Column {
    let labels: Vec<String> = (0..n).map(|code| code.to_string()).collect();
    let hierarchy = bands.map(|bands| {
        let row = |code: usize| -> Vec<String> {
            let label = |band: &usize| format!("{band}:{}", code / band);
            std::iter::once(labels[code].clone()).chain(bands.iter().map(label)).collect()
        };
        let levels = LevelTable::from_rows(&(0..n).map(row).collect::<Vec<_>>());
        Hierarchy::from_levels(&levels).expect("values are distinct").0
    });
    let kind = if bands.is_some() { ValueKind::Text } else { ValueKind::Integer };
    let keys = if bands.is_some() { Vec::new() } else { (0..n as i64).collect() };
    Column {
        name: name.into(),
        role,
        codes: Codes::from_iter(n + 1, codes.into_iter()),
        domain: Domain { kind, labels: labels.iter().collect(), keys },
        hierarchy,
        weight: 1.0,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type: None,
    }
}

/// A size from the process's status, in bytes; 0 if the system has none.
fn status(key: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) * 1024.0
}

/// User and system time of the process, from its ticks of a hundredth of a second.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
