//! `sfumato anonymize DATA -o OUT [flags]`: a release.toml from flags, and its run.

use clap::Args;
use sfumato::catalogue::hierarchies;
use sfumato::dataset::{Missing, Role};
use sfumato::job::ColumnSpec;
use sfumato::registry::{Argument, Call};
use sfumato::{Error, Job, Result};

use super::{Context, EffortArg, YesOrNo, names, pair, print, run::run_job};

#[derive(Args)]
pub struct Anonymize {
    /// The data: CSV, Parquet, Arrow IPC or JSON lines, plain or packed; - for standard input.
    #[arg(value_name = "DATA")]
    input: String,
    /// The release; - for standard output.
    #[arg(short, long, value_name = "OUT")]
    output: String,
    /// Columns that an attacker may know: generalized.
    #[arg(long, value_name = "A,B")]
    qi: Vec<String>,
    /// Columns that an attacker wants to learn: published, guarded by the models.
    #[arg(long, value_name = "A,B")]
    sensitive: Vec<String>,
    /// Columns that name a person: dropped.
    #[arg(long, value_name = "A,B")]
    identifier: Vec<String>,
    /// Columns that are published as they are.
    #[arg(long, value_name = "A,B")]
    keep: Vec<String>,
    /// Columns that the recipient wants to predict: published as they are.
    #[arg(long, value_name = "A,B")]
    target: Vec<String>,
    /// The column that says which rows belong to one person: dropped, people are counted.
    #[arg(long, value_name = "COLUMN")]
    subject: Option<String>,
    /// k-anonymity: every record is published like at least k - 1 others.
    #[arg(short, value_name = "K")]
    k: Option<u64>,
    /// A privacy model, such as 'l-diversity-entropy(l=3, on=disease)'. May be given again.
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    /// The algorithm, such as 'mondrian(relaxed=true)'.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    algorithm: String,
    /// The metric to keep low and to name first.
    #[arg(long, value_name = "NAME", default_value = "ncp")]
    metric: String,
    /// How long to look for something better: low, normal or high.
    #[arg(long, value_name = "HOW", default_value = "normal")]
    effort: EffortArg,
    /// A column's hierarchy: column=FILE or column='mask(from=right)'. May be given again.
    #[arg(long, value_name = "COLUMN=HOW")]
    hierarchy: Vec<String>,
    /// Where values go that a column's hierarchy doesn't have: column=NODE.
    #[arg(long, value_name = "COLUMN=NODE")]
    unknown: Vec<String>,
    /// How much a loss in a column counts: column=2.
    #[arg(long, value_name = "COLUMN=W")]
    weight: Vec<String>,
    /// A column's type, if it shouldn't be guessed: column=text.
    #[arg(long = "type", value_name = "COLUMN=TYPE")]
    kind: Vec<String>,
    /// How many records may be suppressed: 5% or 150.
    #[arg(long, value_name = "SHARE", default_value = "0")]
    max_suppression: String,
    /// Publish these columns although they give a quasi column away or are nearly unique.
    #[arg(long, value_name = "A,B")]
    accept: Vec<String>,
    /// Texts that mean missing, beside the empty one.
    #[arg(long, value_name = "TEXT")]
    missing: Vec<String>,
    /// Columns whose missing values are published as suppressed instead of as missing.
    #[arg(long, value_name = "A,B")]
    suppress_missing: Vec<String>,
    /// The delimiter of a CSV file, if it shouldn't be guessed; \t for tab.
    #[arg(long, value_name = "C")]
    delimiter: Option<String>,
    /// Whether the first line of a CSV file names the columns, if that can't be guessed.
    #[arg(long, value_name = "WHICH")]
    header: Option<YesOrNo>,
    /// The format of the input, if its name doesn't tell: csv, parquet, arrow, jsonl.
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Makes the run repeatable to the byte. Not for release: the shuffle can be replayed.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Leave rows in the order of the input; the report says so.
    #[arg(long)]
    keep_order: bool,
    /// The private report: .html or .json.
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
    /// The public report, to hand out with the release: .html or .json.
    #[arg(long, value_name = "FILE")]
    public_report: Option<String>,
    /// Where to save the recoding, to apply it to new rows.
    #[arg(long, value_name = "FILE")]
    save_recoding: Option<String>,
    /// Print the private report to standard output as one JSON object.
    #[arg(long)]
    json: bool,
    /// Print the release.toml that these flags stand for, and do nothing else.
    #[arg(long)]
    print_job: bool,
}

impl Anonymize {
    pub fn run(self, context: &Context) -> Result<u8> {
        let job = self.job()?;
        if self.print_job {
            print(&job.to_toml())?;
            return Ok(0);
        }
        run_job(&job, self.json, context)
    }

    fn job(&self) -> Result<Job> {
        let mut job = Job::default();
        job.input.path = self.input.clone();
        job.input.format = self.format.clone();
        job.input.delimiter = self.delimiter.as_deref().map(delimiter).transpose()?;
        job.input.header = self.header.map(YesOrNo::is_yes);
        job.input.missing = self.missing.clone();
        self.add_columns(&mut job)?;
        if let Some(k) = self.k {
            job.privacy.models.push(format!("k-anonymity(k={k})"));
        }
        job.privacy.models.extend(self.model.iter().cloned());
        job.privacy.max_suppression = self.max_suppression.parse()?;
        job.recode.algorithm = self.algorithm.clone();
        job.recode.metric = self.metric.clone();
        job.recode.effort = self.effort.into();
        job.output.path = self.output.clone();
        job.output.report = self.report.clone();
        job.output.public_report = self.public_report.clone();
        job.output.recoding = self.save_recoding.clone();
        job.output.keep_order = self.keep_order;
        job.run.seed = self.seed;
        Ok(job)
    }

    fn add_columns(&self, job: &mut Job) -> Result<()> {
        let subject: Vec<String> = self.subject.iter().cloned().collect();
        let roles = [
            (Role::Identifier, &self.identifier),
            (Role::Subject, &subject),
            (Role::Quasi, &self.qi),
            (Role::Sensitive, &self.sensitive),
            (Role::Target, &self.target),
            (Role::Keep, &self.keep),
        ];
        for (role, given) in roles {
            for name in names(given) {
                if let Some(spec) = job.columns.get(&name) {
                    let how = match spec.role == role {
                        true => format!("twice as {}", role.name()),
                        false => format!("as {} and as {}", spec.role.name(), role.name()),
                    };
                    return Err(Error::params(format!("column '{name}' is given {how}")));
                }
                job.columns.0.push((name, ColumnSpec::of_role(role)));
            }
        }
        for given in &self.hierarchy {
            let (name, how) = pair("hierarchy", given)?;
            column(job, "hierarchy", name)?.hierarchy = Some(hierarchy(how)?);
        }
        for given in &self.unknown {
            let (name, node) = pair("unknown", given)?;
            column(job, "unknown", name)?.unknown = Some(node.into());
        }
        for given in &self.kind {
            let (name, kind) = pair("type", given)?;
            column(job, "type", name)?.kind = Some(kind.into());
        }
        for given in &self.weight {
            let (name, weight) = pair("weight", given)?;
            let weight = weight.parse().ok().filter(|w: &f64| w.is_finite() && *w > 0.0);
            column(job, "weight", name)?.weight = weight.ok_or_else(|| {
                Error::params(format!("--weight {given}: the weight must be a number above 0"))
            })?;
        }
        for name in names(&self.accept) {
            column(job, "accept", &name)?.accept = true;
        }
        for name in names(&self.suppress_missing) {
            column(job, "suppress-missing", &name)?.missing = Missing::Suppressed;
        }
        Ok(())
    }
}

fn column<'a>(job: &'a mut Job, flag: &str, name: &str) -> Result<&'a mut ColumnSpec> {
    job.columns.get_mut(name).ok_or_else(|| {
        Error::params(format!("--{flag} names column '{name}', which has no role"))
            .hint("give it one with --qi, --sensitive, --keep, --target or --identifier")
    })
}

/// A builder with parameters, or the path of a file.
pub fn hierarchy(how: &str) -> Result<Call> {
    let name = how.split('(').next().unwrap_or(how).trim();
    // A mistyped builder must not be taken for a file: nobody calls a file f(x).
    if (how.contains('(') && how.ends_with(')')) || (hierarchies::find(name).is_ok() && how == name) {
        return how.parse();
    }
    let args = std::collections::BTreeMap::from([("path".to_string(), Argument::Word(how.to_string()))]);
    let builder = if how.ends_with(".toml") || how.ends_with(".json") { "tree" } else { "file" };
    Ok(Call { name: builder.into(), args })
}

/// One character; `\t` stands for a tab.
pub fn delimiter(given: &str) -> Result<char> {
    let mut chars = given.chars();
    match (given, chars.next(), chars.next()) {
        ("\\t" | "tab", _, _) => Ok('\t'),
        (_, Some(c), None) => Ok(c),
        _ => Err(Error::params(format!("the delimiter must be one character, not '{given}'"))),
    }
}
