//! Judges the releases of a ledger together, on what the ledger recorded of them.

use sfumato_core::chain::{Chain, Published};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::Call;
use sfumato_core::traits::Scope;
use sfumato_core::{Error, Result};
use sfumato_engine::ledger::Ledger;

use super::{Past, recall};

/// Judge the models of the ledger, of its last release, and `more` on all releases together.
/// `named` says what the labels of columns mean where the ledger didn't record that.
pub fn judge(ledger: &Ledger, more: &[String], named: &[(String, Call)]) -> Result<Vec<Guarantee>> {
    let releases = ledger.releases();
    let Some(last) = releases.last() else { return Ok(Vec::new()) };
    let of_ledger = ledger.begun()?.models.iter();
    let mut models: Vec<String> = of_ledger.chain(&last.models).cloned().collect();
    models.extend(more.iter().cloned());
    models.sort();
    models.dedup();
    let first: Published = serde_json::from_value(last.facts.clone()).map_err(|error| {
        Error::input(format!("what the ledger recorded can't be read: {error}"))
    })?;
    if let Some((column, _)) = named.iter().find(|(name, _)| !first.columns.contains(name)) {
        return Err(Error::params(format!("'{column}' is no quasi column of the releases"))
            .hint(format!("they have: {}", first.columns.join(", "))));
    }
    let releases = recall::of_ledger(ledger, &first.columns)?;
    let mut found = Vec::new();
    let mut chain: Option<Chain> = None;
    for model in &models {
        let bound = recall::bind_about_earlier(model)?;
        for asked in bound.iter().filter(|asked| asked.scope() == Scope::Earlier) {
            if chain.is_none() {
                let meanings = recall::meanings(&releases, named)?;
                let past = Past { releases: releases.clone(), meanings, ..Past::default() };
                chain = Some(past.chain()?);
            }
            found.extend(asked.judge_chain(chain.as_ref().unwrap_or(&Chain::default()))?);
        }
    }
    Ok(found)
}
