//! What must hold: requirements that the sizes of groups decide are judged by every holder; those
//! about sensitive columns by the holder of the columns, who may reject a specialisation.

use sfumato_core::dataset::Table;
use sfumato_core::group::{Summary, Tally};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::{Bind, Requirement, Requirements, Scope};
use sfumato_core::{Error, FastMap, Result};
use sfumato_table::forms::generalized::make_plan::bind_table;

use super::partition::Leaf;
use super::{Joint, Partition};

/// Requirements that every holder judges, and what each is about.
pub struct Shared {
    requirements: Vec<(Box<dyn Requirement>, Vec<usize>)>,
    qids: Vec<Vec<usize>>,
}

impl Shared {
    /// The quasi-identifiers, as places among the joint quasi columns. Each counts once.
    pub fn qids(&self) -> &[Vec<usize>] {
        &self.qids
    }

    /// Which columns no quasi-identifier ties to another holder's, however many steps it takes:
    /// their owner specialises them alone, and nobody is told which record has which value.
    pub fn local(&self, owners: &[usize]) -> Vec<bool> {
        let mut tied: Vec<Vec<usize>> = self.qids.clone();
        // Quasi-identifiers that share a column are one.
        while let Some((a, b)) = overlapping(&tied) {
            let other = tied.remove(b);
            tied[a].extend(other);
        }
        let mut local = vec![true; owners.len()];
        for set in &tied {
            if set.iter().any(|column| owners[*column] != owners[set[0]]) {
                set.iter().for_each(|column| local[*column] = false);
            }
        }
        local
    }

    /// Whether a smallest group of a quasi-identifier is large enough.
    pub fn holds(&self, qid: usize, least: u64) -> bool {
        let group = Summary::of_count(least);
        let about = self.requirements.iter().filter(|(_, qids)| qids.contains(&qid));
        about.into_iter().all(|(requirement, _)| requirement.holds(&group, &group))
    }

    /// Refuse a partition in which a group is too small.
    pub fn check(&self, partition: &Partition) -> Result<()> {
        for (requirement, qids) in &self.requirements {
            for &qid in qids {
                let least = partition.least(&self.qids[qid], None);
                if !requirement.holds(&Summary::of_count(least), &Summary::of_count(least)) {
                    return Err(Error::infeasible(format!(
                        "{} can't be met: the smallest group would have {least} records",
                        requirement.describe()
                    ))
                    .hint(
                        "nothing was released; ask for less, or let holders bring more records",
                    ));
                }
            }
        }
        Ok(())
    }
}

/// A holder's judgement about its own sensitive columns.
pub struct Guardian<'a> {
    requirements: Requirements,
    tally: Tally<'a>,
    whole: Summary,
}

/// The models of a job as a holder judges them.
pub struct Bound<'a> {
    /// What sizes decide.
    pub shared: Shared,
    /// What one judges about one's own sensitive columns.
    pub guardian: Option<Guardian<'a>>,
    /// Whether anybody judges more than sizes, which all holders find alike.
    pub is_judged: bool,
}

/// Bind the models of a job: those that sizes decide for all, and the rest for the owners of
/// sensitive columns. A model that nobody can judge is refused.
pub fn bind<'a>(models: &[String], joint: &Joint, own: &'a Table) -> Result<Bound<'a>> {
    let quasi = joint.quasi_names();
    let all: Vec<usize> = (0..quasi.len()).collect();
    let mut shared = Shared { requirements: Vec::new(), qids: Vec::new() };
    let (mut guarded, mut is_judged) = (Vec::new(), false);
    for text in models {
        let call: Call = text.parse()?;
        let model = sfumato_table::models::find(&call.name)?;
        let params = Params::check(model.info(), &call.args)?;
        let without = Bind { quasi: quasi.clone(), sensitive: Vec::new() };
        match model.bind(&params, &without) {
            Ok(bound) if bound.iter().all(|requirement| requirement.is_count_only()) => {
                for requirement in bound {
                    shared.add(requirement, &all)?;
                }
            }
            Ok(_) => return Err(nobody(text)),
            // It is about sensitive columns, or wrong in another way, which its owner finds out.
            Err(error) if joint.guardians().is_empty() => return Err(error),
            Err(_) => {
                is_judged = true;
                let on = params.text("on");
                let owns = |name: &str| own.sensitive().iter().any(|column| column.name == name);
                let is_known = |name: &str| joint.columns.iter().any(|column| column.name == name);
                match on {
                    Some(name) if !is_known(name) => return Err(nobody(text)),
                    Some(name) if !owns(name) => {}
                    _ if own.sensitive().is_empty() => {}
                    _ => {
                        let sensitive = bind_table(own).sensitive;
                        let with = Bind { quasi: quasi.clone(), sensitive };
                        guarded.extend(model.bind(&params, &with)?);
                    }
                }
            }
        }
    }
    if let Some(other) = guarded.iter().find(|requirement| !requirement.is_monotone()) {
        return Err(Error::unsupported(format!(
            "{} isn't monotone: a specialisation that breaks it may be mended by another, which \
             holders can't try together",
            other.model()
        ))
        .hint("take l-diversity, confidence-bounding or alpha-k-anonymity"));
    }
    let guardian = (!guarded.is_empty()).then(|| {
        let requirements = Requirements::new(guarded);
        let tally = requirements.tally(own);
        let whole = tally.of_range(0..own.n_rows);
        Guardian { requirements, tally, whole }
    });
    Ok(Bound { shared, guardian, is_judged })
}

/// Two sets that share a column.
fn overlapping(sets: &[Vec<usize>]) -> Option<(usize, usize)> {
    let share = |a: usize, b: usize| sets[a].iter().any(|column| sets[b].contains(column));
    let pairs = (0..sets.len()).flat_map(|a| (a + 1..sets.len()).map(move |b| (a, b)));
    pairs.into_iter().find(|&(a, b)| share(a, b))
}

fn nobody(model: &str) -> Error {
    Error::unsupported(format!("no holder can judge {model} alone"))
        .hint("its sensitive column must be a sensitive column of one holder")
}

impl Shared {
    fn add(&mut self, requirement: Box<dyn Requirement>, all: &[usize]) -> Result<()> {
        let sets = match requirement.scope() {
            Scope::Class => vec![all.to_vec()],
            Scope::Projection(sets) => sets,
            other => {
                return Err(Error::unsupported(format!(
                    "{} is about every {} of a release, which no holder of a part can judge",
                    requirement.model(),
                    other.name()
                )));
            }
        };
        let mut own = Vec::new();
        for mut set in sets {
            set.sort_unstable();
            own.push(match self.qids.iter().position(|qid| *qid == set) {
                Some(place) => place,
                None => {
                    self.qids.push(set);
                    self.qids.len() - 1
                }
            });
        }
        self.requirements.push((requirement, own));
        Ok(())
    }
}

impl Shared {
    /// So many records in each class of so many columns.
    pub fn of_k(k: u64, n_columns: usize) -> Result<Self> {
        let names: Vec<String> = (0..n_columns).map(|column| column.to_string()).collect();
        let quasi = names.iter().map(String::as_str).collect();
        let bind = Bind { quasi, sensitive: Vec::new() };
        let all: Vec<usize> = (0..n_columns).collect();
        let mut shared = Shared { requirements: Vec::new(), qids: Vec::new() };
        for requirement in bound(&format!("k-anonymity(k={k})"), &bind)? {
            shared.add(requirement, &all)?;
        }
        Ok(shared)
    }
}

fn bound(text: &str, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
    let call: Call = text.parse()?;
    let model = sfumato_table::models::find(&call.name)?;
    model.bind(&Params::check(model.info(), &call.args)?, bind)
}

/// The fewest records of a class of all columns, where the models ask for nothing else.
pub fn k_of_all(models: &[String], quasi: &[&str]) -> Result<u64> {
    let bind = Bind { quasi: quasi.to_vec(), sensitive: Vec::new() };
    let mut k = 1;
    for text in models {
        for requirement in bound(text, &bind)? {
            if !requirement.is_count_only() || requirement.scope() != Scope::Class {
                return Err(Error::unsupported(format!(
                    "double encryption of classes can't serve {}",
                    requirement.model()
                ))
                .hint("it serves k-anonymity; leave 'method' out for other models"));
            }
            k = k.max(requirement.min_people());
        }
    }
    Ok(k)
}

/// The column and the number of a value that is taken apart, and the part of each record.
pub type Split<'a> = (usize, u32, &'a dyn Fn(u32) -> u32);

impl Guardian<'_> {
    /// Whether all models about one's own sensitive columns hold if a value falls apart so.
    pub fn accepts(&self, partition: &Partition, split: Option<Split<'_>>) -> bool {
        let mut groups: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for Leaf { values, records } in partition.leaves() {
            match split {
                Some((column, value, part_of)) if values[column] == value => {
                    let mut of_part: FastMap<u32, Vec<u32>> = FastMap::default();
                    records.iter().for_each(|r| of_part.entry(part_of(*r)).or_default().push(*r));
                    let next = partition.n_values(column) as u32;
                    for (part, records) in of_part {
                        let mut values = values.clone();
                        values[column] = next + part;
                        groups.push((values, records));
                    }
                }
                _ => groups.push((values.clone(), records.clone())),
            }
        }
        self.requirements.iter().all(|requirement| match requirement.scope() {
            Scope::Projection(sets) => {
                sets.iter().all(|set| self.hold(requirement, &merged(&groups, set)))
            }
            _ => self.hold(requirement, &groups),
        })
    }

    fn hold(&self, requirement: &dyn Requirement, groups: &[(Vec<u32>, Vec<u32>)]) -> bool {
        let holds = |(_, records): &(Vec<u32>, Vec<u32>)| {
            let group = self.tally.of_rows(records);
            group.people >= requirement.min_people() && requirement.holds(&group, &self.whole)
        };
        groups.iter().all(holds)
    }
}

/// Groups that agree on some columns.
fn merged(groups: &[(Vec<u32>, Vec<u32>)], set: &[usize]) -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut merged: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
    for (values, records) in groups {
        let key = set.iter().map(|&column| values[column]).collect();
        merged.entry(key).or_default().extend(records);
    }
    merged.into_iter().collect()
}
