//! The flags of documents: where the text is, what to look for, and what to put in its place.

use sfumato_engine::flags::shared::{model_first, model_last};
use sfumato_engine::flags::{Command, Flag, KindFlags, Sets, Takes};

use crate::job::{Level, REPLACEMENTS};
use Command::{Anonymize, Audit, Explain, Explore, Query};

/// Commands that read documents.
const READING: &[Command] = &[Anonymize, Explain, Explore, Audit, Query];
/// Commands that know the output.
const WRITING: &[Command] = &[Anonymize, Explain];

/// What to do for whoever gave a flag of another kind.
const HINT: &str = "say with --text where the text is, with --detect what to look for, and with \
                    --entities and --protected who must not be recognized";

/// The flags of documents.
pub const FLAGS: KindFlags = KindFlags { list: LIST, hint: HINT };

static LIST: &[Flag] = &[
    Flag::new(
        "text",
        Takes::One("WHERE"),
        "That the data are documents, and where their text is: folder for a folder of text files, \
         mbox for a mailbox, or 'field=NAME' for a field of JSON lines or a column of a table; \
         'field=NAME, subject=ID' says in which field the person is.",
        READING,
        Sets::Text("text", "layout"),
    ),
    Flag::new(
        "detect",
        Takes::One("WHAT"),
        "What to look for in the text: default for everything that can be found, safe-harbor for \
         the identifiers that HIPAA lists, or names of detectors with commas between them; a file \
         that 'sfumato text train' made is one of these names, and 'pipe:COMMAND' is a detector of \
         somebody else's; 'sfumato list detectors' shows them.",
        &[Anonymize, Explain, Audit],
        Sets::Names("text", "detect"),
    )
    .requires(&["text"]),
    Flag::new(
        "replace",
        Takes::OneOf("HOW", REPLACEMENTS),
        "What takes the place of what was found: tag writes its class as in [PERSON], redact \
         writes [REDACTED], remove leaves nothing, generalize writes a range or a prefix where the \
         class has one, surrogate writes something of the same class that is made up, the same \
         for the same [default: tag]",
        &[Anonymize, Explain],
        Sets::Text("text", "replace"),
    )
    .requires(&["text"]),
    Flag::new(
        "level",
        Takes::OneOf("LEVEL", Level::NAMES),
        "How much is taken out, as HIPAA tells levels apart: full takes direct and quasi \
         identifiers, partial direct ones alone, and statistical so much of quasi identifiers that \
         a model such as k-anonymity holds; the last is for notes in a table.",
        &[Anonymize, Explain],
        Sets::Text("text", "level"),
    )
    .requires(&["text"]),
    Flag::new(
        "entities",
        Takes::One("FILE"),
        "What is known of people or things: a CSV file of entity,term or entity,terms, or JSON \
         of names and their terms.",
        &[Anonymize, Explain, Explore, Audit],
        Sets::Text("text", "entities"),
    ),
    Flag::new(
        "protected",
        Takes::One("FILE"),
        "The entities that no document may be linked to: a file with a name on each line.",
        &[Anonymize, Explain, Explore, Audit],
        Sets::Text("text", "protected"),
    ),
    Flag::new(
        "spans",
        Takes::One("FILE"),
        "Write what was replaced, for the steward alone: JSON lines of document, start, end and \
         class.",
        WRITING,
        Sets::Text("output", "spans"),
    )
    .requires(&["text"]),
    Flag::new(
        "certificate",
        Takes::One("FILE"),
        "Write for each document and protected entity that it speaks of how many others it could \
         be about, and some of them, for the steward alone: JSON lines.",
        WRITING,
        Sets::Text("output", "certificate"),
    )
    .requires(&["entities"]),
    Flag::new(
        "k",
        Takes::Whole("K"),
        "K-safety: what a document says of a protected entity is true of at least k others.",
        &[Anonymize, Explain],
        Sets::By("models in [privacy]", |job, values| model_first(job, "k-safety", values)),
    )
    .goal(),
    Flag::new(
        "k",
        Takes::Whole("K"),
        "K-safety that must hold, or the command ends with exit code 3.",
        &[Audit],
        Sets::By("models in [privacy]", |job, values| model_last(job, "k-safety", values)),
    )
    .goal(),
];
