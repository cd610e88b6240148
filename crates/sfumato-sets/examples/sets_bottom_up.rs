//! Measures the retained utility and the cost of the algorithms for baskets: `sets_bottom_up DATA K
//! CALL [CALL ...]`, where DATA is `adult` (as items), `synthetic` (100,000 records, 1,000 items),
//! `longtail:N` (N records, 1,987 items of independent draws, 40 a record) or `mixed:N` (the same,
//! but records of 200 kinds with favourite items), and K is a number or several with commas. `K/T`
//! asks for T threads.
//!
//! Prints the share of utility and of instances that is kept, wall and CPU seconds of the algorithm
//! alone and the peak memory of the process.

use std::io::Read as _;
use std::time::Instant;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use sfumato_core::column::Codes;
use sfumato_core::registry::{Call, Params};
use sfumato_core::transactions::Transactions;
use sfumato_sets::traits::SetTask;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data, ks, calls @ ..] = args.as_slice() else {
        println!(
            "usage: sets_bottom_up adult|synthetic|longtail:N|mixed:N K[,K][/THREADS] CALL [CALL \
                ...]"
        );
        return;
    };
    let (ks, n_threads) = ks.split_once('/').unwrap_or((ks, "0"));
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(n_threads.parse().expect("threads")).build();
    let pool = pool.expect("threads can be started");
    let made = Instant::now();
    let (sets, utilities) = pool.install(|| data_set(data));
    println!(
        "{data}: {} records, {} items, {} instances; made in {:.1} s, {:.2} GB",
        sets.len(),
        sets.n_items(),
        sets.n_instances(),
        made.elapsed().as_secs_f64(),
        status("VmRSS") / 1e9
    );
    let counts = sets.counts();
    let worth =
        |counts: &[u64]| utilities.iter().zip(counts).map(|(u, n)| u * *n as f64).sum::<f64>();
    for k in ks.split(',').map(|k| k.parse::<u64>().expect("k is a number")) {
        for call in calls {
            let call: Call = call.parse().expect("a call");
            let algorithm =
                sfumato_sets::algorithms::find(&call.name).expect("the algorithm is registered");
            let params = Params::check(algorithm.info(), &call.args).expect("its parameters");
            let task = SetTask { seed: 1, ..SetTask::new(&sets, &utilities, k) };
            let (wall, cpu) = (Instant::now(), cpu_seconds());
            let published =
                pool.install(|| algorithm.anonymize(&params, &task)).expect("enough records");
            let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu_seconds() - cpu);
            let kept = published.kept();
            let instances = kept.instances.iter().sum::<u64>() as f64 / sets.n_instances() as f64;
            println!(
                "k={k:<4} {call}: utility {:.4} instances {instances:.4} empty {} sets {} wall \
                    {wall:.2} cpu {cpu:.2} peak {:.2} GB",
                worth(&kept.instances) / worth(&counts),
                kept.empty,
                published.sets.len(),
                status("VmHWM") / 1e9
            );
        }
    }
}

fn data_set(name: &str) -> (Transactions, Vec<f64>) {
    match name.split_once(':') {
        None if name == "adult" => adult(),
        None if name == "synthetic" => {
            // Frequencies fall from 0.5 to 0.001 as the logarithm of the item's number grows; the
            // record's own factor makes sizes vary.
            let frequencies = curve(1000, 0.5, 0.001, 40.0);
            (draw(100_000, &frequencies, 0.57, 1, 3), utilities(1000))
        }
        Some(("longtail", n)) => {
            let frequencies = curve(1987, 0.125, 0.0001, 40.0);
            (draw(n.parse().expect("records"), &frequencies, 0.0, 1, 5), vec![1.0; 1987])
        }
        Some(("mixed", n)) => {
            let frequencies = curve(1987, 0.125, 0.0001, 40.0);
            (draw(n.parse().expect("records"), &frequencies, 0.4, 200, 5), utilities(1987))
        }
        _ => panic!("there is no data set {name}"),
    }
}

fn utilities(n: usize) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    (0..n).map(|_| (random.next_u64() % 100 + 1) as f64).collect()
}

/// Frequencies between two bounds on a logarithmic curve, bent so that they add up to the mean size
/// of a record.
fn curve(n: usize, high: f64, low: f64, mean: f64) -> Vec<f64> {
    let at = |bend: f64, i: usize| {
        let x = (1.0 + i as f64 * bend).ln() / (1.0 + (n - 1) as f64 * bend).ln();
        high + (low - high) * x
    };
    let (mut few, mut many) = (1e-9, 1e9);
    for _ in 0..200 {
        let bend: f64 = f64::sqrt(few * many);
        match (0..n).map(|i| at(bend, i)).sum::<f64>() > mean {
            true => few = bend,
            false => many = bend,
        }
    }
    (0..n).map(|i| at(few, i)).collect()
}

/// Independent draws: each record has every item with its frequency, times a factor of the record
/// of log-normal spread, times a factor of the item in the record's kind.
fn draw(n: usize, frequencies: &[f64], spread: f64, kinds: usize, seed: u64) -> Transactions {
    use rayon::prelude::*;
    const BLOCK: usize = 1 << 16;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut unit = move || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let of_kind: Vec<Vec<f64>> = (0..kinds)
        .map(|_| {
            let mut kind: Vec<f64> = frequencies
                .iter()
                .map(|f| if kinds > 1 { (f * (unit() * 4.0 - 2.0).exp()).min(0.9) } else { *f })
                .collect();
            let scale = frequencies.iter().sum::<f64>() / kind.iter().sum::<f64>();
            kind.iter_mut().for_each(|f| *f *= scale);
            kind
        })
        .collect();
    let blocks: Vec<(Vec<u32>, Vec<u16>)> = (0..n.div_ceil(BLOCK))
        .into_par_iter()
        .map(|block| {
            let mut random = ChaCha8Rng::seed_from_u64(seed + 1 + block as u64);
            let mut unit = move || ((random.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            let (mut sizes, mut codes) = (Vec::new(), Vec::new());
            for _ in block * BLOCK..n.min((block + 1) * BLOCK) {
                let before = codes.len();
                let frequencies = &of_kind[(unit() * kinds as f64) as usize];
                let normal = (-2.0 * unit().ln()).sqrt() * (std::f64::consts::TAU * unit()).cos();
                let factor = (normal * spread - spread * spread / 2.0).exp();
                // Skip by geometric steps under a ceiling that falls with the curve: far fewer
                // draws than items.
                let mut at = 0;
                while at < frequencies.len() {
                    let end = frequencies.len().min((at + 16).max(at * 2));
                    let ceiling = frequencies[at..end].iter().copied().fold(0.0, f64::max) * factor;
                    let ceiling = ceiling.min(0.999);
                    loop {
                        at += (unit().ln() / (1.0 - ceiling).ln()) as usize;
                        if at >= end {
                            break;
                        }
                        if unit() * ceiling < frequencies[at] * factor {
                            codes.push(at as u16);
                        }
                        at += 1;
                    }
                    at = end;
                }
                sizes.push((codes.len() - before) as u32);
            }
            (sizes, codes)
        })
        .collect();
    let mut offsets = vec![0u64];
    let mut codes = Vec::with_capacity(blocks.iter().map(|block| block.1.len()).sum());
    for (sizes, block) in blocks {
        sizes.iter().for_each(|size| {
            offsets.push(offsets.last().expect("it isn't empty") + u64::from(*size))
        });
        codes.extend_from_slice(&block);
    }
    Transactions::from_parts(offsets, Codes::U16(codes), frequencies.len())
}

/// Items of Adult: eight categorical columns, age in steps of 5 and hours in steps of 10.
fn adult() -> (Transactions, Vec<f64>) {
    let folder = std::env::var("SFUMATO_DATA").unwrap_or_else(|_| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").to_string()
    });
    let file = std::fs::File::open(format!("{folder}/relational/adult_48842.csv.gz"))
        .expect("Adult is there");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("it is text");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    const TAKEN: [&str; 10] = [
        "workclass",
        "education",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "native-country",
        "age",
        "hours-per-week",
    ];
    let columns = TAKEN
        .map(|name| names.iter().position(|other| *other == name).expect("the column is there"));
    let mut codes = std::collections::BTreeMap::new();
    let mut records = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let mut record = Vec::new();
        for (name, column) in TAKEN.iter().zip(columns) {
            let step = match *name {
                "age" => 5,
                "hours-per-week" => 10,
                _ => 0,
            };
            let value = match step {
                0 => cells[column].to_string(),
                step => (cells[column].parse::<u32>().expect("a number") / step).to_string(),
            };
            if value != "?" {
                let next = codes.len() as u32;
                record.push(*codes.entry(format!("{name}={value}")).or_insert(next));
            }
        }
        records.push(record);
    }
    (Transactions::from_sets(codes.len(), records), vec![1.0; codes.len()])
}

/// A size from the process's status, in bytes; 0 if the system has none.
fn status(key: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) * 1024.0
}

/// User and system time of the process in seconds, from its ticks of a hundredth of a second.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
