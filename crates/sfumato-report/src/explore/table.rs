//! Writes the grid as a table of words for a terminal, with its conclusions in sentences below.

use std::fmt::Write as _;

use super::{Curve, Exploration, Figures, Lattice};
use crate::numbers::{count, duration, percent, quantity};
use crate::words::tame;

/// The table, each line ending with a newline.
pub fn words(exploration: &Exploration) -> String {
    let mut text = String::new();
    let rows = count(exploration.rows);
    let _ = writeln!(text, "data       {} ({rows} records)", tame(&exploration.input));
    let suppressed = match exploration.quasi.is_empty() {
        true => {
            let Exploration { kind, form, .. } = exploration;
            let _ = writeln!(text, "kind       {kind}, published as {form}");
            String::new()
        }
        false => {
            let _ = writeln!(text, "quasi      {}", tame(&exploration.quasi.join(", ")));
            format!("; at most {} records suppressed", count(exploration.max_suppressed))
        }
    };
    let models = exploration.models.iter().map(|model| format!(" and {model}")).collect::<String>();
    let tried = tame(&exploration.tried);
    let _ = writeln!(text, "require    {tried} at each k{}{suppressed}\n", tame(&models));
    push_grid(&mut text, exploration);
    text.push('\n');
    for curve in &exploration.curves {
        let _ = writeln!(text, "knee       {}", knee(exploration, curve));
    }
    if let Some(ranking) = &exploration.ranking {
        let _ = writeln!(text, "ranking    {ranking}");
    }
    if !exploration.left_out.is_empty() {
        let ks: Vec<String> = exploration.left_out.iter().map(|k| count(*k)).collect();
        let _ = writeln!(text, "left out   k = {}: there are {rows} records", ks.join(", "));
    }
    if let Some(lattice) = &exploration.lattice {
        let _ = writeln!(text, "lattice    {}", lattice_words(lattice));
        if let Some(part) = lattice.part() {
            let _ = writeln!(text, "           {part}");
        }
    }
    text
}

fn knee(exploration: &Exploration, curve: &Curve) -> String {
    let points =
        curve.cells.iter().filter(|cell| cell.figures.as_ref().is_some_and(|f| f.loss.is_some()));
    match &curve.knee {
        Some(knee) => {
            let (name, metric) = (&curve.algorithm, &exploration.metric);
            format!("{name} bends most at k = {} ({metric} {})", count(knee.k), quantity(knee.loss))
        }
        None if points.count() < 3 => {
            format!("{} has none: it takes three points", curve.algorithm)
        }
        None => format!("{} has none: it doesn't bend", curve.algorithm),
    }
}

fn lattice_words(lattice: &Lattice) -> String {
    let satisfying = lattice.nodes.iter().filter(|node| node.satisfies).count() as u64;
    let minimal = lattice.nodes.iter().filter(|node| node.minimal).count() as u64;
    let nodes = count(lattice.nodes.len() as u64);
    let start = format!("{} of {nodes} nodes satisfy k = {}", count(satisfying), count(lattice.k));
    let Some(best) = lattice.nodes.iter().find(|node| node.best) else { return start };
    let levels: Vec<String> = lattice
        .columns
        .iter()
        .zip(&best.levels)
        .map(|(column, level)| format!("{} {level}", tame(&column.name)))
        .collect();
    let loss = best.loss.map_or("not known".into(), quantity);
    format!(
        "{start}, {} of them minimal; the least {} is {loss} at levels {}",
        count(minimal),
        lattice.metric,
        levels.join(", ")
    )
}

fn push_grid(text: &mut String, exploration: &Exploration) {
    let known = ["ncp", "discernibility", "average-class-size"];
    let own =
        (!known.contains(&exploration.metric.as_str())).then_some(exploration.metric.as_str());
    // What only classes of a table have would be columns without a figure elsewhere.
    let of_tables = !exploration.quasi.is_empty();
    let mut heading: Vec<&str> = vec!["algorithm", "k"];
    heading.extend(own);
    if of_tables {
        heading.extend(["ncp", "discernibility", "C_avg"]);
    }
    heading.extend(["classes", "suppressed"]);
    heading.extend(["highest risk", "average risk", "time", "cpu"]);
    let mut lines: Vec<(Vec<String>, Option<&str>)> =
        vec![(heading.iter().map(ToString::to_string).collect(), None)];
    for curve in &exploration.curves {
        for cell in &curve.cells {
            let mut line = vec![curve.algorithm.clone(), count(cell.k)];
            if let Some(figures) = &cell.figures {
                if own.is_some() {
                    line.push(figures.loss.map_or("-".into(), quantity));
                }
                line.extend(columns(figures).split_off(if of_tables { 0 } else { 3 }));
            }
            lines.push((line, cell.infeasible.as_deref()));
        }
    }
    let width = |place: usize| {
        lines.iter().filter_map(move |(line, _)| line.get(place)).map(|c| c.chars().count())
    };
    let widths: Vec<usize> =
        (0..heading.len()).map(|place| width(place).max().unwrap_or(0)).collect();
    for (line, infeasible) in &lines {
        let mut out = String::new();
        for (place, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let _ = match place {
                0 => write!(out, "{cell:<width$}"),
                _ => write!(out, "  {cell:>width$}"),
            };
        }
        if let Some(reason) = infeasible {
            let _ = write!(out, "  infeasible: {}", tame(reason));
        }
        let _ = writeln!(text, "{}", out.trim_end());
    }
}

fn columns(figures: &Figures) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("-".to_string(), quantity);
    let share = |value: Option<f64>| value.map_or("-".to_string(), percent);
    vec![
        number(figures.ncp),
        number(figures.discernibility),
        number(figures.average_class_size),
        count(figures.classes),
        count(figures.suppressed),
        share(figures.highest_risk),
        share(figures.average_risk),
        duration(figures.seconds * 1e3),
        figures.cpu_seconds.map_or("-".to_string(), |seconds| duration(seconds * 1e3)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::fixture::exploration;

    #[test]
    fn columns_are_aligned_and_reasons_given() {
        let mut exploration = exploration();
        let text = words(&exploration);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "data       people & <more>.csv (1,000 records)");
        let expected = "require    k-anonymity at each k and l-diversity-distinct(l=2, \
            on=disease); at most 0 records suppressed";
        assert_eq!(lines[2], expected);
        assert_eq!(lines[4].find(" ncp").map(|at| at + 4), lines[5].find(" 0.05").map(|at| at + 5));
        assert!(lines[12].ends_with("50  infeasible: it can't, \"really\" <so>"), "{text}");
        assert!(text.contains("knee       mondrian bends most at k = 5 (ncp 0.2)\n"), "{text}");
        assert!(text.contains("mondrian(relaxed=true) has none: it doesn't bend\n"), "{text}");
        assert!(text.contains("left out   k = 5,000: there are 1,000 records\n"), "{text}");
        exploration.metric = "precision".into();
        exploration.curves[1].cells.truncate(2);
        let text = words(&exploration);
        assert!(text.contains("k  precision "), "{text}");
        assert!(
            text.contains("mondrian(relaxed=true) has none: it takes three points\n"),
            "{text}"
        );
    }
}
