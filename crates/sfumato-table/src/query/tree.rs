//! The hierarchy of a column, to interpret labels: from a file alone, or built from the original
//! data.

use sfumato_core::dataset::{Hierarchy, NodeId, Role, ValueKind};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};

use super::TableQueryRequest;
use crate::data::encode::{build_levels, encode};
use crate::job::{ColumnSpec, InputSpec, Job};

/// A hierarchy with its labels.
pub struct Tree {
    /// The tree.
    pub hierarchy: Hierarchy,
    /// Whether its nodes may also stand for values that it doesn't list.
    pub is_open: bool,
    nodes: FastMap<String, Vec<NodeId>>,
}

impl Tree {
    fn new(hierarchy: Hierarchy, is_open: bool) -> Self {
        let mut nodes: FastMap<String, Vec<NodeId>> = FastMap::default();
        for node in 0..hierarchy.n_nodes() as NodeId {
            nodes.entry(hierarchy.label(node).to_string()).or_default().push(node);
        }
        Tree { hierarchy, is_open, nodes }
    }

    /// All nodes with a label: real hierarchies repeat labels.
    pub fn nodes(&self, label: &str) -> &[NodeId] {
        self.nodes.get(label).map_or(&[], Vec::as_slice)
    }

    /// Whether one of some nodes isn't a leaf.
    pub fn has_inner(&self, nodes: &[NodeId]) -> bool {
        nodes.iter().any(|node| self.hierarchy.level(*node) > 0)
    }

    /// The texts of the leaves, in the order of their codes.
    pub fn leaves(&self) -> impl Iterator<Item = &str> + Clone + '_ {
        (0..self.hierarchy.n_leaves() as u32)
            .map(|code| self.hierarchy.label(self.hierarchy.leaf(code)))
    }

    /// The code of a leaf.
    pub fn leaf(&self, label: &str) -> Option<u32> {
        let leaf = self.nodes(label).iter().find(|node| self.hierarchy.level(**node) == 0)?;
        Some(self.hierarchy.lo(*leaf))
    }
}

/// The trees of some columns, for those that have one.
pub fn trees(
    request: &TableQueryRequest,
    names: &[String],
    observer: &dyn Observer,
) -> Result<FastMap<String, Tree>> {
    let mut trees = FastMap::default();
    let mut from_data: Vec<String> = Vec::new();
    let specs = names.iter().filter_map(|name| Some((name, request.job.columns.get(name)?)));
    for (name, spec) in specs {
        let Some(call) = &spec.hierarchy else { continue };
        // Hierarchies of files say what their labels cover; the others follow from the data.
        if !matches!(call.name.as_str(), "file" | "tree") || request.original.is_some() {
            from_data.push(name.clone());
            continue;
        }
        let nothing = sfumato_core::dataset::Domain::of_texts(std::iter::empty::<&str>());
        let levels = build_levels(&request.job, call, &nothing, &[])?.levels;
        let is_open = spec.unknown.is_some() || call.args.contains_key("default");
        trees.insert(name.clone(), Tree::new(Hierarchy::from_levels(&levels)?.0, is_open));
    }
    if from_data.is_empty() {
        return Ok(trees);
    }
    let input =
        original_of(request).ok_or_else(|| {
            Error::params(format!(
            "the hierarchy of column '{}' is made from the data, and the release alone doesn't say \
                what its labels cover",
            from_data[0]
        ))
        .hint("name the data with --original DATA, or a hierarchy file with --hierarchy \
            COLUMN=FILE")
        })?;
    let mut job = Job { input, base: request.job.base.clone(), ..Job::default() };
    for name in &from_data {
        let spec = request
            .job
            .columns
            .get(name)
            .cloned()
            .unwrap_or_else(|| ColumnSpec::of_role(Role::Quasi));
        job.columns.0.push((name.clone(), ColumnSpec { role: Role::Quasi, ..spec }));
    }
    let dataset = crate::audit::read_columns(&mut job, observer)?;
    for column in encode(&job, dataset)?.table.columns {
        if let Some(hierarchy) = column.hierarchy {
            trees.insert(column.name, Tree::new(hierarchy, false));
        }
    }
    Ok(trees)
}

/// The data that a release was made from, if the request or its job names them.
fn original_of(request: &TableQueryRequest) -> Option<InputSpec> {
    let of_job = || {
        let path = sfumato_engine::paths::resolve(&request.job.base, &request.job.input.path);
        let is_there = path != "-" && std::path::Path::new(&path).is_file();
        is_there.then(|| InputSpec { path, ..request.job.input.clone() })
    };
    request.original.clone().or_else(of_job)
}

/// The kind of a column's values: as the job says, or the most specific that all texts have.
pub fn kind_of<'a>(
    spec: Option<&ColumnSpec>,
    texts: impl Iterator<Item = &'a str> + Clone,
) -> ValueKind {
    match spec.and_then(|spec| spec.kind.as_deref()) {
        Some("text") => ValueKind::Text,
        Some("integer" | "decimal") if texts.clone().next().is_none() => ValueKind::Integer,
        Some("float") => ValueKind::Float,
        Some("date") => ValueKind::Date,
        Some("datetime") => ValueKind::DateTime,
        Some("time") => ValueKind::Time,
        _ => ValueKind::infer(texts),
    }
}
