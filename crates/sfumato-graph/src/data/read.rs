//! Reads a graph in any layout, with the labels of its nodes.

use std::borrow::Cow;

use sfumato_core::column::Provenance;
use sfumato_core::observer::{Observer, Unobserved};
use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::paths::resolve;
use sfumato_io::{ReadOptions, read as read_table};

use super::attributes::{self, Attributes};
use super::graph::{Edge, Graph, LeftOut, edge};
use super::label_tree::LabelTree;
use super::labels::Labels;
use super::layout::Layout;
use super::names::{Names, Numbering};
use super::{adjacency, edge_list, gml, graphml, matrix_market, table, world};
use crate::job::{GraphSpec, InputSpec, Job};

/// A graph as a job sees it.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The graph.
    pub graph: Graph,
    /// The names of nodes.
    pub names: Names,
    /// The labels of nodes, if the job names them.
    pub labels: Option<Labels>,
    /// What labels may be published as.
    pub label_tree: LabelTree,
    /// Edges that must not be known, ascending, if the job names some.
    pub sensitive: Option<Vec<Edge>>,
    /// What is known of nodes beside the graph, if the job names a file of it.
    pub attributes: Option<Attributes>,
    /// What was left out to make the graph simple.
    pub left_out: LeftOut,
    /// How many edges say more than their ends, which isn't read.
    pub more_fields: u64,
    /// How many nodes have no name, because only their number is known.
    pub nameless: u64,
    /// Whether the file says that its edges have a direction, which isn't read.
    pub is_directed: bool,
    /// The layout of a release of this graph.
    pub layout: Layout,
    /// The file that it was read from.
    pub source: Provenance,
}

/// What a reader gives: edges between numbered names.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub numbering: Numbering,
    pub edges: Vec<Edge>,
    /// How many nodes there are, where the file says it.
    pub declared: Option<u64>,
    /// How many edges say more than their ends.
    pub more_fields: u64,
    pub is_directed: bool,
    /// The edges that the file says must not be known.
    pub sensitive: Vec<Edge>,
    /// The label of each node that has one.
    pub labels: Vec<String>,
    /// The layout of a release, where it isn't that of the job.
    pub layout: Option<Layout>,
    pub source: Provenance,
}

impl Raw {
    /// Add a node that no other may be named like.
    pub fn add_node(&mut self, name: &[u8]) -> Result<u32> {
        let before = self.numbering.len();
        let node = self.numbering.number(name)?;
        match node as usize == before {
            true => Ok(node),
            false => Err(Error::input("two nodes have the same name")),
        }
    }

    /// Set the label of a node.
    pub fn set_label(&mut self, node: u32, label: &str) {
        if self.labels.len() <= node as usize {
            self.labels.resize(node as usize + 1, String::new());
        }
        self.labels[node as usize] = label.to_string();
    }
}

/// Read the job's input.
pub fn read(job: &Job, observer: &dyn Observer) -> Result<Loaded> {
    load(&input_of(job), &job.graph, &job.base, observer)
}

/// The input of a job, with a path that can be opened.
pub fn input_of(job: &Job) -> InputSpec {
    InputSpec { path: resolve(&job.base, &job.input.path), ..job.input.clone() }
}

/// Read a graph. Paths beside it start from `base`.
pub fn load(
    input: &InputSpec,
    spec: &GraphSpec,
    base: &std::path::Path,
    observer: &dyn Observer,
) -> Result<Loaded> {
    let layout = Layout::parse(spec.layout())?;
    let options = read_options(input)?;
    let mut loaded = read_layout(&input.path, &layout, spec.label.as_deref(), &options, observer)?;
    if let Some(path) = &spec.labels {
        loaded = with_labels(loaded, &resolve(base, path))?;
    }
    if let Some(path) = &spec.label_hierarchy {
        if loaded.labels.is_none() {
            return Err(Error::params("a hierarchy of labels needs labels")
                .hint("name them with --labels or --label"));
        }
        loaded.label_tree = LabelTree::read(&resolve(base, path))?;
    }
    if let Some(path) = &spec.sensitive_edges {
        let named = sensitive_edges(&loaded, &resolve(base, path), observer)?;
        let all: Vec<Edge> = named.iter().chain(loaded.sensitive()).copied().collect();
        loaded.sensitive = Some(simple_edges(&all));
    }
    if let Some(path) = &spec.attributes {
        let path = resolve(base, path);
        let n = loaded.graph.n();
        loaded.attributes = Some(attributes::read(&path, &loaded.names, n, observer)?);
    }
    Ok(loaded)
}

/// The edges of a file that are to stay unknown: each must be an edge of the graph.
fn sensitive_edges(loaded: &Loaded, path: &str, observer: &dyn Observer) -> Result<Vec<Edge>> {
    let raw = edge_list::read(path, (None, &[]), observer)?;
    let known: sfumato_core::FastMap<String, u32> = (0..loaded.names.len() as u32)
        .filter_map(|node| Some((loaded.names.get(node)?, node)))
        .collect();
    let names = raw.numbering.into_names();
    let wrong = || {
        Error::input("an edge that must not be known is no edge of the graph")
            .in_file(path)
            .hint("write the two names of its ends as in the graph, an edge on each line")
    };
    let find = |node: u32| names.get(node).and_then(|name| known.get(&name).copied());
    raw.edges
        .iter()
        .map(|(a, b)| {
            let ends = find(*a).zip(find(*b)).filter(|(a, b)| loaded.graph.has(*a, *b));
            ends.map(|(a, b)| edge(a, b)).ok_or_else(wrong)
        })
        .collect()
}

/// Each edge once, ascending, without those from a node to itself.
fn simple_edges(edges: &[Edge]) -> Vec<Edge> {
    let ends = edges.iter().filter(|(a, b)| a != b);
    let mut simple: Vec<Edge> = ends.map(|(a, b)| edge(*a, *b)).collect();
    simple.sort_unstable();
    simple.dedup();
    simple
}

impl Loaded {
    /// Edges that must not be known.
    pub fn sensitive(&self) -> &[Edge] {
        self.sensitive.as_deref().unwrap_or_default()
    }

    /// The graph without the edges that must not be known.
    pub fn open_graph(&self) -> Cow<'_, Graph> {
        let sensitive = self.sensitive();
        if sensitive.is_empty() {
            return Cow::Borrowed(&self.graph);
        }
        let open = self.graph.edges().filter(|edge| sensitive.binary_search(edge).is_err());
        Cow::Owned(Graph::new(self.graph.n(), &open.collect::<Vec<Edge>>()).0)
    }
}

/// Read a file of a layout. `label` names what holds the labels of nodes.
pub fn read_layout(
    path: &str,
    layout: &Layout,
    label: Option<&str>,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Loaded> {
    if label.is_some() && !layout.has_labels() {
        return Err(Error::params("only gml and graphml have a place for labels of nodes")
            .hint("name a file of nodes and labels with --labels"));
    }
    let raw = match layout {
        Layout::Edges { separator, sensitive } => {
            edge_list::read(path, (*separator, sensitive), observer)?
        }
        Layout::Adjacency => adjacency::read(path, observer)?,
        Layout::Gml => gml::read(path, label, observer)?,
        Layout::GraphMl => graphml::read(path, label, observer)?,
        Layout::MatrixMarket => matrix_market::read(path, observer)?,
        Layout::Table { from, to, kind } => {
            table::read(path, (from, to), kind.as_ref(), options, observer)?
        }
        Layout::World { number } => world::read(path, *number)?,
    };
    let seen = raw.numbering.len();
    // A count below what was seen is that of another file.
    let n = raw.declared.map_or(seen, |declared| seen.max(declared as usize));
    if n == 0 {
        return Err(Error::input("the file has no nodes").in_file(path));
    }
    if n as u64 > u64::from(u32::MAX) - 2 || n > seen.saturating_mul(1000).max(1 << 20) {
        return Err(Error::input("the file says that it has far more nodes than it names")
            .in_file(path)
            .hint("remove the comment with the number of nodes"));
    }
    let (graph, left_out) = Graph::new(n, &raw.edges);
    let sensitive = layout.names_sensitive().then(|| simple_edges(&raw.sensitive));
    let labels = label.map(|_| {
        let mut texts = raw.labels;
        texts.resize(n, String::new());
        Labels::new(&texts)
    });
    Ok(Loaded {
        graph,
        labels,
        label_tree: LabelTree::default(),
        sensitive,
        attributes: None,
        left_out,
        more_fields: raw.more_fields,
        nameless: (n - seen) as u64,
        is_directed: raw.is_directed,
        names: raw.numbering.into_names(),
        layout: raw.layout.unwrap_or_else(|| layout.clone()),
        source: raw.source,
    })
}

/// Add the labels of a file: its first column has names of nodes, its second their labels.
fn with_labels(mut loaded: Loaded, path: &str) -> Result<Loaded> {
    if loaded.labels.is_some() {
        return Err(Error::params("labels are named twice: in the graph and in a file")
            .hint("leave one out"));
    }
    let mut select =
        |header: &[String]| match header.len() {
            0 | 1 => Err(Error::input("a file of labels has two columns: the node and its label")
                .in_file(path)),
            n => Ok((0..n).map(|column| column < 2).collect()),
        };
    let table = read_table(path, &ReadOptions::default(), &mut select, &Unobserved)?;
    let [nodes, labels] = &table.columns[..] else {
        return Err(Error::internal("two columns were selected and others read"));
    };
    let mut texts: Vec<Option<String>> = vec![None; loaded.graph.n()];
    let known: sfumato_core::FastMap<String, u32> = (0..loaded.names.len() as u32)
        .filter_map(|node| Some((loaded.names.get(node)?, node)))
        .collect();
    for row in 0..table.n_rows {
        let line = row as u64 + 2;
        let Some(node) = known.get(nodes.values.get(nodes.codes.get(row))) else {
            return Err(Error::input("a label is that of no node").in_file(path).at_line(line));
        };
        let label = labels.values.get(labels.codes.get(row)).to_string();
        if texts[*node as usize].replace(label).is_some() {
            return Err(Error::input("a node has two labels").in_file(path).at_line(line));
        }
    }
    let texts: Vec<String> = texts.into_iter().map(Option::unwrap_or_default).collect();
    loaded.labels = Some(Labels::new(&texts));
    Ok(loaded)
}
