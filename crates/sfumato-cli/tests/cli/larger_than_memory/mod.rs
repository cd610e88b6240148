//! Tables that are treated as if they didn't fit into memory: the same release, nothing left
//! behind, whatever happens on the way.

mod budget;
mod cuts;
mod disk_full;
mod killed;
mod same;

use std::fmt::Write as _;

/// People with numbers, words, gaps and a disease, a few of them alike.
fn patients(n: usize) -> String {
    let mut text = String::from("person,age,height,sex,job,disease,ward\n");
    let mut state = 12345u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for i in 0..n {
        let age = if next(20) == 0 { String::new() } else { (18 + next(70)).to_string() };
        let height = format!("{}.{}", 150 + next(45), next(10));
        let sex = ["f", "m"][next(2) as usize];
        let job = ["clerk", "nurse", "smith", "tutor", "cook"][next(5) as usize];
        let disease = ["flu", "gout", "angina", "asthma", "ulcer", "none"][next(6) as usize];
        let _ = writeln!(text, "P{},{age},{height},{sex},{job},{disease},w{}", i / 2, next(9));
    }
    text
}

const COLUMNS: &str = "--identifier person --qi age,height,sex,job --sensitive disease --keep ward";
