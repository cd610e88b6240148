//! Global suppression: steps are left out of all paths, greedily by what that removes and costs.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};

use super::score::Scores;
use super::{KeptSteps, Promise, SuppressionAlgorithm, SuppressionTask, check_stopped};
use crate::data::Paths;
use crate::data::sequences::PrefixTree;

/// The algorithm.
pub struct GlobalSuppression;

static INFO: Info = Info {
    name: "global-suppression",
    summary: "leave out of all paths the steps that are in most violating sequences for each \
              maximal frequent sequence lost",
    papers: &[Paper {
        authors: "N. Mohammed, B. C. M. Fung, M. Debbabi",
        title: "Walking in the crowd: anonymizing trajectory data for pattern analysis",
        venue: "CIKM",
        year: 2009,
    }],
    params: &[super::SUPPORT],
    doc: "\
Finds all minimal violating sequences and the maximal frequent ones, keeps both in prefix trees, \
and leaves out the step with the best score, violating sequences removed over one more than \
frequent sequences lost, until no violating sequence is left. Of equal scores the step that \
occurs less often goes.

A step is left out of all paths: how often what is left occurs is exactly as in the original, and \
no new violating sequence can come of it. With models about places or times (`knows`) a whole \
place or a whole time is left out, and the models are served in turn until all hold.

Where more than half a million sequences are frequent, `support` is doubled until there are \
fewer, and the report says the number that was used.
",
    capabilities: Capabilities {
        serves: &[Fact::Sequences],
        fits_sensitive: true,
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl SuppressionAlgorithm for GlobalSuppression {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn is_global(&self) -> bool {
        true
    }
    fn anonymize(&self, _: &Params, task: &SuppressionTask<'_>) -> Result<KeptSteps> {
        let promises = Promise::all(task)?;
        let mut is_kept = vec![true; task.data.steps.len()];
        let mut paths = task.data.paths.clone();
        let (mut violating, mut support) = (0, task.support);
        task.observer.begin("anonymize", 0, Unit::Rows);
        // What one promise leaves out may break another: the promises are served in turn until
        // none leaves out anything. Each turn leaves out steps, so that this ends.
        let mut in_turn = 0;
        let mut kept_in_a_row = 0;
        while kept_in_a_row < promises.len() {
            check_stopped(task.observer)?;
            let promise = &promises[in_turn];
            in_turn = (in_turn + 1) % promises.len();
            let seen = promise.view.of(&paths);
            let minimal = promise.violating(&seen)?;
            if minimal.is_empty() {
                kept_in_a_row += 1;
                continue;
            }
            kept_in_a_row = 0;
            violating += minimal.len() as u64;
            let frequent = promise.frequent(&seen, task.support);
            support = support.max(frequent.support);
            let n_codes = promise.view.n_codes;
            let sequences = minimal.iter().map(|found| &found.sequence[..]);
            let mut scores = Scores::new(
                PrefixTree::of(n_codes, sequences),
                PrefixTree::of(n_codes, frequent.maximal.iter().map(Vec::as_slice)),
                seen.counts(n_codes),
            );
            let mut is_out = vec![false; n_codes];
            while let Some(step) = scores.take() {
                is_out[step as usize] = true;
            }
            for (step, code) in promise.view.of_step.iter().enumerate() {
                is_kept[step] &= !is_out[*code as usize];
            }
            paths = without(&paths, &is_kept);
        }
        task.observer.end();
        let counts = task.data.paths.counts(task.data.steps.len());
        let is_gone = |(kept, count): (&bool, &u64)| !kept && *count > 0;
        let suppressed = is_kept.iter().zip(&counts).filter(|step| is_gone(*step)).count() as u64;
        Ok(KeptSteps { paths, suppressed, violating, support })
    }
}

/// The paths without steps that aren't kept.
fn without(paths: &Paths, is_kept: &[bool]) -> Paths {
    let kept = |path: &[u32]| -> Vec<u32> {
        path.iter().copied().filter(|step| is_kept[*step as usize]).collect()
    };
    paths.iter().map(kept).collect()
}
