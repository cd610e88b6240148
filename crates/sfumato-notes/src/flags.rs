//! The flags of notes beside those of tables and of documents.

use sfumato_engine::flags::{Command, Flag, KindFlags, Sets, Takes};

use crate::job::LINKS;
use Command::{Anonymize, Audit, Explain, Query};

/// What to do for whoever gave a flag of another kind.
const HINT: &str = "say with --text where the text is, with --detect what to look for, and with \
                    --qi, --sensitive, --keep and --identifier what columns are";

/// The flags of notes.
pub const FLAGS: KindFlags = KindFlags { list: LIST, hint: HINT };

static LIST: &[Flag] = &[
    Flag::new(
        "view",
        Takes::Many("NAME=CLASS"),
        "What of a person the text may give away: a column and the class of parts of the text \
         that say it, such as 'age=AGE, city=GPE'. A column that only the text has is added to the \
         release. Without it columns are guessed by their names.",
        &[Anonymize, Explain, Audit, Query],
        Sets::Names("view", "attributes"),
    ),
    Flag::new(
        "link",
        Takes::OneOf("HOW", LINKS),
        "How notes of one person are found where no column says it: similarity joins notes by the \
         numbers and names in them, none takes each for another person [default: similarity]",
        &[Anonymize, Explain],
        Sets::Text("view", "link"),
    ),
];
