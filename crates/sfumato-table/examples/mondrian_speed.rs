//! How fast Mondrian is: `mondrian_speed [rows] [k] [mode] [threads] [l] [criteria | call]`, where
//! mode is `ordered` (all columns ordered, without hierarchies), `flat` or `banded` (categorical
//! columns with a one-level or two-level hierarchy) or `wide` (ordered columns of 100,000 values
//! each). With `l` above 1 every class also needs `l` distinct values of a sensitive column with
//! 12. With the word `criteria` the split criteria of workloads are compared with the median's in
//! the same process: a class of two columns with noise in every seventh record, and a number of
//! three columns. Any other word is the call of an algorithm to take instead of `mondrian`, such as
//! `rothko-tree(partition_rows=100000)`.
//!
//! The data are made in memory: nine skewed columns of one byte that share a factor, or nine
//! uniform ones of four. Prints wall and CPU time of the algorithm alone, and the peak memory of
//! the process. 0 threads are all there are.

use std::time::Instant;

use sfumato_core::column::Codes;
use sfumato_core::dataset::{
    Column, Domain, Hierarchy, LevelTable, Missing, Role, Table, ValueKind,
};
use sfumato_core::group::Summary;
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{
    Algorithm, Direction, Measure, Objective, Requirement, Requirements, Task,
};
use sfumato_core::workload::{Target, TargetKind, Workload};

const DOMAINS: [usize; 9] = [74, 8, 16, 7, 14, 6, 5, 2, 41];
/// The number of columns that are numbers in every mode.
const NUMBERS: usize = 1;
/// The number of values of each column in the mode `wide`.
const WIDE: usize = 100_000;
/// The number of values of the sensitive column.
const SENSITIVE: usize = 12;

/// Groups of at least `k` records, with at least `l` values of the sensitive column, which is all
/// that this measurement needs of a model.
struct AtLeast {
    k: u64,
    l: u64,
}

impl Requirement for AtLeast {
    fn describe(&self) -> String {
        format!("at-least(k={}, l={})", self.k, self.l)
    }
    fn model(&self) -> &'static str {
        "at-least"
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        if self.l > 1 { vec![0] } else { Vec::new() }
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        group.people >= self.k && (self.l <= 1 || group.histograms[0].distinct() as u64 >= self.l)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64]
    }
    fn min_people(&self) -> u64 {
        self.k.max(self.l)
    }
    fn is_count_only(&self) -> bool {
        self.l <= 1
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
        |i: usize, default: usize| args.get(i).and_then(|arg| arg.parse().ok()).unwrap_or(default);
    let (n_rows, k, threads, l) = (number(0, 2_000_000), number(1, 10), number(3, 0), number(4, 1));
    let mode = args.get(2).map_or("ordered", String::as_str);
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");

    let table = table(n_rows, mode);
    let requirements = Requirements::new(vec![Box::new(AtLeast { k: k as u64, l: l as u64 })]);
    let objective = Objective::ncp(&table);
    let task = Task::new(&table, &requirements, &objective);
    let call = args.get(5).filter(|word| *word != "criteria").map_or("mondrian", String::as_str);
    let call: Call = call.parse().expect("a call");
    let algorithm =
        sfumato_table::algorithms::find(&call.name).expect("the algorithm is registered");
    let params = Params::check(algorithm.info(), &call.args).expect("its parameters");

    if args.get(5).is_some_and(|word| word == "criteria") {
        return criteria(&pool, algorithm, &task);
    }
    let before = status("VmHWM");
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    let recoding =
        pool.install(|| algorithm.anonymize(&params, &task)).expect("the data are large enough");
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let after = status("VmHWM");

    let quasi = table.quasi();
    let mut rows_of_class = vec![0u64; recoding.n_classes()];
    for &class in recoding.class_of_row().iter().filter(|&&class| class != SUPPRESSED) {
        rows_of_class[class as usize] += 1;
    }
    let mut ncp = 0.0;
    for (i, column) in quasi.iter().enumerate() {
        let losses: Vec<f64> =
            recoding.column(i).values.iter().map(|value| value.ncp(column)).collect();
        for (&value, &rows) in recoding.column(i).of_class.iter().zip(&rows_of_class) {
            ncp += losses[value as usize] * rows as f64;
        }
    }
    ncp /= (n_rows * quasi.len()) as f64;
    let smallest = rows_of_class.iter().min().copied().unwrap_or(0);
    println!(
        "{n_rows} rows, k = {k}, {mode}: {wall:.3} s wall, {cpu:.2} s CPU, {} classes (smallest \
            {smallest}), NCP {ncp:.4}",
        recoding.n_classes()
    );
    let encoded = table.code_bytes() as f64;
    println!(
        "peak {:.0} MB ({:.2}x encoded); before the algorithm {:.0} MB; beyond the table {:.1} \
            bytes a row",
        after / 1e6,
        after / encoded,
        before / 1e6,
        (after - encoded) / n_rows as f64
    );
}

/// Run each criterion in turn, three times; the fastest run counts.
fn criteria(pool: &rayon::ThreadPool, algorithm: &dyn Algorithm, task: &Task<'_>) {
    let target = |column: usize, kind: TargetKind| Workload {
        targets: vec![Target { column, kind, features: (0..9).collect(), weight: 1.0 }],
        ..Workload::default()
    };
    let (classes, numbers) = (target(10, TargetKind::Classes), target(11, TargetKind::Numbers));
    let median = "mondrian(split=widest, leftovers=none, cuts=median)";
    let switch = "mondrian(split=widest, leftovers=none, cuts=median, min_gain=0.01)";
    let runs = [
        ("median", median, None),
        ("info gain", median, Some(&classes)),
        ("info gain, median below 0.01", switch, Some(&classes)),
        ("squared error", median, Some(&numbers)),
        ("default", "mondrian", None),
        ("default, classes", "mondrian", Some(&classes)),
        ("default, numbers", "mondrian", Some(&numbers)),
    ];
    let mut first = None;
    for (name, call, workload) in runs {
        let call: Call = call.parse().expect("a call");
        let params = Params::check(algorithm.info(), &call.args).expect("its parameters");
        let task = Task { workload, ..*task };
        let mut best = (f64::INFINITY, f64::INFINITY, 0);
        for _ in 0..3 {
            let (wall, cpu) = (Instant::now(), cpu_seconds());
            let recoding =
                pool.install(|| algorithm.anonymize(&params, &task)).expect("enough data");
            let cpu = cpu_seconds() - cpu;
            if cpu < best.1 {
                best = (wall.elapsed().as_secs_f64(), cpu, recoding.n_classes());
            }
        }
        let (wall, cpu, n_classes) = best;
        let of_first = cpu / *first.get_or_insert(cpu);
        println!(
            "{name:30} {wall:.3} s wall, {cpu:.2} s CPU, {of_first:.2} of the first, {n_classes} \
                classes"
        );
    }
}

fn table(n_rows: usize, mode: &str) -> Table {
    let mut numbers = Numbers(7);
    let mut columns = if mode == "wide" {
        wide(n_rows, &mut numbers)
    } else {
        skewed(n_rows, mode, &mut numbers)
    };
    let sensitive =
        (0..n_rows).map(|_| (numbers.next() * numbers.next() * SENSITIVE as f64) as u32);
    let codes = Codes::from_iter(SENSITIVE + 1, sensitive);
    columns.push(Column {
        role: Role::Sensitive,
        ..column("sensitive".to_string(), codes, SENSITIVE, "ordered")
    });
    let share = |column: usize, row: usize| {
        f64::from(columns[column].codes.get(row)) / columns[column].domain.len() as f64
    };
    let class = |row: usize, luck: f64| {
        u32::from((share(0, row) + share(2, row) > 0.8) != (luck < 1.0 / 7.0))
    };
    let number = |row: usize, luck: f64| {
        ((share(0, row) + share(4, row) * share(8, row) + luck) * 300.0) as u32
    };
    let classes = Codes::from_iter(3, (0..n_rows).map(|row| class(row, numbers.next())));
    let amounts = Codes::from_iter(1000, (0..n_rows).map(|row| number(row, numbers.next())));
    let target = |name: &str, codes, n| Column {
        role: Role::Target,
        ..column(name.into(), codes, n, "ordered")
    };
    let targets = [target("class", classes, 2), target("number", amounts, 999)];
    columns.extend(targets);
    Table { n_rows, columns, subject: None }
}

fn wide(n_rows: usize, numbers: &mut Numbers) -> Vec<Column> {
    let mut codes =
        || Codes::from_iter(WIDE + 1, (0..n_rows).map(|_| (numbers.next() * WIDE as f64) as u32));
    DOMAINS
        .iter()
        .enumerate()
        .map(|(i, _)| column(format!("column {i}"), codes(), WIDE, "ordered"))
        .collect()
}

/// Skewed columns: powers of a random number give the skew, and 45 % of the cells come from one
/// factor that the columns share.
fn skewed(n_rows: usize, mode: &str, numbers: &mut Numbers) -> Vec<Column> {
    let mut codes: Vec<Vec<u8>> = DOMAINS.iter().map(|_| Vec::with_capacity(n_rows)).collect();
    for _ in 0..n_rows {
        let shared = numbers.next();
        for (i, (column, &domain)) in codes.iter_mut().zip(&DOMAINS).enumerate() {
            let x = if numbers.next() < 0.45 { shared } else { numbers.next() };
            let skewed = x.powf(1.0 + (i % 4) as f64 * 0.5);
            column.push(((skewed * domain as f64) as usize).min(domain - 1) as u8);
        }
    }
    let made = |(i, (codes, n)): (usize, (Vec<u8>, usize))| {
        column(
            format!("column {i}"),
            Codes::U8(codes),
            n,
            if i < NUMBERS { "ordered" } else { mode },
        )
    };
    codes.into_iter().zip(DOMAINS).enumerate().map(made).collect()
}

fn column(name: String, codes: Codes, n: usize, mode: &str) -> Column {
    let labels: Vec<String> = (0..n).map(|code| code.to_string()).collect();
    let domain = Domain {
        kind: ValueKind::Integer,
        labels: labels.iter().collect(),
        keys: (0..n as i64).collect(),
    };
    let hierarchy = match mode {
        "flat" => Some(Hierarchy::flat(n, &domain.texts()).expect("values are distinct")),
        "banded" => {
            let row = |code: usize| {
                vec![labels[code].clone(), format!("band {}", code / 4), "*".to_string()]
            };
            let levels = LevelTable::from_rows(&(0..n).map(row).collect::<Vec<_>>());
            Some(Hierarchy::from_levels(&levels).expect("values are distinct").0)
        }
        _ => None,
    };
    Column {
        name,
        role: Role::Quasi,
        codes,
        domain,
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
