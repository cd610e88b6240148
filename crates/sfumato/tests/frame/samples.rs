//! Small jobs for every kind and form of the list: one without a sample makes the tests fail.

use std::path::Path;

use sfumato_engine::{AnyRelease, Job, Releases};

/// Every kind and form: the product's, and the made-up one.
pub fn all() -> Vec<&'static dyn AnyRelease> {
    static TOY: Releases = Releases(&[sfumato_toy::RELEASES]);
    sfumato_kinds::RELEASES.all().chain(TOY.all()).collect()
}

/// A job with a name for messages.
pub struct Sample {
    /// The name of the sample, for messages of the tests.
    pub name: String,
    /// The job. Its files are in the folder that the sample was made for.
    pub job: Job,
}

/// The role of a column that no cell is about.
const IN_NO_CELL: &str = "role = \"identifier\"";

/// Sample jobs of a kind and form, with their data in a folder.
pub fn of(entry: &dyn AnyRelease, folder: &Path) -> Vec<Sample> {
    write_data(folder);
    let jobs: Vec<(&str, String)> = match (entry.kind(), entry.form()) {
        ("table", "generalized") => vec![
            ("rows", table("\"k-anonymity(k=3)\", \"l-diversity-distinct(l=2)\"", "auto", "csv")),
            ("global", table("\"k-anonymity(k=3)\"", "full-domain", "csv")),
            ("matches", table("\"nonreciprocal-k-anonymity(k=3)\"", "nonreciprocal-boxes", "csv")),
            ("lines of JSON", table("\"k-anonymity(k=3)\"", "mondrian", "jsonl")),
            ("on disk", table("\"k-anonymity(k=3)\"", "mondrian", "csv") + "engine = \"tree\"\n"),
            (
                "several partitions on disk",
                table("\"k-anonymity(k=3)\"", "rothko-tree(partition_rows=15)", "csv")
                    + "engine = \"tree\"\n",
            ),
        ],
        ("table", "buckets") => ["linked", "permuted"]
            .map(|how| {
                let text = table("\"l-diversity-distinct(l=2)\"", "anatomize", "csv");
                let path = if how == "linked" { "release" } else { "release.csv" };
                let output = format!("path = \"{path}\"\nbuckets = \"{how}\"");
                (how, text.replace("path = \"release.csv\"", &output))
            })
            .to_vec(),
        ("table", "perturbed") => {
            let of_numbers = |(name, algorithm): (&'static str, &str)| {
                let text = table("", algorithm, "csv");
                let town = "town = { role = \"quasi\" }";
                (name, text.replace(town, "town = { role = \"identifier\" }"))
            };
            let numbers = [
                ("noise", "additive-noise(share=0.5)"),
                ("factors", "multiplicative-noise(share=0.5)"),
                ("ranks", "rank-swapping(p=20)"),
                ("shuffled", "data-shuffling"),
                ("rounded", "rounding(base=5, to=random)"),
                ("coded", "top-bottom-coding(share=0.2)"),
                ("condensed", "condensation(k=5)"),
            ];
            let words = [
                ("matrix", "pram(keep=0.5)"),
                ("answers", "randomized-response"),
                ("swapped", "record-swapping(columns=town, rate=0.3)"),
                ("made up", "sequential-trees(leaf=3)"),
            ];
            let of_words = words.map(|(name, algorithm)| (name, table("", algorithm, "csv")));
            numbers.map(of_numbers).into_iter().chain(of_words).collect()
        }
        ("table", "microaggregated") => ["mdav", "mdav-exchange", "optimal-univariate"]
            .map(|algorithm| {
                let text = table("\"k-anonymity(k=3)\"", algorithm, "csv");
                let town = "town = { role = \"quasi\" }";
                (algorithm, text.replace(town, "town = { role = \"identifier\" }"))
            })
            .to_vec(),
        ("table", "synthetic") => {
            vec![("tables", table("", "dp-marginals(epsilon=5)", "csv"))]
        }
        ("table", "tabulated") => {
            let others = [("ward = { role = \"sensitive\" }", "ward = { role = \"quasi\" }")];
            let text = |algorithm: &str, age: &str| {
                let text = table("", algorithm, "csv")
                    .replace("role = \"keep\", accept = true", IN_NO_CELL);
                let text = text.replace(others[0].0, others[0].1);
                text.replace("age = { role = \"quasi\" }", &format!("age = {{ role = \"{age}\" }}"))
            };
            vec![
                ("noise", text("dp-histogram(epsilon=2, totals=true)", "identifier")),
                ("sums", text("cell-suppression(of=age)", "sensitive")),
            ]
        }
        ("sets", "subsets") => vec![
            ("copies", sets("k-anonymity(k=3)", "[]", "release.dat")),
            ("supporters", sets("k1-anonymity(k=3)", "[]", "release.dat")),
            ("images", sets("kk-anonymity(k=3)", "[]", "release.dat")),
            ("coherent", sets("coherence(h=0.8, k=5, p=2)", "[\"s1\", \"s2\"]", "release.dat")),
        ],
        ("sets", "buckets") => vec![
            ("linked", sets("privacy-degree(p=2)", "[\"s1\", \"s2\"]", "release")),
            (
                "permuted",
                sets("privacy-degree(p=2)", "[\"s1\", \"s2\"]", "release.dat")
                    .replace("[output]", "[output]\nbuckets = \"permuted\""),
            ),
        ],
        ("sets", "bitmaps") => vec![
            ("matches", sets("nonreciprocal-k-anonymity(k=3)", "[]", "release")),
            ("labels", sets("nonreciprocal-l-diversity(l=2)", "[\"s1\", \"s2\"]", "release")),
        ],
        ("sets", "generalized") => ["km-anonymity(k=5, m=2)", "k-anonymity(k=5)"]
            .map(|model| {
                let text = sets(model, "[\"s1\", \"s2\"]", "release.dat");
                (model, text.replace("[baskets]", "[baskets]\nhierarchy = \"items.csv\""))
            })
            .to_vec(),
        ("sets", "randomized") => {
            vec![("drawn", sets("rho1-rho2-breach(rho1=0.05, rho2=0.5)", "[]", "release.dat"))]
        }
        ("queries", form) => {
            let promised = "\"k-anonymous-queries(k=3)\"";
            let jobs = match form {
                "shared" => {
                    vec![("threshold", promised, "auto"), ("additive", promised, "secret-sharing")]
                }
                "hashed" => vec![("terms", "", "token-hashing(order=kept)")],
                _ => vec![("split", "", "split-personality")],
            };
            jobs.into_iter().map(|(name, models, how)| (name, queries(models, how))).collect()
        }
        ("graph", "edited") => vec![
            ("degrees", graph("\"k-degree(k=4)\"", "auto", "release.txt")),
            ("automorphisms", graph("\"k-automorphism(k=3)\"", "auto", "release.txt")),
            ("links", graph("\"link-privacy(most=0.5)\"", "auto", "release.txt")),
        ],
        ("graph", "supernodes") => ["supernode-annealing(steps=2000)", "supernode-moves"]
            .map(|name| (name, graph("\"supernode-size(k=4)\"", name, "release")))
            .to_vec(),
        ("graph", "randomized") => ["random-edges(share=0.2)", "random-switch(share=0.3)"]
            .map(|name| (name, graph("", name, "release.txt")))
            .to_vec(),
        ("graph", "answers") => {
            vec![("noisy", graph("", "noisy-answers(epsilon=1)", "release.csv"))]
        }
        ("text", "redacted") => vec![
            ("found in lines of JSON", notes("detect = [\"patterns\", \"person\"]", "[]", "jsonl")),
            ("surrogates in a table", {
                let what = "detect = [\"default\"]\nreplace = \"surrogate\"";
                notes(what, "[]", "csv")
            }),
            ("safe documents in a folder", {
                let what = "entities = \"entities.csv\"\nprotected = \"protected.txt\"";
                let text = notes(what, "[\"k-safety(k=2)\"]", "folder");
                text.replace("layout = \"field=note\"", "layout = \"folder\"")
                    .replace("notes.folder", "notes")
                    .replace("release.folder", "release")
            }),
        ],
        ("paths", "suppressed") => vec![
            ("global", paths(POINTS, "lkc-privacy(l=2, k=4, c=0.6)", "global-suppression", "csv")),
            ("local", paths(POINTS, "lkc-privacy(l=2, k=4, c=0.6)", "local-suppression", "csv")),
            (
                "pages",
                paths(PAGES, "lkc-privacy(l=3, k=4)", "local-suppression", "txt")
                    .replace("points.csv", "pages.txt"),
            ),
        ],
        ("paths", "moved") => ["never-walk-alone", "track-microaggregation"]
            .map(|algorithm| {
                let text = paths(TRACK, "k-delta-anonymity(k=3, delta=20)", algorithm, "csv");
                (algorithm, text.replace("points.csv", "tracks.csv"))
            })
            .to_vec(),
        ("paths", "regions") => ["extreme-union", "symmetric-anonymization", "track-merging"]
            .map(|algorithm| {
                let text = paths(TRACK, "mob-k-anonymity(k=3)", algorithm, "csv");
                (algorithm, text.replace("points.csv", "tracks.csv"))
            })
            .to_vec(),
        ("paths", "flows") => {
            vec![("counts", paths(POINTS, "flow-size(k=8)", "small-count-suppression", "csv"))]
        }
        ("notes", "joined") => vec![
            ("columns and texts", joined("csv", "", "\"k-anonymity(k=3)\"", "mondrian")),
            ("lines of JSON, surrogates", {
                let more = "replace = \"surrogate\"";
                joined("jsonl", more, "\"k-anonymity(k=3)\"", "full-domain")
            }),
        ],
        ("mixed", "classes") => vec![
            ("items left out", mixed("csv", "", "\"km-anonymity(k=3, m=2)\"")),
            ("items with a hierarchy", {
                let what = "sensitive = [\"s1\", \"s2\"]\nhierarchy = \"items.csv\"";
                mixed("csv", what, "\"km-anonymity(k=4, m=2)\"")
            }),
            ("sensitive items", {
                let what = "sensitive = [\"s1\", \"s2\"]";
                mixed("jsonl", what, "\"coherence(h=0.6, k=3, p=1)\", \"k-anonymity(k=5)\"")
            }),
        ],
        ("toy", "rounded") => vec![("numbers", NUMBERS.to_string())],
        (kind, form) => panic!("there is no sample of {form} of the kind {kind}: add one here"),
    };
    let job = |(name, text): (&str, String)| Sample {
        name: format!("{} {} ({name})", entry.kind(), entry.form()),
        job: Job::parse(&text, "release.toml", folder).unwrap(),
    };
    jobs.into_iter().map(job).collect()
}

fn table(models: &str, algorithm: &str, format: &str) -> String {
    format!(
        "[input]\npath = \"data.csv\"\n[columns]\nage = {{ role = \"quasi\" }}\n\
         town = {{ role = \"quasi\" }}\nward = {{ role = \"sensitive\" }}\n\
         note = {{ role = \"keep\", accept = true }}\n[privacy]\nmodels = [{models}]\n\
         [recode]\nalgorithm = \"{algorithm}\"\n[output]\npath = \"release.{format}\"\n\
         [run]\nseed = 1\n"
    )
}

fn sets(model: &str, sensitive: &str, output: &str) -> String {
    format!(
        "[input]\npath = \"baskets.dat\"\n[baskets]\nlayout = \"lines\"\nsensitive = {sensitive}\n\
         [privacy]\nmodels = [\"{model}\"]\n[output]\npath = \"{output}\"\n[run]\nseed = 1\n"
    )
}

fn queries(models: &str, algorithm: &str) -> String {
    format!(
        "[input]\npath = \"log.csv\"\n[queries]\nlayout = \"log(user=who, query=asked, \
         time=at)\"\n[privacy]\nmodels = [{models}]\n[recode]\nalgorithm = \
         \"{algorithm}\"\n[output]\npath = \"release.csv\"\n[run]\nseed = 1\n"
    )
}

fn graph(models: &str, algorithm: &str, output: &str) -> String {
    format!(
        "[input]\npath = \"edges.txt\"\n[graph]\nlayout = \"edges\"\n\
         [privacy]\nmodels = [{models}]\n[recode]\nalgorithm = \"{algorithm}\"\n\
         [output]\npath = \"{output}\"\n[run]\nseed = 1\n"
    )
}

fn notes(what: &str, models: &str, format: &str) -> String {
    format!(
        "[input]\npath = \"notes.{format}\"\n[text]\nlayout = \"field=note\"\n{what}\n\
         [privacy]\nmodels = {models}\n[output]\npath = \"release.{format}\"\n[run]\nseed = 1\n"
    )
}

fn joined(format: &str, more: &str, models: &str, algorithm: &str) -> String {
    format!(
        "[input]\npath = \"joined.csv\"\n[columns]\nage = {{ role = \"quasi\" }}\n\
         town = {{ role = \"quasi\" }}\nward = {{ role = \"sensitive\" }}\n[text]\n\
         layout = \"field=note\"\ndetect = [\"patterns\", \"person\"]\n{more}\n\
         [privacy]\nmodels = [{models}]\n[recode]\nalgorithm = \"{algorithm}\"\n\
         [output]\npath = \"release.{format}\"\n[run]\nseed = 1\n"
    )
}

fn mixed(format: &str, what: &str, models: &str) -> String {
    format!(
        "[input]\npath = \"mixed.csv\"\n[columns]\nage = {{ role = \"quasi\" }}\n\
         town = {{ role = \"quasi\" }}\nward = {{ role = \"sensitive\" }}\n[baskets]\n\
         layout = \"list(column=codes)\"\n{what}\n[privacy]\nmodels = [{models}]\n\
         [output]\npath = \"release.{format}\"\n[run]\nseed = 1\n"
    )
}

fn paths(what: &str, model: &str, algorithm: &str, format: &str) -> String {
    format!(
        "[input]\npath = \"points.csv\"\n[paths]\n{what}\n[privacy]\nmodels = [\"{model}\"]\n\
         [recode]\nalgorithm = \"{algorithm}\"\n[output]\npath = \"release.{format}\"\n\
         [run]\nseed = 1\n"
    )
}

const POINTS: &str = "layout = \"points(id=who, place=place, time=time)\"\nsensitive = [\"ward\"]";
const PAGES: &str = "layout = \"lines\"";
const TRACK: &str = "layout = \"track(id=who, lat=lat, lon=lon, time=time, every=60)\"";

const NUMBERS: &str = "[input]\npath = \"numbers.txt\"\n[toy]\nunit = \"years\"\n[privacy]\n\
    models = [\"crowd(k=3)\"]\n[output]\npath = \"release.txt\"\n[run]\nseed = 1\n";

fn write_data(folder: &Path) {
    let mut rows = String::from("age,town,ward,note\n");
    let mut joined = String::from("age,town,ward,note\n");
    let mut baskets = String::new();
    let mut mixed = String::from("age,town,codes,ward\n");
    let mut numbers = String::new();
    let mut log = String::from("who,asked,at\n");
    let mut edges = String::new();
    let mut points = String::from("who,place,time,ward\n");
    let mut pages = String::new();
    let mut tracks = String::from("who,lat,lon,time\n");
    for i in 0..60u32 {
        let town = ["north", "south", "east", "west"][i as usize % 4];
        let ward = ["flu", "hiv", "cough"][i as usize % 3];
        rows += &format!("{},{town},{ward},{}\n", 20 + (i * 7) % 40, ["a", "b"][i as usize / 30]);
        let name = ["Anna", "Peter", "Laura", "Hugo"][i as usize % 4];
        let age = 20 + (i * 7) % 40;
        joined += &format!("{age},{town},{ward},{name} aged {age} came on 3/4/1987\n");
        // Frequent items, a few that differ, and a sensitive one in every fifth basket.
        let sensitive = match i % 10 {
            0 => " s1",
            5 => " s2",
            _ => "",
        };
        baskets += &format!("bread milk i{} i{}{sensitive}\n", i % 5, 5 + i % 3);
        let codes = format!("bread;i{};i{}{}", i % 5, 5 + i % 3, sensitive.replace(' ', ";"));
        mixed += &format!("{age},{town},{codes},{ward}\n");
        numbers += &format!("{}\n", (i * 13) % 97);
        // What many ask, what a few ask, and what one person asks.
        log += &format!("p{},weather in town{},{i}\n", i % 20, i % 4);
        log += &format!("p{},dog {} bites,{i}\n", i % 20, i % 15);
        log += &format!("p{},name of person {i},{i}\n", i % 20);
        // A few nodes have far more edges than the others.
        (0..1 + i % 5).for_each(|j| edges += &format!("{i} {}\n", (i * i + j * 7) % (1 + i)));
        for time in 0..3 {
            let place = ["a", "b", "c", "d"][((i / 3 + time * i) % 4) as usize];
            points += &format!("p{i},{place},{time},{ward}\n");
        }
        let page = |n: u32| ["home", "news", "mail", "play"][(n % 4) as usize];
        pages += &format!("{} {} {}\n", page(i), page(i / 3), page(i / 7));
        for time in 0..4u32 {
            let (lat, lon) = (f64::from(i % 4) * 0.02, f64::from(i / 4) * 0.0003);
            let time = time * 60 + (i * time) % 5;
            tracks += &format!("p{i},{:.5},{:.5},{time}\n", 37.7 + lat, -122.4 + lon);
        }
    }
    write_notes(folder);
    std::fs::write(folder.join("points.csv"), points).unwrap();
    std::fs::write(folder.join("pages.txt"), pages).unwrap();
    std::fs::write(folder.join("tracks.csv"), tracks).unwrap();
    let mut items = String::from("bread;food;*\nmilk;food;*\n");
    (0..8).for_each(|i| items += &format!("i{i};{};*\n", if i < 5 { "low" } else { "high" }));
    std::fs::write(folder.join("items.csv"), items).unwrap();
    std::fs::write(folder.join("data.csv"), rows).unwrap();
    std::fs::write(folder.join("joined.csv"), joined).unwrap();
    std::fs::write(folder.join("baskets.dat"), baskets).unwrap();
    std::fs::write(folder.join("mixed.csv"), mixed).unwrap();
    std::fs::write(folder.join("edges.txt"), edges).unwrap();
    std::fs::write(folder.join("numbers.txt"), numbers).unwrap();
    std::fs::write(folder.join("log.csv"), log).unwrap();
}

/// Notes about people, as lines of JSON, as a table and as files, with entities that they speak of.
fn write_notes(folder: &Path) {
    let (mut lines, mut table) = (String::new(), String::from("id,note\n"));
    let files = folder.join("notes");
    std::fs::create_dir_all(&files).unwrap();
    for i in 0..30u32 {
        let name = ["Anna", "Peter", "Laura", "Hugo"][i as usize % 4];
        let symptom = ["asthma", "cough", "fever", "gout"][i as usize % 4];
        let note = format!("{name} came on 3/{}/1987 with {symptom}", 1 + i % 28);
        lines += &format!("{{\"id\": {i}, \"note\": \"{note}\"}}\n");
        table += &format!("{i},{note}\n");
        let file = format!("Note {i}\n{note},\nworks at the mill,\nlives in the valley {i}.\n");
        std::fs::write(files.join(format!("{i}.txt")), file).unwrap();
    }
    std::fs::write(folder.join("notes.jsonl"), lines).unwrap();
    std::fs::write(folder.join("notes.csv"), table).unwrap();
    let entities = "entity,terms\ne1,asthma;mill;valley\ne2,cough;mill\ne3,asthma;valley\n\
                    e4,mill;valley\ne5,fever\ne6,mill\ne7,valley;cough\n";
    std::fs::write(folder.join("entities.csv"), entities).unwrap();
    std::fs::write(folder.join("protected.txt"), "e1\ne2\n").unwrap();
}
