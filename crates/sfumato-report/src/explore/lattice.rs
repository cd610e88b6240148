//! Draws the lattice as a Hasse diagram: nodes by height, with the original at the bottom and
//! everything suppressed at the top.

use super::draw::Drawing;
use super::scale::short;
use super::{Lattice, LatticeNode};
use crate::escape::shorten;
use crate::numbers::{count, percent, quantity};

const NODE_HEIGHT: f64 = 32.0;
const ROW: f64 = 86.0;
const TOP: f64 = 132.0;
const MARGIN: f64 = 28.0;
const GAP: f64 = 12.0;

/// The diagram as an SVG file.
pub fn draw_lattice(lattice: &Lattice) -> String {
    let highest = lattice.nodes.iter().map(LatticeNode::height).max().unwrap_or(0);
    let mut by_height: Vec<Vec<usize>> = vec![Vec::new(); highest + 1];
    for (index, node) in lattice.nodes.iter().enumerate() {
        by_height[node.height()].push(index);
    }
    let labels: Vec<String> = lattice.nodes.iter().map(label).collect();
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(1);
    let node_width = (longest as f64 * 7.0 + 16.0).max(60.0);
    let widest = by_height.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let width = (2.0 * MARGIN + widest * (node_width + GAP)).max(760.0);
    let height = TOP + (highest + 1) as f64 * ROW + 8.0;

    let satisfying = lattice.nodes.iter().filter(|node| node.satisfies).count();
    let title = format!("Full-domain recodings for k = {}", count(lattice.k));
    let summary = format!(
        "{satisfying} of {} nodes satisfy the requirements",
        count(lattice.nodes.len() as u64)
    );
    let mut drawing = Drawing::open(width, height, &title, &summary);
    head(&mut drawing, lattice, &title, &summary);

    let mut places = vec![(0.0, 0.0); lattice.nodes.len()];
    for (height, row) in by_height.iter().enumerate() {
        let start = width / 2.0 - row.len() as f64 * (node_width + GAP) / 2.0;
        for (place, index) in row.iter().enumerate() {
            let x = start + (place as f64 + 0.5) * (node_width + GAP);
            places[*index] = (x, TOP + (highest - height) as f64 * ROW + NODE_HEIGHT / 2.0);
        }
    }
    for (low, high) in edges(lattice) {
        let ((x1, y1), (x2, y2)) = (places[low], places[high]);
        drawing.line("edge", (x1, y1 - NODE_HEIGHT / 2.0), (x2, y2 + NODE_HEIGHT / 2.0));
    }
    for (node, ((x, y), label)) in lattice.nodes.iter().zip(places.iter().zip(&labels)) {
        let place = (x - node_width / 2.0, y - NODE_HEIGHT / 2.0, node_width, NODE_HEIGHT);
        draw_node(&mut drawing, lattice, node, label, place);
    }
    drawing.close()
}

/// Pairs of nodes of which the second is at the next level that is shown, in exactly one column.
/// Nodes are ordered such that the last column changes fastest, so that each neighbour is a fixed
/// step away.
fn edges(lattice: &Lattice) -> Vec<(usize, usize)> {
    let mut strides = vec![1usize; lattice.columns.len()];
    for column in (1..strides.len()).rev() {
        strides[column - 1] = strides[column] * lattice.columns[column].shown.len();
    }
    let mut edges = Vec::new();
    for (index, node) in lattice.nodes.iter().enumerate() {
        for (column, stride) in strides.iter().enumerate() {
            if lattice.columns[column].shown.last().is_some_and(|top| node.levels[column] < *top) {
                edges.push((index, index + stride));
            }
        }
    }
    edges
}

fn label(node: &LatticeNode) -> String {
    let levels: Vec<String> = node.levels.iter().map(usize::to_string).collect();
    levels.join(",")
}

fn head(drawing: &mut Drawing, lattice: &Lattice, title: &str, summary: &str) {
    drawing.text("title", (MARGIN, 34.0), title);
    let allowed = count(lattice.max_suppressed);
    drawing.text(
        "soft",
        (MARGIN, 55.0),
        &format!("{summary}; {} records, at most {allowed} suppressed", count(lattice.rows)),
    );
    let columns: Vec<String> = lattice
        .columns
        .iter()
        .map(|c| format!("{} 0\u{2013}{}", c.name, c.levels.max(1) - 1))
        .collect();
    drawing.text(
        "soft",
        (MARGIN, 75.0),
        &shorten(&format!("levels of {}; below them {}", columns.join(", "), lattice.metric), 110),
    );
    if let Some(part) = lattice.part() {
        drawing.text("soft", (MARGIN, 122.0), &shorten(&part, 150));
    }
    let items: [(&str, f64, Option<&str>, &str); 4] = [
        ("yes", 0.85, None, "satisfies (paler: more suppressed)"),
        ("no", 0.5, None, "doesn't"),
        ("yes", 0.5, Some("minimal"), "minimal"),
        ("yes", 0.5, Some("best"), "loses least"),
    ];
    let mut x = MARGIN;
    for (class, opacity, outline, words) in items {
        let place = (x, 88.0, 26.0, 16.0);
        drawing.rect("ground", place, 1.0);
        drawing.rect(class, place, opacity);
        drawing.rect(outline.unwrap_or("frame"), place, 1.0);
        drawing.text("", (x + 34.0, 101.0), words);
        x += 58.0 + 6.9 * words.chars().count() as f64;
    }
}

fn draw_node(
    drawing: &mut Drawing,
    lattice: &Lattice,
    node: &LatticeNode,
    label: &str,
    place: (f64, f64, f64, f64),
) {
    let share = node.suppressed as f64 / lattice.rows.max(1) as f64;
    let names: Vec<String> = lattice
        .columns
        .iter()
        .zip(&node.levels)
        .map(|(column, level)| format!("{} {level}", column.name))
        .collect();
    drawing.begin(&format!(
        "{}: {}, {} suppressed ({}), {} classes, {} {}",
        names.join(", "),
        if node.satisfies { "satisfies" } else { "doesn't satisfy" },
        count(node.suppressed),
        percent(share),
        count(node.classes),
        lattice.metric,
        node.loss.map_or("not known".into(), quantity)
    ));
    drawing.rect("ground", place, 1.0);
    // Where little may be suppressed all that satisfies would look alike, so green is shaded within
    // what is allowed.
    let (class, opacity) = match node.satisfies {
        true => {
            let limit = lattice.max_suppressed.max(1) as f64;
            ("yes", 0.85 - 0.55 * (node.suppressed as f64 / limit).min(1.0))
        }
        false => ("no", 0.15 + 0.5 * share.min(1.0)),
    };
    drawing.rect(class, place, opacity);
    drawing.rect(if node.minimal { "minimal" } else { "frame" }, place, 1.0);
    if node.best {
        // Around the other outline: a node may be both.
        drawing.rect("best", (place.0 - 2.5, place.1 - 2.5, place.2 + 5.0, place.3 + 5.0), 1.0);
    }
    let middle = place.0 + place.2 / 2.0;
    drawing.text("middle bold", (middle, place.1 + 14.0), label);
    drawing.text(
        "middle small",
        (middle, place.1 + 26.5),
        &node.loss.map_or("\u{2013}".into(), short),
    );
    drawing.end();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::LatticeColumn;
    use crate::explore::fixture::is_well_formed;

    /// Two columns of 2 and 3 levels.
    fn lattice() -> Lattice {
        let column = |name: &str, levels| LatticeColumn::whole(name, levels);
        let node = |a, b, satisfies, minimal, best| LatticeNode {
            levels: vec![a, b],
            satisfies,
            suppressed: if satisfies { 1 } else { 9 },
            classes: 3,
            loss: Some(0.25),
            minimal,
            best,
        };
        Lattice {
            k: 3,
            rows: 10,
            max_suppressed: 2,
            metric: "ncp".into(),
            columns: vec![column("a<b", 2), column("c", 3)],
            nodes: vec![
                node(0, 0, false, false, false),
                node(0, 1, false, false, false),
                node(0, 2, true, true, false),
                node(1, 0, true, true, true),
                node(1, 1, true, false, false),
                node(1, 2, true, false, false),
            ],
        }
    }

    #[test]
    fn every_node_and_edge_is_drawn() {
        let svg = draw_lattice(&lattice());
        assert!(is_well_formed(&svg), "{svg}");
        assert_eq!(svg.matches("<line class=\"edge\"").count(), 3 + 4);
        for label in ["0,0", "0,1", "0,2", "1,0", "1,1", "1,2"] {
            assert!(svg.contains(&format!(">{label}</text>")), "{label}");
        }
        // One of each outline stands in the legend.
        assert_eq!(svg.matches("class=\"minimal\"").count(), 1 + 2);
        assert_eq!(svg.matches("class=\"best\"").count(), 1 + 1);
        assert!(svg.contains("a&lt;b 1, c 0: satisfies, 1 suppressed (10 %), 3 classes, ncp 0.25"));
        assert!(!svg.contains("a<b") && !svg.contains("NaN"));
    }

    #[test]
    fn edges_lead_one_level_up_in_one_column() {
        let lattice = lattice();
        for (low, high) in edges(&lattice) {
            let (low, high) = (&lattice.nodes[low], &lattice.nodes[high]);
            assert_eq!(low.height() + 1, high.height());
            assert_eq!(low.levels.iter().zip(&high.levels).filter(|(a, b)| a != b).count(), 1);
        }
    }

    #[test]
    fn a_lattice_of_nothing_is_still_a_picture() {
        assert!(is_well_formed(&draw_lattice(&Lattice::default())));
    }
}
