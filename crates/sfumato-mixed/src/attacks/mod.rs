//! Attacks on mixed records: one file each, listed once.

use sfumato_engine::attack::Attack;
use sfumato_table::attacks::TableStage;

use crate::data::{MixedData, Rows};

sfumato_core::registry! {
    /// Every attack on columns and items together.
    dyn Attack<MixedStage>:
    columns_and_items::ColumnsAndItems,
}

/// What attackers of mixed records look at.
pub struct MixedStage {
    /// Columns, as attackers of tables see them.
    pub columns: TableStage,
    /// The people.
    pub people: MixedData,
    /// The items of each row of the release.
    pub rows: Rows,
}

impl MixedStage {
    /// Whether a row may have an item: it has the item, or a node above it.
    pub fn may_have(&self, row: u32, item: u32) -> bool {
        let units = self.rows.units.set(row as usize);
        match &self.people.tree {
            None => units.binary_search(&item).is_ok(),
            Some(tree) => tree
                .leaf(item)
                .is_some_and(|leaf| units.iter().any(|node| tree.covers(*node, leaf))),
        }
    }
}
