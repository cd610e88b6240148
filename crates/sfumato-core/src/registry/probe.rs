//! Probes: parameters with which any release satisfies a model, so that an audit can read off what
//! the release achieves.

/// A call of a model that anything satisfies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// The arguments, as a user would write them, without the column.
    pub args: &'static str,
    /// The columns that it is made for, one after the other.
    pub on: ProbedColumns,
    /// What tells it from other probes of the same model, for people. Empty where it is the only
    /// one.
    pub variant: &'static str,
}

/// Which sensitive columns a probe is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbedColumns {
    /// It is about no column.
    None,
    /// It is made for every sensitive column.
    All,
    /// Those whose values have an order, or a hierarchy whose leaves are in order.
    Ordered,
    /// Those with a hierarchy.
    WithHierarchy,
}
