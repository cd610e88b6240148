//! The dimensionality-reduction transform for clustering (DRBT): numeric columns, normalized, times
//! a random matrix of fewer columns.
//!
//! After S. R. M. Oliveira and O. R. Zaiane, as told in section 7.3 of "Introduction to
//! Privacy-Preserving Data Publishing". It keeps distances about as they are and promises nothing:
//! no model is checked, because none holds. It stands outside the pipeline, so that nobody can take
//! its output for a release.

use std::path::Path;

use sfumato_core::column::{Codes, Dictionary, RawColumn};
use sfumato_core::dataset::ValueKind;
use sfumato_core::observer::Observer;
use sfumato_core::registry::edit_distance;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::draft::Draft;
use sfumato_engine::manifest::{Described, Manifest, ManifestFile};
use sfumato_engine::verify::no_promise;
use sfumato_io::{WriteColumn, WriteOptions, read as read_table, sha256_hex, write_rows};
use sfumato_learn::Matrix;
use sfumato_learn::reduce::{Projection, Reading, stress};
use sfumato_report::EvidenceKind;
use sfumato_report::reduce::{Reduction, StressOf};

use sfumato_engine::destinations::check_paths;
use sfumato_engine::input::read_options;
use sfumato_engine::random::{generator, shuffle};
use sfumato_table::job::InputSpec;

pub use sfumato_learn::reduce::Entries;

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The columns that matter for clustering; all others are left out.
    pub columns: Vec<String>,
    /// How many columns leave.
    pub dimensions: usize,
    /// How the matrix is drawn.
    pub entries: Entries,
    /// Where to write.
    pub output: String,
    /// The seed, which makes the matrix repeatable for anybody who knows it: not for release.
    /// Without it the operating system's generator is used.
    pub seed: Option<u64>,
}

/// Pairs of records that stress is computed from at most.
const MOST_PAIRS: u64 = 2_000_000;

/// Read, reduce, write, and say how well distances were kept.
pub fn reduce(
    input: &InputSpec,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Reduction> {
    let m = settings.columns.len();
    check(settings, m)?;
    let options = WriteOptions::for_destination(&settings.output)?;
    check_paths(&input.path, std::slice::from_ref(&settings.output))?;
    let original = read_numbers(input, &settings.columns, observer)?.standardized();
    let projection = match settings.seed {
        Some(seed) => Projection::draw(m, settings.dimensions, settings.entries, seed)?,
        None => {
            let mut key = [0u8; 32];
            getrandom::fill(&mut key).map_err(|error| {
                Error::resources(format!("the operating system gave no random numbers: {error}"))
            })?;
            Projection::draw_secret(m, settings.dimensions, settings.entries, key)?
        }
    };
    let reduced = projection.apply(&original)?;
    let measured = |reading: Reading| -> Result<Option<StressOf>> {
        let found = stress(&projection, &original, &reduced, reading, MOST_PAIRS, 0)?;
        Ok(found.map(|s| StressOf { value: s.value, pairs: s.pairs, is_exact: s.is_exact }))
    };
    let (usual, literal) = (measured(Reading::Original)?, measured(Reading::Reduced)?);
    write(&reduced, settings, &options, observer)?;
    Ok(Reduction {
        version: env!("CARGO_PKG_VERSION").into(),
        input: input.path.clone(),
        output: settings.output.clone(),
        rows: original.n_rows() as u64,
        columns: settings.columns.clone(),
        dimensions: settings.dimensions as u64,
        entries: if settings.entries == Entries::Normal { "normal" } else { "sparse" }.into(),
        scale: projection.scale(),
        stress: usual,
        stress_by_reduced: literal,
        is_seeded: settings.seed.is_some(),
        evidence: EvidenceKind::NoPromise,
    })
}

fn check(settings: &Settings, m: usize) -> Result<()> {
    for (place, name) in settings.columns.iter().enumerate() {
        if settings.columns[..place].contains(name) {
            return Err(Error::params(format!("column '{name}' is given twice")));
        }
    }
    if m < 2 {
        return Err(
            Error::params("at least two columns are needed").hint("name them with --columns a,b,c")
        );
    }
    if settings.dimensions == 0 || settings.dimensions >= m {
        return Err(Error::params(format!(
            "{m} columns can be reduced to 1 to {} dimensions, not to {}",
            m - 1,
            settings.dimensions
        ))
        .hint("a matrix with as many columns as rows can be inverted"));
    }
    Ok(())
}

/// The columns as numbers, in the order asked for. A cell that is no number stops everything: there
/// is no distance to it.
fn read_numbers(input: &InputSpec, names: &[String], observer: &dyn Observer) -> Result<Matrix> {
    let mut select = |header: &[String]| {
        for name in names {
            if !header.contains(name) {
                let near = header.iter().min_by_key(|known| edit_distance(known, name));
                let hint = near.map_or(String::new(), |near| format!("did you mean '{near}'?"));
                return Err(Error::params(format!("the file has no column '{name}'"))
                    .in_file(&input.path)
                    .hint(hint));
            }
        }
        Ok(header.iter().map(|name| names.contains(name)).collect())
    };
    let raw = read_table(&input.path, &read_options(input)?, &mut select, observer)?;
    if raw.n_rows < 2 {
        return Err(Error::input("fewer than two records have no distances").in_file(&input.path));
    }
    let mut columns = Vec::with_capacity(names.len());
    for name in names {
        let column = raw
            .column(name)
            .ok_or_else(|| Error::internal(format!("column '{name}' wasn't read")))?;
        columns.push(numbers(input, column)?);
    }
    Matrix::from_columns(raw.n_rows, &columns)
}

fn numbers(input: &InputSpec, column: &RawColumn) -> Result<Vec<f64>> {
    let name = &column.name;
    let counts = column.codes.counts(column.values.len());
    let occurs = |code: &u32| counts[*code as usize] > 0;
    let is_missing = |code: &u32| {
        let text = column.values.get(*code);
        column.null == Some(*code)
            || text.is_empty()
            || input.missing.iter().any(|token| token == text)
    };
    let present: Vec<u32> = (0..column.values.len() as u32).filter(occurs).collect();
    let missing: u64 =
        present.iter().filter(|code| is_missing(code)).map(|code| counts[*code as usize]).sum();
    if missing > 0 {
        return Err(Error::input(format!("column '{name}' is missing in {missing} records")).hint(
            "leave these records or the column out: there is no distance to a missing value",
        ));
    }
    let kind = ValueKind::infer(present.iter().map(|code| column.values.get(*code)));
    if !kind.is_number() {
        return Err(Error::input(format!("column '{name}' isn't a number in every record"))
            .hint("only numbers can be multiplied with a matrix; leave the column out"));
    }
    let number =
        |code: u32| kind.parse(column.values.get(code)).map_or(f64::NAN, |key| kind.number(key));
    let of_code: Vec<f64> = (0..column.values.len() as u32).map(number).collect();
    Ok(column.codes.iter().map(|code| of_code[code as usize]).collect())
}

/// In a random order, and rounded: neither the place nor the last digits of a record are anybody's
/// business.
fn write(
    reduced: &Matrix,
    settings: &Settings,
    options: &WriteOptions,
    observer: &dyn Observer,
) -> Result<()> {
    let mut order: Vec<u32> = (0..reduced.n_rows() as u32).collect();
    shuffle(&mut order, &mut generator(settings.seed)?);
    let mut columns: Vec<(String, Dictionary, Codes)> = Vec::with_capacity(reduced.n_columns());
    for place in 0..reduced.n_columns() {
        let mut known: FastMap<String, u32> = FastMap::default();
        let mut values = Dictionary::new();
        let codes: Vec<u32> = order
            .iter()
            .map(|row| {
                let text = format!("{:.6}", reduced.value(*row as usize, place));
                let text = if text == "-0.000000" { "0.000000".to_string() } else { text };
                *known.entry(text).or_insert_with_key(|text| values.push(text))
            })
            .collect();
        columns.push((format!("d{}", place + 1), values, Codes::U32(codes)));
    }
    let columns: Vec<WriteColumn<'_>> = columns
        .iter()
        .map(|(name, values, codes)| WriteColumn {
            name,
            values,
            null: None,
            native_type: None,
            source: codes,
        })
        .collect();
    let mut draft = Draft::file(&settings.output)?;
    draft.write(|file| write_rows(file, &columns, reduced.n_rows(), options, observer))?;
    let bytes = std::fs::read(draft.path()?)
        .map_err(|error| Error::io(Path::new(&settings.output), "read back", &error))?;
    let file = ManifestFile {
        path: Path::new(&settings.output)
            .file_name()
            .map_or(String::new(), |name| name.to_string_lossy().into_owned()),
        holds: "rows".into(),
        rows: reduced.n_rows() as u64,
        sha256: sha256_hex(&bytes),
        ..ManifestFile::default()
    };
    let described =
        Described { rows: reduced.n_rows() as u64, files: vec![file], ..Described::default() };
    // No kind reads such a file: the manifest says what it is, so that nobody takes it for more.
    let manifest = Manifest::new("table", "reduced", described);
    let mechanism = format!("projection on {} random dimensions", settings.dimensions);
    draft.commit(no_promise(mechanism), &manifest, Vec::new()).map(|_| ())
}
