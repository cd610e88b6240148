//! The flags that say what the data is and what to aim for: shared by the commands that take data
//! without a release.toml.

use clap::Args;
use sfumato_core::dataset::{Missing, Role};
use sfumato_core::registry::{Argument, Call};
use sfumato_core::{Error, Result};
use sfumato_hierarchy as hierarchies;
use sfumato_table::Job;
use sfumato_table::job::{ColumnSpec, Effort, InputSpec, PrivacySpec, RecodeSpec, ShownAs};

use super::run::load_table;
use super::{EffortArg, YesOrNo, names, pair};

/// Flags about columns: their roles, how they are generalized, and how the file is read.
#[derive(Args)]
pub struct DataFlags {
    /// Columns that an attacker may know: generalized.
    #[arg(long, value_name = "A,B")]
    qi: Vec<String>,
    /// Columns that an attacker wants to learn: published, guarded by the models.
    #[arg(long, value_name = "A,B")]
    sensitive: Vec<String>,
    /// Columns of guarding nodes, for personalized-privacy: what each person asked to keep from
    /// being learnt. Never published.
    #[arg(long, value_name = "A,B")]
    guard: Vec<String>,
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
    /// Publish these columns although they give a quasi column away or are nearly unique.
    #[arg(long, value_name = "A,B")]
    accept: Vec<String>,
    /// Texts that mean a missing value, besides the empty text.
    #[arg(long, value_name = "TEXT")]
    missing: Vec<String>,
    /// Columns whose missing values are published as suppressed instead of as missing.
    #[arg(long, value_name = "A,B")]
    suppress_missing: Vec<String>,
    /// The delimiter of a CSV file, if it shouldn't be guessed; \t for tab.
    #[arg(long, value_name = "C")]
    delimiter: Option<String>,
    /// Whether the first line of a CSV file names the columns, if it can't be guessed.
    #[arg(long, value_name = "WHICH")]
    header: Option<YesOrNo>,
    /// The format of the input, if its name doesn't say: csv, parquet, arrow, jsonl.
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
}

/// Flags about goals: what must hold besides k, and which loss to minimize.
#[derive(Args)]
pub struct GoalFlags {
    /// A privacy model, such as 'l-diversity-entropy(l=3, on=disease)'. May be given again.
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    /// What the recipient will do, such as 'classification(target=salary)'. May be given again.
    #[arg(long, value_name = "TASK")]
    workload: Vec<String>,
    /// The metric to minimize and to name first [default: ncp]
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// How long to look for something better: low, normal or high [default: normal]
    #[arg(long, value_name = "HOW")]
    effort: Option<EffortArg>,
    /// How many records may be suppressed: 5% or 150 [default: 0]
    #[arg(long, value_name = "SHARE")]
    max_suppression: Option<String>,
}

/// Flags about what the release says of each region besides the generalized value.
#[derive(Args)]
pub struct PublishFlags {
    /// How a region shows in a column: interval (the generalized value), range (columns .min and
    /// .max), mean (column .mean): column=interval,mean. May be given again.
    #[arg(long, value_name = "COLUMN=FORMS")]
    publish: Vec<String>,
    /// The grid that a column's range and mean are snapped to: column=5.
    #[arg(long, value_name = "COLUMN=STEP")]
    snap: Vec<String>,
}

impl PublishFlags {
    /// The first flag that was given.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [("publish", !self.publish.is_empty()), ("snap", !self.snap.is_empty())];
        given.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
    }

    /// Put the flags that were given into the columns of a job.
    pub fn add_to(&self, job: &mut Job) -> Result<()> {
        for given in &self.publish {
            let (name, forms) = pair("publish", given)?;
            let forms = names(&[forms.to_string()]);
            column(job, "publish", name)?.publish =
                forms.iter().map(|form| form.parse()).collect::<Result<Vec<ShownAs>>>()?;
        }
        for given in &self.snap {
            let (name, step) = pair("snap", given)?;
            column(job, "snap", name)?.snap = Some(step.parse().map_err(|_| {
                Error::params(format!("--snap {given}: the step must be a number"))
            })?);
        }
        Ok(())
    }
}

impl GoalFlags {
    /// Put the flags that were given into a job. All else stays as the job has it.
    pub fn add_to(&self, job: &mut Job) -> Result<()> {
        job.workload.tasks.extend(self.workload.iter().cloned());
        self.add_common(&mut job.privacy, &mut job.recode)
    }

    /// Put the flags that apply to every kind of data into the sections of a job.
    pub fn add_common(&self, privacy: &mut PrivacySpec, recode: &mut RecodeSpec) -> Result<()> {
        privacy.models.extend(self.model.iter().cloned());
        if let Some(share) = &self.max_suppression {
            privacy.max_suppression = share.parse()?;
        }
        if let Some(metric) = &self.metric {
            recode.metric = metric.clone();
        }
        if let Some(effort) = self.effort {
            recode.effort = Effort::from(effort);
        }
        Ok(())
    }

    /// The flag for workloads, if it was given.
    pub fn workload_given(&self) -> Option<&'static str> {
        (!self.workload.is_empty()).then_some("workload")
    }
}

/// Make the job of a command that takes either a release.toml, or data with flags.
pub fn job_of(input: &str, data: &DataFlags, goal: &GoalFlags, seed: Option<u64>) -> Result<Job> {
    let mut job = if input.ends_with(".toml") {
        if let Some(flag) = data.first_given() {
            let message = format!("--{flag} doesn't go with a release.toml");
            return Err(
                Error::params(message).hint("change the release.toml, or name the data instead")
            );
        }
        load_table(input)?
    } else {
        data.job(input)?
    };
    goal.add_to(&mut job)?;
    job.run.seed = seed.or(job.run.seed);
    Ok(job)
}

impl DataFlags {
    /// Make a job that reads a file and has the roles of its columns.
    pub fn job(&self, input: &str) -> Result<Job> {
        let mut job = Job { input: self.input(input)?, ..Job::default() };
        self.add_columns(&mut job)?;
        Ok(job)
    }

    /// Describe how a file is read.
    pub fn input(&self, path: &str) -> Result<InputSpec> {
        Ok(InputSpec {
            path: path.to_string(),
            format: self.format.clone(),
            delimiter: self.delimiter.as_deref().map(delimiter).transpose()?,
            header: self.header.map(YesOrNo::is_yes),
            missing: self.missing.clone(),
        })
    }

    /// The first flag about columns that was given.
    pub fn first_column_flag(&self) -> Option<&'static str> {
        const OF_FILES: [&str; 4] = ["missing", "delimiter", "header", "format"];
        self.first_given().filter(|flag| !OF_FILES.contains(flag))
    }

    /// The first flag that was given, for commands where a release.toml says all of this instead.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("qi", !self.qi.is_empty()),
            ("sensitive", !self.sensitive.is_empty()),
            ("guard", !self.guard.is_empty()),
            ("identifier", !self.identifier.is_empty()),
            ("keep", !self.keep.is_empty()),
            ("target", !self.target.is_empty()),
            ("subject", self.subject.is_some()),
            ("hierarchy", !self.hierarchy.is_empty()),
            ("unknown", !self.unknown.is_empty()),
            ("weight", !self.weight.is_empty()),
            ("type", !self.kind.is_empty()),
            ("accept", !self.accept.is_empty()),
            ("missing", !self.missing.is_empty()),
            ("suppress-missing", !self.suppress_missing.is_empty()),
            ("delimiter", self.delimiter.is_some()),
            ("header", self.header.is_some()),
            ("format", self.format.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
    }

    fn add_columns(&self, job: &mut Job) -> Result<()> {
        let subject: Vec<String> = self.subject.iter().cloned().collect();
        let roles = [
            (Role::Identifier, &self.identifier),
            (Role::Subject, &subject),
            (Role::Quasi, &self.qi),
            (Role::Sensitive, &self.sensitive),
            (Role::Target, &self.target),
            (Role::Guard, &self.guard),
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

/// Parse a hierarchy flag: a builder with parameters, or the path of a file.
pub fn hierarchy(how: &str) -> Result<Call> {
    let name = how.split('(').next().unwrap_or(how).trim();
    // A mistyped builder must not be taken for a file: nobody calls a file f(x).
    if (how.contains('(') && how.ends_with(')')) || (hierarchies::find(name).is_ok() && how == name)
    {
        return how.parse();
    }
    let args =
        std::collections::BTreeMap::from([("path".to_string(), Argument::Word(how.to_string()))]);
    let builder = if how.ends_with(".toml") || how.ends_with(".json") { "tree" } else { "file" };
    Ok(Call { name: builder.into(), args })
}

/// Parse a delimiter: one character, where `\t` stands for a tab.
pub fn delimiter(given: &str) -> Result<char> {
    let mut chars = given.chars();
    match (given, chars.next(), chars.next()) {
        ("\\t" | "tab", _, _) => Ok('\t'),
        (_, Some(c), None) => Ok(c),
        _ => Err(Error::params(format!("the delimiter must be one character, not '{given}'"))),
    }
}
