//! Logs of queries: one row for each query of each user. The queries of a user become one record,
//! the set of their terms.

use rayon::prelude::*;
use sfumato_core::column::RawTable;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastSet, Result};

use crate::baskets::long::{RECORDS, piece, records_of};
use crate::baskets::pieces::{Piece, Pieces};
use crate::baskets::{BasketLayout, BasketOptions, ReadBaskets, columns};
use crate::scan;

/// The normal form of a query: lower case, with one space between words and none around them. Two
/// queries are the same if their normal forms are.
pub fn normal_query(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.extend(word.chars().flat_map(char::to_lowercase));
    }
    normal
}

/// The terms of a query in its normal form: its words without punctuation around them. A word of
/// punctuation alone is none.
pub fn terms_of(normal: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| !c.is_alphanumeric();
    normal.split(' ').map(move |word| word.trim_matches(is_mark)).filter(|word| !word.is_empty())
}

/// Read a log of queries as sets of terms.
pub(crate) fn read(
    path: &str,
    user: &str,
    query: &str,
    options: &BasketOptions,
    observer: &dyn Observer,
) -> Result<ReadBaskets> {
    let mut select = |header: &[String]| columns::select(header, [user, query], &options.dropped);
    let read = scan::read(path, &options.file, &mut select, observer)
        .and_then(|table| of_table(table, user, query, options));
    read.map_err(|mut error| {
        error.place.file.get_or_insert_with(|| crate::input::display_name(path).to_owned());
        error
    })
}

fn of_table(
    table: RawTable,
    user: &str,
    query: &str,
    options: &BasketOptions,
) -> Result<ReadBaskets> {
    let missing: FastSet<&str> = options.missing.iter().map(String::as_str).chain([""]).collect();
    let column = |name: &str| {
        table.column(name).ok_or_else(|| Error::internal(format!("column '{name}' wasn't read")))
    };
    let (users, queries) = (column(user)?, column(query)?);
    let (record_of, n_records) = records_of(users, &missing, None)?;
    let mut pieces = Pieces::new();
    // The terms of each different query, in one list.
    let (mut terms, mut term_ends) = (Vec::new(), vec![0usize]);
    for (code, text) in (0..).zip(queries.values.iter()) {
        if queries.null != Some(code) && !missing.contains(text) {
            for term in terms_of(&normal_query(text)) {
                terms.push(pieces.item(term)?);
            }
        }
        term_ends.push(terms.len());
    }
    let terms_of_code = |code: u32| &terms[term_ends[code as usize]..term_ends[code as usize + 1]];
    let rows = || users.codes.iter().map(|id| record_of[id as usize]).zip(queries.codes.iter());
    let mut ends = vec![0u64; n_records + 1];
    let mut absent = 0;
    for (record, code) in rows() {
        let n = terms_of_code(code).len() as u64;
        absent += u64::from(n == 0);
        ends[record as usize + 1] += n;
    }
    for i in 0..n_records {
        ends[i + 1] += ends[i];
    }
    let mut sorted = vec![0u32; ends[n_records] as usize];
    let mut next = ends.clone();
    for (record, code) in rows() {
        for term in terms_of_code(code) {
            sorted[next[record as usize] as usize] = *term;
            next[record as usize] += 1;
        }
    }
    drop(next);
    let found: Vec<Piece> = (0..n_records)
        .into_par_iter()
        .step_by(RECORDS)
        .map(|first| piece(first..(first + RECORDS).min(n_records), &ends, &sorted))
        .collect();
    found.into_iter().try_for_each(|piece| pieces.add(piece))?;
    let joined = pieces.finish()?;
    let keys = options.keep_keys.then(|| {
        let mut first = vec![None; n_records];
        for (code, record) in (0..).zip(&record_of) {
            first[*record as usize].get_or_insert(code);
        }
        first.iter().flatten().map(|code| users.values.get(*code)).collect()
    });
    Ok(ReadBaskets {
        names: joined.names,
        sets: joined.sets,
        keys,
        utilities: None,
        repeated: joined.repeated,
        missing: absent,
        numeric: false,
        release_layout: BasketLayout::FIMI,
        source: table.source,
    })
}

#[cfg(test)]
mod tests {
    use sfumato_core::observer::Unobserved;

    use super::*;
    use crate::read_baskets;

    #[test]
    fn queries_have_a_normal_form_and_terms() {
        assert_eq!(normal_query("  Landscapers in\tLilburn, GA "), "landscapers in lilburn, ga");
        let terms =
            |text: &str| terms_of(&normal_query(text)).map(String::from).collect::<Vec<_>>();
        assert_eq!(terms("Lilburn, \"GA\" - www.x.com!"), ["lilburn", "ga", "www.x.com"]);
        assert!(terms(" -- ?").is_empty());
    }

    #[test]
    fn all_queries_of_a_user_are_one_record() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.tsv").display().to_string();
        let log = "AnonID\tQuery\tQueryTime\n7\tnumb Fingers\t1\n9\tdog\t2\n7\tdog that bites\t3\n\
                   8\t-\t4\n7\tfingers\t5\n";
        std::fs::write(&path, log).unwrap();
        let layout = BasketLayout::Queries { user: "AnonID".into(), query: "Query".into() };
        let options = BasketOptions {
            dropped: vec!["QueryTime".into()],
            keep_keys: true,
            ..BasketOptions::default()
        };
        let read = read_baskets(&path, &layout, &options, &Unobserved).unwrap();
        assert_eq!(read.names, ["bites", "dog", "fingers", "numb", "that"]);
        let sets: Vec<Vec<u32>> = (0..read.sets.len()).map(|i| read.sets.set(i)).collect();
        assert_eq!(sets, [vec![0, 1, 2, 3, 4], vec![1], vec![]]);
        assert_eq!((read.repeated, read.missing), (1, 1));
        let keys = read.keys.unwrap();
        assert_eq!(keys.iter().collect::<Vec<_>>(), ["7", "9", "8"]);
        assert_eq!(read.release_layout, BasketLayout::FIMI);
        // A column that nobody speaks of is refused.
        assert!(read_baskets(&path, &layout, &BasketOptions::default(), &Unobserved).is_err());
    }
}
