//! `POST /api/v1/hierarchy`: a tree for a column, built from its values or loaded from a file, as
//! levels from the leaves to the top.

use std::sync::Arc;

use axum::extract::{Request, State};
use serde_json::{Value, json};
use sfumato_core::Result;
use sfumato_core::dataset::{Hierarchy, LevelTable};
use sfumato_table::{flags, hierarchy};

use super::answer::{self, Answer};
use super::jobs::Asked;
use super::preview::{Deadline, aside, input_of, must_have};
use super::sample::Head;
use super::{Site, body};

/// How many values are shown in a tree.
const MOST: usize = 3000;

/// `POST /api/v1/hierarchy`
pub(crate) async fn build(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let request = body::json(request).await?;
    let asked = Asked::of(&request, &site.folder)?;
    must_have(&asked, "input", "path")?;
    let column = body::text(&request, "column")?.to_string();
    let how = body::text(&request, "how")?.to_string();
    let found = aside(&site, move |site| tree(site, &asked, &column, &how)).await?;
    answer::json(&found)
}

fn tree(site: &Site, asked: &Asked, column: &str, how: &str) -> Result<Value> {
    let Built { levels, is_part } = built(site, asked, column, how)?;
    let findings: Vec<String> =
        sfumato_hierarchy::check(&levels).iter().map(|finding| finding.to_string()).collect();
    Ok(json!({
        "column": column,
        "values": levels.n_leaves(),
        "levels": shown(&levels),
        "is_cut": levels.n_leaves() > MOST,
        "is_part": is_part,
        "findings": findings,
        "csv": sfumato_hierarchy::to_csv(&levels, ';'),
    }))
}

/// A tree, and whether only the beginning of the file was looked at for its values.
pub(crate) struct Built {
    pub(crate) levels: LevelTable,
    is_part: bool,
}

/// Build or load the tree of a column.
pub(crate) fn built(site: &Site, asked: &Asked, column: &str, how: &str) -> Result<Built> {
    let mut input = input_of(site, asked)?;
    let head = Head::spread(std::path::Path::new(&input.path))?;
    input = head.instead(input);
    // A builder that reads a file names one below the folder, like any text of a job.
    let mut call = flags::hierarchy(how)?;
    let as_job: toml::Table = [(
        "columns".to_string(),
        toml::Value::Table(
            [(column.to_string(), toml::Value::String(call.to_string()))].into_iter().collect(),
        ),
    )]
    .into_iter()
    .collect();
    site.folder.check_job(&as_job)?;
    for argument in call.args.values_mut() {
        if let sfumato_core::registry::Argument::Word(word) = argument
            && site.folder.below(word).is_ok_and(|path| path.is_file())
        {
            *word = site.folder.root().join(&*word).display().to_string();
        }
    }
    let levels = hierarchy::build(&input, column, &call, &Deadline::new())?;
    Hierarchy::from_levels(&levels)?;
    Ok(Built { levels, is_part: head.part.is_some() })
}

/// The labels of each value, from itself to the top.
fn shown(levels: &LevelTable) -> Vec<Vec<String>> {
    let row = |leaf| levels.row(leaf).map(String::from).collect();
    (0..levels.n_leaves().min(MOST)).map(row).collect()
}
