//! Baskets with a long tail: few items that many records have, many that few have.
//!
//! This file draws records; which probabilities they are drawn from is decided in `shape`.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use crate::Generator;
use crate::draw::Draw;
use crate::math;

mod activity;
mod shape;

use shape::{Facts, Shape};

/// See [`Info::doc`].
pub struct Longtail;

static INFO: Info = Info {
    name: "longtail",
    summary: "baskets whose items range from frequent to rare, a record per line",
    papers: &[Paper {
        authors: "B. Podgursky",
        title: "Practical k-Anonymity on Large Datasets",
        venue: "Vanderbilt University",
        year: 2011,
    }],
    params: &[
        ParamSpec::with_default(
            "preset",
            ParamKind::Choice(&["synthetic", "targeting"]),
            "synthetic",
            "what the parameters that are left out are: those of the synthetic data set, or one of \
                the shape of the targeting data",
        ),
        ParamSpec::optional(
            "items",
            ParamKind::Integer { min: 2, max: 1_000_000 },
            "how many items there are",
        ),
        ParamSpec::optional(
            "highest",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the share of records that have the most frequent item",
        ),
        ParamSpec::optional(
            "lowest",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the share of records that have the rarest item",
        ),
        ParamSpec::optional(
            "mean",
            ParamKind::Number { min: 0.0, above: true, max: 1e6 },
            "how many items a record has on average",
        ),
        ParamSpec::optional(
            "deviation",
            ParamKind::Number { min: 0.0, above: true, max: 1e6 },
            "the standard deviation of how many items a record has",
        ),
        ParamSpec::with_default(
            "correlation",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0",
            "0 for items that are independent given the size, up to 1 for items that only occur \
                together with others of their theme",
        ),
        ParamSpec::with_default(
            "key",
            ParamKind::Flag,
            "false",
            "begin every line with a key: the letter r and the number of the record",
        ),
        ParamSpec::with_default(
            "utilities_seed",
            ParamKind::Integer { min: 0, max: i64::MAX },
            "1",
            "seed of what items are worth, in the file that goes with the data",
        ),
    ],
    doc: "\
A record per line, its items as ascending numbers with blanks between them, no header; a blank \
line is a record without items. Items are
numbered from 1 by falling frequency.

| parameter | preset=synthetic | preset=targeting |
|---|---|---|
| items | 1000 | 1987 |
| highest | 0.5 | 0.125 |
| lowest | 0.001 | 0.001 |
| mean | 40 | 40 |
| deviation | 24 | 24 |

The paper gives these numbers for its synthetic data, and of its targeting data the number of \
items; the rest of that preset is ours.

Frequencies fall along the logarithm of the rank: item r of d has lowest + (highest - lowest) (1 - \
ln r / ln d)^p. With p = 1 that is the
logarithmic curve through both ends, whose sum isn't the mean in general (73 instead of 40 for the \
synthetic data), so p is chosen such
that it is. The paper draws its curve without a formula.

Sizes: every record has an activity w, and item i with the probability w f(i). Activities have \
mean 1, lie between 0 and 1 / highest, so
that no probability exceeds 1, and are the most even (of largest entropy) with the variance that \
gives sizes their deviation. A deviation
that no activity gives is refused, with those that are possible.

Exact but for the rounding of probabilities to 32 bits: every item's frequency, the mean and the \
standard deviation of sizes, as
expectations. Not prescribed: the form of the distribution of sizes, and with it how often a \
record is empty.

Correlation c: items belong to themes, item r to theme r modulo the number of themes, which is 64 \
or, with fewer than 512 items, an eighth
of them. A quarter of all themes, drawn for each record, is active. An item is 1 + 3 c times as \
probable where its theme is active and
1 - c times where it isn't: two items of a theme are in a record together 1 + 3 c^2 times as often \
as two of different themes. An item so
frequent that its probability would exceed 1 gets what is left, less above and less below; \
frequencies, mean and deviation stay exact.

With the data goes longtail_utilities.csv: what each item is worth, uniform in 1 to 100 in steps \
of 0.01.",
    ..Info::DEFAULT
};

impl Generator for Longtail {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn check(&self, params: &Params) -> Result<()> {
        shape_of(params).map(drop)
    }

    fn columns(&self, _params: &Params) -> Vec<String> {
        vec![]
    }

    fn block(&self, params: &Params, seed: u64, rows: Range<u64>, out: &mut Vec<u8>) -> Result<()> {
        let shape = shape_of(params)?;
        let mut draw = Draw::block(seed, &rows)?;
        let key = params.flag("key");
        for row in rows {
            let start = out.len();
            if key {
                out.extend_from_slice(format!("r{} ", row + 1).as_bytes());
            }
            record(&shape, &mut draw, out);
            // The blank after the last item, or after the key.
            if out.len() > start {
                out.pop();
            }
            out.push(b'\n');
        }
        Ok(())
    }

    fn companions(&self, params: &Params) -> Vec<(String, String)> {
        let Ok(facts) = Facts::of(params) else { return vec![] };
        let mut draw = Draw::shared(u64::try_from(params.integer("utilities_seed")).unwrap_or(0));
        let mut text = String::from("item,utility\n");
        for item in 1..=facts.items {
            let hundredths = draw.between(100, 10_000);
            text += &format!("{item},{}.{:02}\n", hundredths / 100, hundredths % 100);
        }
        vec![("longtail_utilities.csv".into(), text)]
    }
}

/// Append the items of a record, each with a blank after it.
#[inline]
fn record(shape: &Shape, draw: &mut Draw, out: &mut Vec<u8>) {
    let activity = shape.activity(draw.word());
    // Of 64 themes each is active where two fair bits are 1.
    let active = if shape.themes > 1 { draw.wide() & draw.wide() } else { 0 };
    for (group, factor) in shape.groups.iter().zip(shape.factors(activity)) {
        let mut at = group.items.start;
        loop {
            // How many candidates fail before the next one that doesn't: geometric, by inversion.
            let skipped = math::ln_of_word(draw.word()) * factor;
            if skipped >= (group.items.end - at) as f64 {
                break;
            }
            at += skipped as usize;
            let item = &shape.items[at];
            let in_theme = active >> item.theme & 1;
            if u64::from(draw.word()) < item.accepted[in_theme as usize] {
                out.extend_from_slice(&item.text);
                out.truncate(out.len() - item.text.len() + usize::from(item.length));
            }
            at += 1;
        }
    }
}

/// The shape of the last parameters: the blocks of one run all ask for the same.
static LAST: Mutex<Option<(Params, Arc<Shape>)>> = Mutex::new(None);

fn shape_of(params: &Params) -> Result<Arc<Shape>> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, shape)) = &*last
        && known == params
    {
        return Ok(shape.clone());
    }
    let shape = Arc::new(Shape::new(&Facts::of(params)?)?);
    *last = Some((params.clone(), shape.clone()));
    Ok(shape)
}

#[cfg(test)]
mod tests;
