//! A folder of supernodes, read as a graph that fits it: all such graphs are equally likely, and a
//! number says which one is drawn. The numbers of nodes say nothing about people.

use std::path::Path;

use sfumato_core::{Error, Result};

use super::layout::Layout;
use super::read::Raw;
use super::supernode_files::read_folder;

/// Draw a graph that fits the supernodes of a folder.
pub(super) fn read(path: &str, world: u64) -> Result<Raw> {
    if !Path::new(path).is_dir() {
        return Err(Error::input("this is no release of supernodes: that would be a folder")
            .in_file(path)
            .hint("name the folder that was made for supernode-size"));
    }
    let (published, [source, _]) = read_folder(Path::new(path))?;
    let graph = published.world(world);
    let mut raw = Raw { source, ..Raw::default() };
    for node in graph.nodes() {
        raw.add_node(node.to_string().as_bytes())?;
    }
    raw.edges = graph.edges().collect();
    raw.layout = Some(Layout::Edges { separator: None, sensitive: Vec::new() });
    Ok(raw)
}
