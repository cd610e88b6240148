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
pub use sfumato_engine::{
    Job, apply_saved, audit, cluster, evaluate, explain, explore, hierarchy, init, job, paths, query,
    recoding_file, reduce, run, sets, stage,
};
pub use sfumato_report as report;

/// The families of the catalogue: each has one list.
pub mod catalogue {
    pub use sfumato_generate as generators;
    pub use sfumato_hierarchy as hierarchies;
    pub use sfumato_learn::cluster as clusterers;
    pub use sfumato_learn::learner as learners;
    pub use sfumato_metrics as metrics;
    pub use sfumato_models as models;
    pub use sfumato_recode as algorithms;
    pub use sfumato_risk as risks;
    pub use sfumato_workload as workloads;
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
