//! SPALM: the best full-domain recoding of those that hide who of a population is in the data.

use std::collections::BTreeSet;

use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::population::{Among, Population};
use sfumato_core::recoding::{Cut, Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{FastMap, Result};

use super::lattice::{Lattice, Node};
use crate::algorithms::shared::among::{
    check_columns, holds_among, infeasible as too_few, population_of, says_anything,
};
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;

/// The algorithm `spalm`, an entry of the registry.
pub struct Spalm;

/// The largest number of nodes.
const MOST_NODES: u128 = 5_000_000;

static INFO: Info = Info {
    name: "spalm",
    summary: "one level per column; from the top down, the best that hides who of a population is \
        in the data",
    papers: &[Paper {
        authors: "M. E. Nergiz, M. Atzori, C. Clifton",
        title: "Hiding the presence of individuals from shared databases",
        venue: "SIGMOD",
        year: 2007,
    }],
    params: &[],
    doc: "\
Full-domain recoding of data together with the table of a population (`--population-table`), for \
`delta-presence` and `k-map`. It begins with
everything generalized and looks at ever more specific nodes of the lattice, one column a level \
down at a time. Delta-presence is anti-monotone: if a
node breaks it, all more specific ones do, so these are never looked at. Of all nodes that may be \
published the one that costs least under
`--metric` is taken: it is the best of its kind.

Models about classes may be asked besides. Those that a union can break don't rule nodes out: \
then every node below one that hides presence is looked at.

**Cost** at most one look per node, over the different quasi tuples of population and data. A \
lattice of more than 5 million nodes is refused.

**Limits** No record is suppressed. Without a population table the people of the data are the \
population.

**Deviations** The book gives the scheme (from the top down, full-domain, optimal, pruned by \
anti-monotonicity) and not the steps, which are ours: nodes are visited height by height, and the \
quasi tuples of people are counted once.
",
    capabilities: Capabilities {
        serves: &[
            Fact::Classes,
            Fact::SensitiveValues,
            Fact::Projections,
            Fact::Hiding(Hiding::Matches),
            Fact::Population,
        ],
        ignores: &["max_suppression"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for Spalm {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        check_columns(task, INFO.name)?;
        let task = &Task { max_suppressed: 0, ..*task };
        let lattice = Lattice::new(task, INFO.name)?;
        lattice.require_at_most(lattice.n_nodes(), MOST_NODES, "the nodes", INFO.name)?;
        if task.table.n_rows == 0 {
            return Ok(Box::new(lattice.publish(&lattice.bottom(), Vec::new())?));
        }
        let mut progress = Progress::begin(task);
        let (best, present) = search(task, &lattice, &mut progress)?;
        progress.reach(task.table.n_rows)?;
        let findings = vec![Finding { name: "nodes_that_hide_presence", value: present as f64 }];
        Ok(Box::new(lattice.publish(&best, findings)?))
    }
}

/// The node that costs least of those that may be published, and how many hide presence.
fn search(
    task: &Task<'_>,
    lattice: &Lattice<'_>,
    progress: &mut Progress<'_>,
) -> Result<(Node, u64)> {
    let tuples = Tuples::new(task, &population_of(task));
    let prunes = lattice.is_monotone();
    let (mut best, mut present): (Option<(f64, Node)>, u64) = (None, 0);
    let mut height: BTreeSet<Node> = BTreeSet::from([lattice.top()]);
    while !height.is_empty() {
        let mut below: BTreeSet<Node> = BTreeSet::new();
        let mut failing: Vec<Node> = Vec::new();
        for node in height {
            progress.reach(0)?;
            if !tuples.hold(task, &lattice.cuts(&node)) {
                if node == lattice.top() {
                    return Err(too_few(task.requirements, tuples.whole()));
                }
                failing.push(node);
                continue;
            }
            present += 1;
            let outcome = lattice.look(&node);
            let is_better = |cost: f64, (least, _): &(f64, Node)| cost < *least;
            if outcome.feasible && best.as_ref().is_none_or(|best| is_better(outcome.cost, best)) {
                best = Some((outcome.cost, node.clone()));
            }
            if !outcome.feasible && prunes {
                failing.push(node);
                continue;
            }
            for column in (0..node.len()).filter(|column| node[*column] > 0) {
                let mut lower = node.clone();
                lower[column] -= 1;
                below.insert(lower);
            }
        }
        // What fails rules out whatever is below it, also where another way leads there.
        let is_below = |node: &Node, above: &Node| node.iter().zip(above).all(|(a, b)| a <= b);
        below.retain(|node| !failing.iter().any(|above| is_below(node, above)));
        height = below;
    }
    match best {
        Some((_, node)) => Ok((node, present)),
        None => Err(infeasible(task)),
    }
}

/// The different quasi tuples of the people of a population and of the data, with how many there
/// are of each.
struct Tuples {
    keys: Vec<Vec<u32>>,
    counts: Vec<Among>,
}

impl Tuples {
    fn new(task: &Task<'_>, population: &Population) -> Self {
        let quasi = task.table.quasi();
        let mut place: FastMap<Vec<u32>, usize> = FastMap::default();
        let mut tuples = Tuples { keys: Vec::new(), counts: Vec::new() };
        let mut add = |key: Vec<u32>, more: Among| {
            let next = tuples.keys.len();
            let at = *place.entry_ref(&key).or_insert(next);
            if at == next {
                tuples.keys.push(key);
                tuples.counts.push(Among::default());
            }
            tuples.counts[at].rows += more.rows;
            tuples.counts[at].people += more.people;
        };
        for row in 0..task.table.n_rows {
            let key = quasi.iter().map(|column| column.codes.get(row)).collect();
            add(key, Among { rows: 1, people: 0 });
        }
        for person in 0..population.n {
            let key = population.codes.iter().map(|codes| codes.get(person)).collect();
            add(key, Among { rows: 0, people: 1 });
        }
        tuples
    }

    fn whole(&self) -> Among {
        let sum =
            |a: Among, b: &Among| Among { rows: a.rows + b.rows, people: a.people + b.people };
        self.counts.iter().fold(Among::default(), sum)
    }

    /// Whether all classes of a node may be about their people.
    fn hold(&self, task: &Task<'_>, cuts: &[Cut]) -> bool {
        let of_code: Vec<Vec<u32>> = task
            .table
            .quasi()
            .iter()
            .zip(cuts)
            .map(|(column, cut)| {
                let mut of_code = cut.of_code().to_vec();
                // Where `*` is published, it may be about those who have no value, too.
                let missing = column.domain.missing();
                let star = (0..missing).find(|code| says_anything(cut.value(*code), column));
                if let Some(code) = star {
                    of_code[missing as usize] = of_code[code as usize];
                }
                of_code
            })
            .collect();
        let mut classes: FastMap<Vec<u32>, Among> = FastMap::default();
        for (key, count) in self.keys.iter().zip(&self.counts) {
            let value = |(code, of_code): (&u32, &Vec<u32>)| of_code[*code as usize];
            let class = classes.entry(key.iter().zip(&of_code).map(value).collect()).or_default();
            class.rows += count.rows;
            class.people += count.people;
        }
        classes.values().all(|among| holds_among(task.requirements, *among))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sfumato_core::column::Codes;
    use sfumato_core::traits::Requirements;

    use super::*;
    use crate::algorithms::global::levels::lattice::nodes_of_height;
    use crate::algorithms::shared::testing::Numbers;
    use crate::forms::generalized::make_plan::{bind_models, bind_table};

    /// Whether a node hides presence, person by person.
    fn hides(
        task: &Task<'_>,
        population: &Population,
        cuts: &[Cut],
        (min, max): (f64, f64),
    ) -> bool {
        let quasi = task.table.quasi();
        let same = |a: &dyn Fn(usize) -> u32, b: &dyn Fn(usize) -> u32| {
            (0..cuts.len()).all(|at| cuts[at].value(a(at)) == cuts[at].value(b(at)))
        };
        (0..population.n).all(|person| {
            let own = |at: usize| population.codes[at].get(person);
            let rows =
                (0..task.table.n_rows).filter(|row| same(&own, &|at| quasi[at].codes.get(*row)));
            let others = (0..population.n)
                .filter(|other| same(&own, &|at| population.codes[at].get(*other)));
            let chance = rows.count() as f64 / others.count() as f64;
            (min - 1e-9..=max + 1e-9).contains(&chance)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn of_all_nodes_that_hide_presence_it_takes_the_best(
            people in prop::collection::vec(
                (prop::array::uniform2(0u32..12), any::<bool>()), 6..40),
            (min, max) in (0u32..5, 5u32..10),
        ) {
            let inside: Vec<&[u32; 2]> =
                people.iter().filter(|(_, is_in)| *is_in).map(|(codes, _)| codes).collect();
            prop_assume!(!inside.is_empty());
            let column = |at: usize| inside.iter().map(|codes| codes[at]).collect::<Vec<u32>>();
            let (first, second) = (column(0), column(1));
            let of_people = |at: usize| {
                Codes::from_iter(102, people.iter().map(|(codes, _)| codes[at]))
            };
            let codes = vec![of_people(0), of_people(1)];
            let population = Population { n: people.len(), codes };
            let (min, max) = (f64::from(min) / 10.0, f64::from(max) / 10.0);
            Numbers::new(&[&first, &second]).with(1, 0, |task, _, _, progress| {
                let model = [format!("delta-presence(min={min}, max={max})")];
                let requirements: Requirements =
                    bind_models(&model, &bind_table(task.table)).expect("a model");
                let task =
                    &Task { population: Some(&population), requirements: &requirements, ..*task };
                let lattice = Lattice::new(task, "test").expect("numbers have levels");
                let height: usize = lattice.top().iter().map(|level| usize::from(*level)).sum();
                let n_levels = lattice.n_levels();
                let all = (0..=height).flat_map(|height| nodes_of_height(&n_levels, height));
                let costs = all
                    .filter(|node| hides(task, &population, &lattice.cuts(node), (min, max)))
                    .map(|node| lattice.look(&node).cost);
                let costs: Vec<f64> = costs.collect();
                match search(task, &lattice, progress) {
                    Ok((node, present)) => {
                        let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
                        prop_assert_eq!(lattice.look(&node).cost, best);
                        prop_assert_eq!(present as usize, costs.len());
                    }
                    Err(_) => prop_assert!(costs.is_empty()),
                }
                Ok(())
            })?;
        }
    }
}
