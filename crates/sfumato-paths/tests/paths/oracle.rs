//! Checkers against their definitions, and algorithms against the checkers, on random small data.

use sfumato_core::facts::SequenceFacts as _;
use sfumato_core::observer::Unobserved;
use sfumato_core::registry::Params;
use sfumato_core::sequences::{AskedSequences, Knows};
use sfumato_paths::algorithms::suppression::{self, SuppressionTask};
use sfumato_paths::data::sequences::{Question, contains, maximal_frequent, minimal_violating};
use sfumato_paths::data::{Labels, PathData, Paths, SensitiveColumn, Step};
use sfumato_paths::forms::suppressed::decide::decide;
use sfumato_paths::forms::suppressed::facts::Stated;

use crate::support::{Random, asked, data};

/// Random paths: with times, or pages one after the other that may come again.
fn random(random: &mut Random) -> PathData {
    let n = 2 + random.below(7);
    let is_timed = random.below(2) == 0;
    let mut rows: Vec<(String, String)> = Vec::new();
    for _ in 0..n {
        let value = ["x", "y", "z"][random.below(3) as usize].to_string();
        let mut steps = Vec::new();
        for time in 1..=(1 + random.below(4)) {
            if random.below(4) > 0 {
                steps.push(format!("{}{time}", ["a", "b", "c"][random.below(3) as usize]));
            }
        }
        rows.push((steps.join(" "), value));
    }
    let rows: Vec<(&str, &str)> =
        rows.iter().map(|(path, value)| (path.as_str(), value.as_str())).collect();
    let mut made = data(&rows);
    if !is_timed {
        let places = made.view(Knows::Places);
        made.paths = places.of(&made.paths);
        made.steps = (0..made.places.len() as u32).map(|place| Step { time: 0, place }).collect();
        made.times = Vec::new();
    }
    made
}

/// Every different sequence of up to so many steps that any path has, by enumeration of subsets of
/// places.
fn all_sequences(paths: &Paths, length: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::new();
    for path in paths.iter() {
        for chosen in 1u32..1 << path.len() {
            if chosen.count_ones() as usize <= length {
                let steps = path.iter().enumerate();
                let sequence: Vec<u32> =
                    steps.filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, step)| *step).collect();
                all.push(sequence);
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

fn is_violating(paths: &Paths, labels: &Labels, asked: &AskedSequences, sequence: &[u32]) -> bool {
    let having: Vec<usize> =
        (0..paths.len()).filter(|record| contains(paths.get(*record), sequence)).collect();
    let share = |label: u32| {
        let n = having.iter().filter(|record| labels.get(**record).contains(&label)).count();
        asked.most.is_exceeded(n as u64, having.len() as u64)
    };
    (having.len() as u64) < asked.required || (0..labels.names.len() as u32).any(share)
}

#[test]
fn violating_sequences_are_those_of_the_definition() {
    let mut numbers = Random(7);
    let mut seen = [0; 3];
    for round in 0..1500 {
        let made = random(&mut numbers);
        let knows = [Knows::Points, Knows::Places, Knows::Times][round % 3];
        let length = 1 + numbers.below(4) as usize;
        let most = [0.3, 0.5, 0.67, 1.0][numbers.below(4) as usize];
        let asked = AskedSequences { knows, ..asked(length, 1 + numbers.below(4), most, None) };
        let labels = Labels::of(&made.sensitive, None).unwrap();
        let view = made.view(knows);
        let paths = view.of(&made.paths);
        let violating: Vec<Vec<u32>> = all_sequences(&paths, length)
            .into_iter()
            .filter(|sequence| is_violating(&paths, &labels, &asked, sequence))
            .collect();
        let is_minimal = |sequence: &&Vec<u32>| {
            !violating.iter().any(|other| other != *sequence && contains(sequence, other))
        };
        let minimal: Vec<Vec<u32>> = violating.iter().filter(is_minimal).cloned().collect();
        let question = Question {
            paths: &paths,
            n_codes: view.n_codes,
            labels: &labels,
            length,
            required: asked.required,
            most: asked.most,
        };
        let found = minimal_violating(&question).unwrap();
        let mut sequences: Vec<Vec<u32>> =
            found.minimal.iter().map(|one| one.sequence.clone()).collect();
        sequences.sort();
        assert_eq!(sequences, minimal, "{made:?} {asked:?}");
        // What the model is told is that it holds if and only if nothing violates it.
        let counted = Stated { data: &made }.count(&asked).unwrap();
        assert_eq!(counted.failing.is_none(), violating.is_empty());
        assert_eq!(counted.support.violations + counted.breaches, minimal.len() as u64);
        seen[minimal.len().min(2)] += 1;
    }
    assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
}

#[test]
fn frequent_sequences_are_those_of_the_definition() {
    let mut numbers = Random(11);
    for _ in 0..300 {
        let made = random(&mut numbers);
        let support = 1 + numbers.below(4);
        let count = |sequence: &Vec<u32>| {
            made.paths.iter().filter(|path| contains(path, sequence)).count() as u64
        };
        let frequent: Vec<Vec<u32>> =
            all_sequences(&made.paths, 9).into_iter().filter(|one| count(one) >= support).collect();
        let is_maximal = |sequence: &&Vec<u32>| {
            !frequent.iter().any(|other| other != *sequence && contains(other, sequence))
        };
        let mut maximal: Vec<Vec<u32>> = frequent.iter().filter(is_maximal).cloned().collect();
        maximal.sort();
        let mut found = maximal_frequent(&made.paths, made.steps.len(), support, 1000).unwrap();
        found.maximal.sort();
        assert_eq!(found.maximal, maximal);
        let n = frequent.len();
        assert!(
            n == 0 || maximal_frequent(&made.paths, made.steps.len(), support, n - 1).is_none()
        );
    }
}

#[test]
fn what_every_algorithm_leaves_keeps_all_promises_and_is_true() {
    let mut numbers = Random(23);
    let mut kept_points = [0; 2];
    for round in 0..400 {
        let made = random(&mut numbers);
        let knows = [Knows::Points, Knows::Places, Knows::Times];
        let mut promises = Vec::new();
        for _ in 0..1 + round % 2 {
            let most = [0.4, 0.5, 0.67, 1.0][numbers.below(4) as usize];
            let one = asked(1 + numbers.below(3) as usize, 1 + numbers.below(3), most, None);
            promises.push(AskedSequences { knows: knows[numbers.below(3) as usize], ..one });
        }
        for (at, algorithm) in suppression::ALL.iter().enumerate() {
            let task = SuppressionTask {
                data: &made,
                asked: &promises,
                support: 2,
                observer: &Unobserved,
            };
            let params = Params::check(algorithm.info(), &Default::default()).unwrap();
            let kept = algorithm.anonymize(&params, &task).unwrap();
            assert_eq!(kept.paths.len(), made.paths.len());
            let is_part = |at: usize| contains(made.paths.get(at), kept.paths.get(at));
            assert!((0..made.paths.len()).all(is_part));
            if algorithm.is_global() {
                // A step is left out of all paths or of none.
                let counts = |paths: &Paths| paths.counts(made.steps.len());
                let (before, after) = (counts(&made.paths), counts(&kept.paths));
                assert!(before.iter().zip(&after).all(|(b, a)| a == b || *a == 0));
            }
            kept_points[at] += kept.paths.n_steps();
            let published = PathData { paths: kept.paths, ..made.clone() };
            for asked in &promises {
                let labels = Labels::of(&published.sensitive, None).unwrap();
                let paths = published.view(asked.knows).of(&published.paths);
                let broken = all_sequences(&paths, asked.length)
                    .into_iter()
                    .find(|sequence| is_violating(&paths, &labels, asked, sequence));
                assert_eq!(broken, None, "{}: {asked:?} {made:?}", algorithm.info().name);
            }
        }
    }
    // Leaving steps out of some paths keeps more.
    assert!(kept_points[1] > kept_points[0], "{kept_points:?}");
}

/// What some people have beside their paths.
fn with_beside(made: &PathData, numbers: &mut Random) -> PathData {
    let values = ["old", "young"].map(String::from).to_vec();
    let column = |name: &str, numbers: &mut Random| SensitiveColumn {
        name: name.into(),
        is_missing: vec![false; 2],
        values: values.clone(),
        of_record: (0..made.paths.len()).map(|_| numbers.below(2) as u32).collect(),
        native_type: None,
    };
    let quasi = vec![column("age", numbers), column("size", numbers)];
    PathData { quasi, ..made.clone() }
}

/// Whether whoever knows what stands beside paths, and up to so many steps, learns too much.
fn gives_away(made: &PathData, asked: &AskedSequences) -> bool {
    let labels = Labels::of(&made.sensitive, asked.values.as_deref()).unwrap();
    let seen = made.view(asked.knows).of(&made.paths);
    made.classes().iter().any(|class| {
        let (paths, labels) = (seen.part(class), labels.part(class));
        let mut all = all_sequences(&paths, asked.length);
        all.push(Vec::new());
        all.iter().any(|sequence| is_violating(&paths, &labels, asked, sequence))
    })
}

#[test]
fn whoever_knows_what_stands_beside_learns_no_more() {
    let mut numbers = Random(41);
    let mut seen = [0; 2];
    for round in 0..400 {
        let made = random(&mut numbers);
        let made = with_beside(&made, &mut numbers);
        let most = [0.5, 0.67, 1.0][numbers.below(3) as usize];
        let asked = asked(1 + numbers.below(2) as usize, 1 + numbers.below(2), most, None);
        let counted = Stated { data: &made }.count(&asked).unwrap();
        assert_eq!(counted.failing.is_some(), gives_away(&made, &asked), "{made:?} {asked:?}");
        seen[usize::from(counted.failing.is_some())] += 1;
        let algorithm = ["global-suppression", "local-suppression"][round % 2];
        let text = format!(
            "[input]\npath = \"in.csv\"\n[output]\npath = \"out.csv\"\n[paths]\nlayout = \
             \"lines\"\n\
             [recode]\nalgorithm = \"{algorithm}\"\n[privacy]\n\
             models = [\"lkc-privacy(l={}, k={}, c={most})\"]",
            asked.length, asked.required
        );
        let job =
            sfumato_paths::Job::parse(&text, "release.toml", std::path::Path::new("")).unwrap();
        let plan = sfumato_paths::forms::suppressed::make_plan(&job, made.paths.len()).unwrap();
        let kept = decide(&plan, &made, &Unobserved).unwrap();
        // What isn't published has no row.
        let left: Vec<u32> = (0..made.paths.len() as u32)
            .filter(|one| !kept.paths.get(*one as usize).is_empty())
            .collect();
        let published = PathData { paths: kept.paths, ..made.clone() }.part(&left);
        assert!(!gives_away(&published, &asked), "{made:?} {asked:?}");
        assert!(
            (0..left.len())
                .all(|at| { contains(made.paths.get(left[at] as usize), published.paths.get(at)) })
        );
    }
    assert!(seen.iter().all(|n| *n > 20), "{seen:?}");
}
