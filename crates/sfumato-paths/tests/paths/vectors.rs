//! The worked examples of chapter 14 of the book, with the errata of its text.

use sfumato_core::facts::{Facts as _, SequenceFacts as _};
use sfumato_core::observer::Unobserved;
use sfumato_core::registry::{Call, Params};
use sfumato_core::sequences::{AskedSequences, Knows};
use sfumato_paths::algorithms::suppression::{self, SuppressionTask};
use sfumato_paths::data::sequences::{
    PrefixTree, Question, contains, maximal_frequent, minimal_violating,
};
use sfumato_paths::data::{Labels, PathData};
use sfumato_paths::forms::suppressed::facts::Stated;

use crate::support::{BOOK, asked, data};

fn book() -> PathData {
    data(&BOOK.iter().map(|(_, path, value)| (*path, *value)).collect::<Vec<_>>())
}

fn words(data: &PathData, sequences: &[Vec<u32>]) -> Vec<String> {
    let name = |step: &u32| data.step_name(*step).replace('@', "");
    let mut all: Vec<String> = sequences
        .iter()
        .map(|sequence| sequence.iter().map(name).collect::<Vec<_>>().join(" "))
        .collect();
    all.sort();
    all
}

fn violating(data: &PathData, asked: &AskedSequences) -> Vec<Vec<u32>> {
    let labels = Labels::of(&data.sensitive, asked.values.as_deref()).unwrap();
    let question = Question {
        paths: &data.paths,
        n_codes: data.steps.len(),
        labels: &labels,
        length: asked.length,
        required: asked.required,
        most: asked.most,
    };
    minimal_violating(&question).unwrap().minimal.into_iter().map(|one| one.sequence).collect()
}

#[test]
fn minimal_violating_sequences_of_table_14_1() {
    let book = book();
    let with = |length| violating(&book, &asked(length, 2, 0.5, Some(&["AIDS"])));
    assert_eq!(words(&book, &with(1)), [""; 0]);
    let two = ["b2 c4", "b2 d3", "b2 f6", "c4 c7", "c4 e8"];
    assert_eq!(words(&book, &with(2)), two);
    let three =
        ["b2 c5 e8", "c5 c7 e8", "c5 f6 c7", "c5 f6 e8", "d3 c7 e8", "d3 f6 c7", "d3 f6 e8"];
    let mut all: Vec<&str> = two.into_iter().chain(three).collect();
    all.sort();
    assert_eq!(words(&book, &with(3)), all);
    assert_eq!(words(&book, &with(4)), all);
    // <f6 c7> is in the paths 1, 2, 7 and 8, and candidates of two steps are 21: all pairs of
    // seven steps, of which those that no path has are dropped.
    let having: Vec<usize> = (0..8)
        .filter(|record| {
            let steps = [book.step_code("f", "6"), book.step_code("c", "7")];
            contains(book.paths.get(*record), &steps)
        })
        .collect();
    assert_eq!((having, book.steps.len()), (vec![0, 1, 6, 7], 7));
}

/// The code of a step by its names.
trait StepCode {
    fn step_code(&self, place: &str, time: &str) -> u32;
}
impl StepCode for PathData {
    fn step_code(&self, place: &str, time: &str) -> u32 {
        let name = format!("{place}@{time}");
        (0..self.steps.len() as u32).find(|step| self.step_name(*step) == name).unwrap()
    }
}

#[test]
fn scores_of_tables_14_5_and_14_6_and_what_is_left_out() {
    let book = book();
    let minimal = violating(&book, &asked(2, 2, 0.5, Some(&["AIDS"])));
    let frequent = maximal_frequent(&book.paths, book.steps.len(), 2, 1000).unwrap();
    assert_eq!(
        words(&book, &frequent.maximal),
        [
            "b2 c5 c7", "b2 c7 e8", "b2 f6 c7", "c5 e8", "c5 f6", "d3 c4 f6", "d3 c7", "d3 e8",
            "f6 c7 e8"
        ]
    );
    let n = book.steps.len();
    let mut gains = PrefixTree::of(n, minimal.iter().map(Vec::as_slice));
    let mut losses = PrefixTree::of(n, frequent.maximal.iter().map(Vec::as_slice));
    let step = |name: &str| book.step_code(&name[..1], &name[1..]);
    let score = |gains: &PrefixTree, losses: &PrefixTree, name: &str| {
        (gains.having(step(name)), losses.having(step(name)) + 1)
    };
    let steps = ["b2", "d3", "c4", "f6", "c7", "e8"];
    let printed = [(3, 4), (1, 4), (3, 2), (1, 5), (1, 6), (1, 5)];
    assert_eq!(steps.map(|name| score(&gains, &losses, name)), printed);
    // c4 has the best score, 1.5. Without it:
    gains.forget(step("c4"));
    losses.forget(step("c4"));
    let left = [("b2", (2, 4)), ("d3", (1, 3)), ("f6", (1, 4))];
    assert!(left.iter().all(|(name, printed)| score(&gains, &losses, name) == *printed));
    assert_eq!((gains.having(step("c4")), gains.having(step("c7")), gains.len()), (0, 0, 2));
    gains.forget(step("b2"));
    losses.forget(step("b2"));
    assert!(gains.is_empty());
    assert_eq!(losses.len(), 5);
}

#[test]
fn the_anonymizer_gives_table_14_3() {
    let book = book();
    let asked = [asked(2, 2, 0.5, Some(&["AIDS"]))];
    let task = SuppressionTask { data: &book, asked: &asked, support: 2, observer: &Unobserved };
    let call: Call = "global-suppression".parse().unwrap();
    let algorithm = suppression::find(&call.name).unwrap();
    let params = Params::check(algorithm.info(), &call.args).unwrap();
    let kept = algorithm.anonymize(&params, &task).unwrap();
    let printed = [
        "d3 f6 c7", "f6 c7 e8", "d3 f6 e8", "c5 c7 e8", "d3 c7 e8", "c5 f6 e8", "f6 c7 e8",
        "c5 f6 c7",
    ];
    let left: Vec<String> =
        kept.paths.iter().map(|path| words(&book, &[path.to_vec()]).remove(0)).collect();
    assert_eq!(left, printed);
    assert_eq!((kept.suppressed, kept.violating), (2, 5));
    // Of nine maximal frequent sequences five are so in the table, which has seven.
    let before = maximal_frequent(&book.paths, book.steps.len(), 2, 1000).unwrap();
    let after = maximal_frequent(&kept.paths, book.steps.len(), 2, 1000).unwrap();
    let both = before.maximal.iter().filter(|one| after.maximal.contains(one)).count();
    assert_eq!((before.maximal.len(), after.maximal.len(), both), (9, 7, 5));
    let published = PathData { paths: kept.paths, ..book.clone() };
    let facts = Stated { data: &published };
    let found = facts.sequences().unwrap().count(&asked[0]).unwrap();
    assert!(found.failing.is_none() && found.support.least == 2);
    assert_eq!(found.share.unwrap().value(), 0.5);
}

/// Table 14.2: without b2, d3, c4 and c5 every path is there twice, which is far more than is asked
/// for: Table 14.3 keeps more points.
#[test]
fn k_anonymity_of_whole_paths_loses_more() {
    let book = book();
    let gone = ["b2", "d3", "c4", "c5"].map(|name| book.step_code(&name[..1], &name[1..]));
    let left = |path: &[u32]| -> Vec<u32> {
        path.iter().copied().filter(|step| !gone.contains(step)).collect()
    };
    let published: Vec<Vec<u32>> = book.paths.iter().map(left).collect();
    let printed = ["c7 e8", "c7 e8", "f6 c7", "f6 c7", "f6 c7 e8", "f6 c7 e8", "f6 e8", "f6 e8"];
    assert_eq!(words(&book, &published), printed);
    let table =
        PathData { paths: published.iter().map(|path| path.iter().copied()).collect(), ..book };
    assert_eq!(table.paths.n_steps(), 18);
    // Whoever knows all of somebody's published path finds two.
    let facts = Stated { data: &table };
    assert!(facts.count(&asked(5, 2, 1.0, None)).unwrap().failing.is_none());
    assert!(facts.count(&asked(5, 3, 1.0, None)).unwrap().failing.is_some());
}

#[test]
fn a_share_that_is_small_enough_may_be_too_large_for_a_part() {
    // Table 14.4. The book says that all paths with <a1 b2> have AIDS; it is two of three.
    let table = data(&[("a1 b2", "AIDS"), ("a1 b2 c3", "AIDS"), ("a1 b2 c3", "Fever")]);
    let facts = Stated { data: &table };
    let found = facts.count(&asked(3, 1, 0.5, Some(&["AIDS"]))).unwrap();
    let failing = found.failing.unwrap();
    assert_eq!((failing.steps, failing.support), (vec!["a@1".to_string()], 3));
    assert_eq!(failing.private, Some(("AIDS".to_string(), 2)));
    // <c3> alone passes, and so would a check of three steps only.
    assert_eq!(found.breaches, 3 - 1);
}

#[test]
fn who_knows_only_places_may_learn_more_of_values() {
    // The book says that points protect against places too. That is so for k, and not for c.
    let table = data(&[("a1", "AIDS"), ("a2", "AIDS"), ("a1 a2", "Flu")]);
    let facts = Stated { data: &table };
    let points = asked(1, 2, 0.5, None);
    assert!(facts.count(&points).unwrap().failing.is_none());
    let places = AskedSequences { knows: Knows::Places, ..points.clone() };
    let found = facts.count(&places).unwrap();
    assert_eq!((found.support.least, found.support.violations, found.breaches), (3, 0, 1));
    let failing = found.failing.unwrap();
    assert_eq!((failing.steps, failing.support), (vec!["a".to_string()], 3));
    assert_eq!(failing.private, Some(("AIDS".to_string(), 2)));
    let times = AskedSequences { knows: Knows::Times, ..points };
    assert!(facts.count(&times).unwrap().failing.is_none());
    // A run for points and for places breaks neither.
    for name in ["global-suppression", "local-suppression"] {
        let asked = [asked(1, 2, 0.5, None), places.clone()];
        let task =
            SuppressionTask { data: &table, asked: &asked, support: 2, observer: &Unobserved };
        let algorithm = suppression::find(name).unwrap();
        let params = Params::check(algorithm.info(), &Default::default()).unwrap();
        let kept = algorithm.anonymize(&params, &task).unwrap();
        let published = PathData { paths: kept.paths, ..table.clone() };
        let facts = Stated { data: &published };
        assert!(asked.iter().all(|asked| facts.count(asked).unwrap().failing.is_none()), "{name}");
    }
}
