//! What is fuzzed: each target has samples to start from and a function that must never panic.
//!
//! The function answers with the shape of what it got (an error without its numbers, or a count),
//! which tells new kinds of input from known ones.

use std::path::Path;

use crate::{baskets, binary, frame, spill};
use sfumato_core::observer::Unobserved;
use sfumato_engine::manifest::{Described, MANIFEST, Manifest, ManifestFile};
use sfumato_table::Job;
use sfumato_table::recoding_file::SavedFile;

/// A target.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Valid inputs.
    pub samples: fn() -> Vec<Vec<u8>>,
    /// Feed one input.
    pub feed: fn(&[u8]) -> String,
}

/// All targets.
pub static ALL: &[Target] = &[
    Target {
        name: "arrow",
        samples: || binary::samples(".arrow"),
        feed: |input| binary::feed(input, ".arrow"),
    },
    Target { name: "baskets", samples: baskets::samples, feed: baskets::feed },
    Target { name: "call", samples: call_samples, feed: feed_call },
    Target { name: "csv", samples: csv_samples, feed: feed_csv },
    Target { name: "frame", samples: frame::samples, feed: frame::feed },
    Target { name: "hierarchy", samples: hierarchy_samples, feed: feed_hierarchy },
    Target { name: "job", samples: job_samples, feed: feed_job },
    Target {
        name: "jsonl",
        samples: || binary::samples(".jsonl"),
        feed: |input| binary::feed(input, ".jsonl"),
    },
    Target { name: "manifest", samples: manifest_samples, feed: feed_manifest },
    Target {
        name: "parquet",
        samples: || binary::samples(".parquet"),
        feed: |input| binary::feed(input, ".parquet"),
    },
    Target { name: "recoding", samples: recoding_samples, feed: feed_recoding },
    Target { name: "spill", samples: spill::samples, feed: spill::feed },
];

/// The target of a name.
pub fn find(name: &str) -> Option<&'static Target> {
    ALL.iter().find(|target| target.name == name)
}

/// Don't print panics of decoders that become an error about a damaged file.
pub fn hide_caught_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !sfumato_io::panics_are_caught() {
            before(info);
        }
    }));
}

fn call_samples() -> Vec<Vec<u8>> {
    texts(&["k-anonymity(k=10)", "mask(from=right)", "l-diversity-entropy(l=3, on=[a, \"b c\"])"])
}

/// A model, algorithm or builder as a job names it.
fn feed_call(input: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(input) else { return "no text".into() };
    match text.parse::<sfumato_core::registry::Call>() {
        Ok(call) => {
            let again = call.to_string().parse::<sfumato_core::registry::Call>();
            assert!(again.is_ok_and(|again| again == call), "a call changes when it is written");
            format!("{} arguments", call.args.len())
        }
        Err(error) => shape(&error.message),
    }
}

fn manifest_samples() -> Vec<Vec<u8>> {
    let file = ManifestFile {
        path: "quasi.csv".into(),
        holds: "quasi".into(),
        rows: 3,
        ..ManifestFile::default()
    };
    let described = Described { rows: 3, files: vec![file], ..Described::default() };
    vec![Manifest::new("table", "buckets", described).to_json().into_bytes()]
}

fn feed_manifest(input: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join(MANIFEST), input).expect("a manifest can be written");
    match Manifest::read(folder.path()) {
        Ok(manifest) => format!("{} files", manifest.files.len()),
        Err(error) => shape(&error.message),
    }
}

fn texts(samples: &[&str]) -> Vec<Vec<u8>> {
    samples.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// An answer without its digits and without what it quotes from the input.
pub fn shape(text: &str) -> String {
    let mut quoted = false;
    let mut keep = |c: &char| {
        quoted ^= matches!(c, '`' | '\'' | '"');
        !quoted && !c.is_ascii_digit()
    };
    text.chars().filter(|c| keep(c)).take(120).collect()
}

/// Write an input where a reader can open it.
pub fn with_file<T>(input: &[u8], ending: &str, feed: impl FnOnce(&str) -> T) -> T {
    let file =
        tempfile::Builder::new().suffix(ending).tempfile().expect("a temporary file can be made");
    std::fs::write(file.path(), input).expect("a temporary file can be written");
    feed(&file.path().display().to_string())
}

fn csv_samples() -> Vec<Vec<u8>> {
    texts(&[
        "a,b,c\n1,2,3\n4,5,6\n",
        "name;age\n\"x;y\";3\n\"say \"\"hi\"\"\";4\n",
        "a\tb\r\n1\t2\r\n\r\n3\t4",
        "\u{feff}a,b\n\"line\nbreak\",é\n",
        "one\n1\n\n2\n",
    ])
}

fn feed_csv(input: &[u8]) -> String {
    with_file(input, ".csv", |path| {
        let options =
            sfumato_io::ReadOptions { block_bytes: 16 + input.len() % 64, ..Default::default() };
        match sfumato_io::read(path, &options, &mut sfumato_io::select_all, &Unobserved) {
            Ok(table) => {
                let whole = sfumato_io::ReadOptions::default();
                let again =
                    sfumato_io::read(path, &whole, &mut sfumato_io::select_all, &Unobserved)
                        .expect("the same file reads the same in larger blocks");
                for (a, b) in table.columns.iter().zip(&again.columns) {
                    assert!(
                        a.codes == b.codes && a.values == b.values,
                        "blocks change what is read"
                    );
                }
                format!("{} columns", table.columns.len())
            }
            Err(error) => shape(&error.message),
        }
    })
}

fn hierarchy_samples() -> Vec<Vec<u8>> {
    texts(&[
        "a;X;*\nb;X;*\nc;Y;*\n",
        "1,0-4,*\n2,0-4,*\n7,5-9,*\n",
        "\"a;b\";X;*\nc;X;*\n",
        "{\"*\": {\"Professional\": [\"Engineer\", \"Lawyer\"], \"Artist\": [\"Dancer\"]}}",
        "[\"*\"]\nProfessional = [\"Engineer\", \"Lawyer\"]\n",
    ])
}

fn feed_hierarchy(input: &[u8]) -> String {
    let ending = [".csv", ".json", ".toml"][input.len() % 3];
    with_file(input, ending, |path| match sfumato_table::hierarchy::load(path) {
        Ok(levels) => match sfumato_core::dataset::Hierarchy::from_levels(&levels) {
            Ok((tree, _)) => {
                let _ = sfumato_hierarchy::draw(&tree, 20, 60);
                format!("{} levels", tree.n_levels())
            }
            Err(error) => shape(&error.message),
        },
        Err(error) => shape(&error.message),
    })
}

fn job_samples() -> Vec<Vec<u8>> {
    texts(&[
        "[input]\npath = \"p.csv\"\n[columns]\nage = { role = \"quasi\", hierarchy = { interval = \
            { width = 5, levels = 4 } } }\n\
          zip = { role = \"quasi\", hierarchy = \"mask(from=right)\", weight = 2.0, missing \
          = \"suppressed\" }\n\
          job = { role = \"quasi\", hierarchy = { file = \"job.csv\" } }\n[privacy]\nmodels = \
          [\"k-anonymity(k=10)\"]\n\
          max_suppression = \"2%\"\n[recode]\nalgorithm = \"mondrian(relaxed=true)\"\n[output]\n\
          path = \"o.csv\"\n[run]\nseed = 3\n",
    ])
}

fn feed_job(input: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(input) else { return "no text".into() };
    match Job::parse(text, "release.toml", Path::new("")) {
        Ok(job) => {
            let again = Job::parse(&job.to_toml(), "release.toml", Path::new(""))
                .expect("a job that was read can be written and read again");
            assert!(again == job, "a job changes when it is written");
            let _: Vec<_> = job
                .privacy
                .models
                .iter()
                .map(|m| m.parse::<sfumato_core::registry::Call>())
                .collect();
            "a job".into()
        }
        Err(error) => shape(&error.message),
    }
}

fn recoding_samples() -> Vec<Vec<u8>> {
    texts(&[
        "{\"format\":\"sfumato-recoding\",\"version\":1,\"note\":\"\",\"job\":{\"input\":{\"path\":\"a\"},\"columns\":{\"age\":{\"role\":\"quasi\"}},\
          \"privacy\":{\"models\":[\"k-anonymity(k=2)\"],\"max_suppression\":\"0\"},\"recode\":{\"algorithm\":\"auto\",\"metric\":\"ncp\"},\
          \"output\":{\"path\":\"b\"},\"run\":{}},\"columns\":[{\"name\":\"age\",\"levels\":[[\"1\",\"*\"],[\"2\",\"*\"]],\
          \"values\":[{\"node\":[\"1\"]},{\"range\":[\"1\",\"2\"]},\"missing\",\"any\"]}],\"regions\":[[0],[1],[3]]}",
        "{\"format\":\"sfumato-recoding\",\"version\":1,\"shape\":\"cuts\",\"note\":\"\",\"job\":{\"input\":{\"path\":\"a\"},\"columns\":{\"age\":{\"role\":\"quasi\"}},\
          \"privacy\":{\"models\":[\"k-anonymity(k=2)\"],\"max_suppression\":\"50%\"},\"recode\":{\"algorithm\":\"auto\",\"metric\":\"ncp\"},\
          \"output\":{\"path\":\"b\"},\"run\":{}},\"columns\":[{\"name\":\"age\",\"type\":\"integer\",\"levels\":null,\
          \"values\":[{\"range\":[\"1\",\"2\"]},{\"range\":[\"2\",\"2\"]},\"missing\"]}]}",
        "{\"format\":\"sfumato-recoding\",\"version\":1,\"shape\":\"cuts\",\"note\":\"\",\"job\":{\"input\":{\"path\":\"a\"},\"columns\":{\"age\":{\"role\":\"quasi\"}},\
          \"privacy\":{\"models\":[\"k-anonymity(k=2)\"],\"max_suppression\":\"0\"},\"recode\":{\"algorithm\":\"auto\",\"metric\":\"ncp\"},\
          \"output\":{\"path\":\"b\"},\"run\":{}},\"columns\":[{\"name\":\"age\",\"levels\":[[\"1\",\"X\",\"*\"],[\"2\",\"X\",\"*\"]],\
          \"values\":[{\"node\":[\"X\"]},{\"node\":[\"X\",\"1\"]},\"any\"]}]}",
    ])
}

fn feed_recoding(input: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(input) else { return "no text".into() };
    match SavedFile::parse(text) {
        Ok(file) => with_file(b"age\n1\n1\n2\n2\n", ".csv", |path| {
            let _ = sfumato_table::recoding_file::draw_recoding(&file, None, 20, 60);
            let _ = sfumato_table::recoding_file::to_sql(
                &file,
                "data",
                sfumato_table::recoding_file::Dialect::Ansi,
            );
            let folder = tempfile::tempdir().expect("a temporary folder can be made");
            let mut job = file.job.clone();
            job.input = sfumato_table::job::InputSpec { path: path.into(), ..Default::default() };
            job.output = Default::default();
            job.output.path = folder.path().join("o.csv").display().to_string();
            let unseen = sfumato_table::recoding_file::Unseen::Extend;
            match sfumato_table::apply_saved(&file, unseen, &job, &Unobserved) {
                Ok(report) => format!("{} columns", report.columns.len()),
                Err(error) => {
                    assert!(error.kind != sfumato_core::ErrorKind::Internal, "{error}");
                    shape(&error.message)
                }
            }
        }),
        Err(error) => shape(&error.message),
    }
}
