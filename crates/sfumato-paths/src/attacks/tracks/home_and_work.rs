//! Home and work: whoever knows where somebody lives and works looks for the published track that
//! stays at both.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TrackStage;
use super::assignment::MOST;
use super::nearest_track::own_tracks;
use crate::data::plane::{Plane, Position};
use crate::data::stays::{Stays, anchors};

/// The attack.
pub struct HomeAndWork;

static INFO: Info = Info {
    name: "home-and-work",
    summary: "guesses which published track is that of a person whose home and work are known, by \
              where tracks stay",
    papers: &[
        Paper {
            authors: "P. Golle, K. Partridge",
            title: "On the anonymity of home/work location pairs",
            venue: "Pervasive Computing",
            year: 2009,
        },
        Paper {
            authors: "Q. Li, Y. Zheng, X. Xie, Y. Chen, W. Liu, W.-Y. Ma",
            title: "Mining user similarity based on location history",
            venue: "GIS",
            year: 2008,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "radius",
            ParamKind::Number { min: 0.0, above: true, max: 1e7 },
            "200",
            "how far somebody moves at most while they stay at a place, and how near two places \
             must be to be the same: metres, or the unit of x",
        ),
        ParamSpec::with_default(
            "stay",
            ParamKind::Number { min: 0.0, above: true, max: 1e9 },
            "1200",
            "how long somebody must be there, in seconds or in the unit of times",
        ),
        ParamSpec::with_default(
            "people",
            ParamKind::Integer { min: 1, max: 1_000_000_000 },
            "1000",
            "how many tracks are asked about, drawn at random; all if there are no more",
        ),
    ],
    doc: "\
A stay is a part of a track that is `stay` long and never leaves a circle of `radius` around where \
it began. Stays near each other are one place; the two at which a track stays longest are taken \
for \
home and work, whichever is which. The attacker knows those of a person from the original, and \
takes \
one at random of the published tracks whose own two are within `radius` of them. A track that \
stays \
nowhere is guessed like by an attacker without the release. Which published track is whose is \
judged \
as by `nearest-track`.
",
    ..Info::DEFAULT
};

impl Attack<TrackStage> for HomeAndWork {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["moved"]
    }
    fn lacks(&self, _: &Params, stage: &TrackStage) -> Option<String> {
        let is_small = stage.original.len() <= MOST;
        (!is_small).then(|| format!("at most {MOST} tracks: the judge compares each with each"))
    }
    fn play(&self, params: &Params, stage: &TrackStage, chance: &mut Chance) -> Result<Outcome> {
        let stays = Stays {
            plane: stage.plane,
            radius: params.number("radius"),
            long: params.number("stay"),
        };
        let n = usize::try_from(params.count("people")).unwrap_or(usize::MAX);
        let everybody = stage.original.len() <= n;
        let people = chance.sample(n, stage.original.len());
        let published: Vec<Vec<Position>> =
            stage.published.par_iter().map(|track| anchors(&stays, track, 2)).collect();
        let own_of = own_tracks(stage);
        let baseline = 1.0 / stage.published.len().max(1) as f64;
        let guess = |person: &u32| -> (f64, bool) {
            let known = anchors(&stays, &stage.original[*person as usize], 2);
            if known.is_empty() {
                return (baseline, false);
            }
            let found: Vec<u32> = (0..)
                .zip(&published)
                .filter(|(_, places)| is_same(stage.plane, &known, places, stays.radius))
                .map(|(track, _)| track)
                .collect();
            let own = own_of[*person as usize];
            match own.is_some_and(|own| found.contains(&own)) {
                true => (1.0 / found.len() as f64, true),
                false => (0.0, true),
            }
        };
        let guesses: Vec<(f64, bool)> = people.par_iter().map(guess).collect();
        let mut score = Score::default();
        guesses.iter().for_each(|(right, _)| score.add(*right));
        let worst = people
            .iter()
            .zip(&guesses)
            .map(|(person, (right, _))| Worst { record: u64::from(*person) + 1, chance: *right });
        let mut outcome = Outcome {
            score,
            baseline,
            everybody,
            worst: Outcome::worst_of(worst),
            ..Outcome::default()
        };
        let nowhere = guesses.iter().filter(|(_, stays)| !stays).count();
        if nowhere > 0 {
            outcome.remarks.push(format!("{nowhere} tracks stay nowhere long enough"));
        }
        Ok(outcome)
    }
}

/// Whether every place of one track is near a different one of the other.
fn is_same(plane: Plane, known: &[Position], found: &[Position], radius: f64) -> bool {
    let is_near = |a: usize, b: usize| plane.distance(known[a], found[b]) <= radius;
    match (known.len(), found.len()) {
        (1, 1) => is_near(0, 0),
        (2, 2) => (is_near(0, 0) && is_near(1, 1)) || (is_near(0, 1) && is_near(1, 0)),
        _ => false,
    }
}
