//! Never Walk Alone: cut tracks to common intervals, group those that are near, and move each
//! group together.

use sfumato_core::facts::Fact;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use super::cluster::cluster;
use super::distance::Distance;
use super::intervals::cut_for;
use super::{MovedTracks, MovingAlgorithm, MovingTask, PI, together};

/// How often the radius is made larger before the run gives up.
const RESTARTS: usize = 100;
/// By how much the radius grows.
const GROWTH: f64 = 1.5;

/// The algorithm.
pub struct NeverWalkAlone;

static INFO: Info = Info {
    name: "never-walk-alone",
    summary: "cut tracks to common intervals, group each with the k - 1 nearest, and move the \
              groups into a tube of width delta",
    papers: &[
        Paper {
            authors: "O. Abul, F. Bonchi, M. Nanni",
            title: "Never walk alone: uncertainty for anonymity in moving objects databases",
            venue: "ICDE",
            year: 2008,
        },
        Paper {
            authors: "O. Abul, F. Bonchi, M. Nanni",
            title: "Anonymization of moving objects databases by clustering and perturbation",
            venue: "Information Systems",
            year: 2010,
        },
    ],
    params: &[
        PI,
        ParamSpec::with_default(
            "distance",
            ParamKind::Choice(&Distance::NAMES),
            "euclid",
            "how far apart tracks are: the mean of the distances at each tick (euclid), or the \
             share of positions that don't match within delta, times delta (edr)",
        ),
        ParamSpec::optional(
            "radius",
            ParamKind::Number { min: 0.0, above: true, max: 1e12 },
            "how far a track of a group may be from the first, to begin with; delta if not said",
        ),
    ],
    doc: "\
Three phases. Tracks begin and end at every `pi`-th tick only, and what is outside is cut off; \
intervals that fewer than k tracks have are left out. Within an interval the track that is \
farthest from the centre begins a group with the k - 1 nearest, then the one that is farthest from \
the one before, and so on, if none of them is further than a radius; those that are left join the \
nearest group within the radius, or are left out. Where more would be left out than may be, the \
radius grows by half and the grouping begins again. Last, at each tick positions are moved towards \
the centre of their group as far as needed, to half of delta from it.

How many tracks may be left out is said with `--max-suppression`; 10% if nothing is said.

Time grows with the square of the number of tracks of one interval.
",
    capabilities: Capabilities {
        serves: &[Fact::Tracks],
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl MovingAlgorithm for NeverWalkAlone {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &MovingTask<'_>) -> Result<MovedTracks> {
        task.observer.begin("anonymize", 0, Unit::Rows);
        let pi = params.optional_integer("pi").map(i64::unsigned_abs);
        let cut = cut_for(task, pi)?;
        let delta = task.asked.delta;
        let distance = match params.text("distance") {
            Some("edr") => Distance::Edr(delta.max(f64::MIN_POSITIVE)),
            _ => Distance::Euclid,
        };
        let mut radius = params.optional_number("radius").unwrap_or(delta).max(1e-6);
        for _ in 0..RESTARTS {
            let mut groups = Vec::new();
            let mut outliers = 0;
            for class in &cut.classes {
                let found = cluster(task, &cut.parts, class, distance, radius)?;
                outliers += found.outliers.len();
                groups.extend(found.groups);
            }
            if cut.lost + outliers <= task.trash {
                task.observer.end();
                return together(task, &cut.parts, groups, delta, (cut.pi, Some(radius)));
            }
            radius *= GROWTH;
        }
        Err(Error::infeasible(format!(
            "more than {} tracks would be left out, however far apart those of a group may be",
            task.trash
        ))
        .hint("allow more with --max-suppression, or ask for a smaller k"))
    }
}
