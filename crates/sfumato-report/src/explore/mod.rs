//! The results of `explore`: loss and risk for a grid of algorithms and k, and the lattice of
//! full-domain recodings.
//!
//! The study fills in plain figures, and this module shows them as words, CSV and two drawings.
//! Nothing here measures or decides, and no data cell is ever shown.

mod csv;
pub(crate) mod draw;
mod lattice;
pub(crate) mod scale;
mod table;
mod tradeoff;

use serde::Serialize;

pub use csv::csv;
pub use lattice::draw_lattice;
pub use table::words;
pub use tradeoff::draw_tradeoff;

/// Everything that was tried on the same data.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Exploration {
    /// Version of the program.
    pub version: String,
    /// The data, as the user named them.
    pub input: String,
    /// The kind of data.
    pub kind: String,
    /// The form of the releases.
    pub form: String,
    /// The model that was asked for in every strength.
    pub tried: String,
    /// Its records.
    pub rows: u64,
    /// The columns that are generalized; none of another kind or form.
    pub quasi: Vec<String>,
    /// The metric that was minimized, whose values are in `loss`.
    pub metric: String,
    /// Whether larger values of that metric are better, as with precision.
    pub higher_is_better: bool,
    /// What had to hold beside it.
    pub models: Vec<String>,
    /// How many records might be suppressed.
    pub max_suppressed: u64,
    /// The values of k that were tried, from small to large.
    pub ks: Vec<u64>,
    /// The values of k that weren't tried, because there are fewer records.
    pub left_out: Vec<u64>,
    /// The curves, one for each algorithm.
    pub curves: Vec<Curve>,
    /// A sentence about which algorithm loses less. `None` if there is only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranking: Option<String>,
    /// The lattice, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lattice: Option<Lattice>,
}

impl Exploration {
    /// The exploration as one JSON object, indented, without a final newline.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self)
            .expect("every key is a string and writing to memory can't fail")
    }

    /// Whether anything could be published, at any k or at any node of the lattice.
    pub fn is_feasible(&self) -> bool {
        let mut nodes = self.lattice.iter().flat_map(|lattice| &lattice.nodes);
        let mut cells = self.curves.iter().flat_map(|curve| &curve.cells);
        cells.any(|cell| cell.figures.is_some()) || nodes.any(|node| node.satisfies)
    }
}

/// One algorithm over all k.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Curve {
    /// The algorithm, as the user wrote it.
    pub algorithm: String,
    /// The results, one for each k in their order.
    pub cells: Vec<Cell>,
    /// The point where the curve bends most. `None` with fewer than three points, or if it doesn't
    /// bend.
    pub knee: Option<Knee>,
}

/// One algorithm at one k.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// The smallest allowed size of a class.
    pub k: u64,
    /// What was measured, if the requirements could be met.
    #[serde(flatten)]
    pub figures: Option<Figures>,
    /// Why the requirements couldn't be met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible: Option<String>,
}

/// The figures of one verified recoding.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// The metric that was minimized. `None` if it isn't defined.
    pub loss: Option<f64>,
    /// The normalized certainty penalty.
    pub ncp: Option<f64>,
    /// The discernibility metric.
    pub discernibility: Option<f64>,
    /// The average class size as a multiple of k.
    pub average_class_size: Option<f64>,
    /// The number of classes that a recipient sees.
    pub classes: u64,
    /// The size of the smallest class, in people if there is a subject column.
    pub smallest_class: Option<u64>,
    /// The number of suppressed records.
    pub suppressed: u64,
    /// The highest prosecutor risk: one divided by the size of the smallest class.
    pub highest_risk: Option<f64>,
    /// The mean prosecutor risk of published records: classes divided by records.
    pub average_risk: Option<f64>,
    /// Seconds that the algorithm took.
    pub seconds: f64,
    /// Seconds of all processors together, if the operating system reports them.
    pub cpu_seconds: Option<f64>,
}

/// The point where a curve bends most.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Knee {
    /// The k at this point.
    pub k: u64,
    /// The loss at this point.
    pub loss: f64,
    /// The distance from the chord, with both axes scaled to 0..1.
    pub distance: f64,
}

/// All full-domain recodings of a table: each column at one level of its hierarchy.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lattice {
    /// The k that had to hold, besides the other models.
    pub k: u64,
    /// The number of records of the table.
    pub rows: u64,
    /// How many records of the table might be suppressed.
    pub max_suppressed: u64,
    /// The metric whose values are in `loss`.
    pub metric: String,
    /// The columns, and how many levels each has.
    pub columns: Vec<LatticeColumn>,
    /// The nodes, one for each combination of levels. The level of the first column changes
    /// slowest.
    pub nodes: Vec<LatticeNode>,
}

/// A column of a lattice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LatticeColumn {
    /// The name of the column.
    pub name: String,
    /// The number of levels, including the exact one and the one that covers everything.
    pub levels: usize,
    /// The levels that are looked at: all, or some of them where there are too many nodes.
    pub shown: Vec<usize>,
}

impl LatticeColumn {
    /// A column of which every level is looked at.
    pub fn whole(name: impl Into<String>, levels: usize) -> Self {
        LatticeColumn { name: name.into(), levels, shown: (0..levels).collect() }
    }
}

impl Lattice {
    /// The number of all nodes, looked at or not.
    pub fn all_nodes(&self) -> u64 {
        self.columns.iter().fold(1, |nodes: u64, c| nodes.saturating_mul(c.levels.max(1) as u64))
    }

    /// Which part of the lattice is looked at, in words, if it isn't all of it.
    pub fn part(&self) -> Option<String> {
        let fewer = self.columns.iter().filter(|column| column.shown.len() < column.levels);
        let fewer: Vec<String> = fewer
            .map(|column| {
                let levels: Vec<String> = column.shown.iter().map(usize::to_string).collect();
                format!("{} only at {}", column.name, levels.join(", "))
            })
            .collect();
        let (nodes, all) = (self.nodes.len() as u64, self.all_nodes());
        (!fewer.is_empty()).then(|| {
            format!(
                "a part of the lattice, {} of {} nodes: {}",
                crate::numbers::count(nodes),
                crate::numbers::count(all),
                fewer.join("; ")
            )
        })
    }
}

/// One full-domain recoding. Classes that fail are suppressed until none fails.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LatticeNode {
    /// The level of each column.
    pub levels: Vec<usize>,
    /// Whether it satisfies the requirements within the allowed suppression.
    pub satisfies: bool,
    /// How many records must be suppressed.
    pub suppressed: u64,
    /// The number of classes after suppression.
    pub classes: u64,
    /// The loss after suppression. `None` if the metric isn't defined.
    pub loss: Option<f64>,
    /// Whether it satisfies the requirements and no node below it does.
    pub minimal: bool,
    /// Whether it has the least loss of all nodes that satisfy the requirements.
    pub best: bool,
}

impl LatticeNode {
    /// The height of the node: the sum of its levels.
    pub fn height(&self) -> usize {
        self.levels.iter().sum()
    }
}

#[cfg(test)]
pub(crate) mod fixture {
    //! An exploration of two algorithms, one of which can't reach the last k.

    use super::*;

    pub(crate) fn exploration() -> Exploration {
        let cell = |k: u64, loss: f64| Cell {
            k,
            figures: Some(Figures {
                loss: Some(loss),
                ncp: Some(loss),
                discernibility: Some(1000.0 * k as f64),
                average_class_size: Some(1.25),
                classes: 1000 / k,
                smallest_class: Some(k),
                suppressed: 0,
                highest_risk: Some(1.0 / k as f64),
                average_risk: Some(0.8 / k as f64),
                seconds: 0.012,
                cpu_seconds: None,
            }),
            infeasible: None,
        };
        let none =
            Cell { k: 50, figures: None, infeasible: Some("it can't, \"really\" <so>".into()) };
        Exploration {
            version: "0.1.0".into(),
            input: "people & <more>.csv".into(),
            kind: "table".into(),
            form: "generalized".into(),
            tried: "k-anonymity".into(),
            rows: 1000,
            quasi: vec!["age".into(), "sex".into()],
            metric: "ncp".into(),
            models: vec!["l-diversity-distinct(l=2, on=disease)".into()],
            ks: vec![2, 5, 10, 50],
            left_out: vec![5000],
            curves: vec![
                Curve {
                    algorithm: "mondrian".into(),
                    cells: vec![cell(2, 0.05), cell(5, 0.2), cell(10, 0.25), cell(50, 0.4)],
                    knee: Some(Knee { k: 5, loss: 0.2, distance: 0.1 }),
                },
                Curve {
                    algorithm: "mondrian(relaxed=true)".into(),
                    cells: vec![cell(2, 0.04), cell(5, 0.15), cell(10, 0.21), none],
                    knee: None,
                },
            ],
            ranking: Some(
                "mondrian(relaxed=true) loses less than mondrian at every k that both reach".into(),
            ),
            ..Exploration::default()
        }
    }

    /// Whether every element that is opened is closed in its place. This is enough of a parser for
    /// the drawings of this module.
    pub(crate) fn is_well_formed(xml: &str) -> bool {
        let mut open: Vec<&str> = Vec::new();
        let mut rest = xml;
        while let Some(start) = rest.find('<') {
            if rest[..start].contains('>') {
                return false;
            }
            let Some(length) = rest[start..].find('>') else { return false };
            let tag = &rest[start + 1..start + length];
            rest = &rest[start + length + 1..];
            if tag.matches('"').count() % 2 == 1 {
                return false;
            }
            match (tag.strip_prefix('/'), tag.ends_with('/')) {
                (Some(name), _) if open.pop() != Some(name) => return false,
                (Some(_), _) | (None, true) => {}
                (None, false) => open.push(tag.split_whitespace().next().unwrap_or("")),
            }
        }
        open.is_empty() && !rest.contains('>')
    }

    #[test]
    fn the_parser_tells_good_from_bad() {
        assert!(is_well_formed("<a x=\"1\"><b/><c>t</c></a>\n"));
        for bad in ["<a>", "<a></b>", "<a><b></a></b>", "<a x=\"1></a>", "<a>></a>", "</a>"] {
            assert!(!is_well_formed(bad), "{bad}");
        }
    }
}
