//! Audits a randomized graph: whether the file is the one that its manifest describes. What it
//! can't say is whether anybody is protected.

use sfumato_core::facts::Facts;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_report::numbers::count;

use super::NAME;
use crate::forms::check_audit;
use crate::forms::release_file::read_release;
use crate::job::Job;

/// What no audit of such a file can say.
const NOT_JUDGED: &str = "whether anybody can be found: edges were changed at random, so that \
                          what is alike in the file needn't be alike in the original";

/// A randomized graph that was read to be audited.
pub struct OpenedRandomized {
    path: String,
    sha256: String,
    nodes: u64,
    edges: u64,
}

impl Facts for OpenedRandomized {
    fn release(&self) -> &'static str {
        "a randomized graph"
    }
}

/// Refuse models by name: none can be judged.
pub fn refuse_models(models: &[String]) -> Result<()> {
    match models.is_empty() {
        true => Ok(()),
        false => {
            let message = format!("{} can't be judged on a randomized graph", models.join(", "));
            Err(Error::unsupported(message)
                .hint("leave models out, or say with --graph that it is a graph like any other"))
        }
    }
}

/// Read a file and compare it with its manifest.
pub fn open(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<OpenedRandomized> {
    check_audit(request)?;
    refuse_models(&request.job.privacy.models)?;
    let read = read_release(NAME, &request.job, request.manifest.as_ref(), observer)?;
    Ok(OpenedRandomized {
        path: request.job.input.path.clone(),
        sha256: read.source.sha256,
        nodes: read.graph.n() as u64,
        edges: read.graph.m(),
    })
}

impl OpenedRandomized {
    /// What an audit shows.
    pub fn figures(&self) -> Result<Figures> {
        let json = serde_json::json!({
            "sha256": self.sha256, "nodes": self.nodes, "edges": self.edges,
        });
        let serde_json::Value::Object(json) = json else {
            return Err(Error::internal("the figures of an audit have no names"));
        };
        let head = format!(
            "file       {} ({} nodes, {} edges)\nnot judged {NOT_JUDGED}\n",
            self.path,
            count(self.nodes),
            count(self.edges)
        );
        Ok(Figures { rows: self.nodes, is_true: None, json, head, tail: String::new() })
    }
}
