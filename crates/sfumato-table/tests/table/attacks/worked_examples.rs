//! Examples of the textbook of Fung, Wang, Fu and Yu, named by their numbers there.

use super::{Game, With, near};

const PATIENTS: &str = "job,sex,age,disease\n\
    Engineer,Male,35,Hepatitis\nEngineer,Male,38,Hepatitis\nLawyer,Male,38,HIV\n\
    Writer,Female,30,Flu\nWriter,Female,30,HIV\nDancer,Female,30,HIV\nDancer,Female,30,HIV\n";

/// Table 2.4: the patients of Table 2.2 in two classes.
const RELEASED: &str = "job,sex,age,disease\n\
    Professional,Male,[35-40),Hepatitis\nProfessional,Male,[35-40),Hepatitis\n\
    Professional,Male,[35-40),HIV\nArtist,Female,[30-35),Flu\nArtist,Female,[30-35),HIV\n\
    Artist,Female,[30-35),HIV\nArtist,Female,[30-35),HIV\n";

/// Table 2.3: people of whom some are patients.
const EXTERNAL: &str = "job,sex,age\nWriter,Female,30\nEngineer,Male,35\nWriter,Female,30\n\
    Lawyer,Male,38\nDancer,Female,30\nEngineer,Male,38\nDancer,Female,30\nLawyer,Male,39\n\
    Dancer,Female,32\n";

fn patients() -> Game {
    let columns = "job = { role = \"quasi\", hierarchy = { file = \"job.csv\" } }; \
        sex = { role = \"quasi\" }; age = { role = \"quasi\" }; \
        disease = { role = \"sensitive\" }";
    let game = Game::new(columns, PATIENTS);
    game.write(
        "job.csv",
        "Engineer;Professional;*\nLawyer;Professional;*\nDancer;Artist;*\nWriter;Artist;*\n",
    );
    game.write("released.csv", RELEASED);
    game.write("external.csv", EXTERNAL);
    game
}

#[test]
fn doug_is_the_only_lawyer_until_he_is_a_professional() {
    // Example 2.1: three people are unique in the raw table, the others share values in pairs.
    let game = patients();
    let raw = game.attack("original.csv", "record-linkage", &With::default());
    assert!(near(raw.rate.unwrap(), 5.0 / 7.0), "{raw:?}");
    assert_eq!(raw.worst[..3].iter().map(|w| w.record).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(raw.worst[2].chance == 1.0 && raw.worst[3].chance == 0.5);
    // Example 2.2: 3-anonymous, two classes of 3 and 4.
    let released = game.attack("released.csv", "record-linkage", &With::default());
    assert!(near(released.rate.unwrap(), 2.0 / 7.0), "{released:?}");
    assert!(near(released.worst[0].chance, 1.0 / 3.0) && near(released.baseline, 1.0 / 7.0));
    // Whoever knows the sex alone has it no easier than by all columns here.
    assert!(near(game.rate("released.csv", "record-linkage(known=[sex])"), 2.0 / 7.0));
}

#[test]
fn emily_has_hiv_with_three_quarters() {
    // Example 2.6: of four artists three have HIV.
    let game = patients();
    assert!(near(game.rate("released.csv", "homogeneity(certainty=0.75)"), 3.0 / 7.0));
    assert_eq!(game.rate("released.csv", "homogeneity"), 0.0);
    // In the raw table both dancers have HIV, and whoever is unique has what they have.
    assert!(near(game.rate("original.csv", "homogeneity"), 5.0 / 7.0));
    // Knowing that somebody has no flu, every artist but the one who has it is known.
    assert!(near(game.rate("released.csv", "background-knowledge"), 1.0));
    assert!(near(game.rate("released.csv", "background-knowledge(excluded=0)"), 0.0));
}

#[test]
fn alice_is_a_patient_with_four_fifths_and_bob_with_three_quarters() {
    // Example 2.8.
    let game = patients();
    let with = With { population: Some("external.csv"), ..With::default() };
    let released = game.attack("released.csv", "membership", &with);
    assert!(released.remarks[0].contains("0.7500 to 0.8000"), "{released:?}");
    // Everybody is more likely in than out: 7 of 9 are, as whoever says so of everybody knows.
    assert!(near(released.rate.unwrap(), 7.0 / 9.0) && near(released.baseline, 7.0 / 9.0));
    // In the raw table Henry and Irene match nobody, and the others do.
    assert_eq!(game.attack("original.csv", "membership", &with).rate, Some(1.0));
    // So the release is (0.75, 0.8)-present, and not (0.76, 0.8) or (0.75, 0.79).
    let outside = |call: &str| game.attack("released.csv", call, &with).rate.unwrap();
    assert_eq!(outside("delta-presence(min=0.75, max=0.8)"), 0.0);
    assert!(near(outside("delta-presence(min=0.76, max=0.8)"), 4.0 / 9.0));
    assert!(near(outside("delta-presence(min=0.75, max=0.79)"), 5.0 / 9.0));
    // Every row fits four people of the population, and some no fifth.
    assert_eq!(outside("k-map(k=4)"), 0.0);
    assert!(near(outside("k-map(k=5)"), 3.0 / 7.0));
    let raw = game.attack("original.csv", "delta-presence(max=0.99)", &with);
    assert!(near(raw.rate.unwrap(), 7.0 / 9.0), "{raw:?}");
    assert!(game.refused("released.csv", "k-map(k=4)").hint.unwrap().contains("--population"));
}

#[test]
fn engineers_have_hiv_because_they_were_hidden_among_lawyers() {
    // Example 5.1: without the lawyers the engineers would break the bound of 60 %.
    let columns = "job = { role = \"quasi\", hierarchy = { file = \"job.csv\" } }; \
        sex = { role = \"quasi\" }; disease = { role = \"sensitive\" }";
    let mut original = String::from("job,sex,disease\n");
    let mut released = original.clone();
    for (job, disease, n) in [("Engineer", "HIV", 2), ("Lawyer", "Flu", 5)] {
        original += &format!("{job},Male,{disease}\n").repeat(n);
        released += &format!("Professional,Male,{disease}\n").repeat(n);
    }
    let game = Game::new(columns, &original);
    game.write("job.csv", "Engineer;Professional;*\nLawyer;Professional;*\n");
    game.write("released.csv", &released);
    let with = With { models: &["confidence-bounding(h=0.6, values=[HIV])"], ..With::default() };
    // Five lawyers with flu could do without the engineers: only HIV needs them.
    let learnt = game.attack("released.csv", "minimality(on=disease)", &with);
    let named: Vec<u64> = learnt.worst.iter().map(|worst| worst.record).collect();
    assert!(named.contains(&1) && named.contains(&2), "{learnt:?}");
    assert!(near(learnt.worst[0].chance, 1.0) && learnt.rate == Some(1.0), "{learnt:?}");
    // The class alone gives them HIV with 2/7.
    assert_eq!(game.rate("released.csv", "homogeneity(certainty=0.3)"), 5.0 / 7.0);
    // Without a bound nothing can be said, and the attack isn't passed.
    let error = game.refused("released.csv", "minimality");
    assert!(error.hint.unwrap().contains("confidence-bounding"));
}

#[test]
fn john_tells_what_bob_has() {
    // Example 5.3: two engineers and two lawyers, 2-diverse.
    let columns =
        "job = { role = \"quasi\" }; sex = { role = \"quasi\" }; ill = { role = \"sensitive\" }";
    let game = Game::new(
        columns,
        "job,sex,ill\nEngineer,Male,HIV\nEngineer,Male,Flu\nLawyer,Female,Diabetes\n\
         Lawyer,Female,Flu\n",
    );
    assert_eq!(game.rate("original.csv", "corruption(told=0)"), 0.0);
    assert_eq!(game.rate("original.csv", "corruption(told=0, certainty=0.5)"), 1.0);
    assert_eq!(game.rate("original.csv", "corruption(told=1)"), 1.0);
}

#[test]
fn half_a_class_has_hiv_and_one_in_twenty_of_all() {
    // Section 2.2.5: 95 % flu and 5 % HIV, and a class with half of each.
    let columns = "town = { role = \"quasi\" }; ill = { role = \"sensitive\" }";
    let mut original = String::from("town,ill\n");
    original += &"a,flu\na,hiv\n".repeat(5);
    original += &"b,flu\n".repeat(90);
    let game = Game::new(columns, &original);
    // Those with HIV are 45 points likelier to have it than anybody.
    assert!(near(game.rate("original.csv", "skewness(gain=0.44)"), 0.05));
    assert_eq!(game.rate("original.csv", "skewness(gain=0.45)"), 0.0);
}

#[test]
fn nine_of_ten_artists_earn_about_the_same() {
    // Table 2.6: (7,50)-anonymous, and 90 % earn 30 to 35.
    let columns = "job = { role = \"quasi\" }; salary = { role = \"sensitive\" }";
    let mut original = String::from("job,salary\n");
    for salary in [30, 31, 30, 32, 35, 34, 33, 32, 35, 80] {
        original += &format!("artist,{salary}\n");
    }
    let game = Game::new(columns, &original);
    assert!(near(game.rate("original.csv", "similarity(width=0.1)"), 0.9));
    assert_eq!(game.rate("original.csv", "similarity(width=0.09)"), 0.0);
    // Five of the ten are within 2 of each other: that isn't nearly all.
    assert_eq!(game.rate("original.csv", "similarity(width=0.02)"), 0.0);
}

#[test]
fn smokers_have_cancer_in_every_group() {
    // Example 5.2: the release alone says one half.
    let columns = "name = { role = \"quasi\" }; smokes = { role = \"quasi\" }; \
        ill = { role = \"sensitive\" }";
    let rows = [
        ("Y", 1, "cancer"),
        ("Y", 1, "flu"),
        ("N", 2, "flu"),
        ("N", 2, "none"),
        ("Y", 3, "cancer"),
        ("N", 3, "none"),
        ("Y", 4, "cancer"),
        ("Y", 4, "none"),
        ("N", 5, "flu"),
        ("N", 5, "none"),
        ("Y", 6, "cancer"),
        ("N", 6, "none"),
    ];
    let mut original = String::from("name,smokes,ill\n");
    let mut released = String::from("name,smokes,ill,group\n");
    for (name, (smokes, group, ill)) in rows.iter().enumerate() {
        original += &format!("n{name},{smokes},{ill}\n");
        released += &format!("n{name},{smokes},{ill},{group}\n");
    }
    let game = Game::new(columns, &original);
    game.write("released.csv", &released);
    let with = With { group: Some("group"), ..With::default() };
    let learnt = game.attack("released.csv", "definetti(rounds=2000)", &with);
    // In groups 3 and 6 it is the smoker: four people of whom random worlds say one half.
    assert!(near(learnt.baseline, 0.5), "{learnt:?}");
    let known: Vec<u64> = learnt.worst.iter().map(|worst| worst.record).collect();
    assert!([5, 6, 11, 12].iter().all(|record| known.contains(record)), "{learnt:?}");
}
