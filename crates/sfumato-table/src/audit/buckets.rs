//! Audits a bucket release from its files alone: whether they fit together, and what the groups
//! promise.

use sfumato_core::column::RawTable;
use sfumato_core::dataset::{Role, Table};
use sfumato_core::facts::{ClassFacts, Facts};
use sfumato_core::group::{ClassTable, Guarantee, Summary, Tally, evaluate_with};
use sfumato_core::observer::Observer;
use sfumato_core::traits::{Bind, ClassSizes, Requirements};
use sfumato_core::{Error, Result};
use sfumato_engine::audit::Figures;
use sfumato_engine::compare::Utility;
use sfumato_engine::threads::at_once;
use sfumato_report as shown;

use super::probes::{BoundProbe, probes};
use super::{Audit, TableAuditRequest, check_hash, job_of, read_columns, risks, sizes_in_people};
use crate::data::class_index::rows_by_class;
use crate::data::encode::encode;
use crate::data::read::Dataset;
use crate::forms::buckets::check_requirements;
use crate::forms::buckets::read::{BucketTable, is_linked, read_linked, read_permuted};
use crate::forms::generalized::make_plan::bind_table;
use crate::job::{ColumnSpec, Job};
use crate::metrics;
use crate::metrics::buckets::TableBucketView;

/// A bucket release that was read.
pub struct OpenedBuckets {
    path: String,
    table: Table,
    groups: ClassTable,
    sizes: Vec<u64>,
    quasi: Vec<String>,
    sensitive: Vec<String>,
    before: Option<ClassSizes>,
    sha256: String,
    layout: &'static str,
    population: Option<sfumato_engine::job::Population>,
}

/// The bucket release that a request names.
fn read(request: &TableAuditRequest, observer: &dyn Observer) -> Result<BucketTable> {
    let path = &request.input.path;
    match (is_linked(path), &request.group) {
        (true, Some(_)) => {
            Err(Error::params("linked tables say by themselves which column is the group")
                .in_file(path)
                .hint("leave --group out"))
        }
        (true, None) => read_linked(path, observer),
        (false, Some(_)) if request.sensitive.is_empty() => {
            Err(Error::params("no sensitive column was named")
                .hint("say which are permuted with --sensitive a,b"))
        }
        (false, Some(group)) => read_permuted(&request.input, group, &request.sensitive, observer),
        (false, None) => Err(Error::params("nothing says which column has the group of a record")
            .in_file(path)
            .hint("name it with --group COLUMN")),
    }
}

/// Read a release that is to be audited.
pub fn open(request: TableAuditRequest, observer: &dyn Observer) -> Result<OpenedBuckets> {
    let flags = [("--subject", request.subject.is_some()), ("--memory", request.memory.is_some())];
    if let Some((flag, _)) = flags.into_iter().find(|(_, given)| *given) {
        return Err(Error::unsupported(format!("{flag} can't be given for a bucket release")));
    }
    let BucketTable { raw, group_of_row, sizes, sensitive, layout } = read(&request, observer)?;
    let quasi: Vec<String> = match request.quasi.is_empty() {
        true => {
            let names = raw.columns.iter().map(|column| column.name.clone());
            names.filter(|name| !sensitive.contains(name)).collect()
        }
        false => request.quasi.clone(),
    };
    let is_missing = |name: &&String| raw.columns.iter().all(|column| column.name != **name);
    if let Some(name) = quasi.iter().chain(&request.sensitive).find(is_missing) {
        return Err(Error::params(format!("the release has no column '{name}'"))
            .in_file(&request.input.path));
    }
    let sha256 = raw.source.sha256.clone();
    check_hash(&request, &sha256)?;
    let named =
        TableAuditRequest { quasi: quasi.clone(), sensitive: sensitive.clone(), ..request.clone() };
    let job = job_of(&named, &request.input);
    let table = encode(&job, dataset_of(&job, raw))?.table;
    let tally = Tally {
        sensitive: table
            .sensitive()
            .iter()
            .map(|column| Some((&column.codes, column.domain.len() + 1)))
            .collect(),
        subject: None,
    };
    let members = rows_by_class(&group_of_row, &sizes);
    let groups = ClassTable {
        keys: vec![(0..sizes.len() as u32).collect()],
        summaries: members.iter().map(|rows| tally.of_rows(rows)).collect(),
        release: tally.of_range(0..table.n_rows),
    };
    let before = request.original.as_ref().map(|original| {
        let mut job = job_of(&named, original);
        let dataset = read_columns(&mut job, observer)?;
        Ok::<_, Error>(sizes_in_people(&encode(&job, dataset)?.table))
    });
    let before = before.transpose()?;
    let path = request.input.path;
    Ok(OpenedBuckets {
        path,
        table,
        groups,
        sizes,
        quasi,
        sensitive,
        before,
        sha256,
        layout,
        population: request.population,
    })
}

impl Facts for OpenedBuckets {
    fn release(&self) -> &'static str {
        "a table of buckets"
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        Some(self)
    }
}

impl ClassFacts for OpenedBuckets {
    fn evaluate(&self, requirements: &Requirements) -> Result<Vec<Guarantee>> {
        check_requirements(requirements)?;
        Ok(evaluate_with(requirements, &self.groups, &at_once))
    }
}

impl OpenedBuckets {
    /// The columns to which models are bound.
    pub fn bind(&self) -> Bind<'_> {
        bind_table(&self.table)
    }

    /// What the release keeps: quasi values as they are, and of sensitive ones how often a record's
    /// own is guessed right by drawing one of its group.
    pub fn utility(&self) -> Utility {
        let sizes =
            shown::Classes::from_sizes(ClassSizes::from_sizes(self.sizes.iter().copied()).iter());
        let share = |column: usize| {
            let of_group = |group: &Summary| {
                let counts = group.histograms.get(column).into_iter().flat_map(|all| all.entries());
                let (squares, all) = counts.fold((0.0, 0.0), |(squares, all), (_, n)| {
                    let n = *n as f64;
                    (squares + n * n, all + n)
                });
                if all > 0.0 { squares / all } else { 0.0 }
            };
            let right: f64 = self.groups.summaries.iter().map(of_group).sum();
            right / (self.groups.release.rows.max(1) as f64)
        };
        let sensitive: Vec<String> =
            self.table.sensitive().iter().map(|column| column.name.clone()).collect();
        let association: Vec<(String, f64)> = sensitive
            .iter()
            .enumerate()
            .map(|(column, name)| (name.clone(), share(column)))
            .collect();
        let view = TableBucketView {
            groups: sizes.count,
            mean_size: sizes.mean,
            association: &association,
        };
        let metrics = metrics::buckets::ALL.iter().flat_map(|metric| {
            let name = metric.info().name;
            metric.measure(&view).into_iter().map(move |(column, value)| match column {
                None => (name.to_string(), Some(value)),
                Some(column) => (format!("{name} of {column}"), Some(value)),
            })
        });
        let exact = self.quasi.iter().map(|name| shown::Kept {
            part: name.clone(),
            told: "every value is published as it was".into(),
            exclusive: true,
            ..shown::Kept::default()
        });
        let grouped = association.iter().map(|(name, share)| shown::Kept {
            part: name.clone(),
            lost: (1.0 - share).clamp(0.0, 1.0),
            told: format!(
                "published by group: whoever draws one of its group has a record's own value in {} \
                 of the cases",
                shown::numbers::percent(*share)
            ),
            exclusive: true,
            ..shown::Kept::default()
        });
        Utility {
            rows: Some(self.table.n_rows as u64),
            classes: Some(sizes),
            kept: exact.chain(grouped).collect(),
            metrics: metrics.collect(),
            remarks: Vec::new(),
        }
    }

    /// What the release shows besides its guarantees.
    pub fn figures(&self) -> Result<Figures> {
        let about_values = probes(&self.table)?.into_iter().filter(BoundProbe::is_about_values);
        let achieved = about_values.flat_map(|probe| {
            probe.achieved(evaluate_with(&probe.requirements, &self.groups, &at_once))
        });
        let sizes = ClassSizes::from_sizes(self.sizes.iter().copied());
        let audit = Audit {
            sha256: self.sha256.clone(),
            rows: self.table.n_rows as u64,
            quasi: self.quasi.clone(),
            sensitive: self.sensitive.clone(),
            achieved: achieved.collect(),
            classes: shown::Classes::from_sizes(sizes.iter()),
            fully_suppressed: 0,
            risks: risks(self.before.as_ref(), &sizes_in_people(&self.table), self.population),
            buckets: Some(self.layout.into()),
            failing: Vec::new(),
            truth: None,
            pseudonyms: Vec::new(),
        };
        audit.figures(&self.path)
    }
}

/// The columns that a job names.
fn dataset_of(job: &Job, raw: RawTable) -> Dataset {
    let columns =
        raw.columns.into_iter().filter(|column| job.columns.get(&column.name).is_some()).collect();
    let role = |name: &String| {
        job.columns.get(name).map_or(Role::Identifier, |spec: &ColumnSpec| spec.role)
    };
    let roles = raw.header.iter().map(role).collect();
    let pseudonyms = crate::pseudonyms::Pseudonyms::default();
    Dataset { raw: RawTable { columns, ..raw }, roles, pseudonyms }
}
