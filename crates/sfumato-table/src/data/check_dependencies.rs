//! Measures whether a column that is published as it is reveals a quasi column, or is nearly
//! unique.
//!
//! Generalizing education is useless if the exact years of education are published. So each column
//! that is published as it is is tested for how well it predicts each quasi column, on a sample of
//! rows.

use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::{Error, FastMap, Result};

use super::dependencies_of_sets::{BUDGET, FoundSets, sets_that_predict};
use crate::job::Job;
use crate::pseudonyms::is_pseudonym;

/// The number of rows that are examined: enough to see a dependency, and few enough to cost nothing
/// on a large file.
const SAMPLE: usize = 100_000;
/// The smallest number of rows that say something about a dependency.
const ENOUGH: usize = 20;
/// The value of Goodman and Kruskal's lambda from which on a column counts as revealing another.
const DETERMINES: f64 = 0.9;
/// The share of records whose quasi value follows from some values of a column from which on there
/// is a warning.
const TELLING: f64 = 0.1;
/// The share of distinct values from which on a column counts as nearly unique.
const NEARLY_UNIQUE: f64 = 0.5;

/// A column that reveals something.
#[derive(Debug, Clone, PartialEq)]
pub struct Dependency {
    /// The column that is published as it is.
    pub column: String,
    /// Further columns that are published as they are, and reveal something together with it.
    pub with: Vec<String>,
    /// The quasi column that it reveals. `None` if it is nearly unique by itself.
    pub gives_away: Option<String>,
    /// How many sets of columns weren't examined. If there are any, nothing else is said.
    pub unexamined: u64,
    /// The strength: lambda for a dependency, the share of distinct values for uniqueness.
    pub strength: f64,
    /// Whether only some of its values reveal something. This gives a warning, never a refusal.
    pub is_partial: bool,
    /// Whether the user accepted it.
    pub accepted: bool,
}

impl Dependency {
    /// The columns that reveal something.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.column.as_str()).chain(self.with.iter().map(String::as_str))
    }
}

impl std::fmt::Display for Dependency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = self.strength * 100.0;
        match &self.gives_away {
            _ if self.unexamined > 0 => write!(
                f,
                "{} sets of columns that are published as they are weren't examined for what they \
                 give away together: there are too many",
                self.unexamined
            ),
            Some(quasi) if !self.with.is_empty() => write!(
                f,
                "columns '{}' and '{}' are published as they are and together predict quasi column \
                 '{quasi}' (lambda {percent:.0} %)",
                self.column,
                self.with.join("' and '")
            ),
            Some(quasi) if self.is_partial => write!(
                f,
                "column '{}' is published as it is, and some of its values tell quasi column \
                    '{quasi}' ({percent:.0} % of the records)",
                self.column
            ),
            Some(quasi) => write!(
                f,
                "column '{}' is published as it is and predicts quasi column '{quasi}' (lambda \
                    {percent:.0} %)",
                self.column
            ),
            None => write!(
                f,
                "column '{}' is published as it is and is nearly unique ({percent:.0} % distinct \
                    values)",
                self.column
            ),
        }
    }
}

/// Measure all dependencies; refuse those that weren't accepted.
pub fn check_dependencies(job: &Job, table: &Table) -> Result<Vec<Dependency>> {
    let found = measure_dependencies(job, table);
    let refused: Vec<&Dependency> =
        found.iter().filter(|dependency| !dependency.accepted && !dependency.is_partial).collect();
    if let Some(first) = refused.first() {
        let mut names: Vec<&str> = Vec::new();
        for name in refused.iter().flat_map(|dependency| dependency.columns()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let it = if first.with.is_empty() { "it" } else { "one of them" };
        let more = match refused.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        return Err(Error::input(format!("{first}{more}")).hint(format!(
            "make {it} quasi or drop it; if publishing it is meant, say --accept {}",
            names.join(",")
        )));
    }
    Ok(found)
}

fn measure_dependencies(job: &Job, table: &Table) -> Vec<Dependency> {
    let step = table.n_rows.div_ceil(SAMPLE).max(1);
    let rows: Vec<usize> = (0..table.n_rows).step_by(step).collect();
    // A few rows depend on each other by chance; then only what is plain counts, and of what nobody
    // guards.
    let few = rows.len() < ENOUGH;
    let passing: &[Role] = if few {
        &[Role::Keep, Role::Target]
    } else {
        &[Role::Keep, Role::Target, Role::Sensitive]
    };
    let (determines, nearly_unique) = if few { (1.0, 1.0) } else { (DETERMINES, NEARLY_UNIQUE) };
    let mut found = Vec::new();
    // Nobody knows a pseudonym by which a row could be found; what rows say together is counted
    // where the release is reported on.
    let is_passing =
        |column: &&Column| passing.contains(&column.role) && !is_pseudonym(job, &column.name);
    for column in table.columns.iter().filter(is_passing) {
        let accepted = job.columns.get(&column.name).is_some_and(|spec| spec.accept);
        let dependency = |gives_away: Option<&Column>, strength: f64| Dependency {
            column: column.name.clone(),
            with: Vec::new(),
            gives_away: gives_away.map(|quasi| quasi.name.clone()),
            unexamined: 0,
            strength,
            is_partial: false,
            accepted,
        };
        let uniqueness = distinct_share(column, &rows);
        if uniqueness >= nearly_unique {
            found.push(dependency(None, uniqueness));
            continue;
        }
        for quasi in table.of_role(Role::Quasi) {
            let (lambda, telling) = prediction(column, quasi, &rows);
            if lambda >= determines {
                found.push(dependency(Some(quasi), lambda));
            } else if !few && telling >= TELLING {
                // Some values give the quasi value away, most don't: a warning, or nothing could be
                // kept.
                found.push(Dependency { is_partial: true, ..dependency(Some(quasi), telling) });
            }
        }
    }
    let examined: Vec<&Column> = table
        .columns
        .iter()
        .filter(is_passing)
        // What is nearly unique by itself was found already.
        .filter(|column| !found.iter().any(|d| d.gives_away.is_none() && d.column == column.name))
        .collect();
    found.extend(of_sets(job, &examined, &table.quasi(), &rows, &found));
    found
}

/// What sets of columns give away together that none of them gives away alone.
fn of_sets(
    job: &Job,
    columns: &[&Column],
    quasi: &[&Column],
    rows: &[usize],
    of_one: &[Dependency],
) -> Vec<Dependency> {
    let known = |column: usize, place: usize| {
        let is_it = |d: &Dependency| {
            d.column == columns[column].name && d.gives_away.as_ref() == Some(&quasi[place].name)
        };
        of_one.iter().any(|d| is_it(d) && !d.is_partial)
    };
    let FoundSets { telling, unexamined } =
        sets_that_predict(columns, quasi, rows, DETERMINES, &known, BUDGET);
    let is_accepted = |name: &String| job.columns.get(name).is_some_and(|spec| spec.accept);
    let of_set = |(set, place, strength): (Vec<usize>, usize, f64)| {
        let mut names = set.iter().map(|at| columns[*at].name.clone());
        let (column, with) = (names.next().unwrap_or_default(), names.collect::<Vec<String>>());
        let accepted = is_accepted(&column) && with.iter().all(is_accepted);
        let gives_away = Some(quasi[place].name.clone());
        Dependency {
            column,
            with,
            gives_away,
            unexamined: 0,
            strength,
            is_partial: false,
            accepted,
        }
    };
    let mut found: Vec<Dependency> = telling.into_iter().map(of_set).collect();
    if unexamined > 0 {
        found.push(Dependency {
            column: String::new(),
            with: Vec::new(),
            gives_away: None,
            unexamined,
            strength: 0.0,
            is_partial: true,
            accepted: false,
        });
    }
    found
}

fn distinct_share(column: &Column, rows: &[usize]) -> f64 {
    let mut codes: Vec<u32> = rows.iter().map(|&row| column.codes.get(row)).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.len() as f64 / rows.len() as f64
}

/// How well `column` predicts `quasi`: Goodman and Kruskal's lambda (by how much knowing it reduces
/// the error of guessing), and the share of records whose value of `column` leaves next to no doubt
/// where there was some. A value of `column` that occurs once is no evidence: its record is guessed
/// as if the column weren't known.
fn prediction(column: &Column, quasi: &Column, rows: &[usize]) -> (f64, f64) {
    /// The smallest number of records with a value that say something about it.
    const EVIDENCE: u64 = 20;
    let mut pairs: FastMap<(u32, u32), u64> = FastMap::default();
    let mut of_quasi: FastMap<u32, u64> = FastMap::default();
    for &row in rows {
        let (given, guessed) = (column.codes.get(row), quasi.codes.get(row));
        *pairs.entry((given, guessed)).or_default() += 1;
        *of_quasi.entry(guessed).or_default() += 1;
    }
    let mut best: FastMap<u32, (u64, u64)> = FastMap::default();
    for ((given, _), count) in pairs {
        let (most, total) = best.entry(given).or_default();
        *most = (*most).max(count);
        *total += count;
    }
    let n = rows.len() as f64;
    let blind = of_quasi.values().max().copied().unwrap_or(0) as f64 / n;
    if blind >= 1.0 {
        return (0.0, 0.0);
    }
    let known: f64 = best
        .values()
        .map(|(most, total)| if *total > 1 { *most as f64 } else { blind })
        .sum::<f64>()
        / n;
    let sure = |(most, total): &&(u64, u64)| *total >= EVIDENCE && *most * 100 >= *total * 99;
    let telling = if blind < 0.9 {
        best.values().filter(sure).map(|(_, total)| *total).sum::<u64>()
    } else {
        0
    };
    ((known - blind) / (1.0 - blind), telling as f64 / n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::column::Codes;
    use sfumato_core::dataset::{Domain, Missing};

    fn column(name: &str, role: Role, codes: Vec<u8>) -> Column {
        let n = codes.iter().max().map_or(0, |max| usize::from(*max) + 1);
        Column {
            name: name.into(),
            role,
            codes: Codes::U8(codes),
            domain: Domain::of_texts((0..n).map(|i| i.to_string())),
            hierarchy: None,
            weight: 1.0,
            missing: Missing::Value,
            missing_text: String::new(),
            native_type: None,
        }
    }

    fn table(columns: Vec<Column>) -> Table {
        Table { n_rows: columns[0].codes.len(), columns, subject: None }
    }

    #[test]
    fn a_copy_of_a_quasi_column_is_found_and_noise_is_not() {
        let quasi: Vec<u8> = (0..200u32).map(|i| (i * 7 % 10) as u8).collect();
        let copy: Vec<u8> = quasi.iter().map(|q| 9 - q).collect();
        let noise: Vec<u8> = (0..200u32).map(|i| (i / 20) as u8).collect();
        let table = table(vec![
            column("education", Role::Quasi, quasi),
            column("education-num", Role::Keep, copy),
            column("ward", Role::Sensitive, noise),
        ]);
        let mut job = Job::default();
        let error = check_dependencies(&job, &table).unwrap_err();
        assert_eq!(
            error.to_string(),
            "column 'education-num' is published as it is and predicts quasi column 'education' \
                (lambda 100 %)"
        );
        let mut spec = crate::job::ColumnSpec::of_role(Role::Keep);
        spec.accept = true;
        job.columns.0.push(("education-num".into(), spec));
        let found = check_dependencies(&job, &table).unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].accepted);
    }

    #[test]
    fn digits_of_an_age_are_refused_unless_both_are_accepted() {
        let age: Vec<u8> = (0..400u32).map(|i| (i * 37 % 80) as u8).collect();
        let table = table(vec![
            column("tens", Role::Keep, age.iter().map(|age| age / 10).collect()),
            column("units", Role::Sensitive, age.iter().map(|age| age % 10).collect()),
            column("age", Role::Quasi, age),
        ]);
        let mut job = Job::default();
        let error = check_dependencies(&job, &table).unwrap_err();
        assert_eq!(
            error.to_string(),
            "columns 'tens' and 'units' are published as they are and together predict quasi \
             column 'age' (lambda 100 %)"
        );
        for (name, role) in [("tens", Role::Keep), ("units", Role::Sensitive)] {
            assert!(check_dependencies(&job, &table).is_err());
            let spec =
                crate::job::ColumnSpec { accept: true, ..crate::job::ColumnSpec::of_role(role) };
            job.columns.0.push((name.into(), spec));
        }
        let found = check_dependencies(&job, &table).unwrap();
        assert_eq!(found.iter().filter(|d| !d.is_partial).count(), 1);
    }

    #[test]
    fn a_nearly_unique_column_is_found() {
        let table = table(vec![
            column("sex", Role::Quasi, (0..100).map(|i| i % 2).collect()),
            column("receipt", Role::Keep, (0..100).collect()),
        ]);
        let error = check_dependencies(&Job::default(), &table).unwrap_err();
        assert!(error.to_string().contains("nearly unique (100 % distinct values)"), "{error}");
    }
}
