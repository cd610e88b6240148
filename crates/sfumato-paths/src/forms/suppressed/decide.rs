//! Lets the algorithm decide which steps are published: of all records, or of each class of those
//! that have the same values beside their paths.

use sfumato_core::Result;
use sfumato_core::observer::Observer;

use super::plan::Plan;
use crate::algorithms::suppression::{KeptSteps, SuppressionTask};
use crate::data::{Labels, PathData, Paths};

/// Let the algorithm decide. Whoever may know what stands beside a path looks only at the paths of
/// its class: each class is served alone, and one that gives people away without any step is left
/// out.
pub fn decide(plan: &Plan, data: &PathData, observer: &dyn Observer) -> Result<KeptSteps> {
    let serve = |data: &PathData| {
        let task = SuppressionTask { data, asked: &plan.asked, support: plan.support, observer };
        plan.algorithm.anonymize(&plan.params, &task)
    };
    if data.quasi.is_empty() {
        return serve(data);
    }
    let mut kept: Vec<Vec<u32>> = vec![Vec::new(); data.paths.len()];
    let mut all =
        KeptSteps { paths: Paths::new(), suppressed: 0, violating: 0, support: plan.support };
    for class in data.classes() {
        let part = data.part(&class);
        if gives_away(plan, &part)? {
            all.violating += 1;
            continue;
        }
        let served = serve(&part)?;
        all.violating += served.violating;
        all.suppressed += served.suppressed;
        // Only paths of which something is left are in the class that an attacker sees.
        let left: Vec<u32> = (0..)
            .zip(served.paths.iter())
            .filter(|(_, path)| !path.is_empty())
            .map(|(at, _)| at)
            .collect();
        let seen = PathData { paths: served.paths, ..part };
        if gives_away(plan, &seen.part(&left))? {
            all.violating += 1;
            continue;
        }
        for (record, path) in class.iter().zip(seen.paths.iter()) {
            kept[*record as usize] = path.to_vec();
        }
    }
    all.paths = kept.into_iter().collect();
    Ok(all)
}

/// Whether a class of people breaks a promise by itself, without any known step.
fn gives_away(plan: &Plan, class: &PathData) -> Result<bool> {
    for asked in &plan.asked {
        let labels = Labels::of(&class.sensitive, asked.values.as_deref())?;
        let n = class.paths.len();
        let mut counts = vec![0u64; labels.names.len()];
        for record in 0..n {
            labels.get(record).iter().for_each(|label| counts[*label as usize] += 1);
        }
        let is_breach = |n_with: &u64| asked.most.is_exceeded(*n_with, n as u64);
        if n > 0 && ((n as u64) < asked.required || counts.iter().any(is_breach)) {
            return Ok(true);
        }
    }
    Ok(false)
}
