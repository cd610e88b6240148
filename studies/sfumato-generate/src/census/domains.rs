//! The columns of the census kind: their number of values, their skew, their texts and their trees.
//!
//! Words stand in order of falling frequency, because value number 0 is the most frequent one.

use crate::levels;

/// A column of a setting.
pub struct Domain {
    /// The column's name.
    pub name: &'static str,
    /// The skew's exponent times two.
    pub half_powers: u8,
    /// The values of the column.
    pub values: Values,
}

/// The values of a column, numbered from 0.
pub enum Values {
    /// Words, each with its group and its wider group.
    Words(&'static [(&'static str, &'static str, &'static str)]),
    /// `count` numbers from `low` in equal steps, generalized to bands of the given widths.
    Numbers {
        /// The first.
        low: u32,
        /// The distance between two.
        step: u32,
        /// The number of values.
        count: u32,
        /// Widths of the bands, each dividing the next.
        widths: &'static [u32],
    },
    /// Ten thousand five-digit codes, generalized by hiding digits from the right.
    Zip,
    /// A letter and three digits, generalized by hiding digits from the right.
    Codes {
        /// The letter.
        letter: u8,
        /// The number of values.
        count: u32,
    },
}

/// The zip code of a number below 10,000: spread so that every first digit from 1 occurs.
#[inline]
pub fn zip(code: u32) -> u32 {
    10_000 + 9 * code
}

impl Values {
    /// The number of values.
    #[allow(clippy::len_without_is_empty, reason = "a column without values makes no sense")]
    pub fn len(&self) -> u32 {
        match self {
            Values::Words(words) => words.len() as u32,
            Values::Numbers { count, .. } | Values::Codes { count, .. } => *count,
            Values::Zip => 10_000,
        }
    }

    /// A value as printed, and its ancestors below the root.
    pub fn ancestors(&self, code: u32) -> Vec<String> {
        match self {
            Values::Words(words) => match &words[code as usize] {
                // So few values that there is no group between them and the root.
                (word, "", _) => levels::named(&[word]),
                (word, group, "") => levels::named(&[word, group]),
                (word, group, wide) => levels::named(&[word, group, wide]),
            },
            Values::Numbers { low, step, widths, .. } => levels::bands(low + step * code, widths),
            Values::Zip => levels::masks(&format!("{:05}", zip(code)), 1),
            Values::Codes { letter, .. } => {
                levels::masks(&format!("{}{code:03}", char::from(*letter)), 2)
            }
        }
    }
}

const AGE: Domain = Domain {
    name: "age",
    half_powers: 3,
    values: Values::Numbers { low: 17, step: 1, count: 74, widths: &[5, 10, 20] },
};
const EDUCATION: Domain = Domain {
    name: "education",
    half_powers: 4,
    values: Values::Words(&[
        ("secondary-diploma", "secondary", "no-degree"),
        ("college-unfinished", "college", "degree-or-college"),
        ("bachelor", "university", "degree-or-college"),
        ("master", "university", "degree-or-college"),
        ("trade-school", "college", "degree-or-college"),
        ("grade-11", "secondary", "no-degree"),
        ("associate", "college", "degree-or-college"),
        ("grade-10", "secondary", "no-degree"),
        ("grade-7-8", "basic", "no-degree"),
        ("professional", "graduate", "degree-or-college"),
        ("grade-9", "secondary", "no-degree"),
        ("grade-12", "secondary", "no-degree"),
        ("doctorate", "graduate", "degree-or-college"),
        ("grade-5-6", "basic", "no-degree"),
        ("grade-1-4", "basic", "no-degree"),
        ("kindergarten", "basic", "no-degree"),
    ]),
};
const RACE: Domain = Domain {
    name: "race",
    half_powers: 16,
    values: Values::Words(&[
        ("white", "", ""),
        ("black", "", ""),
        ("asian", "", ""),
        ("native", "", ""),
        ("other", "", ""),
    ]),
};
const SEX: Domain = Domain {
    name: "sex",
    half_powers: 2,
    values: Values::Words(&[("male", "", ""), ("female", "", "")]),
};

/// Small domains: rows repeat.
pub static DENSE: [Domain; 9] = [
    AGE,
    Domain {
        name: "workclass",
        half_powers: 12,
        values: Values::Words(&[
            ("private-company", "company", "paid-work"),
            ("own-business", "self-employed", "paid-work"),
            ("local-office", "public", "paid-work"),
            ("state-office", "public", "paid-work"),
            ("incorporated", "self-employed", "paid-work"),
            ("federal-office", "public", "paid-work"),
            ("family-unpaid", "without-pay", "no-paid-work"),
            ("never-worked", "without-pay", "no-paid-work"),
        ]),
    },
    EDUCATION,
    Domain {
        name: "marital",
        half_powers: 5,
        values: Values::Words(&[
            ("married", "with-spouse", ""),
            ("never-married", "alone", ""),
            ("divorced", "was-married", ""),
            ("separated", "was-married", ""),
            ("widowed", "was-married", ""),
            ("spouse-away", "with-spouse", ""),
            ("spouse-in-service", "with-spouse", ""),
        ]),
    },
    Domain {
        name: "occupation",
        half_powers: 3,
        values: Values::Words(&[
            ("specialist", "expert", "office"),
            ("craft", "skilled", "manual"),
            ("manager", "lead", "office"),
            ("clerk", "desk", "office"),
            ("sales", "desk", "office"),
            ("service", "helper", "manual"),
            ("machine-operator", "skilled", "manual"),
            ("transport", "skilled", "manual"),
            ("cleaner", "helper", "manual"),
            ("farm-fishing", "land", "manual"),
            ("technician", "expert", "office"),
            ("protection", "helper", "manual"),
            ("house-service", "helper", "manual"),
            ("armed-forces", "lead", "office"),
        ]),
    },
    Domain {
        name: "relationship",
        half_powers: 4,
        values: Values::Words(&[
            ("husband", "couple", ""),
            ("outside-family", "no-couple", ""),
            ("own-child", "kin", ""),
            ("unmarried", "no-couple", ""),
            ("wife", "couple", ""),
            ("other-relative", "kin", ""),
        ]),
    },
    RACE,
    SEX,
    Domain {
        name: "country",
        half_powers: 32,
        values: Values::Words(&[
            ("United-States", "North-America", "America"),
            ("Mexico", "North-America", "America"),
            ("Philippines", "South-East-Asia", "Asia"),
            ("Germany", "Western-Europe", "Europe"),
            ("Canada", "North-America", "America"),
            ("Puerto-Rico", "Caribbean", "America"),
            ("El-Salvador", "Central-America", "America"),
            ("India", "South-Asia", "Asia"),
            ("Cuba", "Caribbean", "America"),
            ("England", "Western-Europe", "Europe"),
            ("Jamaica", "Caribbean", "America"),
            ("South-Korea", "East-Asia", "Asia"),
            ("China", "East-Asia", "Asia"),
            ("Italy", "Southern-Europe", "Europe"),
            ("Dominican-Republic", "Caribbean", "America"),
            ("Vietnam", "South-East-Asia", "Asia"),
            ("Guatemala", "Central-America", "America"),
            ("Japan", "East-Asia", "Asia"),
            ("Poland", "Eastern-Europe", "Europe"),
            ("Colombia", "South-America", "America"),
            ("Taiwan", "East-Asia", "Asia"),
            ("Haiti", "Caribbean", "America"),
            ("Iran", "West-Asia", "Asia"),
            ("Portugal", "Southern-Europe", "Europe"),
            ("Nicaragua", "Central-America", "America"),
            ("Peru", "South-America", "America"),
            ("Greece", "Southern-Europe", "Europe"),
            ("France", "Western-Europe", "Europe"),
            ("Ecuador", "South-America", "America"),
            ("Ireland", "Western-Europe", "Europe"),
            ("Hong-Kong", "East-Asia", "Asia"),
            ("Cambodia", "South-East-Asia", "Asia"),
            ("Trinidad", "Caribbean", "America"),
            ("Thailand", "South-East-Asia", "Asia"),
            ("Laos", "South-East-Asia", "Asia"),
            ("Serbia", "Southern-Europe", "Europe"),
            ("Honduras", "Central-America", "America"),
            ("Hungary", "Eastern-Europe", "Europe"),
            ("Scotland", "Western-Europe", "Europe"),
            ("Turkey", "West-Asia", "Asia"),
            ("Netherlands", "Western-Europe", "Europe"),
        ]),
    },
];

/// Wide domains: nearly all rows differ.
pub static SPARSE: [Domain; 9] = [
    AGE,
    Domain { name: "zip", half_powers: 3, values: Values::Zip },
    EDUCATION,
    Domain {
        name: "income",
        half_powers: 4,
        values: Values::Numbers {
            low: 0,
            step: 500,
            count: 1000,
            widths: &[5_000, 25_000, 100_000],
        },
    },
    Domain {
        name: "occupation",
        half_powers: 3,
        values: Values::Codes { letter: b'J', count: 500 },
    },
    Domain {
        name: "hours",
        half_powers: 3,
        values: Values::Numbers { low: 1, step: 1, count: 99, widths: &[5, 10, 20] },
    },
    RACE,
    SEX,
    Domain {
        name: "birthplace",
        half_powers: 6,
        values: Values::Codes { letter: b'B', count: 200 },
    },
];
