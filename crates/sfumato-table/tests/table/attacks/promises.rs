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

#[test]
fn whoever_takes_people_out_of_wide_regions_still_has_k() {
    // Ages and towns with trees, so that regions lie inside others, and a column to judge by.
    let columns = "age = { role = \"quasi\", hierarchy = { interval = { width = 5, levels = 4 } } \
        }; town = { role = \"quasi\", hierarchy = { file = \"town.csv\" } }; \
        id = { role = \"keep\", accept = true }";
    let mut original = String::from("age,town,id\n");
    for (at, line) in people(700).lines().skip(1).enumerate() {
        let (rest, _) = line.rsplit_once(',').unwrap();
        original += &format!("{rest},n{at}\n");
    }
    let game = Game::new(columns, &original);
    let towns = (0..8).map(|i| format!("t{i};{};*\n", ["north", "south"][i / 4]));
    game.write("town.csv", &towns.collect::<String>());
    let mut narrowed = 0;
    for (algorithm, k) in [("peel", 3), ("peel", 8), ("mondrian", 3), ("mondrian", 8)] {
        game.publish("safe.csv", &[&format!("k-anonymity(k={k})")], algorithm);
        let learnt = game.attack("safe.csv", "downcoding", &With::default());
        let most = 1.0 / f64::from(k) + 1e-9;
        assert!(learnt.worst.iter().all(|worst| worst.chance <= most), "{algorithm}: {learnt:?}");
        let first = learnt.remarks[0].split(' ').next().unwrap();
        narrowed += first.parse::<u64>().unwrap();
        let (_, hidden) = learnt.remarks[1].split_once("is hidden among ").unwrap();
        let hidden: f64 = hidden.split(' ').next().unwrap().parse().unwrap();
        assert!(hidden >= f64::from(k), "{algorithm}, k = {k}: {learnt:?}");
        std::fs::remove_file(game.path().join("safe.csv")).unwrap();
        std::fs::remove_file(game.path().join("safe.csv.release.json")).unwrap();
    }
    assert!(narrowed > 0, "no region lies inside another: nothing was tested");
}

#[test]
fn what_follows_from_a_model_is_played_for_models_of_all_kinds() {
    for model in [
        "l-diversity-distinct(l=3)",
        "l-diversity-entropy(l=2.5)",
        "l-diversity-recursive(c=2, l=2)",
        "t-closeness(t=0.25)",
        "beta-likeness-basic(beta=1.5)",
        "skyline-privacy(excluded=1, h=0.8)",
    ] {
        let game = published(&["k-anonymity(k=3)", model], "mondrian");
        let with = With { models: &["k-anonymity(k=3)", model], ..With::default() };
        let learnt = game.attack("safe.csv", "minimality", &with);
        // Either nothing is claimed, or claims are compared with what classes say.
        assert!(learnt.queries > 0 && learnt.baseline < 1.0, "{model}: {learnt:?}");
        let rule = learnt.remarks[0].as_str();
        assert!(rule.contains("classes themselves") || rule.contains("no class"), "{learnt:?}");
    }
    // Without a model about sensitive values nothing follows.
    let game = published(&["k-anonymity(k=3)"], "mondrian");
    assert!(game.refused("safe.csv", "minimality").hint.unwrap().contains("--model"));
}

#[test]
fn rules_lift_a_belief_that_groups_alone_keep_low() {
    // In every class half of the people are men with flu and half women with cancer.
    let columns = "town = { role = \"quasi\" }; sex = { role = \"quasi\", hierarchy = { file = \
        \"sex.csv\" } }; ill = { role = \"sensitive\" }";
    let (mut original, mut released) =
        (String::from("town,sex,ill\n"), String::from("town,sex,ill\n"));
    for town in 0..20 {
        for (sex, ill) in [("m", "flu"), ("f", "cancer"), ("m", "flu"), ("f", "cancer")] {
            original += &format!("t{town},{sex},{ill}\n");
            released += &format!("t{town},*,{ill}\n");
        }
    }
    let game = Game::new(columns, &original);
    game.write("sex.csv", "m;*\nf;*\n");
    game.write("released.csv", &released);
    let blind = game.attack("released.csv", "max-entropy(rules=0)", &With::default());
    assert_eq!((blind.rate, blind.baseline), (Some(0.5), 0.5), "{blind:?}");
    let told = game.attack("released.csv", "max-entropy(rules=2)", &With::default());
    assert!(told.rate.unwrap() > 0.99 && told.baseline == 0.5, "{told:?}");
    // Whoever knew what men and women have learns nothing from the groups.
    let known = game.attack("released.csv", "kernel-belief(b=0.5, t=0.4)", &With::default());
    assert!(known.rate.is_some(), "{known:?}");
    let learnt = game.attack("released.csv", "worst-case-knowledge(k=1, c=0.9)", &With::default());
    assert_eq!(learnt.rate, Some(1.0), "one implication excludes one of two values: {learnt:?}");
    let safe = game.attack("released.csv", "worst-case-knowledge(k=0, c=0.9)", &With::default());
    assert_eq!(safe.rate, Some(0.0), "{safe:?}");
    let seen =
        game.attack("released.csv", "freeform(secret=[ill:cancer], h=0.6)", &With::default());
    assert_eq!(seen.rate, Some(0.0), "{seen:?}");
    let raw = game.attack("original.csv", "freeform(secret=[ill:cancer], h=0.6)", &With::default());
    assert_eq!(raw.rate, Some(0.5), "{raw:?}");
    let error = game.refused("released.csv", "freeform");
    assert!(error.hint.unwrap().contains("secret="));
}

#[test]
fn wider_regions_isolate_fewer() {
    let columns = "age = { role = \"quasi\" }; ill = { role = \"sensitive\" }";
    let mut original = String::from("age,ill\n");
    (0..300).for_each(|i| original += &format!("{i},{}\n", ["flu", "cough"][i % 2]));
    let game = Game::new(columns, &original);
    game.publish("safe.csv", &["k-anonymity(k=20)"], "mondrian");
    // In the raw table every guess is exact, and nobody else is there.
    assert_eq!(game.rate("original.csv", "isolation(t=2)"), 1.0);
    let safe = game.attack("safe.csv", "isolation(t=2)", &With::default());
    assert!(safe.rate.unwrap() < 0.2, "{safe:?}");
    assert!(game.refused("safe.csv", "isolation").hint.unwrap().contains("t=5"));
}

#[test]
fn regions_that_ignore_sensitive_values_stop_minimality() {
    // In half of the towns both engineers have HIV, in the others two of five lawyers.
    let mut original = String::from("town,job,disease\n");
    for town in 0..40 {
        let sick = if town % 2 == 0 { "1" } else { "2" };
        for (job, n) in [("1", 2), ("2", 5)] {
            let disease = |i: usize| if job == sick && i < 2 { "HIV" } else { "Flu" };
            (0..n).for_each(|i| original += &format!("{town},{job},{}\n", disease(i)));
        }
    }
    let columns = "town = { role = \"quasi\", weight = 20.0 }; job = { role = \"quasi\" }; \
        disease = { role = \"sensitive\" }";
    let game = Game::new(columns, &original);
    let models = &["confidence-bounding(h=0.6, values=[HIV])", "k-anonymity(k=2)"];
    let with = With { models, ..With::default() };
    // Only engineers of whom both have HIV are hidden among lawyers.
    game.publish("minimal.csv", models, "mondrian(leftovers=none)");
    let learnt = game.attack("minimal.csv", "minimality(on=disease)", &with);
    assert!(learnt.queries >= 8 && learnt.rate.unwrap() > 0.9, "{learnt:?}");
    // Here all are, and the same claim is right about every other one.
    game.publish("blind.csv", models, "blind-mondrian(leftovers=none)");
    let blind = game.attack("blind.csv", "minimality(on=disease)", &with);
    assert!(blind.queries >= 8 && blind.rate.unwrap() <= 0.6, "{blind:?}");
}

#[test]
fn blind_regions_are_the_same_whatever_anybody_has() {
    let columns = "town = { role = \"quasi\" }; age = { role = \"quasi\" }; \
        disease = { role = \"sensitive\" }";
    let regions = |shift: usize| {
        let mut original = String::from("town,age,disease\n");
        for row in 0..200usize {
            let disease = ["flu", "cold", "HIV"][(row * 7 + row / 5 * shift) % 3];
            original += &format!("{},{},{disease}\n", row % 9, 20 + row * 13 % 41);
        }
        let game = Game::new(columns, &original);
        let models = &["k-anonymity(k=4)", "l-diversity-distinct(l=2)"];
        game.publish("blind.csv", models, "blind-mondrian(size=16, grow=false)");
        let text = std::fs::read_to_string(game.path().join("blind.csv")).unwrap();
        let quasi = |line: &str| line.rsplit_once(',').unwrap().0.to_string();
        let mut rows: Vec<String> = text.lines().skip(1).map(quasi).collect();
        rows.sort_unstable();
        rows
    };
    assert_eq!(regions(1), regions(2));
}
