//! What is known of each node beside the graph, which isn't published with it: columns for the file
//! that says which node became which, so that models of tables judge them beside candidate sets.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};
use sfumato_io::{ReadOptions, read as read_table, select_all};

use super::names::Names;

/// Columns about nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attributes {
    /// The names of the columns.
    pub names: Vec<String>,
    /// The values of each node; empty texts for one that the file doesn't have.
    pub of: Vec<Vec<String>>,
}

/// Names that the file of numbers has columns for already.
const TAKEN: [&str; 5] = ["original", "published", "set_h1", "set_h2", "label"];

/// Read a table whose first column names nodes.
pub fn read(path: &str, names: &Names, n: usize, observer: &dyn Observer) -> Result<Attributes> {
    of_file(path, names, n, observer).map_err(|error| error.in_file(path))
}

fn of_file(path: &str, names: &Names, n: usize, observer: &dyn Observer) -> Result<Attributes> {
    let options = ReadOptions { header: Some(true), ..ReadOptions::default() };
    let table = read_table(path, &options, &mut select_all, observer)?;
    let Some((nodes, columns)) = table.columns.split_first().filter(|(_, rest)| !rest.is_empty())
    else {
        return Err(Error::input("a file of attributes has two columns at least")
            .hint("the node, and what is known of it; the first line names the columns"));
    };
    if let Some(column) = columns.iter().find(|one| TAKEN.contains(&one.name.as_str())) {
        return Err(Error::input(format!("an attribute can't be called '{}'", column.name))
            .hint("--save-mapping has a column of that name: rename it"));
    }
    let known: FastMap<String, u32> =
        (0..names.len() as u32).filter_map(|node| Some((names.get(node)?, node))).collect();
    let mut of: Vec<Vec<String>> = vec![Vec::new(); n];
    for row in 0..table.n_rows {
        let line = row as u64 + 2;
        let name = nodes.values.get(nodes.codes.get(row)).trim();
        let Some(node) = known.get(name) else {
            return Err(Error::input("attributes are those of no node").at_line(line));
        };
        let place = &mut of[*node as usize];
        if !place.is_empty() {
            return Err(Error::input("a node has two rows of attributes").at_line(line));
        }
        *place = columns
            .iter()
            .map(|column| column.values.get(column.codes.get(row)).to_string())
            .collect();
    }
    of.iter_mut().filter(|row| row.is_empty()).for_each(|row| {
        row.resize(columns.len(), String::new());
    });
    Ok(Attributes { names: columns.iter().map(|one| one.name.clone()).collect(), of })
}
