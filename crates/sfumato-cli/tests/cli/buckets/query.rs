//! Queries over bucket releases.

use super::released;
use crate::support::{Folder, people, rows};

/// The example of the book: two groups by age and sex.
const EXAMPLE: &str = "Age,Sex,Disease,group\n30,Male,HIV,1\n30,Male,Hepatitis,1\n30,Male,HIV,1\n\
    32,Male,Hepatitis,1\n32,Male,HIV,1\n\
                       32,Male,Hepatitis,1\n36,Female,Heart,2\n38,Female,Flu,2\n38,Female,Heart,2\n\
                       38,Female,Flu,2\n";

#[test]
fn the_example_of_the_book_is_reconstructed() {
    let folder = Folder::new();
    folder.write("release.csv", EXAMPLE);
    folder.write(
        "original.csv",
        "Age,Sex,Disease\n30,Male,Hepatitis\n30,Male,Hepatitis\n30,Male,HIV\n32,Male,Hepatitis\n\
            32,Male,HIV\n32,Male,HIV\n36,Female,Flu\n\
         38,Female,Flu\n38,Female,Heart\n38,Female,Heart\n",
    );
    let ask = |query: &str| {
        let outcome = folder.run_arguments(
            &[
                "query",
                "release.csv",
                query,
                "--group",
                "group",
                "--sensitive",
                "Disease",
                "--original",
                "original.csv",
                "--json",
            ],
            &[],
        );
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        serde_json::from_str::<serde_json::Value>(&outcome.stdout).unwrap()["answers"][0].clone()
    };
    let answer = ask("count where Age = 38 and Disease = Heart");
    assert_eq!((answer["estimate"].as_f64(), answer["truth"].as_u64()), (Some(1.5), Some(2)));
    assert_eq!((answer["lower"].as_u64(), answer["upper"].as_u64()), (Some(1), Some(2)));
    let answer = ask("count where Age >= 32 and Disease = HIV");
    assert_eq!((answer["estimate"].as_f64(), answer["truth"].as_u64()), (Some(1.5), Some(2)));
    // What is asked of quasi values alone is exact; so is what is asked of sensitive ones alone.
    for (query, truth) in
        [("count where Age = 38", 3.0), ("count where Disease = HIV", 3.0), ("sum(Age)", 336.0)]
    {
        let answer = ask(query);
        for what in ["estimate", "lower", "upper", "truth"] {
            assert_eq!(answer[what].as_f64(), Some(truth), "{query}: {what}");
        }
    }
    let answer = ask("sum(Age) where Disease = Flu");
    // Half of group 2, by estimate: 150 / 2; two of 36, 38, 38, 38.
    assert_eq!((answer["estimate"].as_f64(), answer["truth"].as_f64()), (Some(75.0), Some(74.0)));
    assert_eq!((answer["lower"].as_f64(), answer["upper"].as_f64()), (Some(74.0), Some(76.0)));
    let answer = ask("avg(Age) where Disease = Flu");
    assert_eq!((answer["lower"].as_f64(), answer["upper"].as_f64()), (Some(37.0), Some(38.0)));
}

#[test]
fn bounds_hold_and_estimates_add_up() {
    let folder = released();
    let text = people(80);
    let original = rows(&text);
    let diseases = ["flu", "asthma", "gout", "angina"];
    let mut total = 0.0;
    for disease in diseases {
        let query = format!("count where age < 50 and sex = m and disease = {disease}");
        let outcome = folder
            .run_arguments(&["query", "out", &query, "--original", "people.csv", "--json"], &[]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let answer = serde_json::from_str::<serde_json::Value>(&outcome.stdout).unwrap()["answers"]
            [0]
        .clone();
        let is_asked = |row: &&Vec<&str>| {
            row[2].parse::<u32>().is_ok_and(|age| age < 50) && row[3] == "m" && row[5] == disease
        };
        let truth = original.iter().filter(is_asked).count() as f64;
        assert_eq!(answer["truth"].as_f64(), Some(truth));
        assert!(
            answer["lower"].as_f64().unwrap() <= truth
                && truth <= answer["upper"].as_f64().unwrap()
        );
        total += answer["estimate"].as_f64().unwrap();
    }
    let all = original
        .iter()
        .filter(|row| row[2].parse::<u32>().is_ok_and(|age| age < 50) && row[3] == "m")
        .count();
    assert!((total - all as f64).abs() < 1e-9);
    let outcome = folder.run_arguments(&["query", "out", "count where nothing = 1"], &[]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("the file has no column 'nothing'"), "{}", outcome.stderr);
}
