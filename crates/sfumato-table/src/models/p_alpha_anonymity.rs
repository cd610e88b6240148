//! (p,alpha)-anonymity: diversity over categories of sensitive values rather than over values.

use sfumato_core::dataset::Hierarchy;
use sfumato_core::facts::Fact;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};
use sfumato_core::{Error, FastMap, Result};

use crate::models::bound;
use crate::models::confidence;
use crate::models::exact::Ratio;

/// The model `p-alpha-anonymity`, an entry of the registry.
pub struct PAlphaAnonymity;

static INFO: Info = Info {
    name: "p-alpha-anonymity",
    summary: "every class has p categories of sensitive values, none with more than a share alpha",
    papers: &[Paper {
        authors: "X. Sun, H. Wang, J. Li, T. M. Truta",
        title: "Enhanced p-sensitive k-anonymity models for privacy preserving data publishing",
        venue: "Transactions on Data Privacy 1(2)",
        year: 2008,
    }],
    params: &[
        ParamSpec::required(
            "p",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of categories in a class",
        ),
        ParamSpec::with_default(
            "alpha",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "1",
            "the largest share of a class's people with values of one category",
        ),
        ParamSpec::with_default(
            "level",
            ParamKind::Integer { min: 1, max: 254 },
            "1",
            "the level of the sensitive column's hierarchy whose nodes are the categories",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

Whoever finds a person's class can't tell of which category the person's value is: the class has \
values of at
least `p` categories, and at most a share `alpha` of its people has one category. So a class of \
cancer and HIV
alone, which has two values and one meaning, isn't published.

## What it does not stop

Conclusions within a category, if its values differ much. Guessing well, if `alpha` is large.

## Parameters

`p` counts categories. `alpha` is read as an exact decimal; at 1 only the number of categories \
matters. `level`
says which nodes of the sensitive column's hierarchy are categories; 1 is the level above the \
values. `on` names
the sensitive column, which needs a hierarchy. A missing value is a category of its own.

## Cost

One histogram per class, added up by category.

## Deviations

The book of seeds says only that classes must have diverse categories that an expert names. The \
paper weighs
values by how sensitive they are; here `alpha` bounds the share of a category. With a subject \
column a person with
two values of one category counts twice for its share, up to the people of the class.

## Monotonicity

Monotone with one record per person: a union has the categories of both parts, and the share of a \
category is
at most the larger of its shares. Not with a subject column when `alpha` is below 1.
",
    about: About {
        asks: &[Fact::SensitiveValues],
        limits: &[Disclosure::Identity, Disclosure::Attribute],
    },
    ..Info::DEFAULT
};

impl Model for PAlphaAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (p, alpha) = (params.count("p"), Ratio::of_param(&INFO, params, "alpha")?);
        let level = params.count("level") as usize;
        bound::per_column(&INFO, params, bind, |column, text| {
            let sensitive = bind.sensitive[column];
            let tree = sensitive.hierarchy.ok_or_else(|| {
                Error::unsupported(format!(
                    "{} needs a hierarchy on column '{}'",
                    INFO.name, sensitive.name
                ))
                .hint(format!("give one with --hierarchy {}=FILE", sensitive.name))
            })?;
            let category_of = categories(tree, sensitive.domain.len(), level)?;
            Ok(Box::new(Categories { p, alpha, category_of, column, text }))
        })
    }
}

/// The category of each code.
fn categories(tree: &Hierarchy, n_codes: usize, level: usize) -> Result<Vec<u32>> {
    if level >= tree.n_levels() {
        let last = tree.n_levels() - 1;
        return Err(Error::params(format!(
            "{}: the hierarchy has levels up to {last}, not {level}",
            INFO.name
        ))
        .hint("'sfumato hierarchy show' draws the tree"));
    }
    Ok((0..n_codes as u32).map(|code| tree.ancestor(code, level)).collect())
}

struct Categories {
    p: u64,
    alpha: Ratio,
    /// The node of each code; what has none is missing.
    category_of: Vec<u32>,
    column: usize,
    text: String,
}

impl Categories {
    /// How many categories a group has, and how many people the largest one has.
    fn count(&self, group: &Summary) -> (u64, u64) {
        let mut people: FastMap<u32, u64> = FastMap::default();
        for (code, count) in bound::histogram(group, self.column).entries() {
            let category = self.category_of.get(*code as usize).copied().unwrap_or(u32::MAX);
            *people.entry(category).or_insert(0) += count;
        }
        let most = people.values().copied().max().unwrap_or(0).min(group.people);
        ((people.len() as u64).min(group.people), most)
    }
}

impl Requirement for Categories {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        self.alpha.is_one_or_more()
    }
    fn histograms(&self) -> Vec<usize> {
        vec![self.column]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        let (categories, most) = self.count(group);
        categories >= self.p && confidence::within(most, group.people, self.alpha)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![
            Measure { name: "p", required: self.p as f64, direction: Direction::AtLeast },
            Measure { name: "alpha", required: self.alpha.to_f64(), direction: Direction::AtMost },
        ]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        let (categories, most) = self.count(group);
        vec![categories as f64, confidence::confidence(most, group.people)]
    }
    fn min_people(&self) -> u64 {
        self.p.max(self.alpha.ceil_inverse())
    }
}
