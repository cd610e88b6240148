//! What tests share: graphs, jobs and releases.

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_engine::audit::Audit;
use sfumato_engine::entry::Request;
use sfumato_engine::{Job, Releases};
use sfumato_graph::data::Graph;
use sfumato_report::Report;

pub static ALL: Releases = Releases(&[sfumato_graph::RELEASES]);

/// The graph of the book's figures 15.1 and 15.2: x1 is node 0.
pub fn book() -> Graph {
    let edges = [(1, 2), (1, 3), (2, 4), (2, 5), (2, 6), (3, 6), (4, 5), (6, 7)];
    Graph::new(7, &edges.map(|(a, b)| (a - 1, b - 1))).0
}

/// The same graph as lines of edges with names.
pub const BOOK: &str = "x1 x2\nx1 x3\nx2 x4\nx2 x5\nx2 x6\nx3 x6\nx4 x5\nx6 x7\n";

/// A graph with a few nodes of many edges, as lines.
pub fn hubs(n: u32, m: u32) -> String {
    let mut text = String::new();
    for i in 0..m {
        let (a, b) = ((i * i * 7 + i) % n, (i * 31 + i / 3) % (1 + n / (1 + i % 9)));
        text += &format!("{a} {b}\n");
    }
    text
}

/// A job over a file of a folder.
pub fn job(folder: &Path, input: &str, layout: &str, models: &[&str], output: &str) -> Job {
    let mut job = Job::default();
    let place = |name: &str| folder.join(name).display().to_string();
    job.set("input", "path", place(input));
    job.set("graph", "layout", layout);
    job.set("privacy", "models", models.to_vec());
    job.set("output", "path", place(output));
    job.set("run", "seed", 1i64);
    job
}

/// Run a job.
pub fn run(job: &Job) -> sfumato_core::Result<Report> {
    ALL.of_job(job)?.run(job, &Unobserved)
}

/// Audit a file, as its manifest or the layout says.
pub fn audit(path: &Path, layout: Option<&str>, models: &[&str]) -> sfumato_core::Result<Audit> {
    let mut job = Job::default();
    job.set("input", "path", path.display().to_string());
    if let Some(layout) = layout {
        job.set("graph", "layout", layout);
    }
    if !models.is_empty() {
        job.set("privacy", "models", models.to_vec());
    }
    let request = Request { job, ..Request::default() };
    ALL.of_release(&request)?.audit(&request, &Unobserved)
}
