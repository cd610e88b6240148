//! The facts of mixed records: classes of columns, and how often combinations of items occur within
//! each of them. Whoever knows the columns of a person and some items looks for the rows of the
//! person's class that have these items.

use std::sync::Mutex;

use rayon::prelude::*;
use sfumato_core::column::RawTable;
use sfumato_core::combinations::{AskedCombinations, Combination, CountedCombinations};
use sfumato_core::dataset::Role;
use sfumato_core::facts::{ClassFacts, Facts, Least, SubsetFacts};
use sfumato_core::group::Guarantee;
use sfumato_core::traits::Requirements;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::context::Context;
use sfumato_engine::form::Form;
use sfumato_kernels::itemsets::{Limits, Listed, Records, mine};
use sfumato_table::audit::Opened as OpenedTable;
use sfumato_table::forms::generalized::Generalized;
use sfumato_table::forms::generalized::make_plan::bind_models;
use sfumato_table::job::Columns;
use sfumato_table::kind::Tables;
use sfumato_table::sealed::lend;

use crate::data::Rows;
use crate::job::Job;

/// The form of tables in which columns are published.
pub const GENERALIZED: Generalized<'static> = Generalized { stand_in: None, say: None };

/// Answers that were given already: what was asked, and in which class the smallest failing
/// combination is.
type Answers = Vec<(AskedCombinations, CountedCombinations, Option<usize>)>;

/// What the bytes of a file say.
pub struct Judged {
    /// The columns.
    pub columns: OpenedTable,
    /// The items of each row.
    pub rows: Rows,
    /// The rows of each class.
    pub classes: Vec<Vec<u32>>,
    /// The models about columns, if they are to be bound to this file and not to what it was made
    /// from: codes of sensitive values are those of a file.
    pub models: Option<Vec<String>>,
    answered: Mutex<Answers>,
}

impl Judged {
    /// The facts of a file.
    pub fn of(
        job: &Job,
        table: &RawTable,
        rows: Rows,
        original: Option<sfumato_table::Job>,
        context: &Context<'_>,
    ) -> Result<Self> {
        let is_role =
            |name: &str, role: Role| job.columns.get(name).is_some_and(|spec| spec.role == role);
        let is_judged = |name: &str| is_role(name, Role::Quasi) || is_role(name, Role::Sensitive);
        let judged: Vec<_> = table.columns.iter().filter(|one| is_judged(&one.name)).collect();
        let loan = lend(&judged, table.n_rows)?;
        let mut of_table = job.of_table(loan.name(), Vec::new());
        let Columns(specs) = &mut of_table.columns;
        specs.retain(|(name, _)| is_judged(name) && table.column(name).is_some());
        let request =
            AuditRequest { job: of_table, manifest: None, original, memory: None, spill: None };
        let columns = Form::<Tables<'static>>::open(&GENERALIZED, &request, context)?;
        let quasi: Vec<_> =
            judged.iter().filter(|column| is_role(&column.name, Role::Quasi)).collect();
        let mut of_key: FastMap<Vec<&str>, usize> = FastMap::default();
        let mut classes: Vec<Vec<u32>> = Vec::new();
        for row in 0..table.n_rows {
            let key = quasi.iter().map(|column| column.values.get(column.codes.get(row))).collect();
            let at = *of_key.entry(key).or_insert(classes.len());
            if at == classes.len() {
                classes.push(Vec::new());
            }
            classes[at].push(row as u32);
        }
        Ok(Judged { columns, rows, classes, models: None, answered: Mutex::default() })
    }

    /// The answer to a question, and the class with the smallest failing combination.
    fn answer(&self, asked: &AskedCombinations) -> Result<(CountedCombinations, Option<usize>)> {
        let poisoned = |_| Error::internal("a count of combinations was broken off");
        let mut answered = self.answered.lock().map_err(poisoned)?;
        if let Some((_, counted, class)) = answered.iter().find(|(other, ..)| other == asked) {
            return Ok((counted.clone(), *class));
        }
        let items = &self.rows;
        let all: Vec<CountedCombinations> = self
            .classes
            .par_iter()
            .map(|rows| count_in(items, rows, asked))
            .collect::<Result<_>>()?;
        let (counted, class) = joined(all);
        answered.push((*asked, counted.clone(), class));
        Ok((counted, class))
    }

    /// The smallest failing combination of a question: the rows of its class that have it, and what
    /// it is.
    pub fn failing(&self, asked: &AskedCombinations) -> Result<Option<(Vec<u32>, Combination)>> {
        let (counted, class) = self.answer(asked)?;
        let (Some(class), Some(failing)) = (class, counted.failing) else { return Ok(None) };
        let has_all = |row: &u32| {
            let set = self.rows.units.set(*row as usize);
            failing.items.iter().all(|item| set.binary_search(item).is_ok())
        };
        let rows = self.classes[class].iter().copied().filter(has_all).collect();
        Ok(Some((rows, failing)))
    }
}

/// Count the combinations of the rows of a class.
fn count_in(rows: &Rows, class: &[u32], asked: &AskedCombinations) -> Result<CountedCombinations> {
    let of = |sets: &Transactions| {
        let own = class.iter().map(|row| sets.set(*row as usize));
        Transactions::from_sets(sets.n_items(), own)
    };
    let private = match (asked.most, &rows.sensitive) {
        (None, _) => None,
        (Some(_), Some(sensitive)) => Some(of(sensitive)),
        (Some(_), None) => {
            return Err(Error::params(
                "the model is about private items, and no item is named as one",
            )
            .hint("name them with --sensitive-items"));
        }
    };
    let (sets, own) = numbered(of(&rows.units));
    let records = Records { sets: &sets, weights: None, private: private.as_ref() };
    let mut counted = mine(records, asked, Listed::default(), Limits::default())?.counted;
    if let Some(failing) = &mut counted.failing {
        failing.items.iter_mut().for_each(|item| *item = own[*item as usize]);
    }
    Ok(counted)
}

/// Sets with items numbered among those that are there, and which items these are: a class has few
/// of all.
fn numbered(sets: Transactions) -> (Transactions, Vec<u32>) {
    let mut own: Vec<u32> = (0..sets.len()).flat_map(|row| sets.set(row)).collect();
    own.sort_unstable();
    own.dedup();
    let code = |item: u32| own.binary_search(&item).unwrap_or_default() as u32;
    let of = |row: usize| sets.set(row).into_iter().map(code).collect();
    let all: Vec<Vec<u32>> = (0..sets.len()).map(of).collect();
    (Transactions::from_sets(own.len(), all), own)
}

/// What was counted in all classes together, and in which of them the smallest failing combination
/// is.
fn joined(all: Vec<CountedCombinations>) -> (CountedCombinations, Option<usize>) {
    let mut whole = CountedCombinations {
        support: Least { least: u64::MAX, violations: 0 },
        share: None,
        breaches: 0,
        failing: None,
    };
    let mut at = None;
    for (class, counted) in all.into_iter().enumerate() {
        whole.support.least = whole.support.least.min(counted.support.least);
        whole.support.violations += counted.support.violations;
        whole.breaches += counted.breaches;
        whole.share = match (whole.share, counted.share) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        };
        let size = |found: &Combination| (found.items.len(), found.support);
        let is_smaller = match (&counted.failing, &whole.failing) {
            (Some(new), Some(old)) => size(new) < size(old),
            (new, _) => new.is_some(),
        };
        if is_smaller {
            (whole.failing, at) = (counted.failing, Some(class));
        }
    }
    // A file without rows has no combination, and nobody to find.
    if whole.support.least == u64::MAX {
        whole.support.least = 0;
    }
    (whole, at)
}

impl Facts for &Judged {
    fn release(&self) -> &'static str {
        "a release of mixed records"
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        Some(self)
    }
    fn subsets(&self) -> Option<&dyn SubsetFacts> {
        Some(self)
    }
}

impl ClassFacts for &Judged {
    fn evaluate(&self, requirements: &Requirements) -> Result<Vec<Guarantee>> {
        match &self.models {
            Some(models) => self.columns.evaluate(&bind_models(models, &self.columns.bind())?),
            None => self.columns.evaluate(requirements),
        }
    }
}

impl SubsetFacts for &Judged {
    fn count(&self, asked: &AskedCombinations) -> Result<CountedCombinations> {
        Ok(self.answer(asked)?.0)
    }
}
