//! What the report says about statistics of regions: that they are made from real values, and how
//! many were withheld. It shows no value itself.

use sfumato_core::dataset::Table;
use sfumato_report as shown;

use super::{ColumnForms, StatisticColumn, Statistics};
use crate::forms::generalized::make_plan::Plan;

/// The statistics in the private report.
pub fn shown(plan: &Plan, table: &Table, statistics: &Statistics) -> Vec<shown::RegionStatistic> {
    let one = |statistic: &StatisticColumn| shown::RegionStatistic {
        name: statistic.part.name(&table.columns[statistic.column].name),
        column: table.columns[statistic.column].name.clone(),
        statistic: statistic.part.word().into(),
        snap: plan.forms.of(statistic.column).and_then(|forms| forms.snap).map(|snap| snap.number),
        data_bearing: true,
        classes: statistic.tallied.classes,
        empty: statistic.tallied.empty,
        withheld_small: statistic.tallied.small,
        withheld_dominated: statistic.tallied.dominated,
        withheld_records: statistic.tallied.records,
    };
    statistics.columns.iter().map(one).collect()
}

/// Warnings for the steward before publishing them.
pub fn warnings(plan: &Plan, table: &Table, statistics: &Statistics) -> Vec<String> {
    let names = |forms: &ColumnForms| -> Vec<String> {
        forms.parts().map(|part| part.name(&table.columns[forms.column].name)).collect()
    };
    let mut warnings = Vec::new();
    for (snapped, how) in
        [(false, "; a snap rounds to a grid"), (true, ", snapped to the grid that was asked for")]
    {
        let forms = plan.forms.columns.iter().filter(|forms| forms.snap.is_some() == snapped);
        let list: Vec<String> = forms.flat_map(names).collect();
        if !list.is_empty() {
            let verb = if list.len() == 1 { "is" } else { "are" };
            warnings
                .push(format!("{} {verb} made from real values of the data{how}", list.join(", ")));
        }
    }
    let n = shown::numbers::count;
    for statistic in &statistics.columns {
        let tallied = &statistic.tallied;
        if tallied.small + tallied.dominated > 0 {
            warnings.push(format!(
                "{} is withheld in {} of {} classes ({} records): {} with too few people, {} \
                    dominated by one person",
                statistic.part.name(&table.columns[statistic.column].name),
                n(tallied.small + tallied.dominated),
                n(tallied.classes),
                n(tallied.records),
                n(tallied.small),
                n(tallied.dominated)
            ));
        }
    }
    warnings
}
