//! Shows a saved recoding: each column's tree with the published nodes marked, or its ranges on one
//! line.

use sfumato_core::dataset::{Hierarchy, NodeId};
use sfumato_core::{Error, Result};
use sfumato_hierarchy::draw_marked;

use super::saved::find_node;
use super::{SavedColumn, SavedFile, SavedValue, Shape};

/// Draw the columns of a recoding, or one of them, each in at most `lines` lines of `width`
/// characters below its heading.
pub fn draw_recoding(
    file: &SavedFile,
    only: Option<&str>,
    lines: usize,
    width: usize,
) -> Result<String> {
    if let Some(name) = only.filter(|name| !file.columns.iter().any(|column| column.name == *name))
    {
        let names: Vec<&str> = file.columns.iter().map(|column| column.name.as_str()).collect();
        return Err(Error::params(format!("the recoding has no quasi column '{name}'"))
            .hint(format!("its quasi columns are {}", names.join(", "))));
    }
    let mut text = String::new();
    for column in file.columns.iter().filter(|column| only.is_none_or(|name| column.name == name)) {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &draw_column(column, file.shape, lines, width)?;
    }
    Ok(text)
}

fn draw_column(column: &SavedColumn, shape: Shape, lines: usize, width: usize) -> Result<String> {
    let plain = |label: &str| -> String {
        label.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
    };
    let keeps_missing = column.values.contains(&SavedValue::Missing);
    let n = column.values.iter().filter(|value| **value != SavedValue::Missing).count();
    let noun = if n == 1 { "value" } else { "values" };
    let mut heading = format!("{}: {n} published {noun}", plain(&column.name));
    let Some(table) = column.level_table() else {
        let ranges = column.values.iter().filter_map(|value| match value {
            SavedValue::Range(from, to) if from == to => Some(plain(from)),
            SavedValue::Range(from, to) => Some(format!("[{}..{}]", plain(from), plain(to))),
            SavedValue::Any => Some("*".to_string()),
            SavedValue::Node(_) | SavedValue::Missing => None,
        });
        let all: Vec<String> = ranges.chain(keeps_missing.then(|| "missing".to_string())).collect();
        return Ok(format!("{heading}\n{}\n", in_a_line(&all, width)));
    };
    let (tree, _) = Hierarchy::from_levels(&table)?;
    let mut is_marked = vec![false; tree.n_nodes()];
    let nodes: Vec<NodeId> = column
        .values
        .iter()
        .filter_map(|value| match value {
            SavedValue::Node(path) => find_node(&tree, path),
            _ => None,
        })
        .collect();
    nodes.iter().for_each(|node| is_marked[*node as usize] = true);
    if let Some(level) = one_level(&tree, &nodes).filter(|_| shape == Shape::Cuts) {
        heading += &format!(", level {level} of {}", tree.n_levels() - 1);
    }
    if column.values.contains(&SavedValue::Any) {
        heading += ", one of them * for anything";
    }
    if keeps_missing {
        heading += "; missing stays missing";
    }
    let drawn = draw_marked(&tree, lines, width, &|node| is_marked[node as usize]);
    Ok(format!("{heading}\n{drawn}"))
}

/// The common level of all nodes, if they have one.
fn one_level(tree: &Hierarchy, nodes: &[NodeId]) -> Option<usize> {
    let level = tree.level(*nodes.first()?);
    nodes.iter().all(|node| tree.level(*node) == level).then_some(level)
}

/// As many texts as fit on a line, then how many more there are.
fn in_a_line(texts: &[String], width: usize) -> String {
    let whole = texts.join(" ");
    if whole.chars().count() <= width {
        return whole;
    }
    let mut line = String::new();
    for (shown, text) in texts.iter().enumerate() {
        let rest = format!("… {} more", texts.len() - shown);
        if line.chars().count() + text.chars().count() + 1 + rest.chars().count() > width {
            return line + &rest;
        }
        line += text;
        line.push(' ');
    }
    line
}
