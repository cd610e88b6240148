//! Measures the loss and the cost of algorithms that put baskets into buckets: `buckets DATA
//! P[,P...] M R DRAWS [CALL ...]`, or `buckets DATA order`.
//!
//! DATA is a FIMI file, which may be gzipped, or `FILE*N`: so many records, each a record of the
//! file with its items renamed by one of several random permutations that keep most items, and now
//! and then an item exchanged. M sensitive items are drawn, DRAWS times, among those with support
//! <= n / 20. Prints the mean KL divergence (natural logarithm) of 200 queries with R items each
//! and per draw, and CPU seconds. `order` prints the seconds of the band order alone and the widths
//! before and after.

use std::io::Read as _;
use std::time::Instant;

use sfumato_core::FastMap;
use sfumato_core::registry::{Call, Params};
use sfumato_core::transactions::{Builder, Transactions};
use sfumato_sets::algorithms::buckets::{self, band};
use sfumato_sets::data::{FactCounts, Groups, degree_of};
use sfumato_sets::traits::BucketTask;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.as_slice() {
        [data, word] if word == "order" => order(&load(data)),
        [data, ps, m, r, draws, calls @ ..] => {
            let all = load(data);
            let number = |text: &String| text.parse::<usize>().expect("a number");
            for p in ps.split(',').map(|p| p.parse().expect("p")) {
                compare(&all, p, number(m), number(r), number(draws), calls);
            }
        }
        _ => eprintln!("buckets DATA P[,P...] M R DRAWS [CALL ...] | buckets DATA order"),
    }
}

fn order(rows: &Transactions) {
    println!("{} records, {} instances, {} items", rows.len(), rows.n_instances(), rows.n_items());
    for _ in 0..3 {
        let (start, cpu) = (Instant::now(), cpu_seconds());
        let order = band::order(rows);
        println!(
            "ordered in {:.3} s, CPU {:.2} s, peak {} MB",
            start.elapsed().as_secs_f64(),
            cpu_seconds() - cpu,
            peak_mb()
        );
        if rows.len() > 1_000_000 {
            let given: Vec<u32> = (0..rows.len() as u32).collect();
            println!(
                "records apart {} -> {}",
                band::record_bandwidth(rows, &given),
                band::record_bandwidth(rows, &order)
            );
        }
    }
    let given: Vec<u32> = (0..rows.len() as u32).collect();
    let order = band::order(rows);
    for order in [&given, &order] {
        println!(
            "as coded {:?}, in order {:?}, records apart {}, neighbours share {:.3}",
            band::bandwidth(rows, order, &band::columns_as_coded(rows)),
            band::bandwidth(rows, order, &band::columns(rows, order)),
            band::record_bandwidth(rows, order),
            band::shared_by_neighbours(rows, order)
        );
    }
}

fn compare(all: &Transactions, p: u64, m: usize, r: usize, draws: usize, calls: &[String]) {
    let mut sums = vec![(0.0, 0.0, 0.0, 0.0, 0.0, 0.0); calls.len()];
    for draw in 0..draws {
        let mut random = Draw(draw as u64 * 1000 + m as u64);
        let counts = all.counts();
        let most = all.len() as u64 / 20;
        let mut rare: Vec<u32> = (0..all.n_items() as u32)
            .filter(|i| (1..=most).contains(&counts[*i as usize]))
            .collect();
        let secret: Vec<u32> = (0..m).map(|_| rare.swap_remove(random.below(rare.len()))).collect();
        let (quasi, sensitive) = parts(all, &secret);
        let open: Vec<u32> = (0..all.n_items() as u32)
            .filter(|i| counts[*i as usize] > 0 && !secret.contains(i))
            .collect();
        let queries: Vec<(u32, Vec<u32>)> = (0..200)
            .map(|_| {
                (secret[random.below(m)], (0..r).map(|_| open[random.below(open.len())]).collect())
            })
            .collect();
        for (call, sum) in calls.iter().zip(&mut sums) {
            let call: Call = call.parse().expect("a call");
            let algorithm = buckets::find(&call.name).expect("an algorithm");
            let params = Params::check(algorithm.info(), &call.args).expect("parameters");
            let (start, cpu) = (Instant::now(), cpu_seconds());
            let task = BucketTask::new(&quasi, &sensitive, p);
            let (groups, findings) = algorithm.group(&params, &task).expect("groups");
            sum.0 += cpu_seconds() - cpu;
            sum.3 += start.elapsed().as_secs_f64();
            let counts = FactCounts::of(&groups, &sensitive);
            let (_, below) = degree_of(groups.sizes(), &counts, p).expect("sensitive items");
            assert_eq!(below, 0);
            sum.1 += kl(&quasi, &sensitive, &groups, &queries);
            sum.2 += groups.len() as f64;
            let found =
                |name: &str| findings.iter().find(|f| f.name == name).map_or(0.0, |f| f.value);
            sum.4 += found("rolled_back");
            sum.5 += found("leftover_sensitive_records");
        }
    }
    for (call, (cpu, kl, n, wall, back, left)) in calls.iter().zip(sums) {
        let per = draws as f64;
        println!(
            "p={p:<3} m={m:<3} r={r} {call:<60} KL {:.5} groups {:>8.0} back {:>5.1} left {:>5.1} \
                wall {:.4} CPU {:.3}",
            kl / per,
            n / per,
            back / per,
            left / per,
            wall / per,
            cpu / per
        );
    }
}

/// The mean divergence over some queries.
fn kl(
    quasi: &Transactions,
    sensitive: &Transactions,
    groups: &Groups,
    queries: &[(u32, Vec<u32>)],
) -> f64 {
    let mut of_item: FastMap<u32, Vec<u32>> = FastMap::default();
    for record in 0..quasi.len() {
        quasi
            .set(record)
            .into_iter()
            .for_each(|item| of_item.entry(item).or_default().push(record as u32));
    }
    let counts = FactCounts::of(groups, sensitive);
    let (begins, members) = groups.members();
    let mut cells = vec![0u32; quasi.len()];
    let mut sum = 0.0;
    for (secret, items) in queries {
        for (bit, item) in items.iter().enumerate() {
            of_item[item].iter().for_each(|record| cells[*record as usize] |= 1 << bit);
        }
        let (mut actual, mut estimate, mut total) =
            (vec![0.0; 1 << items.len()], vec![0.0; 1 << items.len()], 0.0);
        for group in 0..groups.len() {
            let a = counts.of_fact(group, *secret);
            if a == 0 {
                continue;
            }
            total += f64::from(a);
            let share = f64::from(a) / f64::from(groups.sizes()[group]);
            for record in &members[begins[group]..begins[group + 1]] {
                let cell = cells[*record as usize] as usize;
                estimate[cell] += share;
                actual[cell] +=
                    f64::from(u8::from(sensitive.set(*record as usize).contains(secret)));
            }
        }
        for (actual, estimate) in actual.iter().zip(&estimate).filter(|(actual, _)| **actual > 0.0)
        {
            sum += actual / total * (actual / estimate).ln();
        }
        for item in items {
            of_item[item].iter().for_each(|record| cells[*record as usize] = 0);
        }
    }
    sum / queries.len() as f64
}

/// The items that are published, and the sensitive ones.
fn parts(all: &Transactions, secret: &[u32]) -> (Transactions, Transactions) {
    let (mut quasi, mut sensitive) = (Builder::new(all.n_items()), Builder::new(all.n_items()));
    for i in 0..all.len() {
        let (hidden, open): (Vec<u32>, Vec<u32>) =
            all.set(i).into_iter().partition(|item| secret.contains(item));
        quasi.push(&open);
        sensitive.push(&hidden);
    }
    (quasi.finish(), sensitive.finish())
}

fn load(data: &str) -> Transactions {
    let (path, n) = match data.split_once('*') {
        Some((path, n)) => (path, Some(n.parse::<usize>().expect("a number"))),
        None => (data, None),
    };
    let bytes = std::fs::read(path).expect("a file");
    let mut text = String::new();
    match bytes.starts_with(&[0x1f, 0x8b]) {
        true => {
            flate2::read::MultiGzDecoder::new(bytes.as_slice())
                .read_to_string(&mut text)
                .expect("gzip");
        }
        false => text = String::from_utf8(bytes).expect("UTF-8"),
    }
    let mut codes: FastMap<u32, u32> = FastMap::default();
    let lists: Vec<Vec<u32>> = text
        .lines()
        .map(|line| {
            let numbers =
                line.split_whitespace().map(|item| item.parse().expect("an item's number"));
            numbers
                .map(|item: u32| {
                    let next = codes.len() as u32;
                    *codes.entry(item).or_insert(next)
                })
                .collect()
        })
        .collect();
    let n_items = codes.len();
    match n {
        None => Transactions::from_sets(n_items, lists),
        Some(n) => enlarge(&lists, n_items, n),
    }
}

/// Make many records from few: copy number c of the file has the names of a tenth of its items
/// rotated, and one item in eight is replaced by another of the same file.
fn enlarge(lists: &[Vec<u32>], n_items: usize, n: usize) -> Transactions {
    let mut random = Draw(7);
    let mut names: Vec<u32> = (0..n_items as u32).collect();
    let mut builder = Builder::new(n_items);
    let mut set: Vec<u32> = Vec::new();
    for i in 0..n {
        if i % lists.len() == 0 {
            for _ in 0..n_items / 10 {
                let (a, b) = (random.below(n_items), random.below(n_items));
                names.swap(a, b);
            }
        }
        set.clear();
        for item in &lists[i % lists.len()] {
            let item = if random.next().is_multiple_of(8) {
                let other = &lists[random.below(lists.len())];
                other[random.below(other.len())]
            } else {
                *item
            };
            set.push(names[item as usize]);
        }
        set.sort_unstable();
        set.dedup();
        builder.push(&set);
    }
    builder.finish()
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
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or("").split_whitespace().skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).fold(0.0, |sum, ticks| sum + ticks / 100.0)
}

fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}
