//! What the manifest of randomized baskets says: the operator, which recipients need to recover
//! anything.

use sfumato_core::{Error, Result};
use sfumato_engine::form::Written;
use sfumato_engine::manifest::{Described, Manifest};
use toml::Value;

use super::Randomized;
use super::read_back::{RandomRead, layout_of};
use crate::algorithms::randomization::operator::{Operator, SizeOperator};
use crate::forms::release_file::describe_file;
use crate::kind::Baskets;

/// What the manifest of a release says.
pub(super) fn describe(written: &Written<'_, Baskets, Randomized>, read: &RandomRead) -> Described {
    let layout = layout_of(&written.data.release_layout);
    let rows = read.rows.len() as u64;
    let mut described = describe_file(&layout, rows, &read.sha256, Vec::new());
    let operator = &written.decision().operator;
    described.details.insert("items".into(), i64::from(operator.n_items).into());
    let of_size = |of: &SizeOperator| {
        let mut table = toml::Table::new();
        table.insert("size".into(), i64::from(of.size).into());
        table.insert("rho".into(), of.rho.into());
        let keep = of.keep.iter().map(|p| Value::from(*p)).collect();
        table.insert("keep".into(), Value::Array(keep));
        Value::Table(table)
    };
    let by_size = operator.by_size.iter().map(of_size).collect();
    described.details.insert("operator".into(), Value::Array(by_size));
    described
}

/// The operator that a manifest tells.
pub(super) fn operator_of(manifest: &Manifest) -> Result<Operator> {
    let unsaid = || Error::input("the manifest doesn't say how sets were randomized");
    let number = |value: &Value| match value {
        Value::Float(number) => Some(*number),
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    };
    let of_size = |value: &Value| {
        let size = u32::try_from(value.get("size")?.as_integer()?).ok()?;
        let rho = number(value.get("rho")?)?;
        let keep = value.get("keep")?.as_array()?.iter().map(number).collect::<Option<_>>()?;
        Some(SizeOperator { size, rho, keep })
    };
    let items = manifest.details.get("items").and_then(Value::as_integer);
    let list = manifest.details.get("operator").and_then(Value::as_array).ok_or_else(unsaid)?;
    let operator = Operator {
        n_items: items.and_then(|n| u32::try_from(n).ok()).ok_or_else(unsaid)?,
        by_size: list.iter().map(of_size).collect::<Option<_>>().ok_or_else(unsaid)?,
    };
    operator.check()?;
    Ok(operator)
}
