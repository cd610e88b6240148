//! Tables of many shapes, made up: narrow and wide, with few and with many values, with long texts,
//! people, dates and missing cells.

use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::Path;

/// One shape of a table, and the job that is run with it.
pub struct Shape {
    /// Its name, which is that of its file.
    pub name: &'static str,
    /// Rows at full size.
    pub rows: u64,
    /// The names of its columns.
    pub header: fn() -> String,
    /// Writes the cells of a row.
    pub row: fn(&mut String, u64, &mut Random),
    /// What the columns are, as flags.
    pub flags: fn() -> String,
}

/// Random numbers that are the same each time: a linear congruential generator.
pub struct Random(u64);

impl Random {
    /// A number below another.
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    /// A number between 0 and 1 with all the digits of a double.
    fn double(&mut self) -> f64 {
        let bits = self.below(1 << 26) << 26 | self.below(1 << 26);
        bits as f64 / (1u64 << 52) as f64
    }
}

/// Columns of a wide table.
const WIDE: u64 = 60;

fn wide() -> String {
    (0..WIDE).map(|column| format!("q{column}")).collect::<Vec<_>>().join(",")
}

/// Write cells without a line's end. A `String` takes everything.
macro_rules! put {
    ($out:ident, $($argument:tt)*) => { let _ = write!($out, $($argument)*); };
}

/// The shapes.
pub const SHAPES: [Shape; 13] = [
    Shape {
        name: "narrow",
        rows: 5_000_000,
        header: || "a,b,s".into(),
        row: |out, _, random| {
            put!(out, "{},{},{}", random.below(90), random.below(5000), random.below(20));
        },
        flags: || "--qi a,b --sensitive s".into(),
    },
    Shape {
        name: "wide",
        rows: 700_000,
        header: wide,
        row: |out, _, random| {
            for column in 0..WIDE {
                put!(out, "{}{}", if column > 0 { "," } else { "" }, random.below(1000));
            }
        },
        flags: || format!("--qi {}", wide()),
    },
    Shape {
        name: "wide-few-values",
        rows: 700_000,
        header: wide,
        row: |out, _, random| {
            for column in 0..WIDE {
                put!(out, "{}{}", if column > 0 { "," } else { "" }, random.below(8));
            }
        },
        flags: || format!("--qi {}", wide()),
    },
    Shape {
        name: "many-integers",
        rows: 3_000_000,
        header: || "a,b,c".into(),
        row: |out, _, random| {
            let n = 1_000_000_000;
            put!(out, "{},{},{}", random.below(n), random.below(n), random.below(n));
        },
        flags: || "--qi a,b,c".into(),
    },
    Shape {
        name: "doubles",
        rows: 3_000_000,
        header: || "a,b,s".into(),
        row: |out, _, random| {
            put!(out, "{},{:e},{}", 1e3 * random.double(), random.double(), random.below(20));
        },
        flags: || "--qi a,b --sensitive s".into(),
    },
    Shape {
        name: "codes-with-a-hierarchy",
        rows: 3_000_000,
        header: || "zip,age,s".into(),
        row: |out, _, random| {
            put!(out, "{:05},{},{}", random.below(20_000), random.below(90), random.below(20));
        },
        flags: || "--qi zip,age --hierarchy zip=mask(from=right) --sensitive s".into(),
    },
    Shape {
        name: "kept-texts",
        rows: 5_000_000,
        header: || "a,b,note".into(),
        row: |out, row, random| {
            put!(out, "{},{},note {row}", random.below(90), random.below(5000));
        },
        flags: || "--qi a,b --keep note --accept note".into(),
    },
    Shape {
        name: "long-texts",
        rows: 200_000,
        header: || "a,b,note".into(),
        row: |out, row, random| {
            put!(out, "{},{},", random.below(90), random.below(5000));
            for word in 0..60 {
                put!(out, "{}{} ", row % 977, word * row % 89);
            }
            put!(out, "{row}");
        },
        flags: || "--qi a,b --keep note --accept note".into(),
    },
    Shape {
        name: "people-by-number",
        rows: 5_000_000,
        header: || "p,a,b,s".into(),
        row: |out, row, random| {
            let person = random.below(row / 2 + 1000);
            let (a, b, s) = (random.below(90), random.below(5000), random.below(20));
            put!(out, "{person},{a},{b},{s}");
        },
        flags: || "--subject p --qi a,b --sensitive s".into(),
    },
    Shape {
        name: "people-by-name",
        rows: 5_000_000,
        header: || "p,a,b,s".into(),
        row: |out, row, random| {
            let person = random.below(row + 1000);
            let (a, b, s) = (random.below(90), random.below(5000), random.below(20));
            put!(out, "person {person},{a},{b},{s}");
        },
        flags: || "--subject p --qi a,b --sensitive s".into(),
    },
    Shape {
        name: "sensitive-texts",
        rows: 3_000_000,
        header: || "a,b,s".into(),
        row: |out, row, random| {
            put!(out, "{},{},case {row}", random.below(90), random.below(5000));
        },
        flags: || "--qi a,b --sensitive s --accept s".into(),
    },
    Shape {
        name: "missing",
        rows: 5_000_000,
        header: || "a,b,c,s".into(),
        row: |out, _, random| {
            for n in [90, 5000, 1_000_000] {
                if random.below(10) >= 6 {
                    put!(out, "{}", random.below(n));
                }
                out.push(',');
            }
            put!(out, "{}", random.below(20));
        },
        flags: || "--qi a,b,c --sensitive s".into(),
    },
    Shape {
        name: "dates-and-decimals",
        rows: 3_000_000,
        header: || "day,price,s".into(),
        row: |out, _, random| {
            let (y, m, d) = (1940 + random.below(80), 1 + random.below(12), 1 + random.below(28));
            let (whole, cents, s) = (random.below(5000), random.below(100), random.below(20));
            put!(out, "{y}-{m:02}-{d:02},{whole}.{cents:02},{s}");
        },
        flags: || "--qi day,price --sensitive s".into(),
    },
];

impl Shape {
    /// Write the first so many rows as CSV.
    pub fn write(&self, path: &Path, rows: u64) -> std::io::Result<()> {
        let mut file = BufWriter::new(std::fs::File::create(path)?);
        writeln!(file, "{}", (self.header)())?;
        let mut random = Random(1);
        let mut line = String::new();
        for row in 0..rows {
            line.clear();
            (self.row)(&mut line, row, &mut random);
            line.push('\n');
            file.write_all(line.as_bytes())?;
        }
        file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_the_cells_of_its_header() {
        for shape in &SHAPES {
            let mut random = Random(1);
            let columns = (shape.header)().split(',').count();
            for row in 0..50 {
                let mut line = String::new();
                (shape.row)(&mut line, row, &mut random);
                assert_eq!(line.split(',').count(), columns, "{}: {line}", shape.name);
            }
        }
    }
}
