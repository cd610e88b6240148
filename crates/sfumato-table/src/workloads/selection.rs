//! Selection: some records will be selected by a predicate.

use sfumato_core::Result;
use sfumato_core::dataset::Table;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::WorkloadTask;
use sfumato_core::workload::{Predicate, Selection as Rectangle, Workload};

use crate::workloads::columns::WEIGHT;

/// The task `selection`, an entry of the registry.
pub struct Selection;

static INFO: Info = Info {
    name: "selection",
    summary: "records will be selected by a rectangular predicate over the quasi columns",
    papers: &[super::LEFEVRE],
    params: &[
        ParamSpec::required(
            "where",
            ParamKind::Text,
            "the predicate, such as \"age >= 40 and sex = Male\"",
        ),
        WEIGHT,
    ],
    doc: "\
`selection(where=\"age >= 40 and sex = Male\", weight=2)`. Over a release, a selection returns the \
records of every region that
overlaps the predicate's rectangle; its imprecision is how many records that is too many. Regions \
are first split as long as a split
lowers the weighted sum of all selections' imprecision; then other tasks, or the usual criterion, \
go on.

A predicate is a conjunction of `column = value`, `<`, `<=`, `>`, `>=` and `column in a..b` (both \
included); `or` is two selections. For
a column with a hierarchy a value may be the label of any node. Names and values with blanks stand \
in quotes. Missing values are
selected only by predicates that don't name their column. Used by: `mondrian`. Measured by: \
`sfumato evaluate`, `sfumato query`.",
    ..Info::DEFAULT
};

impl WorkloadTask for Selection {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn bind(&self, params: &Params, table: &Table, workload: &mut Workload) -> Result<()> {
        let predicate: Predicate = params.text("where").unwrap_or_default().parse()?;
        workload.selections.push(Rectangle {
            intervals: predicate.intervals(&table.quasi())?,
            text: predicate.to_string(),
            weight: params.number("weight"),
        });
        Ok(())
    }
}
