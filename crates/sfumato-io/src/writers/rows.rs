//! Formats rows as text by copying: every distinct cell is formatted once, with its quotes and the
//! delimiter, and a row is a few short copies.

use sfumato_core::column::Dictionary;

/// Cells up to this length are copied as a block of this size, which costs two moves.
const SLOT: usize = 16;

/// The formatted cells of one column.
pub(crate) enum Cells {
    /// All cells are short: each has a slot and a length.
    Short { slots: Vec<[u8; SLOT]>, lengths: Vec<u8> },
    /// Cells of any length, one after the other.
    Long { bytes: Vec<u8>, ends: Vec<usize> },
}

impl Cells {
    /// Format the cell of every text. `render` appends the text of a code as it stands in the file.
    pub(crate) fn new(
        values: &Dictionary,
        mut render: impl FnMut(u32, &str, &mut Vec<u8>),
    ) -> Self {
        let mut bytes = Vec::with_capacity(values.bytes());
        let mut ends = Vec::with_capacity(values.len());
        let mut longest = 0;
        for (code, text) in values.iter().enumerate() {
            let start = bytes.len();
            render(code as u32, text, &mut bytes);
            longest = longest.max(bytes.len() - start);
            ends.push(bytes.len());
        }
        if longest > SLOT {
            return Cells::Long { bytes, ends };
        }
        let mut slots = vec![[0; SLOT]; ends.len()];
        let mut lengths = Vec::with_capacity(ends.len());
        let mut start = 0;
        for (slot, &end) in slots.iter_mut().zip(&ends) {
            slot[..end - start].copy_from_slice(&bytes[start..end]);
            lengths.push((end - start) as u8);
            start = end;
        }
        Cells::Short { slots, lengths }
    }

    /// The formatted bytes of a code.
    #[cfg(test)]
    pub(crate) fn get(&self, code: usize) -> &[u8] {
        match self {
            Cells::Short { slots, lengths } => &slots[code][..lengths[code] as usize],
            Cells::Long { bytes, ends } => {
                let start = if code == 0 { 0 } else { ends[code - 1] };
                &bytes[start..ends[code]]
            }
        }
    }
}

/// Format rows: `codes` has one list per column, all of the same length.
pub(crate) fn format(cells: &[Cells], codes: &[Vec<u32>], n_rows: usize) -> Vec<u8> {
    let mut out = vec![0u8; n_rows * cells.len() * 8 + 1024];
    let mut at = 0;
    for row in 0..n_rows {
        for (cells, codes) in cells.iter().zip(codes) {
            let code = codes[row] as usize;
            match cells {
                Cells::Short { slots, lengths } => {
                    if out.len() < at + SLOT {
                        grow(&mut out, SLOT, row, n_rows);
                    }
                    out[at..at + SLOT].copy_from_slice(&slots[code]);
                    at += lengths[code] as usize;
                }
                Cells::Long { bytes, ends } => {
                    let start = if code == 0 { 0 } else { ends[code - 1] };
                    let cell = &bytes[start..ends[code]];
                    if out.len() < at + cell.len() {
                        grow(&mut out, cell.len(), row, n_rows);
                    }
                    out[at..at + cell.len()].copy_from_slice(cell);
                    at += cell.len();
                }
            }
        }
    }
    out.truncate(at);
    out
}

/// Reserve at least `more` bytes, and enough for the remaining rows if they are like the ones
/// before.
#[cold]
#[inline(never)]
fn grow(out: &mut Vec<u8>, more: usize, row: usize, n_rows: usize) {
    let expected = out.len() / (row + 1) * n_rows;
    let length = (out.len() + more + out.len() / 2).max(expected + expected / 8);
    out.resize(length, 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_short_and_long_cells() {
        let short: Dictionary = ["a", "", "ccc"].into_iter().collect();
        let long: Dictionary = ["x".repeat(40), "y".into()].into_iter().collect();
        let first = Cells::new(&short, |_, text, out| {
            out.extend_from_slice(text.as_bytes());
            out.push(b',');
        });
        let second = Cells::new(&long, |_, text, out| {
            out.extend_from_slice(text.as_bytes());
            out.push(b'\n');
        });
        assert!(matches!(first, Cells::Short { .. }));
        assert!(matches!(second, Cells::Long { .. }));
        let n = 5000;
        let codes = [(0..n).map(|i| i % 3).collect(), (0..n).map(|i| i % 2).collect()];
        let mut expected = Vec::new();
        for row in 0..n as usize {
            expected.extend_from_slice(first.get(row % 3));
            expected.extend_from_slice(second.get(row % 2));
        }
        assert!(format(&[first, second], &codes, n as usize) == expected);
    }
}
