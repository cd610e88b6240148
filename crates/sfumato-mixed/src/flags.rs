//! The flags of mixed records beside those of tables and of baskets.

use sfumato_engine::flags::{Command, Flag, KindFlags, Sets, Takes};

use Command::{Anonymize, Audit, Explain, Query};

/// What to do for whoever gave a flag of another kind.
const HINT: &str = "say with --baskets 'list(column=NAME)' which column has the items, and with \
                    --qi, --sensitive, --keep and --identifier what the others are";

/// The flags of mixed records.
pub const FLAGS: KindFlags = KindFlags { list: LIST, hint: HINT };

static LIST: &[Flag] = &[Flag::new(
    "item-separator",
    Takes::One("CHAR"),
    "The character between the items of a cell, in a file that has no lists [default: ;]",
    &[Anonymize, Explain, Audit, Query],
    Sets::Text("mixed", "separator"),
)];
