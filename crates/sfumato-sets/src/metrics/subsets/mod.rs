//! Metrics for subsets of baskets: one file each, listed once. They compare how often each item
//! occurs before and after.

sfumato_core::registry! {
    /// All metrics for baskets, in the order of the catalogue.
    dyn crate::traits::SetMetric:
    utility_retained::UtilityRetained,
    instances_retained::InstancesRetained,
    items_retained::ItemsRetained,
}

#[cfg(test)]
mod tests {
    use crate::data::Items;
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
        };
        let measured: Vec<f64> = ALL.iter().filter_map(|metric| metric.measure(&view)).collect();
        assert_eq!(measured, [16.0 / 29.0, 4.0 / 6.0, 0.5]);
        let nothing = SetView { before: &[0; 4], after: &[0; 4], ..view };
        assert!(ALL.iter().all(|metric| metric.measure(&nothing).is_none()));
    }
}
