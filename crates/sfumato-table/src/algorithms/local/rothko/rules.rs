//! What is the same for every node of the top tree, prepared once. Tasks that frequency groups
//! can't decide are refused by name.

use sfumato_core::column::Codes;
use sfumato_core::dataset::{Hierarchy, Role, Table};
use sfumato_core::traits::{Algorithm, Requirements};
use sfumato_core::workload::{TargetKind, Workload};
use sfumato_core::{Error, Result};

use super::Outline;
use super::above::Words;
use crate::algorithms::local::mondrian::criteria::InfoGain;
use crate::algorithms::local::mondrian::{Mondrian, Settings};
use crate::data::tuples::{Cells, TupleColumn};

/// What has to be counted to judge a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// The number of rows is enough.
    Rows,
    /// The number of people is enough.
    People,
    /// Counts of rows don't suffice: summaries are needed.
    Summaries,
}

impl Judge {
    /// The way of judging for some requirements.
    pub fn of(requirements: &Requirements, has_subject: bool) -> Self {
        match (requirements.is_count_only(), has_subject) {
            (true, false) => Judge::Rows,
            (true, true) => Judge::People,
            (false, _) => Judge::Summaries,
        }
    }
}

/// One quasi column.
pub struct Quasi<'a> {
    /// Its place in the frame.
    pub place: usize,
    /// The column without rows.
    pub tuple: &'a TupleColumn,
    /// Its tree, if it has one.
    pub tree: Option<&'a Hierarchy>,
    /// The word of missing.
    pub missing: u64,
}

impl Quasi<'_> {
    /// Whether cells in an interval are cut at thresholds.
    pub fn is_cut(&self, cells: Words) -> bool {
        self.tree.is_none() && cells.max < self.missing
    }

    /// How many values could lie between the first and the last word of an interval without
    /// missing.
    pub fn span(&self, cells: Words) -> u64 {
        let domain = &self.tuple.column.domain;
        match self.tuple.cells {
            Cells::Keys { .. } => cells.max - cells.min,
            _ => match (domain.key(cells.min as u32), domain.key(cells.max as u32)) {
                (Some(min), Some(max)) => max.wrapping_sub(min) as u64,
                _ => cells.max - cells.min,
            },
        }
    }
}

/// A column that is counted together with the words of quasi columns.
#[derive(Debug, Clone, Copy)]
pub struct Companion {
    /// Its place in the frame.
    pub place: usize,
    /// The number of codes, including missing.
    pub n_codes: u32,
}

/// What a workload asks for.
pub struct Guide {
    /// The classes to separate: their companion, the criterion, and for each quasi column whether
    /// models use it.
    pub goal: Option<Goal>,
    /// For each quasi column whether a projection names it.
    pub projected: Vec<bool>,
    /// The gain per record below which a split isn't worth it.
    pub min_gain: f64,
    /// Whether only gains that are more than chance count.
    pub significant: bool,
}

/// One classification target.
pub struct Goal {
    /// How its gains are measured.
    pub criterion: InfoGain,
    /// The number of different labels.
    pub n_labels: usize,
    /// For each quasi column whether it is a feature.
    pub features: Vec<bool>,
}

/// Everything that is prepared once for a run.
pub struct Rules<'a> {
    /// The task of the run.
    pub outline: &'a Outline<'a>,
    /// The quasi columns.
    pub quasi: Vec<Quasi<'a>>,
    /// How splits are chosen.
    pub settings: Settings,
    /// What has to be counted.
    pub judge: Judge,
    /// The smallest number of rows of a group that can be published.
    pub min_rows: usize,
    /// The place of the subject column.
    pub subject: Option<usize>,
    /// The columns that are counted together with words: the classes of the workload, then
    /// sensitive columns.
    pub companions: Vec<Companion>,
    /// For each sensitive column its place in the frame and its number of codes, if a model reads
    /// it.
    pub sensitive: Vec<Option<Companion>>,
    /// The workload.
    pub guide: Option<Guide>,
    /// The quasi columns as a table without rows.
    pub template: Table,
}

impl<'a> Rules<'a> {
    /// Prepare everything, and refuse tasks that frequency groups can't decide.
    pub fn new(outline: &'a Outline<'a>) -> Result<Self> {
        Mondrian.check_requirements(outline.requirements)?;
        let frame = outline.frame;
        let judge = Judge::of(outline.requirements, frame.subject.is_some());
        let merges = match judge {
            Judge::Rows | Judge::People => true,
            Judge::Summaries => outline.requirements.is_monotone() && frame.subject.is_none(),
        };
        let settings = Settings::new(outline.params, merges, judge == Judge::Rows);
        if settings.relaxed || !settings.tighten {
            let flag = if settings.relaxed { "relaxed=true" } else { "tighten=false" };
            return Err(refused(&format!(
                "{flag} would need values of the whole domain around each partition"
            )));
        }
        let quasi = frame.quasi().into_iter().map(|place| look_up(&frame.columns[place], place));
        let quasi: Vec<Quasi<'a>> = quasi.collect::<Result<_>>()?;
        let guide = match (outline.params.flag("workload"), outline.workload) {
            (true, Some(bind)) => {
                guide(outline, &bind(&frame.table(vec![Vec::new(); frame.columns.len()])?)?)?
            }
            _ => None,
        };
        let mut companions: Vec<Companion> = Vec::new();
        let mut goal = None;
        if let Some((found, place)) = guide {
            companions.extend(
                place.map(|place| Companion { place, n_codes: codes_of(&frame.columns[place]) }),
            );
            goal = Some(found);
        }
        let places = frame.sensitive();
        let needed = outline.requirements.needed_histograms(places.len());
        let sensitive: Vec<Option<Companion>> = places
            .iter()
            .zip(needed)
            .map(|(&place, needed)| {
                (needed && judge == Judge::Summaries)
                    .then(|| Companion { place, n_codes: codes_of(&frame.columns[place]) })
            })
            .collect();
        // People with a value can't be added up over words: the same person may have several.
        if frame.subject.is_none() {
            companions.extend(sensitive.iter().flatten());
        }
        let columns = quasi.iter().map(|quasi| {
            let column = &quasi.tuple.column;
            sfumato_core::dataset::Column {
                codes: Codes::U8(Vec::new()),
                role: Role::Quasi,
                ..column.clone()
            }
        });
        let template = Table { n_rows: 0, columns: columns.collect(), subject: None };
        Ok(Rules {
            outline,
            settings,
            judge,
            min_rows: usize::try_from(outline.requirements.min_people())
                .unwrap_or(usize::MAX)
                .max(1),
            subject: frame.subject,
            companions,
            sensitive,
            guide: goal,
            template,
            quasi,
        })
    }

    /// The first sensitive companion.
    pub fn first_sensitive(&self) -> usize {
        usize::from(self.guide.as_ref().is_some_and(|guide| guide.goal.is_some()))
    }

    /// The columns that groups are counted from, by their places in the frame.
    pub fn counted_columns(&self) -> Vec<usize> {
        let quasi = self.quasi.iter().map(|quasi| quasi.place);
        quasi.chain(self.companions.iter().map(|companion| companion.place)).collect()
    }
}

fn codes_of(column: &TupleColumn) -> u32 {
    column.column.domain.len() as u32 + 1
}

fn look_up(tuple: &TupleColumn, place: usize) -> Result<Quasi<'_>> {
    let column = &tuple.column;
    let is_keys = matches!(tuple.cells, Cells::Keys { .. });
    let tree = column.hierarchy.as_ref().filter(|_| !is_keys);
    if tree.is_none() && !is_keys && column.domain.keys.len() < column.domain.len() {
        return Err(Error::unsupported(format!(
            "rothko needs a hierarchy for the quasi column '{}': its values have no order",
            column.name
        ))
        .hint("give the column a hierarchy; a flat one has every value below one root"));
    }
    Ok(Quasi { place, tuple, tree, missing: tuple.axis().missing() })
}

fn refused(why: &str) -> Error {
    Error::unsupported(format!("rothko-tree decides splits from counts of values: {why}"))
        .hint("use rothko-sample, which holds records of every partition in memory")
}

/// What the workload asks for, with the place of the target. `None` if it says nothing about
/// splits.
fn guide(outline: &Outline<'_>, workload: &Workload) -> Result<Option<(Guide, Option<usize>)>> {
    if !workload.guides_splits() {
        return Ok(None);
    }
    let frame = outline.frame;
    if !workload.selections.is_empty() {
        return Err(refused("selections are about ranks of values in the whole"));
    }
    if workload.targets.len() > 1 {
        return Err(refused("several targets would need joint counts of all of them"));
    }
    let places = frame.quasi();
    let mut goal = None;
    if let Some(target) = workload.targets.first() {
        // The table that the workload was bound to has no subject column.
        let place = |column: usize| match frame.subject {
            Some(subject) if subject <= column => column + 1,
            _ => column,
        };
        let column = place(target.column);
        if target.kind == TargetKind::Numbers {
            return Err(refused("the counts of a regression target would be as large as the data"));
        }
        if target.features.iter().any(|feature| !places.contains(&place(*feature))) {
            return Err(refused(
                "features beyond the quasi columns would need joint counts with them",
            ));
        }
        if frame.columns[column].cells != Cells::Codes {
            return Err(refused("the target must be a column whose values are known one by one"));
        }
        let n_labels = codes_of(&frame.columns[column]) as usize;
        let nats = target.weight / std::f64::consts::LN_2;
        let criterion = InfoGain::new(Codes::U8(Vec::new()), n_labels, 1, nats);
        let features =
            places.iter().map(|quasi| target.features.iter().any(|f| place(*f) == *quasi));
        goal = Some((Goal { criterion, n_labels, features: features.collect() }, column));
    }
    let named =
        |quasi: usize| workload.projections.iter().any(|projection| projection.contains(&quasi));
    let projected = match workload.projections.is_empty() {
        true => vec![true; places.len()],
        false => (0..places.len()).map(named).collect(),
    };
    let (goal, place) = goal.unzip();
    let (min_gain, significant) =
        (outline.params.number("min_gain"), outline.params.flag("significant"));
    Ok(Some((Guide { goal, projected, min_gain, significant }, place)))
}
