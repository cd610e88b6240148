//! The flags of baskets: how records lie in the file, and what their items are.

use sfumato_engine::flags::shared::{BUCKETS, GROUP_COLUMN, K, K_AUDITED, KEEP_ORDER};
use sfumato_engine::flags::{Command, Flag, KindFlags, Sets, Takes};

use Command::{Anonymize, Audit, Explain, Explore, Query, Serve};

/// Commands that read baskets.
const READING: &[Command] = &[Anonymize, Explain, Explore, Audit, Query, Serve];

/// What to do for whoever gave a flag of another kind.
const HINT: &str = "say with the layout what columns are, as in table(categories=[sex], key=id), \
                    and roles of items with --sensitive-items and --drop-items";

/// The flags of baskets.
pub const FLAGS: KindFlags = KindFlags { list: LIST, hint: HINT };

static LIST: &[Flag] = &[
    Flag::new(
        "baskets",
        Takes::One("LAYOUT"),
        "That the data are baskets, sets of items, and how they lie in the file: lines, \
         'lines(separator=comma)', 'long(id=A, item=B)', 'list(column=A)', \
         'table(categories=[A, B], buckets=[C:5])' or 'queries(user=A, query=B)'.",
        READING,
        Sets::Text("baskets", "layout"),
    ),
    Flag::new(
        "sensitive-items",
        Takes::Many("A,B"),
        "Items that an attacker wants to learn: published as they are.",
        READING,
        Sets::Names("baskets", "sensitive"),
    )
    .requires(&["baskets"]),
    Flag::new(
        "drop-items",
        Takes::Many("A,B"),
        "Items that are left out.",
        READING,
        Sets::Names("baskets", "drop"),
    )
    .requires(&["baskets"]),
    Flag::new(
        "item-hierarchy",
        Takes::One("FILE"),
        "The tree by which items are generalized: a file with one line for each item, from the \
         item to the root; how it is built, as 'order(groups=[5, 5, 5])'; or auto for groups of \
         items that occur equally often.",
        &[Anonymize, Explain, Explore],
        Sets::Text("baskets", "hierarchy"),
    )
    .requires(&["baskets"]),
    Flag::new(
        "save-item-hierarchy",
        Takes::One("FILE"),
        "Write the tree by which items are generalized, without items that are left out: what \
         labels of a tree that is built from the items mean.",
        &[Anonymize, Explain],
        Sets::Text("output", "item_hierarchy"),
    )
    .requires(&["item-hierarchy"]),
    Flag::new(
        "item-hierarchy",
        Takes::One("FILE"),
        "The tree by which the items of the release were generalized.",
        &[Audit, Query],
        Sets::Text("baskets", "hierarchy"),
    ),
    Flag::new(
        "utilities",
        Takes::One("FILE"),
        "What an instance of each item is worth: a file of item,utility.",
        &[Anonymize, Explain, Explore],
        Sets::Text("baskets", "utilities"),
    )
    .requires(&["baskets"]),
    Flag::new(
        "utilities",
        Takes::One("FILE"),
        "What an instance of each item is worth: a file of item,utility.",
        &[Serve],
        Sets::Text("baskets", "utilities"),
    ),
    Flag::new(
        "original-baskets",
        Takes::One("LAYOUT"),
        "How the original's baskets lie in their file, where that is another layout than the \
         release's.",
        &[Audit, Query],
        Sets::Text("baskets", "layout"),
    )
    .requires(&["original"])
    .original(),
    K,
    K_AUDITED,
    KEEP_ORDER,
    BUCKETS,
    GROUP_COLUMN,
];
