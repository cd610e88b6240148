//! What may be done to a published value, and the parts that it makes of the value.

/// What may be done to one published value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The node becomes its children.
    Children,
    /// The range is split before a code.
    Split(u32),
    /// The code is no longer suppressed.
    Disclose(u32),
}

/// A published value with what may be done to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refinement {
    /// The column's place among the quasi columns.
    pub column: usize,
    /// The number of the published value.
    pub block: u32,
    /// What is done.
    pub step: Step,
    /// Its place among equally good ones of its column: the first code it is about.
    pub order: u32,
    /// What it tells about the target, in bits per record; without a target what it saves.
    pub gain: f64,
    /// The rows of its smallest part, if it tells records apart.
    pub least: Option<u64>,
}

/// The parts that a refinement makes of a value.
pub struct Parts {
    /// The part of each code, or `OUTSIDE`.
    pub of_code: Vec<u32>,
    /// How many rows each part has.
    pub rows: Vec<u64>,
}
