//! The format of a spilled partition. A file consists of a head, chunks of rows, and an end with
//! the number of rows.
//!
//! A chunk has a head (rows; per column the least word, the width and a checksum) and then the
//! columns one after the other, each word less the least in 0, 1, 2, 4 or 8 bytes. A column can be
//! read without the others. Everything is little-endian. Bytes that were read are never trusted:
//! lengths are checked before anything is allocated, checksums before anything is handed over.

/// The bytes with which a file begins. The last byte is the version.
const MAGIC: &[u8; 8] = b"sfspill1";
/// The number of bytes of a file's head: magic word, number of columns, checksum.
pub(super) const HEAD: usize = 16;
/// The number of bytes of a file's end: zero in place of a chunk's number of rows, the number of
/// all rows, checksum.
pub(super) const END: usize = 16;
/// The number of bytes of a column in a chunk's head.
const COLUMN: usize = 13;
/// The largest number of rows of a chunk, so that a reader knows how much memory it needs at most.
pub(super) const MOST_ROWS: usize = 1 << 16;
/// The largest number of columns.
pub(super) const MOST_COLUMNS: usize = 1 << 16;

/// A column's part of a chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnBytes {
    least: u64,
    width: usize,
    sum: u32,
    /// The number of bytes of the columns before it.
    pub(super) at: u64,
    /// The number of its own bytes.
    pub(super) len: usize,
}

/// The number of bytes of a chunk's head.
pub(super) fn head_len(n_columns: usize) -> usize {
    4 + n_columns * COLUMN + 4
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// Whether the checksum at the end of some bytes is right.
fn is_sound(bytes: &[u8]) -> bool {
    bytes
        .len()
        .checked_sub(4)
        .is_some_and(|at| u32_at(bytes, at) == Some(crc32fast::hash(&bytes[..at])))
}

fn seal(out: &mut Vec<u8>, first: usize) {
    let sum = crc32fast::hash(&out[first..]);
    out.extend_from_slice(&sum.to_le_bytes());
}

/// The head of a file.
pub(super) fn file_head(n_columns: usize) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&(n_columns as u32).to_le_bytes());
    seal(&mut out, 0);
    out
}

/// The number of columns, from a file's head.
pub(super) fn read_file_head(bytes: &[u8]) -> Option<usize> {
    let n_columns = u32_at(bytes, 8)? as usize;
    (bytes.starts_with(MAGIC) && n_columns <= MOST_COLUMNS && is_sound(bytes)).then_some(n_columns)
}

/// The end of a file.
pub(super) fn file_end(n_rows: u64) -> Vec<u8> {
    let mut out = 0u32.to_le_bytes().to_vec();
    out.extend_from_slice(&n_rows.to_le_bytes());
    seal(&mut out, 0);
    out
}

/// The number of rows, from a file's end.
pub(super) fn read_file_end(bytes: &[u8]) -> Option<u64> {
    (u32_at(bytes, 0)? == 0 && is_sound(bytes)).then(|| u64_at(bytes, 4)).flatten()
}

/// Append a chunk of at least one row. `fill` is called for the words of a column.
pub(super) fn encode(
    n_rows: usize,
    n_columns: usize,
    mut fill: impl FnMut(usize, &mut Vec<u64>),
    words: &mut Vec<u64>,
    out: &mut Vec<u8>,
) {
    let first = out.len();
    let head = head_len(n_columns);
    out.resize(first + head, 0);
    out[first..first + 4].copy_from_slice(&(n_rows as u32).to_le_bytes());
    for column in 0..n_columns {
        fill(column, words);
        let (least, largest) = extremes(words);
        let at = out.len();
        let width = narrow(words, least, largest - least, out);
        let sum = crc32fast::hash(&out[at..]);
        let entry = &mut out[first + 4 + column * COLUMN..][..COLUMN];
        entry[..8].copy_from_slice(&least.to_le_bytes());
        entry[8] = width;
        entry[9..].copy_from_slice(&sum.to_le_bytes());
    }
    let sum = crc32fast::hash(&out[first..first + head - 4]);
    out[first + head - 4..first + head].copy_from_slice(&sum.to_le_bytes());
}

/// The least and the largest of at least one word. Several are compared at once, so that no
/// comparison waits for the one before.
fn extremes(words: &[u64]) -> (u64, u64) {
    let (mut least, mut largest) = ([u64::MAX; 8], [0; 8]);
    let (groups, rest) = words.as_chunks::<8>();
    for group in groups {
        for lane in 0..8 {
            least[lane] = least[lane].min(group[lane]);
            largest[lane] = largest[lane].max(group[lane]);
        }
    }
    let least = least.iter().chain(rest).fold(u64::MAX, |least, word| least.min(*word));
    (least, largest.iter().chain(rest).fold(0, |largest, word| largest.max(*word)))
}

/// Append words minus the least one, each in as few bytes as the widest needs, and return that
/// number.
fn narrow(words: &[u64], least: u64, widest: u64, out: &mut Vec<u8>) -> u8 {
    macro_rules! put {
        ($kind:ty) => {{
            const WIDTH: usize = size_of::<$kind>();
            let at = out.len();
            out.resize(at + words.len() * WIDTH, 0);
            for (bytes, word) in out[at..].chunks_exact_mut(WIDTH).zip(words) {
                bytes.copy_from_slice(&((word - least) as $kind).to_le_bytes());
            }
            WIDTH as u8
        }};
    }
    match widest {
        0 => 0,
        1..0x100 => put!(u8),
        0x100..0x1_0000 => put!(u16),
        0x1_0000..0x1_0000_0000 => put!(u32),
        _ => put!(u64),
    }
}

/// The number of rows of a chunk and the parts of its columns, from its head. No rows mean the end
/// of the file.
pub(super) fn read_head(bytes: &[u8], parts: &mut Vec<ColumnBytes>) -> Option<usize> {
    let n_rows = u32_at(bytes, 0)? as usize;
    parts.clear();
    let mut at = 0;
    for column in bytes.get(4..bytes.len() - 4)?.chunks_exact(COLUMN) {
        let width = usize::from(column[8]);
        let part = ColumnBytes {
            least: u64_at(column, 0)?,
            width,
            sum: u32_at(column, 9)?,
            at,
            len: n_rows * width,
        };
        at += part.len as u64;
        parts.push(part);
    }
    let widths = parts.iter().all(|part| matches!(part.width, 0 | 1 | 2 | 4 | 8));
    (n_rows > 0 && n_rows <= MOST_ROWS && widths && is_sound(bytes)).then_some(n_rows)
}

/// The words of a part. `None` if its bytes aren't those that were written.
pub(super) fn decode(
    part: &ColumnBytes,
    bytes: &[u8],
    n_rows: usize,
    words: &mut Vec<u64>,
) -> Option<()> {
    if crc32fast::hash(bytes) != part.sum {
        return None;
    }
    let least = part.least;
    macro_rules! get {
        ($kind:ty) => {
            words.extend(bytes.chunks_exact(size_of::<$kind>()).map(|bytes| {
                let mut word = [0; size_of::<$kind>()];
                word.copy_from_slice(bytes);
                // Nothing that was written wraps around; what wasn't must not panic.
                least.wrapping_add(<$kind>::from_le_bytes(word) as u64)
            }))
        };
    }
    words.clear();
    match part.width {
        0 => words.resize(n_rows, least),
        1 => get!(u8),
        2 => get!(u16),
        4 => get!(u32),
        _ => get!(u64),
    }
    (words.len() == n_rows).then_some(())
}
