//! The commands in groups, as help shows them: what a newcomer needs first stands first.

use std::fmt::Write as _;

use clap::Command;

/// The groups, each with its commands.
const GROUPS: [(&str, &[&str]); 6] = [
    ("First steps", &["demo", "serve", "init", "run", "anonymize", "explain"]),
    ("Look at a release", &["audit", "attack", "compare", "query", "reveal", "views"]),
    ("Choose before publishing", &["risk", "explore", "evaluate", "cluster"]),
    (
        "Publish again or otherwise",
        &["apply", "ledger", "collaborate", "reduce", "answer", "serve-sets"],
    ),
    ("Catalogue and data", &["list", "hierarchy", "text", "generate", "reproduce"]),
    ("The program itself", &["completions", "man", "help"]),
];

/// The template of help: groups in place of one long list.
const TEMPLATE: &str = "{about}\n\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}\n\n\
    'sfumato COMMAND --help' says what a command takes.\n";

/// A command whose help shows its commands in groups. One that is in no group stands last.
pub fn grouped(command: Command) -> Command {
    let list = list(&command);
    command.help_template(TEMPLATE).before_help(list)
}

fn list(command: &Command) -> String {
    let known: Vec<&Command> = command.get_subcommands().collect();
    let about = |name: &str| match known.iter().find(|found| found.get_name() == name) {
        Some(found) => found.get_about().map(|about| about.to_string()),
        // Clap adds this one when it parses.
        None => (name == "help").then(|| "This, or the help of a command".to_string()),
    };
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let others: Vec<&str> =
        known.iter().map(|found| found.get_name()).filter(|name| !is_grouped(name)).collect();
    let groups = GROUPS.iter().map(|(title, names)| (*title, *names));
    let mut text = String::new();
    for (title, names) in groups.chain([("Others", &others[..])]) {
        let lines: Vec<(&str, String)> =
            names.iter().filter_map(|name| Some((*name, about(name)?))).collect();
        if lines.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{title}:");
        for (name, about) in lines {
            let _ = writeln!(text, "  {name:<12} {}", shortened(&about));
        }
        text.push('\n');
    }
    text
}

/// As much of a sentence as fits one line: the rest is in the help of the command.
fn shortened(about: &str) -> &str {
    const WIDTH: usize = 76;
    let mut about = about.lines().next().unwrap_or_default();
    while about.chars().count() > WIDTH {
        match about.rfind([';', ':', ',']) {
            Some(at) => about = &about[..at],
            None => break,
        }
    }
    about
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Arguments;
    use clap::CommandFactory as _;

    #[test]
    fn every_command_stands_in_one_group() {
        let command = Arguments::command();
        let help = grouped(command.clone()).render_help().to_string();
        assert!(!help.contains("Others:"), "{help}");
        let commands = help.split("Options:").next().unwrap_or_default();
        assert!(commands.lines().all(|line| line.chars().count() <= 91), "{help}");
        for found in command.get_subcommands() {
            let line = format!("\n  {:<12} ", found.get_name());
            assert_eq!(help.matches(&line).count(), 1, "{}\n{help}", found.get_name());
        }
        for (_, names) in GROUPS {
            for name in names.iter().filter(|name| **name != "help") {
                assert!(command.find_subcommand(name).is_some(), "{name}");
            }
        }
    }
}
