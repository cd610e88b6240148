//! What is stated is passed on as it is, every fact has a description of its own, and those that
//! need the original say so.

use super::*;
use crate::candidates::Structure;

const ALL: [Hiding; 7] = [
    Hiding::Copies,
    Hiding::Supporters,
    Hiding::Images,
    Hiding::Bystanders,
    Hiding::Matches,
    Hiding::Labels,
    Hiding::Askers,
];

const FACTS: [Fact; 18] = [
    Fact::Classes,
    Fact::SensitiveValues,
    Fact::Projections,
    Fact::Combinations,
    Fact::Candidates,
    Fact::CandidateLabels,
    Fact::Links,
    Fact::SensitiveEdges,
    Fact::Automorphisms,
    Fact::Supernodes,
    Fact::Sequences,
    Fact::Tracks,
    Fact::AttackGraph,
    Fact::Amplification,
    Fact::Covers,
    Fact::Earlier,
    Fact::Population,
    Fact::Owners,
];

#[test]
fn each_fact_has_a_description_and_a_symbol_of_its_own() {
    let mut described: Vec<&str> = FACTS.iter().map(|fact| fact.describe()).collect();
    described.extend(ALL.iter().map(|hiding| hiding.describe()));
    let mut symbols: Vec<&str> = ALL.iter().map(|hiding| hiding.measure()).collect();
    for words in [&mut described, &mut symbols] {
        let n = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), n);
        assert!(words.iter().all(|words| !words.is_empty()));
    }
    assert!(described.contains(&"classes of records that are published alike"));
    assert!(symbols.contains(&"k"));
    for hiding in ALL {
        assert_eq!(Fact::Hiding(hiding).describe(), hiding.describe());
    }
}

#[test]
fn facts_about_both_sides_need_the_original() {
    let needing = ALL.map(|hiding| Fact::Hiding(hiding).needs_original());
    assert_eq!(needing, [false, true, true, false, true, true, false]);
    let needing: Vec<&Fact> = FACTS.iter().filter(|fact| fact.needs_original()).collect();
    assert_eq!(needing, [&Fact::SensitiveEdges, &Fact::AttackGraph]);
}

/// States everything, each fact with a number of its own.
struct Everything;

const fn least(n: u64) -> Least {
    Least { least: n, violations: n + 1 }
}

impl ClassFacts for Everything {
    fn evaluate(&self, _: &Requirements) -> Result<Vec<Guarantee>> {
        Err(Error::internal("classes"))
    }
}
impl SubsetFacts for Everything {
    fn count(&self, _: &AskedCombinations) -> Result<CountedCombinations> {
        Err(Error::internal("subsets"))
    }
}
impl SequenceFacts for Everything {
    fn count(&self, _: &AskedSequences) -> Result<CountedSequences> {
        Err(Error::internal("sequences"))
    }
}
impl TrackFacts for Everything {
    fn together(&self, required: u64, _: f64) -> Result<Least> {
        Ok(least(required + 100))
    }
}
impl AttackGraphFacts for Everything {
    fn matches(&self, required: u64) -> Result<CountedMatches> {
        let unmirrored = Some(7);
        Ok(CountedMatches { fitting: least(required), possible: least(1), unmirrored })
    }
}
impl CandidateFacts for Everything {
    fn least(&self, _: Structure, required: u64) -> Result<Option<Least>> {
        Ok(Some(least(required + 200)))
    }
    fn sensitive_edges(&self) -> Option<(u64, u64)> {
        Some((3, 4))
    }
}
impl Facts for Everything {
    fn release(&self) -> &'static str {
        "a release of everything"
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        Some(self)
    }
    fn least(&self, _: Hiding, required: u64) -> Result<Option<Least>> {
        Ok(Some(least(required + 300)))
    }
    fn subsets(&self) -> Option<&dyn SubsetFacts> {
        Some(self)
    }
    fn amplification(&self) -> Option<f64> {
        Some(12.5)
    }
    fn candidates(&self) -> Option<&dyn CandidateFacts> {
        Some(self)
    }
    fn covers(&self, _: Together, required: u64) -> Result<Option<Least>> {
        Ok(Some(least(required + 400)))
    }
    fn sequences(&self) -> Option<&dyn SequenceFacts> {
        Some(self)
    }
    fn tracks(&self) -> Option<&dyn TrackFacts> {
        Some(self)
    }
    fn attack_graph(&self) -> Option<&dyn AttackGraphFacts> {
        Some(self)
    }
    fn presence(&self) -> Option<&Presence> {
        static EMPTY: Presence = Presence { classes: Vec::new(), people: Vec::new(), outside: 9 };
        Some(&EMPTY)
    }
    fn owners(&self, required: u64) -> Option<Least> {
        Some(least(required + 500))
    }
}

/// What is stated, through whatever states it.
fn check<F: Facts>(facts: F) {
    assert_eq!(facts.release(), "a release of everything");
    let none = Requirements::new(Vec::new());
    assert_eq!(facts.classes().unwrap().evaluate(&none).unwrap_err().message, "classes");
    assert_eq!(facts.least(Hiding::Copies, 2).unwrap(), Some(least(302)));
    let asked = AskedCombinations { size: 1, required: 2, most: None };
    assert_eq!(facts.subsets().unwrap().count(&asked).unwrap_err().message, "subsets");
    assert_eq!(facts.amplification(), Some(12.5));
    assert_eq!(facts.candidates().unwrap().sensitive_edges(), Some((3, 4)));
    assert_eq!(facts.covers(Together::All, 2).unwrap(), Some(least(402)));
    assert!(facts.sequences().is_some());
    assert_eq!(facts.tracks().unwrap().together(2, 1.0).unwrap(), least(102));
    assert_eq!(facts.attack_graph().unwrap().matches(2).unwrap().fitting, least(2));
    assert_eq!(facts.presence().unwrap().outside, 9);
    assert_eq!(facts.owners(2), Some(least(502)));
}

#[test]
fn what_refers_to_a_release_states_what_it_states() {
    check(Everything);
    check(&Everything);
    check(&&Everything as &dyn Facts);
}

#[test]
fn a_release_that_says_nothing_states_nothing() {
    struct Silent;
    impl Facts for Silent {
        fn release(&self) -> &'static str {
            "nothing"
        }
    }
    fn states_nothing<F: Facts>(facts: F) {
        assert!(facts.classes().is_none() && facts.subsets().is_none());
        assert_eq!(facts.least(Hiding::Copies, 2).unwrap(), None);
        assert_eq!(facts.amplification(), None);
        assert!(facts.candidates().is_none() && facts.sequences().is_none());
        assert_eq!(facts.covers(Together::None, 2).unwrap(), None);
        assert!(facts.tracks().is_none() && facts.attack_graph().is_none());
        assert!(facts.presence().is_none());
        let error = cannot_state("k-anonymity", "classes", &facts);
        assert_eq!(error.kind, crate::error::ErrorKind::Unsupported);
        let said = "k-anonymity can't be judged here: nothing doesn't state classes";
        assert_eq!(error.message, said);
    }
    states_nothing(Silent);
    states_nothing(&Silent);
}
