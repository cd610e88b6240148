//! The tables of a figure as charts, or its matrices as dots.

use sfumato_report::chart::{Chart, Curve, Kind, draw_charts};
use sfumato_report::matrix::draw_matrices;

use crate::found::{FigureResult, Plot, Table};

/// The picture: charts of its tables, or its matrices if no table is to be drawn; `None` without
/// either.
pub fn draw(result: &FigureResult) -> Option<String> {
    let title = format!("{}: {}", result.name, result.caption);
    let charts: Vec<Chart> = result.tables.iter().filter_map(chart).collect();
    match (charts.is_empty(), result.matrices.is_empty()) {
        (false, _) => Some(draw_charts(&title, &result.scale, &charts)),
        (true, false) => Some(draw_matrices(&title, &result.scale, &result.matrices)),
        (true, true) => None,
    }
}

fn chart(table: &Table) -> Option<Chart> {
    let kind = match table.plot {
        Plot::None => return None,
        Plot::Lines => Kind::Lines,
        Plot::LogLog => Kind::LogLog,
        Plot::Bars => Kind::Bars,
    };
    let curve = |(place, name): (usize, &String)| {
        let point = |row: &crate::found::Row| {
            row.cells.get(place).copied().flatten().map(|number| (number.mean, number.sd))
        };
        Curve { name: name.clone(), points: table.rows.iter().map(point).collect() }
    };
    Some(Chart {
        title: table.title.clone(),
        x: table.rows_are.clone(),
        y: table.measure.clone(),
        kind,
        labels: table.rows.iter().map(|row| row.label.clone()).collect(),
        series: table.columns.iter().enumerate().map(curve).collect(),
    })
}
