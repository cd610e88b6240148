//! A file that is read whole as text, and a table made of what it says.

use sfumato_core::column::{Codes, Provenance, RawColumn, RawTable};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use crate::forms::texts::Texts;

/// Read a file as text, compressed or not.
pub fn read(path: &str, observer: &dyn Observer) -> Result<(String, Provenance)> {
    let mut bytes = Vec::new();
    let mut each = |block: &[u8], _: u64| {
        bytes.extend_from_slice(block);
        Ok(())
    };
    let source = sfumato_io::scan_lines(path, &mut each, observer)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::input("this file isn't UTF-8").in_file(path))?;
    Ok((text, source))
}

/// Positions as rows of a table: who, x, y, when.
#[derive(Default)]
pub struct Rows {
    texts: [Texts; 4],
}

impl Rows {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.texts[0].codes.len()
    }

    /// Append a position.
    pub fn push(&mut self, id: &str, x: f64, y: f64, time: &str) {
        let cells = [id.to_string(), format!("{x}"), format!("{y}"), time.to_string()];
        self.texts.iter_mut().zip(cells).for_each(|(texts, cell)| texts.push(cell));
    }

    /// The table, with the names of its columns.
    pub fn table(self, names: [&str; 4], source: Provenance) -> RawTable {
        let n_rows = self.texts[0].codes.len();
        let column = |(texts, name): (Texts, &str)| RawColumn {
            name: name.to_string(),
            codes: Codes::from_iter(texts.values.len(), texts.codes.into_iter()),
            values: texts.values,
            null: None,
            native_type: None,
        };
        RawTable {
            columns: self.texts.into_iter().zip(names).map(column).collect(),
            n_rows,
            header: names.map(String::from).to_vec(),
            source,
        }
    }
}
