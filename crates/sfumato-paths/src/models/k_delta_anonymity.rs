//! (k,delta)-anonymity of tracks: everybody moves with at least k - 1 others, never further apart
//! than delta.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Facts, cannot_state};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};

use super::{PathModel, PathRequirement};

/// The model.
pub struct KDeltaAnonymity;

static INFO: Info = Info {
    name: "k-delta-anonymity",
    summary: "every published track is one of at least k that are published for the same times \
              and are never further apart from each other than delta",
    papers: &[
        Paper {
            authors: "O. Abul, F. Bonchi, M. Nanni",
            title: "Never walk alone: uncertainty for anonymity in moving objects databases",
            venue: "ICDE",
            year: 2008,
        },
        Paper {
            authors: "R. Trujillo-Rasua, J. Domingo-Ferrer",
            title: "On the privacy offered by (k,delta)-anonymity",
            venue: "Information Systems",
            year: 2013,
        },
    ],
    params: &[
        ParamSpec::required(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of tracks that move together",
        ),
        ParamSpec::required(
            "delta",
            ParamKind::Number { min: 0.0, above: false, max: 1e9 },
            "how far apart they may be at any time: metres, or the unit of x",
        ),
    ],
    doc: "\
## What it promises

Every track of the release is in a group of at least `k` tracks that begin and end at the same \
time and of which no two are ever further apart than `delta`. If positions are only known up to \
`delta`, as with a GPS device of that precision, each track of the group may be each other's.

## Against whom it does not hold

Trujillo-Rasua and Domingo-Ferrer (2013) showed that the promise is weaker than it looks. A track \
is moved no more than needed, so that a published track is usually the nearest to its own \
original: an attacker who knows some positions of somebody with a precision better than `delta` \
takes the nearest published track, and is right far more often than one time in k. Only with \
`delta=0`, where all tracks of a group are published alike, does k mean that k can't be told \
apart. Play the attack with `sfumato attack` before you rely on a `delta` above 0.

Positions are changed: what is published isn't where anybody was. Nothing is said of columns \
beside the track, which are left out.

## Checking

In the written file alone. Distances in degrees are measured on a sphere with the largest radius \
of curvature of the earth, so that no other formula finds more than `delta`; distances are \
compared with a tolerance of one part in a billion. Which tracks are together is told by no \
column: groups are searched, exactly, and an audit that would have to try too many says so instead \
of judging.
",
    about: About { asks: &[Fact::Tracks], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

/// What is asked of tracks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AskedTracks {
    /// How many move together.
    pub k: u64,
    /// How far apart they may be.
    pub delta: f64,
}

struct Requirement {
    asked: AskedTracks,
    text: String,
}

impl PathModel for KDeltaAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn PathRequirement>> {
        let asked = AskedTracks { k: params.count("k"), delta: params.number("delta") };
        Ok(Box::new(Requirement { asked, text: params.describe() }))
    }
}

impl PathRequirement for Requirement {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn words(&self) -> String {
        let AskedTracks { k, delta } = self.asked;
        format!("at least {k} tracks together, never further apart than {delta}")
    }
    fn tracks(&self) -> Option<AskedTracks> {
        Some(self.asked)
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let tracks = facts
            .tracks()
            .ok_or_else(|| cannot_state(INFO.name, Fact::Tracks.describe(), facts))?;
        let found = tracks.together(self.asked.k, self.asked.delta)?;
        let promise = (INFO.name, self.describe());
        Ok(vec![Guarantee::at_least(promise, ("k", "track"), self.asked.k, found)])
    }
}
