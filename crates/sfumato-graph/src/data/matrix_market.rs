//! A square matrix in the exchange format Matrix Market, in coordinates: an entry is an edge. Nodes
//! are the rows, from 1.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::{Output, append_lines, scan_lines};

use super::edge_list::{fields, lines, push_number};
use super::graph::Graph;
use super::read::Raw;

/// Read a matrix.
pub(super) fn read(path: &str, observer: &dyn Observer) -> Result<Raw> {
    let mut raw = Raw::default();
    let mut has_head = false;
    let mut shape: Option<(u64, u64)> = None;
    let mut each = |block: &[u8], first: u64| {
        for (number, line) in lines(block, first) {
            let wrong = |message: &str| Error::input(message).at_line(number);
            if !std::mem::replace(&mut has_head, true) {
                let head = String::from_utf8_lossy(line).to_ascii_lowercase();
                if !head.starts_with("%%matrixmarket matrix coordinate") {
                    return Err(wrong("this isn't a matrix in coordinates")
                        .hint("the first line is %%MatrixMarket matrix coordinate ..."));
                }
                raw.is_directed = head.contains("general");
                continue;
            }
            if line.is_empty() || line.starts_with(b"%") {
                continue;
            }
            let mut entry = fields(line, None).map(|field| {
                std::str::from_utf8(field).ok().and_then(|text| text.parse::<u64>().ok())
            });
            let (Some(Some(a)), Some(Some(b))) = (entry.next(), entry.next()) else {
                return Err(wrong("a line doesn't begin with two whole numbers"));
            };
            match shape {
                None if a != b => return Err(wrong("the matrix isn't square")),
                None => {
                    let Some(Some(entries)) = entry.next() else {
                        return Err(wrong("the number of entries is missing"));
                    };
                    shape = Some((a, entries));
                    for node in 1..=a {
                        raw.add_node(node.to_string().as_bytes())?;
                    }
                }
                Some((n, _)) if a == 0 || b == 0 || a > n || b > n => {
                    return Err(wrong("an entry lies outside the matrix"));
                }
                Some(_) => {
                    raw.more_fields += u64::from(entry.next().is_some());
                    raw.edges.push((a as u32 - 1, b as u32 - 1));
                }
            }
        }
        Ok(())
    };
    raw.source = scan_lines(path, &mut each, observer)?;
    match shape {
        Some((_, entries)) if entries == raw.edges.len() as u64 => Ok(raw),
        Some(_) => Err(Error::input("there aren't as many entries as the file says").in_file(path)),
        None => Err(Error::input("the size of the matrix is missing").in_file(path)),
    }
}

/// Write a symmetric matrix, whose entries stand below its diagonal.
pub(super) fn write(out: &mut Output, graph: &Graph, destination: &str) -> Result<()> {
    let (n, m) = (graph.n(), graph.m());
    let mut text =
        format!("%%MatrixMarket matrix coordinate pattern symmetric\n{n} {n} {m}\n").into_bytes();
    for (a, b) in graph.edges() {
        push_number(&mut text, u64::from(b) + 1);
        text.push(b' ');
        push_number(&mut text, u64::from(a) + 1);
        text.push(b'\n');
        if text.len() >= 8 << 20 {
            append_lines(out, std::mem::take(&mut text), destination)?;
        }
    }
    append_lines(out, text, destination)
}
