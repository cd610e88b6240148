//! Clusters before and after: what k and the number of clusters leave of them, on a sample of rows
//! unless all are asked for.

use std::sync::Arc;

use serde_json::{Value, json};
use sfumato::Clusters;

use super::work::{LARGEST_SAMPLE, parsed, place, sampled, without_format};
use super::{Outcome, Task};
use crate::site::Site;
use crate::site::errors::Failure;
use crate::site::jobs::Asked;
use crate::site::preview::must_have;

/// How many rows are clustered if nobody says: several algorithms are tried, each twice.
const SAMPLE: u64 = 2000;
/// The largest number of clusters that is drawn.
const MOST: u64 = 30;

pub(super) fn begin(site: &Arc<Site>, asked: Asked, said: &Value) -> Result<Arc<Task>, Failure> {
    let title = must_have(&asked, "input", "path")?.to_string();
    if !asked.is_table() {
        return Err(Failure::wrong("only rows of tables have clusters here", "choose a table"));
    }
    let number = said.get("clusters").and_then(Value::as_u64).unwrap_or(5);
    if !(2..=MOST).contains(&number) {
        let message = format!("{number} clusters can't be drawn");
        return Err(Failure::wrong(&message, &format!("take 2 to {MOST}")));
    }
    let is_whole = said.get("whole").and_then(Value::as_bool) == Some(true);
    let rows = said.get("sample").and_then(Value::as_u64).unwrap_or(SAMPLE).min(LARGEST_SAMPLE);
    let names = said.get("algorithms").and_then(Value::as_array).cloned().unwrap_or_default();
    let names: Vec<String> =
        names.iter().filter_map(|name| Some(name.as_str()?.to_string())).collect();
    let inner = Arc::clone(site);
    site.tasks.begin("clusters", title, move |task| {
        let failed = |error: sfumato::Error| Failure::of(&error, &inner.folder);
        let asked = if is_whole { asked } else { without_format(asked, &inner)? };
        let clusters = Clusters::new(&asked.job)
            .numbers([number])
            .algorithms(names)
            .progress(|progress| task.tell(progress))
            .cancel(&task.cancel);
        let (found, of) = match is_whole {
            true => {
                let path = place(&inner, asked.text("input", "path").unwrap_or_default())?;
                (clusters.data(path).map_err(failed)?, None)
            }
            false => {
                let (batch, of) = sampled(&inner, &asked, rows as usize)?;
                (clusters.data(batch).map_err(failed)?, of)
            }
        };
        let mut result = parsed(&found.to_json())?;
        let numbers = result["numbers"].as_array_mut().into_iter().flatten();
        for (at, number) in numbers.enumerate() {
            let arms = number["arms"].as_array_mut().into_iter().flatten();
            for (place, arm) in arms.enumerate() {
                arm["both"] = json!(found.both(at, place));
            }
        }
        result["input"] = asked.text("input", "path").into();
        result["is_sample"] = (!is_whole).into();
        result["sampled_from"] = of.into();
        result["is_feasible"] = found.is_feasible().into();
        Ok(Outcome { result, pages: Vec::new() })
    })
}
