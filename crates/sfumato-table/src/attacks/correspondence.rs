//! Correspondence: whoever has two releases of a growing table rules out records.

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome};
use sfumato_kernels::correspondence::together;

use super::TableStage;
use super::guess::one_if;

/// The attack `correspondence`, an entry of the registry.
pub struct Correspondence;

static INFO: Info = Info {
    name: "correspondence",
    summary: "rules out records by two releases of which the second has all records of the first",
    papers: &[Paper {
        authors: "B. C. M. Fung, K. Wang, A. W.-C. Fu, J. Pei",
        title: "Anonymity for continuous data publishing",
        venue: "EDBT",
        year: 2008,
    }],
    params: &[
        ParamSpec::optional(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "fewer records left are a success; those of the smallest class without it",
        ),
        ParamSpec::optional(
            "l",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "fewer different sensitive values left are a success, too",
        ),
        ParamSpec::optional(
            "before",
            ParamKind::Integer { min: 0, max: i64::MAX },
            "how many of the first records of the original the first release has",
        ),
    ],
    doc: include_str!("correspondence.md"),
    ..Info::DEFAULT
};

/// What is left of somebody's classes: records, and different sensitive values.
type Left = (u64, u64);

impl Attack<TableStage> for Correspondence {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        let other = || {
            let there = stage.other.is_some() && stage.chain.is_some();
            (!there).then(|| "the release before this one (--other)".into())
        };
        stage.lacks_sensitive().or_else(other)
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let (Some(first), Some(chain)) = (stage.other.as_deref(), &stage.chain) else {
            return Ok(Outcome::default());
        };
        let chain = chain.as_ref().map_err(Clone::clone)?;
        let mut of_both: FastMap<(u32, u32), Left> = FastMap::default();
        let mut of_new: FastMap<u32, Left> = FastMap::default();
        together(chain, &mut |left| {
            let found: Left = (left.values.iter().map(|(_, n)| n).sum(), left.values.len() as u64);
            match *left.classes {
                [one, two] => of_both.insert((one, two), found),
                [two] if left.since == 1 => of_new.insert(two, found),
                _ => None,
            };
        })?;
        let smallest =
            |stage: &TableStage| stage.classes.iter().map(|class| class.rows.len()).min();
        let alone = smallest(stage).into_iter().chain(smallest(first)).min().unwrap_or(0);
        let k = params.optional_integer("k").map_or(alone as u64, i64::unsigned_abs);
        let l = params.optional_integer("l").map_or(0, i64::unsigned_abs);
        let before =
            params.optional_integer("before").map_or(first.n_rows, |n| n.unsigned_abs() as usize);
        let (one, two) = (first.links_by_all(), stage.links_by_all());
        // The least of the classes that somebody can be in.
        let left_of = |person: usize| -> Option<Left> {
            let now = two.of(person);
            let mut all: Vec<Left> = Vec::new();
            match person < before {
                false => all.extend(now.iter().filter_map(|class| of_new.get(class))),
                true => {
                    for old in one.of(person) {
                        all.extend(now.iter().filter_map(|class| of_both.get(&(old, *class))));
                    }
                }
            }
            let possible = all.into_iter().filter(|(records, _)| *records > 0);
            possible.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))
        };
        let found: Vec<Option<Left>> = (0..stage.n).map(left_of).collect();
        let unknown = found.iter().filter(|left| left.is_none()).count();
        let is_cracked = |left: &Option<Left>| left.is_some_and(|(n, values)| n < k || values < l);
        let chances: Vec<f64> = found.iter().map(|left| one_if(is_cracked(left))).collect();
        let mut outcome = Outcome::of_everybody(&chances, 0.0);
        let least = found.iter().flatten().map(|(records, _)| *records).min();
        outcome.remarks.push(match least {
            Some(least) => format!(
                "{least} records are left of whom least are left of, and the smallest class has \
                 {alone}"
            ),
            None => "nobody of the original is in the classes of the releases".into(),
        });
        if unknown > 0 {
            outcome.remarks.push(format!(
                "{unknown} people are in no classes that records can correspond in: they aren't \
                 counted as successes"
            ));
        }
        Ok(outcome)
    }
}
