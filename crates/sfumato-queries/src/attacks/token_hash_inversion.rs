//! Token-hash inversion: hashes of terms are undone with another log of the same language.

use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::LogStage;
use super::colours::{colours, sizes};
use super::inversion::Inversion;
use crate::algorithms::papers::KUMAR;

/// The attack.
pub struct TokenHashInversion;

static INFO: Info = Info {
    name: "token-hash-inversion",
    summary: "guesses which term a hash stands for, from another log of the same language",
    papers: &[KUMAR],
    params: &[
        ParamSpec::with_default(
            "most",
            ParamKind::Integer { min: 1, max: 5000 },
            "300",
            "how many of the most frequent hashes are guessed",
        ),
        ParamSpec::with_default(
            "drift",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0.03",
            "how much frequencies differ between the logs beyond chance, as a share",
        ),
        ParamSpec::with_default(
            "rounds",
            ParamKind::Integer { min: 0, max: 100 },
            "6",
            "how often similarities are computed from those of neighbours; 0 for frequencies alone",
        ),
    ],
    doc: "\
The attacker has the release and another log in clear (`--population`): an older one, one of \
another search engine, or one that leaked. A hash and a term are similar if
they are about equally frequent and if what each is often found beside is similar in turn; that is \
computed in rounds, beginning with frequencies alone. The most similar are
matched, each once.

The rate is the share of the most frequent hashes whose term is guessed right. The remark says \
which share of all terms of the log that is: frequent terms are told apart best, so
that it is larger.

The judge has the original but no key, and tells which hash is which term by their places in the \
two copies of the log. Terms whose places are alike in all respects count as one: a
guess of one of them is counted as the share that a random choice among them would be right.

Cost: the pairs of hashes and terms that are about equally frequent, 144 steps each in each round.
",
    ..Info::DEFAULT
};

impl Attack<LogStage> for TokenHashInversion {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["hashed"]
    }
    fn lacks(&self, _: &Params, stage: &LogStage) -> Option<String> {
        let is_missing = stage.reference.is_none();
        is_missing.then(|| "another log of the same language (--population)".to_string())
    }
    fn play(&self, params: &Params, stage: &LogStage, _: &mut Chance) -> Result<Outcome> {
        let reference = stage
            .reference
            .as_ref()
            .ok_or_else(|| Error::params("there is no other log to compare with"))?;
        let attack = Inversion {
            most: params.count("most") as usize,
            drift: params.number("drift"),
            rounds: params.count("rounds") as usize,
        };
        let guesses = attack.guess(reference, &stage.hashed);
        let of_terms = colours(&stage.original, &stage.users);
        let of_hashes = colours(&stage.hashed, &stage.pseudonyms);
        let alike = sizes(&of_terms);
        let counts = stage.hashed.counts();
        let (mut right, mut occurrences) = (0.0, 0.0);
        for guess in &guesses {
            let term = stage.original.find(reference.names().get(guess.term));
            let colour = of_hashes[guess.hash as usize];
            if term.is_some_and(|term| of_terms[term as usize] == colour) {
                let chance = 1.0 / f64::from(alike.get(&colour).copied().unwrap_or(1));
                right += chance;
                occurrences += chance * f64::from(counts[guess.hash as usize]);
            }
        }
        let n_hashes = counts.len();
        let asked = attack.most.min(n_hashes) as u64;
        let all: f64 = counts.iter().map(|n| f64::from(*n)).sum();
        let remark = format!(
            "of {n_hashes} different hashes the {asked} most frequent were guessed; those that \
             were guessed right are {:.1} % of all terms that were asked",
            100.0 * occurrences / all.max(1.0)
        );
        Ok(Outcome {
            score: Score::new(right, asked),
            baseline: 1.0 / reference.names().len().max(1) as f64,
            everybody: true,
            remarks: vec![remark],
            ..Outcome::default()
        })
    }
}
