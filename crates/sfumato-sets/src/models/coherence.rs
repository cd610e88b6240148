//! (h,k,p)-coherence of baskets: an attacker who knows up to p public items of a person finds at
//! least k records, of which a share of at most h has the same private item.

use crate::traits::{SetModel, SetRequirement};
use sfumato_core::combinations::{AskedCombinations, PartOf, Share};
use sfumato_core::facts::Hiding;
use sfumato_core::facts::{Fact, Facts};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Direction, Measure};
use sfumato_core::{Error, Result};

use crate::forms::combinations::counted;

/// The model.
pub struct Coherence;

static INFO: Info = Info {
    name: "coherence",
    summary: "every combination of at most p public items that a published record has is in at \
        least k of them, and a share of at most h of these has the same private item",
    papers: &[Paper {
        authors: "Y. Xu, K. Wang, A. W.-C. Fu, P. S. Yu",
        title: "Anonymizing transaction databases for publication",
        venue: "KDD",
        year: 2008,
    }],
    params: &[
        ParamSpec::required(
            "h",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "the largest share of the records with what is known that may have the same private \
             item",
        ),
        super::at_least::K,
        ParamSpec::required(
            "p",
            ParamKind::Integer { min: 1, max: 1_000_000_000 },
            "how many public items of somebody an attacker may know",
        ),
    ],
    doc: "\
## What it promises

Private items are those of the role `sensitive`; all others are public. Whoever knows up to `p` \
public items of a person, and has the release, finds no record with
all of them or at least `k`, and no private item is in more than a share of `h` of these. The same \
is asked of nothing known: of all records.

With `h=1` it is km-anonymity with `m=p`.

## Against whom it does not hold

- Somebody who knows more than `p` items, or a private one.
- Somebody who knows that a person lacks an item.
- Somebody who asks for one of several private items: each is counted alone.

## Checking

In the written file alone, with the private items named. Shares are compared as fractions of whole \
numbers. A combination is looked at only if all of its
parts pass, so that what is counted as failing are the smallest failing ones (minimal moles). That \
enough records have a combination doesn't make its parts or
what contains it pass: a private item may be rare with one item and with another, and common with \
both.

## How it is reached

By `item-suppression`: public items are left out of all records until no combination fails. \
Private items are published as they are. If already
of all records too many have the same private item, nothing helps, and the run says so.

## Cost

As km-anonymity, once for each private item of a record.
",
    about: About {
        asks: &[Fact::Combinations],
        limits: &[Disclosure::Identity, Disclosure::Attribute],
    },
    properties: super::properties::COHERENCE,
    ..Info::DEFAULT
};

/// The model with its parameters.
struct Requirement {
    k: u64,
    p: u64,
    h: Share,
    text: String,
}

impl SetModel for Coherence {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        let (k, p) = (params.count("k"), params.count("p"));
        let h = Share::of_decimal(params.number("h"))?;
        Ok(Box::new(Requirement { k, p, h, text: params.describe() }))
    }
}

impl SetRequirement for Requirement {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    /// No count of records suffices: those that are alike may all have the same private item.
    fn asks(&self) -> Vec<(Hiding, u64)> {
        Vec::new()
    }
    fn combinations(&self) -> Result<Option<AskedCombinations>> {
        self.asked().map(Some)
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let found = counted(INFO.name, &self.asked()?, facts)?;
        let promise = || (INFO.name, self.describe());
        let support = ("k", "projection");
        let support = Guarantee::at_least(promise(), support, self.k, found.support);
        let share = Guarantee {
            model: INFO.name,
            requirement: self.describe(),
            scope: "projection",
            measure: Measure { name: "h", required: self.h.value(), direction: Direction::AtMost },
            achieved: found.share.map_or(0.0, PartOf::value),
            holds: found.breaches == 0,
            violations: found.breaches,
        };
        Ok(vec![support, share])
    }
}

impl Requirement {
    fn asked(&self) -> Result<AskedCombinations> {
        let size = usize::try_from(self.p).map_err(|_| {
            Error::params(format!("{}: p is larger than this machine counts", INFO.name))
        })?;
        Ok(AskedCombinations { size, required: self.k, most: Some(self.h) })
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::ErrorKind;
    use sfumato_core::observer::Unobserved;
    use sfumato_engine::Job;
    use sfumato_engine::audit::Audit;
    use sfumato_engine::entry::Request;

    use crate::RELEASES;

    /// Table 13.1 of the book, with the second record as the text has it.
    const BOOK: &str = "a c d f g Diabetes\na b c f Hepatitis\nb d f x Hepatitis\n\
                        b c g y z HIV\na e f g HIV\n";

    fn job(folder: &std::path::Path, file: &str, model: &str, private: &str) -> Job {
        let text = format!(
            "[input]\npath = \"{file}\"\n[baskets]\nlayout = \"lines\"\nsensitive = [{private}]\n\
             [privacy]\nmodels = [\"{model}\"]\n[output]\npath = \"out.dat\"\n"
        );
        Job::parse(&text, "release.toml", folder).unwrap()
    }

    fn audit(lines: &str, model: &str, private: &str) -> sfumato_core::Result<Audit> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("in.dat"), lines).unwrap();
        let job = job(folder.path(), "in.dat", model, private);
        RELEASES[0].audit(&Request { job, ..Request::default() }, &Unobserved)
    }

    const PRIVATE: &str = "\"Diabetes\", \"Hepatitis\", \"HIV\"";

    #[test]
    fn an_audit_names_what_fails_and_its_private_item() {
        // b and f are in the second and the third record, and both have hepatitis.
        let without_rare =
            "a c f g Diabetes\nb c f Hepatitis\nb f Hepatitis\nb c g HIV\na f g HIV\n";
        let fails = audit(without_rare, "coherence(h=0.8, k=2, p=2)", PRIVATE).unwrap();
        assert!(!fails.holds);
        let said = fails.guarantees.iter().map(|found| (&found.measure[..], found.holds));
        assert_eq!(said.collect::<Vec<_>>(), [("k", false), ("h", false)]);
        let rare = audit(without_rare, "coherence(h=0.8, k=1, p=2)", PRIVATE).unwrap();
        assert!(!rare.holds && rare.guarantees[0].holds);
        // With h = 1 private items don't matter, and k = 1 asks for nothing.
        assert!(audit(without_rare, "coherence(h=1, k=1, p=5)", PRIVATE).unwrap().holds);
        // h is compared exactly: two of five have hepatitis, and two have HIV.
        let nobody = "Diabetes\nHepatitis\nHepatitis\nHIV\nHIV\n";
        assert!(audit(nobody, "coherence(h=0.4, k=5, p=2)", PRIVATE).unwrap().holds);
        assert!(!audit(nobody, "coherence(h=0.39999, k=5, p=2)", PRIVATE).unwrap().holds);
        let breach =
            audit("b f H\nb f H\nb J\nf J\n", "coherence(h=0.8, k=2, p=2)", "\"H\", \"J\"");
        let words = breach.unwrap().words;
        let named = "fails      coherence(h=0.8, k=2, p=2): b, f\n           in 2 records: 1, 2\n\
                     \x20          2 of them have H\n";
        assert!(words.contains(named), "{words}");
    }

    #[test]
    fn without_private_items_it_is_not_judged() {
        let error = audit(BOOK, "coherence(h=0.8, k=2, p=2)", "").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Params);
        assert!(error.hint.unwrap().contains("--sensitive-items"));
    }

    #[test]
    fn a_run_makes_the_book_s_table_coherent() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("in.dat"), BOOK).unwrap();
        let job = job(folder.path(), "in.dat", "coherence(h=0.8, k=2, p=2)", PRIVATE);
        let report = RELEASES[0].run(&job, &Unobserved).unwrap();
        assert!(report.guarantees.len() == 2 && report.guarantees.iter().all(|found| found.holds));
        let out = std::fs::read_to_string(folder.path().join("out.dat")).unwrap();
        let mut lines: Vec<&str> = out.lines().collect();
        lines.sort_unstable();
        let expected =
            ["Diabetes a c f g", "HIV a f g", "HIV c g", "Hepatitis a c f", "Hepatitis f"];
        assert_eq!(lines, expected);
        // Its own audit knows from the manifest which items are private.
        let mut own = Job::default();
        own.set("input", "path", folder.path().join("out.dat").display().to_string());
        own.set("privacy", "models", vec!["coherence(h=0.8, k=2, p=2)".to_string()]);
        let audit = RELEASES[0].audit(&Request { job: own, ..Request::default() }, &Unobserved);
        assert!(audit.unwrap().holds);
        // Three known items lead to single records, and of what more have h still holds.
        let three = self::audit(&out, "coherence(h=0.8, k=2, p=3)", PRIVATE).unwrap();
        assert!(!three.guarantees[0].holds && three.guarantees[1].holds);
        let said = "coherence h at most 0.8: achieved 0.66";
        assert!(three.words.contains(said), "{}", three.words);
    }
}
