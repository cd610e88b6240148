//! The algorithms against the worked example of the literature, and against a search among all
//! subsets by the definition.

use std::collections::BTreeSet;

use super::best_first::bound;
use super::bits::Bits;
use super::levelwise::levels;
use super::problem::{Problem, Problems};
use super::{ALL, find, solve};
use crate::data::Entities;

/// Entities of the example of K-safety: e1, e2 and e3 are protected.
fn example() -> Entities {
    let contexts =
        ["a b c", "b d e f", "a d g", "a b d g", "c e f", "b g", "a b c e f g"].into_iter();
    let pairs: Vec<(u64, String, String)> = contexts
        .enumerate()
        .flat_map(|(at, terms)| {
            terms.split(' ').map(move |term| (1, format!("e{}", at + 1), term.to_string()))
        })
        .collect();
    Entities::new(&pairs).unwrap().protect(&["e1", "e2", "e3"]).unwrap()
}

fn bits(problem: &Problem, document: &str, terms: &str) -> Bits {
    let mut found = Bits::empty(problem.terms);
    // The terms of the example are letters in order of the alphabet.
    let mut letters: Vec<char> = document.chars().collect();
    letters.sort_unstable();
    terms.chars().for_each(|c| found.insert(letters.iter().position(|l| *l == c).unwrap()));
    found
}

#[test]
fn the_worked_example() {
    let entities = example();
    let document = "abdefg";
    let mut terms: Vec<u32> =
        document.chars().map(|c| entities.terms.find(&c.to_string())[0].term).collect();
    // The numbers of terms are in the order in which the contexts name them.
    let order: Vec<u32> = terms.clone();
    terms.sort_unstable();
    assert_eq!(entities.terms_of("a b d e f g"), terms);
    let problem = Problems::new(&entities).of(&order, 2);
    let safe = |terms: &str| problem.is_safe(&bits(&problem, document, terms));
    assert!(!safe("bdg") && safe("aefg"));
    // How many others cover each: of {b, d, g} e1 has 4 and e2 and e3 have 1; of {a, e, f, g} they
    // have 3, 2 and 2.
    let covers = |entity: &str, terms: &str| {
        let said: String = terms.chars().filter(|c| entity.contains(*c)).collect();
        problem.having(&bits(&problem, document, &said), 99) - 1
    };
    assert_eq!(["abc", "bdef", "adg"].map(|entity| covers(entity, "bdg")), [4, 1, 1]);
    assert_eq!(["abc", "bdef", "adg"].map(|entity| covers(entity, "aefg")), [3, 2, 2]);
    let names = |set: &Vec<u32>| -> String {
        set.iter().map(|at| document.chars().nth(*at as usize).unwrap()).collect()
    };
    let levels: Vec<Vec<String>> =
        levels(&problem).unwrap().iter().map(|level| level.iter().map(names).collect()).collect();
    assert_eq!(levels.iter().map(Vec::len).sum::<usize>(), 21);
    assert_eq!(levels[1], ["a", "b", "d", "e", "f", "g"]);
    assert_eq!(levels[2], ["ab", "ae", "af", "ag", "bg", "ef", "eg", "fg"]);
    assert_eq!(levels[3], ["abg", "aef", "aeg", "afg", "efg"]);
    assert_eq!(levels[4], ["aefg"]);
    assert_eq!(levels.len(), 5);
    for algorithm in ALL {
        let kept = solve(*algorithm, &problem).unwrap();
        assert!(problem.is_safe(&kept), "{}", algorithm.info().name);
        if algorithm.info().name != "fast-btop" {
            assert_eq!(kept, bits(&problem, document, "aefg"), "{}", algorithm.info().name);
        }
    }
    // With seven entities nobody can hide among seven others.
    let hopeless = Problems::new(&entities).of(&order, 7);
    assert!(!hopeless.is_safe(&Bits::empty(6)));
    assert_eq!(solve(ALL[0], &hopeless).unwrap_err().kind.exit_code(), 3);
}

/// Random contexts, and the definition of safety by sets of names.
struct Case {
    contexts: Vec<BTreeSet<u32>>,
    protected: Vec<bool>,
    k: u64,
    document: Vec<u32>,
}

impl Case {
    fn random(next: &mut impl FnMut(u64) -> u64) -> Case {
        let (n_terms, n_entities) = (3 + next(6) as u32, 3 + next(9));
        let contexts =
            (0..n_entities).map(|_| (0..n_terms).filter(|_| next(2) == 0).collect()).collect();
        let mut protected: Vec<bool> = (0..n_entities).map(|_| next(3) == 0).collect();
        protected[0] = true;
        Case { contexts, protected, k: 1 + next(4), document: (0..n_terms).collect() }
    }

    fn entities(&self) -> Entities {
        let mut pairs: Vec<(u64, String, String)> = Vec::new();
        // All terms are known in their order, whoever has them.
        for (at, context) in self.contexts.iter().enumerate() {
            pairs.push((1, format!("e{at}"), String::new()));
            pairs.extend(context.iter().map(|term| (1, format!("e{at}"), format!("t{term}"))));
        }
        let entities = Entities::new(&pairs).unwrap();
        let names: Vec<String> = (0..self.contexts.len())
            .filter(|at| self.protected[*at])
            .map(|at| format!("e{at}"))
            .collect();
        entities.protect(&names.iter().map(String::as_str).collect::<Vec<_>>()).unwrap()
    }

    /// The definition: for each protected entity at least k others have what stays of its context.
    fn is_safe(&self, stays: &BTreeSet<u32>) -> bool {
        (0..self.contexts.len()).filter(|at| self.protected[*at]).all(|at| {
            let said: BTreeSet<u32> = self.contexts[at].intersection(stays).copied().collect();
            let covers = (0..self.contexts.len())
                .filter(|other| *other != at && said.is_subset(&self.contexts[*other]));
            covers.count() as u64 >= self.k
        })
    }

    /// The terms of the document that matter, as numbers of the entities and of the case.
    fn terms(&self, entities: &Entities) -> (Vec<u32>, Vec<u32>) {
        let text: Vec<String> = self.document.iter().map(|term| format!("t{term}")).collect();
        let numbers = entities.terms_of(&text.join(" "));
        let own = |number: &u32| {
            *self
                .document
                .iter()
                .find(|term| {
                    entities.terms.find(&format!("t{term}")).iter().any(|f| f.term == *number)
                })
                .unwrap()
        };
        let own = numbers.iter().map(own).collect();
        (numbers, own)
    }
}

#[test]
fn a_thousand_random_documents() {
    let mut state = 7u64;
    let mut next = |bound: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % bound
    };
    let (mut feasible, mut greedy_optimal) = (0, 0);
    for round in 0..1000 {
        let case = Case::random(&mut next);
        let entities = case.entities();
        let (numbers, own) = case.terms(&entities);
        let problem = Problems::new(&entities).of(&numbers, case.k);
        // The checker is the definition, for all subsets.
        let mut best = None;
        for subset in 0u32..1 << own.len() {
            let stays: BTreeSet<u32> =
                (0..own.len()).filter(|at| subset >> at & 1 == 1).map(|at| own[at]).collect();
            let mut terms = Bits::empty(own.len());
            (0..own.len()).filter(|at| subset >> at & 1 == 1).for_each(|at| terms.insert(at));
            let is_safe = case.is_safe(&stays);
            assert_eq!(problem.is_safe(&terms), is_safe, "round {round}");
            let (least, below) = problem.least_covers(&terms, u64::MAX - 1);
            assert_eq!((least >= case.k, below == 0), (is_safe, is_safe), "round {round}");
            if is_safe {
                best = best.max(Some(stays.len()));
            }
        }
        let Some(best) = best else {
            assert_eq!(solve(ALL[0], &problem).unwrap_err().kind.exit_code(), 3);
            continue;
        };
        feasible += 1;
        let sizes: Vec<usize> = ["levelwise", "best-first"]
            .map(|name| {
                let kept = solve(find(name).unwrap(), &problem).unwrap();
                assert!(problem.is_safe(&kept), "{name} in round {round}");
                kept.len()
            })
            .to_vec();
        assert_eq!(sizes, [best, best], "round {round}");
        assert!(bound(&problem, &Bits::empty(own.len()), 0) >= best, "round {round}");
        let greedy = solve(find("fast-btop").unwrap(), &problem).unwrap();
        assert!(problem.is_safe(&greedy), "round {round}");
        greedy_optimal += usize::from(greedy.len() == best);
        // Nothing can be put back.
        for term in (0..own.len()).filter(|term| !greedy.has(*term)) {
            let mut more = greedy.clone();
            more.insert(term);
            assert!(!problem.is_safe(&more), "round {round}");
        }
    }
    assert!(feasible > 500, "{feasible}");
    assert!(greedy_optimal * 10 > feasible * 8, "{greedy_optimal} of {feasible}");
}
