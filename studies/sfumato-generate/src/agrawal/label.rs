//! The label functions over the nine attributes: exact integer arithmetic, amounts in hundredths.
//!
//! Functions 2 to 6 share a form: three age bands, each with its own intervals. Writing the
//! intervals as data makes the printed and the random constants the same code.

use crate::draw::Draw;

/// One row before it is printed.
#[derive(Debug, Clone, Copy)]
pub struct Record {
    /// Yearly salary.
    pub salary: u32,
    /// Commission, 0 for high salaries.
    pub commission: u32,
    /// Age in years.
    pub age: u32,
    /// Level of education.
    pub elevel: u32,
    /// Maker of the car.
    pub car: u32,
    /// Area of the town.
    pub zipcode: u32,
    /// Value of the house.
    pub hvalue: u32,
    /// Years the house is owned.
    pub hyears: u32,
    /// Amount of the loan.
    pub loan: u32,
}

impl Record {
    /// The cells in the order of the columns.
    #[inline]
    pub fn cells(&self) -> [u32; 9] {
        [
            self.salary,
            self.commission,
            self.age,
            self.elevel,
            self.car,
            self.zipcode,
            self.hvalue,
            self.hyears,
            self.loan,
        ]
    }
}

/// A label function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the functions' names in the papers")]
pub enum Function {
    C1,
    C2,
    C3,
    C4,
    C5,
    C6,
    C7,
    C8,
    C9,
    C10,
    R7,
    R10,
}

/// A closed interval.
pub type Interval = (u32, u32);

/// The constants of functions 2 to 6, per age band.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constants {
    /// Where the second and the third age band begin.
    pub ages: Interval,
    /// Levels of education (3 and 4).
    pub levels: [Interval; 3],
    /// Salaries (2, 4 where the level fits, 5), salary + commission (6).
    pub salaries: [Interval; 3],
    /// Salaries where the level doesn't fit (4).
    pub other_salaries: [Interval; 3],
    /// Loans where the salary fits (5).
    pub loans: [Interval; 3],
    /// Loans where it doesn't (5).
    pub other_loans: [Interval; 3],
}

const fn thousands(intervals: [Interval; 3]) -> [Interval; 3] {
    let [(a, b), (c, d), (e, f)] = intervals;
    [(a * 1000, b * 1000), (c * 1000, d * 1000), (e * 1000, f * 1000)]
}

impl Constants {
    /// The printed constants.
    pub fn fixed(function: Function) -> Self {
        let usual = thousands([(50, 100), (75, 125), (25, 75)]);
        // In function 4 the usual salaries are those of the levels that don't fit.
        let fitting = thousands([(25, 75), (50, 100), (50, 100)]);
        Constants {
            ages: (40, 60),
            levels: [(0, 1), (1, 3), (2, 4)],
            salaries: if function == Function::C4 { fitting } else { usual },
            other_salaries: usual,
            loans: thousands([(100, 300), (200, 400), (300, 500)]),
            other_loans: thousands([(200, 400), (300, 500), (100, 300)]),
        }
    }

    /// Constants uniform over the ranges of their attributes.
    pub(crate) fn random(function: Function, draw: &mut Draw) -> Self {
        let mut pair = |low, high| {
            let (a, b) = (draw.between(low, high), draw.between(low, high));
            (a.min(b), a.max(b))
        };
        let poorest = if function == Function::C6 { 30_000 } else { 20_000 };
        Constants {
            ages: pair(20, 80),
            levels: [(); 3].map(|()| pair(0, 4)),
            salaries: [(); 3].map(|()| pair(poorest, 150_000)),
            other_salaries: [(); 3].map(|()| pair(20_000, 150_000)),
            loans: [(); 3].map(|()| pair(0, 500_000)),
            other_loans: [(); 3].map(|()| pair(0, 500_000)),
        }
    }
}

impl Function {
    /// What the parameter allows.
    pub const CHOICES: &'static [&'static str] =
        &["none", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "r7", "r10"];

    /// The function of a choice; `none` is none.
    pub fn of(choice: &str) -> Option<Self> {
        use Function::*;
        let all = [C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, R7, R10];
        let at = Self::CHOICES.iter().position(|name| *name == choice)?;
        all.get(at.checked_sub(1)?).copied()
    }

    /// Whether the label is a class and not a number.
    #[inline]
    pub fn is_class(self) -> bool {
        !matches!(self, Function::R7 | Function::R10)
    }

    /// Whether its constants may be drawn.
    pub fn has_constants(self) -> bool {
        matches!(self, Function::C2 | Function::C3 | Function::C4 | Function::C5 | Function::C6)
    }

    /// The name of the label's column.
    pub fn column(self) -> &'static str {
        if self.is_class() { "class" } else { "target" }
    }

    /// Whether the row is of class A.
    #[inline]
    pub fn holds(self, constants: &Constants, row: &Record) -> bool {
        let band =
            usize::from(row.age >= constants.ages.0) + usize::from(row.age >= constants.ages.1);
        let within = |intervals: &[Interval; 3], n: u32| {
            let (low, high) = intervals[band];
            low <= n && n <= high
        };
        match self {
            Function::C1 => band != 1,
            Function::C2 => within(&constants.salaries, row.salary),
            Function::C3 => within(&constants.levels, row.elevel),
            Function::C4 if within(&constants.levels, row.elevel) => {
                within(&constants.salaries, row.salary)
            }
            Function::C4 => within(&constants.other_salaries, row.salary),
            Function::C5 if within(&constants.salaries, row.salary) => {
                within(&constants.loans, row.loan)
            }
            Function::C5 => within(&constants.other_loans, row.loan),
            Function::C6 => within(&constants.salaries, row.salary + row.commission),
            _ => self.hundredths(row) > 0,
        }
    }

    /// The amount that functions 7 to 10 compute, in hundredths; 0 for the others.
    #[inline]
    pub fn hundredths(self, row: &Record) -> i64 {
        let income = 67 * (i64::from(row.salary) + i64::from(row.commission));
        let schooling = 500_000 * i64::from(row.elevel);
        let loan = 20 * i64::from(row.loan);
        // A fifth of the equity, which is a tenth of the house for every year after the twentieth.
        let equity = 2 * i64::from(row.hvalue) * i64::from(row.hyears.saturating_sub(20));
        match self {
            Function::C7 | Function::R7 => income - loan - 2_000_000,
            Function::C8 => income - schooling - 2_000_000,
            Function::C9 => income - schooling - loan - 1_000_000,
            Function::C10 | Function::R10 => income - schooling + equity - 1_000_000,
            _ => 0,
        }
    }
}
