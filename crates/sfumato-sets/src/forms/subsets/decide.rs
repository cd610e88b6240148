//! Lets the algorithm decide which set is published for each record.

use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};

use super::plan::SetPlan;
use crate::data::{BasketData, Collapsed, PublishedSets};
use crate::traits::SetTask;

/// How many records are examined to see whether collapsing identical ones pays.
const LOOKED_AT: usize = 100_000;
/// The share of copies from which on collapsing pays: each remaining record costs a weight, and the
/// expansion costs a look-up.
const PAYS: f64 = 0.25;

/// The decision, and the number of different records that it is about.
pub struct Decided {
    /// The published set of each record.
    pub published: PublishedSets,
    /// The number of records that the algorithm saw, if identical ones were collapsed.
    pub collapsed_to: Option<usize>,
}

/// Let the algorithm decide.
pub fn decide(plan: &SetPlan, baskets: &BasketData, observer: &dyn Observer) -> Result<Decided> {
    let sets = &baskets.quasi;
    let task = SetTask {
        sets,
        weights: None,
        utilities: &baskets.items.utilities,
        k: plan.k,
        combinations: &plan.combinations,
        private: baskets.sensitive.as_ref(),
        seed: plan.seed,
        observer,
    };
    observer.begin("anonymize", 0, Unit::Rows);
    let decided = if plan.algorithm.info().capabilities.takes_weights
        // Records that are alike may have different private items.
        && !plan.combinations.iter().any(|asked| asked.most.is_some())
        && Collapsed::share_of_copies(sets, LOOKED_AT) >= PAYS
    {
        let collapsed = Collapsed::of(sets);
        let task = SetTask { sets: &collapsed.sets, weights: Some(&collapsed.weights), ..task };
        let published = plan.algorithm.anonymize(&plan.params, &task)?;
        check_shape(&published, collapsed.sets.len(), sets.n_items())?;
        let collapsed_to = Some(collapsed.sets.len());
        Decided { published: collapsed.expand(published), collapsed_to }
    } else {
        let published = plan.algorithm.anonymize(&plan.params, &task)?;
        check_shape(&published, sets.len(), sets.n_items())?;
        Decided { published, collapsed_to: None }
    };
    observer.end();
    Ok(decided)
}

/// Refuse a decision that doesn't fit these records, before it is used.
fn check_shape(published: &PublishedSets, n_records: usize, n_items: usize) -> Result<()> {
    let failed_verification = |what: &str| {
        Err(Error::internal(format!(
            "the algorithm gave a decision that {what}; nothing was written"
        )))
    };
    if published.of_record.len() != n_records {
        return failed_verification("hasn't one set per record");
    }
    if published.sets.n_items() != n_items {
        return failed_verification("speaks of other items");
    }
    let n_sets = published.sets.len();
    if published.of_record.iter().any(|set| *set as usize >= n_sets) {
        return failed_verification("publishes a record as a set that isn't there");
    }
    match &published.witnesses {
        Some(witnesses) if witnesses.records.len() != n_sets * witnesses.each => {
            failed_verification("hasn't so many witnesses for each set")
        }
        _ => Ok(()),
    }
}
