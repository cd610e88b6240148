//! The rows of a node in the order of the parts of a split, for judging the parts before anything
//! is moved.

use std::ops::Range;

use sfumato_core::column::{Code, Codes};

use super::split::Split;
use super::store::Slice;

/// Finds the part of a split to which a row goes. Rows must be asked for in their order.
#[derive(Debug)]
pub struct PartsOf {
    first_codes: Vec<u32>,
    extra: usize,
}

impl PartsOf {
    /// The parts of a split.
    pub fn new(split: &Split) -> Self {
        PartsOf {
            first_codes: split.parts[1..].iter().map(|part| part.region.min).collect(),
            extra: split.extra,
        }
    }

    /// The part of the next row, by its code.
    #[inline]
    pub fn of(&mut self, code: u32) -> usize {
        if self.extra > 0 && code == self.first_codes[0] {
            self.extra -= 1;
            return 0;
        }
        match self.first_codes.as_slice() {
            [first] => usize::from(code >= *first),
            firsts => firsts.partition_point(|&first| first <= code),
        }
    }
}

/// A column of the payload in another order. Packed stores aren't part of the payload.
pub fn grouped(column: &Slice<'_>, range: Range<usize>, places: &[u32]) -> Option<Codes> {
    match column {
        Slice::U8(codes) => Some(Codes::U8(scatter(&codes[range], places))),
        Slice::U16(codes) => Some(Codes::U16(scatter(&codes[range], places))),
        Slice::U32(codes) => Some(Codes::U32(scatter(&codes[range], places))),
        Slice::Quad(_) | Slice::Octet(_) => None,
    }
}

/// Some cells of a column of the payload.
pub fn picked(column: &Slice<'_>, places: &[u32], start: usize) -> Option<Codes> {
    fn pick<C: Code>(codes: &[C], places: &[u32]) -> Vec<C> {
        places.iter().map(|&place| codes[place as usize]).collect()
    }
    match column {
        Slice::U8(codes) => Some(Codes::U8(pick(&codes[start..], places))),
        Slice::U16(codes) => Some(Codes::U16(pick(&codes[start..], places))),
        Slice::U32(codes) => Some(Codes::U32(pick(&codes[start..], places))),
        Slice::Quad(_) | Slice::Octet(_) => None,
    }
}

fn scatter<C: Code>(codes: &[C], places: &[u32]) -> Vec<C> {
    let mut scattered = vec![C::default(); codes.len()];
    for (&code, &place) in codes.iter().zip(places) {
        scattered[place as usize] = code;
    }
    scattered
}
