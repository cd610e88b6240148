//! Reads supernodes back from the bytes of their draft, and checks that they are true: recounted
//! from the original without the edges that must not be known, every number is the same.

use sfumato_core::Result;
use sfumato_core::column::Provenance;
use sfumato_engine::verify::{cant_read_back, failed_verification};

use super::stated::StatedSupernodes;
use crate::data::supernode_files::read_folder;
use crate::data::{Loaded, Supernodes};

/// What the bytes of a draft say, after it was compared with the original.
pub struct SupernodesRead {
    /// What is published.
    pub stated: StatedSupernodes,
    /// Both files.
    pub sources: [Provenance; 2],
}

/// Read a draft back and compare it with its original. `of` is the published number of each node's
/// supernode.
pub fn read_back(folder: &std::path::Path, data: &Loaded, of: &[u32]) -> Result<SupernodesRead> {
    let graph = data.open_graph();
    let (read, sources) = read_folder(folder).map_err(cant_read_back)?;
    if of.len() != graph.n() {
        return Err(failed_verification("a node is in no supernode"));
    }
    let truth = Supernodes::of(&graph, of);
    if read.sizes != truth.sizes {
        return Err(failed_verification("the sizes of supernodes aren't those of the original"));
    }
    if read != truth {
        return Err(failed_verification("the numbers of edges aren't those of the original"));
    }
    // What was recounted has none of the edges that must not be known.
    let sensitive = data.sensitive.as_ref().map(|all| (0, all.len() as u64));
    Ok(SupernodesRead { stated: StatedSupernodes { published: read, sensitive }, sources })
}
