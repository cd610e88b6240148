//! Gives every column of the file its role, or stops and says which have none.

use sfumato_core::dataset::{Missing, Role};
use sfumato_core::registry::edit_distance;
use sfumato_core::{Error, Result};
use sfumato_report::some_of;

use crate::job::Job;

/// The role of each column of the file, in file order.
pub fn assign_roles(job: &Job, header: &[String]) -> Result<Vec<Role>> {
    let mut seen: Vec<&str> = Vec::new();
    for (name, spec) in &job.columns.0 {
        if seen.contains(&name.as_str()) {
            return Err(Error::params(format!("column '{name}' has two roles"))
                .hint("give each column one role"));
        }
        seen.push(name);
        let may_lack = job.may_lack_identifiers && spec.role == Role::Identifier;
        if !header.contains(name) && !may_lack {
            let file = sfumato_engine::paths::resolve(&job.base, &job.input.path);
            return Err(Error::params(format!("the file has no column '{name}'"))
                .in_file(if file == "-" { "standard input".into() } else { file })
                .hint(near_names(name, header)));
        }
    }
    let without: Vec<&str> =
        header.iter().filter(|name| job.columns.get(name).is_none()).map(String::as_str).collect();
    if !without.is_empty() {
        let verb = if without.len() == 1 { "column has" } else { "columns have" };
        let hint = match without[..] {
            [one] => format!(
                "drop it with --identifier {one}, generalize it with --qi {one}, guard it with \
                 --sensitive {one} or publish it as it is with --keep {one}"
            ),
            _ => "name them by what is to become of them: --identifier (dropped), --qi \
                  (generalized), --sensitive (guarded), --keep (published as they are); --others \
                  drop is for all that aren't named, and 'sfumato init DATA' guesses"
                .into(),
        };
        return Err(Error::params(format!(
            "{} {verb} no role: {}",
            without.len(),
            some_of(&without)
        ))
        .hint(hint));
    }
    for (name, spec) in &job.columns.0 {
        let is_generalized = matches!(spec.role, Role::Quasi | Role::Sensitive);
        if spec.hierarchy.is_some() && !is_generalized {
            return Err(Error::params(format!(
                "column '{name}' is {} and has a hierarchy",
                spec.role.name()
            ))
            .hint("hierarchies are for quasi and sensitive columns"));
        }
        if spec.missing == Missing::Suppressed && spec.role != Role::Quasi {
            return Err(Error::params(format!(
                "column '{name}' is {}: only a quasi column can have its missing values suppressed",
                spec.role.name()
            )));
        }
        if spec.unknown.is_some() && spec.hierarchy.is_none() {
            return Err(Error::params(format!(
                "column '{name}' has a node for unknown values and no hierarchy"
            )));
        }
    }
    let roles: Vec<Role> = header
        .iter()
        .map(|name| job.columns.get(name).expect("columns without a role were refused").role)
        .collect();
    let named = |role: Role| -> Vec<&str> {
        header
            .iter()
            .zip(&roles)
            .filter(|(_, r)| **r == role)
            .map(|(name, _)| name.as_str())
            .collect()
    };
    if named(Role::Quasi).is_empty() {
        return Err(Error::params(
            "no column is quasi-identifying, so there is nothing to anonymize",
        )
        .hint("name what an attacker may know with --qi a,b,c"));
    }
    if named(Role::Subject).len() > 1 {
        return Err(Error::params(format!(
            "there is more than one subject column: {}",
            named(Role::Subject).join(", ")
        ))
        .hint("one column says which rows belong to one person; make the others identifiers"));
    }
    Ok(roles)
}

fn near_names(name: &str, header: &[String]) -> String {
    let near = header.iter().min_by_key(|known| edit_distance(known, name));
    match near {
        Some(near) if edit_distance(near, name) <= 2.max(name.len() / 3) => {
            format!("did you mean '{near}'?")
        }
        _ if header.len() <= 30 => format!("its columns are {}", header.join(", ")),
        _ => format!("it has {} columns; the first are {}", header.len(), header[..10].join(", ")),
    }
}
