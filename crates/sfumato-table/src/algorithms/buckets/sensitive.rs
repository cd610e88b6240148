//! The sensitive column by which groups are made.

use sfumato_core::dataset::{Column, Table};
use sfumato_core::registry::{ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

/// The parameter that names the column.
pub(super) const ON: ParamSpec = ParamSpec::optional(
    "on",
    ParamKind::Text,
    "the sensitive column that groups are made by; needed where there are several",
);

/// The sensitive column that was named, or the only one.
pub(super) fn column<'a>(algorithm: &str, params: &Params, table: &'a Table) -> Result<&'a Column> {
    let sensitive = table.sensitive();
    let names =
        || sensitive.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
    match (params.text("on"), sensitive.as_slice()) {
        (_, []) => Err(Error::params(format!("{algorithm} needs a sensitive column"))
            .hint("name one with --sensitive COLUMN or role = \"sensitive\"")),
        (None, [only]) => Ok(only),
        (None, _) => Err(Error::unsupported(format!(
            "{algorithm} makes groups by one sensitive column, and there are {}",
            sensitive.len()
        ))
        .hint(format!(
            "say which with {algorithm}(on=COLUMN): {}; the others are asked for what the models \
                say, and nothing is done to keep it",
            names()
        ))),
        (Some(name), _) => {
            sensitive.iter().find(|column| column.name == name).copied().ok_or_else(|| {
                Error::params(format!("{algorithm}: '{name}' is not a sensitive column"))
                    .hint(format!("sensitive columns are {}", names()))
            })
        }
    }
}
