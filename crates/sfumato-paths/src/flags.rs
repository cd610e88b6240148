//! The flags of paths: how records lie in the file, and what their columns are.

use sfumato_engine::flags::shared::KEEP_ORDER;
use sfumato_engine::flags::{Command, Flag, KindFlags, Sets, Takes};

use Command::{Anonymize, Audit, Explain, Explore, Query};

/// Commands that read paths.
const READING: &[Command] = &[Anonymize, Explain, Explore, Audit, Query];

/// What to do for whoever gave a flag of another kind.
const HINT: &str = "say with the layout what columns are, as in points(id=A, place=B, time=C, \
                    drop=[D]), which are sensitive with --sensitive and which an attacker may \
                    know with --qi";

/// The flags of paths.
pub const FLAGS: KindFlags = KindFlags { list: LIST, hint: HINT };

static LIST: &[Flag] = &[
    Flag::new(
        "paths",
        Takes::One("LAYOUT"),
        "That the data are paths, and how they lie in the file: 'points(id=A, place=B, time=C)', \
         'track(id=A, lat=B, lon=C, time=D)' or lines, a sequence of pages on each.",
        READING,
        Sets::Text("paths", "layout"),
    ),
    Flag::new(
        "sensitive",
        Takes::Many("A,B"),
        "Columns beside a path that an attacker wants to learn: published as they are.",
        READING,
        Sets::Names("paths", "sensitive"),
    ),
    Flag::new(
        "qi",
        Takes::Many("A,B"),
        "Columns beside a path that an attacker may know as well: promises hold for whoever \
         knows both. Published as they are, or generalized for --qi-model.",
        READING,
        Sets::Names("paths", "quasi"),
    ),
    Flag::new(
        "qi-model",
        Takes::Many("MODEL"),
        "A model of tables that the columns of --qi must keep, such as 'k-anonymity(k=5)': they \
         are \
         generalized for it in the same run. May be given again.",
        &[Anonymize, Explain],
        Sets::Texts("paths", "quasi_models"),
    )
    .requires(&["qi"]),
    Flag::new(
        "original-paths",
        Takes::One("LAYOUT"),
        "How the original's paths lie in their file, where that is another layout than the \
         release's.",
        &[Audit, Query],
        Sets::Text("paths", "layout"),
    )
    .requires(&["original"])
    .original(),
    KEEP_ORDER,
];
