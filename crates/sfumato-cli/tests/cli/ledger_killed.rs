//! Runs with a ledger that are killed at any moment: what the ledger counts as published is what is
//! there, and the next run goes on from it.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Folder, people};

/// How many times a run is killed; `cargo xtask soak` asks for more.
fn times() -> u64 {
    std::env::var("SFUMATO_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

/// A number from 0 to 1 that the seed of random tests and a place decide.
fn random(place: u64) -> f64 {
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|text| text.parse().ok());
    let mut x = seed.unwrap_or(1u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(place);
    for _ in 0..3 {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^= x >> 27;
    }
    (x >> 11) as f64 / (1u64 << 53) as f64
}

const WORDS: &str = "anonymize people.csv -o second.csv --identifier name,person,pay \
    --qi age,sex,zip --sensitive disease --model bcf-anonymity(k=3) --ledger r.ledger --quiet";

fn start(folder: &Folder, fault: Option<String>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sfumato"));
    command
        .current_dir(folder.path(""))
        .args(WORDS.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(fault) = fault {
        command.env("SFUMATO_FAULT", fault);
    }
    command.spawn().unwrap()
}

/// Kill a run after some time. Whether it was killed before it ended.
fn kill_after(mut child: Child, wait: Duration) -> bool {
    let deadline = Instant::now() + wait;
    while Instant::now() < deadline && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(200));
    }
    let _ = child.kill();
    child.wait().unwrap().code().is_none()
}

/// A folder with a ledger that has one release.
fn prepared() -> Folder {
    let folder = Folder::new();
    folder.succeed("ledger init r.ledger --model bcf-anonymity(k=3)");
    folder.write("people.csv", people(60));
    folder.succeed(&WORDS.replace("second.csv", "first.csv"));
    folder.write("people.csv", people(120));
    folder
}

/// The paths that the ledger counts as published, all of which must be there.
fn counted(folder: &Folder, point: &str) -> Vec<String> {
    let outcome = folder.run("ledger show r.ledger --json");
    assert_eq!(outcome.code, 0, "{point}: {}", outcome.stderr);
    let shown: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let releases = shown["releases"].as_array().unwrap();
    let path = |release: &serde_json::Value| {
        assert_eq!(release["files"], "there", "{point}: {shown}");
        let path = release["path"].as_str().unwrap();
        path.rsplit('/').next().unwrap_or(path).to_string()
    };
    releases.iter().map(path).collect()
}

/// Ledger and release agree, before and after the next run puts the ledger in order.
fn check(folder: &Folder, point: &str) -> bool {
    let is_published = folder.path("second.csv").exists();
    let expected: &[&str] =
        if is_published { &["first.csv", "second.csv"] } else { &["first.csv"] };
    assert_eq!(counted(folder, point), expected, "{point}");
    folder.succeed(&WORDS.replace("second.csv", "third.csv"));
    let expected: Vec<&str> = expected.iter().copied().chain(["third.csv"]).collect();
    assert_eq!(counted(folder, point), expected, "{point}: after the next run");
    let verified = folder.succeed("ledger verify r.ledger").stdout;
    assert!(!verified.contains("warning"), "{point}: {verified}");
    folder.succeed("ledger check r.ledger");
    is_published
}

#[test]
fn a_run_killed_at_a_random_moment_leaves_a_ledger_that_agrees_with_the_releases() {
    let folder = prepared();
    let started = Instant::now();
    assert!(start(&folder, None).wait().unwrap().success());
    let whole = started.elapsed();
    let mut killed = 0;
    for time in 0..times() {
        let folder = prepared();
        let wait = whole.mul_f64(random(time));
        killed += u64::from(kill_after(start(&folder, None), wait));
        check(&folder, &format!("killed after {wait:?} of {whole:?}"));
    }
    assert!(killed * 3 > times(), "only {killed} runs were killed in time");
}

/// The moments around the name of the release are short: they are hit on purpose.
#[cfg(debug_assertions)]
#[test]
fn a_run_killed_at_a_step_leaves_a_ledger_that_agrees_with_the_releases() {
    let folder = prepared();
    let ends = |steps: u64| {
        let _ = std::fs::remove_file(folder.path("second.csv"));
        start(&folder, Some(format!("{steps}:killed"))).wait().unwrap().code().is_some()
    };
    let steps = (1u64..).find(|steps| ends(steps * 8)).unwrap() * 8;
    let (mut published, mut killed) = (0, 0);
    for time in 0..times() {
        let folder = prepared();
        // The last steps give the release its name.
        let step = steps - 1 - (random(1000 + time) * steps.min(24) as f64) as u64;
        let fault = Some(format!("{step}:killed"));
        killed += u64::from(start(&folder, fault).wait().unwrap().code().is_none());
        published += u64::from(check(&folder, &format!("killed at step {step} of {steps}")));
    }
    assert!(killed > 0 && published <= times(), "{killed} were killed, {published} published");
}
