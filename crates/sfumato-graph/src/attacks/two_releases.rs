//! Two releases: who knows a person at two times looks for nodes that fit in both releases of a
//! graph that changed between them.

use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::seed_propagation::propagate;
use super::structure::side_by_side;
use super::{GRAPHS, GraphStage};
use crate::data::{Graph, refined};
use crate::models::candidates::HAY;

/// The attack `two-releases`, an entry of the registry.
pub struct TwoReleases;

static INFO: Info = Info {
    name: "two-releases",
    summary: "joins two releases of a graph that changed, and looks for nodes that fit in both",
    papers: &[HAY],
    params: &[ParamSpec::with_default(
        "eccentricity",
        ParamKind::Number { min: 0.0, above: false, max: 100.0 },
        "0.5",
        "how far a match between the releases must stand out, as of `seed-propagation`",
    )],
    doc: "`--other RELEASE` is a later release of the same people, with numbers of its own. First \
          the attacker joins the two, without any knowledge of people: nodes whose answer to H_3 \
          is unique in both releases and the same are taken to be the same person, and from these \
          on matches are propagated as in `seed-propagation`. Then the attacker knows of a person \
          how many neighbours they have in each release. Candidates are the nodes with that degree \
          in the first release whose match has the other degree in the second; nodes without a \
          match stay candidates. Somebody who knows a person well enough to know both degrees of \
          the published graphs is the strongest such attacker.\n\n\
          The baseline is the rate of the same attacker with one release. Nodes that came later \
          are in the second release alone: the numbers of nodes may differ. Which node of the \
          second release is whose is told by `--other-mapping FILE`, as --save-mapping \
          wrote it.",
    ..Info::DEFAULT
};

const NOBODY: u32 = u32::MAX;

/// The node of the second release that each node of the first is taken to be, or nobody.
pub fn join(first: &Graph, second: &Graph, eccentricity: f64) -> Vec<u32> {
    let alike = refined(&side_by_side(first, second), None, 3);
    let (of_first, of_second) = alike.class_of.split_at(first.n());
    let mut only: Vec<[u32; 2]> = vec![[0, 0]; alike.sizes.len()];
    let mut last: Vec<[u32; 2]> = vec![[NOBODY, NOBODY]; alike.sizes.len()];
    for (place, classes) in [of_first, of_second].into_iter().enumerate() {
        for (node, class) in (0u32..).zip(classes) {
            only[*class as usize][place] += 1;
            last[*class as usize][place] = node;
        }
    }
    let is_seed = |class: &usize| only[*class] == [1, 1];
    let seeds: Vec<(u32, u32)> =
        (0..alike.sizes.len()).filter(is_seed).map(|class| last[class].into()).collect();
    propagate(first, second, &seeds, eccentricity)
}

impl Attack<GraphStage> for TwoReleases {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn lacks(&self, _: &Params, stage: &GraphStage) -> Option<String> {
        match &stage.other {
            None => Some("a later release of the same people (--other RELEASE)".into()),
            Some(other) if other.mapping.is_none() => Some(
                "the file that says which node became which in the other release \
                 (--other-mapping FILE)"
                    .into(),
            ),
            Some(_) => stage.lacks_mapping(),
        }
    }
    fn play(&self, params: &Params, stage: &GraphStage, _: &mut Chance) -> Result<Outcome> {
        let other = stage.other.as_ref();
        let Some((second, later)) = other.and_then(|o| Some((&o.release, o.mapping.as_ref()?)))
        else {
            return Ok(Outcome::default());
        };
        let first = &stage.release;
        let mapping = stage.mapping.as_deref().unwrap_or_default();
        let joined = join(first, second, params.number("eccentricity"));
        // How many nodes of the first release have a degree, and their match another.
        let matched_degree = |node: u32| match joined[node as usize] {
            NOBODY => None,
            matched => Some(second.degree(matched)),
        };
        let mut same: FastMap<u32, u32> = FastMap::default();
        let mut both: FastMap<(u32, Option<u32>), u32> = FastMap::default();
        for node in first.nodes() {
            *same.entry(first.degree(node)).or_insert(0) += 1;
            *both.entry((first.degree(node), matched_degree(node))).or_insert(0) += 1;
        }
        let (mut chances, mut alone) = (Vec::new(), 0.0);
        let mut right = 0u64;
        for (person, node) in mapping.iter().enumerate() {
            // Who left before the second release is looked for in the first alone.
            let image = later.get(person).copied().flatten();
            let (now, then) = (first.degree(*node), image.map(|image| second.degree(image)));
            let with = |matched: Option<u32>| both.get(&(now, matched)).copied().unwrap_or(0);
            let candidates = match then {
                None => same[&now],
                Some(_) => with(None) + with(then),
            };
            let fits =
                matched_degree(*node).is_none_or(|found| then.is_none_or(|then| found == then));
            alone += 1.0 / f64::from(same[&now]);
            chances.push(if fits { 1.0 / f64::from(candidates) } else { 0.0 });
            right += u64::from(image.is_some_and(|image| joined[*node as usize] == image));
        }
        let matched = joined.iter().filter(|matched| **matched != NOBODY).count();
        let mut outcome = Outcome::of_everybody(&chances, alone / mapping.len().max(1) as f64);
        outcome.remarks.push(format!(
            "{matched} nodes of the two releases were matched, {right} of them rightly"
        ));
        Ok(outcome)
    }
}
