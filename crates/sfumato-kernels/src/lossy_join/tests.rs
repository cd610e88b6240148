//! The join beside one that is made record by record, and the examples of the book.

use proptest::prelude::*;
use sfumato_core::FastMap;
use sfumato_core::chain::Meets;
use sfumato_core::joined::{Apart, Attribute, JoinAsked, Joined, JoinedRelease, Share};

use super::{LossyJoin, Measured};

/// Texts of a tree `ANY -> {E -> {0, 1}, 2}`: numbers 0 to 4, of which 3 is E and 4 is ANY.
fn below(text: u32) -> &'static [u32] {
    match text {
        0 => &[0],
        1 => &[1],
        2 => &[2],
        3 => &[0, 1],
        _ => &[0, 1, 2],
    }
}

fn meets(a: u32, b: u32) -> bool {
    below(a).iter().any(|leaf| below(b).contains(leaf))
}

fn attribute(name: &str, is_join: bool) -> Attribute {
    let meets = is_join.then(|| Meets::new(5, |a, b| meets(a as u32, b as u32)));
    Attribute { name: name.into(), texts: (0..5).map(|n| n.to_string()).collect(), meets }
}

fn asked(x: &[&str], y: &[&str], k: u64, values: Option<&[&str]>) -> JoinAsked {
    let all = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect();
    let values = values.map(all);
    let most = Some(Share { num: 1, den: 2 });
    JoinAsked { x: all(x), y: all(y), values, k, most, apart: Vec::new(), numbers: true }
}

/// What the join says, made record by record: the oracle.
fn naive(joined: &Joined, asked: &JoinAsked) -> (Measured, Vec<u64>) {
    let records: Vec<Vec<&Vec<u32>>> = joined
        .releases
        .iter()
        .map(|release| {
            let rows = release.rows.iter();
            rows.flat_map(|(row, n)| std::iter::repeat_n(row, *n as usize)).collect()
        })
        .collect();
    let fits = |i: usize, a: &[u32], j: usize, b: &[u32]| {
        let (mine, yours) = (&joined.releases[i].attributes, &joined.releases[j].attributes);
        mine.iter().zip(a).all(|(one, a)| {
            yours.iter().zip(b).all(|(other, b)| {
                if one == other {
                    let own = joined.attributes[*one].meets.as_ref();
                    return own.is_none_or(|own| own.at(*a, *b));
                }
                !joined.apart.iter().any(|apart| {
                    (apart.attributes == [*one, *other] && apart.pairs.contains(&(*a, *b)))
                        || (apart.attributes == [*other, *one] && apart.pairs.contains(&(*b, *a)))
                })
            })
        })
    };
    let mut tuples: Vec<Vec<usize>> = vec![Vec::new()];
    for at in 0..records.len() {
        let mut next = Vec::new();
        for tuple in &tuples {
            for row in 0..records[at].len() {
                let all = tuple.iter().enumerate();
                if all.clone().all(|(j, other)| fits(at, records[at][row], j, records[j][*other])) {
                    next.push(tuple.iter().copied().chain([row]).collect());
                }
            }
        }
        tuples = next;
    }
    let pick = |tuple: &[usize], names: &[String]| -> Vec<(usize, usize, u32)> {
        let mut found = Vec::new();
        for (at, row) in tuple.iter().enumerate() {
            for (place, attribute) in joined.releases[at].attributes.iter().enumerate() {
                if names.contains(&joined.attributes[*attribute].name) {
                    found.push((at, *attribute, records[at][*row][place]));
                }
            }
        }
        found
    };
    type Key = Vec<(usize, usize, u32)>;
    let mut groups: FastMap<Key, (u128, FastMap<Key, u128>)> = FastMap::default();
    for tuple in &tuples {
        let group = groups.entry(pick(tuple, &asked.x)).or_default();
        group.0 += 1;
        *group.1.entry(pick(tuple, &asked.y)).or_default() += 1;
    }
    let mut found = Measured::NONE;
    for (rows, of) in groups.values() {
        let most = match &asked.values {
            None => of.values().copied().max().unwrap_or(0),
            Some(values) => {
                let count = |value: &String| {
                    let is_value = |(_, at, text): &(usize, usize, u32)| {
                        joined.attributes[*at].texts[*text as usize] == *value
                    };
                    let has = |key: &Key| key.iter().any(is_value);
                    of.iter().filter(|(key, _)| has(key)).map(|(_, n)| n).sum()
                };
                values.iter().map(count).max().unwrap_or(0)
            }
        };
        let above = asked.most.is_some_and(|most_of| most * most_of.den > most_of.num * rows);
        found = found.and(Measured {
            least: of.len() as u64,
            few: u64::from((of.len() as u64) < asked.k),
            share: most as f64 / *rows as f64,
            above: u64::from(above),
            groups: 1,
            dangling: 0,
        });
    }
    let unused = |at: usize| {
        let is_used = |row: &usize| tuples.iter().any(|tuple| tuple[at] == *row);
        (0..records[at].len()).filter(|row| !is_used(row)).count() as u64
    };
    let dangling: Vec<u64> = (0..records.len()).map(unused).collect();
    found.dangling = dangling.last().copied().unwrap_or(0);
    (found, dangling)
}

fn release(attributes: &[usize], rows: Vec<(Vec<u32>, u64)>) -> JoinedRelease {
    JoinedRelease { name: "R".into(), attributes: attributes.to_vec(), rows }
}

fn rows(columns: usize, most: usize) -> impl Strategy<Value = Vec<(Vec<u32>, u64)>> {
    let row = prop::collection::vec(0u32..5, columns);
    prop::collection::vec((row, 1u64..3), 1..most)
}

/// Columns: place and sex are shared by all, zip is the first release's, job and test the second's,
/// and pay the third's.
fn instance() -> impl Strategy<Value = Joined> {
    let pairs = prop::collection::vec((0u32..5, 0u32..5), 0..4);
    (rows(3, 5), rows(4, 5), prop::option::of(rows(3, 4)), pairs).prop_map(
        |(first, second, third, pairs)| {
            let mut releases = vec![release(&[0, 1, 2], first), release(&[3, 0, 4, 1], second)];
            releases.extend(third.map(|rows| release(&[5, 1, 0], rows)));
            let names = ["place", "sex", "zip", "job", "test", "pay"];
            let attributes = names.iter().enumerate().map(|(at, name)| attribute(name, at < 2));
            let apart = vec![Apart { attributes: [2, 4], pairs: pairs.into_iter().collect() }];
            Joined { attributes: attributes.collect(), releases, apart }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]
    #[test]
    fn trees_say_what_the_join_made_record_by_record_says(
        joined in instance(), k in 1u64..4, question in 0usize..6,
    ) {
        let values: &[&str] = &["1", "3"];
        let asked = match question {
            0 => asked(&["place", "zip", "job"], &["test"], k, None),
            1 => asked(&["place", "zip", "job"], &["test"], k, Some(values)),
            2 => asked(&["job", "place", "sex"], &["zip"], k, Some(values)),
            3 => asked(&["job"], &["sex", "zip"], k, Some(values)),
            4 => asked(&["sex", "pay"], &["place", "test"], k, None),
            _ => asked(&[], &["zip", "test"], k, None),
        };
        let (measured, dangling) = naive(&joined, &asked);
        let found = LossyJoin::new(&joined, &asked).unwrap().judge().unwrap();
        prop_assert_eq!(found.measured, measured);
        prop_assert_eq!(found.dangling, dangling);
    }
}

/// A release by texts, whose attributes are made as they come; `ANY` meets everything.
struct Book {
    names: Vec<&'static str>,
    texts: Vec<Vec<&'static str>>,
    releases: Vec<JoinedRelease>,
}

/// The leaves below a text of the book.
fn under(text: &'static str) -> Vec<&'static str> {
    match text {
        "Europe" => vec!["UK", "FR"],
        "d" => vec!["d1", "d2"],
        text => vec![text],
    }
}

impl Book {
    fn new() -> Self {
        Book { names: Vec::new(), texts: Vec::new(), releases: Vec::new() }
    }
    fn and(mut self, columns: &'static str, rows: &'static str) -> Self {
        let place = |all: &mut Vec<&'static str>, text: &'static str| {
            all.iter().position(|other| *other == text).unwrap_or_else(|| {
                all.push(text);
                all.len() - 1
            })
        };
        let attributes: Vec<usize> =
            columns.split(' ').map(|c| place(&mut self.names, c)).collect();
        self.texts.resize(self.names.len(), Vec::new());
        let mut found = Vec::new();
        for row in rows.split('|') {
            let cells = row.trim().split(' ').zip(&attributes);
            let cells = cells.map(|(text, at)| place(&mut self.texts[*at], text) as u32);
            found.push((cells.collect(), 1));
        }
        self.releases.push(release(&attributes, found));
        self
    }
    fn joined(self) -> Joined {
        let attribute = |(at, name): (usize, &&'static str)| {
            let texts = &self.texts[at];
            let meets = |a: usize, b: usize| {
                let (a, b) = (texts[a], texts[b]);
                a == "ANY" || b == "ANY" || under(a).iter().any(|leaf| under(b).contains(leaf))
            };
            let of = |release: &&JoinedRelease| release.attributes.contains(&at);
            let is_join = self.releases.iter().filter(of).count() > 1;
            Attribute {
                name: (*name).into(),
                texts: texts.iter().map(|text| (*text).to_string()).collect(),
                meets: is_join.then(|| Meets::new(texts.len(), meets)),
            }
        };
        Joined {
            attributes: self.names.iter().enumerate().map(attribute).collect(),
            releases: self.releases.clone(),
            apart: Vec::new(),
        }
    }
}

fn judged(joined: &Joined, asked: &JoinAsked) -> (Measured, Vec<u64>) {
    let found = LossyJoin::new(joined, asked).unwrap().judge().unwrap();
    assert_eq!((found.measured, found.dangling.clone()), naive(joined, asked));
    (found.measured, found.dangling)
}

const FIRST: &str = "Banker Cancer|Banker Cancer|Clerk HIV|Driver Cancer|Engineer HIV";
const SECOND: &str = "Alice Banker c1|Alice Banker c1|Bob Clerk c2|Bob Driver c3|Cathy Engineer c4";

#[test]
fn example_9_1_the_join_singles_out_and_concludes() {
    let joined = Book::new().and("job disease", FIRST).and("name job class", SECOND).joined();
    let (found, dangling) = judged(&joined, &asked(&["name", "disease"], &["class"], 2, None));
    // By hand: (Alice, Cancer), (Bob, HIV), (Bob, Cancer) and (Cathy, HIV).
    assert_eq!((found.groups, found.least, dangling), (4, 1, vec![0, 0]));
    // Alice -> Cancer with a confidence of 100 %.
    let (found, _) = judged(&joined, &asked(&["name"], &["disease"], 2, None));
    assert_eq!((found.share, found.least, found.few), (1.0, 1, 2));
    let records = |name: &str| {
        let asked = asked(&["name"], &["disease"], 1, None);
        let mut join = LossyJoin::new(&joined, &asked).unwrap();
        let text = |at: usize, text: &str| {
            joined.attributes[at].texts.iter().position(|other| other == text).unwrap() as u32
        };
        let name = text(2, name);
        let rows = joined.releases[1].rows.iter().filter(|(row, _)| row[0] == name);
        let rows: Vec<u32> = rows.map(|(row, _)| row[1]).collect();
        rows.iter()
            .map(|job| join.matching(&[*job]).unwrap().of.iter().map(|m| m.2).sum::<u128>())
            .sum()
    };
    let counts: Vec<u128> = ["Alice", "Bob", "Cathy"].map(records).to_vec();
    assert_eq!(counts, [4, 2, 1], "seven records of the join, four of them Alice's");
}

#[test]
fn without_a_population_in_common_specializing_may_raise_a_y() {
    let first = "d3 y3|d3 y2|d1 y1";
    let general = Book::new().and("d y", first).and("c d", "c1 d3|c2 d").joined();
    let special = Book::new().and("d y", first).and("c d", "c1 d3|c2 d2").joined();
    let asked = asked(&["c", "d"], &["y"], 2, None);
    let (before, dangling) = judged(&general, &asked);
    assert_eq!((before.least, dangling), (1, vec![0, 0]));
    let (after, dangling) = judged(&special, &asked);
    assert_eq!((after.least, dangling), (2, vec![1, 1]), "it is seen that records dangle");
}

const PATIENTS: &str = "UK M Z3|UK M Z3|UK F Z5|FR F Z5|FR M Z3|FR M Z3|US M Z3";

fn linked(tests: &'static str) -> (f64, u64) {
    let joined = Book::new().and("PoB Sex Zip", PATIENTS).and("Test Job PoB Sex", tests).joined();
    let (found, dangling) =
        judged(&joined, &asked(&["Job", "PoB", "Zip"], &["Test"], 1, Some(&["HIV"])));
    assert_eq!(dangling, [0, 0]);
    (found.share, found.groups)
}

#[test]
fn example_9_5_the_x_tree_as_the_second_release_is_specialized() {
    // (Banker, UK, UK, Z3) has four records of the join, all with HIV.
    let raw = "HIV Banker UK M|HIV Banker UK M|Eye Banker UK F|Eye Clerk FR F|Allergy Driver US M|\
        Allergy Engineer US M|Allergy Engineer FR M|Allergy Engineer FR M";
    assert_eq!(linked(raw).0, 1.0);
    let any = "HIV ANY ANY M|HIV ANY ANY M|Eye ANY ANY F|Eye ANY ANY F|Allergy ANY ANY M|\
        Allergy ANY ANY M|Allergy ANY ANY M|Allergy ANY ANY M";
    assert_eq!(linked(any), (4.0 / 12.0, 5));
    let europe = "HIV ANY Europe M|HIV ANY Europe M|Eye ANY Europe F|Eye ANY Europe F|\
        Allergy ANY US M|Allergy ANY US M|Allergy ANY Europe M|Allergy ANY Europe M";
    assert_eq!(linked(europe), (0.5, 5));
    let countries = "HIV ANY UK M|HIV ANY UK M|Eye ANY UK F|Eye ANY FR F|Allergy ANY US M|\
        Allergy ANY US M|Allergy ANY FR M|Allergy ANY FR M";
    assert_eq!(linked(countries).0, 1.0, "not below 90 %");
    let jobs = "HIV Banker ANY M|HIV Banker ANY M|Eye Banker ANY F|Eye Clerk ANY F|\
        Allergy Driver ANY M|Allergy Engineer ANY M|Allergy Engineer ANY M|Allergy Engineer ANY M";
    assert_eq!(linked(jobs).0, 1.0, "male bankers have nothing but HIV");
}

#[test]
fn a_share_may_fall_where_x_lacks_a_column_by_which_releases_are_joined() {
    // Lemma 9.2 says it never does. Sex joins the releases and isn't in X: before, the only man of
    // the UK is matched with all men, and afterwards with his own record alone.
    let first = "UK M Z3 yes|UK F Z3 no|US M Z3 no";
    let of = |second| Book::new().and("PoB Sex Zip Ill", first).and("PoB Sex", second).joined();
    let any = of("ANY M|ANY F|ANY M|ANY M|ANY M|ANY M|ANY M|ANY M|ANY M|ANY M");
    let raw = of("UK M|UK F|US M|US M|US M|US M|US M|US M|US M|US M");
    let asked = |x: &[&str]| asked(x, &["Ill"], 1, Some(&["yes"]));
    let (before, dangling) = judged(&any, &asked(&["PoB", "Zip"]));
    assert_eq!((before.share, dangling), (0.9, vec![0, 0]));
    let (after, dangling) = judged(&raw, &asked(&["PoB", "Zip"]));
    assert_eq!((after.share, dangling), (0.5, vec![0, 0]));
    // With all columns of the join in X the lemma holds.
    assert_eq!(judged(&any, &asked(&["PoB", "Sex", "Zip"])).0.share, 1.0);
    assert_eq!(judged(&raw, &asked(&["PoB", "Sex", "Zip"])).0.share, 1.0);
}

#[test]
fn values_that_nobody_has_together_rule_out_matches() {
    let mut joined = Book::new().and("sex name", "F a|M b").and("test", "Pregnant|Flu").joined();
    let asked = asked(&["name"], &["test"], 2, None);
    assert_eq!(judged(&joined, &asked).0.least, 2);
    joined.apart = vec![Apart { attributes: [0, 2], pairs: [(1, 0)].into_iter().collect() }];
    assert_eq!(judged(&joined, &asked).0.least, 1);
}
