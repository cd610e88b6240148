//! Projection: only some of the quasi columns will be used together.

use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::WorkloadTask;
use sfumato_core::workload::Workload;

use crate::workloads::columns::{among_quasi, quasi_place};

/// The task `projection`, an entry of the registry.
pub struct Projection;

static INFO: Info = Info {
    name: "projection",
    summary: "only some of the quasi columns will be used",
    papers: &[super::LEFEVRE],
    params: &[ParamSpec::required(
        "columns",
        ParamKind::List,
        "the quasi columns that will be used together",
    )],
    doc: "\
`projection(columns=[age, region])`: a recipient will use these quasi columns and no others. Where \
no other task decides, regions are
split on columns that some projection names, and on others only when those can't be split any more.

The paper measures what projections do to a release but doesn't steer by them; that is ours. Used \
by: `mondrian`.",
    ..Info::DEFAULT
};

impl WorkloadTask for Projection {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn bind(&self, params: &Params, table: &Table, workload: &mut Workload) -> Result<()> {
        let mut columns = Vec::new();
        for name in params.list("columns").unwrap_or_default() {
            columns.push(among_quasi(table, quasi_place(INFO.name, table, &name)?));
        }
        columns.sort_unstable();
        columns.dedup();
        workload.projections.push(columns);
        Ok(())
    }
}
