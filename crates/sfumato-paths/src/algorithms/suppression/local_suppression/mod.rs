//! Local suppression: steps are left out only of the paths in which they betray somebody.

mod change;
mod counts;
mod paths_now;

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};

use super::{KeptSteps, Promise, SuppressionAlgorithm, SuppressionTask, check_stopped};

use change::Change;
use counts::Counts;
use paths_now::PathsNow;

/// The algorithm.
pub struct LocalSuppression;

static INFO: Info = Info {
    name: "local-suppression",
    summary: "leave steps out of the paths in which they betray somebody, and out of all paths \
              only where nothing else helps",
    papers: &[Paper {
        authors: "R. Chen, B. C. M. Fung, N. Mohammed, B. C. Desai, K. Wang",
        title: "Privacy-preserving trajectory data publishing by local suppression",
        venue: "Information Sciences",
        year: 2013,
    }],
    params: &[super::SUPPORT],
    doc: "\
Ours, after an idea of Chen et al. All sequences of up to `l` steps that paths have are counted \
once. Short violating sequences come first. Each can be broken by leaving one of its steps out of \
the paths that have it; where only a share of a sensitive value is too large, out of as many of \
the paths with that value as needed. Every such change is tried on the counts, and the one is \
taken that brings the number of violating sequences down most for each step left out. Where none \
brings it down, a step of the sequence is left out of all paths, which always does.

More steps are kept than by `global-suppression`, but how often a sequence occurs is no longer \
that of the original: it may be less.

Holds a counter for every different sequence of up to `l` steps: for large `l` take \
`global-suppression`, which doesn't.
",
    capabilities: Capabilities {
        serves: &[Fact::Sequences],
        fits_sensitive: true,
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl SuppressionAlgorithm for LocalSuppression {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn is_global(&self) -> bool {
        false
    }
    fn anonymize(&self, _: &Params, task: &SuppressionTask<'_>) -> Result<KeptSteps> {
        let promises = Promise::all(task)?;
        task.observer.begin("anonymize", 0, Unit::Rows);
        let mut counts = promises
            .iter()
            .map(|promise| Counts::of(promise, &task.data.paths))
            .collect::<Result<Vec<Counts>>>()?;
        let violating = counts.iter().map(|counts| counts.violating().len() as u64).sum();
        let mut now = PathsNow::new(&promises, &task.data.paths);
        // What is left out of all paths for one promise may break another: all are looked at
        // again until none is broken.
        loop {
            let mut is_done = true;
            for (at, promise) in promises.iter().enumerate() {
                for sequence in counts[at].violating() {
                    check_stopped(task.observer)?;
                    if counts[at].is_violating(&sequence) {
                        is_done = false;
                        mend((at, promise), &sequence, &promises, &mut counts, &mut now);
                    }
                }
            }
            if is_done {
                break;
            }
        }
        task.observer.end();
        let paths = now.finish();
        let n_steps = task.data.steps.len();
        let (before, after) = (task.data.paths.counts(n_steps), paths.counts(n_steps));
        let is_gone = |(before, after): (&u64, &u64)| *before > 0 && *after == 0;
        let suppressed = before.iter().zip(&after).filter(|step| is_gone(*step)).count() as u64;
        Ok(KeptSteps { paths, suppressed, violating, support: task.support })
    }
}

/// Break a violating sequence of a promise by the best change.
fn mend(
    (at, promise): (usize, &Promise<'_>),
    sequence: &[u32],
    promises: &[Promise<'_>],
    counts: &mut [Counts],
    now: &mut PathsNow,
) {
    let having = now.having(at, promise, sequence);
    let some = counts[at].enough_of(promise, sequence, &having);
    let mut best: Option<Change> = None;
    for place in 0..sequence.len() {
        for records in std::iter::once(&having).chain(&some) {
            let change =
                Change::try_out((at, promise), (sequence, place), records, promises, counts, now);
            if change.helps() && best.as_ref().is_none_or(|best| change.is_better_than(best)) {
                best = Some(change);
            }
        }
    }
    // The step of the sequence that the fewest paths have, out of all of them.
    let change = best.unwrap_or_else(|| {
        let rarest = sequence.iter().copied().min_by_key(|step| (now.n_having(at, *step), *step));
        let rarest = rarest.unwrap_or_default();
        Change::everywhere((at, promise), rarest, promises, counts, now)
    });
    change.make(counts, now);
}
