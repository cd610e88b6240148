//! Writes a saved recoding of cuts as one SQL statement, for data that stay in a database.
//!
//! Every text of the file is quoted or is a checked number, and values that the recoding doesn't
//! know become `*`. Comments say what SQL can't check.

use std::fmt::Write as _;

use sfumato_core::dataset::{Column, Domain, Hierarchy, Missing, ROOT_LABEL, Role, ValueKind};
use sfumato_core::recoding::{Cut, Value};
use sfumato_core::traits::{Bind, SensitiveColumn};
use sfumato_core::{Error, FastMap, Result};

use super::quote::{comment, number, table_name};
use super::{SavedColumn, SavedFile, SavedValue, Shape};
use crate::forms::generalized::make_plan::bind_models;

/// A dialect of SQL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Standard SQL with window functions.
    #[default]
    Ansi,
    /// DuckDB.
    DuckDb,
    /// PostgreSQL.
    PostgreSql,
    /// Spark SQL, and Databricks.
    Spark,
    /// BigQuery.
    BigQuery,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 5] =
        [Dialect::Ansi, Dialect::DuckDb, Dialect::PostgreSql, Dialect::Spark, Dialect::BigQuery];

    /// The name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Ansi => "ansi",
            Dialect::DuckDb => "duckdb",
            Dialect::PostgreSql => "postgresql",
            Dialect::Spark => "spark",
            Dialect::BigQuery => "bigquery",
        }
    }

    /// A cell as a text.
    fn as_text(self, cell: &str) -> String {
        match self {
            Dialect::Ansi => format!("CAST({cell} AS VARCHAR(255))"),
            Dialect::DuckDb | Dialect::PostgreSql => format!("CAST({cell} AS VARCHAR)"),
            Dialect::Spark | Dialect::BigQuery => format!("CAST({cell} AS STRING)"),
        }
    }

    /// A cell as a number with a part behind the point. Where the dialect has a way, what is no
    /// number becomes null, and so is published as `*`; elsewhere it stops the statement.
    fn as_decimal(self, cell: &str) -> String {
        match self {
            Dialect::Ansi | Dialect::PostgreSql => format!("CAST({cell} AS DECIMAL(38, 18))"),
            Dialect::DuckDb | Dialect::Spark => format!("TRY_CAST({cell} AS DECIMAL(38, 18))"),
            Dialect::BigQuery => format!("SAFE_CAST({cell} AS BIGNUMERIC)"),
        }
    }

    /// A cell as a floating-point number.
    fn as_float(self, cell: &str) -> String {
        match self {
            Dialect::Ansi | Dialect::PostgreSql => format!("CAST({cell} AS DOUBLE PRECISION)"),
            Dialect::DuckDb | Dialect::Spark => format!("TRY_CAST({cell} AS DOUBLE)"),
            Dialect::BigQuery => format!("SAFE_CAST({cell} AS FLOAT64)"),
        }
    }
}

impl std::str::FromStr for Dialect {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == text).ok_or_else(|| {
            let names = Dialect::ALL.map(Dialect::name).join(", ");
            Error::params(format!("there is no dialect '{text}'"))
                .hint(format!("dialects are {names}"))
        })
    }
}

/// Write a recoding as a statement that reads a table of the same columns. `table` may be a path
/// such as `schema.people`.
pub fn to_sql(file: &SavedFile, table: &str, dialect: Dialect) -> Result<String> {
    if file.shape != Shape::Cuts {
        return Err(Error::unsupported(
            "this recoding can't be written as SQL: its regions overlap, \
            and which one a row goes to hangs on all rows",
        )
        .hint(
            "take an algorithm that recodes each column by itself ('sfumato list algorithms' \
                shows which do), or apply the recoding to a file",
        ));
    }
    if file.job.asks_for_statistics() {
        return Err(Error::unsupported(
            "this recoding can't be written as SQL: its release carries statistics of regions",
        )
        .hint(
            "apply it to a file, where they are computed anew and checked, or save a recoding \
                without them",
        ));
    }
    let from_table = table_name(table, dialect)?;
    let job_columns = &file.job.columns.0;
    let mut published = Vec::new();
    let mut cells = Vec::new();
    let mut quasi = Vec::new();
    for (name, spec) in job_columns {
        let quoted = dialect.identifier(name)?;
        match spec.role {
            Role::Identifier | Role::Subject | Role::Guard => continue,
            Role::Quasi => {
                let saved =
                    file.columns.iter().find(|column| column.name == *name).ok_or_else(|| {
                        Error::input(format!(
                            "this isn't a recoding file: quasi column '{name}' has no values"
                        ))
                    })?;
                cells.push(case(saved, spec.missing, &file.job.input.missing, dialect)?);
                quasi.push(quoted.clone());
            }
            Role::Sensitive | Role::Target | Role::Keep => cells.push(quoted.clone()),
        }
        published.push(quoted);
    }
    if quasi.len() != file.columns.len() {
        return Err(Error::input(
            "this isn't a recoding file: the job's quasi columns aren't those with values",
        ));
    }
    let subject = job_columns
        .iter()
        .find(|(_, spec)| spec.role == Role::Subject)
        .map(|(name, _)| name.as_str());
    let asked = Asked::of(file);
    let names = Names::new(job_columns.iter().map(|(name, _)| name.as_str()).chain([table]));

    let mut sql = comments(file, &asked, subject)?;
    let _ = writeln!(sql, "WITH {} AS (\n  SELECT", names.recoded);
    let mut select: Vec<String> =
        cells.iter().zip(&published).map(|(cell, name)| format!("    {cell} AS {name}")).collect();
    if let Some(subject) = subject.filter(|_| asked.people > 1) {
        select.push(format!("    {} AS {}", dialect.identifier(subject)?, names.person));
    }
    let _ = writeln!(sql, "{}\n  FROM {from_table}\n)", select.join(",\n"));
    let mut from = names.recoded.clone();
    let by =
        if quasi.is_empty() { String::new() } else { format!("PARTITION BY {}", quasi.join(", ")) };
    let mut step = |name: &str, what: String, from: &mut String| {
        sql.pop();
        let _ = writeln!(sql, ",\n{name} AS (\n  SELECT {from}.*, {what}\n  FROM {from}\n)");
        *from = name.to_string();
    };
    if asked.people > 1 && subject.is_some() {
        // Different people can't be counted in a window everywhere; the highest of their ranks says
        // the same.
        let rank = format!("DENSE_RANK() OVER ({by} ORDER BY {}) AS {}", names.person, names.rank);
        step(&names.ranked, rank, &mut from);
        let size = format!("MAX({}) OVER ({by}) AS {}", names.rank, names.size);
        step(&names.counted, size, &mut from);
    } else if asked.people > 1 {
        step(&names.counted, format!("COUNT(*) OVER ({by}) AS {}", names.size), &mut from);
    }
    let _ = writeln!(sql, "SELECT {}\nFROM {from}", published.join(", "));
    if asked.people > 1 {
        let _ = writeln!(sql, "WHERE {} >= {}", names.size, asked.people);
    }
    let _ = writeln!(sql, "ORDER BY {};", published.join(", "));
    Ok(sql)
}

/// What the models require, as far as SQL can check it.
struct Asked {
    /// The smallest number of people of a group that may be published.
    people: u64,
    /// Models that require more.
    unchecked: Vec<String>,
}

impl Asked {
    fn of(file: &SavedFile) -> Self {
        let empty = Domain::of_texts(Vec::<&str>::new());
        let names =
            |role: Role| file.job.columns.0.iter().filter(move |(_, spec)| spec.role == role);
        let bind = Bind {
            quasi: file.columns.iter().map(|column| column.name.as_str()).collect(),
            sensitive: names(Role::Sensitive)
                .map(|(name, _)| SensitiveColumn {
                    name,
                    domain: &empty,
                    hierarchy: None,
                    is_guard: false,
                })
                .collect(),
        };
        let mut asked = Asked { people: 1, unchecked: Vec::new() };
        for model in &file.job.privacy.models {
            // A model that needs to see the data can't be bound here, and then says nothing of
            // sizes.
            let bound = bind_models(std::slice::from_ref(model), &bind);
            let is_checked = bound.as_ref().is_ok_and(|bound| {
                bound.is_count_only()
                    && bound.iter().all(|requirement| requirement.scope().is_met_by_classes())
            });
            asked.people = asked.people.max(bound.map_or(1, |bound| bound.min_people()));
            if !is_checked {
                asked.unchecked.push(model.clone());
            }
        }
        asked
    }
}

fn comments(file: &SavedFile, asked: &Asked, subject: Option<&str>) -> Result<String> {
    let mut sql = String::new();
    let mut say = |line: &str| {
        let _ = writeln!(sql, "-- {}", comment(line));
    };
    say("Keep this statement private: bounds and labels in it are real values of the data.");
    say("A value that the recoding doesn't know is published as *. The order of the rows says \
            nothing.");
    for column in &file.columns {
        let kind =
            column.kind.as_deref().unwrap_or(if column.is_number() { "number" } else { "text" });
        say(&format!("column {}: compared as {kind}", column.name));
    }
    match (asked.people > 1, subject) {
        (false, _) => say("No group is left out by its size."),
        (true, None) => say(&format!("Groups of less than {} rows are left out.", asked.people)),
        (true, Some(_)) => {
            say(&format!("Groups of less than {} people are left out.", asked.people))
        }
    }
    for model in &asked.unchecked {
        say(&format!(
            "NOT CHECKED by this statement: {model}. Check the result with 'sfumato audit --model'."
        ));
    }
    Ok(sql)
}

/// The expression of one column: the smallest listed value that covers a cell, or `*`.
fn case(
    saved: &SavedColumn,
    missing: Missing,
    tokens: &[String],
    dialect: Dialect,
) -> Result<String> {
    let name = dialect.identifier(&saved.name)?;
    let text = |cell: &str| dialect.text(cell);
    let is_number = saved.is_number();
    let literal = |cell: &str| match is_number {
        true => number(cell).map_or_else(|| text(cell), Ok),
        false => text(cell),
    };
    let mut case = format!("CASE\n      WHEN {name} IS NULL");
    let mut missing_texts: Vec<String> = vec![text("")?];
    for token in tokens.iter().filter(|token| !token.is_empty()) {
        missing_texts.push(text(token)?);
    }
    // As a text, because a column of numbers can't be compared with one everywhere.
    let as_text =
        if is_number || saved.levels.is_none() { dialect.as_text(&name) } else { name.clone() };
    let _ = write!(case, " OR {as_text} IN ({})", missing_texts.join(", "));
    let publishes_missing =
        saved.values.contains(&SavedValue::Missing) && missing == Missing::Value;
    let any = text(ROOT_LABEL)?;
    let _ = writeln!(case, " THEN {}", if publishes_missing { "NULL" } else { any.as_str() });
    let numbers: Vec<&String> =
        tokens.iter().filter(|token| is_number && number(token).is_some()).collect();
    if !numbers.is_empty() {
        let numbers = numbers.iter().map(|token| literal(token)).collect::<Result<Vec<_>>>()?;
        let shown = if publishes_missing { "NULL" } else { any.as_str() };
        let _ = writeln!(case, "      WHEN {name} IN ({}) THEN {shown}", numbers.join(", "));
    }
    let whens = match &saved.levels {
        Some(_) => tree_whens(saved, &name, &literal, dialect)?,
        None => range_whens(saved, &name, &literal, dialect)?,
    };
    whens.iter().for_each(|when| {
        let _ = writeln!(case, "      {when}");
    });
    let _ = write!(case, "      ELSE {any}\n    END");
    Ok(case)
}

/// The leaves of each published node.
fn tree_whens(
    saved: &SavedColumn,
    name: &str,
    literal: &dyn Fn(&str) -> Result<String>,
    dialect: Dialect,
) -> Result<Vec<String>> {
    let table = saved.level_table().unwrap_or_default();
    let (tree, _) = Hierarchy::from_levels(&table)?;
    let leaves = (0..tree.n_leaves() as u32).map(|code| tree.label(tree.leaf(code))).collect();
    let column = Column {
        name: saved.name.clone(),
        role: Role::Quasi,
        codes: sfumato_core::column::Codes::U8(Vec::new()),
        domain: Domain { kind: ValueKind::Text, labels: leaves, keys: Vec::new() },
        hierarchy: Some(tree),
        weight: 1.0,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type: None,
    };
    let values: Vec<Value> =
        saved.values.iter().filter_map(|value| value.resolve(&column)).collect();
    // Leaves that are published alike stand together, in the order of the first.
    let mut places: FastMap<Value, usize> = FastMap::default();
    let mut lists: Vec<(Value, Vec<String>)> = Vec::new();
    for (leaf, value) in column.domain.labels().zip(Cut::smallest_of(&column, &values)) {
        let Some(value) = value.filter(|value| value.render(&column) != ROOT_LABEL) else {
            continue;
        };
        let place = *places.entry(value).or_insert_with(|| {
            lists.push((value, Vec::new()));
            lists.len() - 1
        });
        lists[place].1.push(literal(&leaf)?);
    }
    lists
        .iter()
        .map(|(value, leaves)| {
            let list = leaves.join(", ");
            let shown = dialect.text(&value.render(&column))?;
            Ok(format!("WHEN {name} IN ({list}) THEN {shown}"))
        })
        .collect()
}

/// The ranges, the narrower of nested ones first.
fn range_whens(
    saved: &SavedColumn,
    name: &str,
    literal: &dyn Fn(&str) -> Result<String>,
    dialect: Dialect,
) -> Result<Vec<String>> {
    let kind = ValueKind::infer(saved.bounds().iter().map(String::as_str));
    let wrong = || {
        Error::input(format!(
            "this isn't a recoding file: the ranges of column '{}' have no order",
            saved.name
        ))
    };
    let mut ranges = Vec::new();
    for value in &saved.values {
        if let SavedValue::Range(from, to) = value {
            let (lo, hi) = (kind.parse(from).ok_or_else(wrong)?, kind.parse(to).ok_or_else(wrong)?);
            ranges.push((lo, hi, from, to));
        }
    }
    ranges.sort_by_key(|(lo, hi, ..)| (*lo, *hi));
    if ranges.windows(2).any(|pair| pair[1].0 <= pair[0].1) {
        // One inside the other is narrower in keys too, which keep the order of the values.
        ranges.sort_by_key(|(lo, hi, ..)| (hi.abs_diff(*lo), *lo));
    }
    // A table may hold numbers as text, and text compares by its first letter.
    let name = match kind {
        // Not as whole numbers: a part behind the point would be cut off, and the cell fall into a
        // range that doesn't cover it.
        ValueKind::Integer | ValueKind::Decimal { .. } => dialect.as_decimal(name),
        ValueKind::Float => dialect.as_float(name),
        _ => name.to_string(),
    };
    ranges
        .into_iter()
        .map(|(lo, hi, from, to)| {
            let bound = |cell: &str, key: i64| match kind {
                // Databases read dates with dots in their own ways.
                ValueKind::Date => dialect.text(&kind.format(key)),
                _ => literal(cell),
            };
            if from == to {
                let shown = dialect.text(from)?;
                return Ok(format!("WHEN {name} = {} THEN {shown}", bound(from, lo)?));
            }
            let (first, last) = (bound(from, lo)?, bound(to, hi)?);
            Ok(format!(
                "WHEN {name} BETWEEN {first} AND {last} THEN {}",
                dialect.text(&format!("[{from}..{to}]"))?
            ))
        })
        .collect()
}

/// Names that the statement uses itself, and that no column has.
struct Names {
    recoded: String,
    ranked: String,
    counted: String,
    person: String,
    rank: String,
    size: String,
}

impl Names {
    fn new<'a>(columns: impl Iterator<Item = &'a str> + Clone) -> Self {
        let free = |word: &str| {
            let mut name = format!("sfumato_{word}");
            while columns.clone().any(|column| column.eq_ignore_ascii_case(&name)) {
                name.push('_');
            }
            name
        };
        Names {
            recoded: free("recoded"),
            ranked: free("ranked"),
            counted: free("counted"),
            person: free("person"),
            rank: free("rank"),
            size: free("size"),
        }
    }
}
