//! The limit of memory of a run: refused where a form can't keep it, and held against what the run
//! really took.

use sfumato_core::memory::{Accountant, parse_bytes};
use sfumato_core::{Error, Result};

use super::Records;
use crate::job::{Engine, RunSpec};
use crate::kind::Common;
use crate::stopwatch::peak_rss_bytes;

/// The memory that is set aside for the program, its threads and its allocator before anything is
/// read.
pub const PROGRAM: u64 = 40 << 20;
/// The memory that the program takes in fact before anything is read: its code and its threads.
pub const RESIDENT: u64 = 24 << 20;
/// The smallest memory that can be promised.
pub const LEAST: u64 = 64 << 20;
/// How many of those who held most are named when a run took too much.
const NAMED: usize = 4;

/// The bytes for data of a limit. One that the program alone would break is refused.
pub fn for_data(limit: u64) -> Result<u64> {
    match limit < LEAST {
        false => Ok(limit - PROGRAM),
        true => Err(Error::params(format!(
            "--memory must be at least {}",
            sfumato_report::numbers::bytes(LEAST)
        ))),
    }
}

/// Refuse a limit, a folder for temporary data and a resumption where a form needs all records in
/// memory at once. `form` and `records` are its name and what its records are called.
pub fn check_budget(job: &Common<'_>, needs: Records, (form, records): (&str, &str)) -> Result<()> {
    let run = job.run;
    let on_disk =
        run.spill.is_some() || run.resume || matches!(run.engine, Engine::Sample | Engine::Tree);
    match needs {
        Records::ByPartition => Ok(()),
        Records::IfTheyFit if !on_disk => Ok(()),
        Records::IfTheyFit => Err(Error::unsupported(format!(
            "the form '{form}' of {records} needs all records in memory at once: nothing is put on \
             disk"
        ))
        .hint("leave --engine, --spill and --resume out; --memory says how much may be taken")),
        Records::AtOnce if !on_disk && run.memory.is_none() => Ok(()),
        Records::AtOnce => Err(Error::unsupported(format!(
            "the form '{form}' of {records} needs all records in memory at once: it can't be given \
                a limit"
        ))
        .hint("leave --memory, --engine, --spill and --resume out")),
    }
}

/// The limit of a run, and how much memory the process had taken at most when the run began.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    limit: Option<u64>,
    before: Option<u64>,
}

impl Budget {
    /// The limit that a job states; `None` if it states none.
    pub fn of(run: &RunSpec) -> Result<Self> {
        let limit = run.memory.as_deref().map(parse_bytes).transpose()?;
        Ok(Budget { limit, before: peak_rss_bytes() })
    }

    /// The warning of a run that took more than its limit. What a process took before the run isn't
    /// held against it. Where the system doesn't say what a process takes, the books of the run do.
    pub fn exceeded(&self, peak: Option<u64>, books: Option<&Accountant>) -> Option<String> {
        let limit = self.limit?;
        let peak = match (peak, self.before) {
            (Some(peak), Some(before)) if peak <= before => return None,
            (Some(peak), _) => peak,
            (None, _) => books?.peak(),
        };
        (peak > limit).then(|| {
            format!(
                "the run took up to {} of memory, more than the {} that --memory allows{}",
                sfumato_report::numbers::bytes(peak),
                sfumato_report::numbers::bytes(limit),
                books.map_or(String::new(), holders)
            )
        })
    }
}

/// Who held most when the most was held.
fn holders(books: &Accountant) -> String {
    let held = books.held_at_peak();
    let name =
        |(what, bytes): &(&str, u64)| format!("{what} {}", sfumato_report::numbers::bytes(*bytes));
    let named: Vec<String> = held.iter().take(NAMED).map(name).collect();
    match named.is_empty() {
        true => String::new(),
        false => format!("; most of it was booked by: {}", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_took_too_much_says_so() {
        let budget = |limit, before| Budget { limit: Some(limit), before };
        let warning = budget(100, Some(40)).exceeded(Some(101), None).unwrap();
        assert!(warning.contains("101 B") && warning.contains("100 B"), "{warning}");
        assert!(budget(100, None).exceeded(Some(101), None).is_some());
        // Within the limit, unknown, or taken before the run began.
        assert_eq!(budget(100, Some(40)).exceeded(Some(100), None), None);
        assert_eq!(budget(100, Some(40)).exceeded(None, None), None);
        assert_eq!(budget(100, Some(101)).exceeded(Some(101), None), None);
        assert_eq!(Budget { limit: None, before: None }.exceeded(Some(101), None), None);
        // The books say who held it, and how much it was where the system doesn't.
        let books = Accountant::new(Some(100));
        let held = (books.book("a table", 90), books.book("a block", 30));
        let warning = budget(100, None).exceeded(Some(101), Some(&books)).unwrap();
        assert!(warning.contains("101 B") && warning.contains("a table 90 B, a block 30 B"));
        let warning = budget(100, None).exceeded(None, Some(&books)).unwrap();
        assert!(warning.contains("up to 120 B"), "{warning}");
        assert_eq!(budget(120, None).exceeded(None, Some(&books)), None);
        drop(held);
        assert!(for_data(LEAST - 1).is_err());
        assert_eq!(for_data(LEAST), Ok(LEAST - PROGRAM));
        let wrong = RunSpec { memory: Some("much".into()), ..RunSpec::default() };
        assert!(Budget::of(&wrong).is_err());
    }
}
