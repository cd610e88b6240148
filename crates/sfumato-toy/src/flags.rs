//! The flags of numbers. Nothing outside this crate knows them.

use sfumato_engine::flags::shared::{model_first, model_last};
use sfumato_engine::flags::{Command, Flag, KindFlags, Sets, Takes};

use Command::{Anonymize, Audit, Explain, Explore, Query};

/// What to do for whoever gave a flag of another kind.
const HINT: &str = "say what numbers count with --unit";

/// The flags of numbers.
pub const FLAGS: KindFlags = KindFlags { list: LIST, hint: HINT };

static LIST: &[Flag] = &[
    Flag::new(
        "unit",
        Takes::One("WORD"),
        "That the data are whole numbers, one on each line, and what they count.",
        &[Anonymize, Explain, Explore, Audit, Query],
        Sets::Text("toy", "unit"),
    ),
    Flag::new(
        "k",
        Takes::Whole("K"),
        "A crowd: at least k records are published as the same number.",
        &[Anonymize, Explain],
        Sets::By("models in [privacy]", |job, values| model_first(job, "crowd", values)),
    )
    .goal(),
    Flag::new(
        "k",
        Takes::Whole("K"),
        "A crowd that must hold, or the command ends with exit code 3.",
        &[Audit],
        Sets::By("models in [privacy]", |job, values| model_last(job, "crowd", values)),
    )
    .goal(),
];
