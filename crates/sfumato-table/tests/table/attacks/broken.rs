//! Releases that are broken on purpose: each is caught.

use super::{Game, With, people};

const COLUMNS: &str =
    "age = { role = \"quasi\" }; town = { role = \"quasi\" }; ill = { role = \"sensitive\" }";

#[test]
fn classes_below_k_are_caught() {
    let game = Game::new(COLUMNS, &people(400));
    game.publish("release.csv", &["k-anonymity(k=5)"], "mondrian");
    let whole = game.attack("release.csv", "record-linkage", &With::default());
    assert!(whole.worst.iter().all(|worst| worst.chance <= 0.2 + 1e-9), "{whole:?}");
    // One row of the first class is published as it was.
    let text = game.text("release.csv");
    let (head, rest) = text.split_once('\n').unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    let original = game.text("original.csv");
    let row = original.lines().nth(7).unwrap();
    game.write("broken.csv", &format!("{head}\n{row}\n{rest}"));
    let broken = game.attack("broken.csv", "record-linkage", &With::default());
    assert!(broken.rate > whole.rate);
    let k = game.attack("broken.csv", "downcoding", &With::default());
    assert!(k.rate.unwrap() >= broken.rate.unwrap() - 1e-9, "{k:?}");
}

#[test]
fn homogeneous_classes_are_caught() {
    let game = Game::new(COLUMNS, "age,town,ill\n20,a,flu\n21,a,flu\n40,b,hiv\n41,b,cough\n");
    game.write(
        "release.csv",
        "age,town,ill\n[20..21],a,flu\n[20..21],a,flu\n[40..41],b,hiv\n\
        [40..41],b,cough\n",
    );
    let learnt = game.attack("release.csv", "homogeneity", &With::default());
    assert_eq!(learnt.rate, Some(0.5));
    assert_eq!(learnt.worst.iter().map(|worst| worst.record).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn the_order_of_the_input_is_caught() {
    let game = Game::new(COLUMNS, &people(400));
    game.publish("shuffled.csv", &["k-anonymity(k=5)"], "mondrian");
    // The same rows in the order of the people that they were made from.
    let shuffled = game.attack("shuffled.csv", "order", &With::default());
    let (rate, guessing) = (shuffled.rate.unwrap(), shuffled.baseline);
    assert!((rate - guessing).abs() < 0.1, "{shuffled:?}");
    let kept = game.attack("original.csv", "order", &With::default());
    assert_eq!(kept.rate, Some(1.0), "{kept:?}");
    assert!(kept.baseline < 0.3, "{kept:?}");
    // A few people are missing, and the others stand as before.
    let text = game.text("original.csv");
    let some: Vec<&str> =
        text.lines().enumerate().filter(|(at, _)| at % 50 != 7).map(|(_, l)| l).collect();
    game.write("some.csv", &(some.join("\n") + "\n"));
    let some = game.attack("some.csv", "order", &With::default());
    assert!(some.rate.unwrap() > 0.95, "{some:?}");
}

#[test]
fn a_nearly_unique_kept_column_is_caught() {
    let original: String = people(200)
        .lines()
        .enumerate()
        .map(
            |(at, line)| if at == 0 { format!("{line},note\n") } else { format!("{line},n{at}\n") },
        )
        .collect();
    let columns = format!("{COLUMNS}; note = {{ role = \"keep\", accept = true }}");
    let game = Game::new(&columns, &original);
    game.publish("release.csv", &["k-anonymity(k=5)"], "mondrian");
    assert!(game.rate("release.csv", "record-linkage") <= 0.2);
    assert_eq!(game.rate("release.csv", "kept-columns"), 1.0);
    let error = game.refused("release.csv", "kept-columns(known=[nothing])");
    assert!(error.message.contains("'nothing'"), "{error}");
}

#[test]
fn two_releases_that_compose_are_caught() {
    let game = Game::new(COLUMNS, "age,town,ill\n20,a,flu\n21,b,hiv\n22,a,cough\n23,b,none\n");
    // Each is 2-diverse; together everybody is known.
    game.write(
        "one.csv",
        "age,town,ill\n[20..21],*,flu\n[20..21],*,hiv\n[22..23],*,cough\n\
        [22..23],*,none\n",
    );
    game.write("two.csv", "age,town,ill\n*,a,flu\n*,b,hiv\n*,a,cough\n*,b,none\n");
    assert_eq!(game.rate("one.csv", "homogeneity"), 0.0);
    assert_eq!(game.rate("two.csv", "homogeneity"), 0.0);
    let with = With { other: Some("two.csv"), ..With::default() };
    let both = game.attack("one.csv", "composition", &with);
    assert_eq!((both.rate, both.baseline), (Some(1.0), 0.0));
    let error = game.refused("one.csv", "composition");
    assert!(error.hint.unwrap().contains("--other"));
}

#[test]
fn a_copy_and_fresh_people_are_told_apart() {
    let all = people(1200);
    let lines: Vec<&str> = all.lines().collect();
    let part = |from: usize, to: usize| format!("{}\n{}\n", lines[0], lines[from..to].join("\n"));
    let game = Game::new(COLUMNS, &part(1, 401));
    game.write("fresh.csv", &part(401, 801));
    game.write("control.csv", &part(801, 1201));
    let with = With { control: Some("control.csv"), ..With::default() };
    for attack in ["singling-out", "linkability", "attribute-inference(by=nearest)"] {
        let copy = game.attack("original.csv", attack, &with);
        let fresh = game.attack("fresh.csv", attack, &with);
        let (rate, control) = (copy.rate.unwrap(), copy.control.unwrap());
        assert!(rate > control && rate > fresh.rate.unwrap(), "{attack}: {copy:?} {fresh:?}");
        let (low, high) = (fresh.control_low.unwrap(), fresh.control_high.unwrap());
        let rate = fresh.rate.unwrap();
        assert!(low - 0.05 <= rate && rate <= high + 0.05, "{attack}: {fresh:?}");
    }
    let inside = game.attack("original.csv", "membership", &with);
    assert!(inside.low.unwrap() > 0.5, "{inside:?}");
}

#[test]
fn too_few_queries_are_said_and_never_passed() {
    let game = Game::new(COLUMNS, &people(300));
    // One column with few values: there are few different conditions.
    let few = game.attack("original.csv", "singling-out(columns=1)", &With::default());
    assert!(few.queries < few.sought, "{few:?}");
    assert_eq!(few.too_few, few.queries < 100, "{few:?}");
    let learnt = game.attacks("original.csv", &["singling-out(columns=1)"], &With::default());
    assert!(learnt.unwrap().words().contains("TOO FEW QUERIES"));
}

#[test]
fn labels_that_nobody_explains_are_refused() {
    let game = Game::new(COLUMNS, "age,town,ill\n20,a,flu\n21,b,hiv\n");
    game.write("release.csv", "age,town,ill\n*,somewhere,flu\n*,somewhere,hiv\n");
    let error = game.refused("release.csv", "record-linkage");
    assert!(error.message.contains("column 'town'"), "{error}");
    assert!(error.hint.unwrap().contains("--hierarchy town=FILE"));
    // Masks and half-open ranges of other tools are understood.
    let game = Game::new(
        "zip = { role = \"quasi\" }; age = { role = \"quasi\" }; ill = { role = \"sensitive\" }",
        "zip,age,ill\nA1301,20,flu\nA1302,29,hiv\nA2301,30,none\n",
    );
    game.write(
        "release.csv",
        "zip,age,ill\nA13**,[20..30),flu\nA13**,[20..30),hiv\nA2301,30,none\n",
    );
    let linked = game.attack("release.csv", "record-linkage", &With::default());
    assert!(super::near(linked.rate.unwrap(), 2.0 / 3.0), "{linked:?}");
    assert!(game.path().exists());
}
