//! Functions that are said to map a graph to itself, from a file: the first column names nodes, and
//! each other column says where one function takes them. Nothing here believes them.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};
use sfumato_io::{ReadOptions, read as read_table, select_all};

use super::names::Names;

/// Read functions over the nodes with these names.
pub fn read(path: &str, names: &Names, observer: &dyn Observer) -> Result<Vec<Vec<u32>>> {
    of_file(path, names, observer).map_err(|error| error.in_file(path))
}

fn of_file(path: &str, names: &Names, observer: &dyn Observer) -> Result<Vec<Vec<u32>>> {
    let options = ReadOptions { header: Some(true), ..ReadOptions::default() };
    let table = read_table(path, &options, &mut select_all, observer)?;
    let Some((nodes, functions)) = table.columns.split_first().filter(|(_, rest)| !rest.is_empty())
    else {
        return Err(Error::input("a file of functions has two columns at least")
            .hint("the node, and for each function where it takes the node"));
    };
    let known: FastMap<String, u32> =
        (0..names.len() as u32).filter_map(|node| Some((names.get(node)?, node))).collect();
    let unknown = |row: usize| Error::input("a name is that of no node").at_line(row as u64 + 2);
    let mut read = vec![vec![u32::MAX; names.len()]; functions.len()];
    for row in 0..table.n_rows {
        let of = |column: &sfumato_core::column::RawColumn| {
            known.get(column.values.get(column.codes.get(row)).trim()).copied()
        };
        let node = of(nodes).ok_or_else(|| unknown(row))?;
        for (function, column) in read.iter_mut().zip(functions) {
            let place = &mut function[node as usize];
            if *place != u32::MAX {
                return Err(Error::input("a node has two rows").at_line(row as u64 + 2));
            }
            *place = of(column).ok_or_else(|| unknown(row))?;
        }
    }
    match read.iter().flatten().any(|to| *to == u32::MAX) {
        true => Err(Error::input("a node has no row").hint("functions take every node somewhere")),
        false => Ok(read),
    }
}
