//! Writes the grid as CSV: one line for each algorithm and k, with unrounded figures.

use super::{Cell, Curve, Exploration};
use crate::csv::push_line;

const HEADER: &str = "algorithm,k,metric,loss,ncp,discernibility,average_class_size,classes,smallest_class,suppressed,\
                      highest_risk,average_risk,seconds,cpu_seconds,knee,infeasible\n";

/// The table as CSV, header first. Missing values are empty.
pub fn csv(exploration: &Exploration) -> String {
    let mut text = HEADER.to_string();
    for curve in &exploration.curves {
        for cell in &curve.cells {
            push_line(&mut text, &fields(exploration, curve, cell));
        }
    }
    text
}

fn fields(exploration: &Exploration, curve: &Curve, cell: &Cell) -> Vec<String> {
    let mut fields = vec![curve.algorithm.clone(), cell.k.to_string(), exploration.metric.clone()];
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    match &cell.figures {
        None => fields.extend(std::iter::repeat_n(String::new(), 12)),
        Some(figures) => fields.extend([
            number(figures.loss),
            number(figures.ncp),
            number(figures.discernibility),
            number(figures.average_class_size),
            figures.classes.to_string(),
            figures.smallest_class.map_or(String::new(), |size| size.to_string()),
            figures.suppressed.to_string(),
            number(figures.highest_risk),
            number(figures.average_risk),
            figures.seconds.to_string(),
            number(figures.cpu_seconds),
            curve.knee.as_ref().is_some_and(|knee| knee.k == cell.k).to_string(),
        ]),
    }
    fields.push(cell.infeasible.clone().unwrap_or_default());
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::fixture::exploration;

    #[test]
    fn one_line_for_each_cell() {
        let text = csv(&exploration());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 9);
        assert_eq!(lines[0].split(',').count(), 16);
        assert_eq!(lines[2], "mondrian,5,ncp,0.2,0.2,5000,1.25,200,5,0,0.2,0.16,0.012,,true,");
        let last = "mondrian(relaxed=true),50,ncp,,,,,,,,,,,,,\"it can't, \"\"really\"\" <so>\"";
        assert_eq!(lines[8], last);
    }
}
