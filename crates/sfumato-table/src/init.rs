//! Reads a file and writes a release.toml with a guess for each column, and its reason.
//!
//! Guesses err on the side of protection: a column that isn't known to be harmless becomes quasi,
//! and a person must check it.

use std::fmt::Write as _;

use sfumato_core::column::RawColumn;
use sfumato_core::dataset::{Role, ValueKind};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::{read, select_all};

use crate::data::encode::{Sorted, count, sort_domain};
use crate::job::{ColumnSpec, InputSpec, Job};
use sfumato_engine::input::read_options;

/// A guess about a column.
#[derive(Debug, Clone)]
pub struct Guess {
    /// The guessed specification of the column.
    pub spec: ColumnSpec,
    /// The reason for the guess.
    pub reason: String,
    /// Whether a person must check it: the name says nothing, or a mistake would reveal people.
    pub check: bool,
}

/// A job guessed from a file, as text with comments.
pub fn init(
    input: &InputSpec,
    output: &str,
    path_in_job: &str,
    observer: &dyn Observer,
) -> Result<String> {
    let raw = read(&input.path, &read_options(input)?, &mut select_all, observer);
    let raw = raw?;
    if raw.n_rows == 0 {
        return Err(Error::input("the file has a header and no rows").in_file(&input.path));
    }
    let guesses: Vec<(String, Guess)> = raw
        .columns
        .iter()
        .map(|column| (column.name.clone(), guess_column(column, raw.n_rows, &input.missing)))
        .collect();
    let mut text = render(
        &InputSpec { path: path_in_job.into(), ..input.clone() },
        output,
        raw.n_rows,
        &guesses,
    );
    if path_in_job != input.path {
        text = text.replacen(path_in_job, &input.path, 1);
    }
    Ok(text)
}

fn render(input: &InputSpec, output: &str, n_rows: usize, guesses: &[(String, Guess)]) -> String {
    let mut job = Job { input: input.clone(), ..Job::default() };
    job.output.path = output.into();
    job.output.report =
        Some(std::path::Path::new(output).with_extension("html").display().to_string());
    job.columns.0 =
        guesses.iter().map(|(name, guess)| (name.clone(), guess.spec.clone())).collect();
    job.privacy.models = vec!["k-anonymity(k=5)".into()];
    for (name, _) in guesses.iter().filter(|(_, guess)| guess.spec.role == Role::Sensitive) {
        let on = sfumato_core::registry::Argument::Word(name.clone());
        job.privacy.models.push(format!("l-diversity-distinct(l=2, on={on})"));
    }
    let to_check = guesses.iter().filter(|(_, guess)| guess.check).count();
    let mut text = String::new();
    let _ = writeln!(text, "# A guess by 'sfumato init' from {} ({n_rows} rows).", input.path);
    let _ = writeln!(
        text,
        "# {to_check} columns are marked CHECK: a person must look at them before anything is \
            published."
    );
    let _ = writeln!(
        text,
        "# Roles: identifier and subject are dropped (a subject counts people instead of rows), \
            quasi is generalized,"
    );
    let _ = writeln!(
        text,
        "# sensitive, target and keep are published as they are. Then: sfumato run release.toml\n"
    );
    // Each line of the job's own text gets its comment above, so that what is shown is what is
    // read.
    let mut in_columns = false;
    let mut next = guesses.iter();
    for line in job.to_toml().lines() {
        if let Some(section) = line.strip_prefix('[') {
            in_columns = section == "columns]";
        } else if in_columns
            && !line.is_empty()
            && let Some((_, guess)) = next.next()
        {
            let mark = if guess.check { "CHECK: " } else { "" };
            let _ = writeln!(text, "# {mark}{}", guess.reason);
        }
        let _ = writeln!(text, "{line}");
    }
    text
}

/// Words in names that suggest a role, the most reliable first.
const TELLING: [(Role, &[&str]); 5] = [
    (
        Role::Identifier,
        &[
            "name",
            "email",
            "mail",
            "phone",
            "telephone",
            "mobile",
            "address",
            "street",
            "ssn",
            "passport",
            "iban",
            "licence",
            "license",
            "account",
            "uuid",
            "ip",
        ],
    ),
    (
        Role::Subject,
        &[
            "person",
            "subject",
            "pid",
            "patient",
            "customer",
            "member",
            "user",
            "userid",
            "personid",
            "patientid",
        ],
    ),
    (
        Role::Sensitive,
        &[
            "disease",
            "diagnosis",
            "diagnose",
            "icd",
            "hiv",
            "salary",
            "income",
            "wage",
            "cost",
            "charge",
            "religion",
            "crime",
            "debt",
            "drug",
            "medication",
            "treatment",
            "surgery",
            "result",
            "lab",
            "grade",
            "score",
        ],
    ),
    (
        Role::Quasi,
        &[
            "age",
            "sex",
            "gender",
            "zip",
            "zipcode",
            "postcode",
            "postal",
            "plz",
            "birth",
            "dob",
            "birthdate",
            "race",
            "ethnicity",
            "marital",
            "education",
            "occupation",
            "job",
            "profession",
            "country",
            "nationality",
            "city",
            "town",
            "state",
            "region",
            "county",
            "admission",
            "discharge",
            "workclass",
            "relationship",
            "date",
        ],
    ),
    (Role::Target, &["class", "label", "target"]),
];

fn guess_column(column: &RawColumn, n_rows: usize, missing: &[String]) -> Guess {
    let is_missing: Vec<bool> = column
        .values
        .iter()
        .enumerate()
        .map(|(code, text)| {
            Some(code as u32) == column.null || text.is_empty() || missing.iter().any(|m| m == text)
        })
        .collect();
    let texts = column
        .values
        .iter()
        .zip(&is_missing)
        .filter(|(_, missing)| !**missing)
        .map(|(text, _)| text);
    let kind = ValueKind::infer(texts);
    let sorted: Sorted = sort_domain(&column.values, &is_missing, kind);
    let counts = count(&column.codes, &sorted);
    let distinct = sorted.domain.len();
    let told = telling_role(&column.name);
    let unique = distinct as f64 / n_rows as f64;
    let facts = format!("{} with {distinct} distinct values in {n_rows} rows", kind.name());

    let (role, reason, check) = match told {
        Some((Role::Identifier, word)) => {
            (Role::Identifier, format!("the name says '{word}'"), false)
        }
        Some((Role::Subject, word)) if distinct == n_rows => (
            Role::Identifier,
            format!("the name says '{word}' and every row has its own value"),
            false,
        ),
        Some((Role::Subject, word)) if distinct > 1 => (
            Role::Subject,
            format!("the name says '{word}' and rows share values: people are counted, not rows"),
            true,
        ),
        Some((Role::Sensitive, word)) if unique > 0.5 => (
            Role::Identifier,
            format!(
                "the name says '{word}', but it is nearly unique and would name its record; to \
                    publish it all the same: role = \"sensitive\", accept = true"
            ),
            true,
        ),
        Some((Role::Sensitive, word)) => (Role::Sensitive, format!("the name says '{word}'"), true),
        Some((Role::Quasi, word)) => (Role::Quasi, format!("the name says '{word}'"), false),
        Some((Role::Target, word)) if distinct <= 20 => {
            (Role::Target, format!("the name says '{word}'"), true)
        }
        _ if n_rows > 20 && unique > 0.9 => {
            (Role::Identifier, "nearly every row has its own value".to_string(), true)
        }
        _ if distinct <= 1 => (Role::Keep, "it has one value only".to_string(), false),
        _ => (Role::Quasi, "nothing says that it is harmless".to_string(), true),
    };
    let mut spec = ColumnSpec::of_role(role);
    let mut reason = format!("{}: {facts}; {reason}", role.name());
    if role == Role::Quasi {
        match sfumato_hierarchy::guess(&column.name, &sorted.domain, &counts) {
            Some((call, why)) => {
                spec.hierarchy = Some(call);
                let _ = write!(reason, "; {why}");
            }
            None if kind.is_ordered() => {
                reason.push_str("; without a hierarchy it becomes ranges of its own values")
            }
            None => reason.push_str("; without a hierarchy it is published exactly or as *"),
        }
    }
    Guess { spec, reason: reason.replace('\n', " "), check }
}

fn telling_role(name: &str) -> Option<(Role, &'static str)> {
    let lower = name.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    for (role, telling) in TELLING {
        if let Some(word) = telling.iter().find(|word| words.contains(word)) {
            return Some((role, word));
        }
    }
    // "id" alone or at an end: whose it is, the counts decide.
    (words.contains(&"id") || words.contains(&"nr")).then_some((Role::Subject, "id"))
}
