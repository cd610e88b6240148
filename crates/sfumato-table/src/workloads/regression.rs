//! Regression: models will predict a number from features.

use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::WorkloadTask;
use sfumato_core::workload::{TargetKind, Workload};
use sfumato_core::{Error, Result};

use crate::workloads::columns::{FEATURES, WEIGHT, targets};

/// The task `regression`, an entry of the registry.
pub struct Regression;

static INFO: Info = Info {
    name: "regression",
    summary: "models will predict one or more numbers",
    papers: &[super::LEFEVRE],
    params: &[
        ParamSpec::required(
            "target",
            ParamKind::List,
            "the column of numbers, or several in brackets",
        ),
        FEATURES,
        WEIGHT,
    ],
    doc: "\
`regression(target=income)` keeps different values of a target apart: regions are chosen so that \
the squared error of the target
within them is low. Several targets, and targets of both kinds, are added after each was divided \
by what it is in the whole table, so
that neither a large unit nor a rare class decides (the paper adds squared errors in their own \
units; with one target there is no
difference). A record whose target is missing doesn't count.

Features are those of `classification`. Used by: `mondrian`. Measured by: `sfumato evaluate`.",
    ..Info::DEFAULT
};

impl WorkloadTask for Regression {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn bind(&self, params: &Params, table: &Table, workload: &mut Workload) -> Result<()> {
        workload.targets.extend(targets(
            INFO.name,
            TargetKind::Numbers,
            params,
            table,
            |column| match column.domain.is_empty() || column.domain.kind.is_ordered() {
                true => Ok(()),
                false => Err(Error::params(format!(
                    "regression: the target '{}' isn't a number but {}",
                    column.name,
                    column.domain.kind.name()
                ))
                .hint("classes are predicted with classification(target=...)")),
            },
        )?);
        Ok(())
    }
}
