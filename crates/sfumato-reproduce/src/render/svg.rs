//! The tables of a figure as charts.

use sfumato_report::chart::{Chart, Curve, Kind, draw_charts};

use crate::found::{FigureResult, Plot, Table};

/// The picture; `None` where no table is to be drawn.
pub fn draw(result: &FigureResult) -> Option<String> {
    let charts: Vec<Chart> = result.tables.iter().filter_map(chart).collect();
    (!charts.is_empty())
        .then(|| draw_charts(&format!("{}: {}", result.name, result.caption), &result.scale, &charts))
}

fn chart(table: &Table) -> Option<Chart> {
    let kind = match table.plot {
        Plot::None => return None,
        Plot::Lines => Kind::Lines,
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
