//! How fast a file is read and written:
//! `cargo run --release -p sfumato-io --example read_speed [MB | FILE] [OUT.csv] [OUT.parquet] ...`
//!
//! A number generates a CSV file of that size first. Written files are removed again.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use sfumato_core::observer::Unobserved;
use sfumato_io::{
    AtomicFile, ReadOptions, WriteColumn, WriteOptions, read, select_all, write_rows,
};

/// Nine columns of short cells, as in a table of people. A multiplicative generator is random
/// enough here.
fn generate(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 128);
    text.push_str("age,sex,zip,job,education,status,country,hours,income\n");
    let mut state = 1u64;
    let mut draw = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    const JOBS: [&str; 6] =
        ["Sales", "Tech-support", "Craft-repair", "Exec", "Farming", "Transport-moving"];
    const STATUS: [&str; 4] = ["Divorced", "Never-married", "Married", "Widowed"];
    while text.len() < bytes {
        let sex = if draw(2) == 0 { "M" } else { "F" };
        writeln!(
            text,
            "{},{},{:05},{},{},{},C{},{},{}",
            draw(80) + 17,
            sex,
            draw(20_000),
            JOBS[draw(6) as usize],
            draw(16),
            STATUS[draw(4) as usize],
            draw(40),
            draw(99) + 1,
            draw(100_000),
        )
        .expect("a String takes everything");
    }
    text
}

fn main() {
    let mut args = std::env::args().skip(1);
    let input = args.next().unwrap_or_else(|| "200".into());
    let path = match input.parse::<usize>() {
        Err(_) => input,
        Ok(megabytes) => {
            let path = std::env::temp_dir().join("sfumato-read-speed.csv");
            std::fs::write(&path, generate(megabytes << 20))
                .expect("the temporary folder takes a file");
            path.to_str().expect("a path in UTF-8").to_owned()
        }
    };
    let mut table = None;
    for _ in 0..5 {
        let start = Instant::now();
        let read = read(&path, &ReadOptions::default(), &mut select_all, &Unobserved)
            .expect("a good file");
        let seconds = start.elapsed().as_secs_f64();
        let (rows, width, megabytes) =
            (read.n_rows, read.columns.len(), read.source.bytes as f64 / 1e6);
        println!(
            "{rows} rows, {width} columns, {megabytes:.0} MB in {seconds:.3} s: {:.0} MB/s",
            megabytes / seconds
        );
        table = Some(read);
    }
    let Some(table) = table else { return };
    let columns: Vec<WriteColumn<'_>> = table
        .columns
        .iter()
        .map(|c| WriteColumn {
            name: &c.name,
            values: &c.values,
            null: c.null,
            native_type: c.native_type.as_deref(),
            source: &c.codes,
        })
        .collect();
    for name in args {
        let dest = std::env::temp_dir().join(Path::new(&name));
        let options = WriteOptions::for_destination(&name).expect("a known extension");
        let start = Instant::now();
        let file = AtomicFile::create(&dest, false).expect("the temporary folder takes a file");
        let file = write_rows(file, &columns, table.n_rows, &options, &Unobserved)
            .expect("the rows can be written");
        let seconds = start.elapsed().as_secs_f64();
        let megabytes = std::fs::metadata(file.path()).map_or(0, |m| m.len()) as f64 / 1e6;
        println!("{name}: {megabytes:.0} MB in {seconds:.3} s: {:.0} MB/s", megabytes / seconds);
    }
}
