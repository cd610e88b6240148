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
    let bound = models.iter().map(|model| recall::bind_about_earlier(model));
    let bound: Vec<_> = bound.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    let joins = recall::asked_joins(bound.iter().map(|asked| asked.as_ref()));
    let releases = match joins.is_empty() {
        true => recall::of_ledger(ledger, &first.columns)?,
        false => recall::as_recorded(ledger, &first.columns)?,
    };
    let has = |name: &String| releases.iter().any(|release| release.columns.contains(name));
    if let Some((column, _)) = named.iter().find(|(name, _)| !has(name)) {
        return Err(Error::params(format!("'{column}' is no quasi column of the releases"))
            .hint(format!("they have: {}", first.columns.join(", "))));
    }
    let mut found = Vec::new();
    let mut chain: Option<Chain> = None;
    for asked in bound.iter().filter(|asked| asked.scope() == Scope::Earlier) {
        if chain.is_none() {
            let meanings = recall::meanings(&releases, named)?;
            let own = releases.first().map_or(&[][..], |first| &first.columns);
            let elsewhere = recall::noted_elsewhere(&releases, own, named)?;
            let (releases, asked) = (releases.clone(), joins.clone());
            let past = Past { releases, meanings, asked, elsewhere, ..Past::default() };
            chain = Some(past.chain()?);
        }
        found.extend(asked.judge_chain(chain.as_ref().unwrap_or(&Chain::default()))?);
    }
    Ok(found)
}
