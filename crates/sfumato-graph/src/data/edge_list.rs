//! Edges, one on each line: two names. Lines that begin with `#` or `%` are comments, of which
//! `# Nodes: N` says how many nodes there are. A line with one name is a node without an edge.
//! Words after both names may say that an edge must not be known.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::{Output, append_lines, scan_lines};

use super::graph::Graph;
use super::layout::Layout;
use super::read::Raw;

/// How many bytes are written at once.
const BLOCK: usize = 8 << 20;

/// The number after `Nodes:` in a comment, as files of SNAP have it.
pub(super) fn declared_nodes(comment: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(comment).ok()?;
    let (_, after) = text.split_once("Nodes:")?;
    after.split_whitespace().next()?.parse().ok()
}

/// Whether a line is a comment.
pub(super) fn is_comment(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'#' | b'%'))
}

/// The names of a line.
pub(super) fn fields(line: &[u8], separator: Option<u8>) -> impl Iterator<Item = &[u8]> {
    let is_blank = |byte: &u8| *byte == b' ' || *byte == b'\t';
    let splits = move |byte: &u8| match separator {
        None => is_blank(byte),
        Some(separator) => *byte == separator,
    };
    line.split(splits).map(<[u8]>::trim_ascii).filter(|field| !field.is_empty())
}

/// The lines of a block with their numbers, without the ends of lines and blanks around them.
pub(super) fn lines(block: &[u8], first: u64) -> impl Iterator<Item = (u64, &[u8])> {
    let text = block.strip_suffix(b"\n").unwrap_or(block);
    (first..).zip(text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii))
}

/// Read edges.
pub(super) fn read(
    path: &str,
    (separator, sensitive): (Option<u8>, &[String]),
    observer: &dyn Observer,
) -> Result<Raw> {
    let mut raw = Raw::default();
    let must_hide = |word: &[u8]| sensitive.iter().any(|kind| kind.as_bytes() == word);
    let mut seen_separator = separator;
    let mut each = |block: &[u8], first: u64| {
        for (number, line) in lines(block, first) {
            if line.is_empty() {
                continue;
            }
            if is_comment(line) {
                raw.declared = declared_nodes(line).or(raw.declared);
                continue;
            }
            let wrong = |error: Error| error.at_line(number);
            let mut names = fields(line, separator);
            let Some(from) = names.next() else { continue };
            let from = raw.numbering.number(from).map_err(wrong)?;
            let Some(to) = names.next() else {
                if separator.is_none() && line.contains(&b',') {
                    return Err(Error::input("a line has a comma and one name")
                        .at_line(number)
                        .hint("say --graph 'edges(separator=comma)', or table(from=A, to=B)"));
                }
                continue;
            };
            let to = raw.numbering.number(to).map_err(wrong)?;
            raw.edges.push((from, to));
            let mut more = names.peekable();
            raw.more_fields += u64::from(more.peek().is_some());
            if more.any(must_hide) {
                raw.sensitive.push((from, to));
            }
            seen_separator = seen_separator
                .or_else(|| line.iter().copied().find(|byte| *byte == b' ' || *byte == b'\t'));
        }
        Ok(())
    };
    raw.source = scan_lines(path, &mut each, observer)?;
    // A tab or a blank is written as it was read.
    let separator = seen_separator.filter(|byte| *byte != b' ');
    raw.layout = Some(Layout::Edges { separator, sensitive: Vec::new() });
    Ok(raw)
}

/// Append a number to a text.
pub(super) fn push_number(out: &mut Vec<u8>, number: u64) {
    let mut digits = [0u8; 20];
    let (mut at, mut left) = (digits.len(), number);
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Write edges, ascending. Where a node has no edge the first line says how many nodes there are.
pub(super) fn write(
    out: &mut Output,
    graph: &Graph,
    separator: Option<u8>,
    destination: &str,
) -> Result<()> {
    let mut text = Vec::with_capacity(BLOCK + 64);
    if graph.isolated() > 0 {
        text.extend(format!("# Nodes: {} Edges: {}\n", graph.n(), graph.m()).bytes());
    }
    for (a, b) in graph.edges() {
        push_number(&mut text, u64::from(a));
        text.push(separator.unwrap_or(b' '));
        push_number(&mut text, u64::from(b));
        text.push(b'\n');
        if text.len() >= BLOCK {
            append_lines(out, std::mem::take(&mut text), destination)?;
        }
    }
    append_lines(out, text, destination)
}
