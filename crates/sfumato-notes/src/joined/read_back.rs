//! Reads a draft back and compares it with the original: columns are those that the verifier of
//! tables let pass, and each text is its original in which exactly what had to be replaced is.

use sfumato_core::column::RawTable;
use sfumato_core::facts::{ClassFacts, Facts};
use sfumato_core::group::Guarantee;
use sfumato_core::traits::Requirements;
use sfumato_core::{Error, Result};
use sfumato_engine::context::Context;
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::verify::{cant_read_back, failed_verification};
use sfumato_io::{ReadOptions, read, select_all};
use sfumato_table::audit::Opened as OpenedTable;
use sfumato_table::forms::generalized::make_plan::bind_models;
use sfumato_text::data::{Replaced, replace};
use sfumato_text::job::Level;

use super::Joined;
use super::joint::{Leftovers, joint, leftovers, open_joint, people_of};
use super::rewrite::rewrite;
use super::write::header;
use crate::data::cell;
use crate::kind::Notes;

/// What the bytes of a release say.
pub struct Read {
    /// Its columns, the text among them.
    pub table: RawTable,
    /// What texts say that their rows don't.
    pub leftovers: Leftovers,
    joint: Option<OpenedTable>,
    models: Vec<String>,
}

impl Facts for &Read {
    fn release(&self) -> &'static str {
        "a table with texts"
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        self.joint.is_some().then_some(self)
    }
}

impl ClassFacts for &Read {
    fn evaluate(&self, _: &Requirements) -> Result<Vec<Guarantee>> {
        let joint = self.joint.as_ref().ok_or_else(|| Error::internal("nothing was promised"))?;
        // Bound again: the codes of sensitive values are those of the file that was read back.
        joint.evaluate(&bind_models(&self.models, &joint.bind())?)
    }
}

/// Read a draft back and compare it with the original.
pub fn read_back(
    written: &Written<'_, Notes, Joined>,
    draft: &Draft,
    context: &Context<'_>,
) -> Result<Read> {
    let (noted, plan, decision) = (written.data, written.plan, written.decision());
    let options = &written.witness.options;
    let options = ReadOptions {
        format: Some(options.format),
        delimiter: Some(options.delimiter),
        header: Some(true),
        ..ReadOptions::default()
    };
    let path = draft.path()?.display().to_string();
    let table = read(&path, &options, &mut select_all, context.observer).map_err(cant_read_back)?;
    let sealed = &decision.sealed;
    if table.header != header(noted, &sealed.header) || table.n_rows != sealed.rows.len() {
        return Err(failed_verification("it hasn't the rows and columns that were decided"));
    }
    let place = |name: &str| table.columns.iter().position(|column| column.name == *name);
    let places: Vec<Option<usize>> = sealed.header.iter().map(|name| place(name)).collect();
    let text_at = place(&noted.table.columns[noted.text_at].name);
    let text_at = text_at.ok_or_else(|| failed_verification("the text is gone"))?;
    let texts: Vec<String> =
        (0..table.n_rows).map(|row| cell(&table.columns[text_at], row).to_string()).collect();
    for (row, (record, cells)) in sealed.rows.iter().enumerate() {
        let wrong = |what: &str| Err(failed_verification(&format!("row {}: {what}", row + 1)));
        let is_cell = |(at, text): (&Option<usize>, &Option<String>)| {
            at.is_some_and(|at| cell(&table.columns[at], row) == text.as_deref().unwrap_or(""))
        };
        if !places.iter().zip(cells).all(is_cell) {
            return wrong("a cell isn't what the table had there");
        }
        let own = decision.rows.get(row).map(|row| &row.replaced[..]).unwrap_or_default();
        let expected = expected(written, (*record, cells), own)?;
        if texts[row] != replace(&noted.texts[*record], &expected) {
            return wrong("its text isn't the original with what was found replaced");
        }
    }
    let leftovers = match plan.level {
        Level::Partial => Leftovers { columns: Vec::new(), rows: 0 },
        Level::Full | Level::Statistical => leftovers(&noted.extractor, &table, &texts),
    };
    let joint = match plan.level {
        Level::Statistical => {
            let people = people_of(noted).map(|people| -> Vec<u32> {
                sealed.rows.iter().map(|(record, _)| people[*record]).collect()
            });
            let more = shown_columns(written, &table);
            let lent = joint(written.job, &table, &leftovers.columns, more, people.as_deref())?;
            Some(open_joint(written.job, (&lent.0, lent.1), context)?)
        }
        Level::Full | Level::Partial => None,
    };
    let models = written.job.privacy.models.clone();
    Ok(Read { table, leftovers, joint, models })
}

/// The columns of the release that only the text had.
fn shown_columns(
    written: &Written<'_, Notes, Joined>,
    table: &RawTable,
) -> Vec<(String, arrow_array::ArrayRef)> {
    let attributes = written.data.extractor.attributes.iter();
    attributes
        .filter(|attribute| attribute.column.is_none())
        .filter_map(|attribute| {
            let column = table.columns.iter().find(|column| column.name == attribute.name)?;
            Some((attribute.name.clone(), crate::data::lent(column, table.n_rows)))
        })
        .collect()
}

/// What must be replaced in a text. What takes the place of a name is what was decided, if it may
/// be that: a surrogate is drawn once.
fn expected(
    written: &Written<'_, Notes, Joined>,
    (record, cells): (usize, &[Option<String>]),
    own: &[Replaced],
) -> Result<Vec<Replaced>> {
    let (noted, plan) = (written.data, written.plan);
    let cells = written.decision().sealed.cells(noted, cells);
    let mut direct = |start: usize, class: &str, text: &str| {
        let decided = own.iter().find(|one| one.start == start);
        let shown = decided.map(|one| one.text.clone());
        // A part that says more in its new place was taken out altogether.
        let is_allowed = |shown: &String| {
            shown == sfumato_text::data::REDACTED || plan.how.allows(class, text, shown)
        };
        shown.filter(is_allowed).ok_or_else(|| {
            failed_verification(&format!("note {}: something that was found stays", record + 1))
        })
    };
    rewrite(noted, record, &cells, plan.level, &mut direct)
}
