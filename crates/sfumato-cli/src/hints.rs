//! Hints for the command at hand. Those who write them name flags; where the command doesn't take
//! one, because a release.toml speaks in its place, the hint says what to write there.

use clap::CommandFactory as _;
use sfumato_engine::flags::Command;

use crate::command::Arguments;

/// Every flag that may be named, wherever it may be given.
const WITH_FLAGS: [Command; 5] =
    [Command::Anonymize, Command::Audit, Command::Attack, Command::Query, Command::Explore];

/// The hint, and what a release.toml says in place of flags that the command doesn't take.
pub fn for_command(hint: &str, command: Option<&str>) -> String {
    let arguments = Arguments::command();
    let Some(command) = command.and_then(|name| arguments.find_subcommand(name)) else {
        return hint.into();
    };
    let takes = |name: &str| {
        command.get_arguments().any(|argument| {
            argument.get_long() == Some(name)
                || argument.get_short().is_some_and(|short| name == short.to_string())
        })
    };
    let has_job = command.get_arguments().any(|argument| {
        let names = argument.get_value_names().unwrap_or_default();
        names.iter().any(|name| name.contains("release.toml"))
    });
    // Several flags may be one key.
    let mut instead: Vec<(Vec<String>, String)> = Vec::new();
    for name in named(hint).into_iter().filter(|name| has_job && !takes(name)) {
        let Some(words) = in_job(name) else { continue };
        match instead.iter_mut().find(|(_, known)| *known == words) {
            Some((names, _)) if names.contains(&spelling(name)) => {}
            Some((names, _)) => names.push(spelling(name)),
            None => instead.push((vec![spelling(name)], words)),
        }
    }
    if instead.is_empty() {
        return hint.into();
    }
    let said = |(names, words): &(Vec<String>, String)| match &names[..] {
        [one] => format!("{one} is {words}"),
        several => format!("{} are {words}", several.join(" and ")),
    };
    let said: Vec<String> = instead.iter().map(said).collect();
    format!("{hint}; in the release.toml {}", said.join(", "))
}

/// The names of flags in a text, without their dashes.
fn named(hint: &str) -> Vec<&str> {
    let is_of_name = |c: char| c.is_ascii_lowercase() || c == '-';
    let word = |word: &'_ str| -> usize { word.find(|c| !is_of_name(c)).unwrap_or(word.len()) };
    // A whole command has flags of its own.
    let hint = hint.split("sfumato ").next().unwrap_or(hint);
    hint.split_whitespace()
        .filter_map(|text| {
            let text = text.trim_start_matches(['\'', '(']);
            let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-'))?;
            Some(&name[..word(name)]).filter(|name| !name.is_empty())
        })
        .collect()
}

fn spelling(name: &str) -> String {
    if name.len() == 1 { format!("-{name}") } else { format!("--{name}") }
}

/// What a release.toml says in place of a flag of a kind or of every job.
fn in_job(name: &str) -> Option<String> {
    let mut offered =
        WITH_FLAGS.into_iter().flat_map(|command| sfumato_kinds::RELEASES.flags(command));
    offered.find(|offered| offered.flag.name == name).map(|offered| offered.flag.in_job())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_the_command_does_not_take_are_said_as_a_job_says_them() {
        let hint = "drop with --identifier a,b, or say -k 10 (or --memory 1GiB)";
        assert_eq!(named(hint), ["identifier", "k", "memory"]);
        assert_eq!(for_command(hint, Some("anonymize")), hint);
        assert_eq!(
            for_command(hint, Some("run")),
            format!(
                "{hint}; in the release.toml --identifier is role = \"identifier\" in [columns]"
            )
        );
        // What `run` takes itself needs no other words.
        let own = "say -k 10, or --model m";
        assert_eq!(for_command(own, Some("run")), own);
        assert_eq!(for_command("a - b, --original FILE", Some("run")), "a - b, --original FILE");
        assert_eq!(for_command(hint, None), hint);
    }
}
