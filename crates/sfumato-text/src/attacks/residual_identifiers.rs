//! Residual identifiers: personal data of the originals that can still be read somewhere.

use std::collections::BTreeMap;
use std::path::Path;

use sfumato_core::Result;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TextStage;
use crate::data::TermIndex;
use crate::detectors::Chosen;

/// The attack `residual-identifiers`, an entry of the registry.
pub struct ResidualIdentifiers;

static INFO: Info = Info {
    name: "residual-identifiers",
    summary: "reads personal data of the originals that is still in the release",
    doc: "\
All detectors of the program look through the originals. Each different text that they find, such \
as a name or a number, is an identifier; the
attacker is right about it if its words still stand, one after the other, in any published \
document. So a name is found that was replaced in one
document and overlooked in another, and whatever another tool left.

The judge finds no more than these detectors do: what they overlook isn't counted, and stays. \
Texts of classes that name nobody by themselves
(ages, nationalities, countries and titles) aren't asked about.
",
    ..Info::DEFAULT
};

/// Classes whose texts many people share.
const SHARED: [&str; 5] = ["AGE", "NRP", "GPE", "TITLE", "DATE_TIME"];

impl Attack<TextStage> for ResidualIdentifiers {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["redacted"]
    }
    fn play(&self, _: &Params, stage: &TextStage, _: &mut Chance) -> Result<Outcome> {
        let chosen = Chosen::new(&["default".to_string()], Path::new(""))?;
        let mut index = TermIndex::default();
        // Each identifier with the first document that has it.
        let mut first: BTreeMap<u32, usize> = BTreeMap::new();
        for (at, document) in stage.original.documents.iter().enumerate() {
            for span in chosen.find(&document.text) {
                let text = &document.text[span.start..span.end];
                let is_asked = !SHARED.contains(&span.class.as_ref()) && text.chars().count() > 2;
                if let Some(term) = is_asked.then(|| index.add(text)).flatten() {
                    first.entry(term).or_insert(at);
                }
            }
        }
        let mut is_left = vec![false; index.len()];
        for document in &stage.published.documents {
            index.find(&document.text).iter().for_each(|one| is_left[one.term as usize] = true);
        }
        let mut score = Score::default();
        is_left.iter().for_each(|is_left| score.add(if *is_left { 1.0 } else { 0.0 }));
        let worst = first.iter().filter(|(term, _)| is_left[**term as usize]);
        let worst = worst.map(|(_, at)| Worst { record: *at as u64 + 1, chance: 1.0 });
        Ok(Outcome {
            score,
            baseline: 0.0,
            everybody: true,
            worst: Outcome::worst_of(worst),
            remarks: vec![
                "judged by the detectors of this program: what they overlook isn't counted".into(),
            ],
            ..Outcome::default()
        })
    }
}
