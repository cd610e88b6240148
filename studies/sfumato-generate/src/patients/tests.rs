//! Tests that people are consistent, ages fit dates, and the stated dependencies exist.

use std::collections::BTreeMap;

use sfumato_core::FastSet;

use super::*;
use crate::tests::{counts, rows_of, text_of};

const PERSON: usize = 1;
const AGE: usize = 3;
const SEX: usize = 4;
const ZIP: usize = 5;
const JOB: usize = 6;
const ADMISSION: usize = 7;
const DIAGNOSIS: usize = 8;

fn date(text: &str) -> (u32, u32, u32) {
    let parts: Vec<u32> = text.split('-').map(|part| part.parse().unwrap()).collect();
    (parts[0], parts[1], parts[2])
}

#[test]
fn one_row_per_person_unless_asked() {
    let text = text_of("patients", 70_000, 1);
    let rows = rows_of(&text);
    assert_eq!(counts(&rows, PERSON).len(), 70_000);
    assert_eq!(rows[122][PERSON], "P000123");
}

#[test]
fn returning_people_keep_who_they_are() {
    let text = text_of("patients(visits=3)", 140_000, 1);
    let mut stays: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for row in rows_of(&text) {
        stays.entry(row[PERSON]).or_default().push(row);
    }
    let with = |n: usize| {
        stays.values().filter(|rows| rows.len() == n).count() as f64 / stays.len() as f64
    };
    // 3/4, then 1/4 of 3/4, then the rest, which may not come again.
    assert!(
        (with(1) - 0.75).abs() < 0.01
            && (with(2) - 0.1875).abs() < 0.01
            && (with(3) - 0.0625).abs() < 0.01
    );
    assert!(stays.values().all(|rows| rows.len() <= 3));
    for rows in stays.values() {
        for pair in rows.windows(2) {
            for column in [0, 2, SEX, ZIP, JOB] {
                assert_eq!(pair[0][column], pair[1][column]);
            }
            assert!(date(pair[0][ADMISSION]) < date(pair[1][ADMISSION]));
        }
    }
}

#[test]
fn ages_fit_births_and_admissions() {
    let text = text_of("patients", 50_000, 2);
    for row in rows_of(&text) {
        let (birth, admission) = (date(row[2]), date(row[ADMISSION]));
        let before = (admission.1, admission.2) < (birth.1, birth.2);
        assert_eq!(
            row[AGE].parse::<u32>().unwrap(),
            admission.0 - birth.0 - u32::from(before),
            "{row:?}"
        );
        assert!((2024..=2025).contains(&admission.0) && row[AGE].parse::<u32>().unwrap() <= 101);
    }
}

#[test]
fn jobs_and_diagnoses_fit_age_sex_and_region() {
    let text = text_of("patients(visits=2)", 100_000, 3);
    let rows = rows_of(&text);
    let share = |of: &dyn Fn(&Vec<&str>) -> bool, among: &dyn Fn(&Vec<&str>) -> bool| {
        let among: Vec<_> = rows.iter().filter(|row| among(row)).collect();
        among.iter().filter(|row| of(row)).count() as f64 / among.len() as f64
    };
    let age = |row: &Vec<&str>| row[AGE].parse::<u32>().unwrap();
    let rural = |row: &Vec<&str>| ["39", "78", "96"].contains(&&row[ZIP][..2]);
    let farmer = |row: &Vec<&str>| row[JOB] == "farmer";
    assert!(share(&farmer, &rural) > 4.0 * share(&farmer, &|row| !rural(row)));
    let stroke = |row: &Vec<&str>| row[DIAGNOSIS] == "stroke";
    assert!(share(&stroke, &|row| age(row) >= 65) > 3.0 * share(&stroke, &|row| age(row) < 65));
    let depression = |row: &Vec<&str>| row[DIAGNOSIS] == "depression";
    assert!(
        share(&depression, &|row| row[SEX] == "female")
            > 1.3 * share(&depression, &|row| row[SEX] == "male")
    );
    for row in &rows {
        match row[DIAGNOSIS] {
            "childbirth" => assert!(row[SEX] == "female" && age(row) >= 18, "{row:?}"),
            "prostate cancer" => assert!(row[SEX] == "male" && age(row) >= 40, "{row:?}"),
            _ => {}
        }
    }
    let diagnoses = counts(&rows, DIAGNOSIS);
    assert_eq!(diagnoses.len(), DIAGNOSES.len());
    let (rarest, commonest) =
        (diagnoses.values().min().unwrap(), diagnoses.values().max().unwrap());
    assert!(commonest > &(5 * rarest), "{rarest} {commonest}");
    assert_eq!(counts(&rows, JOB).len(), JOBS.len());
}

#[test]
fn zips_have_five_digits_of_eight_regions_and_costs_two_decimals() {
    let text = text_of("patients", 50_000, 4);
    let mut regions = FastSet::default();
    for row in rows_of(&text) {
        assert_eq!(row[ZIP].len(), 5);
        regions.insert(row[ZIP][..2].to_string());
        let (whole, cents) = row[9].split_once('.').unwrap();
        assert!(cents.len() == 2 && whole.parse::<u32>().unwrap() >= 500, "{row:?}");
    }
    assert_eq!(regions.len(), REGIONS.len());
}

#[test]
fn words_fit_their_cells() {
    let words = JOBS.iter().map(|job| job.name).chain(DIAGNOSES.iter().map(|d| d.name));
    for word in words.chain(FEMALE_NAMES).chain(MALE_NAMES).chain(SURNAMES) {
        assert!(word.len() < 32 && !word.contains([',', ';', '"']), "{word}");
    }
}
