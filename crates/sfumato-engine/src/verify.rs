//! The last step of the verifier. Only this module can make a [`Checked`], and only with one can a
//! draft be committed.

use sfumato_core::facts::{Facts, Promises};
use sfumato_core::group::Guarantee;
use sfumato_core::{Error, ErrorKind, Result};

/// Evidence that a draft was read back from its bytes, compared with its original and judged, or
/// that a named mechanism vouches for it. The fields are private, so that no other module can make
/// one.
#[derive(Debug, Clone)]
pub struct Checked {
    guarantees: Vec<Guarantee>,
    models: Vec<String>,
    evidence: Evidence,
}

/// What the promises of a release rest on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// Every model was judged on the bytes, and every published value compared with the original.
    CheckedAgainstOriginal,
    /// A mechanism makes the promise. The bytes were compared with what the mechanism may do.
    ByConstruction {
        /// The mechanism with its parameters.
        mechanism: String,
    },
    /// Nothing is promised: values were changed, and the report says how.
    NoPromise {
        /// What was done to the values.
        mechanism: String,
    },
}

impl Checked {
    /// What was required and what is achieved.
    pub fn guarantees(&self) -> &[Guarantee] {
        &self.guarantees
    }
    /// The promises that were judged.
    pub fn models(&self) -> &[String] {
        &self.models
    }
    /// What the promises of the release rest on.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }
    /// The same draft, for which a mechanism vouches: values were changed at random, and what the
    /// bytes say was compared with what the mechanism may do. Models that were asked for beside it
    /// have been judged all the same.
    pub(crate) fn vouched(self, mechanism: String, promises_privacy: bool) -> Self {
        let evidence = match promises_privacy {
            true => Evidence::ByConstruction { mechanism },
            false => Evidence::NoPromise { mechanism },
        };
        Checked { evidence, ..self }
    }
}

/// Judge all promises on the facts that a draft states. `known_to_fail` names the algorithm, if its
/// releases are known to fail sometimes.
pub fn check(
    promises: &dyn Promises,
    facts: &dyn Facts,
    known_to_fail: Option<&'static str>,
) -> Result<Checked> {
    let models = promises.describe();
    let guarantees = promises.judge(facts)?;
    if let Some(model) = unjudged(&models, &guarantees) {
        return Err(failed_verification(&format!("{model} was not judged")));
    }
    if let Some(broken) = guarantees.iter().find(|guarantee| !guarantee.holds) {
        let what = format!(
            "{} doesn't hold in {} groups of the written file ({} is {}, required {})",
            broken.requirement,
            broken.violations,
            broken.measure.name,
            broken.achieved,
            broken.measure.required
        );
        return Err(known_to_fail
            .map_or_else(|| failed_verification(&what), |name| known_fault(name, &what)));
    }
    Ok(Checked { guarantees, models, evidence: Evidence::CheckedAgainstOriginal })
}

/// Let a draft pass that promises nothing and says so. Promises of privacy are made by models that
/// were judged, or by a mechanism through the pipeline.
pub fn no_promise(mechanism: String) -> Checked {
    let evidence = Evidence::NoPromise { mechanism };
    Checked { guarantees: Vec::new(), models: Vec::new(), evidence }
}

/// The first promise that no guarantee is about. Neither a run nor an audit may pass over one.
pub(crate) fn unjudged<'a>(models: &'a [String], guarantees: &[Guarantee]) -> Option<&'a String> {
    let is_judged =
        |model: &&String| guarantees.iter().any(|guarantee| guarantee.requirement == **model);
    models.iter().find(|model| !is_judged(model))
}

/// The error for a release that fails the verifier: that is our bug, never the user's mistake.
pub fn failed_verification(what: &str) -> Error {
    Error::internal(format!("the release failed its verification and was not written: {what}"))
        .hint("this is a bug in Sfumato; please report it with the job and the version")
}

/// The error for a draft that can't be read back. What a disk, the memory or the user refused isn't
/// a fault of the draft and is said as it is; everything else is a failed verification.
pub fn cant_read_back(error: Error) -> Error {
    match error.kind {
        ErrorKind::Io | ErrorKind::Resources | ErrorKind::Cancelled | ErrorKind::Internal => error,
        ErrorKind::Input | ErrorKind::Params | ErrorKind::Unsupported | ErrorKind::Infeasible => {
            failed_verification(&format!("the release can't be read back: {}", error.message))
        }
    }
}

/// The error for a release that fails the verifier where the published algorithm is known to fail
/// sometimes.
fn known_fault(algorithm: &str, what: &str) -> Error {
    Error::infeasible(format!(
        "what {algorithm} found was checked, failed, and was not written: \
        {what}"
    ))
    .hint(format!(
        "{algorithm} doesn't look at all that this model is about; 'sfumato list algorithms \
                {algorithm}' \
         says at what, or take another, such as full-domain or peel"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::ErrorKind;
    use sfumato_core::facts::Least;

    struct Silent;
    impl Facts for Silent {
        fn release(&self) -> &'static str {
            "a release of nothing"
        }
    }

    /// Two promises, of which only the given number is judged.
    struct Two(usize, u64);
    impl Promises for Two {
        fn describe(&self) -> Vec<String> {
            vec!["a(k=2)".into(), "b(k=2)".into()]
        }
        fn judge(&self, _: &dyn Facts) -> Result<Vec<Guarantee>> {
            let found = Least { least: 2 - self.1, violations: self.1 };
            let guarantee =
                |name: String| Guarantee::at_least(("a", name), ("k", "class"), 2, found);
            Ok(self.describe().into_iter().take(self.0).map(guarantee).collect())
        }
    }

    #[test]
    fn what_was_not_judged_or_does_not_hold_is_never_checked() {
        assert!(check(&Two(2, 0), &Silent, None).is_ok());
        let unjudged = check(&Two(1, 0), &Silent, None).unwrap_err();
        assert_eq!(unjudged.kind, ErrorKind::Internal);
        assert!(unjudged.message.contains("b(k=2) was not judged"));
        assert_eq!(check(&Two(2, 1), &Silent, None).unwrap_err().kind, ErrorKind::Internal);
        assert_eq!(check(&Two(2, 1), &Silent, Some("x")).unwrap_err().kind, ErrorKind::Infeasible);
        let vouched = check(&Two(2, 0), &Silent, None).unwrap().vouched("noise".into(), false);
        assert_eq!(vouched.evidence(), &Evidence::NoPromise { mechanism: "noise".into() });
        assert_eq!(vouched.models(), ["a(k=2)", "b(k=2)"], "a mechanism doesn't replace them");
        assert_eq!(vouched.guarantees().len(), 2);
        let vouched = check(&Two(2, 0), &Silent, None).unwrap().vouched("noise".into(), true);
        assert_eq!(vouched.evidence(), &Evidence::ByConstruction { mechanism: "noise".into() });
    }

    #[test]
    fn what_promises_nothing_says_so() {
        let nothing = no_promise("study".into());
        assert!(nothing.guarantees().is_empty() && nothing.models().is_empty());
        assert_eq!(nothing.evidence(), &Evidence::NoPromise { mechanism: "study".into() });
        let checked = check(&Two(2, 0), &Silent, None).unwrap();
        assert_eq!(checked.evidence(), &Evidence::CheckedAgainstOriginal);
    }

    #[test]
    fn a_disk_that_fails_is_no_failed_verification() {
        for (kind, becomes) in [
            (ErrorKind::Io, ErrorKind::Io),
            (ErrorKind::Resources, ErrorKind::Resources),
            (ErrorKind::Cancelled, ErrorKind::Cancelled),
            (ErrorKind::Internal, ErrorKind::Internal),
            (ErrorKind::Input, ErrorKind::Internal),
            (ErrorKind::Params, ErrorKind::Internal),
            (ErrorKind::Unsupported, ErrorKind::Internal),
            (ErrorKind::Infeasible, ErrorKind::Internal),
        ] {
            let error = cant_read_back(Error::new(kind, "row 3 is short"));
            assert_eq!(error.kind, becomes);
            assert!(error.message.contains("row 3 is short"));
            let is_changed = error.message != "row 3 is short";
            assert_eq!(is_changed, kind != becomes, "{error}");
        }
    }
}
