//! A table of edges in any format of tables: a column for each end. A row without the second end is
//! a node without an edge.

use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::{Output, ReadOptions, WriteColumn, WriteOptions, read as read_table, write_rows};

use super::graph::Graph;
use super::layout::Layout;
use super::read::Raw;

/// Read a table of edges. Other columns aren't read.
pub(super) fn read(
    path: &str,
    (from, to): (&str, &str),
    kind: Option<&(String, Vec<String>)>,
    options: &ReadOptions,
    observer: &dyn Observer,
) -> Result<Raw> {
    let mut more = 0;
    let wanted: Vec<&str> =
        [from, to].into_iter().chain(kind.map(|(name, _)| name.as_str())).collect();
    let mut select = |header: &[String]| {
        for name in &wanted {
            if !header.iter().any(|known| known == *name) {
                return Err(Error::params(format!("there is no column '{name}'"))
                    .in_file(path)
                    .hint(format!("the columns are {}", header.join(", "))));
            }
        }
        more = header.len() - wanted.len();
        Ok(header.iter().map(|name| wanted.contains(&name.as_str())).collect())
    };
    let table = read_table(path, options, &mut select, observer)?;
    let column = |name: &str| {
        table
            .columns
            .iter()
            .find(|column| column.name == name)
            .ok_or_else(|| Error::internal("a column that was selected wasn't read"))
    };
    let must_hide = match kind {
        None => None,
        Some((name, hidden)) => {
            let kinds = column(name)?;
            let is_hidden = |text: &str| hidden.iter().any(|kind| kind == text);
            Some((kinds, kinds.values.iter().map(is_hidden).collect::<Vec<bool>>()))
        }
    };
    let (from, to) = (column(from)?, column(to)?);
    let mut raw = Raw {
        more_fields: if more > 0 { table.n_rows as u64 } else { 0 },
        source: table.source.clone(),
        ..Raw::default()
    };
    let is_missing = |text: &str| text.is_empty() || options.missing.iter().any(|m| m == text);
    let mut number = |values: &Dictionary, code: u32| match values.get(code) {
        text if is_missing(text) => Ok(None),
        text => raw.numbering.number(text.as_bytes()).map(Some),
    };
    let mut edges = Vec::with_capacity(table.n_rows);
    let mut raw_sensitive = Vec::new();
    for row in 0..table.n_rows {
        let ends =
            (number(&from.values, from.codes.get(row))?, number(&to.values, to.codes.get(row))?);
        match ends {
            (Some(from), Some(to)) => {
                edges.push((from, to));
                if let Some((kinds, hidden)) = &must_hide
                    && hidden[kinds.codes.get(row) as usize]
                {
                    raw_sensitive.push((from, to));
                }
            }
            (Some(_), None) | (None, Some(_)) => {}
            (None, None) => {
                return Err(Error::input("both ends of an edge are missing")
                    .in_file(path)
                    .at_line(row as u64 + 2));
            }
        }
    }
    raw.edges = edges;
    raw.sensitive = raw_sensitive;
    raw.layout = Some(Layout::Table { from: from.name.clone(), to: to.name.clone(), kind: None });
    Ok(raw)
}

/// Write a row for each edge, and one for each node without any.
pub(super) fn write(
    out: Output,
    graph: &Graph,
    (from, to): (&str, &str),
    options: &WriteOptions,
    observer: &dyn Observer,
) -> Result<Output> {
    let n = graph.n();
    let mut values = Dictionary::new();
    (0..n).for_each(|node| {
        values.push(&node.to_string());
    });
    let null = values.push("");
    let alone = || graph.nodes().filter(|node| graph.degree(*node) == 0);
    let rows = graph.m() as usize + graph.isolated() as usize;
    let sources = [
        Codes::from_iter(n + 1, graph.edges().map(|(a, _)| a).chain(alone())),
        Codes::from_iter(n + 1, graph.edges().map(|(_, b)| b).chain(alone().map(|_| null))),
    ];
    let column = |name, source| WriteColumn {
        name,
        values: &values,
        null: Some(null),
        native_type: Some("Int64"),
        source,
    };
    let columns = [column(from, &sources[0]), column(to, &sources[1])];
    write_rows(out, &columns, rows, options, observer)
}
