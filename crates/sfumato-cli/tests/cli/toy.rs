//! The made-up kind on the command line: its flags are stated in its crate alone.

use crate::support::Folder;

#[test]
fn a_new_kind_brings_its_flags() {
    let folder = Folder::with_toy();
    folder.write("numbers.txt", "3\n5\n8\n21\n22\n24\n40\n41\n47\n");
    let help = folder.succeed("anonymize --help").stdout;
    assert!(help.contains("\nNumbers:\n") && help.contains("--unit <WORD>"), "{help}");
    folder.succeed("anonymize numbers.txt --unit years -k 3 --seed 1 -o out.txt");
    let mut published: Vec<String> = folder.text("out.txt").lines().map(String::from).collect();
    published.sort_unstable();
    assert_eq!(published, ["0", "0", "0", "16", "16", "16", "32", "32", "32"]);
    assert_eq!(folder.run("audit out.txt -k 3").code, 0, "the manifest says that -k is a crowd");
    assert_eq!(folder.run("audit out.txt -k 4").code, 3);
    let plan = folder.succeed("explain numbers.txt --unit years -k 3 -o new.txt").stdout;
    assert!(plan.contains("kind       toy, published as rounded\n"), "{plan}");
    let refused = folder.run("anonymize numbers.txt --unit years --qi a -k 3 -o new.txt");
    assert_eq!(refused.code, 2);
    let message = "error: --qi is for tables and paths, and with --unit these are numbers\n";
    assert!(refused.stderr.starts_with(message), "{}", refused.stderr);
    let explored = folder.report("explore numbers.txt --unit years --ks 1,2,3");
    assert_eq!((&explored["form"], &explored["tried"]), (&"rounded".into(), &"crowd".into()));
    let losses: Vec<f64> = explored["curves"][0]["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| cell["loss"].as_f64().unwrap())
        .collect();
    assert!(losses[0] == 0.0 && losses[1] > 0.0 && losses[2] >= losses[1], "{losses:?}");
}
