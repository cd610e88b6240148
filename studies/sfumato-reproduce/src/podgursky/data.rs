//! The three data sets of the thesis: Adult as items, the synthetic long tail, and one of the shape
//! of the targeting data.

use std::sync::Arc;

use sfumato_core::Result;
use sfumato_core::registry::Params;
use sfumato_core::transactions::Transactions;
use sfumato_generate::find;
use sfumato_io::{
    BasketLayout, BasketOptions, ItemColumn, ItemKind, parse_utilities, read_baskets,
};
use sfumato_sets::data::{BasketData, Items};

use crate::bench::RandomStream;
use crate::bench::baskets::{generated, sample};
use crate::figure::Settings;

/// Adult in the data folder.
pub const ADULT: &str = "relational/adult_48842.csv.gz";

/// Adult: eight columns of categories, age in steps of 5 and hours in steps of 10, with at most
/// `most` random records.
pub fn adult(settings: &Settings<'_>, most: usize) -> Result<Arc<BasketData>> {
    let category = |name: &str| ItemColumn { name: name.into(), kind: ItemKind::Categorical };
    let bucket =
        |name: &str, width: f64| ItemColumn { name: name.into(), kind: ItemKind::Bucket { width } };
    let mut columns: Vec<ItemColumn> = [
        "workclass",
        "education",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "native-country",
    ]
    .map(category)
    .to_vec();
    columns.extend([bucket("age", 5.0), bucket("hours-per-week", 10.0)]);
    let layout = BasketLayout::Table { columns, rest: None, key: None };
    let options = BasketOptions {
        missing: vec!["?".into()],
        dropped: ["fnlwgt", "education-num", "capital-gain", "capital-loss", "salary-class"]
            .map(String::from)
            .to_vec(),
        ..BasketOptions::default()
    };
    let path = settings.data.join(ADULT).display().to_string();
    let read = read_baskets(&path, &layout, &options, settings.observer)?;
    Ok(Arc::new(BasketData {
        items: Items::named(read.names),
        quasi: sample(read.sets, most, settings.seed_of(&[21])),
        sensitive: None,
    }))
}

/// Generated baskets of a preset (`synthetic` or `targeting`), with what items are worth.
pub fn longtail(
    preset: &str,
    correlation: &str,
    records: u64,
    settings: &Settings<'_>,
) -> Result<Arc<BasketData>> {
    Ok(Arc::new(with(&[("preset", preset), ("correlation", correlation)], records, settings)?))
}

/// What stands in for the targeting data, calibrated to tables 13 and 14: independent items of a
/// long tail (29 on average), to which each record adds what is common in one of six segments, and
/// a quarter of the records that come twice. Without the segments nothing is kept for k of 10 and
/// more; without the twins no more is kept for k = 2 than for k = 10.
pub fn targeting(records: u64, settings: &Settings<'_>) -> Result<Arc<BasketData>> {
    let tail = [("preset", "targeting"), ("mean", "29"), ("deviation", "18")];
    let mut data = with(&tail, records, settings)?;
    let mut random = RandomStream::new(settings.seed_of(&[23]));
    let segments: Vec<Vec<u32>> = (0..SEGMENTS)
        .map(|_| {
            let items = random.order(FREQUENT).into_iter().take(IN_SEGMENT);
            items.map(|item| item as u32).collect()
        })
        .collect();
    // Segments get rarer with the power 0.7 of their number.
    let weights: Vec<f64> = (1..=SEGMENTS).map(|rank| (rank as f64).powf(-0.7)).collect();
    let all: f64 = weights.iter().sum();
    let mut sets: Vec<Vec<u32>> = Vec::with_capacity(records as usize);
    for record in 0..data.quasi.len() {
        if sets.len() >= data.quasi.len() {
            break;
        }
        let mut at = random.below(1_000_000) as f64 / 1e6 * all;
        let segment = weights.iter().position(|weight| {
            at -= weight;
            at < 0.0
        });
        let mut set = data.quasi.set(record);
        for item in &segments[segment.unwrap_or(0)] {
            if random.below(1000) < 985 {
                set.push(*item);
            }
        }
        set.sort_unstable();
        set.dedup();
        // Of 1,000 records 270 are one of two: 156 of 1,000 that are drawn come twice.
        if random.below(1000) < 156 && sets.len() + 1 < data.quasi.len() {
            sets.push(set.clone());
        }
        sets.push(set);
    }
    let order = random.order(sets.len());
    let n_items = data.quasi.n_items();
    data.quasi =
        Transactions::from_sets(n_items, order.into_iter().map(|at| std::mem::take(&mut sets[at])));
    Ok(Arc::new(data))
}

/// Segments of the stand-in, what is common in each, and among how many of the most frequent items.
const SEGMENTS: usize = 6;
const IN_SEGMENT: usize = 9;
const FREQUENT: usize = 200;

fn with(args: &[(&str, &str)], records: u64, settings: &Settings<'_>) -> Result<BasketData> {
    use sfumato_core::registry::Argument::Word;
    let generator = find("longtail")?;
    let args =
        args.iter().map(|(name, value)| (name.to_string(), Word(value.to_string()))).collect();
    let params = Params::check(generator.info(), &args)?;
    let (_, utilities) = generator.companions(&params).swap_remove(0);
    let names: Vec<String> = (1..utilities.lines().count()).map(|item| item.to_string()).collect();
    let mut items = Items::named(names);
    items.utilities = parse_utilities(&utilities, &items.names)?;
    let quasi = generated(generator, &params, items.len(), records, settings.seed_of(&[20]))?;
    Ok(BasketData { items, quasi, sensitive: None })
}

/// The same synthetic baskets with other random utilities. `draw` identifies the draw.
pub fn with_other_utilities(baskets: &BasketData, draw: u64) -> Result<BasketData> {
    use sfumato_core::registry::Argument::Word;
    let generator = find("longtail")?;
    let args = [("utilities_seed".to_string(), Word(draw.to_string()))].into();
    let (_, utilities) =
        generator.companions(&Params::check(generator.info(), &args)?).swap_remove(0);
    let mut items = Items::named(baskets.items.names.clone());
    items.utilities = parse_utilities(&utilities, &items.names)?;
    Ok(BasketData { items, quasi: baskets.quasi.clone(), sensitive: None })
}

/// How often each item occurs, most frequent first, as shares of the records.
pub fn frequencies(baskets: &BasketData) -> Vec<f64> {
    let n = baskets.quasi.len() as f64;
    let mut shares: Vec<f64> =
        baskets.quasi.counts().into_iter().map(|count| count as f64 / n).collect();
    shares.sort_by(|a, b| b.total_cmp(a));
    shares
}

/// Items of each record, the mean and the standard deviation.
pub fn sizes(sets: &Transactions) -> (f64, f64) {
    let n = sets.len() as f64;
    let all: Vec<f64> = (0..sets.len()).map(|record| sets.size(record) as f64).collect();
    let mean = all.iter().sum::<f64>() / n;
    (mean, (all.iter().map(|size| (size - mean) * (size - mean)).sum::<f64>() / n).sqrt())
}

#[cfg(test)]
mod tests {
    use sfumato_core::observer::Unobserved;

    use super::*;

    #[test]
    fn the_stand_in_has_twins_and_segments() {
        let settings = Settings {
            size: crate::figure::Size::Tiny,
            seed: 4,
            rows: None,
            data: "nowhere".into(),
            observer: &Unobserved,
        };
        let data = targeting(3_000, &settings).unwrap();
        assert_eq!((data.quasi.len(), data.quasi.n_items()), (3_000, 1987));
        let mut sets: Vec<Vec<u32>> = (0..3_000).map(|record| data.quasi.set(record)).collect();
        sets.sort();
        let twins = sets.windows(2).filter(|two| two[0] == two[1]).count();
        assert!((300..520).contains(&twins), "{twins}");
        let (mean, _) = sizes(&data.quasi);
        assert!((34.0..42.0).contains(&mean), "{mean}");
    }
}
