//! Audits a bucket release from its files alone: whether they fit together, and what the groups promise.

use sfumato_core::column::RawTable;
use sfumato_core::dataset::Role;
use sfumato_core::group::{ClassTable, Tally, evaluate_with};
use sfumato_core::observer::Observer;
use sfumato_core::traits::{ClassSizes, Requirements};
use sfumato_core::{Error, Result};
use sfumato_report as shown;

use super::probes::probes;
use super::{Audit, AuditRequest, job_of, read_columns, risks, sizes_in_people};
use crate::data::class_index::rows_by_class;
use crate::data::encode::encode;
use crate::data::read::Dataset;
use crate::forms::buckets::check_requirements;
use crate::forms::buckets::read::{BucketTable, is_linked, read_linked, read_permuted};
use crate::forms::generalized::make_plan::{bind_models, bind_table};
use crate::forms::generalized::report::guarantee;
use sfumato_engine::job::{ColumnSpec, Job};
use sfumato_engine::threads::at_once;

/// The bucket release that a request names, if it does.
pub(super) fn read(request: &AuditRequest, observer: &dyn Observer) -> Result<Option<BucketTable>> {
    let path = &request.input.path;
    match (is_linked(path), &request.group) {
        (true, Some(_)) => Err(Error::params("linked tables say by themselves which column is the group")
            .in_file(path)
            .hint("leave --group out")),
        (true, None) => read_linked(path, observer).map(Some),
        (false, Some(_)) if request.sensitive.is_empty() => {
            Err(Error::params("no sensitive column was named")
                .hint("say which are permuted with --sensitive a,b"))
        }
        (false, Some(group)) => read_permuted(&request.input, group, &request.sensitive, observer).map(Some),
        (false, None) => Ok(None),
    }
}

/// Audit it.
pub(super) fn audit(request: &AuditRequest, buckets: BucketTable, observer: &dyn Observer) -> Result<Audit> {
    for (flag, given) in [("--subject", request.subject.is_some()), ("--memory", request.memory.is_some())] {
        if given {
            return Err(Error::unsupported(format!("{flag} can't be given for a bucket release")));
        }
    }
    let BucketTable { raw, group_of_row, sizes, sensitive, form } = buckets;
    let quasi: Vec<String> = match request.quasi.is_empty() {
        true => raw.columns.iter().map(|c| c.name.clone()).filter(|name| !sensitive.contains(name)).collect(),
        false => request.quasi.clone(),
    };
    if let Some(name) = quasi
        .iter()
        .chain(&request.sensitive)
        .find(|name| raw.columns.iter().all(|column| column.name != **name))
    {
        return Err(Error::params(format!("the release has no column '{name}'")).in_file(&request.input.path));
    }
    let sha256 = raw.source.sha256.clone();
    let named = AuditRequest { quasi: quasi.clone(), sensitive: sensitive.clone(), ..request.clone() };
    let job = job_of(&named, &request.input);
    let table = encode(&job, dataset_of(&job, raw))?.table;
    let tally = Tally {
        sensitive: table.sensitive().iter().map(|c| Some((&c.codes, c.domain.len() + 1))).collect(),
        subject: None,
    };
    let members = rows_by_class(&group_of_row, &sizes);
    let groups = ClassTable {
        keys: vec![(0..sizes.len() as u32).collect()],
        summaries: members.iter().map(|rows| tally.of_rows(rows)).collect(),
        release: tally.of_range(0..table.n_rows),
    };
    let requirements = match request.models.is_empty() {
        true => Requirements::new(Vec::new()),
        false => bind_models(&request.models, &bind_table(&table))?,
    };
    check_requirements(&requirements)?;
    let guarantees: Vec<shown::Guarantee> = evaluate_with(&requirements, &groups, &at_once)
        .iter()
        .map(|g| guarantee(g, "measured in the files"))
        .collect();
    let about_values = probes(&table)?.into_iter().filter(|probe| probe.is_about_values());
    let achieved = about_values
        .flat_map(|probe| probe.achieved(evaluate_with(&probe.requirements, &groups, &at_once)))
        .collect();
    let before = request.original.as_ref().map(|original| {
        let mut job = job_of(&named, original);
        let dataset = read_columns(&mut job, observer)?;
        Ok(sizes_in_people(&encode(&job, dataset)?.table))
    });
    Ok(Audit {
        path: request.input.path.clone(),
        sha256,
        rows: table.n_rows as u64,
        quasi,
        sensitive,
        holds: guarantees.iter().all(|guarantee| guarantee.holds),
        guarantees,
        achieved,
        classes: shown::Classes::from_sizes(ClassSizes::from_sizes(sizes).iter()),
        fully_suppressed: 0,
        risks: risks(before.transpose()?, &sizes_in_people(&table)),
        buckets: Some(form.into()),
    })
}

/// The columns that a job names.
fn dataset_of(job: &Job, raw: RawTable) -> Dataset {
    let columns = raw.columns.into_iter().filter(|column| job.columns.get(&column.name).is_some()).collect();
    let role = |name: &String| job.columns.get(name).map_or(Role::Identifier, |spec: &ColumnSpec| spec.role);
    let roles = raw.header.iter().map(role).collect();
    Dataset { raw: RawTable { columns, ..raw }, roles }
}
