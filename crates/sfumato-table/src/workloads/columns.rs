//! Columns that a task names, looked up in the table.

use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::registry::{ParamKind, ParamSpec, Params};
use sfumato_core::workload::{Target, TargetKind};
use sfumato_core::{Error, Result};

/// The parameter that both kinds of prediction share.
pub const FEATURES: ParamSpec = ParamSpec::optional(
    "features",
    ParamKind::List,
    "the columns that models predict from; left out, all quasi columns",
);
/// The parameter for the weight of a task.
pub const WEIGHT: ParamSpec = ParamSpec::with_default(
    "weight",
    ParamKind::Number { min: 0.0, above: true, max: 1e9 },
    "1",
    "how much the task counts beside others",
);

/// The place of a column.
pub fn place(owner: &str, table: &Table, name: &str) -> Result<usize> {
    table.columns.iter().position(|column| column.name == name).ok_or_else(|| {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        Error::params(format!("{owner}: there is no column '{name}' in the release"))
            .hint(format!("its columns are {}", names.join(", ")))
    })
}

/// The place of a quasi column among all columns.
pub fn quasi_place(owner: &str, table: &Table, name: &str) -> Result<usize> {
    let place = place(owner, table, name)?;
    match table.columns[place].role {
        Role::Quasi => Ok(place),
        role => Err(Error::params(format!(
            "{owner}: column '{name}' has the role {}, and only quasi columns are recoded",
            role.name()
        ))),
    }
}

/// The place of a quasi column among the quasi columns.
pub fn among_quasi(table: &Table, place: usize) -> usize {
    table.columns[..place].iter().filter(|column| column.role == Role::Quasi).count()
}

/// The targets of a prediction task: one for each column named.
pub fn targets(
    owner: &'static str,
    kind: TargetKind,
    params: &Params,
    table: &Table,
    check: impl Fn(&Column) -> Result<()>,
) -> Result<Vec<Target>> {
    let names = params.list("target").unwrap_or_default();
    let mut columns = Vec::with_capacity(names.len());
    for name in &names {
        let column = place(owner, table, name)?;
        if table.columns[column].role == Role::Quasi {
            return Err(Error::params(format!(
                "{owner}: the target '{name}' is a quasi column, so that a recipient doesn't see \
                    its values"
            ))
            .hint("give it the role target, sensitive or keep"));
        }
        check(&table.columns[column])?;
        columns.push(column);
    }
    let features = match params.list("features") {
        None => {
            (0..table.columns.len()).filter(|c| table.columns[*c].role == Role::Quasi).collect()
        }
        Some(given) => {
            let mut places =
                given.iter().map(|name| place(owner, table, name)).collect::<Result<Vec<_>>>()?;
            places.sort_unstable();
            places.dedup();
            places
        }
    };
    if let Some(own) = columns.iter().find(|column| features.contains(column)) {
        return Err(Error::params(format!(
            "{owner}: column '{}' is a target and a feature of the same task",
            table.columns[*own].name
        )));
    }
    if !features.iter().any(|feature| table.columns[*feature].role == Role::Quasi) {
        return Err(Error::params(format!("{owner}: none of the features is a quasi column"))
            .hint("nothing that this task reads is recoded, so leave the task out"));
    }
    let weight = params.number("weight");
    Ok(columns
        .into_iter()
        .map(|column| Target { column, kind, features: features.clone(), weight })
        .collect())
}
