//! The flags of tables: what columns are, how they are generalized, what is published of them.
//!
//! Roles stand first, since what else is said of a column asks for its role.

mod columns;

pub use columns::hierarchy;

use sfumato_engine::flags::shared::{BUCKETS, GROUP_COLUMN, K, K_AUDITED, KEEP_ORDER};
use sfumato_engine::flags::{Command, Flag, KindFlags, Sets, Takes};
use sfumato_engine::job::{Job, MaxSuppression};

use columns::{Unknown, give_role, give_role_to_others, give_roles, mark, say_number, say_text};

use Command::{Anonymize, Audit, Explain, Explore, Query, Run, Study};

/// Commands that take a table to be anonymized.
const MAKING: &[Command] = &[Anonymize, Explain, Explore, Study];
/// Commands that count people and sensitive values of a table.
const MAKING_OR_AUDITING: &[Command] = &[Anonymize, Explain, Explore, Study, Audit];
/// Commands that know the output.
const WRITING: &[Command] = &[Anonymize, Explain];

/// What to do for whoever gave a flag of another kind.
const HINT: &str = "say what columns are with --qi, --sensitive, --keep, --target and --identifier";

/// The flags of tables.
pub const FLAGS: KindFlags = KindFlags { list: LIST, hint: HINT };

static LIST: &[Flag] = &[
    Flag::new(
        "identifier",
        Takes::Many("A,B"),
        "Columns that name a person: dropped.",
        MAKING,
        Sets::By("role = \"identifier\" in [columns]", |job, given| {
            give_roles(job, "identifier", given)
        }),
    ),
    Flag::new(
        "pseudonym",
        Takes::Many("A,B"),
        "Identifiers that are published under other names: a keyed hash, or COLUMN=random or \
         COLUMN=format. Pseudonyms are no anonymity.",
        MAKING,
        Sets::By("as = \"pseudonym\" in [columns]", columns::give_pseudonyms),
    ),
    Flag::new(
        "pseudonyms",
        Takes::One("FILE"),
        "Where the key and the mapping of pseudonyms are kept, for their owner only [default: \
         pseudonyms.json]",
        WRITING,
        Sets::Text("output", "pseudonyms"),
    )
    .requires(&["pseudonym"]),
    Flag::new(
        "drop",
        Takes::Many("A,B"),
        "Columns that nobody needs: left out of the release.",
        MAKING,
        Sets::By("role = \"drop\" in [columns]", |job, given| give_roles(job, "drop", given)),
    ),
    Flag::new(
        "others",
        Takes::OneOf("ROLE", &["drop", "quasi", "sensitive", "keep"]),
        "The role of all columns that aren't named.",
        MAKING,
        Sets::By("\"*\" in [columns]", |job, given| {
            give_role_to_others(job, given);
            Ok(())
        }),
    ),
    Flag::new(
        "subject",
        Takes::One("COLUMN"),
        "The column that says which rows belong to one person: dropped, people are counted.",
        MAKING,
        Sets::By("role = \"subject\" in [columns]", |job, given| give_role(job, "subject", given)),
    ),
    Flag::new(
        "qi",
        Takes::Many("A,B"),
        "Columns that an attacker may know: generalized.",
        MAKING,
        Sets::By("role = \"quasi\" in [columns]", |job, given| give_roles(job, "quasi", given)),
    ),
    Flag::new(
        "qi",
        Takes::Many("A,B"),
        "Columns that an attacker may know.",
        &[Audit],
        Sets::By("role = \"quasi\" in [columns]", |job, given| give_roles(job, "quasi", given)),
    ),
    Flag::new(
        "qi",
        Takes::Many("A,B"),
        "The columns that are generalized; without it any column may be.",
        &[Query],
        Sets::By("role = \"quasi\" in [columns]", |job, given| give_roles(job, "quasi", given)),
    )
    .conflicts(&["job"]),
    Flag::new(
        "sensitive",
        Takes::Many("A,B"),
        "Columns that an attacker wants to learn: published, guarded by the models.",
        MAKING,
        Sets::By("role = \"sensitive\" in [columns]", |job, given| {
            give_roles(job, "sensitive", given)
        }),
    ),
    Flag::new(
        "sensitive",
        Takes::Many("A,B"),
        "Columns that an attacker wants to learn.",
        &[Audit],
        Sets::By("role = \"sensitive\" in [columns]", |job, given| {
            give_roles(job, "sensitive", given)
        }),
    ),
    Flag::new(
        "sensitive",
        Takes::Many("A,B"),
        "The columns that are permuted within groups.",
        &[Query],
        Sets::By("role = \"sensitive\" in [columns]", |job, given| {
            give_roles(job, "sensitive", given)
        }),
    )
    .requires(&["group"])
    .conflicts(&["job"]),
    Flag::new(
        "subject",
        Takes::One("COLUMN"),
        "The column that says which rows belong to one person.",
        &[Audit],
        Sets::By("role = \"subject\" in [columns]", |job, given| give_role(job, "subject", given)),
    ),
    Flag::new(
        "target",
        Takes::Many("A,B"),
        "Columns that the recipient wants to predict: published as they are.",
        MAKING,
        Sets::By("role = \"target\" in [columns]", |job, given| give_roles(job, "target", given)),
    ),
    Flag::new(
        "guard",
        Takes::Many("A,B"),
        "Columns of guarding nodes, for personalized-privacy: what each person asked to keep from \
         being learnt. Never published.",
        MAKING,
        Sets::By("role = \"guard\" in [columns]", |job, given| give_roles(job, "guard", given)),
    ),
    Flag::new(
        "keep",
        Takes::Many("A,B"),
        "Columns that are published as they are.",
        MAKING,
        Sets::By("role = \"keep\" in [columns]", |job, given| give_roles(job, "keep", given)),
    ),
    Flag::new(
        "hierarchy",
        Takes::Many("COLUMN=HOW"),
        "A column's hierarchy: column=FILE or column='mask(from=right)'. May be given again.",
        MAKING,
        Sets::By("hierarchy of the column in [columns]", |job, given| {
            columns::hierarchies(job, given, Unknown::Refused)
        }),
    ),
    Flag::new(
        "hierarchy",
        Takes::Many("COLUMN=HOW"),
        "A column's hierarchy: column=FILE. Of sensitive columns for hierarchical t-closeness, of \
         quasi columns for models about matches, with --original.",
        &[Audit],
        // A tree of a column that has no role says nothing.
        Sets::By("hierarchy of the column in [columns]", |job, given| {
            columns::hierarchies(job, given, Unknown::PassedOver)
        }),
    ),
    Flag::new(
        "hierarchy",
        Takes::Many("COLUMN=HOW"),
        "A column's hierarchy, for its labels: column=FILE. May be given again.",
        &[Query],
        Sets::By("hierarchy of the column in [columns]", |job, given| {
            columns::hierarchies(job, given, Unknown::Quasi)
        }),
    )
    .conflicts(&["job"]),
    Flag::new(
        "unknown",
        Takes::Many("COLUMN=NODE"),
        "Where values go that a column's hierarchy doesn't have: column=NODE.",
        MAKING,
        Sets::By("unknown of the column in [columns]", |job, given| {
            say_text(job, "unknown", given, Unknown::Refused)
        }),
    ),
    Flag::new(
        "type",
        Takes::Many("COLUMN=TYPE"),
        "A column's type, if it shouldn't be guessed: column=text.",
        MAKING,
        Sets::By("type of the column in [columns]", |job, given| {
            say_text(job, "type", given, Unknown::Refused)
        }),
    ),
    Flag::new(
        "type",
        Takes::Many("COLUMN=TYPE"),
        "A column's type, if it shouldn't be guessed: column=text.",
        &[Query],
        Sets::By("type of the column in [columns]", |job, given| {
            say_text(job, "type", given, Unknown::Quasi)
        }),
    )
    .conflicts(&["job"]),
    Flag::new(
        "written",
        Takes::Many("COLUMN=FORM"),
        "How a column writes its dates or numbers: column=dd/mm/yyyy, column=1.234,5. They are \
         published as 2024-12-31 and 1234.5.",
        MAKING,
        Sets::By("written of the column in [columns]", |job, given| {
            say_text(job, "written", given, Unknown::Refused)
        }),
    ),
    Flag::new(
        "written",
        Takes::Many("COLUMN=FORM"),
        "How a column of the original writes its dates or numbers: column=dd/mm/yyyy.",
        &[Audit],
        // Only how the original is read hangs on it: roles are said elsewhere.
        Sets::By("written of the column in [columns]", |job, given| {
            say_text(job, "written", given, Unknown::Quasi)
        }),
    )
    .original(),
    Flag::new(
        "weight",
        Takes::Many("COLUMN=W"),
        "How much a loss in a column counts: column=2.",
        MAKING,
        Sets::By("weight of the column in [columns]", |job, given| {
            say_number(job, "weight", "weight", given, Unknown::Refused)
        }),
    ),
    Flag::new(
        "accept",
        Takes::Many("A,B"),
        "Publish these columns although they give a quasi column away or are nearly unique.",
        &[Anonymize, Explain, Explore, Study, Run],
        Sets::By("accept = true of the column in [columns]", |job, given| {
            mark(job, "accept", given, ("accept", true.into()))
        }),
    )
    .goal(),
    Flag::new(
        "suppress-missing",
        Takes::Many("A,B"),
        "Columns whose missing values are published as suppressed instead of as missing.",
        MAKING,
        Sets::By("missing = \"suppressed\" of the column in [columns]", |job, given| {
            mark(job, "suppress-missing", given, ("missing", "suppressed".into()))
        }),
    ),
    Flag::new(
        "ignore-case",
        Takes::Many("A,B"),
        "Subject or sensitive columns in which capital and small letters are the same: HIV and hiv \
         are one value.",
        MAKING_OR_AUDITING,
        Sets::By("case = \"ignore\" of the column in [columns]", |job, given| {
            mark(job, "ignore-case", given, ("case", "ignore".into()))
        }),
    ),
    Flag::new(
        "publish",
        Takes::Many("COLUMN=FORMS"),
        "How a region shows in a column: interval (the generalized value), range (columns .min and \
         .max), mean (column .mean): column=interval,mean. May be given again.",
        WRITING,
        Sets::By("publish of the column in [columns]", columns::publish),
    ),
    Flag::new(
        "snap",
        Takes::Many("COLUMN=STEP"),
        "The grid that a column's range and mean are snapped to: column=5.",
        WRITING,
        Sets::By("snap of the column in [columns]", |job, given| {
            say_number(job, "snap", "step", given, Unknown::Refused)
        }),
    ),
    Flag::new(
        "snap",
        Takes::Many("COLUMN=STEP"),
        "The grid that a column's statistics were snapped to: column=5.",
        &[Query],
        Sets::By("snap of the column in [columns]", |job, given| {
            say_number(job, "snap", "step", given, Unknown::Quasi)
        }),
    )
    .conflicts(&["job"]),
    K,
    K_AUDITED,
    Flag::new(
        "workload",
        Takes::Many("TASK"),
        "What the recipient will do, such as 'classification(target=salary)'. May be given again.",
        MAKING,
        Sets::Texts("workload", "tasks"),
    )
    .goal(),
    Flag::new(
        "max-blank",
        Takes::One("SHARE"),
        "How many records may say nothing, left out or with * in every quasi column: 5% or 150 \
         [default: what --max-suppression says; any without it]",
        &[Anonymize, Explain, Run],
        Sets::By("max_blank in [privacy]", |job, given| {
            let limit: MaxSuppression = given.last().map_or("", String::as_str).parse()?;
            job.set("privacy", "max_blank", limit.to_string());
            Ok(())
        }),
    )
    .goal(),
    Flag::new(
        "ledger",
        Takes::One("LEDGER"),
        "The ledger of earlier releases of the same people: models about these are judged beside \
         them, and the release is recorded. 'sfumato ledger init' begins one.",
        &[Anonymize, Explain, Run],
        Sets::Text("ledger", "path"),
    )
    .goal(),
    Flag::new(
        "ledger",
        Takes::One("LEDGER"),
        "The ledger that has the earlier releases of the same people.",
        &[Audit],
        Sets::Text("ledger", "path"),
    ),
    Flag::new(
        "population-table",
        Takes::One("FILE"),
        "The table of a population, all of the data among them, for delta-presence and k-map: it \
         has the quasi columns, and a row for each person.",
        &[Anonymize, Explain, Run],
        Sets::Text("population", "path"),
    )
    .goal(),
    Flag::new(
        "population-table",
        Takes::One("FILE"),
        "The table of the population, all of the data among them, for delta-presence and k-map.",
        &[Audit],
        Sets::Text("population", "path"),
    ),
    KEEP_ORDER,
    Flag::new(
        "guard-formulas",
        Takes::Nothing,
        "Put an apostrophe before texts that a spreadsheet would take for a formula, such as =cmd.",
        WRITING,
        Sets::Yes("output", "guard_formulas"),
    ),
    BUCKETS,
    GROUP_COLUMN,
    Flag::new(
        "table-format",
        Takes::One("FORMAT"),
        "The format of linked tables: csv, parquet, arrow or jsonl; that of the input without it.",
        WRITING,
        Sets::Text("output", "format"),
    ),
    Flag::new(
        "group",
        Takes::One("COLUMN"),
        "The column of a permuted bucket release that says the group of a record.",
        &[Audit],
        Sets::By("group in [output]", group),
    )
    .requires(&["sensitive"]),
    Flag::new(
        "group",
        Takes::One("COLUMN"),
        "The column of a permuted bucket release that says the group of a record.",
        &[Query],
        Sets::By("group in [output]", group),
    ),
    Flag::new(
        "made-up",
        Takes::One("FILE"),
        "Where to save how many records are made up in which class, to hand out with the release.",
        WRITING,
        Sets::Text("output", "made_up"),
    ),
    Flag::new(
        "save-recoding",
        Takes::One("FILE"),
        "Where to save the recoding, to apply it to new rows.",
        WRITING,
        Sets::Text("output", "recoding"),
    ),
];

/// A column of groups makes a table without a manifest a release of buckets, where its job doesn't
/// say what it is.
fn group(job: &mut Job, given: &[String]) -> sfumato_core::Result<()> {
    let Some(column) = given.last() else { return Ok(()) };
    job.set("output", "group", column.clone());
    if job.get("output", "buckets").is_none() {
        job.set("output", "buckets", "permuted");
    }
    Ok(())
}
