//! Shares against their definition: enough give the secret, and fewer say nothing.

use proptest::prelude::*;
use rand_chacha::rand_core::SeedableRng;
use sfumato_core::registry::Call;

use super::*;
use crate::data::testing::log;

fn random(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

#[test]
fn the_book_s_shares_add_up() {
    let modulus = 1_000_003;
    assert_eq!(additive::last_share(123_456, &[11, 999_999], modulus), 123_449);
    assert_eq!(additive::secret_of(&[11, 999_999, 123_449], modulus), 123_456);
    // Shares that are larger than the modulus are what remains of them.
    assert_eq!(additive::last_share(5, &[modulus + 11], modulus), modulus - 6);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn k_shares_are_enough_and_fewer_are_not(
        text in "[a-z äß]{0,60}",
        k in 1u8..6,
        seed in 0u64..1000,
        drop in 0usize..6,
    ) {
        let secret = encode(&text, 8);
        prop_assert_eq!(decode(&secret), Some(text.clone()));
        for scheme in [Scheme::Additive, Scheme::Threshold] {
            let shares = scheme.shares(&secret, k, 9, &mut random(seed)).unwrap();
            let n = if scheme == Scheme::Additive { usize::from(k) } else { 9 };
            prop_assert_eq!(shares.len(), n);
            let numbered: Vec<(u8, Vec<u8>)> = (1..).zip(shares).collect();
            let mut kept = numbered.clone();
            kept.remove(drop % kept.len());
            let recovered = scheme.recover(k, &kept).unwrap();
            let is_enough = scheme == Scheme::Threshold;
            prop_assert_eq!(recovered.is_some(), is_enough && !kept.is_empty());
            let all = scheme.recover(k, &numbered).unwrap();
            prop_assert_eq!(all.as_deref(), Some(&secret[..]));
            prop_assert_eq!(recovered.unwrap_or(secret.clone()), secret.clone());
            let few = &numbered[..usize::from(k) - 1];
            prop_assert_eq!(scheme.recover(k, few).unwrap(), None);
        }
    }
}

#[test]
fn fewer_than_k_shares_are_the_same_for_every_secret() {
    // The first share of two, over all random numbers: each byte is as likely for one secret as for
    // another. 4,000 draws of 256 values: chi square with 255 degrees of freedom is below 360 but
    // once in 100,000 times.
    for scheme in [Scheme::Additive, Scheme::Threshold] {
        for secret in [[0u8; 8], [255; 8]] {
            let mut counts = [0u32; 256];
            for seed in 0..4000 {
                let shares = scheme.shares(&secret, 2, 2, &mut random(seed)).unwrap();
                counts[usize::from(shares[1][7])] += 1;
            }
            let expected = 4000.0 / 256.0;
            let chi: f64 =
                counts.iter().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
            assert!(chi < 360.0, "{scheme:?}: {chi}");
        }
    }
}

fn share(call: &str, log: &Log, k: u8, key: u8) -> Shares {
    let call: Call = call.parse().unwrap();
    let algorithm = find(&call.name).unwrap();
    let params = Params::check(algorithm.info(), &call.args).unwrap();
    let secret = Secret([key; 32]);
    algorithm.share(&params, &SharingTask { log, k, secret: &secret }).unwrap()
}

/// What can be read of a log, and how many people asked each.
fn readable(log: &Log, shares: &Shares) -> Vec<(String, usize)> {
    let mut numbers: Vec<Vec<u8>> = vec![Vec::new(); log.texts.len()];
    shares.rows.iter().for_each(|row| numbers[row.query as usize].push(row.share));
    let askers = log.askers();
    let of_query = |(query, mut numbers): (u32, Vec<u8>)| {
        assert_eq!(numbers.len(), askers[query as usize].len());
        numbers.sort_unstable();
        numbers.dedup();
        let most = numbers.last().map_or(0, |most| usize::from(*most));
        let all = shares.shares_of(log.texts.get(query), most).unwrap();
        let held = numbers.iter().map(|number| (*number, all[usize::from(*number) - 1].clone()));
        let secret = shares.scheme.recover(shares.k, &held.collect::<Vec<_>>()).unwrap()?;
        Some((decode(&secret).unwrap(), askers[query as usize].len()))
    };
    (0..).zip(numbers).filter_map(of_query).collect()
}

#[test]
fn exactly_what_k_people_asked_can_be_read_of_ten_thousand() {
    // The first query is asked by all of 10,000 people, and each later one by fewer, down to one.
    let names: Vec<String> = (0..211).map(|i| format!("query number {i}")).collect();
    let mut rows = Vec::new();
    for (at, name) in names.iter().enumerate() {
        rows.extend((0..10_000).step_by(1 + at * at / 4).map(|user| (user, name.as_str())));
    }
    let log = log(rows);
    assert_eq!(log.n_users, 10_000);
    let askers = log.askers();
    for k in [2, 5, 20] {
        let expected: Vec<(String, usize)> = names
            .iter()
            .zip(&askers)
            .filter(|(_, users)| users.len() >= usize::from(k))
            .map(|(name, users)| (name.clone(), users.len()))
            .collect();
        assert!(expected.len() > 20 && expected.len() < names.len());
        for call in ["threshold-sharing", "secret-sharing"] {
            let shares = share(call, &log, k, 3);
            assert_eq!(readable(&log, &shares), expected, "{call}, k = {k}");
        }
        // Buckets that are the same for all queries need more people, and never fewer than k.
        let hashed = readable(&log, &share("secret-sharing(buckets=hashed)", &log, k, 3));
        assert!(hashed.len() < expected.len() && !hashed.is_empty());
        assert!(hashed.iter().all(|found| expected.contains(found)));
    }
}

#[test]
fn another_key_gives_other_shares_and_tags() {
    let log = log([(0, "dog"), (1, "dog"), (2, "cat")]);
    let (one, other) =
        (share("threshold-sharing", &log, 2, 1), share("threshold-sharing", &log, 2, 2));
    assert_ne!(one.tag("dog"), other.tag("dog"));
    assert_ne!(one.shares_of("dog", 2).unwrap(), other.shares_of("dog", 2).unwrap());
    assert_eq!(one.shares_of("dog", 2).unwrap(), one.shares_of("dog", 2).unwrap());
    // Texts of different lengths have shares of the same length.
    let long = "a dog that bites";
    assert_eq!(one.shares_of(long, 1).unwrap()[0].len(), one.shares_of("dog", 1).unwrap()[0].len());
}

#[test]
fn what_cannot_be_put_together_is_an_error_and_never_a_text() {
    for scheme in [Scheme::Additive, Scheme::Threshold] {
        let wrong = [(1, vec![0u8; 8]), (2, vec![0u8; 16])];
        assert!(scheme.recover(2, &wrong).is_err(), "{scheme:?}");
        assert_eq!(scheme.recover(2, &[]).unwrap(), None);
    }
    assert_eq!(decode(&[0, 0, 0, 9, b'a']), None);
    assert_eq!(decode(&[0, 0]), None);
    assert_eq!(decode(&[0, 0, 0, 1, b'a', 7]), None);
    assert!(of_k(256).is_err());
}
