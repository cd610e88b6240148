//! Tables of databases: a file of SQLite, and a server of PostgreSQL that the test starts for
//! itself, if its programs are here.

#![cfg(unix)]

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::{Command, Stdio};

use crate::support::{Folder, people};

/// A PostgreSQL server in a folder of its own. It ends with the test.
struct Server {
    folder: tempfile::TempDir,
    is_root: bool,
}

impl Server {
    /// Start a server. `None` if its programs aren't here. They refuse to be run by root.
    fn start() -> Option<Server> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        let is_root = std::fs::metadata(folder.path()).unwrap().uid() == 0;
        let server = Server { folder, is_root };
        std::fs::write(server.folder.path().join("password"), "of Ada\n").unwrap();
        server.run("initdb -D data -U ada --auth=scram-sha-256 --pwfile=password -E UTF8 -N")?;
        let place = server.folder.path().display();
        let options = format!("-c listen_addresses= -c fsync=off -k {place}");
        server.run(&format!("pg_ctl -D data -w -o '{options}' -l log start"))?;
        Some(server)
    }

    fn run(&self, words: &str) -> Option<()> {
        let mut command = match self.is_root {
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "sh"]);
                command
            }
            false => Command::new("sh"),
        };
        // A server keeps open what it inherits.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.args(["-c", words]).current_dir(self.folder.path());
        command.status().is_ok_and(|status| status.success()).then_some(())
    }

    /// Run statements.
    fn ask(&self, statements: &str) {
        let place = self.folder.path();
        std::fs::write(place.join("asked.sql"), statements).unwrap();
        let psql = "psql -q -v ON_ERROR_STOP=1 -U ada -d postgres -f asked.sql";
        let words = format!("PGPASSWORD='of Ada' {psql} -h {}", place.display());
        self.run(&words).expect("the server takes these statements");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.run("pg_ctl -D data -m immediate stop");
    }
}

#[test]
fn a_table_of_a_server_is_guessed_and_published() {
    let Some(server) = Server::start() else {
        eprintln!("skipped: initdb and pg_ctl of PostgreSQL aren't here, or can't be run");
        return;
    };
    let place = server.folder.path().display().to_string();
    let database = format!("postgresql://ada@/postgres?host={}", place.replace('/', "%2F"));
    let folder = Folder::with_people();
    server.ask(&format!(
        "create table people (name text, person text, age int, sex text, zip text, disease text, \
         pay numeric);\ncopy people from stdin csv header;\n{}\\.\n\
         create schema staff;\ncreate table staff.wages (x int);\n",
        people(80)
    ));
    let roles = "--identifier name,person --qi age,sex,zip --sensitive disease --keep pay -k 4";
    let with = |variable: &str, value: &str, input: &str, more: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_sfumato"));
        command.current_dir(folder.path("")).env_remove("PGPASSWORD").env(variable, value);
        let output = command.args(["anonymize", input]).args(more).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let mut words: Vec<&str> = roles.split(' ').collect();
    words.extend(["--seed", "1", "--force", "-o", "r.csv", "--report", "r.json"]);
    let table = format!("{database}#people");

    let (code, said) = with("PGPASSFILE", "/nowhere", &table, &words);
    assert_eq!(code, Some(2));
    assert!(said.contains("the server asks for the password of 'ada'\nhint: say it in"), "{said}");
    let (code, said) = with("PGPASSWORD", "wrong", &table, &words);
    assert_eq!(code, Some(2));
    assert!(said.contains("the server says: password authentication failed"), "{said}");
    let (code, said) = with("PGPASSWORD", "of Ada", &database, &words);
    assert_eq!(code, Some(2));
    assert!(said.contains("there are 2 tables in it"), "{said}");
    assert!(said.contains("there are people, staff.wages"), "{said}");

    // The same release as from a file with the same rows.
    folder.succeed(&format!("anonymize people.csv -o file.csv {roles} --seed 1"));
    let (code, said) = with("PGPASSWORD", "of Ada", &table, &words);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(folder.text("r.csv"), folder.text("file.csv"));
    assert!(!folder.text("r.json").contains("of Ada"), "no report has a password");
    let asked = format!("{database}#select * from people where age > 30 -- all of them");
    let (code, said) = with("PGPASSWORD", "of Ada", &asked, &words);
    assert_eq!(code, Some(2), "a comment would hide the end of the statement: {said}");
    let asked = format!("{database}#select * from people where age > 30");
    let (code, said) = with("PGPASSWORD", "of Ada", &asked, &words);
    assert_eq!(code, Some(0), "{said}");

    // Nothing can be changed, neither by a second statement nor by a function.
    for evil in [
        "select 1) to stdout; drop table people; copy (select 1",
        "select setval('s', 1)",
        "with gone as (delete from people returning *) select * from gone",
    ] {
        server.ask("create sequence if not exists s");
        let (code, said) = with("PGPASSWORD", "of Ada", &format!("{database}#{evil}"), &words);
        assert_eq!(code, Some(2), "{evil}: {said}");
    }
    let (code, _) = with("PGPASSWORD", "of Ada", &table, &words);
    assert_eq!(code, Some(0), "the table is still there");

    // A file for passwords counts if nobody else can read it.
    let file = folder.path("pass");
    std::fs::write(&file, "localhost:5432:postgres:ada:of Ada\n").unwrap();
    for (mode, expected) in [(0o644, 2), (0o600, 0)] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let (code, said) = with("PGPASSFILE", &file.display().to_string(), &table, &words);
        assert_eq!(code, Some(expected), "{said}");
    }
}

#[test]
fn what_is_published_of_a_database_has_a_name_of_its_own() {
    let folder = Folder::with_people();
    // Without a server: what the address says is refused before anybody is asked.
    for (address, message) in [
        ("postgresql://ada:secret@localhost/d#people", "an address must not have a password"),
        ("postgresql://elsewhere.example/d#people", "this program encrypts no connection"),
        ("postgresql:///d?host=/nowhere#people", "no server answers at /nowhere/.s.PGSQL.5432"),
    ] {
        let outcome = folder.run(&format!("init {address}"));
        assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("\nhint: "), "{}", outcome.stderr);
    }
}
