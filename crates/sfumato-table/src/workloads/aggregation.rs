//! Aggregation: sums, means and extremes of a column will be asked for.

use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::WorkloadTask;
use sfumato_core::workload::{RegionStatistic, Statistic, Workload};
use sfumato_core::{Error, Result};

use crate::workloads::columns::quasi_place;

/// The task `aggregation`, an entry of the registry.
pub struct Aggregation;

static INFO: Info = Info {
    name: "aggregation",
    summary: "aggregates of a quasi column will be computed, so its regions carry statistics",
    papers: &[super::LEFEVRE],
    params: &[
        ParamSpec::required(
            "column",
            ParamKind::List,
            "the quasi column of numbers or dates, or several in brackets",
        ),
        ParamSpec::optional(
            "statistics",
            ParamKind::List,
            "what a region carries: range (its smallest and largest value) or mean; left out, both",
        ),
    ],
    doc: "\
`aggregation(column=age, statistics=[range, mean])`: beside the generalized value, the release \
carries the smallest and the largest
value (for MIN and MAX) or the mean (for AVG and SUM) of each region's records, in columns of \
their own: `age.min`, `age.max`, `age.mean`.
It is the same as `publish` of the column in release.toml.

These statistics are made from the data: they are marked data-bearing, can be snapped to a grid, \
and are left out where one record
dominates; see `docs/regions.md`. `sfumato query` uses them.",
    ..Info::DEFAULT
};

impl WorkloadTask for Aggregation {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn bind(&self, params: &Params, table: &Table, workload: &mut Workload) -> Result<()> {
        let mut statistics = Vec::new();
        for word in params.list("statistics").unwrap_or_else(|| vec!["range".into(), "mean".into()])
        {
            statistics.push(match word.as_str() {
                "range" | "min" | "max" => Statistic::Range,
                "mean" | "avg" | "sum" => Statistic::Mean,
                other => {
                    return Err(Error::params(format!(
                        "aggregation: there is no statistic '{other}'"
                    ))
                    .hint("there are range (for MIN and MAX) and mean (for AVG and SUM)"));
                }
            });
        }
        for name in params.list("column").unwrap_or_default() {
            let column = quasi_place(INFO.name, table, &name)?;
            let domain = &table.columns[column].domain;
            if !domain.kind.is_ordered() && !domain.is_empty() {
                return Err(Error::params(format!(
                    "aggregation: column '{name}' isn't a number but {}",
                    domain.kind.name()
                )));
            }
            for &statistic in &statistics {
                let wanted = RegionStatistic { column, statistic };
                if !workload.statistics.contains(&wanted) {
                    workload.statistics.push(wanted);
                }
            }
        }
        Ok(())
    }
}
