//! Writes the two files of a release of supernodes.

use sfumato_core::Result;
use sfumato_engine::draft::Draft;
use sfumato_io::append_lines;

use crate::data::Supernodes;
use crate::data::supernode_files::{EDGE_COLUMNS, EDGES, NODE_COLUMNS, NODES};

/// Write both files.
pub(super) fn write(draft: &mut Draft, published: &Supernodes) -> Result<()> {
    let mut nodes = NODE_COLUMNS.join(",") + "\n";
    for (place, (size, inside)) in published.sizes.iter().zip(&published.inside).enumerate() {
        nodes += &format!("{place},{size},{inside}\n");
    }
    let mut edges = EDGE_COLUMNS.join(",") + "\n";
    for (a, b, count) in &published.between {
        edges += &format!("{a},{b},{count}\n");
    }
    for ((name, _), text) in [(NODES, nodes), (EDGES, edges)] {
        draft.write_within(name, |mut out| {
            append_lines(&mut out, text.into_bytes(), "")?;
            Ok(out)
        })?;
    }
    Ok(())
}
