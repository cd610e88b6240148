//! Attacks on baskets: each succeeds without the model that stops it, and fails with it.

use sfumato_core::observer::Unobserved;
use sfumato_engine::attack::{AttackAsked, Played};
use sfumato_engine::entry::Request;
use sfumato_engine::{AnyRelease, Job};
use sfumato_sets::RELEASES;

/// Baskets with frequent and rare items; every tenth has a sensitive one, which goes with `i0`.
fn baskets() -> String {
    let mut text = String::new();
    for i in 0..300u32 {
        let (a, b, c) = (i % 7, 7 + i % 11, 18 + (i * i) % 13);
        let sensitive = if i % 70 == 0 { " s1" } else { "" };
        text += &format!("bread i{a} i{b} i{c}{sensitive}\n");
    }
    text
}

struct Shop(tempfile::TempDir);

impl Shop {
    fn new(text: &str) -> Shop {
        let shop = Shop(tempfile::tempdir().unwrap());
        std::fs::write(shop.0.path().join("baskets.dat"), text).unwrap();
        let mut items = String::from("bread;food;*\n");
        (0..31).for_each(|i| items += &format!("i{i};g{};*\n", i / 4));
        std::fs::write(shop.0.path().join("items.csv"), items).unwrap();
        shop
    }

    fn job(&self, name: &str, baskets: &str) -> Job {
        let path = self.0.path().join(name).display().to_string();
        let text = format!(
            "[input]\npath = \"{path}\"\n[baskets]\nlayout = \"lines\"\nsensitive = [\"s1\"]\n\
             {baskets}\n"
        );
        Job::parse(&text, "release.toml", self.0.path()).unwrap()
    }

    fn publish(&self, name: &str, model: &str, baskets: &str) -> &'static dyn AnyRelease {
        let mut job = self.job("baskets.dat", baskets);
        job.set("privacy", "models", vec![model]);
        job.set("output", "path", self.0.path().join(name).display().to_string());
        job.set("run", "seed", 1);
        let takes = |entry: &&&'static dyn AnyRelease| entry.takes(&job).unwrap();
        let entry = *RELEASES.iter().find(takes).unwrap();
        entry.run(&job, &Unobserved).unwrap();
        entry
    }

    fn attack(&self, entry: &dyn AnyRelease, name: &str, attack: &str, baskets: &str) -> Played {
        let request = Request {
            job: self.job(name, baskets),
            original: Some(self.job("baskets.dat", baskets)),
            attack: AttackAsked { attacks: vec![attack.into()], ..AttackAsked::default() },
            ..Request::default()
        };
        entry.attack(&request, &Unobserved).unwrap().attacks.remove(0)
    }
}

const TREE: &str = "hierarchy = \"items.csv\"";

#[test]
fn as_many_rows_as_the_model_says_have_what_is_known() {
    let shop = Shop::new(&baskets());
    let raw = shop.attack(RELEASES[0], "baskets.dat", "known-items(present=3)", "");
    assert!(raw.rate.unwrap() > 0.3 && raw.worst[0].chance == 1.0, "{raw:?}");
    let entry = shop.publish("km.dat", "km-anonymity(k=5, m=2)", TREE);
    let km = shop.attack(entry, "km.dat", "known-items(present=2)", TREE);
    assert!(km.worst.iter().all(|worst| worst.chance <= 0.2 + 1e-9), "{km:?}");
    // Three items are more than the model is about; it may bound them or not.
    let entry = shop.publish("k.dat", "k-anonymity(k=5)", "");
    for attack in ["known-items(present=3)", "known-items(present=2, absent=10)"] {
        let k = shop.attack(entry, "k.dat", attack, "");
        assert!(k.worst.iter().all(|worst| worst.chance <= 0.2 + 1e-9), "{attack}: {k:?}");
    }
}

#[test]
fn a_sensitive_item_that_goes_with_a_known_one_is_learnt_unless_it_is_bounded() {
    let mut text = baskets();
    (0..6).for_each(|_| text += "bread rare s1\n");
    let shop = Shop::new(&text);
    std::fs::write(
        shop.0.path().join("items.csv"),
        std::fs::read_to_string(shop.0.path().join("items.csv")).unwrap() + "rare;g9;*\n",
    )
    .unwrap();
    let raw = shop.attack(RELEASES[0], "baskets.dat", "sensitive-items(present=2)", "");
    assert!(raw.rate.unwrap() > 0.3, "{raw:?}");
    let entry = shop.publish("coherent.dat", "coherence(h=0.7, k=2, p=2)", "");
    let safe = shop.attack(entry, "coherent.dat", "sensitive-items(present=2, certainty=0.8)", "");
    assert_eq!(safe.rate, Some(0.0), "{safe:?}");
    let entry = shop.publish("buckets", "privacy-degree(p=2)", "");
    let safe = shop.attack(entry, "buckets", "sensitive-items(present=2, certainty=0.8)", "");
    assert_eq!(safe.rate, Some(0.0), "{safe:?}");
}

#[test]
fn bitmaps_hide_whoever_is_known_altogether() {
    let shop = Shop::new(&baskets());
    let raw = shop.attack(RELEASES[0], "baskets.dat", "known-items(present=9)", "");
    assert!(raw.rate.unwrap() > 0.3, "{raw:?}");
    let entry = shop.publish("bitmaps", "nonreciprocal-k-anonymity(k=4)", "");
    assert_eq!(entry.form(), "bitmaps");
    for attack in ["known-items(present=9)", "known-items(present=9, absent=31)"] {
        let hidden = shop.attack(entry, "bitmaps", attack, "");
        assert!(hidden.worst.iter().all(|worst| worst.chance <= 0.25 + 1e-9), "{hidden:?}");
        assert!(hidden.rate.unwrap() > 0.0, "everybody is somewhere: {hidden:?}");
    }
    // Different labels among the rows that fit: nobody's is certain.
    let entry = shop.publish("labels", "nonreciprocal-l-diversity(l=2)", "");
    let learnt = shop.attack(entry, "labels", "sensitive-items(present=9, certainty=1)", "");
    assert_eq!(learnt.rate, Some(0.0), "{learnt:?}");
    let raw =
        shop.attack(RELEASES[0], "baskets.dat", "sensitive-items(present=9, certainty=1)", "");
    assert!(raw.rate.unwrap() > 0.3, "{raw:?}");
}
