//! What most models share when they are bound to a table: the parameters `on` and `values`, the
//! text of a bound requirement, and the histogram that it reads.

use sfumato_core::Result;
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::registry::{Argument, Call, Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Requirement};

/// The parameter that names the sensitive column.
pub(crate) const ON: ParamSpec = ParamSpec::optional(
    "on",
    ParamKind::Text,
    "the sensitive column; without it the model is asked of each sensitive column",
);

/// The parameter for the size of a group.
pub(crate) const K: ParamSpec = ParamSpec::required(
    "k",
    ParamKind::Integer { min: 1, max: i64::MAX },
    "the least number of people",
);

/// One requirement per sensitive column that the model is about. `make` is called with the column's
/// place among the sensitive ones and the text of the requirement.
pub(crate) fn per_column(
    info: &'static Info,
    params: &Params,
    bind: &Bind<'_>,
    mut make: impl FnMut(usize, String) -> Result<Box<dyn Requirement>>,
) -> Result<Vec<Box<dyn Requirement>>> {
    let describe = |column: usize| {
        let on = ("on", Argument::Word(bind.sensitive[column].name.to_string()));
        describe(info, params, [on])
    };
    bind.on(params, info)?.into_iter().map(|column| make(column, describe(column))).collect()
}

/// The model with all its parameters, some of them replaced by their resolved values.
pub(crate) fn describe(
    info: &'static Info,
    params: &Params,
    resolved: impl IntoIterator<Item = (&'static str, Argument)>,
) -> String {
    let given = params.values().iter().map(|(name, value)| ((*name).to_string(), value.clone()));
    let resolved = resolved.into_iter().map(|(name, value)| (name.to_string(), value));
    Call { name: info.name.to_string(), args: given.chain(resolved).collect() }.to_string()
}

/// The histogram of a sensitive column.
pub(crate) fn histogram(summary: &Summary, column: usize) -> &Histogram {
    summary
        .histograms
        .get(column)
        .expect("a requirement's histograms() are counted for every group it is asked about")
}
