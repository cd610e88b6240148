//! How the seconds of a release with LKC-privacy grow with the records: Adult blown up to a million
//! of them, as in the paper on HDTDS. The variations between the copies are drawn here, because the
//! paper doesn't say how it made its own.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::{Section, cpu, mebibytes, refusal};
use crate::bench_recode::data::{self, DataSet, Slow};
use crate::bench_recode::measure::{self, Run, Settings};

const QUASI: &str = "age,workclass,fnlwgt,education,education-num,occupation,relationship,race,sex,capital-gain,capital-loss,hours-per-week,native-country";
/// Quasi columns with a hierarchy; the others are published as ranges or suppressed values.
const TREES: [&str; 6] = ["workclass", "education", "occupation", "race", "sex", "native-country"];
const MODEL: &str = "lkc-privacy(l=4,k=20,c=1)";
const ALGORITHM: &str = "top-down-specialization";
/// The numbers of records and of threads of each run.
const RUNS: [(usize, u32); 6] =
    [(200_000, 1), (400_000, 1), (600_000, 1), (800_000, 1), (1_000_000, 1), (1_000_000, 2)];
const STEPS: [&str; 7] = ["read", "encode", "anonymize", "verify", "measure", "write", "total"];
/// One in this many cells is redrawn.
const REDRAWN: u64 = 10;
const SEED: u64 = 7;

/// Measure the section.
pub fn section(program: &Path, folder: &Path) -> Section {
    let (packed, hierarchies) =
        match (data::file("adult_48842.csv.gz"), data::arx_hierarchies(folder)?) {
            (Ok(packed), Ok(hierarchies)) => (packed, hierarchies),
            (Err(why), _) | (_, Err(why)) => return Ok(Err(why)),
        };
    let original = data::unpack(&packed)?;
    let complete = original.lines().skip(1).filter(|line| is_complete(line)).count();
    let mut text = format!(
        "The {complete} complete rows of `adult_48842.csv`, repeated. The paper doesn't say how it \
            made the variations of its \
         copies; here, in every copy but the first, each cell is replaced with probability \
         1/{REDRAWN} by that of a row drawn at \
         random (seed {SEED}). 13 quasi columns, {} of them with the hierarchies of the ARX \
         project; target salary-class, \
         sensitive marital-status; `{ALGORITHM}` with `{MODEL}`, nothing suppressed, seed 1, of \
         three runs the one that \
         anonymized most quickly. Wall seconds of the steps, on a machine with other work. The \
         line in italics is the paper's, for a million records on hardware of 2009.\n\n",
        TREES.len()
    );
    text += "| records | threads | read | encode | anonymize | verify | measure | write | total | \
        CPU of the job | peak RSS | classes | NCP |\n";
    text += "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    let path = folder.join("adult-blown-up.csv");
    let set = data_set(path.clone(), &hierarchies);
    let extra = [
        "--sensitive",
        "marital-status",
        "--target",
        "salary-class",
        // Each gives the other away, which the program wants to be told; the paper has both.
        "--accept",
        "education-num,education",
        "--model",
        MODEL,
    ];
    let mut written = 0;
    for (records, threads) in RUNS {
        if written != records {
            blow_up(&original, records, &path)?;
            written = records;
        }
        let settings = Settings { threads, extra: &extra, ..Settings::of(ALGORITHM) };
        let line = line(records, threads, &measure::quickest(program, folder, &set, &settings)?);
        eprint!("{line}");
        text += &line;
    }
    text += "| 1000000 | | | | *33* | | | | *107* | | | | |\n";
    // A hundred megabytes that nobody needs any more.
    std::fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Ok(text))
}

fn data_set(path: PathBuf, hierarchies: &Path) -> DataSet {
    let hierarchy = |column: &str| hierarchies.join(format!("adult_hierarchy_{column}.csv"));
    DataSet {
        name: "adult-blown-up",
        caption: String::new(),
        path,
        quasi: QUASI.into(),
        hierarchies: TREES
            .iter()
            .map(|column| ((*column).to_string(), hierarchy(column).display().to_string()))
            .collect(),
        slow: Slow::Never,
    }
}

fn line(records: usize, threads: u32, run: &Run) -> String {
    let mut line = format!("| {records} | {threads} |");
    let written = match run {
        Run::Done(sample) => STEPS
            .iter()
            .try_for_each(|step| write!(line, " {:.2} |", sample.step(step)))
            .and_then(|()| {
                let (cpu, peak) = (cpu(sample), mebibytes(sample));
                writeln!(line, " {cpu} | {peak} | {} | {:.4} |", sample.classes, sample.ncp)
            }),
        Run::TooSlow => writeln!(line, " | | | | | | > {} | | | | |", measure::LIMIT.as_secs()),
        Run::Failed { .. } => writeln!(line, " {} | | | | | | | | | | |", refusal(run)),
    };
    written.expect("a string takes every text");
    line
}

/// Whether no cell of a row is missing.
fn is_complete(line: &str) -> bool {
    line.split(',').all(|cell| cell != "?")
}

/// Write `records` records: the complete rows as they are, then copies with redrawn cells. A
/// smaller file is the beginning of a larger one. No cell of Adult is quoted.
fn blow_up(original: &str, records: usize, path: &Path) -> Result<(), String> {
    let mut lines = original.lines();
    let header = lines.next().unwrap_or_default();
    let rows: Vec<Vec<&str>> =
        lines.filter(|line| is_complete(line)).map(|line| line.split(',').collect()).collect();
    let width = header.split(',').count();
    if rows.is_empty() || rows.iter().any(|row| row.len() != width) {
        return Err("adult_48842.csv.gz isn't the table that was expected".into());
    }
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    let mut random = SplitMix(SEED);
    writeln!(file, "{header}").map_err(failed)?;
    let mut cells = Vec::with_capacity(width);
    for record in 0..records {
        cells.clone_from(&rows[record % rows.len()]);
        if record >= rows.len() {
            for (column, cell) in cells.iter_mut().enumerate() {
                if random.below(REDRAWN) == 0 {
                    *cell = rows[random.below(rows.len() as u64) as usize][column];
                }
            }
        }
        writeln!(file, "{}", cells.join(",")).map_err(failed)?;
    }
    file.flush().map_err(failed)
}

/// The generator SplitMix64: good enough for variations, and the same on every machine.
struct SplitMix(u64);

impl SplitMix {
    /// A number below the bound, which must be small against 2^64.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_copy_is_exact_and_later_cells_come_from_their_column() {
        let original = "a,b\n1,x\n?,z\n2,y\n3,x\n";
        let path =
            std::env::temp_dir().join(format!("sfumato-blown-up-{}.csv", std::process::id()));
        let written = |records| {
            blow_up(original, records, &path).unwrap();
            std::fs::read_to_string(&path).unwrap()
        };
        let long = written(600);
        let short = written(100);
        std::fs::remove_file(&path).unwrap();
        assert!(long.starts_with("a,b\n1,x\n2,y\n3,x\n"));
        assert!(long.starts_with(&short), "a smaller file is the beginning of a larger one");
        assert_eq!(long.lines().count(), 601);
        let exact = ["1,x", "2,y", "3,x"];
        let rows: Vec<&str> = long.lines().skip(1).collect();
        assert!(rows.iter().all(|row| {
            row.split_once(',').is_some_and(|(a, b)| "123".contains(a) && "xy".contains(b))
        }));
        // A tenth of 1,200 cells is redrawn; of those, 2/3 in the first and 4/9 in the second
        // column change.
        let changed = rows.iter().enumerate().filter(|(at, row)| **row != exact[at % 3]).count();
        assert!((30..110).contains(&changed), "{changed} rows changed");
    }

    #[test]
    fn a_table_of_another_shape_is_refused() {
        let path = std::env::temp_dir().join("sfumato-blown-up-never-written.csv");
        assert!(blow_up("a,b\n1\n", 10, &path).is_err());
        assert!(blow_up("a,b\n?,x\n", 10, &path).is_err());
        assert!(!path.exists());
    }
}
