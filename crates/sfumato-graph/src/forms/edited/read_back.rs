//! Reads a graph back from the bytes of its draft, and checks that it is true: renumbered, it is
//! the original but for the edges that are stated as added and deleted.

use sfumato_core::Result;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::{Form, Written};
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::ReadOptions;

use super::publish::Witness;
use crate::data::read::read_layout;
use crate::data::{Edge, Graph, Labels, LeftOut, Loaded};
use crate::forms::stated::Stated;
use crate::kind::Graphs;
use crate::traits::Edits;

/// What the bytes of a draft say, after it was compared with the original.
pub struct EditedRead {
    /// The facts of the graph, with the numbers of the file.
    pub stated: Stated,
    /// The graph with the numbers of the original.
    pub in_original: Graph,
    /// Edges that the original hasn't, ascending.
    pub added: Vec<Edge>,
    /// Edges of the original that aren't there, ascending.
    pub deleted: Vec<Edge>,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// Edges that only the one graph has, and edges that only the other has, ascending. Both have the
/// same nodes.
pub(crate) fn difference(one: &Graph, other: &Graph) -> (Vec<Edge>, Vec<Edge>) {
    let only = |a: &Graph, b: &Graph| {
        a.nodes()
            .flat_map(|node| {
                let theirs = b.neighbours(node);
                let is_new = move |end: &&u32| **end > node && theirs.binary_search(end).is_err();
                a.neighbours(node).iter().filter(is_new).map(move |end| (node, *end))
            })
            .collect()
    };
    (only(one, other), only(other, one))
}

/// Read a draft back and compare it with its original.
pub fn read_back<F: Form<Graphs, Decision = Edits, Witness = Witness>>(
    written: &Written<'_, Graphs, F>,
    draft: &Draft,
    observer: &dyn Observer,
) -> Result<EditedRead> {
    let witness = written.witness;
    let observer = Renamed { step: "verify", inner: observer };
    let path = draft.path()?.display().to_string();
    let options = ReadOptions { header: Some(true), ..ReadOptions::default() };
    let read = read_layout(&path, &witness.layout, witness.label.as_deref(), &options, &observer)
        .map_err(cant_read_back)?;
    let original = &written.data.graph;
    let n = original.n();
    if read.graph.n() != n {
        return Err(failed_verification(&format!(
            "{n} nodes were published and {} are in the file",
            read.graph.n()
        )));
    }
    if read.left_out != LeftOut::default() || read.more_fields > 0 {
        return Err(failed_verification("the file has loops, repeated edges or more than edges"));
    }
    let ids = read.names.as_numbers(n, witness.layout.first_id());
    let ids = ids.ok_or_else(|| failed_verification("nodes aren't numbered as they should be"))?;
    let graph = read.graph.renumbered(&ids);
    let labels = read.labels.map(|labels| labels.renumbered(&ids));
    // Back to the numbers of the original.
    let mut back = vec![u32::MAX; n];
    for (node, id) in (0u32..).zip(&witness.id) {
        match back.get_mut(*id as usize) {
            Some(place) if *place == u32::MAX => *place = node,
            _ => return Err(failed_verification("two nodes have the same number")),
        }
    }
    if witness.id.len() != n {
        return Err(failed_verification("a node has no number"));
    }
    let in_original = graph.renumbered(&back);
    let (added, deleted) = difference(&in_original, original);
    let told = written.decision();
    if added != sorted(&told.added) {
        return Err(failed_verification("the edges that the original hasn't aren't those stated"));
    }
    if deleted != sorted(&told.deleted) {
        return Err(failed_verification("the edges that are missing aren't those stated"));
    }
    check_labels(written.data, told.labels.as_deref(), labels.as_ref(), &witness.id)?;
    let mut stated = Stated::new(graph, labels, true);
    stated.sensitive = written.data.sensitive.as_ref().map(|sensitive| {
        let published = sensitive.iter().filter(|(a, b)| in_original.has(*a, *b)).count();
        (published as u64, sensitive.len() as u64)
    });
    stated.must_map = told.cycles.is_some();
    Ok(EditedRead {
        stated,
        in_original,
        added,
        deleted,
        sha256: read.source.sha256,
        bytes: read.source.bytes,
    })
}

fn sorted(edges: &[Edge]) -> Vec<Edge> {
    let mut edges = edges.to_vec();
    edges.sort_unstable();
    edges
}

/// Check that every node has its own label, or what was told: a value above its own.
fn check_labels(
    data: &Loaded,
    told: Option<&[String]>,
    read: Option<&Labels>,
    id: &[u32],
) -> Result<()> {
    let is_right = |original: &Labels, read: &Labels, node: u32, id: u32| {
        let (own, published) = (original.get(node), read.get(id));
        match told {
            None => own == published,
            Some(told) => {
                told.get(node as usize).is_some_and(|text| text == published)
                    && data.label_tree.covers(published, own)
            }
        }
    };
    let is_same = match (&data.labels, read) {
        (None, None) => told.is_none(),
        (Some(original), Some(read)) => {
            (0u32..).zip(id).all(|(node, id)| is_right(original, read, node, *id))
        }
        _ => false,
    };
    match is_same {
        true => Ok(()),
        false => Err(failed_verification("a node has a label that isn't its own, nor above it")),
    }
}
