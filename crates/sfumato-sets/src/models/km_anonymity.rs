//! k^m-anonymity of baskets: an attacker who knows up to m items of a person finds at least k
//! records.

use sfumato_core::combinations::AskedCombinations;
use sfumato_core::facts::{Fact, Facts, Hiding};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use crate::forms::combinations::counted;
use crate::traits::{SetModel, SetRequirement};

/// The model `km-anonymity`, an entry of the registry.
pub struct KmAnonymity;

static INFO: Info = Info {
    name: "km-anonymity",
    summary: "every combination of at most m items that a published record has is in at least k of \
        them",
    papers: &[Paper {
        authors: "M. Terrovitis, N. Mamoulis, P. Kalnis",
        title: "Privacy-preserving anonymization of set-valued data",
        venue: "Proceedings of the VLDB Endowment",
        year: 2008,
    }],
    params: &[
        super::at_least::K,
        ParamSpec::required(
            "m",
            ParamKind::Integer { min: 1, max: 1_000_000_000 },
            "how many items of somebody an attacker may know",
        ),
    ],
    doc: "\
## What it promises

Whoever knows up to `m` items of a person, and has the release, finds no record with all of them \
or at least `k`. k-anonymity gives this for
every `m`; the other way round it doesn't follow, not even where `m` is as large as the largest \
record.

## Against whom it does not hold

- Somebody who knows more than `m` items.
- Somebody who knows that a person lacks an item: of the `k` records with what is known, those \
that have the other item fall away.
- Learning items: all of the `k` records may have the same others. Items of the role `sensitive` \
are published as they are, and no
  combination is counted with them.

## Checking

In the written file alone. Combinations are counted by size; one is looked at only if all of its \
parts are in `k` records, so that what is counted as failing
are the smallest failing ones. Where some fail, the number that is achieved is the least of those \
that were looked at: a combination that contains a failing
one may be rarer.

## How it is reached

By copies: records that are published alike in classes of `k`. That is more than is asked for. \
With `item-suppression` some items are left out of all
records until no combination is rare, and with an item hierarchy items are generalized.

## Cost

Up to one step for every combination of at most `m` items of every different record. Where that \
would be too much, the run ends with an error and says nothing
about the promise.
",
    about: About { asks: &[Fact::Combinations], limits: &[Disclosure::Identity] },
    properties: super::properties::KM_ANONYMITY,
    ..Info::DEFAULT
};

/// The model with its parameters.
struct Requirement {
    k: u64,
    m: u64,
    text: String,
}

impl SetModel for KmAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        let (k, m) = (params.count("k"), params.count("m"));
        Ok(Box::new(Requirement { k, m, text: params.describe() }))
    }
}

impl SetRequirement for Requirement {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    /// Copies suffice: the copies of a record have all items that it has.
    fn asks(&self) -> Vec<(Hiding, u64)> {
        vec![(Hiding::Copies, self.k)]
    }
    fn combinations(&self) -> Result<Option<AskedCombinations>> {
        self.asked().map(Some)
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let found = counted(INFO.name, &self.asked()?, facts)?.support;
        let promise = (INFO.name, self.describe());
        Ok(vec![Guarantee::at_least(promise, ("k", "projection"), self.k, found)])
    }
}

impl Requirement {
    fn asked(&self) -> Result<AskedCombinations> {
        let size = usize::try_from(self.m).map_err(|_| {
            Error::params(format!("{}: m is larger than this machine counts", INFO.name))
        })?;
        Ok(AskedCombinations { size, required: self.k, most: None })
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::observer::Unobserved;
    use sfumato_engine::audit::Audit;
    use sfumato_engine::entry::Request;
    use sfumato_engine::{AnyRelease, Job};

    use crate::RELEASES;

    /// The release that takes a job about some lines, and that job.
    fn job(lines: &str, model: &str) -> (tempfile::TempDir, &'static dyn AnyRelease, Job) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("log.dat"), lines).unwrap();
        let text = format!(
            "[input]\npath = \"log.dat\"\n[baskets]\nlayout = \"lines\"\n[privacy]\nmodels = \
                [\"{model}\"]\n\
             [output]\npath = \"out.dat\"\n"
        );
        let job = Job::parse(&text, "release.toml", folder.path()).unwrap();
        let takes = |release: &&&'static dyn AnyRelease| release.takes(&job).unwrap();
        let release = *RELEASES.iter().find(takes).unwrap();
        (folder, release, job)
    }

    fn audit(lines: &str, model: &str) -> Audit {
        let (_folder, release, job) = job(lines, model);
        release.audit(&Request { job, ..Request::default() }, &Unobserved).unwrap()
    }

    /// The example of the book with Alice, Bob, Chris and Dan: 2^2-anonymous, but not
    /// 2^3-anonymous.
    const BOOK: &str = "a1 b1\na2 b1 b2\na1 a2 b2\na1 a2 b1 b2\n";

    #[test]
    fn an_audit_says_what_holds_and_what_does_not() {
        let holds = audit(BOOK, "km-anonymity(k=2, m=2)");
        assert!(holds.holds, "{}", holds.words);
        assert_eq!((&holds.guarantees[0].scope[..], holds.form), ("projection", "subsets"));
        let fails = audit(BOOK, "km-anonymity(k=2, m=3)");
        assert!(!fails.holds);
        let said = "required   km-anonymity k at least 2: achieved 1: DOES NOT HOLD";
        assert!(fails.words.contains(said), "{}", fails.words);
        // The smallest combination that fails, and where it is: a1, a2 and b1 in the last row.
        let named = "fails      km-anonymity(k=2, m=3): a1, a2, b1\n           in 1 records: 4\n";
        assert!(fails.words.contains(named), "{}", fails.words);
        let json = &fails.figures["failing"][0];
        assert_eq!((&json["support"], &json["rows"][0]), (&1.into(), &4.into()));
        assert!(!holds.words.contains("fails") && !holds.figures.contains_key("failing"));
        // Everybody knows nothing of everybody: there must be k records at all.
        assert!(!audit(BOOK, "km-anonymity(k=5, m=1)").holds);
        // A fifth like Dan: 2^m for every m, and no copy of Alice.
        let five = format!("{BOOK}a1 a2 b1 b2\n");
        assert!(audit(&five, "km-anonymity(k=2, m=100)").holds);
        assert!(!audit(&five, "k-anonymity(k=2)").holds);
    }

    #[test]
    fn a_run_keeps_it() {
        let (folder, release, job) = job(BOOK, "km-anonymity(k=2, m=3)");
        let report = release.run(&job, &Unobserved).unwrap();
        assert_eq!(report.evidence.models, ["km-anonymity(k=2, m=3)"]);
        assert!(report.guarantees[0].holds && folder.path().join("out.dat").exists());
    }
}
