//! t-closeness: the sensitive values of every class are distributed nearly as in the whole release.

use sfumato_core::group::Summary;
use sfumato_core::registry::{
    About, Argument, Info, Paper, ParamKind, ParamSpec, Params, Probe, ProbedColumns,
};
use sfumato_core::traits::{
    Bind, Direction, Measure, Model, Requirement, SensitiveColumn, TOLERANCE,
};
use sfumato_core::{Error, Result};

use crate::models::bound;
use crate::models::emd::Ground;

/// The model `t-closeness`, an entry of the registry.
pub struct TCloseness;

static INFO: Info = Info {
    name: "t-closeness",
    summary: "sensitive values are distributed in every class nearly as in the release",
    papers: &[Paper {
        authors: "N. Li, T. Li, S. Venkatasubramanian",
        title: "t-closeness: privacy beyond k-anonymity and l-diversity",
        venue: "IEEE International Conference on Data Engineering (ICDE)",
        year: 2007,
    }],
    params: &[
        ParamSpec::required(
            "t",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "the largest distance between a class and the release",
        ),
        ParamSpec::with_default(
            "distance",
            ParamKind::Choice(&["auto", "equal", "ordered", "hierarchical"]),
            "auto",
            "how far two values are apart; auto is ordered for numbers and dates, else equal",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

Whoever finds a person's class learns little that the release as a whole doesn't tell: the earth \
mover's
distance between the class's distribution of the sensitive column and that of all published \
records is at most
`t`.

## What it does not stop

Finding a person's record: add k-anonymity. One `t` serves all values, so that a rare value may \
still become
many times more likely in a class than in the release; beta-likeness bounds that. What the whole \
release tells
about everybody is learnt anyway.

## Parameters

`t` runs from 0 to 1. `distance` says how far two values are apart:
- `equal`: any two different values are 1 apart; the distance is half the sum of absolute \
differences;
- `ordered`: values lie on a line, a step apart, from 0 to 1: numbers and dates by size, words in \
the leaf
  order of their hierarchy;
- `hierarchical`: the height of the lowest common ancestor over the height of the root;
- `auto`: `ordered` for numbers, dates and times, else `equal`.

`on` names the sensitive column.

## Cost

One histogram per class; each check walks over all values of the release, and for `hierarchical` \
over all
nodes of the tree.

## Deviations

The line of `ordered` has the values that occur in the release, so that a verifier who sees only \
the release
measures the same. A missing value counts as a value of its own: the last on the line, and a leaf \
right below
the root of the tree. Distances are summed in whole numbers and compared with a tolerance of 1e-9. \
With a
subject column distributions are over pairs of person and value.

## Monotonicity

Monotone with one record per person, against a fixed release: the distance is convex, so a union \
is no farther
than the farther of its parts. Not monotone with a subject column, where the union isn't a mixture \
of its
parts. Suppressing records changes the release: check again.
",
    about: About::SENSITIVE_VALUES,
    probes: &[
        Probe { args: "t=1, distance=equal", on: ProbedColumns::All, variant: "equal" },
        Probe { args: "t=1, distance=ordered", on: ProbedColumns::Ordered, variant: "ordered" },
        Probe {
            args: "t=1, distance=hierarchical",
            on: ProbedColumns::WithHierarchy,
            variant: "hierarchical",
        },
    ],
    ..Info::DEFAULT
};

impl Model for TCloseness {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let t = params.number("t");
        let asked = params.text("distance").unwrap_or("auto");
        bound::per_column(&INFO, params, bind, |column, _| {
            let sensitive = &bind.sensitive[column];
            let distance = match asked {
                "auto" if sensitive.domain.kind.is_ordered() => "ordered",
                "auto" => "equal",
                asked => asked,
            };
            let resolved = [
                ("on", Argument::Word(sensitive.name.to_string())),
                ("distance", Argument::Word(distance.to_string())),
            ];
            let text = bound::describe(&INFO, params, resolved);
            Ok(Box::new(Close { t, ground: ground(distance, sensitive)?, column, text }))
        })
    }
}

fn ground(distance: &str, column: &SensitiveColumn<'_>) -> Result<Ground> {
    let SensitiveColumn { name, domain, hierarchy, .. } = column;
    match (distance, hierarchy) {
        ("ordered", None) if !domain.kind.is_ordered() => Err(Error::params(format!(
            "{}: distance=ordered needs an order; column '{name}' holds {} and has no hierarchy",
            INFO.name,
            domain.kind.name()
        ))
        .hint("give the column a hierarchy, whose leaves are in order, or take distance=equal")),
        ("ordered", _) => Ok(Ground::ordered(domain)),
        ("hierarchical", None) => Err(Error::params(format!(
            "{}: distance=hierarchical needs a hierarchy for column '{name}'",
            INFO.name
        ))
        .hint(format!("give one with --hierarchy {name}=FILE, or take distance=equal"))),
        ("hierarchical", Some(tree)) if tree.n_leaves() != domain.len() => {
            Err(Error::internal(format!(
                "the hierarchy of column '{name}' has {} leaves for {} values",
                tree.n_leaves(),
                domain.len()
            )))
        }
        ("hierarchical", Some(tree)) => Ok(Ground::tree(tree)),
        _ => Ok(Ground::Equal),
    }
}

struct Close {
    t: f64,
    ground: Ground,
    column: usize,
    text: String,
}

impl Close {
    fn distance(&self, group: &Summary, release: &Summary) -> f64 {
        self.ground
            .distance(bound::histogram(group, self.column), bound::histogram(release, self.column))
    }
}

impl Requirement for Close {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        vec![self.column]
    }
    fn holds(&self, group: &Summary, release: &Summary) -> bool {
        self.distance(group, release) <= self.t + TOLERANCE
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "t", required: self.t, direction: Direction::AtMost }]
    }
    fn measure(&self, group: &Summary, release: &Summary) -> Vec<f64> {
        vec![self.distance(group, release)]
    }
}
