//! Reads baskets: sets, utilities of items, and which items are sensitive or left out.

use sfumato_core::column::{Code, Provenance};
use sfumato_core::dataset::{Canonical, rough};
use sfumato_core::observer::Observer;
use sfumato_core::transactions::{Builder, Transactions};
use sfumato_core::{Error, FastMap, Result, with_sets};
use sfumato_io::{BasketLayout, BasketOptions, read_baskets, read_utilities};

use sfumato_engine::input::read_options;
use sfumato_engine::paths::resolve;

use super::item_tree::ItemTree;
use super::layout;
use crate::data::{BasketData, ItemRole, Items};
use crate::job::{BasketSpec, InputSpec, Job};

/// Baskets as a job sees them.
pub struct Loaded {
    /// The records.
    pub baskets: BasketData,
    /// The layout of a release of these records.
    pub release_layout: BasketLayout,
    /// Whether items are numbers of a typed format.
    pub numeric: bool,
    /// Whether utilities of items were given.
    pub has_utilities: bool,
    /// How many repetitions of items within records were removed.
    pub repeated: u64,
    /// The number of instances of items that are left out.
    pub dropped: u64,
    /// The tree over items, if the job names one.
    pub tree: Option<ItemTree>,
    /// The key of each record, if keys were asked for.
    pub keys: Option<sfumato_core::column::Dictionary>,
    /// How many items differ from a sensitive one only by case or space.
    pub near: u64,
    /// The file that they were read from.
    pub source: Provenance,
}

/// Read the job's input.
pub fn read(job: &Job, observer: &dyn Observer) -> Result<Loaded> {
    let utilities = job.baskets.utilities.as_ref().map(|path| resolve(&job.base, path));
    let mut loaded = load(&input_of(job), &job.baskets, utilities.as_deref(), false, observer)?;
    if let Some(how) = &job.baskets.hierarchy {
        let BasketData { items, quasi, .. } = &loaded.baskets;
        loaded.tree = Some(ItemTree::read(how, &job.base, items, &quasi.counts())?);
    }
    Ok(loaded)
}

/// The input of a job, with a path that can be opened.
pub fn input_of(job: &Job) -> InputSpec {
    InputSpec { path: resolve(&job.base, &job.input.path), ..job.input.clone() }
}

/// Read baskets of a layout. `keep_keys` is for callers that look records up.
pub fn load(
    input: &InputSpec,
    spec: &BasketSpec,
    utilities: Option<&str>,
    keep_keys: bool,
    observer: &dyn Observer,
) -> Result<Loaded> {
    let layout = layout::parse(spec.layout())?;
    let options = BasketOptions {
        file: read_options(input)?,
        missing: input.missing.clone(),
        dropped: layout.dropped,
        keep_keys,
        records: None,
    };
    let read = read_baskets(&input.path, &layout.layout, &options, observer)?;
    if read.sets.is_empty() {
        return Err(Error::input("the file has no records").in_file(input.path.clone()));
    }
    if read.sets.len() >= u32::MAX as usize {
        return Err(Error::resources("more than 4,294,967,294 records are not supported yet")
            .in_file(input.path.clone()));
    }
    let mut items = Items::named(read.names);
    let has_utilities = utilities.is_some() || read.utilities.is_some();
    match (utilities, read.utilities) {
        (Some(_), Some(_)) => {
            return Err(Error::params(
                "what items are worth is said twice: by a column and by a file",
            )
            .hint("leave one out"));
        }
        (Some(path), None) => items.utilities = read_utilities(path, &items.names)?,
        (None, Some(of_items)) => {
            for (item, utility) in of_items.into_iter().enumerate() {
                items.utilities[item] = utility.ok_or_else(|| {
                    Error::input("no row says what an item is worth")
                        .in_file(input.path.clone())
                        .about_values(format!("'{}'", items.names[item]))
                })?;
            }
        }
        (None, None) => {}
    }
    let sensitive = find(&items.names, &spec.sensitive, "sensitive", &input.path)?;
    let drop = find(&items.names, &spec.drop, "drop", &input.path)?;
    if let Some(item) = sensitive.iter().find(|item| drop.contains(item)) {
        let name = &items.names[*item as usize];
        return Err(Error::params(format!("item '{name}' can't be sensitive and left out")));
    }
    let near = spellings(&items.names, &sensitive).map_err(|error| error.in_file(&input.path))?;
    sensitive.iter().for_each(|item| items.roles[*item as usize] = ItemRole::Sensitive);
    let before = read.sets.n_instances();
    let (quasi, sensitive) = split(read.sets, &items.roles, &drop);
    let dropped =
        before - quasi.n_instances() - sensitive.as_ref().map_or(0, Transactions::n_instances);
    Ok(Loaded {
        baskets: BasketData { items, quasi, sensitive },
        release_layout: read.release_layout,
        numeric: read.numeric,
        has_utilities,
        repeated: read.repeated,
        dropped,
        near,
        tree: None,
        keys: read.keys,
        source: read.source,
    })
}

/// The codes of items that the job names.
fn find(names: &[String], named: &[String], purpose: &str, path: &str) -> Result<Vec<u32>> {
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let codes: FastMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let code_of = |name: &String| {
        codes.get(name.as_str()).copied().ok_or_else(|| {
            Error::params(format!(
                "no record has the item '{name}' that the job names as {purpose}"
            ))
            .in_file(path)
        })
    };
    named.iter().map(code_of).collect()
}

/// How many items are nearly a sensitive one. An item that is only another spelling of a sensitive
/// one is refused: it would be published, or counted apart, as if it were another.
fn spellings(names: &[String], sensitive: &[u32]) -> Result<u64> {
    let canonical = Canonical::default();
    let of_form = |form: &dyn Fn(&str) -> String| -> FastMap<String, u32> {
        sensitive.iter().map(|item| (form(&names[*item as usize]), *item)).collect()
    };
    let (same, alike) = (of_form(&|name| canonical.of(name).into()), of_form(&rough));
    let mut near = 0;
    for (item, name) in (0..).zip(names) {
        let is_other = |found: Option<&u32>| found.copied().filter(|found| *found != item);
        if sensitive.is_empty() {
            break;
        }
        if let Some(found) = is_other(same.get(canonical.of(name).as_ref())) {
            return Err(Error::input(format!(
                "the file spells the sensitive item '{}' in several ways, such as with space \
                 around it",
                names[found as usize]
            ))
            .hint("write it in one way: each spelling would be an item of its own"));
        }
        near += u64::from(is_other(alike.get(&rough(name))).is_some());
    }
    Ok(near)
}

/// What a report says about items that are nearly a sensitive one.
pub fn near_remark(loaded: &Loaded) -> Option<String> {
    (loaded.near > 0).then(|| {
        format!(
            "{} items differ from a sensitive one only by case or space, and count as different",
            loaded.near
        )
    })
}

/// The quasi items and the sensitive items of each record, without those that are left out.
pub fn split(
    sets: Transactions,
    roles: &[ItemRole],
    drop: &[u32],
) -> (Transactions, Option<Transactions>) {
    let has_sensitive = roles.contains(&ItemRole::Sensitive);
    if !has_sensitive && drop.is_empty() {
        return (sets, None);
    }
    let mut is_dropped = vec![false; roles.len()];
    drop.iter().for_each(|item| is_dropped[*item as usize] = true);
    let part = |role: ItemRole| {
        let mut builder = Builder::new(sets.n_items());
        let mut kept: Vec<u32> = Vec::new();
        with_sets!(&sets, sets => for set in sets.iter() {
            kept.clear();
            let all = set.iter().map(|code| code.widen());
            kept.extend(all.filter(|item| !is_dropped[*item as usize] && roles[*item as usize]
                == role));
            builder.push(&kept);
        });
        builder.finish()
    };
    (part(ItemRole::Quasi), has_sensitive.then(|| part(ItemRole::Sensitive)))
}
