//! Attacks on notes: those on tables, played on columns and texts together, and what identifiers
//! can still be read in the texts.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::attack::{AttackRequest, Chance, Outcome, Stage, Staged};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::context::Context;
use sfumato_engine::form::Form;
use sfumato_engine::paths::resolve;
use sfumato_io::Loan;
use sfumato_table::kind::Tables;
use sfumato_text::attacks::TextStage;
use sfumato_text::data::{Corpus, Document, Frame};

use super::GENERALIZED;
use super::audit::{original, said};
use super::joint::{column_of, joint, leftovers, of_text};
use crate::data::{Noted, read_with};
use crate::job::Job;

/// The attack on texts that needs no order of rows.
const OF_TEXTS: &str = "residual-identifiers";

/// The attacks that are played on notes.
pub fn attacks() -> Vec<&'static Info> {
    let mut all = Form::<Tables<'static>>::attacks(&GENERALIZED);
    let of_texts = sfumato_text::attacks::ALL.iter().map(|attack| attack.info());
    all.extend(of_texts.filter(|info| info.name == OF_TEXTS));
    all
}

/// A stage for both. The tables are lent as long as it lasts.
struct Both {
    table: Box<dyn Stage>,
    texts: Staged<TextStage>,
    _lent: Vec<Loan>,
}

impl Stage for Both {
    fn lacks(&self, attack: &str, params: &Params) -> Result<Option<String>> {
        match attack == OF_TEXTS {
            true => self.texts.lacks(attack, params),
            false => self.table.lacks(attack, params),
        }
    }
    fn play(&self, attack: &str, params: &Params, chance: &mut Chance) -> Result<Outcome> {
        match attack == OF_TEXTS {
            true => self.texts.play(attack, params, chance),
            false => self.table.play(attack, params, chance),
        }
    }
}

/// Open a release beside its original.
pub fn stage(request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
    request.original()?;
    let job = said(request.release.job.clone(), request.release.manifest.as_ref())?;
    let Some((original_job, before)) = original(&request.release, &job, context)? else {
        return Err(sfumato_core::Error::internal("the original is gone"));
    };
    let path = resolve(&job.base, &job.input.path);
    let known = Some(&before.extractor.attributes[..]);
    let after = read_with(&job, &path, known, context.observer)?;
    let mut more = [&before, &after]
        .map(|noted| leftovers(&noted.extractor, &noted.table, &noted.texts).columns);
    // A column of one side that the other hasn't says nothing there.
    let attributes = || before.extractor.attributes.iter();
    for name in attributes().map(|attribute| column_of(&attribute.name)) {
        let is_in = |list: &[(String, Vec<String>)]| list.iter().any(|(known, _)| *known == name);
        let known = [is_in(&more[0]), is_in(&more[1])];
        for (side, noted) in [&before, &after].into_iter().enumerate() {
            // An attacker learns from the release: what only the original says is no column of it.
            if known[1] && !known[side] {
                more[side].push((name.clone(), vec![String::new(); noted.len()]));
            }
        }
        if known[0] && !known[1] {
            more[0].retain(|(known, _)| *known != name);
        }
    }
    more.iter_mut().for_each(|list| list.sort());
    let of_original = joint(&original_job, &before.table, &more[0], of_text(&before), None)?;
    let of_release = joint(&job, &after.table, &more[1], of_text(&after), None)?;
    let table_job = |job: &Job, (loan, columns): &(Loan, _)| {
        let mut job = job.of_table(loan.name(), "", Clone::clone(columns));
        job.privacy.models.clear();
        job
    };
    let request = AttackRequest {
        release: AuditRequest {
            job: table_job(&job, &of_release),
            original: Some(table_job(&original_job, &of_original)),
            manifest: None,
            memory: None,
            spill: None,
        },
        population: None,
        control: None,
        other: None,
    };
    let table = Form::<Tables<'static>>::stage(&GENERALIZED, &request, context)?;
    let texts = TextStage { original: corpus(&before), published: corpus(&after), entities: None };
    let texts = Staged { stage: texts, attacks: sfumato_text::attacks::ALL };
    Ok(Box::new(Both { table, texts, _lent: vec![of_original.0, of_release.0] }))
}

/// The texts of notes as documents.
fn corpus(noted: &Noted) -> Corpus {
    let document = |(at, text): (usize, &String)| Document {
        name: (at + 1).to_string(),
        text: text.clone(),
        ..Document::default()
    };
    Corpus {
        documents: noted.texts.iter().enumerate().map(document).collect(),
        frame: Frame::Folder,
        format: "text",
        others: Vec::new(),
        bytes: 0,
        sha256: String::new(),
    }
}
