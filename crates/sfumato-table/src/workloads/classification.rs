//! Classification: models will predict a class from features.

use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::WorkloadTask;
use sfumato_core::workload::{TargetKind, Workload};
use sfumato_core::{Error, Result};

use crate::workloads::columns::{FEATURES, WEIGHT, targets};

/// The task `classification`, an entry of the registry.
pub struct Classification;

static INFO: Info = Info {
    name: "classification",
    summary: "models will predict one or more class columns",
    papers: &[super::LEFEVRE],
    params: &[
        ParamSpec::required("target", ParamKind::List, "the class column, or several in brackets"),
        FEATURES,
        WEIGHT,
    ],
    doc: "\
`classification(target=salary-class)` keeps the classes of a target apart: regions are chosen so \
that the entropy of the target
within them is low. With several targets the entropies are added, each with its weight.

Features default to all quasi columns. A feature that isn't a quasi column leaves as it is, so a \
recipient sees it exactly: then the
target need only be pure where the region *and* these features are equal, and promises about a \
sensitive target cost less.
Numbers among such features are looked at in eight bands of about equal frequency.

A target must not be a quasi column. One with more than 4,096 classes is refused: predict numbers \
with `regression` instead.
Used by: `mondrian`. Measured by: `sfumato evaluate`.",
    ..Info::DEFAULT
};

/// The largest number of classes: columns with more are probably numbers.
const MOST_CLASSES: usize = 4096;

impl WorkloadTask for Classification {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn bind(&self, params: &Params, table: &Table, workload: &mut Workload) -> Result<()> {
        workload.targets.extend(targets(
            INFO.name,
            TargetKind::Classes,
            params,
            table,
            |column| match column.domain.len() > MOST_CLASSES {
                true => Err(Error::params(format!(
                    "classification: the target '{}' has {} classes, more than {MOST_CLASSES}",
                    column.name,
                    column.domain.len()
                ))
                .hint("numbers are predicted with regression(target=...)")),
                false => Ok(()),
            },
        )?);
        Ok(())
    }
}
