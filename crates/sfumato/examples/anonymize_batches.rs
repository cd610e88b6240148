//! Anonymize Arrow batches, ask the release, and check what it promises:
//! `cargo run -p sfumato --example anonymize_batches`

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use sfumato::{Column, Hierarchy, Job, Run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A thousand people who never were.
    let numbers = 0..1000i64;
    let names = numbers.clone().map(|i| format!("person {i}"));
    let ages = numbers.clone().map(|i| 18 + (i * 37) % 70);
    let codes = numbers.clone().map(|i| format!("{}", 10_000 + (i * 7919) % 400));
    let ills = numbers.map(|i| ["flu", "cough", "asthma", "none"][(i * 31 % 101 % 4) as usize]);
    let people = RecordBatch::try_from_iter([
        ("name", Arc::new(StringArray::from_iter_values(names)) as ArrayRef),
        ("age", Arc::new(Int64Array::from_iter_values(ages))),
        ("zip", Arc::new(StringArray::from_iter_values(codes))),
        ("ill", Arc::new(StringArray::from_iter_values(ills))),
    ])?;

    // What the columns are, and what must hold.
    let job = Job::table()
        .identifier("name")
        .quasi(Column::new("age").hierarchy(Hierarchy::interval(5.0, 4)))
        .quasi(Column::new("zip").data_type("text").hierarchy(Hierarchy::mask()))
        .sensitive("ill")
        .k(10)
        .model("l-diversity-distinct(l=3)");
    println!("The job as a release.toml:\n\n{}", job.to_toml());

    let release = Run::new(&job)
        .progress(|progress| {
            if progress.done == 0 {
                eprintln!("{} ...", progress.step);
            }
        })
        .anonymize(people.clone())?;

    let report = release.report();
    println!(
        "{} of {} records published by {}, NCP {:.3}",
        report.records_published(),
        report.records_read(),
        report.algorithm(),
        report.loss("ncp").unwrap_or(f64::NAN),
    );
    for guarantee in report.guarantees() {
        println!("{} holds: {}", guarantee.model, guarantee.holds);
    }

    // Whoever has the release can ask it; beside the original one sees how far off it is.
    let queries = ["count where age >= 40 and ill = flu", "avg(age)"];
    for answer in Run::new(&job).original(people).query(release.batches(), &queries)? {
        println!(
            "{}: about {:?}, from {:?} to {:?}; in truth {:?}",
            answer.query, answer.estimate, answer.lower, answer.upper, answer.truth
        );
    }
    println!("\n{}", sfumato::audit(release.batches(), &job)?.words());
    Ok(())
}
