//! A decision tree as C4.5 grows and prunes it, our own: the library's trees aren't pruned and
//! forget the shares of a leaf.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec};

use super::fitted::ClassModel;
use super::tree::{Choice, Ranks, Rules, Tree, grow, prune};
use super::{ClassTask, Goal, Learner};
use crate::Matrix;
use crate::random::RandomStream;

/// The entry of the registry.
pub struct DecisionTree;

static INFO: Info = Info {
    name: "decision-tree",
    summary: "C4.5: gain ratio, binary splits, pruned by pessimistic errors",
    papers: &[Paper {
        authors: "J. R. Quinlan",
        title: "C4.5: Programs for Machine Learning",
        venue: "Morgan Kaufmann",
        year: 1993,
    }],
    params: &[
        ParamSpec::with_default(
            "min_leaf",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "2",
            "fewest rows of a leaf",
        ),
        ParamSpec::with_default(
            "confidence",
            ParamKind::Number { min: 0.0, above: true, max: 0.5 },
            "0.25",
            "the smaller, the more is pruned",
        ),
        ParamSpec::with_default("prune", ParamKind::Flag, "true", "whether to prune at all"),
    ],
    doc: "\
Grows a tree of thresholds on the features and cuts it back. A column's threshold is the one with \
the largest
information gain; the gain is lowered by `log2(thresholds tried) / rows`; among the columns that \
gain at least the average, the one
with the largest gain ratio is split on. A subtree becomes a leaf if the leaf's pessimistic errors \
(upper end of the interval at
`confidence`) are at most the subtree's plus 0.1. Defaults are those of J48, Weka's C4.5.

**Scores** are the shares of the classes among the training rows of the leaf.

**Differs from C4.5**: all features are numbers (a region is two of them, a category is coded \
before); subtrees are replaced, not
raised; thresholds lie halfway between two values; no missing values.

**Cost** about rows x columns x depth: 45,000 x 18 takes well under a second.
",
    ..Info::DEFAULT
};

impl Learner for DecisionTree {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn goal(&self) -> Goal {
        Goal::Classes
    }
    fn train_classes(&self, task: &ClassTask<'_>) -> Result<Box<dyn ClassModel>> {
        let rules = Rules {
            choice: Choice::GainRatio,
            min_leaf: task.params.integer("min_leaf") as u32,
            max_depth: u32::MAX,
            n_drawn: usize::MAX,
        };
        let rows = (0..task.y.len() as u32).collect();
        let mut random = RandomStream::new(task.seed);
        let mut tree = grow(&Ranks::new(task.x), task.y, task.n_classes, rows, rules, &mut random);
        if task.params.flag("prune") {
            prune(&mut tree, task.params.number("confidence"));
        }
        Ok(Box::new(Model { tree, n_classes: task.n_classes }))
    }
}

struct Model {
    tree: Tree,
    n_classes: usize,
}

impl ClassModel for Model {
    fn scores(&self, x: &Matrix) -> Result<Vec<f64>> {
        let mut shares = vec![0.0; x.n_rows() * self.n_classes];
        self.tree.add_shares(x, &mut shares);
        Ok(shares)
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::{accuracy_of, params};
    use super::*;
    use crate::testing::noisy_classes;

    #[test]
    fn pruning_helps_on_noise() {
        let (x, y) = noisy_classes(1000, 8, 2, 1);
        let test = noisy_classes(2000, 8, 2, 2);
        let score = |text| {
            let fitted =
                DecisionTree.fit_classes(&params(&DecisionTree, text), &x, &y, 2, 0).unwrap();
            accuracy_of(&fitted, &test)
        };
        assert!(score("") > score("min_leaf=1, prune=false") - 0.005);
        assert!(score("") > 0.8);
    }
}
