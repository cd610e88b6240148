//! What an attack on paths looks at: the published paths, and the original by which it is judged.

use rayon::prelude::*;
use sfumato_core::registry::Params;
use sfumato_core::sequences::Knows;
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::Chance;

use crate::data::sequences::contains;
use crate::data::{PathData, Paths, Step, View};

/// Published paths beside their original.
pub struct PathStage {
    /// The original.
    pub original: PathData,
    /// The published paths, in the codes of the original's steps.
    pub published: Paths,
    /// The sensitive values of published paths: for each column the value in words.
    pub values: Vec<Vec<String>>,
    /// What stands beside each published path that an attacker may know, and beside each person's.
    pub beside: (Vec<Vec<String>>, Vec<Vec<String>>),
    /// Another release of the same people, if there is one.
    pub other: Option<OtherPaths>,
}

/// Another release of the same people.
pub struct OtherPaths {
    /// Its paths, in the codes of the original's steps.
    pub published: Paths,
    /// Its sensitive values: for each column the value in words.
    pub values: Vec<Vec<String>>,
}

/// No step of the original.
const NONE: u32 = u32::MAX;

impl PathStage {
    /// Put a release beside its original. Steps that the original hasn't are of nobody.
    pub fn new(original: PathData, release: &PathData) -> PathStage {
        let OtherPaths { published, values } = OtherPaths::of(&original, release);
        let beside = (beside_of(release), beside_of(&original));
        PathStage { original, published, values, beside, other: None }
    }

    /// Put another release of the same people beside them.
    pub fn with_other(mut self, release: &PathData) -> PathStage {
        self.other = Some(OtherPaths::of(&self.original, release));
        self
    }

    /// The people who are asked about, and whether that is everybody. Whoever has no path isn't
    /// asked about.
    pub fn people(&self, params: &Params, chance: &mut Chance) -> (Vec<u32>, bool) {
        let all: Vec<u32> = (0..)
            .zip(self.original.paths.iter())
            .filter(|(_, path)| !path.is_empty())
            .map(|(person, _)| person)
            .collect();
        let n = usize::try_from(params.count("people")).unwrap_or(usize::MAX);
        if all.len() <= n {
            return (all, true);
        }
        let drawn = chance.sample(n, all.len());
        (drawn.into_iter().map(|at| all[at as usize]).collect(), false)
    }

    /// Whether a published path can be that of a person: it is a part of theirs.
    pub fn may_be(&self, published: u32, person: u32) -> bool {
        let own = self.original.paths.get(person as usize);
        contains(own, self.published.get(published as usize))
    }
}

impl OtherPaths {
    /// A release in the codes of the original. Steps that the original hasn't are of nobody.
    fn of(original: &PathData, release: &PathData) -> OtherPaths {
        let by_name =
            |names: &[String]| -> FastMap<String, u32> { names.iter().cloned().zip(0..).collect() };
        let (places, times) = (by_name(&original.places), by_name(&original.times));
        let code = |step: &Step| -> Option<u32> {
            let place = *places.get(&release.places[step.place as usize])?;
            let time = match release.times.get(step.time as usize) {
                Some(time) => *times.get(time)?,
                None => 0,
            };
            original.steps.binary_search(&Step { time, place }).ok().map(|code| code as u32)
        };
        let code_of: Vec<u32> =
            release.steps.iter().map(|step| code(step).unwrap_or(NONE)).collect();
        let published = release
            .paths
            .iter()
            .map(|path| {
                let codes = path.iter().map(|step| code_of[*step as usize]);
                codes.filter(|code| *code != NONE).collect::<Vec<u32>>()
            })
            .collect();
        let value = |column: &crate::data::SensitiveColumn| {
            let values = column.of_record.iter();
            values.map(|value| column.values[*value as usize].clone()).collect()
        };
        let values = release.sensitive.iter().map(value).collect();
        OtherPaths { published, values }
    }
}

/// What an attacker knows of each person, and where it is in the release.
pub struct Knowledge {
    view: View,
    seen: Paths,
    /// The published paths that have each step.
    having: Vec<Vec<u32>>,
    ordered: bool,
    /// Whether what stands beside paths is known.
    knows_beside: bool,
}

impl Knowledge {
    /// Index the release for an attacker with these parameters.
    pub fn new(stage: &PathStage, params: &Params) -> Result<Knowledge> {
        let indexed = Knowledge::over(stage, &stage.published, params)?;
        Ok(Knowledge { knows_beside: params.flag("beside"), ..indexed })
    }

    /// Index published paths, in the codes of the original, for an attacker with these parameters
    /// who knows nothing that stands beside paths.
    pub fn over(stage: &PathStage, published: &Paths, params: &Params) -> Result<Knowledge> {
        let knows = params.text("knows").and_then(Knows::of_word).unwrap_or(Knows::Points);
        let view = stage.original.view(knows);
        let seen = view.of(published);
        let mut having: Vec<Vec<u32>> = vec![Vec::new(); view.n_codes];
        for (path, steps) in (0..).zip(seen.iter()) {
            for step in steps {
                if having[*step as usize].last() != Some(&path) {
                    having[*step as usize].push(path);
                }
            }
        }
        let ordered = params.text("ordered").is_none_or(|word| word == "true");
        Ok(Knowledge { view, seen, having, ordered, knows_beside: false })
    }

    /// Some steps of a person, drawn at random, in their order, as the attacker sees them.
    pub fn draw(
        &self,
        stage: &PathStage,
        person: u32,
        points: usize,
        chance: &mut Chance,
    ) -> Vec<u32> {
        let own: Paths =
            std::iter::once(stage.original.paths.get(person as usize).iter().copied()).collect();
        let seen = self.view.of(&own);
        let path = seen.get(0);
        chance.sample(points, path.len()).into_iter().map(|at| path[at as usize]).collect()
    }

    /// The published paths that fit what is known. Steps that no published path has were left
    /// out, and the attacker goes by the others; without any nothing is known.
    pub fn candidates(&self, known: &[u32]) -> Option<Vec<u32>> {
        let known: Vec<u32> =
            known.iter().copied().filter(|step| !self.having[*step as usize].is_empty()).collect();
        let rarest = known.iter().min_by_key(|step| self.having[**step as usize].len())?;
        let fits = |path: &&u32| {
            let own = self.seen.get(**path as usize);
            match self.ordered {
                true => contains(own, &known),
                false => has_all(own, &known),
            }
        };
        Some(self.having[*rarest as usize].iter().filter(fits).copied().collect())
    }

    /// Of some paths those that have the same beside them as a person, if that is known and
    /// published
    /// at all: values that were generalized are like nobody's.
    fn same_beside(&self, stage: &PathStage, person: u32, paths: Vec<u32>) -> Vec<u32> {
        let (published, original) = &stage.beside;
        let own = &original[person as usize];
        let is_same = |path: &u32| published[*path as usize] == *own;
        if !self.knows_beside || own.is_empty() || !(0..published.len() as u32).any(|p| is_same(&p))
        {
            return paths;
        }
        paths.into_iter().filter(is_same).collect()
    }

    /// Ask about people, one after the other: what is known of each, and which paths fit.
    pub fn ask(
        &self,
        stage: &PathStage,
        people: &[u32],
        points: usize,
        chance: &mut Chance,
    ) -> Vec<Option<Vec<u32>>> {
        let known: Vec<Vec<u32>> =
            people.iter().map(|person| self.draw(stage, *person, points, chance)).collect();
        let look = |(person, known): (&u32, &Vec<u32>)| {
            let found = self.candidates(known)?;
            Some(self.same_beside(stage, *person, found))
        };
        people.par_iter().zip(&known).map(look).collect()
    }
}

/// What stands beside each path that an attacker may know.
fn beside_of(data: &PathData) -> Vec<Vec<String>> {
    let value = |column: &crate::data::SensitiveColumn, record: usize| {
        column.values[column.of_record[record] as usize].clone()
    };
    let beside = |record| data.quasi.iter().map(|column| value(column, record)).collect();
    (0..data.paths.len()).map(beside).collect()
}

/// Whether a path has all steps, in any order, each as often as it is known.
fn has_all(path: &[u32], known: &[u32]) -> bool {
    let count = |steps: &[u32], step: u32| steps.iter().filter(|own| **own == step).count();
    known.iter().all(|step| count(path, *step) >= count(known, *step))
}
