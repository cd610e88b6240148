//! HD-composition: nobody has a permanent sensitive value in more than one of l possible worlds,
//! whatever changes between releases.

use sfumato_core::chain::{Chain, PublishedClass};
use sfumato_core::facts::Fact;
use sfumato_core::group::{Guarantee, Summary};
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};
use sfumato_core::{Error, Result};
use sfumato_kernels::possible_worlds::{Group, likely};

use crate::models::bound;

/// The model `hd-composition`, an entry of the registry.
pub struct HdComposition;

/// Where drawing worlds starts from: the same releases are judged alike each time.
const SEED: u64 = 9;

static INFO: Info = Info {
    name: "hd-composition",
    summary: "nobody has a permanent sensitive value in more than one of l possible worlds",
    papers: &[Paper {
        authors: "Y. Bu, A. W.-C. Fu, R. C.-W. Wong, L. Chen, J. Li",
        title: "Privacy preserving serial data publishing by role composition",
        venue: "VLDB",
        year: 2008,
    }],
    params: &[
        ParamSpec::required(
            "l",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "nobody has a value in more than one of l possible worlds",
        ),
        ParamSpec::required(
            "values",
            ParamKind::List,
            "the sensitive values that are permanent, as [a, b]",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

A table is published again and again, and quasi values, sensitive values and people come and go. \
Some sensitive values are permanent: whoever
has one keeps it. Somebody knows who is in which class of every release, and how many of each \
class \
have the value; a world is one way
in which people can have it. Nobody has it in more than one of `l` worlds that fit all releases \
(`chance of a holder` is at most 1/`l`). In each class at most one of `l` people has it.

m-invariance doesn't promise this: by exclusion, classes that each have `l` values may leave one \
world.

## What it does not stop

- Learning values that aren't permanent.
- Who knows of somebody that the person doesn't have the value.

## Parameters

`l` is a number of worlds. `values` are permanent values, each judged alone. `on` is the sensitive \
column.

## Cost

People who share classes, directly or through others, are looked at together. Their worlds are \
counted up to three million steps. Beyond that 8,000 worlds are drawn, and what is judged is the \
upper end of an interval of 99 %; if too few can be drawn to tell, the run says so.

## Deviations

The paper bounds the chance by roles and cohorts: for each holder l - 1 decoys, who go wherever \
holders go. Here the chance itself is judged, so that releases of any algorithm can be. None of \
ours \
builds cohorts yet.

Who is who is only known to the holder, who says it with a subject column; records that are \
nobody's \
are taken for made-up ones, each of which may have the value.

## Monotonicity

A union of classes in which at most one of `l` has the value is such a class. What several \
releases \
say is judged on the finished release alone.
",
    about: About {
        asks: &[Fact::SensitiveValues, Fact::Earlier],
        limits: &[Disclosure::Attribute],
    },
    ..Info::DEFAULT
};

impl Model for HdComposition {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (l, text) = (params.count("l"), params.describe());
        let columns = bind.on(params, &INFO)?;
        let &[column] = columns.as_slice() else {
            return Err(Error::params("hd-composition is about one sensitive column")
                .hint("name it with on=COLUMN"));
        };
        let values = params.list("values").unwrap_or_default();
        if values.is_empty() {
            return Err(Error::params("hd-composition: values names no value")
                .hint("name the values that whoever has one keeps, as values=[HIV]"));
        }
        // A value that nobody of this release has may be one of an earlier one: whether any release
        // has it is asked of all of them.
        let labels = bind.sensitive[column].domain.labels().enumerate();
        let codes = labels.filter(|(_, label)| values.iter().any(|value| *value == **label));
        let codes = codes.map(|(code, _)| code as u32).collect();
        let alone = Holders { l, values: values.clone(), of: Some((column, codes)), text };
        let text = alone.text.clone();
        Ok(vec![Box::new(alone), Box::new(Holders { l, values, of: None, text })])
    }
}

/// Few holders in each class, or in all possible worlds.
struct Holders {
    l: u64,
    values: Vec<String>,
    of: Option<(usize, Vec<u32>)>,
    text: String,
}

impl Holders {
    /// The largest number of people of a class with one of the values.
    fn most(&self, group: &Summary) -> u64 {
        let Some((column, codes)) = &self.of else { return 0 };
        let histogram = bound::histogram(group, *column);
        codes.iter().map(|code| histogram.count(*code)).max().unwrap_or(0)
    }

    /// How likely somebody has a value, at most, and how many people are too likely to.
    fn judge(&self, chain: &Chain, value: u32) -> Result<(f64, u64)> {
        let mut n = 0;
        let mut releases = Vec::with_capacity(chain.releases.len());
        for release in &chain.releases {
            let people = release.people.as_ref().ok_or_else(who_is_who)?;
            let of = |class: &PublishedClass| Group {
                members: Vec::new(),
                holders: class.values.iter().find(|(own, _)| *own == value).map_or(0, |(_, n)| *n),
                made_up: class.rows(),
            };
            let mut groups: Vec<Group> = release.classes.iter().map(of).collect();
            for (person, class) in people {
                n = n.max(*person as usize + 1);
                let group = &mut groups[*class as usize];
                group.members.push(*person);
                group.made_up = group.made_up.saturating_sub(1);
            }
            releases.push(groups);
        }
        let found = likely(n, &releases, SEED)?;
        let all = || found.iter().flatten();
        let above = all().filter(|likely| !likely.is_at_most_one_of(self.l)).count() as u64;
        Ok((all().map(|likely| likely.most()).fold(0.0, f64::max), above))
    }
}

impl Requirement for Holders {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        if self.of.is_some() { Scope::Class } else { Scope::Earlier }
    }
    fn asks_who_is_who(&self) -> bool {
        self.of.is_none()
    }
    fn judges_first(&self) -> bool {
        self.of.is_none()
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        self.of.iter().map(|(column, _)| *column).collect()
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        u128::from(self.most(group)) * u128::from(self.l) <= u128::from(group.people)
    }
    fn measures(&self) -> Vec<Measure> {
        let required = 1.0 / self.l as f64;
        vec![Measure { name: "share", required, direction: Direction::AtMost }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        match self.of {
            Some(_) => vec![self.most(group) as f64 / group.people.max(1) as f64],
            None => vec![0.0],
        }
    }
    fn is_count_only(&self) -> bool {
        self.of.is_none()
    }

    fn judge_chain(&self, chain: &Chain) -> Result<Vec<Guarantee>> {
        chain.check_alike(INFO.name)?;
        let (mut share, mut violations) = (0.0f64, 0);
        for value in &self.values {
            let number = chain.values.iter().position(|own| own == value).ok_or_else(|| {
                Error::params(format!("hd-composition: no release has the value '{value}'"))
                    .hint("name permanent values as the releases write them")
            })?;
            let (most, above) = self.judge(chain, number as u32)?;
            (share, violations) = (share.max(most), violations + above);
        }
        let required = 1.0 / self.l as f64;
        Ok(vec![Guarantee {
            model: INFO.name,
            requirement: self.text.clone(),
            scope: Scope::Earlier.name(),
            measure: Measure { name: "chance of a holder", required, direction: Direction::AtMost },
            achieved: share,
            holds: violations == 0,
            violations,
        }])
    }
}

fn who_is_who() -> Error {
    Error::params(
        "hd-composition can't be judged on these files alone: who has been in which class of each \
         release decides it, and the files don't say",
    )
    .hint(
        "the holder says who is who with --subject COLUMN (made-up records have none), or names \
         the ledger",
    )
}
