//! Sfumato publishes personal data so that nobody in it can be singled out, and keeps it useful.
//!
//! ```no_run
//! use sfumato::{Job, observer::Unobserved};
//!
//! let text = std::fs::read_to_string("release.toml").unwrap();
//! let job = Job::parse(&text, "release.toml", std::path::Path::new("")).unwrap();
//! let report = sfumato::run(&job, &Unobserved).unwrap();
//! assert!(report.guarantees.iter().all(|guarantee| guarantee.holds));
//! ```

pub use sfumato_core::memory::parse_bytes;
pub use sfumato_core::{Error, ErrorKind, Result, memory, observer, registry, tuples};
pub use sfumato_engine::job::Engine;
pub use sfumato_engine::{Job, destinations, job, paths};
pub use sfumato_evaluate::{cluster, evaluate, explore, reduce};
pub use sfumato_report as report;
pub use sfumato_sets as sets;
pub use sfumato_table::{apply_saved, audit, forms, hierarchy, init, query, recoding_file};

/// Run a job: read, anonymize, verify, measure, write, report.
pub fn run(job: &Job, observer: &dyn observer::Observer) -> Result<report::Report> {
    match &job.baskets {
        Some(baskets) => sfumato_sets::forms::subsets::run(job, baskets, observer),
        None => sfumato_table::run(job, observer),
    }
}

/// The plan of a job in words, without running it.
pub fn explain(job: &Job, observer: &dyn observer::Observer) -> Result<String> {
    match &job.baskets {
        Some(baskets) => sfumato_sets::forms::subsets::explain(job, baskets, observer),
        None => sfumato_table::explain::explain(job, observer),
    }
}

/// The families of the catalogue: each has one list.
pub mod catalogue {
    pub use sfumato_generate as generators;
    pub use sfumato_hierarchy as hierarchies;
    pub use sfumato_learn::cluster as clusterers;
    pub use sfumato_learn::learner as learners;
    pub use sfumato_risk as risks;
    pub use sfumato_sets as sets;
    pub use sfumato_table as table;
    pub use sfumato_table::workloads;
}

/// Files: reading texts, writing them whole or not at all, and cleaning up.
pub mod files {
    pub use sfumato_io::spill;
    pub use sfumato_io::{
        AtomicFile, BasketForm, BasketOptions, BasketWriteOptions, ItemColumn, ItemKind, ReadBaskets,
        ReadOptions, RecordSource, Separator, parse_utilities, read, read_baskets, read_text, read_utilities,
        remove_temporaries, select_all, write_baskets, write_text_atomically,
    };
}

/// The nouns that hierarchies are made of.
pub mod dataset {
    pub use sfumato_core::dataset::*;
}
