//! Measures how fast baskets are read and written: `basket_speed FILE [COPY]` reads lines of
//! numbers or names, and writes them again.

use std::path::Path;
use std::time::Instant;

use sfumato_core::observer::Unobserved;
use sfumato_io::{
    AtomicFile, BasketLayout, BasketOptions, BasketWriteOptions, read_baskets, write_baskets,
};

fn main() -> sfumato_core::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: basket_speed FILE [COPY]");
        return Ok(());
    };
    let start = Instant::now();
    let read = read_baskets(&path, &BasketLayout::FIMI, &BasketOptions::default(), &Unobserved)?;
    eprintln!(
        "{:.2} s to read {} records of {} items, {} instances, {} bytes, {} bytes in memory, peak \
            {} MB",
        start.elapsed().as_secs_f64(),
        read.sets.len(),
        read.names.len(),
        read.sets.n_instances(),
        read.source.bytes,
        read.sets.bytes(),
        peak()
    );
    if let Some(copy) = arguments.next() {
        let start = Instant::now();
        let out = AtomicFile::create(Path::new(&copy), false)?;
        let options = BasketWriteOptions::for_destination(&copy, &read.release_layout)?;
        let out = write_baskets(
            out,
            &read.release_layout,
            &read.names,
            read.sets.len(),
            &read.sets,
            &options,
            &Unobserved,
        )?;
        eprintln!("{:.2} s to write, peak {} MB", start.elapsed().as_secs_f64(), peak());
        out.commit()?;
        eprintln!("{:.2} s with the disk", start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// The largest resident memory, if the system reports it.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok())
        .map_or(0, |kb| kb >> 10)
}
