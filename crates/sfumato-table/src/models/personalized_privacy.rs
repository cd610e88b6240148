//! Personalized privacy (Xiao and Tao): everybody names a node of the sensitive column's tree that
//! must not be learnt about them.

use sfumato_core::dataset::Hierarchy;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Argument, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};
use sfumato_core::{Error, FastMap, Result};

use crate::models::bound;
use crate::models::confidence;
use crate::models::exact::Ratio;

/// The model `personalized-privacy`, an entry of the registry.
pub struct PersonalizedPrivacy;

static INFO: Info = Info {
    name: "personalized-privacy",
    summary: "in every class at most a share of the people has a value that one of them asked to \
        keep from being learnt",
    papers: &[Paper {
        authors: "X. Xiao, Y. Tao",
        title: "Personalized privacy preservation",
        venue: "ACM SIGMOD International Conference on Management of Data",
        year: 2006,
    }],
    params: &[
        ParamSpec::optional(
            "guard",
            ParamKind::Text,
            "the column of guarding nodes; needed where there are several",
        ),
        ParamSpec::required(
            "breach",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the largest chance with which a guarded value may be concluded",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

Everybody may name a guarding node: a node of the sensitive column's hierarchy, such as \
`respiratory diseases`.
Whoever finds a person's class concludes that the person has some value below that node with a \
chance of at
most `breach`, if all who share the class are equally likely to be the person.

## What it does not stop

Conclusions about people who named no node, and about values outside the node. Somebody who asks \
to guard flu
only may be known to have pneumonia. That a person named a node isn't published.

## Parameters

`guard` is a column of role `guard`: for each record the label of a node, or nothing. It is read \
by this model
and never published. `breach` is read as an exact decimal. `on` names the sensitive column, which \
needs a
hierarchy; without it the model is asked of each sensitive column.

## Cost

Two histograms per class, of values and of guarding nodes; nodes times values of the class are \
compared.

## Deviations

The paper also generalizes sensitive values; here they are published as they are, so that the \
chance is the
share of the class with a value below the node. A label that stands at several places of the tree \
guards all
of them. The file alone can't show it: `audit` doesn't know the nodes.

## Monotonicity

Not monotone: a class without guarded people may be all below a node, and joins a class where one \
person
guards it.
",
    about: About::SENSITIVE_VALUES,
    ..Info::DEFAULT
};

impl Model for PersonalizedPrivacy {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let breach = Ratio::of_param(&INFO, params, "breach")?;
        let guard = guard_of(params, bind)?;
        let mut list: Vec<Box<dyn Requirement>> = Vec::new();
        for column in bind.on(params, &INFO)? {
            let sensitive = bind.sensitive[column];
            let tree = sensitive.hierarchy.ok_or_else(|| {
                Error::unsupported(format!(
                    "{} needs a hierarchy on column '{}'",
                    INFO.name, sensitive.name
                ))
                .hint(format!("give one with --hierarchy {}=FILE", sensitive.name))
            })?;
            let resolved = [
                ("on", Argument::Word(sensitive.name.to_string())),
                ("guard", Argument::Word(bind.sensitive[guard].name.to_string())),
            ];
            let text = bound::describe(&INFO, params, resolved);
            let guarded = guarded(tree, bind, guard)?;
            list.push(Box::new(Guarded { breach, column, guard, guarded, text }));
        }
        Ok(list)
    }
}

/// The place of the column of guarding nodes.
fn guard_of(params: &Params, bind: &Bind<'_>) -> Result<usize> {
    let guards: Vec<usize> =
        (0..bind.sensitive.len()).filter(|place| bind.sensitive[*place].is_guard).collect();
    let named = params.text("guard");
    match (named, guards.as_slice()) {
        (None, [only]) => Ok(*only),
        (Some(name), _) if guards.iter().any(|place| bind.sensitive[*place].name == name) => {
            Ok(guards
                .into_iter()
                .find(|place| bind.sensitive[*place].name == name)
                .unwrap_or_default())
        }
        (None, [_, ..]) => {
            Err(Error::params(format!("{}: there are several guard columns", INFO.name))
                .hint("say which with guard=COLUMN"))
        }
        _ => Err(Error::unsupported(format!("{} needs a column of role guard", INFO.name)).hint(
            "name the column of guarding nodes with --guard COLUMN or role = \"guard\"; it isn't \
                published",
        )),
    }
}

/// For each guarding node the intervals of sensitive codes below it.
fn guarded(tree: &Hierarchy, bind: &Bind<'_>, guard: usize) -> Result<Vec<Vec<(u32, u32)>>> {
    let mut nodes: FastMap<&str, Vec<(u32, u32)>> = FastMap::default();
    for node in 0..tree.n_nodes() as u32 {
        nodes.entry(tree.label(node)).or_default().push((tree.lo(node), tree.hi(node)));
    }
    let wishes = bind.sensitive[guard];
    let mut guarded = Vec::with_capacity(wishes.domain.len());
    let mut unknown = 0;
    for label in wishes.domain.labels() {
        match nodes.get(label.as_ref()) {
            Some(intervals) => guarded.push(outermost(intervals)),
            None => unknown += 1,
        }
    }
    match unknown {
        0 => Ok(guarded),
        n => Err(Error::params(format!(
            "{}: {n} {} of column '{}' {} of the sensitive column's hierarchy",
            INFO.name,
            if n == 1 { "value" } else { "values" },
            wishes.name,
            if n == 1 { "is no node" } else { "are no nodes" }
        ))
        .hint("'sfumato hierarchy show' draws the tree")),
    }
}

/// The intervals that don't lie inside another one.
fn outermost(intervals: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut sorted = intervals.to_vec();
    sorted.sort_by_key(|(lo, hi)| (*lo, std::cmp::Reverse(*hi)));
    let mut kept: Vec<(u32, u32)> = Vec::new();
    for (lo, hi) in sorted {
        if kept.last().is_none_or(|last| last.1 < hi) {
            kept.push((lo, hi));
        }
    }
    kept
}

struct Guarded {
    breach: Ratio,
    column: usize,
    guard: usize,
    /// For each guarding node the sensitive codes below it.
    guarded: Vec<Vec<(u32, u32)>>,
    text: String,
}

impl Guarded {
    /// The largest number of people of a class with a value below a node that one of them guards.
    fn most_exposed(&self, group: &Summary) -> u64 {
        let values = bound::histogram(group, self.column).entries();
        // Missing is a code behind all nodes: nobody guards it.
        let wishes = bound::histogram(group, self.guard).entries();
        let wishes = wishes.iter().filter_map(|(wish, _)| self.guarded.get(*wish as usize));
        let below = |intervals: &Vec<(u32, u32)>| -> u64 {
            let count = |(lo, hi): &(u32, u32)| -> u64 {
                let from = values.partition_point(|(code, _)| code < lo);
                let to = values.partition_point(|(code, _)| code < hi);
                values[from..to].iter().map(|(_, n)| *n).sum()
            };
            intervals.iter().map(count).sum()
        };
        // A person with two values below a node is one person.
        wishes.map(below).max().unwrap_or(0).min(group.people)
    }
}

impl Requirement for Guarded {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn is_monotone(&self) -> bool {
        false
    }
    fn histograms(&self) -> Vec<usize> {
        vec![self.column, self.guard]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        confidence::within(self.most_exposed(group), group.people, self.breach)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure {
            name: "breach",
            required: self.breach.to_f64(),
            direction: Direction::AtMost,
        }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![confidence::confidence(self.most_exposed(group), group.people)]
    }
}
