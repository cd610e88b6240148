//! The possible refinements of a published value, and the parts that they make of it.

/// A step that refines one published value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The node becomes its children.
    Children,
    /// The range is split before a code.
    Split(u32),
    /// The code is no longer suppressed.
    Disclose(u32),
}

/// A published value with a step that refines it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refinement {
    /// The column's place among the quasi columns.
    pub column: usize,
    /// The number of the published value.
    pub block: u32,
    /// The step that the refinement takes.
    pub step: Step,
    /// Its place among equally good ones of its column: the first code that it is about.
    pub order: u32,
    /// The information about the target that it gains, in bits per record. Without a target, the
    /// cost that it saves.
    pub gain: f64,
    /// The number of rows of its smallest part, if it separates records.
    pub least: Option<u64>,
}

/// The parts that a refinement makes of a value.
pub struct Parts {
    /// The part of each code, or `OUTSIDE`.
    pub of_code: Vec<u32>,
    /// How many rows each part has.
    pub rows: Vec<u64>,
}
