//! Tables inside workbooks and databases.

use sfumato_core::observer::Unobserved;
use sfumato_io::{ReadOptions, read, select_all};

fn cells(path: &str) -> Vec<Vec<String>> {
    let raw = read(path, &ReadOptions::default(), &mut select_all, &Unobserved).unwrap();
    let row = |row: usize| {
        let cell = |column: &sfumato_core::column::RawColumn| {
            column.values.get(column.codes.get(row)).to_string()
        };
        raw.columns.iter().map(cell).collect()
    };
    std::iter::once(raw.header.clone()).chain((0..raw.n_rows).map(row)).collect()
}

fn fault(path: &str) -> (String, Option<String>) {
    let error = read(path, &ReadOptions::default(), &mut select_all, &Unobserved).unwrap_err();
    (error.message, error.hint.map(String::from))
}

#[test]
fn a_sheet_of_a_workbook_is_a_table() {
    let book = format!("{}/tests/io/fixtures/book.xlsx", env!("CARGO_MANIFEST_DIR"));
    let expected = [
        ["name", "born", "age", "zip"],
        ["Ada, of Rome", "2024-01-01", "36", "10115.5"],
        ["Bob \"B\"", "2000-01-01", "", "8"],
    ];
    assert_eq!(cells(&format!("{book}#people")), expected);
    assert_eq!(cells(&format!("{book}#notes")), [["note"], ["hello"]]);
    let (message, hint) = fault(&book);
    assert_eq!(message, "there are 2 sheets in it");
    assert!(hint.unwrap().contains("people, notes"));
    assert_eq!(fault(&format!("{book}#other")).0, "there is no sheet 'other'");
    let raw =
        read(&format!("{book}#people"), &ReadOptions::default(), &mut select_all, &Unobserved);
    let source = raw.unwrap().source;
    let bytes = std::fs::read(&book).unwrap();
    assert_eq!((source.format.as_str(), source.bytes), ("workbook", bytes.len() as u64));
    assert_eq!(source.sha256, sfumato_io::sha256_hex(&bytes));
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.xlsx");
    std::fs::write(&broken, &bytes[..bytes.len() / 2]).unwrap();
    assert!(fault(broken.to_str().unwrap()).0.starts_with("this workbook can't be read"));
}

#[test]
fn a_table_of_a_database_is_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clinic.sqlite").display().to_string();
    let database = rusqlite::Connection::open(&path).unwrap();
    database
        .execute_batch(
            "create table people (name text, age integer, pay real);
             insert into people values ('Ada, L.', 36, 1.5), ('Bob', null, 2.0), ('', 7, -3);",
        )
        .unwrap();
    let expected =
        [["name", "age", "pay"], ["Ada, L.", "36", "1.5"], ["Bob", "", "2"], ["", "7", "-3"]];
    assert_eq!(cells(&path), expected);
    let other = "create table other (x blob); insert into other values (x'ff')";
    database.execute_batch(other).unwrap();
    assert_eq!(fault(&path).0, "there are 2 tables in it");
    assert_eq!(cells(&format!("{path}#people")), expected);
    let asked = format!("{path}#select name, age + 1 as next from people where age > 10");
    assert_eq!(cells(&asked), [["name", "next"], ["Ada, L.", "37"]]);
    assert_eq!(fault(&format!("{path}#other")).0, "row 1 of column 'x' is no text");
    // A star in a query is no pattern of file names.
    assert_eq!(cells(&format!("{path}#select * from people")), expected);
    // It is opened for reading only.
    let changing = format!("{path}#select 1; drop table people");
    let _ = read(&changing, &ReadOptions::default(), &mut select_all, &Unobserved);
    assert_eq!(cells(&format!("{path}#people")), expected);
    std::fs::write(folder.path().join("bad.sqlite"), "no database").unwrap();
    let bad = folder.path().join("bad.sqlite").display().to_string();
    assert!(fault(&bad).0.starts_with("this database can't be read"));
}

#[test]
fn a_database_of_duckdb_is_refused_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["clinic.duckdb", "clinic.db"] {
        let path = folder.path().join(name).display().to_string();
        std::fs::write(&path, b"\x01\x02\x03\x04\x05\x06\x07\x08DUCK....").unwrap();
        let (message, hint) = fault(&path);
        assert!(message.starts_with("databases of DuckDB aren't read"), "{message}");
        assert!(hint.unwrap().contains("copy people to 'people.parquet'"));
    }
    let nowhere = folder.path().join("no.duckdb").display().to_string();
    assert_eq!(fault(&nowhere).0, "no such file");
}
