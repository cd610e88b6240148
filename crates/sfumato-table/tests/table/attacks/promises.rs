//! The table of docs/promise.md: each attack succeeds without the model, and fails with it.

use super::{Game, With, people};

const COLUMNS: &str =
    "age = { role = \"quasi\" }; town = { role = \"quasi\" }; ill = { role = \"sensitive\" }";

/// People in a raw table, in one that is only k-anonymous, and in one that keeps a model.
fn published(models: &[&str], algorithm: &str) -> Game {
    let game = Game::new(COLUMNS, &people(600));
    game.publish("k.csv", &["k-anonymity(k=3)"], "mondrian");
    game.publish("safe.csv", models, algorithm);
    game
}

#[test]
fn k_anonymity_stops_record_linkage() {
    for algorithm in ["mondrian", "full-domain", "peel"] {
        let game = published(&["k-anonymity(k=10)"], algorithm);
        assert!(game.rate("original.csv", "record-linkage") > 0.5);
        let safe = game.attack("safe.csv", "record-linkage", &With::default());
        assert!(safe.worst.iter().all(|worst| worst.chance <= 0.1 + 1e-9), "{algorithm}: {safe:?}");
        // Whoever knows less links no better.
        assert!(game.rate("safe.csv", "record-linkage(known=[age])") <= 0.1, "{algorithm}");
        let linked = game.attack("safe.csv", "linkability", &With::default());
        assert!(linked.rate.unwrap() <= 0.1, "{algorithm}: {linked:?}");
    }
}

#[test]
fn l_diversity_stops_homogeneity_and_k_anonymity_does_not() {
    for algorithm in ["mondrian", "full-domain"] {
        let models = ["k-anonymity(k=3)", "l-diversity-distinct(l=2)"];
        let game = published(&models, algorithm);
        assert!(game.rate("k.csv", "homogeneity") > 0.0, "k alone lets classes agree");
        assert_eq!(game.rate("safe.csv", "homogeneity"), 0.0, "{algorithm}");
    }
}

#[test]
fn more_diversity_stops_more_background_knowledge() {
    let game = published(&["l-diversity-distinct(l=3)"], "mondrian");
    assert!(game.rate("k.csv", "background-knowledge(excluded=1)") > 0.0);
    assert_eq!(game.rate("safe.csv", "background-knowledge(excluded=1)"), 0.0);
    // Two exclusions may be too many for three values.
    let game = published(&["l-diversity-distinct(l=4)"], "mondrian");
    assert_eq!(game.rate("safe.csv", "background-knowledge(excluded=2)"), 0.0);
}

#[test]
fn a_bound_on_confidence_stops_whoever_must_be_surer() {
    let game = published(&["confidence-bounding(h=0.6)"], "mondrian");
    assert!(game.rate("k.csv", "homogeneity(certainty=0.61)") > 0.0);
    assert_eq!(game.rate("safe.csv", "homogeneity(certainty=0.61)"), 0.0);
}

#[test]
fn t_closeness_stops_skewness() {
    let game = published(&["t-closeness(t=0.2)"], "mondrian");
    assert!(game.rate("k.csv", "skewness(gain=0.2)") > 0.0);
    assert_eq!(game.rate("safe.csv", "skewness(gain=0.2)"), 0.0);
}

#[test]
fn eps_m_anonymity_stops_similarity() {
    let columns = "age = { role = \"quasi\" }; pay = { role = \"sensitive\", accept = true }";
    let mut original = String::from("age,pay\n");
    (0..300).for_each(|i| original += &format!("{},{}\n", 20 + i % 60, 1000 + (i % 60) * 100));
    let game = Game::new(columns, &original);
    game.publish("k.csv", &["k-anonymity(k=5)"], "mondrian");
    game.publish("safe.csv", &["eps-m-anonymity(eps=300, m=2)"], "mondrian");
    // The range is 5900: a width of 0.1 is 590, within 2 eps.
    assert!(game.rate("k.csv", "similarity(width=0.1)") > 0.5);
    assert_eq!(game.rate("safe.csv", "similarity(width=0.1)"), 0.0);
}

#[test]
fn disjoint_regions_stop_downcoding() {
    let game = published(&["k-anonymity(k=5)"], "mondrian(leftovers=none)");
    let learnt = game.attack("safe.csv", "downcoding", &With::default());
    assert_eq!(learnt.rate, Some(learnt.baseline), "{learnt:?}");
    assert!(learnt.remarks[0].starts_with("0 people"), "{learnt:?}");
}

#[test]
fn classes_of_everybody_stop_singling_out_by_quasi_values() {
    let columns = "age = { role = \"quasi\" }; town = { role = \"quasi\" }";
    let only: String = people(600)
        .lines()
        .map(|line| {
            let (rest, _) = line.rsplit_once(',').unwrap();
            format!("{rest}\n")
        })
        .collect();
    let game = Game::new(columns, &only);
    game.publish("safe.csv", &["k-anonymity(k=5)"], "mondrian");
    assert!(game.rate("original.csv", "singling-out(columns=2)") > 0.3);
    let safe = game.attack("safe.csv", "singling-out(columns=2)", &With::default());
    assert_eq!(safe.rate, Some(0.0), "{safe:?}");
}
