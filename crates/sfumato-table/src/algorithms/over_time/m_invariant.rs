//! m-invariant groups (Xiao and Tao): everybody stays among the same sensitive values, with made-up
//! records where nobody has one of them any more.

use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{BoxesBuilder, Finding, Recoding, Value};
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Requirement, Requirements, Task};
use sfumato_core::{Error, FastMap, Result};
use sfumato_kernels::invariance::{Fault, Group, assign, split};

/// The algorithm `m-invariant`, an entry of the registry.
pub struct MInvariant;

static INFO: Info = Info {
    name: "m-invariant",
    summary: "keeps everybody among the same sensitive values in every release, with made-up \
        records where nobody has one of them any more",
    papers: &[Paper {
        authors: "X. Xiao, Y. Tao",
        title: "m-Invariance: towards privacy preserving re-publication of dynamic datasets",
        venue: "SIGMOD",
        year: 2007,
    }],
    params: &[ParamSpec::with_default(
        "max_made_up",
        ParamKind::Number { min: 0.0, above: false, max: 1.0 },
        "0.1",
        "the largest share of made-up records",
    )],
    doc: include_str!("m_invariant.md"),
    capabilities: Capabilities {
        serves: &[Fact::Classes, Fact::SensitiveValues, Fact::Earlier],
        ignores: &["max_suppression", "metric"],
        fits_sensitive: true,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for MInvariant {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn check_requirements(&self, requirements: &Requirements) -> Result<()> {
        let m = asked_m(requirements)?;
        // What it finds are groups of m people: other models are served where these do.
        let serves = |asked: &&dyn Requirement| {
            asked.measures().iter().any(|measure| measure.name == "m")
                || (asked.is_count_only()
                    && asked.fact() == Fact::Classes
                    && asked.min_people() <= m)
        };
        match requirements.iter().find(|asked| !serves(asked)) {
            None => Ok(()),
            Some(asked) => Err(Error::unsupported(format!(
                "{} can't serve {}: its groups are made for one model",
                INFO.name,
                asked.describe()
            ))
            .hint(format!("ask for m-invariance alone: its groups have {m} records or more"))),
        }
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        let m = asked_m(task.requirements)? as usize;
        let people = People::new(task)?;
        let (values, codes) = people.values();
        let kept = people.signatures(&codes)?;
        let kept: Vec<Option<&[u32]>> = kept.iter().map(Option::as_deref).collect();
        let buckets = assign(&values, &kept, codes.len(), m).map_err(|fault| told(fault, m))?;
        let made_up: usize = buckets.iter().flat_map(|bucket| &bucket.made_up).sum();
        let share = made_up as f64 / (made_up + task.table.n_rows).max(1) as f64;
        if share > params.number("max_made_up") {
            return Err(too_many(made_up, share));
        }
        let quasi = task.table.quasi();
        let points: Vec<Vec<u32>> =
            quasi.iter().map(|column| column.codes.iter().collect()).collect();
        let widths: Vec<f64> = quasi.iter().map(|column| column.domain.len() as f64).collect();
        let mut groups: Vec<Group> = Vec::new();
        for bucket in buckets {
            if task.observer.cancelled() {
                return Err(Error::new(sfumato_core::ErrorKind::Cancelled, "the run was stopped"));
            }
            groups.extend(split(bucket, &points, &widths));
        }
        publish(task.table, &points, &groups, &codes)
    }
}

/// The `m` that is asked for.
fn asked_m(requirements: &Requirements) -> Result<u64> {
    let measures = requirements.iter().flat_map(Requirement::measures);
    let m = measures.filter(|measure| measure.name == "m").map(|measure| measure.required as u64);
    m.max().ok_or_else(|| {
        Error::unsupported(format!("{} serves m-invariance, and it isn't asked for", INFO.name))
            .hint("say --model 'm-invariance(m=3)', or take another algorithm, such as mondrian")
    })
}

/// The records of a table, each a person's own.
struct People<'a> {
    task: &'a Task<'a>,
    sensitive: &'a Column,
    of_row: Vec<u32>,
}

impl<'a> People<'a> {
    fn new(task: &'a Task<'a>) -> Result<Self> {
        let table = task.table;
        let mut sensitive = table.columns.iter().filter(|column| column.role == Role::Sensitive);
        let (Some(sensitive), None) = (sensitive.next(), sensitive.next()) else {
            return Err(Error::unsupported(format!("{} is about one sensitive column", INFO.name))
                .hint("name one with --sensitive, and make the others quasi"));
        };
        let Some(subject) = &table.subject else {
            return Err(Error::unsupported(format!(
                "{} has to know who is who in every release, and no column says it",
                INFO.name
            ))
            .hint("name the column with --subject COLUMN: it isn't published"));
        };
        let of_row: Vec<u32> = subject.iter().collect();
        let mut seen = of_row.clone();
        seen.sort_unstable();
        match seen.windows(2).filter(|two| two[0] == two[1]).count() {
            0 => Ok(People { task, sensitive, of_row }),
            n => Err(Error::unsupported(format!(
                "{} is about people with one record each, and {n} records are of people who have \
                 another",
                INFO.name
            ))
            .hint("leave one record of each person")),
        }
    }

    /// The value of each record, numbered by the codes that occur now or did before.
    fn values(&self) -> (Vec<u32>, Vec<u32>) {
        let earlier = self.of_row.iter().filter_map(|person| self.signature(*person)).flatten();
        let mut codes: Vec<u32> = self.sensitive.codes.iter().chain(earlier.copied()).collect();
        codes.sort_unstable();
        codes.dedup();
        let number: FastMap<u32, u32> = codes.iter().copied().zip(0..).collect();
        (self.sensitive.codes.iter().map(|code| number[&code]).collect(), codes)
    }

    fn signature(&self, person: u32) -> Option<&[u32]> {
        self.task.earlier?.signature(person)
    }

    /// The signature of each record that was published before.
    fn signatures(&self, codes: &[u32]) -> Result<Vec<Option<Vec<u32>>>> {
        let number = |code: &u32| {
            let found = codes.binary_search(code);
            found.map(|at| at as u32).map_err(|_| Error::internal("a signature has no number"))
        };
        let of_person = |person: &u32| {
            let signature = self.signature(*person);
            signature.map(|codes| codes.iter().map(number).collect()).transpose()
        };
        self.of_row.iter().map(of_person).collect()
    }
}

/// Publish each group as the region around its people.
fn publish(
    table: &Table,
    points: &[Vec<u32>],
    groups: &[Group],
    codes: &[u32],
) -> Result<Box<dyn Recoding>> {
    let quasi = table.quasi();
    let mut builder = BoxesBuilder::new(quasi.len());
    let mut taken: FastMap<Vec<String>, &[u32]> = FastMap::default();
    let mut class_of_row = vec![0u32; table.n_rows];
    let (mut made_up, mut class_of_made_up) = (Vec::new(), Vec::new());
    for group in groups {
        let mut region = region(&quasi, points, group);
        while taken
            .get(&texts(&quasi, &region))
            .is_some_and(|signature| *signature != group.signature.as_slice())
        {
            widen_cheapest(&quasi, &mut region)?;
        }
        taken.insert(texts(&quasi, &region), &group.signature);
        let class = builder.push(&region)?;
        group.rows.iter().for_each(|row| class_of_row[*row as usize] = class);
        made_up.extend(group.made_up.iter().map(|value| codes[*value as usize]));
        class_of_made_up.extend(group.made_up.iter().map(|_| class));
    }
    class_of_row.extend(class_of_made_up);
    let findings = vec![
        Finding { name: "groups", value: groups.len() as f64 },
        Finding { name: "made-up records", value: made_up.len() as f64 },
    ];
    Ok(Box::new(builder.finish(class_of_row).with_made_up(made_up).with_findings(findings)))
}

fn texts(quasi: &[&Column], region: &[Value]) -> Vec<String> {
    quasi.iter().zip(region).map(|(column, value)| value.render(column)).collect()
}

/// The smallest region around the people of a group. That of one person alone is widened where it
/// is exact.
fn region(quasi: &[&Column], points: &[Vec<u32>], group: &Group) -> Vec<Value> {
    let of_column = |(column, points): (&&Column, &Vec<u32>)| {
        let missing = column.domain.missing();
        let codes = || group.rows.iter().map(|row| points[*row as usize]);
        let present = || codes().filter(|code| *code != missing);
        let (lo, hi) = (present().min().unwrap_or(0), present().max().map_or(0, |code| code + 1));
        let value = Value::covering(column, lo, hi, codes().any(|code| code == missing));
        match group.rows.len() == 1 && value.leaves(column) <= 1 {
            true => wider(column, value).unwrap_or(value),
            false => value,
        }
    };
    quasi.iter().zip(points).map(of_column).collect()
}

/// The next wider value of a column, if there is one.
fn wider(column: &Column, value: Value) -> Option<Value> {
    match (value, &column.hierarchy) {
        (Value::Any, _) => None,
        (Value::Missing, _) => Some(Value::Any),
        (Value::Node(node), Some(tree)) => {
            let mut above = tree.parent(node);
            // Nodes with one child cover what the child does.
            while above != 0 && tree.leaves(above) == tree.leaves(node) {
                above = tree.parent(above);
            }
            (node != 0).then_some(Value::Node(above))
        }
        (Value::Node(_), None) => None,
        (Value::Range { lo, hi }, _) => {
            let n = column.domain.len() as u32;
            let wider = Value::Range { lo: lo.saturating_sub(1), hi: (hi + 1).min(n) };
            (hi - lo < n).then_some(wider)
        }
    }
}

/// Widen the column in which that costs least.
fn widen_cheapest(quasi: &[&Column], region: &mut [Value]) -> Result<()> {
    let steps = quasi.iter().zip(&*region).enumerate().filter_map(|(at, (column, value))| {
        let next = wider(column, *value)?;
        Some((at, next, next.ncp(column) - value.ncp(column)))
    });
    let Some((at, next, _)) = steps.min_by(|a, b| a.2.total_cmp(&b.2)) else {
        return Err(Error::infeasible(
            "there are too few regions: groups with different sensitive values would be published \
             alike, and break each other",
        )
        .hint("name more quasi columns, give a hierarchy more levels, or ask for a smaller m"));
    };
    region[at] = next;
    Ok(())
}

fn too_many(made_up: usize, share: f64) -> Error {
    Error::infeasible(format!(
        "{made_up} records would be made up, {:.1} % of the release: more than max_made_up allows",
        100.0 * share
    ))
    .hint(
        "ask for a smaller m, wait for more new records, or allow more with --algorithm \
         'm-invariant(max_made_up=0.3)'",
    )
}

fn told(fault: Fault, m: usize) -> Error {
    match fault {
        Fault::Changed(n) => Error::infeasible(format!(
            "{n} people have another sensitive value than when they were published: no group can \
             keep them among the same values"
        ))
        .hint(
            "m-invariance is about values that stay: publish the old ones, leave these people out, \
             or begin another chain with 'sfumato ledger new-chain LEDGER'",
        ),
        Fault::Weak(n) => Error::infeasible(format!(
            "{n} people were published among fewer than {m} sensitive values before"
        ))
        .hint("ask for the m of the earlier releases, or begin another chain"),
        Fault::FewValues(n) => Error::infeasible(format!(
            "there are {n} different sensitive values, and each group needs {m}"
        ))
        .hint("ask for a smaller m"),
    }
}
