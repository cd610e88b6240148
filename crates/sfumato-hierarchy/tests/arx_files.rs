//! The hierarchy files that come with ARX's example data, all 43 of them.

use std::path::PathBuf;
use std::process::Command;

use sfumato_core::dataset::{Domain, Hierarchy};
use sfumato_core::registry::{Argument, Params};
use sfumato_core::traits::BuildInput;
use sfumato_hierarchy::{find, to_csv};

fn archive() -> PathBuf {
    let data = std::env::var("SFUMATO_DATA").unwrap_or_else(|_| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").to_string()
    });
    PathBuf::from(data).join("relational/arx_hierarchies.tar.gz")
}

#[test]
fn all_files_load_and_round_trip() {
    let archive = archive();
    if !archive.exists() {
        println!("skipped: {} is absent", archive.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new("tar").arg("xzf").arg(&archive).arg("-C").arg(folder.path()).status();
    assert!(status.unwrap().success());
    let files = std::fs::read_dir(folder.path().join("arx_hierarchies")).unwrap();
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    assert_eq!(paths.len(), 43);

    let builder = find("file").unwrap();
    let domain = Domain::of_texts(["unused"]);
    let mut leaves = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let load = |text: &str| {
            let args = [("path".to_string(), Argument::Word(path.display().to_string()))].into();
            let read = |_: &str| Ok(text.to_string());
            let input = BuildInput { domain: &domain, counts: &[1], read_text: &read };
            builder.build(&Params::check(builder.info(), &args).unwrap(), &input).unwrap()
        };
        let table = load(&text);
        let (tree, codes) = Hierarchy::from_levels(&table).unwrap();
        assert_eq!(tree.label(Hierarchy::ROOT), "*", "{}", path.display());
        assert_eq!(tree.n_levels(), table.levels.len(), "{}", path.display());
        assert_eq!(
            codes.len(),
            text.lines().filter(|line| !line.is_empty()).count(),
            "{}",
            path.display()
        );
        assert_eq!(load(&to_csv(&table, ';')), table, "{}", path.display());
        leaves += codes.len();
    }
    assert_eq!(leaves, 107_617);
}
