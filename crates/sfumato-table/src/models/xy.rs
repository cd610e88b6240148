//! What the (X,Y) models share: the columns X that an attacker joins by, which may be fewer than
//! all quasi columns.

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Scope};
use sfumato_core::{Error, Result};

/// The parameter for the columns X.
pub(crate) const X: ParamSpec = ParamSpec::optional(
    "x",
    ParamKind::List,
    "the quasi columns X that an attacker knows, as [a, b]; all of them without it",
);

/// The paper that introduces the models.
pub(crate) const WANG_FUNG: Paper = Paper {
    authors: "K. Wang, B. C. M. Fung",
    title: "Anonymizing sequential releases",
    venue: "ACM SIGKDD International Conference on Knowledge Discovery and Data Mining (KDD)",
    year: 2006,
};

/// The groups that agree on X.
pub(crate) fn scope(info: &'static Info, params: &Params, bind: &Bind<'_>) -> Result<Scope> {
    let all = || (0..bind.quasi.len()).collect();
    let columns = match params.list("x") {
        None => all(),
        Some(names) if names.is_empty() => {
            return Err(Error::params(format!("{}: x names no column", info.name))
                .hint("leave x out to mean all quasi columns"));
        }
        Some(names) => {
            let mut columns = bind.quasi_named(&names, info)?;
            columns.sort_unstable();
            columns.dedup();
            columns
        }
    };
    Ok(Scope::Projection(vec![columns]))
}
