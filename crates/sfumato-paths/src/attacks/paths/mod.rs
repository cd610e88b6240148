//! Attacks on published paths: whoever knows some steps of somebody looks for their path.

mod stage;

pub use stage::{Knowledge, OtherPaths, PathStage};

use sfumato_core::registry::{ParamKind, ParamSpec};
use sfumato_core::sequences::Knows;
use sfumato_engine::attack::Attack;

sfumato_core::registry! {
    /// Every attack on published paths.
    dyn Attack<PathStage>:
    known_points::KnownPoints,
    unicity::Unicity,
    attribute_linkage::AttributeLinkage,
    top_places::TopPlaces,
    two_releases::TwoReleases,
}

/// How many steps are known.
const POINTS: ParamSpec = ParamSpec::with_default(
    "points",
    ParamKind::Integer { min: 1, max: 1_000_000 },
    "4",
    "how many steps of somebody's path the attacker knows, drawn at random; all of a shorter path",
);
/// What is known of a step.
const KNOWS: ParamSpec = ParamSpec::with_default(
    "knows",
    ParamKind::Choice(&Knows::NAMES),
    "points",
    "what is known of a step: place and time, the place, or the time",
);
/// Whether the order is known.
const ORDERED: ParamSpec = ParamSpec::with_default(
    "ordered",
    ParamKind::Flag,
    "true",
    "whether the attacker knows in which order steps were",
);
/// Whether what stands beside a path is known.
const BESIDE: ParamSpec = ParamSpec::with_default(
    "beside",
    ParamKind::Flag,
    "true",
    "whether the attacker knows the columns beside the path that are named with --qi",
);
/// How many people are asked about.
const PEOPLE: ParamSpec = ParamSpec::with_default(
    "people",
    ParamKind::Integer { min: 1, max: 1_000_000_000 },
    "1000",
    "how many people are asked about, drawn at random; everybody if there are no more",
);
