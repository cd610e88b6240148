//! Isolation: whether a guess made from the release is so near a person's numbers that hardly
//! anybody else is near ((c,t)-isolation).

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TableStage;
use super::attribute_inference::QUERIES;
use super::guess::one_if;

/// The attack `isolation`, an entry of the registry.
pub struct Isolation;

static INFO: Info = Info {
    name: "isolation",
    summary: "guesses a person's numbers so well that fewer than t people are near the guess",
    papers: &[Paper {
        authors: "Shuchi Chawla, Cynthia Dwork, Frank McSherry, Adam Smith, Hoeteck Wee",
        title: "Toward privacy in public databases",
        venue: "Theory of Cryptography Conference",
        year: 2005,
    }],
    params: &[
        ParamSpec::with_default(
            "c",
            ParamKind::Number { min: 0.0, above: true, max: 1e6 },
            "2",
            "how many times as far as the person others may be from the guess",
        ),
        ParamSpec::optional(
            "t",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "how many people there must be near the guess; must be said",
        ),
        QUERIES,
    ],
    doc: "\
The attacker guesses that a person's numbers are the middle of the region of a class that covers \
the person, the smallest one. If the
guess is off by d, it isolates the person if fewer than `t` people of the original are within `c` \
times d of it. Distances are of
columns of numbers, each divided by its range. The rate is the share of people who are isolated; \
guessing is the same with the mean
of everybody as the guess, without the release: the model asks that the release adds nothing.
",
    ..Info::DEFAULT
};

impl Attack<TableStage> for Isolation {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized"]
    }
    fn lacks(&self, params: &Params, stage: &TableStage) -> Option<String> {
        if stage.quasi.iter().all(|column| column.numbers.is_none()) {
            return Some("a quasi column of numbers".into());
        }
        let none = params.optional_integer("t").is_none();
        none.then(|| "the number of people who must be near: 'isolation(t=5)'".into())
    }
    fn play(&self, params: &Params, stage: &TableStage, chance: &mut Chance) -> Result<Outcome> {
        let (c, t) = (params.number("c"), params.optional_integer("t").unwrap_or(1) as usize);
        let points = Points::of(stage);
        let links = stage.links_by_all();
        let asked = chance.sample(params.count("queries") as usize, stage.n);
        let asked: Vec<u32> =
            asked.into_iter().filter(|person| points.people[*person as usize].is_some()).collect();
        let mean = points.mean();
        let isolates = |person: u32, guess: &[f64]| {
            let Some(own) = &points.people[person as usize] else { return 0.0 };
            one_if(is_isolated(points.people.iter().flatten(), own, guess, c, t))
        };
        let chances: Vec<f64> = asked
            .par_iter()
            .map(|person| {
                let classes = links.of(*person as usize);
                let rows = |class: &&u32| (stage.rows_of(&[**class]), **class);
                let guess =
                    classes.iter().min_by_key(rows).map(|class| points.middle(stage, *class));
                guess.map_or(0.0, |guess| isolates(*person, &guess))
            })
            .collect();
        let without: Vec<f64> = asked.par_iter().map(|person| isolates(*person, &mean)).collect();
        let named = asked.iter().zip(&chances);
        let worst =
            named.map(|(person, chance)| Worst { record: u64::from(*person) + 1, chance: *chance });
        Ok(Outcome {
            score: Score::new(chances.iter().sum(), chances.len() as u64),
            baseline: without.iter().sum::<f64>() / without.len().max(1) as f64,
            everybody: asked.len() == stage.n,
            worst: Outcome::worst_of(worst),
            ..Outcome::default()
        })
    }
}

/// Whether fewer than t points are within c times the distance of a point from a guess.
fn is_isolated<'a>(
    points: impl Iterator<Item = &'a Vec<f64>>,
    own: &[f64],
    guess: &[f64],
    c: f64,
    t: usize,
) -> bool {
    let distance = |point: &[f64]| -> f64 {
        point.iter().zip(guess).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    let radius = c * distance(own);
    points.filter(|point| distance(point) <= radius + 1e-12).take(t).count() < t
}

/// People as points of the columns of numbers, each divided by its range.
struct Points {
    /// The columns of numbers, with the least number and the range.
    columns: Vec<(usize, f64, f64)>,
    /// The point of each person of the original; none if a number is missing.
    people: Vec<Option<Vec<f64>>>,
}

impl Points {
    fn of(stage: &TableStage) -> Self {
        let mut columns = Vec::new();
        for (at, column) in stage.quasi.iter().enumerate() {
            if let Some(numbers) = column.numbers.as_ref().filter(|numbers| !numbers.is_empty()) {
                let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                columns.push((at, least, (most - least).max(f64::MIN_POSITIVE)));
            }
        }
        let number = |person: usize, (at, least, range): &(usize, f64, f64)| {
            let column = &stage.quasi[*at];
            let number = column.numbers.as_ref()?.get(column.people[person] as usize)?;
            Some((number - least) / range)
        };
        let point = |person| columns.iter().map(|column| number(person, column)).collect();
        Points { people: (0..stage.n).map(point).collect(), columns }
    }

    fn mean(&self) -> Vec<f64> {
        let n = self.people.iter().flatten().count().max(1) as f64;
        let sum = |at: usize| self.people.iter().flatten().map(|point| point[at]).sum::<f64>();
        (0..self.columns.len()).map(|at| sum(at) / n).collect()
    }

    /// The middle of a class's region.
    fn middle(&self, stage: &TableStage, class: u32) -> Vec<f64> {
        let middle = |(at, least, range): &(usize, f64, f64)| {
            let column = &stage.quasi[*at];
            let numbers = column.numbers.as_deref().unwrap_or_default();
            let cover = &column.covers[column.text_of_class[class as usize] as usize];
            let covered = (0u32..).zip(numbers).filter(|(code, _)| cover.has(*code));
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            covered.for_each(|(_, x)| (low, high) = (low.min(*x), high.max(*x)));
            if low <= high { ((low + high) / 2.0 - least) / range } else { 0.5 }
        };
        self.columns.iter().map(middle).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_with_few_points_isolates() {
        let points: Vec<Vec<f64>> = [0.0, 1.0, 2.0, 10.0].iter().map(|x| vec![*x]).collect();
        let isolated =
            |own: usize, guess: f64, c, t| is_isolated(points.iter(), &points[own], &[guess], c, t);
        // A guess off by 1 from 10: within 2 are 10 alone.
        assert!(isolated(3, 9.0, 2.0, 2) && !isolated(3, 9.0, 2.0, 1));
        // Within 7 times 1 are 2 and 10.
        assert!(!isolated(3, 9.0, 7.0, 2) && isolated(3, 9.0, 7.0, 3));
        assert!(!isolated(0, 1.0, 1.0, 3) && isolated(0, 1.0, 1.0, 4));
    }
}
