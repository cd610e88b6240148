//! Asks a running `sfumato serve-sets` from another process, and says how many answers a second it
//! gives and how long they take: `ask_sets 127.0.0.1:7878 RECORDS [SECONDS] [CONNECTIONS]`. Keys
//! are the numbers from 1 to RECORDS.

#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |place: usize, default: u64| {
        arguments.get(place).map_or(default, |text| text.parse().unwrap())
    };
    let (address, records) = (arguments[1].clone(), number(2, 1));
    let (seconds, connections) = (number(3, 10), number(4, 8));
    let end = Instant::now() + Duration::from_secs(seconds);
    let asked: Vec<_> = (0..connections)
        .map(|connection| {
            let address = address.clone();
            std::thread::spawn(move || ask(&address, records, connection, end))
        })
        .collect();
    let mut times: Vec<u32> = asked.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    times.sort_unstable();
    let at = |share: f64| f64::from(times[((times.len() - 1) as f64 * share) as usize]) / 1000.0;
    println!(
        "{} answers, {:.0} a second over {connections} connections; ms: median {:.3}, p99 {:.3}, \
            p99.9 {:.3}, longest {:.3}",
        times.len(),
        times.len() as f64 / seconds as f64,
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0)
    );
}

/// Ask for one record after the other until the end. Returns how long each answer took, in
/// microseconds.
fn ask(address: &str, records: u64, connection: u64, end: Instant) -> Vec<u32> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut times = Vec::new();
    let mut state = connection + 1;
    let mut buffer = vec![0; 1 << 20];
    while Instant::now() < end {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let key = (state >> 20) % records + 1;
        let begun = Instant::now();
        stream
            .write_all(format!("GET /sets/{key} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes())
            .unwrap();
        let mut filled = 0;
        loop {
            filled += stream.read(&mut buffer[filled..]).unwrap();
            let text = &buffer[..filled];
            let Some(head) = text.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
            let headers = String::from_utf8_lossy(&text[..head]).to_ascii_lowercase();
            assert!(headers.starts_with("http/1.1 200"), "{headers}");
            let length =
                headers.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            if filled >= head + 4 + length.trim().parse::<usize>().unwrap() {
                break;
            }
        }
        times.push(begun.elapsed().as_micros() as u32);
    }
    times
}
