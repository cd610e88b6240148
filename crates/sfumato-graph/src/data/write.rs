//! Writes a graph in any layout, its nodes numbered from 0 (from 1 in a matrix).

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::draft::Draft;
use sfumato_io::{Sink, WriteOptions};

use super::graph::Graph;
use super::labels::Labels;
use super::layout::Layout;
use super::{adjacency, edge_list, gml, graphml, matrix_market, table};

/// Write a graph as the single file of a draft. Labels go under the key, where the layout has a
/// place for them.
pub fn write(
    draft: &mut Draft,
    graph: &Graph,
    labels: Option<(&Labels, &str)>,
    layout: &Layout,
    destination: &str,
    observer: &dyn Observer,
) -> Result<()> {
    if labels.is_some() && !layout.has_labels() {
        return Err(Error::internal("labels have no place in this layout"));
    }
    // What goes to standard output isn't compressed, whatever it is called.
    let name = if Sink::of(destination).path().is_some() { destination } else { "" };
    draft.write(|mut out| {
        match layout {
            Layout::Edges { separator, .. } => edge_list::write(&mut out, graph, *separator, name)?,
            Layout::Adjacency => adjacency::write(&mut out, graph, name)?,
            Layout::Gml => gml::write(&mut out, graph, labels, name)?,
            Layout::GraphMl => graphml::write(&mut out, graph, labels, name)?,
            Layout::MatrixMarket => matrix_market::write(&mut out, graph, name)?,
            Layout::Table { from, to, .. } => {
                let options = table_options(destination)?;
                return table::write(out, graph, (from, to), &options, observer);
            }
            // A graph that was drawn is written as edges.
            Layout::World { .. } => edge_list::write(&mut out, graph, None, name)?,
        }
        Ok(out)
    })
}

/// How a table of edges is written.
fn table_options(destination: &str) -> Result<WriteOptions> {
    match Sink::of(destination).path() {
        Some(_) => WriteOptions::for_destination(destination),
        None => WriteOptions::for_destination("out.csv"),
    }
}
