//! Linkage by authorship: who wrote a document, by how it is written.

use std::collections::BTreeMap;

use sfumato_core::Result;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TextStage;
use crate::data::fold;

/// The attack `authorship-linkage`, an entry of the registry.
pub struct AuthorshipLinkage;

static INFO: Info = Info {
    name: "authorship-linkage",
    summary: "tells by the style of a document whose it is",
    doc: "\
The attacker has other texts of each person: every second original document of a subject. Each of \
the others, as it is published, is given to the person
whose texts are written most like it, by the angle between how often three letters follow one another, \
the rarer the more they count. People with a single
document aren't asked about. The baseline is a guess among all of them.

Taking names and numbers out changes little about how a text is written: a release whose authors must \
not be known needs other means.
",
    ..Info::DEFAULT
};

type Profile = BTreeMap<[char; 3], f64>;

fn profile<'a>(texts: impl Iterator<Item = &'a str>) -> Profile {
    let mut profile = Profile::new();
    for text in texts {
        let signs: Vec<char> = fold(text).chars().collect();
        for three in signs.windows(3) {
            *profile.entry([three[0], three[1], three[2]]).or_insert(0.0) += 1.0;
        }
    }
    profile
}

fn angle(one: &Profile, other: &Profile, weight: &Profile) -> f64 {
    let value = |key: &[char; 3], n: f64| (1.0 + n.ln()) * weight.get(key).copied().unwrap_or(0.0);
    let length = |profile: &Profile| {
        profile.iter().map(|(key, n)| value(key, *n).powi(2)).sum::<f64>().sqrt()
    };
    let both: f64 =
        one.iter().filter_map(|(key, n)| Some(value(key, *n) * value(key, *other.get(key)?))).sum();
    let lengths = length(one) * length(other);
    if lengths > 0.0 { both / lengths } else { 0.0 }
}

/// The documents of each person who has several.
fn of_subject(stage: &TextStage) -> BTreeMap<&str, Vec<usize>> {
    let mut of_subject: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, document) in stage.original.documents.iter().enumerate() {
        of_subject.entry(document.subject.as_deref().unwrap_or("")).or_default().push(at);
    }
    of_subject.retain(|_, own| own.len() > 1);
    of_subject
}

impl Attack<TextStage> for AuthorshipLinkage {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["redacted"]
    }
    fn lacks(&self, _: &Params, stage: &TextStage) -> Option<String> {
        let is_known = stage.original.documents.iter().all(|one| one.subject.is_some());
        let what = "whose documents are (--text 'field=NAME, subject=ID'), and people with several";
        (!is_known || of_subject(stage).is_empty()).then(|| what.into())
    }
    fn play(&self, _: &Params, stage: &TextStage, _: &mut Chance) -> Result<Outcome> {
        let of_subject = of_subject(stage);
        let text = |at: &usize| stage.original.documents[*at].text.as_str();
        let known: Vec<Profile> =
            of_subject.values().map(|own| profile(own.iter().step_by(2).map(text))).collect();
        // What every person writes says nothing about any of them.
        let mut weight = Profile::new();
        for profile in &known {
            profile.keys().for_each(|key| *weight.entry(*key).or_insert(0.0) += 1.0);
        }
        let n = known.len() as f64;
        weight.values_mut().for_each(|having| *having = (1.0 + n / *having).ln());
        let mut score = Score::default();
        let mut worst = Vec::new();
        for (person, own) in of_subject.values().enumerate() {
            for at in own.iter().skip(1).step_by(2) {
                let asked = profile(std::iter::once(stage.published.documents[*at].text.as_str()));
                let angles: Vec<f64> =
                    known.iter().map(|known| angle(&asked, known, &weight)).collect();
                let best = angles.iter().copied().fold(0.0, f64::max);
                let alike = angles.iter().filter(|angle| **angle >= best).count() as f64;
                let chance = if best > 0.0 && angles[person] >= best { 1.0 / alike } else { 0.0 };
                score.add(chance);
                worst.push(Worst { record: *at as u64 + 1, chance });
            }
        }
        Ok(Outcome {
            score,
            baseline: if n > 0.0 { 1.0 / n } else { 0.0 },
            everybody: true,
            worst: Outcome::worst_of(worst.into_iter()),
            ..Outcome::default()
        })
    }
}
