//! Draws a hierarchy as a text tree that fits a screen.

use sfumato_core::dataset::{Hierarchy, NodeId};

use crate::shorten;

/// Draw the tree in at most `max_lines` lines (but at least one, for the root) of at most `width`
/// characters. Each inner node is shown with the number of values below it. What doesn't fit
/// becomes `… 37 more`.
pub fn draw(hierarchy: &Hierarchy, max_lines: usize, width: usize) -> String {
    drawn(hierarchy, max_lines, width, None)
}

/// Draw the tree with some nodes marked by a dot. If it doesn't fit, what lies below the lowest
/// marks is left out first, and other omissions say how many marks they contain.
pub fn draw_marked(
    hierarchy: &Hierarchy,
    max_lines: usize,
    width: usize,
    is_marked: &dyn Fn(NodeId) -> bool,
) -> String {
    drawn(hierarchy, max_lines, width, Some(is_marked))
}

fn drawn(
    hierarchy: &Hierarchy,
    max_lines: usize,
    width: usize,
    is_marked: Option<&dyn Fn(NodeId) -> bool>,
) -> String {
    let n = hierarchy.n_nodes();
    let marked: Vec<bool> =
        (0..n as NodeId).map(|node| is_marked.is_some_and(|is_marked| is_marked(node))).collect();
    // Children have larger numbers than their parent, so every sum is complete before it is added.
    let mut marks: Vec<usize> = marked.iter().map(|marked| usize::from(*marked)).collect();
    for node in (1..n).rev() {
        marks[hierarchy.parent(node as NodeId) as usize] += marks[node];
    }
    let is_open = |node: usize| {
        is_marked.is_none() || n <= max_lines || marks[node] > usize::from(marked[node])
    };
    let open: Vec<bool> = (0..n).map(is_open).collect();
    let mut sizes = vec![1usize; n];
    for node in (1..n).rev() {
        let parent = hierarchy.parent(node as NodeId) as usize;
        if open[parent] {
            sizes[parent] += sizes[node];
        }
    }
    let mut drawing = Drawing { hierarchy, marked, marks, open, sizes, width, lines: Vec::new() };
    drawing.push("", "", &drawing.name(Hierarchy::ROOT));
    drawing.below(Hierarchy::ROOT, "", max_lines.saturating_sub(1));
    drawing.lines.join("\n") + "\n"
}

struct Drawing<'a> {
    hierarchy: &'a Hierarchy,
    marked: Vec<bool>,
    /// How many marked nodes each subtree has.
    marks: Vec<usize>,
    /// Whether the children of a node are drawn.
    open: Vec<bool>,
    /// How many nodes of each subtree are drawn.
    sizes: Vec<usize>,
    width: usize,
    lines: Vec<String>,
}

impl Drawing<'_> {
    fn name(&self, node: NodeId) -> String {
        let label = self.hierarchy.label(node);
        let mark = if self.marked[node as usize] { "● " } else { "" };
        if self.hierarchy.level(node) == 0 {
            return format!("{mark}{label}");
        }
        format!("{mark}{label} ({})", self.hierarchy.leaves(node))
    }

    fn push(&mut self, prefix: &str, branch: &str, name: &str) {
        self.lines.push(shorten(&format!("{prefix}{branch}{name}"), self.width));
    }

    /// Draw what lies below a node in at most `budget` lines, and return how many it took.
    fn below(&mut self, node: NodeId, prefix: &str, budget: usize) -> usize {
        if !self.open[node as usize] {
            return 0;
        }
        let children = self.hierarchy.children(node);
        let n = children.len();
        // With one line for several children, the count at the parent says as much.
        if n > budget && budget < 2 {
            let hidden = self.marks[node as usize] - usize::from(self.marked[node as usize]);
            if let Some(line) = self.lines.last_mut().filter(|_| hidden > 0) {
                *line = shorten(&format!("{line} … {hidden} ●"), self.width);
            }
            return 0;
        }
        let shown = if n <= budget { n } else { budget - 1 };
        let mut spare = budget - shown - usize::from(shown < n);
        let before = self.lines.len();
        let hidden: usize =
            children.clone().skip(shown).map(|child| self.marks[child as usize]).sum();
        let mut later: usize =
            children.clone().take(shown).map(|child| self.sizes[child as usize] - 1).sum();
        for (i, child) in children.take(shown).enumerate() {
            let last = i + 1 == n;
            self.push(prefix, if last { "└── " } else { "├── " }, &self.name(child));
            // An equal share, or more where the later siblings don't need theirs. What is left over
            // goes to them.
            let need = self.sizes[child as usize] - 1;
            later -= need;
            let share = (spare / (shown - i)).max(spare.saturating_sub(later)).min(need);
            let below = format!("{prefix}{}", if last { "    " } else { "│   " });
            spare -= self.below(child, &below, share);
        }
        if shown < n {
            let marks = if hidden > 0 { format!(", {hidden} ●") } else { String::new() };
            self.push(prefix, "└── ", &format!("… {} more{marks}", n - shown));
        }
        self.lines.len() - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sfumato_core::dataset::LevelTable;

    fn tree(rows: &[&str]) -> Hierarchy {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.split(';').collect()).collect();
        Hierarchy::from_levels(&LevelTable::from_rows(&rows)).unwrap().0
    }

    #[test]
    fn draws_branches_and_counts() {
        let drawn = draw(&tree(&["a;X;*", "b;X;*", "c;Y;*"]), 99, 80);
        assert_eq!(drawn, "* (3)\n├── X (2)\n│   ├── a\n│   └── b\n└── Y (1)\n    └── c\n");
    }

    #[test]
    fn marks_stand_before_labels_and_survive_cutting() {
        let rows: Vec<String> = (0..40).map(|i| format!("v{i};g{};h{};*", i / 5, i / 20)).collect();
        let tree = tree(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let is_marked = |node: NodeId| match tree.level(node) {
            1 => tree.lo(node) < 20,
            2 => tree.lo(node) == 20,
            _ => false,
        };
        let expect = "* (40)\n├── h0 (20)\n│   ├── ● g0 (5)\n│   ├── ● g1 (5)\n│   ├── ● g2 (5)\n\
            │   └── ● g3 (5)\n└── ● h1 (20)\n";
        assert_eq!(draw_marked(&tree, 20, 80, &is_marked), expect);
        let expect =
            "* (40)\n├── h0 (20)\n│   ├── ● g0 (5)\n│   └── … 3 more, 3 ●\n└── ● h1 (20)\n";
        assert_eq!(draw_marked(&tree, 5, 80, &is_marked), expect);
        let expect = "* (40)\n├── h0 (20) … 4 ●\n└── ● h1 (20)\n";
        assert_eq!(draw_marked(&tree, 3, 80, &is_marked), expect);
        let whole = draw_marked(&tree, 99, 80, &is_marked);
        assert_eq!((whole.lines().count(), whole.matches('●').count()), (tree.n_nodes(), 5));
        assert_eq!(draw_marked(&tree, 99, 80, &|_| false), draw(&tree, 99, 80));
    }

    #[test]
    fn leaves_out_what_does_not_fit() {
        let rows: Vec<String> = (0..40).map(|i| format!("v{i};g{};*", i / 20)).collect();
        let tree = tree(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let expect = "* (40)\n├── g0 (20)\n│   ├── v0\n│   ├── v1\n│   └── … 18 more\n└── g1 \
            (20)\n    \
                      ├── v20\n    ├── v21\n    └── … 18 more\n";
        assert_eq!(draw(&tree, 9, 80), expect);
        assert_eq!(draw(&tree, 3, 80), "* (40)\n├── g0 (20)\n└── g1 (20)\n");
        assert_eq!(draw(&tree, 0, 4), "* (…\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn keeps_to_its_size(n in 1usize..200, f in 1usize..9, g in 1usize..9, lines in 1usize..60,
            width in 1usize..30) {
            let rows: Vec<String> =
                (0..n).map(|i| format!("v{i};g{};h{}", i / f, i / f / g)).collect();
            let tree = tree(&rows.iter().map(String::as_str).collect::<Vec<_>>());
            let drawn = draw(&tree, lines, width);
            prop_assert!(drawn.lines().count() <= lines);
            prop_assert!(drawn.lines().all(|line| line.chars().count() <= width));
            let whole = draw(&tree, usize::MAX, 99);
            prop_assert_eq!(whole.lines().count(), tree.n_nodes());
        }
    }
}
