//! The limit of memory of a run: refused where a form can't keep it, and held against what the run
//! really took.

use sfumato_core::memory::parse_bytes;
use sfumato_core::{Error, Result};

use super::Records;
use crate::job::{Engine, RunSpec};
use crate::kind::Common;
use crate::stopwatch::peak_rss_bytes;

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
    /// held against it.
    pub fn exceeded(&self, peak: Option<u64>) -> Option<String> {
        let (limit, peak) = (self.limit?, peak?);
        (peak > limit && self.before.is_none_or(|before| peak > before)).then(|| {
            format!(
                "the run took up to {} of memory, more than the {} that --memory allows",
                sfumato_report::numbers::bytes(peak),
                sfumato_report::numbers::bytes(limit)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_took_too_much_says_so() {
        let budget = |limit, before| Budget { limit: Some(limit), before };
        let warning = budget(100, Some(40)).exceeded(Some(101)).unwrap();
        assert!(warning.contains("101 B") && warning.contains("100 B"), "{warning}");
        assert!(budget(100, None).exceeded(Some(101)).is_some());
        // Within the limit, unknown, or taken before the run began.
        assert_eq!(budget(100, Some(40)).exceeded(Some(100)), None);
        assert_eq!(budget(100, Some(40)).exceeded(None), None);
        assert_eq!(budget(100, Some(101)).exceeded(Some(101)), None);
        assert_eq!(Budget { limit: None, before: None }.exceeded(Some(101)), None);
        let wrong = RunSpec { memory: Some("much".into()), ..RunSpec::default() };
        assert!(Budget::of(&wrong).is_err());
    }
}
