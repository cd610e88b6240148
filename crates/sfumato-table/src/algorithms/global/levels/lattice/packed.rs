//! A record at a node of the lattice in a few machine words: a field of bits per column, so that
//! generalizing a column changes one field, and comparing records means comparing words.

/// A record in `W` words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packed<const W: usize>([u64; W]);

/// The place of each column's field. A field never crosses two words.
#[derive(Debug, Clone)]
pub struct Layout {
    fields: Vec<Field>,
    /// The columns from the lowest bits up.
    order: Vec<usize>,
    /// The number of words of a record.
    pub words: usize,
}

#[derive(Debug, Clone, Copy)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
}

impl Layout {
    /// A layout for columns with these numbers of values. The first columns of an order get the
    /// lowest bits.
    pub fn new(n_values: &[usize], order: Vec<usize>) -> Self {
        let nowhere = Field { word: 0, shift: 0, mask: 0 };
        let mut layout = Layout { fields: vec![nowhere; n_values.len()], words: 1, order };
        let mut used = 0;
        for &column in &layout.order {
            let bits = usize::BITS - n_values[column].saturating_sub(1).leading_zeros();
            if used + bits > u64::BITS {
                layout.words += 1;
                used = 0;
            }
            let mask = if bits == 0 { 0 } else { u64::MAX >> (u64::BITS - bits) };
            layout.fields[column] = Field { word: layout.words - 1, shift: used.min(63), mask };
            used += bits;
        }
        layout
    }

    /// The columns from the lowest bits up.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The field of a column.
    #[inline]
    pub fn get<const W: usize>(&self, record: &Packed<W>, column: usize) -> u32 {
        let Field { word, shift, mask } = self.fields[column];
        (record.0[word] >> shift & mask) as u32
    }

    /// Change the field of a column.
    #[inline]
    pub fn set<const W: usize>(&self, record: &mut Packed<W>, column: usize, value: u32) {
        let Field { word, shift, mask } = self.fields[column];
        record.0[word] = record.0[word] & !(mask << shift) | u64::from(value) << shift;
    }
}

/// Changes fields by tables, several neighbouring fields with one look-up.
pub struct Raiser {
    /// For each chunk, its word, first bit and mask, and the new value of each of its patterns.
    chunks: Vec<(usize, u32, u64, Vec<u64>)>,
}

/// The largest number of bits of a chunk, such that its table stays in the fastest cache.
const CHUNK_BITS: u32 = 11;

impl Layout {
    /// Change every field: value `v` becomes `up[column][v]`. `None` leaves a column as it is.
    pub fn raiser(&self, up: &[Option<Vec<u32>>]) -> Raiser {
        let mut chunks: Vec<(usize, u32, u64, Vec<u64>)> = Vec::new();
        let mut start = 0;
        while start < self.order.len() {
            let first = self.fields[self.order[start]];
            let bits = |field: &Field| field.mask.count_ones();
            let mut end = start + 1;
            let mut width = bits(&first);
            while let Some(next) = self.order.get(end).map(|&column| &self.fields[column]) {
                if next.word != first.word || width + bits(next) > CHUNK_BITS {
                    break;
                }
                width += bits(next);
                end += 1;
            }
            let mask = if width == 0 { 0 } else { u64::MAX >> (u64::BITS - width) };
            let raised_pattern = |pattern: u64| {
                let field = |column: usize| {
                    let Field { shift, mask, .. } = self.fields[column];
                    let value = pattern << first.shift >> shift & mask;
                    // Patterns that no record has may be out of bounds.
                    let raised = match &up[column] {
                        Some(up) => up.get(value as usize).map_or(0, |&raised| u64::from(raised)),
                        None => value,
                    };
                    raised << shift
                };
                self.order[start..end].iter().fold(0, |all, &column| all | field(column))
            };
            chunks.push((first.word, first.shift, mask, (0..=mask).map(raised_pattern).collect()));
            start = end;
        }
        Raiser { chunks }
    }
}

impl Raiser {
    /// A record with its fields changed.
    #[inline]
    pub fn raise<const W: usize>(&self, record: &Packed<W>) -> Packed<W> {
        let mut raised = Packed::ZERO;
        for (word, shift, mask, table) in &self.chunks {
            raised.0[*word] |= table[(record.0[*word] >> shift & mask) as usize];
        }
        raised
    }
}

impl<const W: usize> Packed<W> {
    /// The record with all fields 0.
    pub const ZERO: Self = Packed([0; W]);

    /// The words, the highest first.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().rev().copied()
    }

    /// A hash of the record.
    #[inline]
    pub fn hash(&self) -> u64 {
        const ODD: u128 = 0x9E37_79B9_7F4A_7C15;
        self.0.iter().fold(0u64, |hash, &word| {
            let product = u128::from(hash.rotate_left(23) ^ word) * ODD;
            (product >> 64) as u64 ^ product as u64
        })
    }
}

/// Numbers different records from 0 in the order of their appearance. The table grows with its
/// content, so few groups stay in the fast caches however many records come.
pub struct Numbering<const W: usize> {
    /// The different records.
    pub keys: Vec<Packed<W>>,
    /// The number of the record in a slot plus one; 0 for none.
    slots: Vec<u32>,
}

impl<const W: usize> Default for Numbering<W> {
    fn default() -> Self {
        Numbering { keys: Vec::new(), slots: vec![0; 256] }
    }
}

impl<const W: usize> Numbering<W> {
    /// The number of a record.
    #[inline]
    pub fn number(&mut self, key: Packed<W>) -> u32 {
        let mask = self.slots.len() - 1;
        let mut place = key.hash() as usize & mask;
        loop {
            match self.slots[place] {
                0 => break,
                n if self.keys[n as usize - 1] == key => return n - 1,
                _ => place = (place + 1) & mask,
            }
        }
        self.keys.push(key);
        self.slots[place] = self.keys.len() as u32;
        if self.keys.len() * 2 > self.slots.len() {
            self.grow();
        }
        self.keys.len() as u32 - 1
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 4;
        self.slots.clear();
        self.slots.resize(size, 0);
        for (number, key) in self.keys.iter().enumerate() {
            let mut place = key.hash() as usize & (size - 1);
            while self.slots[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            self.slots[place] = number as u32 + 1;
        }
    }
}
