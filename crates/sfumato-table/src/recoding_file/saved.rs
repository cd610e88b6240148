//! The format of a recoding file: JSON, version 1.

use serde::{Deserialize, Serialize};
use sfumato_core::dataset::{Column, Hierarchy, LevelTable, NodeId, ValueKind};
use sfumato_core::recoding::{Cut, Recoding, Value};
use sfumato_core::{Error, Result};

use crate::data::encode::Encoded;
use crate::job::Job;

/// The value of the field `format`.
pub const FORMAT: &str = "sfumato-recoding";

/// The value of the field `note`.
pub const NOTE: &str = "keep private: bounds and labels in this file are real values of the data";

/// The kind of decision that is saved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Each class is one region. This is the default for files that name no shape.
    #[default]
    Boxes,
    /// Each column is recoded on its own: a value of the data is published as the smallest listed
    /// value that covers it, and a class is one combination of published values.
    Cuts,
}

/// A saved recoding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedFile {
    /// Always [`FORMAT`].
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// What kind of decision it is.
    #[serde(default)]
    pub shape: Shape,
    /// A warning to everybody who opens the file.
    pub note: String,
    /// The job that made it: roles, types and models.
    pub job: Job,
    /// One per quasi column, in file order.
    pub columns: Vec<SavedColumn>,
    /// The hierarchies of sensitive columns, on which distances between their values depend.
    #[serde(default)]
    pub sensitive: Vec<SavedColumn>,
    /// For each class, an index into the values of each column. Cuts have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<Vec<u32>>,
}

/// A quasi column of a saved recoding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedColumn {
    /// The name of the column.
    pub name: String,
    /// The kind of its values: integer, decimal, float, date, datetime, time or text. Older files
    /// don't say.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The hierarchy of the column: for each leaf the labels from itself to the root. `None` for
    /// ranges.
    pub levels: Option<Vec<Vec<String>>>,
    /// The distinct published values. For a cut, all values, whether they are published or not.
    pub values: Vec<SavedValue>,
}

/// A published value that doesn't depend on the codes of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SavedValue {
    /// A node: the labels on the path from below the root to it. A path is needed because labels
    /// repeat.
    Node(Vec<String>),
    /// First and last value of a range.
    Range(String, String),
    /// A missing value.
    Missing,
    /// Any value.
    Any,
}

impl SavedFile {
    /// Make a file from the decision of a run.
    pub fn new(job: &Job, encoded: &Encoded, recoding: &dyn Recoding) -> Self {
        let quasi = encoded.table.quasi();
        let values = |index: usize, column: &Column| match recoding.cuts() {
            Some(cuts) => SavedValue::of_cut(&cuts[index], column),
            None => recoding
                .column(index)
                .values
                .iter()
                .map(|value| SavedValue::new(*value, column))
                .collect(),
        };
        let column = |(index, column): (usize, &&Column)| SavedColumn {
            values: values(index, column),
            ..SavedColumn::without_values(column)
        };
        let region = |class: usize| {
            (0..quasi.len()).map(|index| recoding.column(index).of_class[class]).collect()
        };
        let (shape, n_regions) = match recoding.cuts() {
            Some(_) => (Shape::Cuts, 0),
            None => (Shape::Boxes, recoding.n_classes()),
        };
        SavedFile {
            format: FORMAT.into(),
            version: 1,
            shape,
            note: NOTE.into(),
            job: job.clone(),
            columns: quasi.iter().enumerate().map(column).collect(),
            sensitive: encoded
                .table
                .sensitive()
                .iter()
                .filter_map(|column| SavedColumn::tree_of(column))
                .collect(),
            regions: (0..n_regions).map(region).collect(),
        }
    }

    /// Read the text of a file. Every index is checked here, so that nothing later can be out of
    /// bounds.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = |what: String| Error::input(format!("this isn't a recoding file: {what}"));
        let file: SavedFile = serde_json::from_str(text).map_err(|error| {
            let text = error.to_string();
            let what = text.split(" at line ").next().unwrap_or(&text);
            wrong(what.to_string())
                .at_line(error.line() as u64)
                .at_column(error.column() as u64)
                .hint("a run writes one with --save-recoding FILE")
        })?;
        if file.format != FORMAT || file.version != 1 {
            return Err(wrong(format!(
                "format '{}' version {} is not known",
                file.format, file.version
            )));
        }
        for (class, region) in file.regions.iter().enumerate() {
            let fits = region.len() == file.columns.len()
                && region
                    .iter()
                    .zip(&file.columns)
                    .all(|(value, column)| (*value as usize) < column.values.len());
            if !fits {
                return Err(wrong(format!("region {} doesn't fit the columns", class + 1)));
            }
        }
        if file
            .columns
            .iter()
            .enumerate()
            .any(|(i, c)| file.columns[..i].iter().any(|other| other.name == c.name))
        {
            return Err(wrong("a column is listed twice".into()));
        }
        for column in file.columns.iter().chain(&file.sensitive) {
            let rows = column.levels.iter().flatten();
            let depth = column.levels.as_ref().and_then(|rows| rows.first()).map_or(0, Vec::len);
            if column.levels.is_some() && (depth == 0 || rows.clone().any(|row| row.len() != depth))
            {
                return Err(wrong(format!("the hierarchy of column '{}' is uneven", column.name)));
            }
        }
        Ok(file)
    }
}

impl SavedColumn {
    /// A column without values.
    pub fn without_values(column: &Column) -> Self {
        SavedColumn {
            name: column.name.clone(),
            kind: Some(column.domain.kind.name().into()),
            levels: column.hierarchy.as_ref().map(rows_of),
            values: Vec::new(),
        }
    }

    /// The hierarchy of a column that isn't generalized.
    pub fn tree_of(column: &Column) -> Option<Self> {
        let levels = Some(rows_of(column.hierarchy.as_ref()?));
        let kind = Some(column.domain.kind.name().into());
        Some(SavedColumn { name: column.name.clone(), kind, levels, values: Vec::new() })
    }

    /// Whether its values are numbers: as the file says, or else as its texts look.
    pub fn is_number(&self) -> bool {
        match &self.kind {
            Some(kind) => matches!(kind.as_str(), "integer" | "decimal" | "float"),
            None => match &self.levels {
                Some(rows) => {
                    ValueKind::infer(rows.iter().filter_map(|row| row.first()).map(String::as_str))
                }
                None => ValueKind::infer(self.bounds().iter().map(String::as_str)),
            }
            .is_number(),
        }
    }

    /// The ends of its ranges.
    pub fn bounds(&self) -> Vec<String> {
        let ends = self.values.iter().flat_map(|value| match value {
            SavedValue::Range(from, to) => vec![from.clone(), to.clone()],
            _ => Vec::new(),
        });
        ends.collect()
    }
    /// The hierarchy's table.
    pub fn level_table(&self) -> Option<LevelTable> {
        self.levels.as_ref().map(|rows| LevelTable::from_rows(rows))
    }
}

fn rows_of(tree: &Hierarchy) -> Vec<Vec<String>> {
    let levels = tree.to_levels();
    (0..tree.n_leaves()).map(|leaf| levels.row(leaf).map(str::to_string).collect()).collect()
}

impl SavedValue {
    /// All values of a cut. If only missing is published as anything, the file says "missing":
    /// values that the data didn't have must not become part of it.
    fn of_cut(cut: &Cut, column: &Column) -> Vec<Self> {
        let saved = |value: &Value| match cut.is_for_missing(*value) {
            true => SavedValue::Missing,
            false => SavedValue::new(*value, column),
        };
        cut.values().iter().map(saved).collect()
    }

    /// A value of a column.
    pub fn new(value: Value, column: &Column) -> Self {
        match (value, &column.hierarchy) {
            (Value::Node(node), Some(tree)) => SavedValue::Node(path_of(tree, node)),
            (Value::Range { lo, hi }, _) => SavedValue::Range(
                column.domain.label(lo).into(),
                column.domain.label(hi - 1).into(),
            ),
            (Value::Missing, _) => SavedValue::Missing,
            (Value::Any | Value::Node(_), _) => SavedValue::Any,
        }
    }

    /// The value in the codes of a table, or `None` if the table can't have it.
    pub fn resolve(&self, column: &Column) -> Option<Value> {
        match (self, &column.hierarchy) {
            (SavedValue::Node(path), Some(tree)) => Some(Value::Node(find_node(tree, path)?)),
            (SavedValue::Range(from, to), None) => {
                let (from, to) = (column.domain.kind.parse(from)?, column.domain.kind.parse(to)?);
                let lo = column.domain.keys.partition_point(|key| *key < from) as u32;
                let hi = column.domain.keys.partition_point(|key| *key <= to) as u32;
                (lo < hi).then_some(Value::Range { lo, hi })
            }
            (SavedValue::Missing, _) => Some(Value::Missing),
            (SavedValue::Any, _) => Some(Value::Any),
            _ => None,
        }
    }
}

/// The node at the end of a path of labels.
pub fn find_node(tree: &Hierarchy, path: &[String]) -> Option<NodeId> {
    path.iter().try_fold(Hierarchy::ROOT, |node, label| {
        tree.children(node).find(|child| tree.label(*child) == label)
    })
}

fn path_of(tree: &Hierarchy, node: NodeId) -> Vec<String> {
    let mut path = Vec::new();
    let mut at = node;
    while at != Hierarchy::ROOT {
        path.push(tree.label(at).to_string());
        at = tree.parent(at);
    }
    path.reverse();
    path
}
