//! Tests that answers and their unions stay hidden among k records.

use sfumato_core::observer::Unobserved;

use super::*;

#[test]
fn the_union_of_a_thousand_answers_is_held_by_k_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baskets.dat").display().to_string();
    // 400 records of 12 of 40 items, from a simple generator.
    let mut state = 7u64;
    let mut next = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let lines: Vec<String> = (0..400)
        .map(|record| {
            let items: Vec<String> =
                (0..12).map(|_| (next(40) * next(40) / 40).to_string()).collect();
            format!("key{record} {}", items.join(" "))
        })
        .collect();
    std::fs::write(&path, lines.join("\n")).unwrap();
    let records: Vec<Vec<&str>> =
        lines.iter().map(|line| line.split(' ').skip(1).collect()).collect();
    let request = ServeRequest {
        input: InputSpec { path, ..InputSpec::default() },
        baskets: BasketSpec { layout: "lines(key=true)".into(), ..BasketSpec::default() },
        k: 6,
        algorithm: "k1-top-down".into(),
        keep: 0.5,
    };
    let server = SetServer::open(&request, &Secret::new().unwrap(), &Unobserved).unwrap();
    let mut random = answers_generator().unwrap();
    let supporters = |items: &[u32]| {
        let holds =
            |record: &&Vec<&str>| items.iter().all(|item| record.contains(&server.name(*item)));
        records.iter().filter(holds).count()
    };
    let mut different = 0;
    for key in [0, 17, 399] {
        let record = server.record(&format!("key{key}")).unwrap();
        let mut union: Vec<u32> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..1000 {
            let answer = server.answer(record, &mut random);
            assert!(supporters(&answer) >= 6);
            union.extend(&answer);
            seen.insert(answer);
        }
        union.sort_unstable();
        union.dedup();
        assert!(supporters(&union) >= 6, "{union:?}");
        assert!(
            union.iter().all(|item| records[key].contains(&server.name(*item))),
            "only what the record has"
        );
        different += seen.len();
    }
    assert!(different > 6, "answers are random");
    assert_eq!(server.record("key400"), None);
}
