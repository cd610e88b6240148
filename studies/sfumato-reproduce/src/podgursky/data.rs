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
    use sfumato_core::registry::Argument::Word;
    let generator = find("longtail")?;
    let args = [("preset", preset), ("correlation", correlation)];
    let args =
        args.into_iter().map(|(name, value)| (name.to_string(), Word(value.to_string()))).collect();
    let params = Params::check(generator.info(), &args)?;
    let (_, utilities) = generator.companions(&params).swap_remove(0);
    let names: Vec<String> = (1..utilities.lines().count()).map(|item| item.to_string()).collect();
    let mut items = Items::named(names);
    items.utilities = parse_utilities(&utilities, &items.names)?;
    let quasi = generated(generator, &params, items.len(), records, settings.seed_of(&[20]))?;
    Ok(Arc::new(BasketData { items, quasi, sensitive: None }))
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
