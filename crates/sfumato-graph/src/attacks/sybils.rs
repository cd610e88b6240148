//! Sybils: accounts that somebody planted before the release find themselves in it, and then the
//! people whom they were joined to.

use sfumato_core::Result;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::colluders::BACKSTROM;
use super::search::Pattern;
use super::{GRAPHS, GraphStage};
use crate::data::{Edge, Graph, edge};

/// The attack `sybils`, an entry of the registry.
pub struct Sybils;

static INFO: Info = Info {
    name: "sybils",
    summary: "planted accounts find themselves in the release, and then their targets",
    papers: &[BACKSTROM],
    params: &[
        ParamSpec::with_default(
            "prefix",
            ParamKind::Text,
            "sybil",
            "how the names of planted accounts begin in the original",
        ),
        ParamSpec::with_default(
            "tolerance",
            ParamKind::Integer { min: 0, max: 1_000 },
            "0",
            "by how many the degrees of accounts may differ",
        ),
    ],
    doc: "The accounts must have been planted in the original before the release was made: nodes \
          whose names begin with `prefix`, in the order of their names, joined to each other by \
          chance, and each target to a set of accounts of its own. After the release the attacker \
          looks for all places where the accounts may lie, by their degrees and the edges between \
          them (up to 20, given up after 200,000 steps), and for each target for the nodes that \
          are joined to exactly the images of its accounts. Targets are everybody whom accounts \
          are joined to. The chance is that of guessing right among the nodes that fit.\n\n\
          `sfumato reproduce fung ch15` plants accounts in a graph and attacks releases of it.",
    ..Info::DEFAULT
};

/// How many places are looked at.
const PLACES: usize = 20;

/// Accounts that are planted, and whom they are joined to.
pub struct Planted {
    /// The graph with the accounts, whose numbers follow those of all others.
    pub graph: Graph,
    /// The accounts, each joined to the next.
    pub accounts: Vec<u32>,
}

/// Plant accounts in a graph: neighbours in their order are joined, other pairs with a chance of
/// one half, and each target is joined to a set of accounts of its own, of at least two.
pub fn plant(graph: &Graph, accounts: usize, targets: &[u32], chance: &mut Chance) -> Planted {
    let n = graph.n() as u32;
    let planted: Vec<u32> = (n..n + accounts as u32).collect();
    let mut edges: Vec<Edge> = graph.edges().collect();
    for (place, account) in planted.iter().enumerate() {
        for (other_place, other) in planted[..place].iter().enumerate() {
            if other_place + 1 == place || chance.below(2) == 0 {
                edges.push(edge(*other, *account));
            }
        }
    }
    let mut taken: Vec<Vec<u32>> = Vec::new();
    for target in targets {
        // Sets of few accounts run out only where there are more targets than sets.
        let set = loop {
            let size = 2 + chance.below(2);
            let set: Vec<u32> =
                chance.sample(size, accounts).iter().map(|place| n + place).collect();
            if !taken.contains(&set) || taken.len() > accounts * accounts {
                break set;
            }
        };
        edges.extend(set.iter().map(|account| edge(*target, *account)));
        taken.push(set);
    }
    Planted { graph: Graph::new(n as usize + accounts, &edges).0, accounts: planted }
}

/// How likely planted accounts find each of their targets in a release, and in how many places they
/// may lie; `None` if the search was given up.
pub fn find_targets(
    original: &Graph,
    accounts: &[u32],
    release: (&Graph, &[u32]),
    tolerance: u32,
) -> (Vec<f64>, Option<usize>) {
    let (release, mapping) = release;
    let mut targets: Vec<u32> = accounts
        .iter()
        .flat_map(|account| original.neighbours(*account).iter().copied())
        .filter(|node| !accounts.contains(node))
        .collect();
    targets.sort_unstable();
    targets.dedup();
    let Some(places) = Pattern::of(original, accounts).find(release, tolerance, PLACES) else {
        return (vec![0.0; targets.len()], None);
    };
    let chance = |target: &u32| {
        let knows: Vec<bool> =
            accounts.iter().map(|account| original.has(*account, *target)).collect();
        let of_place = |images: &Vec<u32>| {
            let first = knows.iter().position(|knows| *knows).map(|place| images[place]);
            let fits = |node: &u32| {
                let mut all = images.iter().zip(&knows);
                !images.contains(node)
                    && all.all(|(image, knows)| release.has(*image, *node) == *knows)
            };
            let around = first.into_iter().flat_map(|image| release.neighbours(image));
            let candidates: Vec<u32> = around.copied().filter(fits).collect();
            match candidates.contains(&mapping[*target as usize]) {
                true => 1.0 / candidates.len() as f64,
                false => 0.0,
            }
        };
        let sum: f64 = places.iter().map(of_place).sum();
        if places.is_empty() { 0.0 } else { sum / places.len() as f64 }
    };
    (targets.iter().map(chance).collect(), Some(places.len()))
}

impl Sybils {
    fn accounts(params: &Params, stage: &GraphStage) -> Vec<u32> {
        let prefix = params.text("prefix").unwrap_or_default();
        let mut named: Vec<(String, u32)> = stage
            .original
            .nodes()
            .filter_map(|node| Some((stage.names.get(node)?, node)))
            .filter(|(name, _)| name.starts_with(prefix))
            .collect();
        named.sort_unstable();
        named.into_iter().map(|(_, node)| node).collect()
    }
}

impl Attack<GraphStage> for Sybils {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn lacks(&self, params: &Params, stage: &GraphStage) -> Option<String> {
        match Sybils::accounts(params, stage).len() {
            0 | 1 => Some(format!(
                "accounts that were planted before the release: nodes of the original whose names \
                 begin with '{}'",
                params.text("prefix").unwrap_or_default()
            )),
            _ => stage.lacks_mapping(),
        }
    }
    fn play(&self, params: &Params, stage: &GraphStage, _: &mut Chance) -> Result<Outcome> {
        let accounts = Sybils::accounts(params, stage);
        let mapping = stage.mapping.as_deref().unwrap_or_default();
        let tolerance = params.count("tolerance") as u32;
        let release = (&stage.release, mapping);
        let (chances, places) = find_targets(&stage.original, &accounts, release, tolerance);
        let remark = match places {
            None => "the search for the accounts was given up".into(),
            Some(places) => format!("{places} places were found where the accounts may lie"),
        };
        Ok(Outcome {
            score: Score::new(chances.iter().sum(), chances.len() as u64),
            baseline: stage.baseline(),
            everybody: true,
            remarks: vec![remark],
            ..Outcome::default()
        })
    }
}
