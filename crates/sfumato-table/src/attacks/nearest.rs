//! How far a person is from a published class: a mean over columns of 0 where the cell covers the
//! value, up to 1 where it is as far off as can be (the distance of Gower).

use super::TableStage;
use super::stage::Quasi;

/// Distances by some columns.
pub struct Nearest<'a> {
    columns: Vec<NearColumn<'a>>,
    n_classes: usize,
}

struct NearColumn<'a> {
    quasi: &'a Quasi,
    /// Of numbers: the least and the greatest that each published text may stand for, as shares of
    /// the range of the column.
    spans: Option<Vec<(f64, f64)>>,
    /// Of numbers: the place of each code in the range of the column.
    places: Vec<f64>,
}

/// Distances that differ by less are the same.
const SAME: f64 = 1e-9;

impl<'a> Nearest<'a> {
    /// Distances by some of the quasi columns, by their places.
    pub fn new(stage: &'a TableStage, known: &[usize]) -> Self {
        let columns = known.iter().map(|place| NearColumn::new(&stage.quasi[*place])).collect();
        Nearest { columns, n_classes: stage.classes.len() }
    }

    /// The classes that are nearest to a person, ascending.
    pub fn of(&self, person: usize) -> Vec<u32> {
        let (mut least, mut nearest) = (f64::INFINITY, Vec::new());
        for class in 0..self.n_classes {
            let mut distance = 0.0;
            for column in &self.columns {
                distance += column.distance(class, person);
                if distance > least + SAME {
                    break;
                }
            }
            if distance < least - SAME {
                (least, nearest) = (distance, vec![class as u32]);
            } else if distance <= least + SAME {
                nearest.push(class as u32);
            }
        }
        nearest
    }
}

impl<'a> NearColumn<'a> {
    fn new(quasi: &'a Quasi) -> Self {
        let Some(numbers) = &quasi.numbers else {
            return NearColumn { quasi, spans: None, places: Vec::new() };
        };
        let published = quasi.number_of_text.iter().flatten();
        let all = || numbers.iter().chain(published.clone()).copied();
        let (least, most) =
            (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let width = (most - least).max(f64::MIN_POSITIVE);
        let place = |number: f64| (number - least) / width;
        let span = |(cover, number): (&crate::forms::generalized::cover::Cover, &Option<f64>)| {
            let (low, high) = cover.span();
            let number_of = |code: u32| numbers.get(code as usize).copied();
            match (number_of(low), number_of(high), number) {
                (Some(low), Some(high), _) => (place(low), place(high)),
                // A value that nobody has: perturbed, or another tool's.
                (_, _, Some(number)) => (place(*number), place(*number)),
                (Some(low), None, None) => (place(low), 1.0),
                _ => (f64::INFINITY, f64::INFINITY),
            }
        };
        NearColumn {
            quasi,
            spans: Some(quasi.covers.iter().zip(&quasi.number_of_text).map(span).collect()),
            places: numbers.iter().map(|number| place(*number)).collect(),
        }
    }

    fn distance(&self, class: usize, person: usize) -> f64 {
        let text = self.quasi.text_of_class[class] as usize;
        let code = self.quasi.people[person];
        if self.quasi.covers[text].has(code) {
            return 0.0;
        }
        match (&self.spans, self.places.get(code as usize)) {
            (Some(spans), Some(place)) => {
                let (low, high) = spans[text];
                (low - place).max(place - high).clamp(0.0, 1.0)
            }
            _ => 1.0,
        }
    }
}
