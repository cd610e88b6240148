//! `POST /api/v1/rows`: the first rows of a table, and how often two columns take which values
//! together: the release as a map.

use std::sync::Arc;

use axum::extract::{Request, State};
use serde_json::{Value, json};
use sfumato_core::column::RawTable;
use sfumato_core::{Error, FastMap, Result};

use super::answer::{self, Answer};
use super::jobs::Asked;
use super::preview::{Deadline, aside, first_rows, input_of, shortened};
use super::sample::{self, Head};
use super::{Site, body};

/// How many pairs of values are told.
const MOST_PAIRS: usize = 4000;

/// `POST /api/v1/rows`
pub(crate) async fn rows(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let request = body::json(request).await?;
    let asked = Asked::of(&request, &site.folder)?;
    let pair = request.get("pair").and_then(Value::as_array).map(|pair| {
        pair.iter().filter_map(|name| Some(name.as_str()?.to_string())).collect::<Vec<_>>()
    });
    let found = aside(&site, move |site| look(site, &asked, pair.as_deref())).await?;
    answer::json(&found)
}

fn look(site: &Site, asked: &Asked, pair: Option<&[String]>) -> Result<Value> {
    let mut input = input_of(site, asked)?;
    let head = Head::spread(std::path::Path::new(&input.path))?;
    input = head.instead(input);
    let table = sample::table(&input, &Deadline::new())?;
    let mut found = json!({
        "columns": table.header,
        "rows": first_rows(&table),
        "n_rows": table.n_rows,
        "is_part": head.part.is_some(),
    });
    if let Some([one, other]) = pair {
        found["pairs"] = pairs(&table, one, other)?.into();
    }
    Ok(found)
}

/// How many rows have which two values, in the order of their first row.
fn pairs(table: &RawTable, one: &str, other: &str) -> Result<Vec<Value>> {
    let column = |name: &str| {
        let missing = || Error::params(format!("the file has no column '{name}'"));
        table.column(name).ok_or_else(missing)
    };
    let (one, other) = (column(one)?, column(other)?);
    let mut counts: FastMap<(u32, u32), u64> = FastMap::default();
    let mut order = Vec::new();
    for row in 0..table.n_rows {
        let key = (one.codes.get(row), other.codes.get(row));
        let count = counts.entry(key).or_insert(0);
        if *count == 0 {
            order.push(key);
        }
        *count += 1;
    }
    let told = order.iter().take(MOST_PAIRS);
    Ok(told
        .map(|(a, b)| {
            let (x, y) = (shortened(one.values.get(*a)), shortened(other.values.get(*b)));
            json!([x, y, counts[&(*a, *b)]])
        })
        .collect())
}
