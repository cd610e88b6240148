//! Paths that are published alike: how many of each there are.

use sfumato_core::FastMap;
use sfumato_core::traits::ClassSizes;

use crate::data::PathData;

/// The sizes of classes of equal paths, with equal values beside them that an attacker may know.
/// Paths without steps count for nothing.
pub fn classes(data: &PathData) -> ClassSizes {
    let mut sizes: FastMap<(usize, &[u32]), u64> = FastMap::default();
    for (class, records) in data.classes().iter().enumerate() {
        let paths = records.iter().map(|record| data.paths.get(*record as usize));
        for path in paths.filter(|path| !path.is_empty()) {
            *sizes.entry((class, path)).or_default() += 1;
        }
    }
    ClassSizes::from_sizes(sizes.into_values())
}
