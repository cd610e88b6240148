//! The private report of a bucket release.

use sfumato_core::dataset::{Role, Table};
use sfumato_core::group::Guarantee;
use sfumato_core::recoding::Buckets;
use sfumato_engine::job::Population;
use sfumato_engine::risks::risks;
use sfumato_engine::section_of_buckets::{self, BucketColumn};
use sfumato_report as shown;

use super::publish::exact_columns;
use super::section;
use super::verify::ReadGroups;
use crate::data::class_index::class_sizes;
use crate::data::encode::Encoded;
use crate::forms::generalized::make_plan::Plan;
use crate::forms::generalized::measure::Measured;
use crate::forms::generalized::report::{
    Checked, ReportInput, columns, details, ignored, tell, unguarded,
};
use crate::job::{BucketLayout, Job};
use crate::kind::TableData;
use crate::metrics::{self, buckets::TableBucketView};

/// The number of records that are shown side by side.
const SAMPLE: usize = 10;

/// Make the report. Times and peak memory are filled in at the end.
pub(super) fn report(
    job: &Job,
    layout: BucketLayout,
    data: &TableData,
    plan: &Plan,
    buckets: &Buckets,
    (read, guarantees): (&ReadGroups, &[Guarantee]),
) -> shown::Report {
    let encoded = &data.encoded;
    let table = &encoded.table;
    let n_published = read.group_of_row.len();
    let groups = shown::Classes::from_sizes(read.groups.iter());
    let measured = measured(table, n_published, job.privacy.population);
    let mut report = tell(ReportInput {
        job,
        plan,
        source: &encoded.source,
        n_rows: table.n_rows as u64,
        n_columns: encoded.header.len() as u64,
        guarantees,
        details: details(plan, table, buckets),
        columns: described(job, data, plan),
        checked: Checked {
            classes: groups.clone(),
            evidence: &read.evidence,
            bytes: read.bytes,
            sha256: &read.sha256(),
        },
        measured: &measured,
        quasi: table.quasi().iter().map(|column| column.name.as_str()).collect(),
        statistics: Vec::new(),
        dependencies: Vec::new(),
        warnings: warnings(job, encoded, plan),
        sample: sample(job, table, &read.group_of_row),
    });
    let sensitive = table.sensitive();
    let told = sensitive.iter().zip(&read.largest).zip(&read.association);
    let told = told.map(|((column, (times, size)), association)| BucketColumn {
        name: column.name.clone(),
        largest_share: *times as f64 / *size as f64,
        association: *association,
    });
    // Groups aren't classes: nobody is published like the others of a group.
    report.classes = None;
    let association: Vec<(String, f64)> = sensitive
        .iter()
        .zip(&read.association)
        .map(|(column, association)| (column.name.clone(), *association))
        .collect();
    let view =
        TableBucketView { groups: groups.count, mean_size: groups.mean, association: &association };
    let measured = metrics::buckets::ALL.iter().flat_map(|metric| {
        let name = metric.info().name;
        metric.measure(&view).into_iter().map(move |(column, value)| match column {
            None => (name.to_string(), Some(value)),
            Some(column) => (format!("{name} of {column}"), Some(value)),
        })
    });
    report.metrics = measured.collect();
    let told = section_of_buckets::Buckets {
        layout: layout.name().into(),
        group: job.group_column().into(),
        groups,
        exact: exact_columns(table).map(|column| column.name.clone()).collect(),
        sensitive: told.collect(),
    };
    section::tell(&mut report, &told);
    report
}

/// The risks of being found, which are the same before and after, since quasi values are exact.
fn measured(table: &Table, n_published: usize, population: Option<Population>) -> Measured {
    let sizes = |n_rows: usize| {
        let rows: Vec<u32> = (0..n_rows as u32).collect();
        let quasi: Vec<_> = table.quasi().iter().map(|column| column.codes.gather(&rows)).collect();
        let subject = table.subject.as_ref().map(|subject| subject.gather(&rows));
        class_sizes(&quasi.iter().collect::<Vec<_>>(), n_rows, subject.as_ref())
    };
    let before = sizes(table.n_rows);
    Measured {
        risks: risks(&before, &sizes(n_published), population),
        suppressed: (table.n_rows - n_published) as u64,
        classes_before: before,
        ..Measured::default()
    }
}

fn described(job: &Job, data: &TableData, plan: &Plan) -> Vec<shown::Column> {
    let mut all = columns(job, data, plan);
    for column in &mut all {
        if column.role == Role::Quasi.name() {
            column.generalisation = None;
            column.note = Some("published as it is".into());
        }
    }
    all
}

fn warnings(job: &Job, encoded: &Encoded, plan: &Plan) -> Vec<String> {
    let table = &encoded.table;
    let mut warnings = vec![
        "a bucket release hides nobody: it says of everybody that they are in the data, and which \
            sensitive values their group has"
            .to_string(),
    ];
    let kept: Vec<&str> = table
        .columns
        .iter()
        .filter(|column| matches!(column.role, Role::Keep | Role::Target))
        .map(|column| column.name.as_str())
        .collect();
    if !kept.is_empty() {
        warnings.push(format!(
            "published exactly beside the quasi columns: {}; what tells a sensitive value by \
                itself must not be among them",
            kept.join(", ")
        ));
    }
    if job.run.seed.is_some() {
        warnings.push("a seed was given: not for release, the shuffle can be replayed".into());
    }
    if job.output.keep_order {
        warnings.push("rows are in the order of the input, which can give people away".into());
    }
    warnings.extend(unguarded(table, plan));
    warnings.extend(encoded.remarks.iter().cloned());
    if table.sensitive().len() > 1 {
        warnings.push(
            "several sensitive columns: each is checked by itself; who knows one value of somebody \
                may rule out values of another".into(),
        );
    }
    warnings.extend(ignored(plan));
    warnings
}

/// Some records: the original, and what is published of each alone.
fn sample(job: &Job, table: &Table, group_of_row: &[u32]) -> Vec<shown::SamplePair> {
    let n = group_of_row.len();
    let rows = (0..n).step_by(n.div_ceil(SAMPLE).max(1)).take(SAMPLE);
    rows.map(|row| {
        let mut pair = shown::SamplePair::default();
        for column in table.published() {
            let code = column.codes.get(row);
            let text =
                (code != column.domain.missing()).then(|| column.domain.label(code).to_string());
            let published = text.clone().filter(|_| column.role != Role::Sensitive);
            pair.original.insert(column.name.clone(), text);
            pair.published.insert(column.name.clone(), published);
        }
        pair.published.insert(job.group_column().to_string(), Some(group_of_row[row].to_string()));
        pair
    })
    .collect()
}
