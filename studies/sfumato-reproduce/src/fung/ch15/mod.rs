//! Chapter 15: what edges changed at random cost beside edges that are chosen, what more privacy
//! costs, and what planted accounts find.

mod measure;

use sfumato_core::Result;
use sfumato_engine::attack::Chance;
use sfumato_graph::attacks::sybils::{find_targets, plant};
use sfumato_graph::data::Graph;

use self::measure::{Shape, attacked, clustered, edited, randomized, read_graph};
use crate::claims::{Claim, Gauge, Measured, Nulls, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Cell, FigureResult, Number, Plot, Table};

/// The chapter.
pub struct Ch15;

const FILE: &str = "graph/ca-GrQc.txt.gz";

static INFO: FigureInfo = FigureInfo {
    name: "ch15",
    caption: "graphs: what edges changed at random cost, what k costs, what planted accounts find",
    paper: "Section 15.3.4: edges deleted and inserted at random resist attackers who know degrees \
        (H1), but utility degrades steeply; switches that keep the spectrum keep more utility. The \
        chapter has no number. Cost: the mean of the \
        relative changes of five figures: clustering coefficient, mean path length, largest and \
        second eigenvalue, share of nodes in the largest component.",
    data: "ca-GrQc, the co-authors of general relativity (5,242 nodes, 14,484 edges), for the \
        chapter's Hep-Th, which can't be had in its form.",
    files: &[FILE],
};

/// The shares of edges that are changed at random, in percent.
const SHARES: [u32; 6] = [1, 2, 5, 10, 20, 50];

const RESIST: Statement = Statement::new(
    Origin::Line(6091),
    "edges deleted and inserted at random can resist H1 (here: a tenth changed halves what is \
        found)",
    Gauge::Custom {
        measure: "H1 found over what is found in the graph that only got random numbers",
        control: "a hundredth of the edges changed",
    },
    Rule::AtMost(0.5),
);
const STEEP: Statement = Statement::new(
    Origin::Line(6091),
    "but utility degrades steeply (here: for the protection of k-degree(k = 5) they cost at least \
        ten times as much)",
    Gauge::Custom {
        measure: "cost at the least share that protects as well, over k-degree's",
        control: "as many edges as k-degree changes, at random",
    },
    Rule::AtLeast(10.0),
);
const SPECTRUM: Statement = Statement::new(
    Origin::Line(6093),
    "switches that keep the spectrum enhance utility: they cost less than random edges at every \
        share",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const CHOSEN: Statement = Statement::new(
    Origin::Ours,
    "edges that are chosen protect better than as many at random",
    Gauge::MeanRatio,
    Rule::Above(1.0),
);
const SYBILS: Statement = Statement::new(
    Origin::Line(5974),
    "accounts planted before the release are identified in it, and with them their targets (here: \
        at least nine of ten, where it only got random numbers)",
    Gauge::Custom {
        measure: "percent of the targets found",
        control: "a tenth of the edges changed at random",
    },
    Rule::AtLeast(90.0),
);
const AUTOMORPHIC: Statement = Statement::new(
    Origin::Ours,
    "after k-automorphism(k = 5) planted accounts find at most one target of five",
    Gauge::Custom {
        measure: "percent of the targets found",
        control: "a graph that only got random numbers",
    },
    Rule::AtMost(20.0),
);

impl Figure for Ch15 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let most = settings.pick(200, usize::MAX, usize::MAX);
        let graph = read_graph(&settings.data.join(FILE), most)?;
        let trials = settings.pick(1, 2, 5);
        let scale = format!(
            "{} nodes, {} edges, {trials} draws of each release; accounts planted {} times",
            graph.n(),
            graph.m(),
            plantings(settings)
        );
        let mut result = FigureResult::new(&INFO, scale);
        let bench = Bench { graph: &graph, before: Shape::of(&graph, 0), trials, settings };
        let chosen = bench.by_k()?;
        let random = bench.by_share()?;
        let control = bench.control(&chosen.five)?;
        let mut nulls = settings.nulls();
        claims(&mut result, &chosen, &random, &control, &mut nulls);
        result.notes.push(format!(
            "The null: the graph beside itself, with other sampled paths, costs {:.2} %.",
            bench.null()
        ));
        result.tables.extend([random.table, control.table, chosen.table, chosen.attacks]);
        result.tables.push(sybils(&graph, settings, &mut result.claims)?);
        Ok(result)
    }
}

/// Releases of a graph that are measured beside it.
struct Bench<'a> {
    graph: &'a Graph,
    before: Shape,
    trials: u64,
    settings: &'a Settings<'a>,
}

/// What one kind of release costs and lets attackers find, draw by draw: cost, H1 and H2, each in
/// percent, and edges changed.
#[derive(Default)]
struct Found {
    cost: Vec<f64>,
    h1: Vec<f64>,
    h2: Vec<f64>,
    edges: Vec<f64>,
}

impl Found {
    fn cells(&self) -> [Cell; 4] {
        [&self.cost, &self.h1, &self.h2, &self.edges].map(|values| Number::of(values))
    }
    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len().max(1) as f64
    }
}

/// Releases by k.
struct ByK {
    table: Table,
    attacks: Table,
    /// k-degree with k = 5.
    five: Found,
}

/// Releases by the share of edges that are changed at random.
struct ByShare {
    table: Table,
    found: Vec<Found>,
    spectrum: Vec<Found>,
}

struct Control {
    table: Table,
    found: Found,
}

impl Bench<'_> {
    /// The same measured for every draw of a release.
    fn draws(&self, part: u64, release: impl Fn(u64) -> Result<Graph>) -> Result<Found> {
        let mut found = Found::default();
        for trial in 0..self.trials {
            let seed = self.settings.seed_of(&[1500, part, trial]);
            let after = release(seed)?;
            found.cost.push(100.0 * self.before.cost(&Shape::of(&after, 0)));
            found.h1.push(100.0 * attacked(self.graph, &after, "structure", "h1", seed)?);
            found.h2.push(100.0 * attacked(self.graph, &after, "structure", "h2", seed)?);
            let kept = self.graph.edges().filter(|(a, b)| after.has(*a, *b)).count() as u64;
            found.edges.push((self.graph.m() + after.m() - 2 * kept) as f64);
        }
        Ok(found)
    }

    /// The cost of nothing: the graph beside itself, with other samples.
    fn null(&self) -> f64 {
        let other = self.settings.seed_of(&[1500, 99]);
        100.0 * self.before.cost(&Shape::of(self.graph, other))
    }

    fn by_share(&self) -> Result<ByShare> {
        let columns = [
            "random edges: cost",
            "H1 finds",
            "H2 finds",
            "random switch: cost",
            "spectrum switch: cost",
        ];
        let title = "Edges changed at random";
        let mut table = Table::new(title, "share of edges changed, %", "%", &columns).digits(2);
        let (mut found, mut spectrum) = (Vec::new(), Vec::new());
        for (place, share) in (0u64..).zip(SHARES) {
            let share = f64::from(share) / 100.0;
            let of = |part: u64, name: &str| {
                self.draws(10 * part + place, |seed| randomized(self.graph, name, share, seed))
            };
            let (edges, switch) = (of(1, "random-edges")?, of(2, "random-switch")?);
            let kept = of(3, "spectrum-switch")?;
            let [cost, h1, h2, _] = edges.cells();
            table.push(
                SHARES[place as usize],
                vec![cost, h1, h2, switch.cells()[0], kept.cells()[0]],
            );
            found.push(edges);
            spectrum.push(kept);
        }
        Ok(ByShare { table, found, spectrum })
    }

    fn by_k(&self) -> Result<ByK> {
        let columns = ["k-degree", "k-degree, edges added only", "supernodes", "k-automorphism"];
        let mut table = Table::new("What k costs", "k", "cost, %", &columns).digits(2);
        let names = [
            "k-degree: edges changed",
            "k-degree: H1 finds, %",
            "k-degree: H2 finds, %",
            "supernodes: any finds, %",
            "k-automorphism: edges changed",
            "k-automorphism: H2 finds, %",
        ];
        let title = "What k protects, and edges changed";
        let mut attacks =
            Table::new(title, "k", "edges, or %", &names).digits(2).plotted(Plot::None);
        let all = [1, 5, 10, 25, 50];
        let mut five = Found::default();
        for k in all.into_iter().filter(|k| *k <= self.graph.n() as u64 / 2) {
            let of = |part: u64, algorithm: &str| {
                self.draws(100 * part + k, |seed| edited(self.graph, algorithm, k, seed))
            };
            let degree = of(4, "degree-sequence")?;
            let added = of(5, "degree-sequence(edits=add)")?;
            let same = of(6, "block-alignment")?;
            let mut groups = Found::default();
            for trial in 0..self.trials {
                let seed = self.settings.seed_of(&[1500, 700 + k, trial]);
                let (published, world) = clustered(self.graph, k, seed)?;
                groups.cost.push(100.0 * self.before.cost(&Shape::of(&world, 0)));
                // Nobody can be told from the others of a supernode, whatever is known.
                groups.h1.push(100.0 * published as f64 / self.graph.n() as f64);
            }
            let cells = [&degree, &added, &groups, &same].map(|found| Number::of(&found.cost));
            table.push(k, cells.to_vec());
            let [_, h1, h2, edges] = degree.cells();
            let [_, _, all_h2, all_edges] = same.cells();
            attacks.push(k, vec![edges, h1, h2, Number::of(&groups.h1), all_edges, all_h2]);
            if k == 5 {
                five = degree;
            }
        }
        Ok(ByK { table, attacks, five })
    }

    fn control(&self, five: &Found) -> Result<Control> {
        let changed = Found::mean(&five.edges) / 2.0;
        let share = (changed / self.graph.m() as f64).clamp(1.0 / self.graph.m() as f64, 1.0);
        let found = self.draws(80, |seed| randomized(self.graph, "random-edges", share, seed))?;
        let columns = ["cost", "H1 finds", "H2 finds"];
        let title = "As many edges: chosen, and at random";
        let mut table = Table::new(title, "release", "%", &columns).digits(2).plotted(Plot::None);
        table.push("k-degree(k = 5)", five.cells()[..3].to_vec());
        table.push("random edges (control)", found.cells()[..3].to_vec());
        Ok(Control { table, found })
    }
}

fn claims(
    result: &mut FigureResult,
    chosen: &ByK,
    random: &ByShare,
    control: &Control,
    nulls: &mut Nulls,
) {
    let mean = |values: &[f64]| Found::mean(values);
    let naive = chosen.attacks.means(1).first().copied().unwrap_or(f64::NAN);
    let at = |percent: u32| {
        let place = SHARES.iter().position(|share| *share == percent);
        place.map_or(f64::NAN, |place| mean(&random.found[place].h1) / naive)
    };
    result.claims.push(RESIST.claim("", Measured::new(at(10), at(1))));
    let (five_h1, five_cost) = (mean(&chosen.five.h1), mean(&chosen.five.cost));
    let as_safe = random.found.iter().position(|found| mean(&found.h1) <= five_h1);
    // Where no share protects as well, all of them cost too much: the largest is a lower bound.
    let place = as_safe.unwrap_or(SHARES.len() - 1);
    let cost = mean(&random.found[place].cost) / five_cost;
    let words = format!(
        "{} % of the edges: the attacker finds {:.2} % ({five_h1:.2} % in the k-degree release)",
        SHARES[place],
        mean(&random.found[place].h1)
    );
    let as_many = mean(&control.found.cost) / five_cost;
    result.claims.push(STEEP.claim("", Measured::new(cost, as_many).told(words)));
    let of = |found: &[Found]| -> Vec<f64> { found.iter().map(|one| mean(&one.cost)).collect() };
    let costs: Vec<(f64, f64)> = of(&random.spectrum).into_iter().zip(of(&random.found)).collect();
    result.claims.push(SPECTRUM.claim("", nulls.pairs(SPECTRUM.gauge(), &costs)));
    let pair = (five_h1, mean(&control.found.h1));
    result.claims.push(CHOSEN.claim("", nulls.pairs(CHOSEN.gauge(), &[pair])));
}

fn plantings(settings: &Settings<'_>) -> u64 {
    settings.pick(2, 4, 20)
}

/// What planted accounts find in each release.
fn sybils(graph: &Graph, settings: &Settings<'_>, claims: &mut Vec<Claim>) -> Result<Table> {
    let columns = [
        "targets found, %",
        "accounts found in one place, %",
        "found with degrees off by up to 2, %",
    ];
    let title = "What 12 planted accounts find of 20 targets";
    let mut table = Table::new(title, "release", "%", &columns).digits(1).plotted(Plot::None);
    type Release = (&'static str, fn(&Graph, u64) -> Result<Graph>);
    let releases: [Release; 8] = [
        ("only random numbers", |graph, _| Ok(graph.clone())),
        ("k-degree(k = 5)", |graph, seed| edited(graph, "degree-sequence", 5, seed)),
        ("k-degree(k = 25)", |graph, seed| edited(graph, "degree-sequence", 25, seed)),
        ("k-degree(k = 50)", |graph, seed| edited(graph, "degree-sequence", 50, seed)),
        ("k-automorphism(k = 5)", |graph, seed| edited(graph, "block-alignment", 5, seed)),
        ("random edges, 1 %", |graph, seed| randomized(graph, "random-edges", 0.01, seed)),
        ("random edges, 10 %", |graph, seed| randomized(graph, "random-edges", 0.1, seed)),
        ("random switches, 10 %", |graph, seed| randomized(graph, "random-switch", 0.1, seed)),
    ];
    let mut naive = 0.0;
    let mut automorphic = 0.0;
    let mut random = 0.0;
    for (name, release) in releases {
        let (mut right, mut near, mut unique) = (Vec::new(), Vec::new(), Vec::new());
        for trial in 0..plantings(settings) {
            // The same accounts for every release.
            let mut chance = Chance::new(settings.seed_of(&[1501, trial]));
            let targets = chance.sample(20, graph.n());
            let planted = plant(graph, 12, &targets, &mut chance);
            let after = release(&planted.graph, settings.seed_of(&[1502, trial]))?;
            let same: Vec<u32> = planted.graph.nodes().collect();
            let found = |tolerance| {
                find_targets(&planted.graph, &planted.accounts, (&after, &same), tolerance)
            };
            let mean = |all: &[f64]| 100.0 * Found::mean(all);
            let (exact, places) = found(0);
            right.push(mean(&exact));
            unique.push(if places == Some(1) { 100.0 } else { 0.0 });
            near.push(mean(&found(2).0));
        }
        match name {
            "only random numbers" => naive = Found::mean(&right),
            "random edges, 10 %" => random = Found::mean(&right),
            "k-automorphism(k = 5)" => automorphic = Found::mean(&right).max(Found::mean(&near)),
            _ => {}
        }
        table.push(name, [right, unique, near].map(|all| Number::of(&all)).to_vec());
    }
    claims.extend([
        SYBILS.claim("", Measured::new(naive, random)),
        AUTOMORPHIC.claim("", Measured::new(automorphic, naive)),
    ]);
    Ok(table)
}
