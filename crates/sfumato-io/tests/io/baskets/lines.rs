//! Lines with one record each.

use std::io::Write;

use sfumato_io::{BasketLayout, BasketOptions, Separator};

use super::{named, read_named, small_blocks};

const COMMA: BasketLayout = BasketLayout::Lines { separator: Separator::Char(','), key: false };

fn fimi(text: &str) -> sfumato_io::ReadBaskets {
    let whole =
        read_named("a.dat", text.as_bytes(), &BasketLayout::FIMI, &BasketOptions::default())
            .unwrap();
    for block in [1, 4, 9] {
        let parts = read_named("a.dat", text.as_bytes(), &BasketLayout::FIMI, &small_blocks(block))
            .unwrap();
        assert_eq!(
            (&parts.names, &parts.sets),
            (&whole.names, &whole.sets),
            "{text:?} in blocks of {block}"
        );
        assert_eq!((parts.repeated, parts.missing), (whole.repeated, whole.missing));
        assert_eq!(parts.source.sha256, whole.source.sha256);
    }
    whole
}

#[test]
fn numbers_are_ordered_by_size() {
    let read = fimi("10 9 100\n\n9\t7  10 9 \n  \n65535 65536");
    assert_eq!(read.names, ["7", "9", "10", "100", "65535", "65536"]);
    let expected: [&[&str]; 5] =
        [&["9", "10", "100"], &[], &["7", "9", "10"], &[], &["65535", "65536"]];
    assert_eq!(named(&read), expected);
    assert_eq!((read.repeated, read.missing, read.source.bytes), (1, 0, 35));
    assert_eq!(read.release_layout, BasketLayout::FIMI);
}

#[test]
fn names_are_ordered_by_bytes() {
    let read = fimi("b 10 a\n9 é b\n");
    assert_eq!(read.names, ["10", "9", "a", "b", "é"]);
    assert_eq!(named(&read), [vec!["10", "a", "b"], vec!["9", "b", "é"]]);
    // A leading zero is part of a name, and so is a number too large to be one.
    assert_eq!(fimi("01 1\n").names, ["01", "1"]);
    assert_eq!(fimi("99999999999999999999 7").names, ["7", "99999999999999999999"]);
    assert_eq!(fimi("-1 5 +3\n").names, ["+3", "-1", "5"]);
}

#[test]
fn ends_of_lines_and_files() {
    for text in ["1 2\n3\n", "1 2\n3", "1 2\r\n3\r\n", "1 2 \r\n3\r\n", "\u{feff}1 2\n3\n"] {
        assert_eq!(named(&fimi(text)), [vec!["1", "2"], vec!["3"]], "{text:?}");
    }
    assert!(fimi("1\r\n\r\n").source.crlf && !fimi("1\n").source.crlf);
    assert_eq!(named(&fimi("1\n\n")), [vec!["1"], vec![]]);
    assert_eq!(fimi("").sets.len(), 0);
    assert_eq!(named(&fimi("\n")), [Vec::<&str>::new()]);
}

#[test]
fn compressed_files_are_read_and_hashed_as_they_are() {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(b"3 1\n2\n").unwrap();
    let packed = gz.finish().unwrap();
    let read =
        read_named("a.dat.gz", &packed, &BasketLayout::FIMI, &BasketOptions::default()).unwrap();
    assert_eq!(named(&read), [vec!["1", "3"], vec!["2"]]);
    assert_eq!(read.source.bytes, packed.len() as u64);
    assert_eq!((read.source.sha256.len(), read.source.compression.as_deref()), (64, Some("gzip")));
}

#[test]
fn names_between_separators() {
    let read = read_named("a.csv", b"whole milk, beer\r\n\r\nbeer , x\n", &COMMA, &small_blocks(7))
        .unwrap();
    assert_eq!(named(&read), [vec!["beer", "whole milk"], vec![], vec!["beer", "x"]]);
    let numbers =
        read_named("a.csv", b"3, 1,2\n\n2 ,3\n", &COMMA, &BasketOptions::default()).unwrap();
    assert_eq!(named(&numbers), [vec!["1", "2", "3"], vec![], vec!["2", "3"]]);
    let tabs = BasketLayout::Lines { separator: Separator::Char('\t'), key: false };
    let read = read_named("a.tsv", b"a b\tc \n1\t2\n", &tabs, &BasketOptions::default()).unwrap();
    assert_eq!(read.names, ["1", "2", "a b", "c "]);
    let wide = BasketLayout::Lines { separator: Separator::Char('→'), key: false };
    let read = read_named("a", "a→b\nc→ d\n".as_bytes(), &wide, &BasketOptions::default()).unwrap();
    assert_eq!(named(&read), [vec!["a", "b"], vec!["c", "d"]]);
}

#[test]
fn missing_texts_are_no_items() {
    let options = BasketOptions { missing: vec!["?".into(), "99".into()], ..small_blocks(6) };
    let read = read_named("a", b"1 ? 2\n99\n3 99\n", &BasketLayout::FIMI, &options).unwrap();
    assert_eq!(named(&read), [vec!["1", "2"], vec![], vec!["3"]]);
    assert_eq!(read.missing, 3);
    assert_eq!(read.names, ["1", "2", "3"]);
}

#[test]
fn keys_are_kept_only_if_asked_for() {
    let blank = BasketLayout::Lines { separator: Separator::Blank, key: true };
    let comma = BasketLayout::Lines { separator: Separator::Char(','), key: true };
    let cases: [(&BasketLayout, &[u8]); 6] = [
        (&blank, b"u1 3 1\nu2\n7  2\n"),
        (&blank, b"u1 3 1\r\nu2\r\n7  2\r\n"),
        (&blank, b" u1\t3 1\nu2 \n7 2"),
        (&comma, b"u1,3,1\nu2\n7,2\n"),
        (&comma, b"u1 , 3,1\nu2,\n7,2\n"),
        (&comma, b"u1,3,1\nu2, \r\n7,2\r\n"),
    ];
    for (layout, text) in cases {
        for block in [5, 1000] {
            let options = BasketOptions { keep_keys: true, ..small_blocks(block) };
            let read = read_named("a", text, layout, &options).unwrap();
            assert_eq!(named(&read), [vec!["1", "3"], vec![], vec!["2"]]);
            assert_eq!(read.keys.unwrap().iter().collect::<Vec<_>>(), ["u1", "u2", "7"]);
        }
        let read = read_named("a", text, layout, &BasketOptions::default()).unwrap();
        assert!(read.keys.is_none());
        assert!(matches!(read.release_layout, BasketLayout::Lines { key: false, .. }));
    }
}

#[test]
fn mistakes_have_a_place() {
    let message = |text: &[u8], layout: &BasketLayout| {
        let whole =
            read_named("a.txt", text, layout, &BasketOptions::default()).unwrap_err().to_string();
        let parts = read_named("a.txt", text, layout, &small_blocks(3)).unwrap_err().to_string();
        assert_eq!(whole, parts);
        whole
    };
    assert_eq!(message(b"a,b\nc,,d\n", &COMMA), "a.txt:2:3: there is an item without a name");
    assert_eq!(message(b"1,2\n3,\n", &COMMA), "a.txt:2:3: there is an item without a name");
    assert_eq!(message(b"1,2\n,3\n", &COMMA), "a.txt:2:1: there is an item without a name");
    assert_eq!(
        message(b"1\n\"a,b\",c\n", &COMMA),
        "a.txt:2:1: a name begins with a quote, which lines of items can't have"
    );
    assert_eq!(message(b"1 2\n3 \xff\n", &BasketLayout::FIMI), "a.txt:2:3: byte 0xff isn't UTF-8");
    assert_eq!(
        message(b"1 2\n3 \0\n", &BasketLayout::FIMI),
        "a.txt:2:3: there is a NUL byte in the text"
    );
    assert_eq!(
        message(b"1 2\r3 4\n", &BasketLayout::FIMI),
        "a.txt:1:4: there is a carriage return inside a line"
    );
    let keyed = BasketLayout::Lines { separator: Separator::Blank, key: true };
    assert_eq!(message(b"a 1\n\n", &keyed), "a.txt:2:1: this line has no key");
    let mut options = small_blocks(4);
    options.file.max_record_bytes = 20;
    let error = read_named("a", &b"1 ".repeat(40), &BasketLayout::FIMI, &options).unwrap_err();
    assert!(error.to_string().starts_with("a:1: a record is longer than 20 bytes"), "{error}");
    let parquet =
        read_named("a", b"PAR1\x15\0\x15", &BasketLayout::FIMI, &BasketOptions::default())
            .unwrap_err();
    assert_eq!(parquet.to_string(), "a: this is a parquet file, not lines of text");
}
