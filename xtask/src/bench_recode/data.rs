//! The data sets of `bench-local` and `bench-global`: where they come from, their quasi columns and
//! hierarchies. Nothing is run here but unpacking and the generator.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{root, sh};

/// All data sets, in the order of the tables.
pub const NAMES: [&str; 6] =
    ["adult", "census-kdd-30000", "agrawal-20000", "agrawal-100000", "census-kdd", "cup"];

/// The number of rows in the sample of `census-kdd`.
const SAMPLE: usize = 30_000;

const ADULT: &str =
    "sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class";
const CUP: &str = "ZIP,AGE,GENDER,INCOME,STATE,RAMNTALL,NGIFTALL,MINRAMNT";
const AGRAWAL: &str = "salary,commission,age,elevel,car,zipcode,hvalue,hyears,loan";
/// Quasi columns of the census with the hierarchies built for them.
const CENSUS: [(&str, &str); 13] = [
    ("AAGE", "interval(width=5, levels=4)"),
    ("ACLSWKR", "frequency(groups=3)"),
    ("AHGA", "frequency(groups=6, levels=2)"),
    ("AMARITL", "frequency(groups=3)"),
    ("AMJIND", "frequency(groups=8, levels=3)"),
    ("AMJOCC", "frequency(groups=6, levels=2)"),
    ("ARACE", "frequency(groups=3)"),
    ("ASEX", "frequency(groups=2)"),
    ("AWKSTAT", "frequency(groups=3)"),
    ("FILESTAT", "frequency(groups=3)"),
    ("HHDREL", "frequency(groups=3)"),
    ("PENATVTY", "frequency(groups=12, levels=3)"),
    ("PRCITSHP", "frequency(groups=3)"),
];

/// For which k the slow algorithms run on a data set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Slow {
    /// For every k.
    Every,
    /// For some k.
    Few,
    /// Not at all.
    Never,
}

/// A data set that is ready to be read.
pub struct DataSet {
    /// The name of the data set.
    pub name: &'static str,
    /// The description for the head of its table.
    pub caption: String,
    /// The path of the file.
    pub path: PathBuf,
    /// The quasi columns, separated by commas.
    pub quasi: String,
    /// Columns with their hierarchies.
    pub hierarchies: Vec<(String, String)>,
    /// For which k the slow algorithms run.
    pub slow: Slow,
}

/// Make a data set ready. The inner error says why it must be skipped.
pub fn prepare(
    name: &'static str,
    program: &Path,
    folder: &Path,
) -> Result<Result<DataSet, String>, String> {
    match name {
        "adult" => arx(
            name,
            "adult_arx.csv.gz",
            "30,162 rows, nine quasi columns",
            ADULT,
            Slow::Every,
            folder,
        ),
        "cup" => {
            arx(name, "cup.csv.gz", "63,441 rows, eight quasi columns", CUP, Slow::Few, folder)
        }
        "census-kdd" => census(name, None, folder),
        "census-kdd-30000" => census(name, Some(SAMPLE), folder),
        "agrawal-20000" => agrawal(name, 20_000, Slow::Few, program, folder),
        _ => agrawal(name, 100_000, Slow::Never, program, folder),
    }
}

/// A file of the data folder, or why there is none.
pub fn file(name: &str) -> Result<PathBuf, String> {
    let data = std::env::var_os("SFUMATO_DATA")
        .map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let path = data.join("relational").join(name);
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("no file relational/{name} in the data folder (SFUMATO_DATA names it)"))
    }
}

/// The folder of the ARX project's hierarchies, unpacked. The inner error says why there is none.
pub fn arx_hierarchies(folder: &Path) -> Result<Result<PathBuf, String>, String> {
    let tar = match file("arx_hierarchies.tar.gz") {
        Ok(tar) => tar,
        Err(why) => return Ok(Err(why)),
    };
    let unpacked = folder.join("arx_hierarchies");
    if !unpacked.exists() {
        sh("tar", &["-xzf", &tar.display().to_string(), "-C", &folder.display().to_string()])?;
    }
    Ok(Ok(unpacked))
}

/// The text of a file packed with gzip.
pub fn unpack(packed: &Path) -> Result<String, String> {
    let output = Command::new("gzip")
        .arg("-dc")
        .arg(packed)
        .output()
        .map_err(|error| format!("gzip: {error}"))?;
    if !output.status.success() {
        return Err(format!("gzip can't unpack {}", packed.display()));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{}: {error}", packed.display()))
}

/// A data set of the ARX benchmark with its hierarchies.
fn arx(
    name: &'static str,
    packed: &str,
    shape: &str,
    quasi: &str,
    slow: Slow,
    folder: &Path,
) -> Result<Result<DataSet, String>, String> {
    let (path, unpacked) = match (file(packed), arx_hierarchies(folder)?) {
        (Ok(path), Ok(unpacked)) => (path, unpacked),
        (Err(why), _) | (_, Err(why)) => return Ok(Err(why)),
    };
    let hierarchy = |column: &str| unpacked.join(format!("{name}_hierarchy_{column}.csv"));
    Ok(Ok(DataSet {
        name,
        caption: format!(
            "`{}`, {shape}, the hierarchies of the ARX project.",
            packed.trim_end_matches(".gz")
        ),
        path,
        quasi: quasi.into(),
        hierarchies: quasi
            .split(',')
            .map(|column| (column.to_string(), hierarchy(column).display().to_string()))
            .collect(),
        slow,
    }))
}

/// The census of 1994 and 1995, cut to its quasi columns. With `sample`, only that many evenly
/// spaced rows.
fn census(
    name: &'static str,
    sample: Option<usize>,
    folder: &Path,
) -> Result<Result<DataSet, String>, String> {
    let packed = match file("census-income-kdd_299285.csv.gz") {
        Ok(path) => path,
        Err(why) => return Ok(Err(why)),
    };
    let path = folder.join(format!("{name}.csv"));
    if !path.exists() {
        let cut = columns_of(&unpack(&packed)?, sample)?;
        std::fs::write(&path, cut).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let rows = sample
        .map_or("299,285 rows".into(), |rows| format!("{rows} rows, evenly spread over the file"));
    let built: Vec<String> =
        CENSUS.iter().map(|(column, builder)| format!("{column} `{builder}`")).collect();
    Ok(Ok(DataSet {
        name,
        caption: format!(
            "Census income (KDD), {rows}, 13 quasi columns with built hierarchies: {}.",
            built.join(", ")
        ),
        path,
        quasi: CENSUS.map(|(column, _)| column).join(","),
        hierarchies: CENSUS
            .iter()
            .map(|(column, builder)| ((*column).to_string(), (*builder).to_string()))
            .collect(),
        slow: if sample.is_some() { Slow::Few } else { Slow::Never },
    }))
}

/// The quasi columns of the census file (no cell of it is quoted), of all rows or of some.
fn columns_of(text: &str, sample: Option<usize>) -> Result<String, String> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let wanted = CENSUS
        .iter()
        .map(|(column, _)| {
            header
                .iter()
                .position(|name| name == column)
                .ok_or(format!("the census has no column {column}"))
        })
        .collect::<Result<Vec<usize>, String>>()?;
    let total = text.lines().count().saturating_sub(1).max(1);
    let taken = sample.unwrap_or(total).min(total);
    let mut cut = CENSUS.map(|(column, _)| column).join(",") + "\n";
    for (row, line) in lines.enumerate() {
        if row * taken / total == (row + 1) * taken / total {
            continue;
        }
        let cells: Vec<&str> = line.split(',').collect();
        let kept: Vec<&str> =
            wanted.iter().map(|column| cells.get(*column).copied().unwrap_or_default()).collect();
        cut += &kept.join(",");
        cut.push('\n');
    }
    Ok(cut)
}

/// Generated numbers without hierarchies.
fn agrawal(
    name: &'static str,
    rows: u32,
    slow: Slow,
    program: &Path,
    folder: &Path,
) -> Result<Result<DataSet, String>, String> {
    let path = folder.join(format!("{name}.csv"));
    if !path.exists() {
        let rows = rows.to_string();
        let arguments =
            ["generate", "agrawal", "--rows", &rows, "-o", &path.display().to_string(), "--quiet"];
        sh(&program.display().to_string(), &arguments)?;
    }
    Ok(Ok(DataSet {
        name,
        caption: format!(
            "`sfumato generate agrawal --rows {rows}`, nine quasi columns without hierarchies, \
                published as ranges."
        ),
        path,
        quasi: AGRAWAL.into(),
        hierarchies: Vec::new(),
        slow,
    }))
}
