//! Hospital rows for a first look at the program: identifiers, dates, a job, a diagnosis and its
//! cost.
//!
//! This file draws and prints; the words, their trees and their frequencies are in `words`.

use std::ops::Range;

use sfumato_core::Result;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};

use crate::date::Date;
use crate::draw::Draw;
use crate::text::{Line, Text};
use crate::{Generator, levels};

mod words;

use words::{AGES, DIAGNOSES, FEMALE_NAMES, JOBS, MALE_NAMES, REGIONS, SURNAMES};

/// See [`Info::doc`].
pub struct Patients;

static INFO: Info = Info {
    name: "patients",
    summary: "hospital stays with names, dates, zip, job, diagnosis and cost, for demonstrations",
    papers: &[],
    params: &[ParamSpec::with_default(
        "visits",
        ParamKind::Integer { min: 1, max: 20 },
        "1",
        "the most rows one person can have; up to that, a quarter come again after each stay",
    )],
    doc: "\
One row per stay: name, person, birth, age, sex, zip, job, admission, diagnosis, cost. Names and \
people are
made up.

- **person** is P and the number of the person's first row, with at least six digits. The rows of \
a person
  are neighbours and share name, birth, sex, zip and job; with `visits=1` every row is another \
  person.
- **admission** of the first stay is uniform over 2024 and 2025; each next stay follows after 7 to \
180 days.
- **age** is the full years from birth to admission, 0 to about 100; ages are drawn by decade, \
older people
  more often.
- **zip** has five digits. Its first two stand for one of eight regions of unequal size; inside a \
region the
  low numbers are more frequent. Regions are city, mixed or rural, and the job depends on that.
- **job** is one of 28. Children, people from 67 and some below 25 don't work.
- **diagnosis** is one of 18, skewed, its frequency depending on age (below 18, 40, 65, and above) \
and sex;
  some occur with one sex or age only. At a next stay at least half of the people have the same \
  one again.
- **cost** has two decimals: the diagnosis's typical cost times 0.4 to 1.6, and two to five times \
that in one
  of 20 stays.

Hierarchies job.csv and diagnosis.csv go with the data: the value, two levels of groups, and \
everything.",
    ..Info::DEFAULT
};

/// 2024-01-01, counted from 1900-03-01.
const FIRST_ADMISSION: u32 = 45_231;
/// Days of 2024 and 2025.
const ADMISSION_DAYS: u32 = 731;

/// What the stays of a person share.
struct Person {
    number: u64,
    female: bool,
    first_name: usize,
    surname: usize,
    birth: Date,
    zip: u32,
    job: usize,
    /// The day of the stay at hand, counted as `FIRST_ADMISSION` is.
    admission: u32,
    diagnosis: Option<usize>,
}

impl Generator for Patients {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn columns(&self, _params: &Params) -> Vec<String> {
        ["name", "person", "birth", "age", "sex", "zip", "job", "admission", "diagnosis", "cost"]
            .map(str::to_string)
            .to_vec()
    }

    fn block(&self, params: &Params, seed: u64, rows: Range<u64>, out: &mut Vec<u8>) -> Result<()> {
        let visits = params.integer("visits");
        let texts = Texts::new();
        let mut draw = Draw::block(seed, &rows)?;
        let mut line = Line::new();
        let mut current: Option<(Person, i64)> = None;
        for row in rows {
            // A person never crosses the end of a block, so that blocks know nothing of each other.
            let (mut person, stays) = match current.take() {
                Some((mut person, stays)) if stays < visits && draw.below(4) == 0 => {
                    person.admission += draw.between(7, 180);
                    (person, stays + 1)
                }
                _ => (Person::draw(row + 1, &mut draw), 1),
            };
            print_stay(&mut person, &texts, &mut draw, &mut line);
            line.finish(out);
            current = Some((person, stays));
        }
        Ok(())
    }

    fn companions(&self, _params: &Params) -> Vec<(String, String)> {
        let jobs = JOBS.iter().map(|job| levels::named(&[job.name, job.group, job.sector]));
        let diagnoses = DIAGNOSES.iter().map(|d| levels::named(&[d.name, d.group, d.field]));
        vec![
            ("job.csv".into(), levels::file(jobs)),
            ("diagnosis.csv".into(), levels::file(diagnoses)),
        ]
    }
}

impl Person {
    fn draw(number: u64, draw: &mut Draw) -> Self {
        let female = draw.below(100) < 52;
        let admission = FIRST_ADMISSION + draw.below(ADMISSION_DAYS);
        let years = 10 * draw.weighted(&AGES) as u32 + draw.below(10);
        let birth = Date::after_march_1900(admission - years * 1461 / 4 - draw.below(365));
        let age = birth.years_until(Date::after_march_1900(admission));
        let region = &REGIONS[draw.weighted(&REGIONS.map(|region| region.weight))];
        // Squaring makes the low numbers frequent; the factor spreads them over the third and
        // fourth digit.
        let u = draw.unit();
        let zip = region.prefix * 1000 + 23 * (u * u * 40.0) as u32;
        let names = if female { FEMALE_NAMES.len() } else { MALE_NAMES.len() };
        Person {
            number,
            female,
            first_name: draw.below(names as u32) as usize,
            surname: draw.below(SURNAMES.len() as u32) as usize,
            birth,
            zip,
            job: words::draw_job(age, region, draw),
            admission,
            diagnosis: None,
        }
    }
}

/// Prepared cells.
struct Texts {
    first_names: [Vec<Text>; 2],
    surnames: Vec<Text>,
    sexes: [Text; 2],
    jobs: Vec<Text>,
    diagnoses: Vec<Text>,
}

impl Texts {
    fn new() -> Self {
        Texts {
            first_names: [Text::all(MALE_NAMES), Text::all(FEMALE_NAMES)],
            surnames: Text::all(SURNAMES),
            sexes: [Text::new("male"), Text::new("female")],
            jobs: Text::all(JOBS.iter().map(|job| job.name)),
            diagnoses: Text::all(DIAGNOSES.iter().map(|diagnosis| diagnosis.name)),
        }
    }
}

fn print_stay(person: &mut Person, texts: &Texts, draw: &mut Draw, line: &mut Line) {
    let admission = Date::after_march_1900(person.admission);
    let age = person.birth.years_until(admission);
    let diagnosis = match person.diagnosis {
        Some(last) if draw.below(2) == 0 => last,
        _ => words::draw_diagnosis(age, person.female, draw),
    };
    person.diagnosis = Some(diagnosis);
    let sex = usize::from(person.female);

    line.text(&texts.first_names[sex][person.first_name]);
    line.join();
    line.text(&texts.surnames[person.surname]);
    line.tagged(b'P', person.number, 6);
    line.date(person.birth);
    line.number(age);
    line.text(&texts.sexes[sex]);
    line.five(person.zip);
    line.text(&texts.jobs[person.job]);
    line.date(admission);
    line.text(&texts.diagnoses[diagnosis]);
    line.hundredths(draw_cost(diagnosis, draw));
}

/// The cost of a stay in hundredths.
fn draw_cost(diagnosis: usize, draw: &mut Draw) -> i64 {
    // Two draws instead of one put most stays near the typical cost.
    let factor = 4000 + draw.below(6001) + draw.below(6001);
    let usual = i64::from(DIAGNOSES[diagnosis].cost) * i64::from(factor) / 100;
    if draw.below(20) == 0 { usual * i64::from(draw.between(200, 500)) / 100 } else { usual }
}

#[cfg(test)]
mod tests;
