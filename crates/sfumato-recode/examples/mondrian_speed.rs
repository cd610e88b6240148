//! How fast Mondrian is: `mondrian_speed [rows] [k] [mode] [threads] [l]`, where mode is `ordered` (all columns ordered,
//! without hierarchies), `flat` or `banded` (categorical columns with a one-level or two-level hierarchy) or `wide`
//! (ordered columns of 100,000 values each). With `l` above 1 every class also needs `l` distinct values of a sensitive
//! column with 12.
//!
//! The data are made in memory: nine skewed columns of one byte that share a factor, or nine uniform ones of four.
//! Prints wall and CPU time of the algorithm alone, and the peak memory of the process. 0 threads are all there are.

use std::time::Instant;

use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Domain, Hierarchy, LevelTable, Missing, Role, Table, ValueKind};
use sfumato_core::group::Summary;
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::registry::Params;
use sfumato_core::traits::{Direction, Measure, Objective, Requirement, Requirements, Task};

const DOMAINS: [usize; 9] = [74, 8, 16, 7, 14, 6, 5, 2, 41];
/// So many of them are numbers in every mode.
const NUMBERS: usize = 1;
/// Values of each column in the mode `wide`.
const WIDE: usize = 100_000;
/// Values of the sensitive column.
const SENSITIVE: usize = 12;

/// Groups of at least `k` records, with at least `l` values of the sensitive column: all this measurement needs of a
/// model.
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
    let number = |i: usize, default: usize| args.get(i).and_then(|arg| arg.parse().ok()).unwrap_or(default);
    let (n_rows, k, threads, l) = (number(0, 2_000_000), number(1, 10), number(3, 0), number(4, 1));
    let mode = args.get(2).map_or("ordered", String::as_str);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");

    let table = table(n_rows, mode);
    let requirements = Requirements::new(vec![Box::new(AtLeast { k: k as u64, l: l as u64 })]);
    let objective = Objective::ncp(&table);
    let task = Task::new(&table, &requirements, &objective);
    let algorithm = sfumato_recode::find("mondrian").expect("mondrian is registered");
    let params = Params::check(algorithm.info(), &Default::default()).expect("every parameter has a default");

    let before = status("VmHWM");
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    let recoding = pool.install(|| algorithm.anonymize(&params, &task)).expect("the data are large enough");
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let after = status("VmHWM");

    let quasi = table.quasi();
    let mut rows_of_class = vec![0u64; recoding.n_classes()];
    for &class in recoding.class_of_row().iter().filter(|&&class| class != SUPPRESSED) {
        rows_of_class[class as usize] += 1;
    }
    let mut ncp = 0.0;
    for (i, column) in quasi.iter().enumerate() {
        let losses: Vec<f64> = recoding.column(i).values.iter().map(|value| value.ncp(column)).collect();
        for (&value, &rows) in recoding.column(i).of_class.iter().zip(&rows_of_class) {
            ncp += losses[value as usize] * rows as f64;
        }
    }
    ncp /= (n_rows * quasi.len()) as f64;
    let smallest = rows_of_class.iter().min().copied().unwrap_or(0);
    println!(
        "{n_rows} rows, k = {k}, {mode}: {wall:.3} s wall, {cpu:.2} s CPU, {} classes (smallest {smallest}), NCP {ncp:.4}",
        recoding.n_classes()
    );
    let encoded = table.code_bytes() as f64;
    println!(
        "peak {:.0} MB ({:.2}x encoded); before the algorithm {:.0} MB; beyond the table {:.1} bytes a row",
        after / 1e6,
        after / encoded,
        before / 1e6,
        (after - encoded) / n_rows as f64
    );
}

fn table(n_rows: usize, mode: &str) -> Table {
    let mut numbers = Numbers(7);
    let mut columns =
        if mode == "wide" { wide(n_rows, &mut numbers) } else { skewed(n_rows, mode, &mut numbers) };
    let sensitive = (0..n_rows).map(|_| (numbers.next() * numbers.next() * SENSITIVE as f64) as u32);
    let codes = Codes::from_iter(SENSITIVE + 1, sensitive);
    columns.push(Column {
        role: Role::Sensitive,
        ..column("sensitive".to_string(), codes, SENSITIVE, "ordered")
    });
    Table { n_rows, columns, subject: None }
}

fn wide(n_rows: usize, numbers: &mut Numbers) -> Vec<Column> {
    let mut codes = || Codes::from_iter(WIDE + 1, (0..n_rows).map(|_| (numbers.next() * WIDE as f64) as u32));
    DOMAINS.iter().enumerate().map(|(i, _)| column(format!("column {i}"), codes(), WIDE, "ordered")).collect()
}

/// Powers of a random number give the skew; 45 % of the cells come from one factor that the columns share.
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
        column(format!("column {i}"), Codes::U8(codes), n, if i < NUMBERS { "ordered" } else { mode })
    };
    codes.into_iter().zip(DOMAINS).enumerate().map(made).collect()
}

fn column(name: String, codes: Codes, n: usize, mode: &str) -> Column {
    let labels: Vec<String> = (0..n).map(|code| code.to_string()).collect();
    let domain =
        Domain { kind: ValueKind::Integer, labels: labels.iter().collect(), keys: (0..n as i64).collect() };
    let hierarchy = match mode {
        "flat" => Some(Hierarchy::flat(n, &domain.labels).expect("values are distinct")),
        "banded" => {
            let row = |code: usize| vec![labels[code].clone(), format!("band {}", code / 4), "*".to_string()];
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

/// A size from the process's status, in bytes; 0 where the system has none.
fn status(key: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) * 1024.0
}

/// User and system time of the process, from its ticks of a hundredth of a second.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
