//! The words of the patients kind, their trees and their frequencies. All of them are made up.

use crate::draw::Draw;

/// Weights of the decades of age: 0 to 9, 10 to 19, and so on.
pub const AGES: [u16; 10] = [9, 6, 10, 12, 11, 13, 15, 14, 8, 2];

/// A part of the country.
#[derive(Clone, Copy)]
pub struct Region {
    /// First two digits of its zip codes.
    pub prefix: u32,
    /// How many people, relative to the others.
    pub weight: u16,
    /// How it is built; decides the jobs.
    pub kind: Kind,
}

/// City, mixed or rural: the column of [`Job::weights`].
#[derive(Clone, Copy)]
pub enum Kind {
    /// Offices and trade.
    City,
    /// Some of all.
    Mixed,
    /// Land and workshops.
    Rural,
}

const fn region(prefix: u32, weight: u16, kind: Kind) -> Region {
    Region { prefix, weight, kind }
}

/// The regions.
pub const REGIONS: [Region; 8] = [
    region(10, 30, Kind::City),
    region(14, 12, Kind::Mixed),
    region(27, 9, Kind::Mixed),
    region(39, 6, Kind::Rural),
    region(51, 20, Kind::City),
    region(64, 10, Kind::Mixed),
    region(78, 5, Kind::Rural),
    region(96, 8, Kind::Rural),
];

/// A job, its tree and how frequent it is in a city, a mixed and a rural region.
pub struct Job {
    /// The leaf.
    pub name: &'static str,
    /// The level above.
    pub group: &'static str,
    /// The level above that.
    pub sector: &'static str,
    /// Weights by [`Kind`] among the people at work; 0 for those who aren't.
    pub weights: [u16; 3],
}

const fn job(
    name: &'static str,
    group: &'static str,
    sector: &'static str,
    weights: [u16; 3],
) -> Job {
    Job { name, group, sector, weights }
}

/// The jobs: first those of people at work, then the ways of not working.
pub static JOBS: [Job; 28] = [
    job("nurse", "care", "services", [8, 9, 8]),
    job("physician", "care", "services", [4, 2, 1]),
    job("pharmacist", "care", "services", [2, 1, 1]),
    job("teacher", "education", "services", [7, 7, 5]),
    job("lecturer", "education", "services", [3, 1, 0]),
    job("cook", "hospitality", "services", [5, 4, 3]),
    job("waiter", "hospitality", "services", [5, 3, 2]),
    job("cashier", "trade", "services", [5, 6, 5]),
    job("salesperson", "trade", "services", [9, 7, 4]),
    job("clerk", "administration", "office", [10, 7, 4]),
    job("accountant", "administration", "office", [5, 3, 1]),
    job("lawyer", "administration", "office", [3, 1, 1]),
    job("programmer", "engineering", "office", [8, 3, 1]),
    job("engineer", "engineering", "office", [6, 5, 2]),
    job("architect", "engineering", "office", [2, 1, 1]),
    job("mechanic", "workshop", "manual", [3, 7, 8]),
    job("electrician", "workshop", "manual", [3, 6, 6]),
    job("carpenter", "construction", "manual", [1, 5, 8]),
    job("bricklayer", "construction", "manual", [2, 5, 6]),
    job("driver", "transport", "manual", [5, 7, 8]),
    job("warehouse worker", "transport", "manual", [4, 8, 5]),
    job("farmer", "land", "manual", [0, 3, 14]),
    job("gardener", "land", "manual", [1, 3, 6]),
    job("job seeker", "between jobs", "not working", [5, 5, 6]),
    job("infant", "childhood", "not working", [0; 3]),
    job("pupil", "childhood", "not working", [0; 3]),
    job("student", "training", "not working", [0; 3]),
    job("retired", "pension", "not working", [0; 3]),
];
const INFANT: usize = 24;
const PUPIL: usize = 25;
const STUDENT: usize = 26;
const RETIRED: usize = 27;

/// A job that fits the age and the region.
pub fn draw_job(age: u32, region: &Region, draw: &mut Draw) -> usize {
    match age {
        0..=5 => INFANT,
        6..=17 => PUPIL,
        18..=24 if draw.below(2) == 0 => STUDENT,
        67.. => RETIRED,
        _ => draw.weighted(&JOBS.each_ref().map(|job| job.weights[region.kind as usize])),
    }
}

/// A diagnosis, its tree, its typical cost and how frequent it is.
pub struct Diagnosis {
    /// The leaf.
    pub name: &'static str,
    /// The level above.
    pub group: &'static str,
    /// The level above that.
    pub field: &'static str,
    /// Typical cost of a stay, in whole units.
    pub cost: u32,
    /// Weights by age band (below 18, 40, 65, and above) for women.
    pub female: [u16; 4],
    /// The frequencies for men.
    pub male: [u16; 4],
}

const fn diagnosis(
    [name, group, field]: [&'static str; 3],
    cost: u32,
    female: [u16; 4],
    male: [u16; 4],
) -> Diagnosis {
    Diagnosis { name, group, field, cost, female, male }
}

/// The diagnoses.
pub static DIAGNOSES: [Diagnosis; 18] = [
    diagnosis(
        ["influenza", "airway infection", "internal"],
        1900,
        [220, 110, 60, 70],
        [220, 110, 60, 70],
    ),
    diagnosis(
        ["bronchitis", "airway infection", "internal"],
        1400,
        [180, 60, 50, 60],
        [180, 60, 60, 70],
    ),
    diagnosis(
        ["pneumonia", "airway infection", "internal"],
        5200,
        [90, 20, 50, 120],
        [90, 20, 60, 130],
    ),
    diagnosis(
        ["asthma", "chronic airway disease", "internal"],
        2300,
        [150, 50, 30, 20],
        [170, 40, 30, 20],
    ),
    diagnosis(["gastritis", "digestion", "internal"], 1700, [70, 80, 70, 50], [70, 80, 70, 50]),
    diagnosis(["hypertension", "vessels", "internal"], 2100, [0, 20, 130, 160], [0, 30, 150, 150]),
    diagnosis(["stroke", "vessels", "internal"], 11800, [0, 5, 30, 110], [0, 5, 40, 110]),
    diagnosis(["heart attack", "heart", "internal"], 14500, [0, 3, 40, 90], [0, 8, 110, 140]),
    diagnosis(["diabetes", "hormones", "internal"], 3600, [30, 30, 90, 110], [30, 30, 100, 110]),
    diagnosis(
        ["HIV infection", "chronic infection", "internal"],
        6900,
        [1, 8, 6, 1],
        [1, 16, 12, 2],
    ),
    diagnosis(
        ["depression", "mood", "mind and nerves"],
        4800,
        [40, 130, 100, 40],
        [20, 70, 60, 30],
    ),
    diagnosis(
        ["anxiety disorder", "mood", "mind and nerves"],
        3900,
        [30, 90, 60, 20],
        [15, 50, 30, 10],
    ),
    diagnosis(["migraine", "headache", "mind and nerves"], 1600, [30, 80, 60, 10], [20, 30, 20, 5]),
    diagnosis(["fracture", "injury", "surgical"], 6100, [130, 50, 70, 170], [170, 130, 80, 80]),
    diagnosis(["appendicitis", "abdomen", "surgical"], 5600, [90, 60, 20, 10], [90, 60, 20, 10]),
    diagnosis(["breast cancer", "cancer", "surgical"], 16200, [0, 10, 70, 60], [0, 0, 1, 1]),
    diagnosis(["prostate cancer", "cancer", "surgical"], 13700, [0, 0, 0, 0], [0, 0, 50, 110]),
    diagnosis(["childbirth", "obstetrics", "surgical"], 4300, [0, 330, 15, 0], [0, 0, 0, 0]),
];

/// A diagnosis that fits the age and the sex.
pub fn draw_diagnosis(age: u32, female: bool, draw: &mut Draw) -> usize {
    let band = usize::from(age >= 18) + usize::from(age >= 40) + usize::from(age >= 65);
    let weights = DIAGNOSES.each_ref().map(|d| if female { d.female[band] } else { d.male[band] });
    draw.weighted(&weights)
}

/// First names of women.
pub const FEMALE_NAMES: [&str; 30] = [
    "Ada", "Bianca", "Clara", "Dora", "Elif", "Farah", "Greta", "Hanna", "Ines", "Jana", "Katja",
    "Lena", "Mira", "Nora", "Olga", "Paula", "Rosa", "Sara", "Tessa", "Uta", "Vera", "Wanda",
    "Yara", "Zoe", "Amina", "Beatriz", "Chiara", "Emma", "Fiona", "Helena",
];
/// First names of men.
pub const MALE_NAMES: [&str; 30] = [
    "Adam", "Bruno", "Carl", "David", "Emil", "Felix", "Georg", "Hugo", "Ivan", "Jonas", "Kemal",
    "Luca", "Milan", "Noah", "Oskar", "Pavel", "Quentin", "Rafael", "Samir", "Theo", "Umberto",
    "Viktor", "Walter", "Xaver", "Yusuf", "Zoran", "Anton", "Boris", "Diego", "Erik",
];
/// Family names.
pub const SURNAMES: [&str; 60] = [
    "Abel", "Albers", "Amato", "Bakker", "Baran", "Becker", "Berg", "Blanc", "Bosch", "Brandt",
    "Carvalho", "Costa", "Dahl", "Demir", "Dubois", "Egger", "Falk", "Ferrari", "Fischer",
    "Garcia", "Gruber", "Haas", "Hansen", "Heller", "Horvat", "Ilic", "Jansen", "Kaya", "Keller",
    "Klein", "Kovacs", "Kramer", "Lang", "Larsen", "Lorenz", "Marek", "Martin", "Meier", "Moreau",
    "Nagy", "Novak", "Olsen", "Orlov", "Peters", "Petrov", "Rossi", "Roth", "Santos", "Sauer",
    "Schmid", "Silva", "Simon", "Steiner", "Toth", "Vogel", "Wagner", "Weber", "Wolf", "Yilmaz",
    "Ziegler",
];
