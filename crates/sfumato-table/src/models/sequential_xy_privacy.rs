//! Sequential (X,Y)-privacy: whoever joins releases that have different columns links nobody.

use sfumato_core::chain::Chain;
use sfumato_core::facts::{Fact, Least};
use sfumato_core::group::{Guarantee, Summary};
use sfumato_core::joined::{JoinAsked, Share};
use sfumato_core::registry::{About, Disclosure, Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};
use sfumato_core::{Error, Result};
use sfumato_kernels::lossy_join::LossyJoin;

use crate::models::exact::Ratio;
use crate::models::xy;

/// The model `sequential-xy-privacy`, an entry of the registry.
pub struct SequentialXyPrivacy;

static INFO: Info = Info {
    name: "sequential-xy-privacy",
    summary: "releases with different columns, joined, link each value of X with k of Y",
    papers: &[xy::WANG_FUNG],
    params: &[
        ParamSpec::required(
            "x",
            ParamKind::List,
            "the columns X that say who somebody is, of any of the releases, as [a, b]",
        ),
        ParamSpec::required(
            "y",
            ParamKind::List,
            "the columns Y that nobody should learn, of any of the releases, as [a, b]",
        ),
        ParamSpec::required(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of different values of Y that a value of X is joined with",
        ),
        ParamSpec::optional(
            "h",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the largest share of joined records of a value of X with the same value of Y",
        ),
        ParamSpec::optional(
            "values",
            ParamKind::List,
            "the values of Y that h is about, as [a, b]; all of them without it",
        ),
        ParamSpec::optional(
            "apart",
            ParamKind::List,
            "what nobody has together, as [\"sex=M & test=pregnancy\"]",
        ),
        ParamSpec::with_default(
            "numbers",
            ParamKind::Choice(&["compared", "ignored"]),
            "compared",
            "whether numbers that releases have in common rule out matches, too",
        ),
    ],
    doc: "\
## What it promises

Releases of the same people have different columns: a first one said who has which job and \
disease, and another is to say who
has which name and job. Somebody joins them by the columns that they share, and by what nobody has \
together. Records match if their
values can be about the same one: a label and what is below it, ranges that overlap. A column that \
several releases have is in X, or
in Y, with its text in each of them.

In the join each value of `x` comes with at least `k` different values of `y` (`A_Y(X)`), and with \
`h` none of these is that of a larger share of its
records (`L_Y(X)`). Every record of each release matches records of all others; where one doesn't, \
the releases aren't about the same people, and the promise fails (`dangling records`).

## What it does not stop

- Somebody who knows more of people than the releases say, or other things that nobody has \
together: say these with `apart`.
- A record whose only match is its own: it is joined with one value of `y`, and `k` refuses it, \
however many records there are.
- What one release alone says of columns that aren't in `x` and `y`.

## Parameters

`x` and `y` are names of columns, each of at least one release. `values` are those values of `y` \
that \
`h` is about. `apart` lists pairs of a column and a value; what is below a value is meant too. \
`numbers=ignored` matches numbers whatever they are, as the paper does, because ranges may be cut \
differently in each release; whoever compares them knows more, so that isn't the default.

## Cost

Records that are joined alike are counted once; the join is never made. Nodes of each release are \
compared with those of the others that share a value, and more than two billion steps are refused.

## Deviations

The book says that `L_Y(X)` never falls, and `A_Y(X)` never rises, as the last release is \
specialised. That is so where all columns by which releases are
joined are in `x`. Where one is missing, a share may fall: a test has an example. The verifier \
judges the join as it is, so this only means that `tds4sa` may overlook a release that would do.

## Monotonicity

Generalizing the last release never takes away a match. With all columns of the join in `x`, it \
keeps the promise.
",
    about: About { asks: &[Fact::Earlier], limits: &[Disclosure::Identity, Disclosure::Attribute] },
    ..Info::DEFAULT
};

impl Model for SequentialXyPrivacy {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, _: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let names = |name: &str| -> Result<Vec<String>> {
            let mut names = params.list(name).unwrap_or_default();
            names.sort();
            names.dedup();
            match names.is_empty() {
                true => Err(Error::params(format!("{}: {name} names no column", INFO.name))),
                false => Ok(names),
            }
        };
        let (x, y) = (names("x")?, names("y")?);
        if let Some(both) = x.iter().find(|name| y.contains(name)) {
            return Err(Error::params(format!(
                "{}: '{both}' is in x and in y, which have no column in common",
                INFO.name
            )));
        }
        let most = match params.text("h") {
            Some(_) => Some(Ratio::of_param(&INFO, params, "h")?.to_share()),
            None => None,
        };
        let apart = params.list("apart").unwrap_or_default();
        let asked = JoinAsked {
            x,
            y,
            values: params.list("values"),
            k: params.count("k"),
            most,
            apart: apart.iter().map(|text| pair(text)).collect::<Result<_>>()?,
            numbers: params.text("numbers") != Some("ignored"),
        };
        let h = params.optional_number("h");
        Ok(vec![Box::new(OfTheJoin { asked, h, text: params.describe() })])
    }
}

/// `column=value & column=value`.
fn pair(text: &str) -> Result<[(String, String); 2]> {
    let one = |text: &str| {
        let (column, value) = text.split_once('=')?;
        Some((column.trim().to_string(), value.trim().to_string()))
    };
    let both = text.split_once('&').and_then(|(a, b)| Some([one(a)?, one(b)?]));
    both.filter(|[a, b]| a.0 != b.0).ok_or_else(|| {
        Error::params(format!("{}: '{text}' isn't a pair of values of two columns", INFO.name))
            .hint("write apart=[\"sex=M & test=pregnancy\"]")
    })
}

/// (X,Y)-privacy on the join.
struct OfTheJoin {
    asked: JoinAsked,
    h: Option<f64>,
    text: String,
}

impl Requirement for OfTheJoin {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        Scope::Earlier
    }
    fn asks_join(&self) -> Option<&JoinAsked> {
        Some(&self.asked)
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        true
    }
    fn holds(&self, _: &Summary, _: &Summary) -> bool {
        true
    }
    fn measures(&self) -> Vec<Measure> {
        let least = Measure {
            name: "A_Y(X)",
            required: self.asked.k as f64,
            direction: Direction::AtLeast,
        };
        let most = self.h.map(|required| Measure {
            name: "L_Y(X)",
            required,
            direction: Direction::AtMost,
        });
        [least].into_iter().chain(most).collect()
    }
    fn measure(&self, _: &Summary, _: &Summary) -> Vec<f64> {
        // No class says anything about a join.
        [f64::INFINITY].into_iter().chain(self.h.map(|_| 0.0)).collect()
    }
    fn is_count_only(&self) -> bool {
        true
    }

    fn judge_chain(&self, chain: &Chain) -> Result<Vec<Guarantee>> {
        let joined = chain.joined.as_ref().ok_or_else(|| {
            Error::unsupported(format!(
                "{} can't be judged here: the columns of the releases aren't known",
                INFO.name
            ))
            .hint("name the files of the earlier releases, or their ledger")
        })?;
        for name in self.asked.x.iter().chain(&self.asked.y) {
            joined.attribute(name).map_err(|error| {
                error.hint(
                    "ask for the model from the release on with which the last of its columns is \
                     published",
                )
            })?;
        }
        let found = LossyJoin::new(joined, &self.asked)?.judge()?;
        let guarantee = |measure: Measure, achieved: f64, violations: u64| Guarantee {
            model: INFO.name,
            requirement: self.text.clone(),
            scope: Scope::Earlier.name(),
            measure,
            achieved,
            holds: violations == 0,
            violations,
        };
        let least = Least { least: found.measured.least, violations: found.measured.few };
        let least = Guarantee::at_least(
            (INFO.name, self.text.clone()),
            ("A_Y(X)", Scope::Earlier.name()),
            self.asked.k,
            least,
        );
        let most = self.h.map(|required| {
            let measure = Measure { name: "L_Y(X)", required, direction: Direction::AtMost };
            guarantee(measure, found.measured.share, found.measured.above)
        });
        let dangling: u64 = found.dangling.iter().sum();
        let measure =
            Measure { name: "dangling records", required: 0.0, direction: Direction::AtMost };
        let all = [least].into_iter().chain(most);
        Ok(all.chain([guarantee(measure, dangling as f64, dangling)]).collect())
    }
}

impl Ratio {
    /// The same share as the core compares it.
    fn to_share(self) -> Share {
        let (num, den) = self.parts();
        Share { num, den }
    }
}
