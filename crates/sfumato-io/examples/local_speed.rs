//! Measures how fast a file is read in blocks with texts of their own, compared with blocks with
//! codes of the whole file: `cargo run --release -p sfumato-io --example local_speed FILE [merged |
//! local | unhashed] [TIMES]`
//!
//! The sink only adds up its input. The example prints the largest resident size so far, if the
//! system reports it.

use std::time::Instant;

use sfumato_core::observer::Unobserved;
use sfumato_io::{Block, LocalBlock, LocalCells, ReadOptions, scan, scan_local, select_all};

/// The largest resident size in MB.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("a file to read");
    let way = args.next().unwrap_or_else(|| "local".into());
    let times = args.next().map_or(3, |n| n.parse().expect("a number of times"));
    let options = ReadOptions { hash: way != "unhashed", ..ReadOptions::default() };
    for _ in 0..times {
        let start = Instant::now();
        let (mut sum, mut blocks) = (0u64, 0u64);
        let scanned = if way == "merged" {
            let mut sink = |block: &Block<'_>| {
                blocks += 1;
                for codes in block.columns {
                    sum += codes.iter().map(|code| u64::from(*code)).sum::<u64>();
                }
                Ok(())
            };
            scan(&path, &options, &mut select_all, &mut sink, &Unobserved)
        } else {
            let mut sink = |block: &LocalBlock<'_>| {
                blocks += 1;
                for cells in block.columns {
                    sum += match cells {
                        LocalCells::Texts { codes, .. } => {
                            codes.iter().map(|code| u64::from(*code)).sum::<u64>()
                        }
                        LocalCells::Integers { values, .. } => {
                            values.iter().map(|value| *value as u64).sum()
                        }
                    };
                }
                Ok(())
            };
            scan_local(&path, &options, &mut select_all, &mut sink, &Unobserved)
        };
        let rows = scanned.expect("a good file").n_rows;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{way}: {rows} rows in {blocks} blocks, {seconds:.3} s, sum {sum}, {} MB",
            peak().unwrap_or(0)
        );
    }
}
