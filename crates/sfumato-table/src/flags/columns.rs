//! Reads what flags say of columns, and writes it into the section `[columns]` of a job.

use std::collections::BTreeMap;

use sfumato_core::registry::{Argument, Call, edit_distance};
use sfumato_core::{Error, Result};
use sfumato_engine::flags::values::{names, pair};
use sfumato_engine::job::Job;
use sfumato_hierarchy as hierarchies;

use crate::job::{OTHERS, ShownAs};

/// What becomes of what is said about a column that has no role.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    /// It is refused: every column of a job has a role.
    Refused,
    /// It is passed over.
    PassedOver,
    /// The column is a quasi column.
    Quasi,
}

/// Give columns a role, from lists of names.
pub(super) fn give_roles(job: &mut Job, role: &str, given: &[String]) -> Result<()> {
    give_role(job, role, &names(given))
}

/// Give columns a role. A second one is an error.
pub(super) fn give_role(job: &mut Job, role: &str, columns: &[String]) -> Result<()> {
    for name in columns {
        let known = job.get("columns", name).and_then(|column| column.get("role")?.as_str());
        if let Some(known) = known {
            let how = match known == role {
                true => format!("twice as {role}"),
                false => format!("as {known} and as {role}"),
            };
            return Err(Error::params(format!("column '{name}' is given {how}"))
                .hint("give each column one role"));
        }
        let column: toml::Table = [("role".to_string(), role.into())].into_iter().collect();
        job.set("columns", name, column);
    }
    Ok(())
}

/// Publish identifiers under other names: `name`, or `name=random` to say how.
pub(super) fn give_pseudonyms(job: &mut Job, given: &[String]) -> Result<()> {
    for said in names(given) {
        let (name, call) = match said.split_once('=') {
            Some((name, method)) => (name.to_string(), format!("pseudonym(method={method})")),
            None => (said.clone(), "pseudonym".to_string()),
        };
        give_role(job, "identifier", std::slice::from_ref(&name))?;
        say(job, "pseudonym", &name, ("as", call.into()), Unknown::Refused)?;
    }
    Ok(())
}

/// Give a role to all columns that have none.
pub(super) fn give_role_to_others(job: &mut Job, role: &[String]) {
    if let Some(role) = role.last() {
        let column: toml::Table = [("role".to_string(), role.clone().into())].into_iter().collect();
        job.set("columns", OTHERS, column);
    }
}

/// Say something of a column.
fn say(
    job: &mut Job,
    flag: &str,
    name: &str,
    (key, value): (&str, toml::Value),
    unknown: Unknown,
) -> Result<()> {
    let of_others = || job.get("columns", OTHERS);
    let known = job.get("columns", name).or_else(of_others).and_then(|column| column.as_table());
    let mut column = match (known.cloned(), unknown) {
        (Some(column), _) => column,
        (None, Unknown::PassedOver) => return Ok(()),
        (None, Unknown::Quasi) => [("role".to_string(), "quasi".into())].into_iter().collect(),
        (None, Unknown::Refused) => {
            let message = format!("--{flag} names column '{name}', which has no role");
            let known = job.section("columns").into_iter().flat_map(toml::Table::keys);
            let near = known.min_by_key(|known| edit_distance(known, name));
            let near = near.filter(|near| edit_distance(near, name) <= 2.min(name.len() / 3));
            return Err(Error::params(message).hint(match near {
                Some(near) => format!("did you mean '{near}'?"),
                None => {
                    "give it one with --qi, --sensitive, --keep, --target or --identifier".into()
                }
            }));
        }
    };
    column.insert(key.to_string(), value);
    job.set("columns", name, column);
    Ok(())
}

/// `--accept a,b`: the same of several columns.
pub(super) fn mark(
    job: &mut Job,
    flag: &str,
    given: &[String],
    (key, value): (&str, toml::Value),
) -> Result<()> {
    let columns = names(given);
    let mut each = columns.iter();
    each.try_for_each(|name| say(job, flag, name, (key, value.clone()), Unknown::Refused))
}

/// `--type column=text`: a text, under the key that is named as the flag.
pub(super) fn say_text(
    job: &mut Job,
    flag: &str,
    given: &[String],
    unknown: Unknown,
) -> Result<()> {
    for given in given {
        let (name, text) = pair(flag, given)?;
        say(job, flag, name, (flag, text.into()), unknown)?;
    }
    Ok(())
}

/// `--weight column=2`: a number above 0, under the key that is named as the flag.
pub(super) fn say_number(
    job: &mut Job,
    flag: &str,
    called: &str,
    given: &[String],
    unknown: Unknown,
) -> Result<()> {
    for given in given {
        let (name, text) = pair(flag, given)?;
        let number = text.parse().ok().filter(|x: &f64| x.is_finite() && *x > 0.0);
        let number = number.ok_or_else(|| {
            Error::params(format!("--{flag} {given}: the {called} must be a number above 0"))
        })?;
        say(job, flag, name, (flag, number.into()), unknown)?;
    }
    Ok(())
}

/// `--publish column=interval,mean`.
pub(super) fn publish(job: &mut Job, given: &[String]) -> Result<()> {
    for given in given {
        let (name, forms) = pair("publish", given)?;
        let forms = names(&[forms.to_string()]);
        forms.iter().try_for_each(|form| form.parse::<ShownAs>().map(drop))?;
        say(job, "publish", name, ("publish", forms.into()), Unknown::Refused)?;
    }
    Ok(())
}

/// `--hierarchy column=HOW`.
pub(super) fn hierarchies(job: &mut Job, given: &[String], unknown: Unknown) -> Result<()> {
    let argument = |argument: &Argument| -> toml::Value {
        match argument {
            Argument::Word(word) => word.clone().into(),
            Argument::List(items) => items.clone().into(),
        }
    };
    for given in given {
        let (name, how) = pair("hierarchy", given)?;
        let call = hierarchy(how)?;
        let arguments: toml::Table =
            call.args.iter().map(|(name, given)| (name.clone(), argument(given))).collect();
        let builder: toml::Table = [(call.name.clone(), arguments.into())].into_iter().collect();
        say(job, "hierarchy", name, ("hierarchy", builder.into()), unknown)?;
    }
    Ok(())
}

/// A builder with parameters, or the path of a file.
pub fn hierarchy(how: &str) -> Result<Call> {
    let name = how.split('(').next().unwrap_or(how).trim();
    // A mistyped builder must not be taken for a file: nobody calls a file f(x).
    if (how.contains('(') && how.ends_with(')')) || (hierarchies::find(name).is_ok() && how == name)
    {
        return how.parse();
    }
    let args = BTreeMap::from([("path".to_string(), Argument::Word(how.to_string()))]);
    let builder = if how.ends_with(".toml") || how.ends_with(".json") { "tree" } else { "file" };
    Ok(Call { name: builder.into(), args })
}
