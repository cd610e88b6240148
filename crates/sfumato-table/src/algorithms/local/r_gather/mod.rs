//! r-gather clustering (Aggarwal et al.): clusters of at least r records whose largest radius is at
//! most twice the smallest possible.

mod cover;
mod crowd;
mod flow;
mod outliers;

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Task};

use crate::algorithms::shared::local;
use crate::algorithms::shared::points::Points;
use crate::algorithms::shared::progress::Progress;
use crowd::{Crowd, Gathered};

/// The algorithm `r-gather`, an entry of the registry.
pub struct RGather;

static INFO: Info = Info {
    name: "r-gather",
    summary: "clusters of enough records with the largest radius at most twice the smallest \
        possible",
    papers: &[
        Paper {
            authors: "G. Aggarwal, T. Feder, K. Kenthapadi, S. Khuller, R. Panigrahy, D. Thomas, \
                A. Zhu",
            title: "Achieving anonymity via clustering",
            venue: "PODS",
            year: 2006,
        },
        Paper {
            authors: "E. A. Dinic",
            title: "Algorithm for solution of a problem of maximum flow in networks with power \
                estimation",
            venue: "Soviet Mathematics Doklady 11",
            year: 1970,
        },
    ],
    params: &[ParamSpec::with_default(
        "refine",
        ParamKind::Flag,
        "true",
        "gather again inside large clusters, as long as the largest radius stays within its bound",
    )],
    doc: include_str!("r_gather.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for RGather {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let refine = params.flag("refine");
        local::anonymize(self, task, |task, space, judge, progress| {
            let points = Points::new(task, space);
            points.check_size(INFO.name)?;
            let gathered = gather(&points, judge.min_rows, task.max_suppressed, progress)?;
            let clusters = match refine {
                true => again(gathered.clusters, judge.min_rows, gathered.bound, progress)?,
                false => gathered.clusters,
            };
            // Each outlier by itself: one that may not be suppressed in the end joins what is
            // nearest to it alone.
            let outliers = gathered.outliers.into_iter().map(|row| vec![row]);
            Ok(clusters.iter().map(|cluster| cluster.rows().collect()).chain(outliers).collect())
        })
    }
}

/// Cluster all records, or all except some outliers.
fn gather<'a>(
    points: &'a Points<'a>,
    r: usize,
    max_outliers: u64,
    progress: &mut Progress<'_>,
) -> Result<Gathered<'a>> {
    let crowd = Crowd::all(points);
    let reaches = crowd.reaches(r, progress)?;
    match max_outliers {
        0 => cover::gather(crowd, r, &reaches, progress),
        most => outliers::gather(crowd, r, &reaches, most, progress),
    }
}

/// How often clusters are gathered again inside clusters. Each time takes as long as comparing the
/// records of every cluster.
const ROUNDS: usize = 12;

/// Gather again inside clusters that are large enough for two. The result is taken if no radius
/// exceeds the bound.
fn again<'a>(
    clusters: Vec<Crowd<'a>>,
    r: usize,
    bound: f64,
    progress: &mut Progress<'_>,
) -> Result<Vec<Crowd<'a>>> {
    let mut done = Vec::new();
    let mut round = clusters;
    for _ in 0..ROUNDS {
        let mut next = Vec::new();
        for cluster in round {
            if cluster.weight() < 2 * r || cluster.len() < 2 {
                done.push(cluster);
                continue;
            }
            let reaches = cluster.reaches(r, progress)?;
            let inside = cover::gather(cluster.clone(), r, &reaches, progress)?;
            match inside.clusters.len() > 1 && inside.radius <= bound {
                true => next.extend(inside.clusters),
                false => done.push(cluster),
            }
        }
        round = next;
        progress.reach(done.iter().map(Crowd::weight).sum())?;
    }
    done.extend(round);
    Ok(done)
}

#[cfg(test)]
mod tests;
