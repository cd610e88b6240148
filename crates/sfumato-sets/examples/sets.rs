//! Measures the retained utility and the cost of algorithms for baskets: `sets DATA K[,K...]
//! THREADS [CALL ...]`.
//!
//! DATA is `longtail:RECORDS:ITEMS` (frequencies from 0.5 down to 0.001 along a logarithmic curve,
//! sizes of mean 40 and standard deviation 24, utilities from 1 to 100), `scaled:RECORDS:ITEMS`
//! (the same shape of curve, scaled to 40 items a record and drawn fast, for many records),
//! `adult:FILE` (the Adult table as items) or a FIMI file; files may be gzipped. A second run of
//! digits after `longtail:RECORDS:ITEMS:` is the seed. 0 threads are all there are. Without a CALL
//! every algorithm of the registry runs, with each of the choices of its first parameter.
//!
//! Prints the share of the utility and of the instances that is kept, records published empty,
//! sets, wall and CPU seconds of the algorithm alone and the peak memory of the process. Every
//! result is checked.

use std::io::Read as _;
use std::time::Instant;

use rayon::prelude::*;
use sfumato_core::FastMap;
use sfumato_core::column::Codes;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{Call, ParamKind, Params};
use sfumato_core::transactions::Transactions;
use sfumato_sets::algorithms as sets;
use sfumato_sets::data::PublishedSets;
use sfumato_sets::traits::SetTask;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data, ks, threads, calls @ ..] = args.as_slice() else {
        eprintln!("sets DATA K[,K...] THREADS [CALL ...]");
        return;
    };
    let (transactions, utilities) = load(data);
    let calls: Vec<Call> = match calls {
        [] => all_calls(),
        calls => calls.iter().map(|call| call.parse().expect("a call")).collect(),
    };
    let threads = threads.parse().expect("threads");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let all: f64 = worth(&transactions.counts(), &utilities);
    println!(
        "{data}: {} records, {} instances, {} items",
        transactions.len(),
        transactions.n_instances(),
        transactions.n_items()
    );
    println!(
        "{:<44} {:>4} {:>8} {:>8} {:>8} {:>9} {:>8} {:>8} {:>7}",
        "algorithm", "k", "utility", "kept", "empty", "sets", "wall s", "CPU s", "peak MB"
    );
    for k in ks.split(',').map(|k| k.parse().expect("k")) {
        for call in &calls {
            let algorithm = sets::find(&call.name).expect("an algorithm");
            let params = Params::check(algorithm.info(), &call.args).expect("parameters");
            let task = SetTask::new(&transactions, &utilities, k);
            let (start, cpu) = (Instant::now(), cpu_seconds());
            let published = match pool.install(|| algorithm.anonymize(&params, &task)) {
                Ok(published) => published,
                Err(error) => {
                    println!("{call:<44} {k:>4} {error}");
                    continue;
                }
            };
            let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
            let kept = published.kept();
            let instances: u64 = kept.instances.iter().sum();
            println!(
                "{:<44} {k:>4} {:>8.5} {:>8.5} {:>8} {:>9} {wall:>8.3} {cpu:>8.2} {:>7}",
                call.to_string(),
                worth(&kept.instances, &utilities) / all,
                instances as f64 / transactions.n_instances() as f64,
                kept.empty,
                published.sets.len(),
                peak_mb()
            );
            let copies = algorithm.info().capabilities.can_serve(Fact::Hiding(Hiding::Copies));
            check(&transactions, &published, k, copies);
        }
    }
}

fn worth(instances: &[u64], utilities: &[f64]) -> f64 {
    utilities.iter().zip(instances).map(|(utility, n)| utility * *n as f64).sum()
}

/// Every algorithm with each choice of its first parameter.
fn all_calls() -> Vec<Call> {
    let mut calls = Vec::new();
    for algorithm in sets::all() {
        let info = algorithm.info();
        match info.params.first().map(|param| (param.name, param.kind)) {
            Some((name, ParamKind::Choice(words))) => {
                calls.extend(words.iter().map(|word| format!("{}({name}={word})", info.name)))
            }
            _ => calls.push(info.name.to_string()),
        }
    }
    calls.iter().map(|call| call.parse().expect("a call")).collect()
}

/// That published sets are subsets and hide among k.
fn check(transactions: &Transactions, published: &PublishedSets, k: u64, gives_copies: bool) {
    let contains = |record: usize, set: usize| {
        let (record, set) = (transactions.set(record), published.sets.set(set));
        set.iter().all(|item| record.binary_search(item).is_ok())
    };
    let wrong = (0..transactions.len())
        .into_par_iter()
        .filter(|i| !contains(*i, published.of_record[*i] as usize))
        .count();
    assert_eq!(wrong, 0, "records with items that aren't theirs");
    if let Some(witnesses) = &published.witnesses {
        (0..published.sets.len()).into_par_iter().for_each(|set| {
            let mut of_set = witnesses.of(set).to_vec();
            assert!(
                of_set.iter().all(|witness| contains(*witness as usize, set)),
                "a false witness"
            );
            of_set.sort_unstable();
            of_set.dedup();
            assert!(of_set.len() as u64 >= k, "too few witnesses");
        });
    }
    if gives_copies {
        let mut sizes: FastMap<Vec<u32>, u64> = FastMap::default();
        for (set, size) in published.sizes().into_iter().enumerate() {
            *sizes.entry(published.sets.set(set)).or_default() += size;
        }
        assert!(sizes.values().all(|size| *size == 0 || *size >= k), "a class below k");
    }
}

fn load(data: &str) -> (Transactions, Vec<f64>) {
    let parts: Vec<&str> = data.split(':').collect();
    let number = |i: usize, otherwise: usize| {
        parts.get(i).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    match parts[0] {
        "longtail" => longtail(number(1, 100_000), number(2, 1000), number(3, 0) as u64, false),
        "scaled" => longtail(number(1, 100_000), number(2, 1000), number(3, 0) as u64, true),
        "adult" => adult(&text_of(parts[1])),
        _ => fimi(&text_of(data)),
    }
}

fn text_of(path: &str) -> String {
    let bytes = std::fs::read(path).expect("a file");
    let mut text = String::new();
    match bytes.starts_with(&[0x1f, 0x8b]) {
        true => flate2::read::MultiGzDecoder::new(bytes.as_slice())
            .read_to_string(&mut text)
            .map(drop)
            .expect("gzip"),
        false => text = String::from_utf8(bytes).expect("UTF-8"),
    }
    text
}

fn fimi(text: &str) -> (Transactions, Vec<f64>) {
    let lists: Vec<Vec<u32>> = text
        .lines()
        .map(|line| {
            line.split_whitespace().map(|item| item.parse().expect("an item's number")).collect()
        })
        .collect();
    let n_items = lists.iter().flatten().max().map_or(0, |last| *last as usize + 1);
    (Transactions::from_sets(n_items, lists), vec![1.0; n_items])
}

/// Items of Adult: eight categorical columns by value, ages in steps of 5 and hours in steps of 10.
/// Missing values are no items.
fn adult(text: &str) -> (Transactions, Vec<f64>) {
    const CATEGORICAL: [&str; 8] = [
        "workclass",
        "education",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "native-country",
    ];
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let at =
        |name: &str| header.iter().position(|column| *column == name).expect("a column of Adult");
    let mut columns: Vec<(usize, u32)> = CATEGORICAL.iter().map(|name| (at(name), 0)).collect();
    columns.extend([(at("age"), 5), (at("hours-per-week"), 10)]);
    let mut codes: FastMap<(usize, String), u32> = FastMap::default();
    let mut lists = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let mut list = Vec::new();
        for (column, step) in &columns {
            let value = match step {
                0 if cells[*column] == "?" => continue,
                0 => cells[*column].to_string(),
                step => (cells[*column].parse::<u32>().expect("a number") / step).to_string(),
            };
            let next = codes.len() as u32;
            list.push(*codes.entry((*column, value)).or_insert(next));
        }
        lists.push(list);
    }
    (Transactions::from_sets(codes.len(), lists), vec![1.0; codes.len()])
}

/// A simple generator of random numbers that depend only on the seed, good enough for measurements.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

fn longtail(n: usize, n_items: usize, seed: u64, scaled: bool) -> (Transactions, Vec<f64>) {
    const MEAN: f64 = 40.0;
    let curve = |power: f64| -> Vec<f64> {
        let share = |i: usize| 1.0 - ((i + 1) as f64).ln() / (n_items as f64).ln();
        (0..n_items).map(|i| 0.001 + 0.499 * share(i).max(0.0).powf(power)).collect()
    };
    // The power that makes a record have 40 items on average; or power 1 and everything scaled.
    let (mut low, mut high) = (0.1, 20.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if curve(middle).iter().sum::<f64>() > MEAN { low = middle } else { high = middle }
    }
    let frequencies = curve(if scaled { 1.0 } else { low });
    let sum: f64 = frequencies.iter().sum();
    let mut cumulative: Vec<f64> = Vec::new();
    frequencies
        .iter()
        .for_each(|f| cumulative.push(cumulative.last().copied().unwrap_or(0.0) + f / sum));
    let table: Vec<u16> = (0..1 << 16)
        .map(|x| cumulative.partition_point(|c| *c < x as f64 / 65536.0).min(n_items - 1) as u16)
        .collect();
    let mut draw = Draw(seed.wrapping_mul(77));
    let utilities = (0..n_items).map(|_| 1.0 + (draw.next() % 100) as f64).collect();
    let block = 1 << 16;
    let blocks: Vec<(Vec<u64>, Vec<u16>)> = (0..n.div_ceil(block))
        .into_par_iter()
        .map(|number| {
            let (mut ends, mut codes) = (Vec::new(), Vec::new());
            let mut draw =
                Draw(((seed << 32) | (number as u64 + 1)).wrapping_mul(0xd6e8_feb8_6659_fd93));
            let mut set: Vec<u16> = Vec::new();
            for _ in number * block..((number + 1) * block).min(n) {
                let size = (MEAN + 24.0 * draw.normal()).clamp(1.0, 4.0 * MEAN);
                set.clear();
                if scaled {
                    while set.len() < size as usize {
                        let item = table[(draw.next() >> 48) as usize];
                        if !set.contains(&item) {
                            set.push(item);
                        }
                    }
                    set.sort_unstable();
                } else {
                    set.extend(
                        (0..n_items as u16)
                            .filter(|i| draw.unit() < frequencies[*i as usize] * size / sum),
                    );
                }
                codes.extend_from_slice(&set);
                ends.push(codes.len() as u64);
            }
            (ends, codes)
        })
        .collect();
    let (mut offsets, mut codes) =
        (vec![0u64], Vec::with_capacity(blocks.iter().map(|block| block.1.len()).sum()));
    for (ends, some) in blocks {
        let begin = codes.len() as u64;
        offsets.extend(ends.iter().map(|end| begin + end));
        codes.extend(some);
    }
    let codes = match n_items <= 256 {
        true => Codes::U8(codes.into_iter().map(|code| code as u8).collect()),
        false => Codes::U16(codes),
    };
    (Transactions::from_parts(offsets, codes, n_items), utilities)
}

fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks: f64 = stat
        .rsplit(')')
        .next()
        .unwrap_or("")
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|t| t.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}
