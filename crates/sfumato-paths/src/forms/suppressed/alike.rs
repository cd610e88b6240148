//! Paths that are published alike: how many of each there are.

use sfumato_core::FastMap;
use sfumato_core::traits::ClassSizes;

use crate::data::Paths;

/// The sizes of classes of equal paths. Paths without steps count for nothing.
pub fn classes(paths: &Paths) -> ClassSizes {
    let mut sizes: FastMap<&[u32], u64> = FastMap::default();
    for path in paths.iter().filter(|path| !path.is_empty()) {
        *sizes.entry(path).or_default() += 1;
    }
    ClassSizes::from_sizes(sizes.into_values())
}
