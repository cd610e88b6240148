//! Flags belong to kinds: what a kind states in its crate is offered, writes its section of a job,
//! and is refused by name beside the flags of another kind.

use sfumato_engine::flags::{About, Command, Said};
use sfumato_engine::{Job, Releases};

static RELEASES: Releases =
    Releases(&[sfumato_table::RELEASES, sfumato_sets::RELEASES, sfumato_toy::RELEASES]);

const COMMANDS: [Command; 10] = [
    Command::Anonymize,
    Command::Explain,
    Command::Run,
    Command::Explore,
    Command::Study,
    Command::Audit,
    Command::Attack,
    Command::Query,
    Command::Read,
    Command::Serve,
];

fn said(flags: &[(&'static str, &str)]) -> Said {
    let flags = flags.iter().map(|(name, value)| (*name, vec![value.to_string()])).collect();
    Said { flags, sections: Vec::new() }
}

fn kind(said: &Said, known: Option<&str>) -> Result<&'static str, String> {
    let forms = RELEASES.kind_of_flags(Command::Audit, said, known);
    forms.map(|forms| forms[0].kind()).map_err(|error| error.message)
}

#[test]
fn the_flags_of_a_new_kind_come_with_its_crate() {
    let flags = RELEASES.flags(Command::Anonymize);
    let unit = flags.iter().find(|offered| offered.flag.name == "unit").unwrap();
    assert_eq!(unit.heading.as_deref(), Some("Numbers"));
    let k = flags.iter().find(|offered| offered.flag.name == "k").unwrap();
    assert_eq!(k.heading.as_deref(), Some("Tables, baskets and numbers"));
    assert!(k.help.contains("Of numbers: A crowd"), "{}", k.help);

    let given = said(&[("unit", "years"), ("k", "3")]);
    let command = Command::Anonymize;
    let numbers = RELEASES.kind_of_flags(command, &given, None).unwrap();
    assert_eq!(numbers[0].kind(), "toy");
    let mut job = Job::default();
    let about = [About::Data, About::Goal];
    RELEASES.apply_flags(command, &given, numbers, &about, &mut job).unwrap();
    assert_eq!(job.get("toy", "unit").unwrap().as_str(), Some("years"));
    assert_eq!(job.list("privacy", "models"), ["crowd(k=3)"]);
}

#[test]
fn a_flag_of_another_kind_is_refused_by_name() {
    assert_eq!(kind(&said(&[]), None).unwrap(), "table");
    assert_eq!(kind(&said(&[("k", "3")]), None).unwrap(), "table", "all kinds have -k");
    assert_eq!(kind(&said(&[("k", "3")]), Some("sets")).unwrap(), "sets");
    assert_eq!(kind(&said(&[("baskets", "lines")]), Some("table")).unwrap(), "sets");
    let refused = |flags: &[(&'static str, &str)], known| kind(&said(flags), known).unwrap_err();
    assert_eq!(
        refused(&[("qi", "a"), ("baskets", "lines")], None),
        "--qi is for tables, and with --baskets these are baskets"
    );
    assert_eq!(
        refused(&[("unit", "years"), ("qi", "a")], None),
        "--qi is for tables, and with --unit these are numbers"
    );
    let original = [("original-baskets", "lines")];
    assert_eq!(refused(&original, None), "--original-baskets is for baskets, and these are tables");
    assert_eq!(
        refused(&original, Some("toy")),
        "--original-baskets is for baskets, and these are numbers"
    );
    assert_eq!(kind(&said(&original), Some("sets")).unwrap(), "sets");
    let by_section = Said { sections: vec!["toy".into()], ..said(&[("qi", "a")]) };
    assert_eq!(
        kind(&by_section, None).unwrap_err(),
        "--qi is for tables, and with [toy] these are numbers"
    );
}

/// A command line can offer flags of one name once, so they must look alike.
#[test]
fn flags_of_one_name_take_the_same() {
    for command in COMMANDS {
        let offered = RELEASES.flags(command);
        for (place, entry) in offered.iter().enumerate() {
            let name = entry.flag.name;
            let twice = offered[place + 1..].iter().any(|other| other.flag.name == name);
            assert!(!twice, "{command:?} offers {name} twice");
            let mut kinds = entry.kinds.clone();
            kinds.dedup();
            assert_eq!(kinds, entry.kinds, "a kind states {name} twice for {command:?}");
            for kind in &entry.kinds {
                let list = RELEASES.0[*kind][0].flags().list.iter();
                let own = list.filter(|flag| flag.commands.contains(&command));
                for flag in own.filter(|flag| flag.name == name) {
                    assert_eq!(flag.takes, entry.flag.takes, "{name} of {command:?}");
                    assert_eq!(flag.about, entry.flag.about, "{name} of {command:?}");
                    assert_eq!(flag.requires, entry.flag.requires, "{name} of {command:?}");
                }
            }
        }
    }
}
