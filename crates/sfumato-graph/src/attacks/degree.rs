//! Degree: who knows about how many neighbours a person has looks for nodes with as many.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::{GRAPHS, GraphStage};

/// The attack `degree`, an entry of the registry.
pub struct Degree;

static INFO: Info = Info {
    name: "degree",
    summary: "looks for a person by about how many neighbours they have",
    papers: &[Paper {
        authors: "Kun Liu, Evimaria Terzi",
        title: "Towards identity anonymization on graphs",
        venue: "SIGMOD",
        year: 2008,
    }],
    params: &[ParamSpec::with_default(
        "tolerance",
        ParamKind::Integer { min: 0, max: 1_000_000 },
        "0",
        "by how many the degree in the release may differ from what is known",
    )],
    doc: "The attacker knows how many neighbours each person has in the original, and guesses \
          among \
          the nodes of the release whose degree differs by at most `tolerance`. Everybody is asked \
          about. A release whose edges were changed may leave the person out of the candidates: \
          then the attacker is wrong. Without `--mapping` nobody knows that, and the person is \
          taken to be among them.",
    ..Info::DEFAULT
};

impl Attack<GraphStage> for Degree {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn play(&self, params: &Params, stage: &GraphStage, _: &mut Chance) -> Result<Outcome> {
        let tolerance = params.count("tolerance");
        let mut sorted: Vec<u64> =
            stage.release.nodes().map(|node| u64::from(stage.release.degree(node))).collect();
        sorted.sort_unstable();
        let chances: Vec<f64> = stage
            .original
            .nodes()
            .map(|node| {
                let degree = u64::from(stage.original.degree(node));
                let (least, most) = (degree.saturating_sub(tolerance), degree + tolerance);
                let from = sorted.partition_point(|other| *other < least);
                let to = sorted.partition_point(|other| *other <= most);
                let is_there = match &stage.mapping {
                    None => to > from,
                    Some(mapping) => {
                        let found = stage.release.degree(mapping[node as usize]);
                        (least..=most).contains(&u64::from(found))
                    }
                };
                if is_there { 1.0 / (to - from) as f64 } else { 0.0 }
            })
            .collect();
        let mut outcome = Outcome::of_everybody(&chances, stage.baseline());
        stage.remark(&mut outcome);
        Ok(outcome)
    }
}
