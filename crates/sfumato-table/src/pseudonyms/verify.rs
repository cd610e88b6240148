//! Checks pseudonyms against the originals that were kept aside, whatever made them.
//!
//! That every published cell is the pseudonym of its own record is checked where cells are read
//! back. Here: one value has one pseudonym and no two share one, nothing is published under its own
//! name or under somebody else's, and the key kept for the owner leads back.

use sfumato_core::{FastMap, FastSet, Result};
use sfumato_engine::verify::failed_verification;

use super::method::Method;
use super::secrets::plain;
use super::{PseudonymColumn, Pseudonyms};

/// Check the pseudonyms of a run.
pub fn verify(pseudonyms: &Pseudonyms) -> Result<()> {
    for column in &pseudonyms.columns {
        check(column, pseudonyms)?;
    }
    Ok(())
}

fn check(column: &PseudonymColumn, pseudonyms: &Pseudonyms) -> Result<()> {
    let fails = |what: &str| {
        Err(failed_verification(&format!("pseudonyms of column '{}': {what}", column.name)))
    };
    let PseudonymColumn { originals, published, is_missing, .. } = column;
    if originals.len() != published.len() || originals.len() != is_missing.len() {
        return fails("there aren't as many as values");
    }
    let Some(secrets) = &pseudonyms.secrets else {
        return fails("there is no key to undo them with");
    };
    let pairs: Vec<(String, &str)> = originals
        .iter()
        .zip(published.iter())
        .zip(is_missing)
        .filter(|(_, is_missing)| !**is_missing)
        .map(|((original, published), _)| (plain(original), published))
        .collect();
    let names: FastSet<&str> = pairs.iter().map(|(original, _)| original.as_str()).collect();
    let (mut of_name, mut of_pseudonym) = (FastMap::default(), FastMap::default());
    for (original, pseudonym) in &pairs {
        if *of_name.entry(original.as_str()).or_insert(*pseudonym) != *pseudonym {
            return fails("a value has two");
        }
        if *of_pseudonym.entry(*pseudonym).or_insert(original.as_str()) != original.as_str() {
            return fails("two values share one");
        }
        // Texts of a form that all occur can't but be called by each other's names.
        let is_name = names.contains(pseudonym);
        if original == pseudonym && column.method != Method::Format {
            return fails("a value is published as itself");
        }
        if is_name && column.method != Method::Format {
            return fails("a value is published under the name of another");
        }
    }
    let undo = secrets.undo(&column.space, names.iter().copied())?;
    if undo.method != column.method {
        return fails("the key is for another method");
    }
    if pairs.iter().any(|(original, pseudonym)| undo.value(pseudonym).as_ref() != Some(original)) {
        return fails("the key doesn't lead back to the value");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pseudonyms::Secrets;
    use sfumato_core::column::Dictionary;

    fn dictionary(texts: &[String]) -> Dictionary {
        let mut dictionary = Dictionary::new();
        texts.iter().for_each(|text| {
            dictionary.push(text);
        });
        dictionary
    }

    fn made(method: Method) -> Pseudonyms {
        let mut secrets = Secrets::open("no such file", Some(1)).unwrap();
        let originals: Vec<String> = (0..40).map(|n| format!("AB-{:04}", n * 7)).collect();
        let mut maker = secrets.maker("id", method).unwrap();
        let published: Vec<String> =
            originals.iter().map(|text| maker.pseudonym(text).unwrap()).collect();
        let column = PseudonymColumn {
            name: "id".into(),
            method,
            space: "id".into(),
            is_missing: vec![false; originals.len()],
            originals: dictionary(&originals),
            published: dictionary(&published),
        };
        Pseudonyms { columns: vec![column], secrets: Some(secrets) }
    }

    #[test]
    fn what_is_made_passes_and_what_is_changed_fails() {
        for method in [Method::Hash, Method::Random, Method::Format] {
            let good = made(method);
            verify(&good).unwrap();
            let changed = |change: &dyn Fn(&mut Vec<String>, &[String])| {
                let mut bad = good.clone();
                let column = &mut bad.columns[0];
                let originals: Vec<String> = column.originals.iter().map(String::from).collect();
                let mut published: Vec<String> =
                    column.published.iter().map(String::from).collect();
                change(&mut published, &originals);
                column.published = dictionary(&published);
                verify(&bad).unwrap_err().message
            };
            let same = changed(&|published, originals| *published = originals.to_vec());
            assert!(same.contains("published as") || same.contains("lead back"), "{same}");
            assert!(
                changed(&|published, _| published[1] = published[0].clone()).contains("share one")
            );
            assert!(changed(&|published, _| published.swap(0, 1)).contains("lead back"));
            assert!(
                changed(&|published, _| {
                    published.pop();
                })
                .contains("as many")
            );
            let without = Pseudonyms { secrets: None, ..good.clone() };
            assert!(verify(&without).unwrap_err().message.contains("no key"));
            let two = Pseudonyms { secrets: made(method).secrets, ..good };
            if method == Method::Random {
                // A mapping that was begun anew knows none of them; a seed makes it the same here.
                verify(&two).unwrap();
            }
        }
    }
}
