//! A small mutation fuzzer that runs on a stable toolchain: `sfumato-fuzz TARGET SECONDS [SEED]`.
//!
//! It starts from valid samples, breaks them in ways that parsers trip over (cut, repeat, splice,
//! flip bytes, insert quotes, delimiters and bad UTF-8), and keeps inputs that lead to a new error
//! message: a cheap stand-in for coverage. A panic ends the run with the input that caused it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use sfumato_fuzz::mutate::Mutator;
use sfumato_fuzz::targets;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| arguments.get(i).and_then(|text| text.parse::<u64>().ok());
    let target = arguments.first().and_then(|name| targets::find(name));
    let (Some(target), Some(seconds)) = (target, number(1)) else {
        let names: Vec<&str> = targets::ALL.iter().map(|target| target.name).collect();
        eprintln!("usage: sfumato-fuzz {} SECONDS [SEED]", names.join("|"));
        return ExitCode::from(2);
    };
    targets::hide_caught_panics();
    let mut mutator = Mutator::new(number(2).unwrap_or(1), (target.samples)());
    let mut seen: Vec<String> = Vec::new();
    let (start, mut runs) = (Instant::now(), 0u64);
    while start.elapsed() < Duration::from_secs(seconds) {
        let input = mutator.mutated();
        runs += 1;
        match catch_unwind(AssertUnwindSafe(|| (target.feed)(&input))) {
            Ok(shape) => {
                if seen.len() < 2000 && !seen.contains(&shape) {
                    seen.push(shape);
                    mutator.keep(input);
                }
            }
            Err(_) => {
                let path = format!("fuzz-artifacts/{}-{runs}", arguments[0]);
                let _ = std::fs::create_dir_all("fuzz-artifacts");
                let _ = std::fs::write(&path, &input);
                eprintln!("{}: a panic after {runs} inputs; the input is in {path}", arguments[0]);
                return ExitCode::FAILURE;
            }
        }
    }
    eprintln!(
        "{}: {runs} inputs in {seconds} s, {} kinds of answer, no panic",
        arguments[0],
        seen.len()
    );
    ExitCode::SUCCESS
}
