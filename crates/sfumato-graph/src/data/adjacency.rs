//! A node on each line, followed by its neighbours, separated by blanks. Lines that begin with `#`
//! or `%` are comments.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_io::{Output, append_lines, scan_lines};

use super::edge_list::{declared_nodes, fields, is_comment, lines, push_number};
use super::graph::Graph;
use super::read::Raw;

/// Read nodes with their neighbours.
pub(super) fn read(path: &str, observer: &dyn Observer) -> Result<Raw> {
    let mut raw = Raw::default();
    let mut each = |block: &[u8], first: u64| {
        for (number, line) in lines(block, first) {
            if is_comment(line) {
                raw.declared = declared_nodes(line).or(raw.declared);
                continue;
            }
            let mut names = fields(line, None);
            let Some(from) = names.next() else { continue };
            let from = raw.numbering.number(from).map_err(|error| error.at_line(number))?;
            for to in names {
                let to = raw.numbering.number(to).map_err(|error| error.at_line(number))?;
                raw.edges.push((from, to));
            }
        }
        Ok(())
    };
    raw.source = scan_lines(path, &mut each, observer)?;
    Ok(raw)
}

/// Write every node with those of its neighbours that come after it, so that each edge is there
/// once.
pub(super) fn write(out: &mut Output, graph: &Graph, destination: &str) -> Result<()> {
    let mut text = Vec::new();
    for node in graph.nodes() {
        push_number(&mut text, u64::from(node));
        for other in graph.neighbours(node).iter().filter(|other| **other > node) {
            text.push(b' ');
            push_number(&mut text, u64::from(*other));
        }
        text.push(b'\n');
        if text.len() >= 8 << 20 {
            append_lines(out, std::mem::take(&mut text), destination)?;
        }
    }
    append_lines(out, text, destination)
}
