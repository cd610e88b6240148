//! A column of dictionary codes in the narrowest of u8, u16 and u32.

/// An integer that can be a code. Kernels are generic over it, so that each width gets its own
/// inner loop.
pub trait Code: Copy + Ord + Send + Sync + Default + std::fmt::Debug + 'static {
    /// Convert to a `u32`.
    fn widen(self) -> u32;
    /// Convert from a `u32` that is known to fit.
    fn narrow(code: u32) -> Self;
}
impl Code for u8 {
    #[inline]
    fn widen(self) -> u32 {
        u32::from(self)
    }
    #[inline]
    fn narrow(code: u32) -> Self {
        code as u8
    }
}
impl Code for u16 {
    #[inline]
    fn widen(self) -> u32 {
        u32::from(self)
    }
    #[inline]
    fn narrow(code: u32) -> Self {
        code as u16
    }
}
impl Code for u32 {
    #[inline]
    fn widen(self) -> u32 {
        self
    }
    #[inline]
    fn narrow(code: u32) -> Self {
        code
    }
}

/// Codes of one column, one per row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// At most 256 codes.
    U8(Vec<u8>),
    /// At most 65,536 codes.
    U16(Vec<u16>),
    /// Any number of codes.
    U32(Vec<u32>),
}

/// Run an expression over the typed vector inside [`Codes`].
#[macro_export]
macro_rules! with_codes {
    ($codes:expr, $slice:ident => $body:expr) => {
        match $codes {
            $crate::column::Codes::U8($slice) => $body,
            $crate::column::Codes::U16($slice) => $body,
            $crate::column::Codes::U32($slice) => $body,
        }
    };
}

impl Codes {
    /// An empty column for codes `0..n_codes`.
    pub fn for_domain(n_codes: usize) -> Self {
        if n_codes <= 1 << 8 {
            Codes::U8(Vec::new())
        } else if n_codes <= 1 << 16 {
            Codes::U16(Vec::new())
        } else {
            Codes::U32(Vec::new())
        }
    }

    /// A column in the narrowest width that holds codes `0..n_codes`.
    pub fn from_iter(n_codes: usize, iter: impl Iterator<Item = u32>) -> Self {
        match Self::for_domain(n_codes) {
            Codes::U8(_) => Codes::U8(iter.map(u8::narrow).collect()),
            Codes::U16(_) => Codes::U16(iter.map(u16::narrow).collect()),
            Codes::U32(_) => Codes::U32(iter.collect()),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        with_codes!(self, v => v.len())
    }
    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The code of a row.
    #[inline]
    pub fn get(&self, row: usize) -> u32 {
        with_codes!(self, v => v[row].widen())
    }
    /// The number of bytes per row.
    pub fn width(&self) -> usize {
        match self {
            Codes::U8(_) => 1,
            Codes::U16(_) => 2,
            Codes::U32(_) => 4,
        }
    }
    /// The number of bytes that the rows take in memory.
    pub fn bytes(&self) -> usize {
        self.len() * self.width()
    }
    /// All codes in row order. The iterator is boxed once, not per row; hot loops use
    /// [`with_codes!`].
    pub fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        with_codes!(self, v => Box::new(v.iter().map(|c| c.widen())))
    }

    /// Replace code `c` by `table[c]`, where the new codes are `0..n_codes`. In place when the
    /// width stays.
    pub fn remap(self, table: &[u32], n_codes: usize) -> Self {
        match (self, Self::for_domain(n_codes)) {
            (Codes::U8(mut v), Codes::U8(_)) => {
                v.iter_mut().for_each(|c| *c = u8::narrow(table[*c as usize]));
                Codes::U8(v)
            }
            (Codes::U16(mut v), Codes::U16(_)) => {
                v.iter_mut().for_each(|c| *c = u16::narrow(table[*c as usize]));
                Codes::U16(v)
            }
            (Codes::U32(mut v), Codes::U32(_)) => {
                v.iter_mut().for_each(|c| *c = table[*c as usize]);
                Codes::U32(v)
            }
            (old, _) => Codes::from_iter(n_codes, old.iter().map(|c| table[c as usize])),
        }
    }

    /// The codes of the given rows, in their order.
    pub fn gather(&self, rows: &[u32]) -> Self {
        match self {
            Codes::U8(v) => Codes::U8(rows.iter().map(|&r| v[r as usize]).collect()),
            Codes::U16(v) => Codes::U16(rows.iter().map(|&r| v[r as usize]).collect()),
            Codes::U32(v) => Codes::U32(rows.iter().map(|&r| v[r as usize]).collect()),
        }
    }

    /// How often each of the codes `0..n_codes` occurs.
    pub fn counts(&self, n_codes: usize) -> Vec<u64> {
        let mut counts = vec![0u64; n_codes];
        with_codes!(self, v => v.iter().for_each(|c| counts[c.widen() as usize] += 1));
        counts
    }
}

/// Appends codes while neither their number nor the number of rows is known.
///
/// Rows go to chunks, each in the width that was enough when it was begun, and are put together at
/// the end: growing one vector would copy a large column many times and leave twice its memory
/// behind.
#[derive(Debug, Clone, Default)]
pub struct CodesBuilder {
    chunks: Vec<Codes>,
    n_codes: usize,
}

/// The number of rows in a chunk.
const CHUNK: usize = 1 << 20;

impl CodesBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Append `table[c]` for each local code `c`; every entry of `table` is below `n_codes`.
    /// The reader merges the dictionaries of its blocks with this.
    pub fn extend_mapped<C: Code>(&mut self, local: &[C], table: &[u32], n_codes: usize) {
        self.n_codes = self.n_codes.max(n_codes);
        for part in local.chunks(CHUNK) {
            match self.chunk_for(part.len()) {
                Codes::U8(v) => {
                    v.extend(part.iter().map(|c| u8::narrow(table[c.widen() as usize])))
                }
                Codes::U16(v) => {
                    v.extend(part.iter().map(|c| u16::narrow(table[c.widen() as usize])))
                }
                Codes::U32(v) => v.extend(part.iter().map(|c| table[c.widen() as usize])),
            }
        }
    }

    /// Append a single code.
    pub fn push(&mut self, code: u32) {
        self.n_codes = self.n_codes.max(code as usize + 1);
        match self.chunk_for(1) {
            Codes::U8(v) => v.push(u8::narrow(code)),
            Codes::U16(v) => v.push(u16::narrow(code)),
            Codes::U32(v) => v.push(code),
        }
    }

    /// The chunk to append to: of the right width, and with room for `n_rows` rows.
    fn chunk_for(&mut self, n_rows: usize) -> &mut Codes {
        let wanted = Codes::for_domain(self.n_codes);
        let fits = self
            .chunks
            .last()
            .is_some_and(|c| c.width() == wanted.width() && c.len() + n_rows <= CHUNK);
        if !fits {
            // The first chunk grows as it likes: most tables are small.
            let room = if self.chunks.is_empty() { 0 } else { CHUNK };
            self.chunks.push(match wanted {
                Codes::U8(_) => Codes::U8(Vec::with_capacity(room)),
                Codes::U16(_) => Codes::U16(Vec::with_capacity(room)),
                Codes::U32(_) => Codes::U32(Vec::with_capacity(room)),
            });
        }
        self.chunks.last_mut().expect("a chunk was just made if there was none")
    }

    /// The finished column.
    pub fn finish(self) -> Codes {
        let n_rows = self.chunks.iter().map(Codes::len).sum();
        match Codes::for_domain(self.n_codes) {
            Codes::U8(_) => Codes::U8(concatenate(self.chunks, n_rows)),
            Codes::U16(_) => Codes::U16(concatenate(self.chunks, n_rows)),
            Codes::U32(_) => Codes::U32(concatenate(self.chunks, n_rows)),
        }
    }
}

/// Copy all chunks into one vector. Each chunk is freed after it has been copied.
fn concatenate<C: Code>(chunks: Vec<Codes>, n_rows: usize) -> Vec<C> {
    let mut all = Vec::with_capacity(n_rows);
    for chunk in chunks {
        with_codes!(chunk, v => all.extend(v.iter().map(|code| C::narrow(code.widen()))));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builder_widens_without_changing_codes() {
        let mut builder = CodesBuilder::new();
        for code in [0, 255, 256, 65_535, 65_536, 3] {
            builder.push(code);
        }
        let codes = builder.finish();
        assert_eq!(codes.iter().collect::<Vec<_>>(), [0, 255, 256, 65_535, 65_536, 3]);
        assert_eq!(codes.width(), 4);
    }

    #[test]
    fn remap_narrows() {
        let wide = Codes::U16(vec![300, 2, 300]);
        let mut table = vec![0; 301];
        table[300] = 7;
        assert_eq!(wide.remap(&table, 8), Codes::U8(vec![7, 0, 7]));
    }

    #[test]
    fn gather_and_counts() {
        let codes = Codes::U8(vec![1, 0, 2, 1]);
        assert_eq!(codes.gather(&[3, 0]), Codes::U8(vec![1, 1]));
        assert_eq!(codes.counts(4), [1, 2, 1, 0]);
    }
}
