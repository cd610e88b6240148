//! Audits a folder of supernodes, whoever made it.

use std::path::Path;

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::compare::Utility;
use sfumato_report::numbers::count;

use super::NAME;
use super::stated::StatedSupernodes;
use crate::data::Graph;
use crate::data::supernode_files::{EDGES, NODES, read_folder};
use crate::forms::check_audit;
use crate::forms::release_file::{expect, read_original};
use crate::forms::utility;
use crate::job::Job;
use crate::metrics::supernodes::{ALL, SupernodeView};

/// The metric that asks which supernode each node is in.
const OF_NODES: &str = "uncertainty";

/// Supernodes as they were read from a release.
pub struct OpenedSupernodes {
    path: String,
    sha256: [String; 2],
    pub(super) stated: StatedSupernodes,
    is_true: Option<bool>,
}

/// Read a folder. Beside its original the numbers of nodes and edges are compared.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<OpenedSupernodes> {
    check_audit(request)?;
    let path = request.job.input.path.clone();
    let folder = Path::new(&path);
    if !folder.is_dir() {
        return Err(Error::input("this is no release of supernodes: that would be a folder")
            .in_file(path)
            .hint("name the folder of the release"));
    }
    let (published, sources) = read_folder(folder)?;
    if let Some(manifest) = &request.manifest {
        expect(manifest, NAME, &path)?;
        for ((_, holds), source) in [NODES, EDGES].iter().zip(&sources) {
            let described = manifest.holding(holds).map_err(|error| error.in_file(&path))?;
            if described.sha256 != source.sha256 {
                let message = "this isn't the file that the manifest beside it describes";
                return Err(Error::input(message).in_file(source.path.clone()));
            }
        }
    }
    let is_true = match &request.original {
        None => None,
        Some(original) => {
            let original = read_original(original, &request.job, observer)?.graph;
            Some((original.n() as u64, original.m()) == (published.nodes(), published.edges()))
        }
    };
    let sha256 = sources.map(|source| source.sha256);
    Ok(OpenedSupernodes {
        path,
        sha256,
        stated: StatedSupernodes { published, sensitive: None },
        is_true,
    })
}

impl OpenedSupernodes {
    /// What an audit shows besides the guarantees.
    pub fn figures(&self) -> Result<Figures> {
        let published = &self.stated.published;
        let pairs = |size: u64| size * size.saturating_sub(1) / 2;
        let size = |group: &u32| published.sizes[*group as usize];
        let full = published.between.iter().filter(|(a, b, n)| *n == size(a) * size(b)).count()
            + published
                .sizes
                .iter()
                .zip(&published.inside)
                .filter(|(size, edges)| **edges > 0 && **edges == pairs(**size))
                .count();
        let (nodes, edges) = (published.nodes(), published.edges());
        let mut head = format!(
            "files      {} ({} nodes in {} supernodes, {} edges)\n",
            self.path,
            count(nodes),
            count(published.sizes.len() as u64),
            count(edges)
        );
        if full > 0 {
            head += &format!(
                "links      {} numbers of edges are as large as can be: every pair is joined, and \
                 the edges are known\n",
                count(full as u64)
            );
        }
        if self.is_true == Some(false) {
            head += "truth      the original has other numbers of nodes or edges\n";
        }
        let json = serde_json::json!({
            "sha256": self.sha256.join(" "),
            "nodes": nodes,
            "edges": edges,
            "supernodes": published.sizes.len(),
            "smallest": published.sizes.iter().min(),
            "certain_links": full,
        });
        let serde_json::Value::Object(json) = json else {
            return Err(Error::internal("the figures of an audit have no names"));
        };
        Ok(Figures { rows: nodes, is_true: self.is_true, json, head, tail: String::new() })
    }
}

/// What supernodes keep of their original: metrics over graphs that fit, and the degrees of one.
pub fn utility(opened: &OpenedSupernodes, original: &Graph) -> Utility {
    let published = &opened.stated.published;
    // Which supernode a node went into isn't known, and only the uncertainty asks that.
    let view = SupernodeView::new(original, published, &[]);
    let measured = ALL.iter().filter(|metric| metric.info().name != OF_NODES);
    let degrees = view.worlds.first().map(Graph::degrees).unwrap_or_default();
    Utility {
        rows: Some(published.nodes()),
        metrics: measured.map(|metric| (metric.info().name, metric.measure(&view))).collect(),
        kept: vec![
            utility::degrees(&degrees, original),
            utility::edges(published.edges(), original.m()),
        ],
        remarks: vec![
            format!("{OF_NODES} isn't measured: it asks which node went into which supernode"),
            "degrees are those of a random graph that fits what is published".into(),
        ],
        ..Utility::default()
    }
}
