//! Metrics for subsets of baskets: one file each, listed once. They compare how often each item
//! occurs before and after.

sfumato_core::registry! {
    /// All metrics for baskets, in the order of the catalogue.
    dyn crate::traits::SetMetric:
    utility_retained::UtilityRetained,
    instances_retained::InstancesRetained,
    items_retained::ItemsRetained,
    distortion::Distortion,
    frequent_itemset_recall::FrequentItemsetRecall,
    frequent_itemset_precision::FrequentItemsetPrecision,
    query_error::QueryError,
}

#[cfg(test)]
mod tests {
    use sfumato_core::transactions::Transactions;

    use crate::data::{ItemRole, Items};
    use crate::metrics::frequent::Patterns;
    use crate::traits::SetView;

    use super::*;

    #[test]
    fn the_printed_example_is_measured() {
        // Tables 11 and 12 of the thesis: utilities 10, 5, 3, 3 and records worth 8, 5, 3, 13.
        let mut items = Items::named(
            ["Biologist", "Computer Scientist", "Homeowner", "Student"].map(String::from).to_vec(),
        );
        items.utilities = vec![10.0, 5.0, 3.0, 3.0];
        let before = [1, 2, 2, 1];
        assert_eq!(items.worth(&before), 8.0 + 5.0 + 3.0 + 13.0);
        let view = SetView {
            items: &items,
            before: &before,
            after: &[0, 2, 2, 0],
            records: 4,
            emptied: 0,
            patterns: None,
        };
        let measured: Vec<f64> = ALL.iter().filter_map(|metric| metric.measure(&view)).collect();
        assert_eq!(measured, [16.0 / 29.0, 4.0 / 6.0, 0.5, 2.0 / 6.0]);
        // Sensitive items don't count as distorted, and frequent sets are compared set by set.
        let mut roles = items.clone();
        roles.roles[0] = ItemRole::Sensitive;
        let original = Transactions::from_sets(4, [vec![1, 2], vec![1], vec![2], vec![0, 3]]);
        let rows = Transactions::from_sets(4, [vec![1, 2], vec![1], vec![2], vec![]]);
        let patterns = Patterns::new(&original, &rows, None);
        let view = SetView { items: &roles, patterns: Some(&patterns), ..view };
        let measured = |name: &str| {
            ALL.iter().find(|metric| metric.info().name == name).and_then(|m| m.measure(&view))
        };
        // Of 0, 1, 2, 3, 0 3 and 1 2 three are found.
        assert_eq!(measured("frequent-itemset-recall"), Some(0.5));
        assert_eq!(measured("frequent-itemset-precision"), Some(1.0));
        // Pairs of random records: 1 2 is counted rightly and 0 3 isn't found.
        let error = measured("query-error").unwrap();
        assert!((0.3..0.7).contains(&error), "{error}");
        assert_eq!(measured("distortion"), Some(1.0 / 5.0));
        let nothing = SetView { patterns: None, before: &[0; 4], after: &[0; 4], ..view };
        assert!(ALL.iter().all(|metric| metric.measure(&nothing).is_none()));
    }
}
