//! What is published of noisy answers: a line for each number.

use sfumato_core::column::Provenance;
use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, Result};
use sfumato_engine::draft::Draft;
use sfumato_io::{ReadOptions, append_lines, read, select_all};

use crate::algorithms::answering::noisy_answers::{bound, most_in_common, raise};
use crate::algorithms::answering::{Drawn, Question};
use crate::data::Graph;
use crate::metrics::shape::triangles;

const COLUMNS: [&str; 3] = ["answer", "place", "number"];
const NODES: &str = "nodes";

/// Answers about a graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Published {
    /// How many nodes there are, exactly.
    pub nodes: u64,
    /// About how many edges there are.
    pub edges: Option<u64>,
    /// About all degrees, the largest first.
    pub degrees: Option<Vec<u64>>,
    /// What the noise of triangles was drawn for, and about how many there are.
    pub triangles: Option<(u64, u64)>,
}

impl Published {
    /// The answers about a graph with noise that was drawn. `delta` is the chance that the bound on
    /// triangles is too low.
    pub fn of(graph: &Graph, drawn: &Drawn, delta: f64) -> Result<Published> {
        let n = graph.n() as u64;
        let mut found = Published { nodes: n, ..Published::default() };
        let mut for_triangles = 0;
        for noise in &drawn.noise {
            let one = noise.drawn.first().copied().unwrap_or(0);
            match noise.question {
                Question::Edges => {
                    let most = n * n.saturating_sub(1) / 2;
                    found.edges = Some(within(graph.m(), one, most));
                }
                Question::Degrees => found.degrees = Some(degrees(graph, &noise.drawn)?),
                Question::TrianglesBound => {
                    let most = most_in_common(graph)? as i64 + raise(noise.law, delta);
                    for_triangles = bound(most.saturating_add(one), graph.n());
                }
                Question::Triangles => {
                    let most = n.saturating_mul(n).saturating_mul(n) / 6;
                    found.triangles = Some((for_triangles, within(triangles(graph), one, most)));
                }
            }
        }
        Ok(found)
    }

    fn rows(&self) -> Vec<(&'static str, u64, u64)> {
        let mut rows = vec![(NODES, 1, self.nodes)];
        rows.extend(self.edges.map(|number| (Question::Edges.name(), 1, number)));
        let degrees = (1u64..).zip(self.degrees.iter().flatten());
        rows.extend(degrees.map(|(place, degree)| (Question::Degrees.name(), place, *degree)));
        if let Some((bound, number)) = self.triangles {
            rows.push((Question::TrianglesBound.name(), 1, bound));
            rows.push((Question::Triangles.name(), 1, number));
        }
        rows
    }

    /// Write the file of a draft.
    pub fn write(&self, draft: &mut Draft, name: &str) -> Result<()> {
        let mut text = COLUMNS.join(",") + "\n";
        for (answer, place, number) in self.rows() {
            text += &format!("{answer},{place},{number}\n");
        }
        draft.write(|mut out| {
            append_lines(&mut out, text.into_bytes(), name)?;
            Ok(out)
        })
    }

    /// Read a file.
    pub fn read(path: &str) -> Result<(Published, Provenance)> {
        let options =
            ReadOptions { header: Some(true), delimiter: Some(b','), ..ReadOptions::default() };
        let table = read(path, &options, &mut select_all, &Unobserved)?;
        if table.header != COLUMNS {
            return Err(
                Error::input(format!("the columns should be {}", COLUMNS.join(", "))).in_file(path)
            );
        }
        let mut found = Published::default();
        let (mut degrees, mut bound, mut has_nodes) = (Vec::new(), None, false);
        for row in 0..table.n_rows {
            let cell = |column: usize| {
                let column = &table.columns[column];
                column.values.get(column.codes.get(row))
            };
            let wrong = |what: &str| Error::input(what).in_file(path).at_line(row as u64 + 2);
            let number = |column: usize| {
                cell(column).parse::<u64>().map_err(|_| wrong("this isn't a whole number"))
            };
            let (place, number) = (number(1)?, number(2)?);
            let is_new = match cell(0) {
                NODES => {
                    !std::mem::replace(&mut has_nodes, true) && {
                        found.nodes = number;
                        place == 1
                    }
                }
                "edges" => found.edges.replace(number).is_none() && place == 1,
                "degree" => {
                    degrees.push(number);
                    place == degrees.len() as u64
                }
                "triangles_per_edge" => bound.replace(number).is_none() && place == 1,
                "triangles" => match bound {
                    Some(bound) => found.triangles.replace((bound, number)).is_none() && place == 1,
                    None => false,
                },
                _ => return Err(wrong("this is no answer about a graph")),
            };
            if !is_new {
                return Err(wrong("an answer is there twice, or in the wrong place"));
            }
        }
        if !has_nodes || bound.is_some() != found.triangles.is_some() {
            return Err(Error::input("an answer is missing").in_file(path));
        }
        if !degrees.is_empty() {
            let falls = degrees.is_sorted_by(|a, b| a >= b);
            if degrees.len() as u64 != found.nodes || !falls {
                return Err(Error::input("degrees should fall, one for each node").in_file(path));
            }
            found.degrees = Some(degrees);
        }
        Ok((found, table.source))
    }
}

/// A count with noise, kept from 0 to what any graph has.
fn within(count: u64, noise: i64, most: u64) -> u64 {
    let sum = i128::from(count) + i128::from(noise);
    sum.clamp(0, i128::from(most)) as u64
}

/// The sorted degrees with noise, as the nearest sequence that falls.
fn degrees(graph: &Graph, noise: &[i64]) -> Result<Vec<u64>> {
    let mut sorted = graph.degrees();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    if noise.len() != sorted.len() {
        return Err(Error::internal("there isn't noise for each degree"));
    }
    let noisy: Vec<i128> = sorted
        .iter()
        .zip(noise)
        .map(|(degree, noise)| i128::from(*degree) + i128::from(*noise))
        .collect();
    let most = graph.n().saturating_sub(1) as i128;
    Ok(falling(&noisy).into_iter().map(|mean| mean.clamp(0, most) as u64).collect())
}

/// The sequence nearest to some numbers, by least squares, that falls: means of neighbours that are
/// out of order, rounded.
fn falling(numbers: &[i128]) -> Vec<i128> {
    let mut blocks: Vec<(i128, i128)> = Vec::new();
    for number in numbers {
        let mut now = (*number, 1);
        // A block with a smaller mean before a larger one joins it.
        while let Some((sum, n)) = blocks.last().copied() {
            if sum * now.1 >= now.0 * n {
                break;
            }
            blocks.pop();
            now = (sum + now.0, n + now.1);
        }
        blocks.push(now);
    }
    let mut all = Vec::with_capacity(numbers.len());
    for (sum, n) in blocks {
        let mean = (2 * sum + n).div_euclid(2 * n);
        all.extend(std::iter::repeat_n(mean, n as usize));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_falling_sequence_is_found() {
        assert_eq!(falling(&[5, 3, 4, 1]), [5, 4, 4, 1]);
        assert_eq!(falling(&[1, 2, 3]), [2, 2, 2]);
        assert_eq!(falling(&[-1, -4, -2]), [-1, -3, -3]);
        assert_eq!(falling(&[3, 3, 1]), [3, 3, 1]);
        assert!(falling(&[]).is_empty());
        // By trying all sequences of small numbers: none is nearer than the means.
        let numbers = [2, 0, 3, 1];
        let far = |all: &[i128]| -> i128 {
            numbers.iter().zip(all).map(|(a, b): (&i128, &i128)| (a - b).pow(2)).sum()
        };
        let found = falling(&numbers);
        for code in 0..256 {
            let all: Vec<i128> = (0..4).map(|place| code >> (2 * place) & 3).collect();
            if all.is_sorted_by(|a, b| a >= b) {
                assert!(far(&found) <= far(&all) + 1, "{found:?} {all:?}");
            }
        }
    }
}
