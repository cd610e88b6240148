//! Every layout is read, written and read back; what is broken is refused with its place.

use std::io::Write as _;
use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_graph::data::read::read_layout;
use sfumato_graph::data::{Layout, Loaded};
use sfumato_io::ReadOptions;

use crate::support::{BOOK, audit, hubs, job, run};

fn read(folder: &Path, name: &str, layout: &str, text: &str) -> sfumato_core::Result<Loaded> {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    let layout = Layout::parse(layout).unwrap();
    read_layout(path.to_str().unwrap(), &layout, None, &ReadOptions::default(), &Unobserved)
}

const GML: &str = "Creator \"me\"\n# a comment\ngraph [\n  directed 1\n\
      node [ id 5 label \"a b\" ]\n\
    node [\n id 7\n graphics [ x 1.5 ]\n ]\n  node [ id 9 ]\n\
    edge [ source 5 target 7 value 3 ] edge [ source 7 target 5 ]\n]\n";

const GRAPHML: &str = "<?xml version=\"1.0\"?>\n<!-- made by hand -->\n<graphml>\n\
    <key id=\"d0\" for=\"node\" attr.name=\"team\" attr.type=\"string\"/>\n\
    <graph edgedefault=\"undirected\">\n<node id=\"a&amp;b\"><data key=\"d0\">red</data></node>\n\
    <edge source=\"a&amp;b\" target=\"c\"/>\n<node id='c'/><node id=\"d\"/>\n</graph></graphml>\n";

#[test]
fn every_layout_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("edges", "# Nodes: 5 Edges: 2\n1 2\n\n2 1\n3\n% x\n3 3\n2\t4 17\n", (5, 2, 1, 1)),
        ("edges(separator=comma)", "a b,c\nc , d\n", (3, 2, 0, 0)),
        ("adjacency", "1 2 3\n2 3 1\n4\n", (4, 3, 0, 1)),
        ("gml", GML, (3, 1, 0, 1)),
        ("graphml", GRAPHML, (3, 1, 0, 0)),
        (
            "matrix-market",
            "%%MatrixMarket matrix coordinate real general\n% x\n4 4 3\n1 2 0.5\n2 1 0.5\n3 3 1\n",
            (4, 1, 1, 1),
        ),
        ("table(from=a, to=b)", "a,b,weight\n1,2,3\n2,1,3\n4,,1\n", (3, 1, 0, 1)),
    ];
    for (layout, text, expected) in cases {
        let loaded = read(folder.path(), "graph.txt", layout, text).unwrap();
        let found =
            (loaded.graph.n(), loaded.graph.m(), loaded.left_out.loops, loaded.left_out.repeated);
        assert_eq!(found, expected, "{layout}");
    }
    let path = folder.path().join("team.graphml");
    std::fs::write(&path, GRAPHML).unwrap();
    let labelled = read_layout(
        path.to_str().unwrap(),
        &Layout::GraphMl,
        Some("team"),
        &ReadOptions::default(),
        &Unobserved,
    );
    let labels = labelled.unwrap().labels.unwrap();
    assert_eq!((labels.get(0), labels.get(1)), ("red", ""));
}

#[test]
fn what_is_broken_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("edges", "# only a comment\n", "no nodes"),
        ("edges", "a,b\nc,d\n", ":1: a line has a comma"),
        ("edges", "# Nodes: 4000000000\n1 2\n", "far more nodes"),
        ("gml", "graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]\n", ":3: an edge"),
        ("gml", "graph [\n node [ id 1 ]\n node [ id 1 ]\n]\n", ":3: two nodes"),
        ("gml", "graph [ node [ id 1 ]", "a list has no end"),
        ("gml", "x 1\n", "no graph"),
        (
            "graphml",
            "<graphml><graph><node id=\"1\"/><edge source=\"1\" target=\"2\"/></graph>",
            ":1: an edge has an end",
        ),
        ("graphml", "<graphml></graphml>", "no graph"),
        ("graphml", "<graph><node id=1/></graph>", "no quotes"),
        ("matrix-market", "1 2\n", ":1: this isn't a matrix"),
        (
            "matrix-market",
            "%%MatrixMarket matrix coordinate pattern symmetric\n3 4 1\n1 2\n",
            ":2: the matrix isn't square",
        ),
        (
            "matrix-market",
            "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 2\n",
            "as many entries",
        ),
        (
            "matrix-market",
            "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n1 4\n",
            ":3: an entry lies outside",
        ),
        ("table(from=a, to=c)", "a,b\n1,2\n", "no column 'c'"),
    ];
    for (layout, text, message) in cases {
        let error = read(folder.path(), "graph.txt", layout, text).unwrap_err();
        assert!(error.to_string().contains(message), "{layout}: {error}");
        assert_eq!(error.kind.exit_code(), 2, "{layout}: {error}");
    }
}

#[test]
fn a_release_in_every_layout_holds_and_is_audited() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("g.txt"), hubs(60, 240)).unwrap();
    let models = ["k-degree(k=4)"];
    let first = job(folder.path(), "g.txt", "edges", &models, "r.txt");
    run(&first).unwrap();
    // The release of one layout is the input of the next.
    let mut before = ("r.txt", "edges");
    for (layout, name) in [
        ("adjacency", "r.adj"),
        ("gml", "r.gml"),
        ("graphml", "r.graphml"),
        ("matrix-market", "r.mtx"),
        ("table(from=a, to=b)", "r.csv"),
        ("table(from=a, to=b)", "r.parquet"),
    ] {
        let loaded = read_layout(
            at(before.0).to_str().unwrap(),
            &Layout::parse(before.1).unwrap(),
            None,
            &ReadOptions::default(),
            &Unobserved,
        )
        .unwrap();
        let path = at(name);
        let mut draft = sfumato_engine::draft::Draft::file(path.to_str().unwrap()).unwrap();
        let parsed = Layout::parse(layout).unwrap();
        let destination = path.to_str().unwrap();
        sfumato_graph::data::write::write(
            &mut draft,
            &loaded.graph,
            None,
            &parsed,
            destination,
            &Unobserved,
        )
        .unwrap();
        std::fs::copy(draft.path().unwrap(), &path).unwrap();
        let release = format!("release-{name}");
        let report = run(&job(folder.path(), name, layout, &models, &release)).unwrap();
        assert!(report.guarantees[0].holds);
        // It was anonymous before.
        assert_eq!(report.metrics.iter().next().unwrap().1, &Some(0.0), "{layout}");
        let audited = audit(&at(&release), None, &models).unwrap();
        assert!(audited.holds, "{layout}: {}", audited.words);
        before = (name, layout);
    }
}

#[test]
fn compressed_edges_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(BOOK.as_bytes()).unwrap();
    std::fs::write(at("book.txt.gz"), packed.finish().unwrap()).unwrap();
    let job = job(folder.path(), "book.txt.gz", "edges", &["k-degree(k=2)"], "out.txt.gz");
    run(&job).unwrap();
    assert!(std::fs::read(at("out.txt.gz")).unwrap().starts_with(&[0x1f, 0x8b]));
    assert!(audit(&at("out.txt.gz"), None, &["k-degree(k=2)"]).unwrap().holds);
}
