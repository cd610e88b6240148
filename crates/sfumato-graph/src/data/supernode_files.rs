//! The two files of a release of supernodes, and how they are read.

use std::path::Path;

use sfumato_core::column::Provenance;
use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, Result};
use sfumato_io::{ReadOptions, read, select_all};

use super::Supernodes;

/// The file of supernodes, and what the manifest calls its content.
pub const NODES: (&str, &str) = ("supernodes.csv", "supernodes");
/// The file of edges between supernodes.
pub const EDGES: (&str, &str) = ("superedges.csv", "superedges");

/// The columns of the file of supernodes.
pub const NODE_COLUMNS: [&str; 3] = ["supernode", "nodes", "edges"];
/// The columns of the file of edges between supernodes.
pub const EDGE_COLUMNS: [&str; 3] = ["from", "to", "edges"];

/// Read both files of a folder.
pub fn read_folder(folder: &Path) -> Result<(Supernodes, [Provenance; 2])> {
    let (nodes, of_nodes) = numbers(folder, NODES.0, NODE_COLUMNS)?;
    let (edges, of_edges) = numbers(folder, EDGES.0, EDGE_COLUMNS)?;
    let path = folder.join(NODES.0).display().to_string();
    if nodes.iter().enumerate().any(|(place, [number, _, _])| place as u64 != *number) {
        return Err(Error::input("supernodes aren't numbered from 0 on").in_file(path));
    }
    let node = |number: u64| {
        u32::try_from(number).map_err(|_| Error::input("a number of a supernode is too large"))
    };
    let published = Supernodes {
        sizes: nodes.iter().map(|row| row[1]).collect(),
        inside: nodes.iter().map(|row| row[2]).collect(),
        between: edges
            .iter()
            .map(|[a, b, count]| Ok((node(*a)?, node(*b)?, *count)))
            .collect::<Result<_>>()?,
    };
    published.check().map_err(|error| error.in_file(path))?;
    Ok((published, [of_nodes, of_edges]))
}

/// The rows of a file of three columns of whole numbers.
fn numbers(folder: &Path, name: &str, columns: [&str; 3]) -> Result<(Vec<[u64; 3]>, Provenance)> {
    let path = folder.join(name).display().to_string();
    let options =
        ReadOptions { header: Some(true), delimiter: Some(b','), ..ReadOptions::default() };
    let table = read(&path, &options, &mut select_all, &Unobserved)?;
    if table.header != columns {
        let message = format!("the columns should be {}", columns.join(", "));
        return Err(Error::input(message).in_file(path));
    }
    let mut rows = vec![[0; 3]; table.n_rows];
    for (place, column) in table.columns.iter().enumerate() {
        for (row, numbers) in rows.iter_mut().enumerate() {
            let text = column.values.get(column.codes.get(row));
            numbers[place] = text.parse().map_err(|_| {
                Error::input("this isn't a whole number")
                    .in_file(path.clone())
                    .at_line(row as u64 + 2)
            })?;
        }
    }
    Ok((rows, table.source))
}
