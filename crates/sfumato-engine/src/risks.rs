//! The risks that follow from the sizes of classes, before and after anonymizing.

use sfumato_core::traits::ClassSizes;

/// All risks, before and after anonymizing.
pub fn risks(
    before: &ClassSizes,
    after: &ClassSizes,
) -> Vec<(&'static str, Option<f64>, Option<f64>)> {
    sfumato_risk::estimate::ALL
        .iter()
        .map(|risk| (risk.info().name, risk.estimate(before), risk.estimate(after)))
        .collect()
}
