//! The risks that follow from the sizes of classes, before and after anonymizing.

use sfumato_core::traits::ClassSizes;

use crate::job::Population;

/// All risks, before and after anonymizing. Those in a population need to know it.
pub fn risks(
    before: &ClassSizes,
    after: &ClassSizes,
    population: Option<Population>,
) -> Vec<(&'static str, Option<f64>, Option<f64>)> {
    // What was suppressed was drawn from the population too.
    let people = before.people().max(after.people());
    let size = population.map(|population| population.of(people));
    let (before, after) = (before.clone().drawn_from(size), after.clone().drawn_from(size));
    sfumato_risk::estimate::ALL
        .iter()
        .map(|risk| (risk.info().name, risk.estimate(&before), risk.estimate(&after)))
        .collect()
}
