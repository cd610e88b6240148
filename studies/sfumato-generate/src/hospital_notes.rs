//! Notes of a hospital: columns, and a text that repeats some of them and says more.

use std::ops::Range;

use sfumato_core::Result;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};

use crate::Generator;
use crate::draw::Draw;

/// See [`Info::doc`].
pub struct HospitalNotes;

static INFO: Info = Info {
    name: "hospital-notes",
    summary: "patients with columns and a doctor's note, which repeats some of them and says more",
    params: &[ParamSpec::with_default(
        "notes",
        ParamKind::Integer { min: 1, max: 100 },
        "1",
        "how many notes one after the other are about one patient",
    )],
    doc: "\
Columns `patient`, `name`, `age`, `sex`, `zip`, `city`, `diagnosis` and `note`. Nobody in it exists. \
Ages are 18 to 95, the middle oftener; a city is one
of eight, and a postal code is one of a hundred of the city. A note is two to four sentences of a \
few dozen: half of the notes name the patient, most
repeat age, sex or city, some tell a telephone number, a record number, a date, the age of a relative, \
or a doctor's name.
",
    ..Info::DEFAULT
};

const FEMALE: [&str; 16] = [
    "Anna", "Laura", "Emily", "Karen", "Susan", "Maria", "Helen", "Sarah", "Linda", "Carol",
    "Julia", "Diane", "Alice", "Nancy", "Grace", "Irene",
];
const MALE: [&str; 16] = [
    "Peter", "James", "David", "Robert", "Thomas", "Daniel", "Kevin", "Brian", "Edward", "Steven",
    "George", "Frank", "Henry", "Martin", "Walter", "Albert",
];
const FAMILY: [&str; 24] = [
    "Miller", "Johnson", "Nguyen", "Garcia", "Schmidt", "Rossi", "Kowalski", "Larsen", "Murphy",
    "Petrov", "Tanaka", "Silva", "Dubois", "Novak", "Andersen", "Keller", "Brennan", "Okafor",
    "Haddad", "Fischer", "Lindgren", "Moreno", "Patel", "Sullivan",
];
const CITIES: [(&str, u32); 8] = [
    ("Boston", 21),
    ("Chicago", 606),
    ("Denver", 802),
    ("Dallas", 752),
    ("Seattle", 981),
    ("Phoenix", 850),
    ("Atlanta", 303),
    ("Houston", 770),
];
const DIAGNOSES: [&str; 8] =
    ["asthma", "diabetes", "hypertension", "pneumonia", "migraine", "gout", "anemia", "eczema"];

impl Generator for HospitalNotes {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn columns(&self, _: &Params) -> Vec<String> {
        let names = ["patient", "name", "age", "sex", "zip", "city", "diagnosis", "note"];
        names.map(String::from).to_vec()
    }
    fn block(&self, params: &Params, seed: u64, rows: Range<u64>, out: &mut Vec<u8>) -> Result<()> {
        let notes = params.count("notes");
        let mut draw = Draw::block(seed, &rows)?;
        let mut patient = Patient::draw(&mut draw);
        let first = rows.start;
        for row in rows {
            if row > first && (row - first).is_multiple_of(notes) {
                patient = Patient::draw(&mut draw);
            }
            let number = first / notes.max(1) + (row - first) / notes;
            let note = patient.note(&mut draw, number);
            let Patient { name, age, is_female, zip, city, diagnosis } = &patient;
            let sex = if *is_female { "F" } else { "M" };
            out.extend(
                format!("P{number},{name},{age},{sex},{zip:05},{city},{diagnosis},\"{note}\"\n")
                    .bytes(),
            );
        }
        Ok(())
    }
}

struct Patient {
    name: String,
    age: u32,
    is_female: bool,
    zip: u32,
    city: &'static str,
    diagnosis: &'static str,
}

fn one_of<T: Copy>(draw: &mut Draw, list: &[T]) -> T {
    list[draw.below(list.len() as u32) as usize]
}

impl Patient {
    fn draw(draw: &mut Draw) -> Patient {
        let is_female = draw.below(2) == 0;
        let given = one_of(draw, if is_female { &FEMALE } else { &MALE });
        let family = one_of(draw, &FAMILY);
        let (city, prefix) = one_of(draw, &CITIES);
        Patient {
            name: format!("{given} {family}"),
            age: 18 + (draw.below(78) + draw.below(78)) / 2,
            is_female,
            zip: prefix * 100 + draw.below(100),
            city,
            diagnosis: one_of(draw, &DIAGNOSES),
        }
    }

    /// A note about the patient.
    fn note(&self, draw: &mut Draw, number: u64) -> String {
        let Patient { name, age, is_female, city, diagnosis, zip } = self;
        let (title, who, pronoun) = match is_female {
            true => ("Ms.", "woman", "She"),
            false => ("Mr.", "man", "He"),
        };
        let family = name.rsplit(' ').next().unwrap_or_default();
        let mut said = vec![match draw.below(4) {
            0 => format!("{name} is a {age}-year-old {who} from {city} with {diagnosis}."),
            1 => format!("Patient {name}, aged {age}, was seen for {diagnosis}."),
            2 => format!("A {age}-year-old {who} came in with worsening {diagnosis}."),
            _ => format!("Follow-up visit for {diagnosis}."),
        }];
        for _ in 0..draw.between(1, 3) {
            let day = (draw.between(1, 12), draw.between(1, 28), draw.between(2019, 2024));
            said.push(match draw.below(10) {
                0 => format!("{pronoun} lives alone in {city}, zip code {zip:05}."),
                1 => format!("Reachable at 555-{:03}-{:04}.", draw.below(1000), draw.below(10_000)),
                2 => format!("MRN {:07}.", 1_000_000 + number * 7 % 8_999_999),
                3 => format!("Admitted on {}/{}/{}.", day.0, day.1, day.2),
                4 => format!("{title} {family} was advised to rest."),
                5 => format!("Mother, aged {}, had the same condition.", draw.between(60, 99)),
                6 => format!("Discussed with Dr. {}.", one_of(draw, &FAMILY)),
                7 => format!("{pronoun} reports no fever and no pain."),
                8 => "Blood pressure was normal and lungs were clear.".to_string(),
                _ => "Medication was continued, next visit in six weeks.".to_string(),
            });
        }
        said.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::text_of;

    #[test]
    fn notes_repeat_their_columns() {
        let text = text_of("hospital-notes(notes=2)", 400, 1);
        assert_eq!(text.lines().count(), 401);
        let mut repeated = 0;
        for line in text.lines().skip(1) {
            let (columns, note) = line.split_once(",\"").unwrap();
            let columns: Vec<&str> = columns.split(',').collect();
            assert_eq!((columns.len(), columns[4].len()), (7, 5), "{line}");
            repeated += usize::from(note.contains(columns[2]));
        }
        assert!(repeated > 200, "{repeated} notes repeat the age");
        let patient = |line: &str| line.split(",\"").next().unwrap().to_string();
        let rows: Vec<String> = text.lines().skip(1).map(patient).collect();
        assert!(rows.chunks(2).all(|pair| pair[0] == pair[1]));
    }
}
