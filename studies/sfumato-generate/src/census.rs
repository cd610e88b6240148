//! Census-like rows: few or many values per column, skewed, and correlated through one hidden
//! factor.
//!
//! This file draws and prints; the columns with their words and trees are in `domains`.

use std::ops::Range;

use sfumato_core::Result;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};

use crate::draw::Draw;
use crate::text::{Line, Text};
use crate::{Generator, levels};

mod domains;

use domains::{Domain, Values};

/// See [`Info::doc`].
pub struct Census;

static INFO: Info = Info {
    name: "census",
    summary: "skewed, correlated census-like columns, with few or many distinct rows, and their \
        hierarchies",
    papers: &[],
    params: &[
        ParamSpec::with_default(
            "setting",
            ParamKind::Choice(&["dense", "sparse"]),
            "dense",
            "dense: small domains, rows repeat; sparse: wide domains, nearly all rows differ",
        ),
        ParamSpec::with_default(
            "columns",
            ParamKind::Integer { min: 1, max: 24 },
            "9",
            "number of columns; after the ninth the pattern repeats with new names",
        ),
        ParamSpec::with_default(
            "shared",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0.45",
            "share of the cells that follow the row's hidden factor instead of chance",
        ),
    ],
    doc: "\
Every row has a hidden factor z, uniform in [0, 1). A cell takes u = z with probability `shared` and
otherwise its own uniform u, and prints value number floor(d * u^p) of its column's d values, \
where p is the
column's skew. So value number i has the probability ((i+1)/d)^(1/p) - (i/d)^(1/p) whatever \
`shared` is, and
any two cells of a row follow the same factor with probability `shared`^2.

| dense | d | p | | sparse | d | p |
|---|---|---|---|---|---|---|
| age (17 to 90) | 74 | 1.5 | | age (17 to 90) | 74 | 1.5 |
| workclass | 8 | 6 | | zip | 10,000 | 1.5 |
| education | 16 | 2 | | education | 16 | 2 |
| marital | 7 | 2.5 | | income (steps of 500) | 1,000 | 2 |
| occupation | 14 | 1.5 | | occupation (codes) | 500 | 1.5 |
| relationship | 6 | 2 | | hours (1 to 99) | 99 | 1.5 |
| race | 5 | 8 | | race | 5 | 8 |
| sex | 2 | 1 | | sex | 2 | 1 |
| country | 41 | 16 | | birthplace (codes) | 200 | 3 |

From the tenth column on the same columns follow again as age_2, ..., then as age_3, ... A \
hierarchy file goes
with every column. Of 200,000 rows about 79 % are distinct in the dense setting and 99.98 % in the \
sparse one;
of 2,000,000 about 57 % and 99.9 %. The values are words in the style of a census; no distribution \
is that of a
real country.",
    ..Info::DEFAULT
};

impl Generator for Census {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn columns(&self, params: &Params) -> Vec<String> {
        chosen(params).into_iter().map(|(name, _)| name).collect()
    }

    fn block(&self, params: &Params, seed: u64, rows: Range<u64>, out: &mut Vec<u8>) -> Result<()> {
        let columns: Vec<Column> =
            chosen(params).iter().map(|(_, domain)| Column::new(domain)).collect();
        let shared = params.number("shared");
        // Where all cells follow the factor, no cell uses its own draw and the scale is never used.
        let scale = if shared < 1.0 { 1.0 / (1.0 - shared) } else { 0.0 };
        let mut draw = Draw::block(seed, &rows)?;
        let mut line = Line::new();
        for _ in rows {
            let factor = draw.unit();
            for column in &columns {
                // One draw decides and, stretched back over [0, 1), is the cell's own value: given
                // that it is at least `shared`, it is still uniform.
                let own = draw.unit();
                let u = if own < shared { factor } else { (own - shared) * scale };
                column.print(u, &mut line);
            }
            line.finish(out);
        }
        Ok(())
    }

    fn companions(&self, params: &Params) -> Vec<(String, String)> {
        let file = |(name, domain): (String, &Domain)| {
            let text =
                levels::file((0..domain.values.len()).map(|code| domain.values.ancestors(code)));
            (format!("census_hierarchy_{name}.csv"), text)
        };
        chosen(params).into_iter().map(file).collect()
    }
}

/// The columns asked for, with their names.
fn chosen(params: &Params) -> Vec<(String, &'static Domain)> {
    let pattern =
        if params.text("setting") == Some("sparse") { &domains::SPARSE } else { &domains::DENSE };
    let count = usize::try_from(params.integer("columns")).unwrap_or(pattern.len());
    (0..count)
        .map(|i| {
            let domain = &pattern[i % pattern.len()];
            match i / pattern.len() {
                0 => (domain.name.to_string(), domain),
                round => (format!("{}_{}", domain.name, round + 1), domain),
            }
        })
        .collect()
}

/// A column made ready for a block.
struct Column {
    size: u32,
    skew: Skew,
    cells: Cells,
}

/// u^p from multiplications and a root, which are exact to the last bit on every machine.
#[derive(Clone, Copy)]
struct Skew {
    root: bool,
    times: u8,
}

impl Skew {
    #[inline]
    fn apply(self, u: f64) -> f64 {
        let mut power = if self.root { u.sqrt() } else { 1.0 };
        let (mut square, mut times) = (u, self.times);
        while times > 0 {
            if !times.is_multiple_of(2) {
                power *= square;
            }
            square *= square;
            times /= 2;
        }
        power
    }
}

/// How a value number is printed: by table, or computed where a table would be large.
enum Cells {
    Texts(Vec<Text>),
    Zip,
    Steps { low: u32, step: u32 },
    Codes(u8),
}

impl Column {
    fn new(domain: &Domain) -> Self {
        let cells = match domain.values {
            Values::Words(words) => Cells::Texts(Text::all(words.iter().map(|(word, ..)| *word))),
            Values::Numbers { low, step, .. } => Cells::Steps { low, step },
            Values::Zip => Cells::Zip,
            Values::Codes { letter, .. } => Cells::Codes(letter),
        };
        let skew =
            Skew { root: !domain.half_powers.is_multiple_of(2), times: domain.half_powers / 2 };
        Column { size: domain.values.len(), skew, cells }
    }

    #[inline]
    fn print(&self, u: f64, line: &mut Line) {
        let power = self.skew.apply(u);
        // Rounding may lift the product to the size itself.
        let code = ((power * f64::from(self.size)) as u32).min(self.size - 1);
        match &self.cells {
            Cells::Texts(texts) => line.text(&texts[code as usize]),
            Cells::Steps { low, step } => line.number(low + step * code),
            Cells::Zip => line.five(domains::zip(code)),
            Cells::Codes(letter) => line.tagged(*letter, u64::from(code), 3),
        }
    }
}

#[cfg(test)]
mod tests;
