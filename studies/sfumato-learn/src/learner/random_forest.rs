//! A random forest on our own trees: the library's visit every row of the table in every node.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec};

use super::fitted::ClassModel;
use super::tree::{Choice, Ranks, Rules, Tree, grow};
use super::{ClassTask, Goal, Learner};
use crate::Matrix;
use crate::random::RandomStream;

/// The entry of the registry.
pub struct RandomForest;

static INFO: Info = Info {
    name: "random-forest",
    summary: "40 unpruned trees on bootstrap samples, some columns drawn per node",
    papers: &[Paper {
        authors: "L. Breiman",
        title: "Random Forests",
        venue: "Machine Learning",
        year: 2001,
    }],
    params: &[
        ParamSpec::with_default(
            "trees",
            ParamKind::Integer { min: 1, max: 10_000 },
            "40",
            "how many trees",
        ),
        ParamSpec::optional(
            "columns",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "columns drawn per node; floor(log2(columns)) + 1 if not given",
        ),
        ParamSpec::with_default(
            "min_leaf",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "1",
            "fewest rows of a leaf",
        ),
        ParamSpec::with_default(
            "max_depth",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "1000000",
            "deepest tree",
        ),
    ],
    doc: "\
Each tree is grown on as many rows as there are, drawn with replacement, and is not pruned. A node \
draws some columns and is
split at the threshold with the largest information gain among them; if none gains, it goes on \
drawing.

**Scores** are the shares of the classes in a row's leaves, averaged over the trees: shares of \
votes where leaves are pure.

**Seed**: tree i draws from the i-th stream of the seed, so threads don't matter.

**Cost** about trees x rows x columns drawn x depth.
",
    ..Info::DEFAULT
};

impl Learner for RandomForest {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn goal(&self) -> Goal {
        Goal::Classes
    }
    fn train_classes(&self, task: &ClassTask<'_>) -> Result<Box<dyn ClassModel>> {
        let default = task.x.n_columns().ilog2() as usize + 1;
        let rules = Rules {
            choice: Choice::Gain,
            min_leaf: task.params.integer("min_leaf") as u32,
            max_depth: task.params.integer("max_depth") as u32,
            n_drawn: task.params.optional_integer("columns").map_or(default, |n| n as usize),
        };
        let ranks = Ranks::new(task.x);
        let n = task.y.len();
        let one = |tree: i64| {
            let mut random = RandomStream::stream(task.seed, tree as u64);
            let rows = (0..n).map(|_| random.below(n) as u32).collect();
            grow(&ranks, task.y, task.n_classes, rows, rules, &mut random)
        };
        let trees = (0..task.params.integer("trees")).into_par_iter().map(one).collect();
        Ok(Box::new(Model { trees, n_classes: task.n_classes }))
    }
}

struct Model {
    trees: Vec<Tree>,
    n_classes: usize,
}

impl ClassModel for Model {
    fn scores(&self, x: &Matrix) -> Result<Vec<f64>> {
        let mut shares = vec![0.0; x.n_rows() * self.n_classes];
        self.trees.iter().for_each(|tree| tree.add_shares(x, &mut shares));
        shares.iter_mut().for_each(|share| *share /= self.trees.len() as f64);
        Ok(shares)
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::{accuracy_of, params};
    use super::*;
    use crate::testing::noisy_classes;
    use smartcore::ensemble::random_forest_classifier::{
        RandomForestClassifier, RandomForestClassifierParameters,
    };
    use smartcore::linalg::basic::matrix::DenseMatrix;

    #[test]
    fn is_as_good_as_the_library_and_better_than_one_tree() {
        let (x, y) = noisy_classes(500, 6, 2, 1);
        let test = noisy_classes(1000, 6, 2, 2);
        let ours = |text| {
            let fitted =
                RandomForest.fit_classes(&params(&RandomForest, text), &x, &y, 2, 3).unwrap();
            accuracy_of(&fitted, &test)
        };
        let dense =
            |x: &Matrix| DenseMatrix::new(x.n_rows(), 6, x.values().to_vec(), true).unwrap();
        let settings =
            RandomForestClassifierParameters::default().with_n_trees(40).with_m(3).with_seed(1);
        let theirs: Vec<u32> = RandomForestClassifier::fit(&dense(&x), &y, settings)
            .unwrap()
            .predict(&dense(&test.0))
            .unwrap();
        let theirs = crate::score::accuracy(&test.1, &theirs).unwrap();
        assert!((ours("") - theirs).abs() < 0.03, "{} {theirs}", ours(""));
        assert!(ours("") > ours("trees=1") + 0.02);
    }
}
