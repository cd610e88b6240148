//! The flags of every job, whatever its kind: how the file is read, what must hold, how to run.

use sfumato_core::Result;

use super::{Command, Flag, Sets, Takes};
use crate::job::{Engine, Job, MaxSuppression, Population, TimeLimit};

use Command::{Anonymize, Attack, Audit, Explain, Explore, Query, Read, Run, Serve, Study};

/// Commands that open a file.
const READING: &[Command] = &[Anonymize, Explain, Explore, Study, Audit, Query, Read, Serve];
/// Commands that say what to aim for, with or without a release.toml.
const STEERING: &[Command] = &[Anonymize, Explain, Run, Explore, Study];
/// Commands that take a release.toml to its end, or say how they would.
const RUNNING: &[Command] = &[Anonymize, Explain, Run];
/// Commands that know the output.
const WRITING: &[Command] = &[Anonymize, Explain];

/// The flags of every job.
pub static COMMON: &[Flag] = &[
    Flag::new(
        "model",
        Takes::Many("MODEL"),
        "A privacy model that must hold, such as 'l-diversity-entropy(l=3, on=disease)'. May be \
         given again.",
        &[Anonymize, Explain, Run, Explore, Study, Audit],
        Sets::Texts("privacy", "models"),
    )
    .goal(),
    Flag::new(
        "model",
        Takes::Many("MODEL"),
        "A privacy model that the release was made for, as an attacker knows who knows how Sfumato \
         works. May be given again.",
        &[Attack],
        Sets::Texts("privacy", "models"),
    )
    .goal(),
    Flag::new(
        "max-suppression",
        Takes::One("SHARE"),
        "How many records may be suppressed: left out, or published with * in every quasi column \
         or as an empty set: 5% or 150 [default: none is left out]",
        STEERING,
        Sets::By("max_suppression in [privacy]", max_suppression),
    )
    .goal(),
    Flag::new(
        "population",
        Takes::One("SIZE"),
        "The population that the data were drawn from, for risks in it: 120000, or the share of it \
         that is in the data, such as 2%.",
        &[Anonymize, Explain, Run, Audit],
        Sets::By("population in [privacy]", population),
    )
    .goal(),
    Flag::new(
        "algorithm",
        Takes::One("NAME"),
        "The algorithm that decides what each record publishes, such as 'mondrian(relaxed=true)'; \
         'sfumato list' shows all [default: auto]",
        RUNNING,
        Sets::Text("recode", "algorithm"),
    )
    .goal(),
    Flag::new(
        "metric",
        Takes::One("NAME"),
        "The metric to keep low and to name first [default: ncp]",
        STEERING,
        Sets::Text("recode", "metric"),
    )
    .goal(),
    Flag::new(
        "effort",
        Takes::OneOf("HOW", &["low", "normal", "high"]),
        "How long to look for something better: not at all, about a second or about a minute for \
         thirty thousand records [default: normal]",
        STEERING,
        Sets::Text("recode", "effort"),
    )
    .goal(),
    Flag::new(
        "seed",
        Takes::Whole("N"),
        "Makes the run repeatable to the byte. Not for release: the shuffle can be replayed.",
        RUNNING,
        Sets::Whole("run", "seed"),
    )
    .goal(),
    Flag::new(
        "seed",
        Takes::Whole("N"),
        "Where random choices start from [default: 0]. What is released with it can be replayed.",
        &[Explore, Study],
        Sets::Whole("run", "seed"),
    )
    .goal(),
    Flag::new(
        "memory",
        Takes::One("SIZE"),
        "How much memory the run may take, such as 512MiB: what doesn't fit is spilled to disk. \
         Without it the run may take what the machine has free.",
        RUNNING,
        Sets::By("memory in [run]", memory),
    )
    .goal(),
    Flag::new(
        "engine",
        Takes::OneOf("ENGINE", &Engine::NAMES),
        "Where records are held: in memory, or on disk, divided by a sample, by a tree of counts \
         or by cuts; auto takes memory if they fit, else sample, else tree.",
        RUNNING,
        Sets::Text("run", "engine"),
    )
    .goal(),
    Flag::new(
        "spill",
        Takes::One("FOLDER"),
        "The folder for spilled data; beside the release without it.",
        RUNNING,
        Sets::Text("run", "spill"),
    )
    .goal(),
    Flag::new(
        "resume",
        Takes::Nothing,
        "Go on where a killed run of the same job stopped; the release has the same bytes. \
         Without it what that run left is removed.",
        &[Anonymize, Run],
        Sets::By("nothing: a release.toml is run anew each time", |job, _| {
            job.resume(true);
            Ok(())
        }),
    )
    .goal(),
    Flag::new(
        "accept-guesses",
        Takes::Nothing,
        "Run a job that 'sfumato init' guessed although lines of it are still marked CHECK; the \
         report says so.",
        &[Run],
        Sets::By("accept_guesses in [run]", |job, _| {
            job.accept_guesses();
            Ok(())
        }),
    )
    .goal(),
    Flag::new(
        "time-limit",
        Takes::One("TIME"),
        "Stop looking for something better after so long, such as 30s or 5min, and publish what \
         there is, verified as always. The release then depends on the clock.",
        &[Anonymize, Run],
        Sets::By("time_limit in [run]", time_limit),
    )
    .goal(),
    Flag::new(
        "publish-on-interrupt",
        Takes::Nothing,
        "At Ctrl-C verify and publish what there is; a second Ctrl-C stops at once.",
        &[Anonymize, Run],
        Sets::By("on_interrupt in [run]", |job, _| {
            job.set("run", "on_interrupt", "publish");
            Ok(())
        }),
    )
    .goal(),
    Flag::new(
        "report",
        Takes::One("FILE"),
        "The private report: .html or .json.",
        WRITING,
        Sets::Text("output", "report"),
    ),
    Flag::new(
        "public-report",
        Takes::One("FILE"),
        "The public report, to hand out with the release: .html or .json.",
        WRITING,
        Sets::Text("output", "public_report"),
    ),
    Flag::new(
        "missing",
        Takes::Many("TEXT"),
        "Texts that mean missing, beside the empty one.",
        READING,
        Sets::Texts("input", "missing"),
    ),
    Flag::new(
        "delimiter",
        Takes::One("C"),
        "The delimiter of a CSV file, if it shouldn't be guessed; \\t for tab.",
        READING,
        Sets::By("delimiter in [input]", delimiter),
    ),
    Flag::new(
        "header",
        Takes::OneOf("WHICH", &["yes", "no"]),
        "Whether the first line of a CSV file names the columns, if that can't be guessed.",
        READING,
        Sets::By("header in [input]", header),
    ),
    Flag::new(
        "encoding",
        Takes::One("NAME"),
        "The character encoding of a text file, such as windows-1252, latin-1 or utf-16 [default: \
         utf-8, or what a byte order mark says]",
        &[Anonymize, Explain, Explore, Audit, Query, Read, Serve],
        Sets::Text("input", "encoding"),
    ),
    Flag::new(
        "format",
        Takes::One("FORMAT"),
        "The format of the input, if its name doesn't tell: csv, parquet, arrow, jsonl.",
        READING,
        Sets::Text("input", "format"),
    ),
];

/// The last value is what was meant.
fn last(values: &[String]) -> &str {
    values.last().map_or("", String::as_str)
}

fn max_suppression(job: &mut Job, values: &[String]) -> Result<()> {
    let limit: MaxSuppression = last(values).parse()?;
    job.set("privacy", "max_suppression", limit.to_string());
    Ok(())
}

fn population(job: &mut Job, values: &[String]) -> Result<()> {
    let population: Population = last(values).parse()?;
    job.set("privacy", "population", population.to_string());
    Ok(())
}

fn memory(job: &mut Job, values: &[String]) -> Result<()> {
    sfumato_core::memory::parse_bytes(last(values))?;
    job.set("run", "memory", last(values));
    Ok(())
}

fn time_limit(job: &mut Job, values: &[String]) -> Result<()> {
    last(values).parse::<TimeLimit>()?;
    job.set("run", "time_limit", last(values));
    Ok(())
}

fn delimiter(job: &mut Job, values: &[String]) -> Result<()> {
    let found = super::values::delimiter(last(values))?;
    job.set("input", "delimiter", found.to_string());
    Ok(())
}

fn header(job: &mut Job, values: &[String]) -> Result<()> {
    job.set("input", "header", last(values) == "yes");
    Ok(())
}
