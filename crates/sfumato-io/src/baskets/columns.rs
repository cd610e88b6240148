//! Selects columns of a table by name.

use sfumato_core::{Error, FastSet, Result};

/// Select the wanted columns. A column that doesn't exist, and one that is neither wanted nor
/// dropped, are errors.
pub(crate) fn select<'a>(
    header: &[String],
    wanted: impl IntoIterator<Item = &'a str>,
    dropped: &[String],
) -> Result<Vec<bool>> {
    let wanted: FastSet<&str> = wanted.into_iter().collect();
    check_dropped(header, dropped)?;
    let known: FastSet<&str> = header.iter().map(String::as_str).collect();
    let mut unknown: Vec<&str> =
        wanted.iter().copied().filter(|name| !known.contains(name)).collect();
    unknown.sort_unstable();
    if let Some(name) = unknown.first() {
        return Err(no_such_column(name, header));
    }
    for name in header {
        if !wanted.contains(name.as_str()) && !dropped.contains(name) {
            return Err(Error::input(format!("nothing is said about column '{name}'"))
                .hint("name it as an item, as the key or as dropped"));
        }
    }
    Ok(header.iter().map(|name| wanted.contains(name.as_str())).collect())
}

/// Refuse to drop a column that doesn't exist.
pub(crate) fn check_dropped(header: &[String], dropped: &[String]) -> Result<()> {
    match dropped.iter().find(|name| !header.contains(name)) {
        Some(name) => Err(no_such_column(name, header)),
        None => Ok(()),
    }
}

/// The error for a column that doesn't exist. It lists those that do.
pub(crate) fn no_such_column(name: &str, header: &[String]) -> Error {
    const SHOWN: usize = 20;
    let mut known = header[..header.len().min(SHOWN)].join(", ");
    if header.len() > SHOWN {
        known += &format!(" and {} more", header.len() - SHOWN);
    }
    Error::params(format!("there is no column '{name}'")).hint(format!("the columns are {known}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_purpose() {
        let header = ["id", "item", "time"].map(str::to_owned);
        let time = ["time".to_owned()];
        assert_eq!(select(&header, ["id", "item"], &time).unwrap(), [true, true, false]);
        let error = select(&header, ["id", "item"], &[]).unwrap_err();
        assert_eq!(error.message, "nothing is said about column 'time'");
        let error = select(&header, ["id", "thing"], &time).unwrap_err();
        assert_eq!(error.message, "there is no column 'thing'");
        assert_eq!(error.hint.as_deref(), Some("the columns are id, item, time"));
        assert!(select(&header, ["id", "item", "time"], &["x".to_owned()]).is_err());
    }
}
