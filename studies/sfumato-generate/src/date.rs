//! Days of the calendar, as far as generated births and admissions need them.
//!
//! Counted from 1900-03-01, so that no conversion meets a negative number.

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date {
    /// Year, from 1900 to 2199 here.
    pub year: u32,
    /// Month, from 1.
    pub month: u32,
    /// Day, from 1.
    pub day: u32,
}

impl Date {
    /// The day that lies `days` after 1900-03-01.
    ///
    /// Counting years from March puts the leap day last, so that months have fixed starts inside a
    /// year.
    pub fn after_march_1900(days: u32) -> Self {
        // 2100 is no leap year: its missing day is bridged by counting one more from 2100-03-01 on.
        let days = if days >= 73_049 { days + 1 } else { days };
        // 1900-03-01 to 1904-02-29 is a whole cycle of 1461 days, the leap day at its end.
        let (cycle, in_cycle) = (days / 1461, days % 1461);
        let in_cycle_year = (in_cycle / 365).min(3);
        let of_year = in_cycle - in_cycle_year * 365;
        // From March, month m starts at day (153 m + 2) / 5.
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let (month, later) =
            if from_march < 10 { (from_march + 3, 0) } else { (from_march - 9, 1) };
        Date { year: 1900 + cycle * 4 + in_cycle_year + later, month, day }
    }

    /// Full years between this day and a later one.
    pub fn years_until(self, later: Date) -> u32 {
        let had_birthday = (later.month, later.day) >= (self.month, self.day);
        (later.year + u32::from(had_birthday)).saturating_sub(self.year + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length_of(year: u32, month: u32) -> u32 {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    #[test]
    fn dates_follow_the_calendar_for_three_centuries() {
        let (mut year, mut month, mut day) = (1900, 3, 1);
        for days in 0..109_000 {
            assert_eq!(Date::after_march_1900(days), Date { year, month, day });
            day += 1;
            if day > length_of(year, month) {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
        assert!(year >= 2198);
    }

    #[test]
    fn years_are_full_ones() {
        let birth = Date { year: 2000, month: 2, day: 29 };
        assert_eq!(birth.years_until(Date { year: 2001, month: 2, day: 28 }), 0);
        assert_eq!(birth.years_until(Date { year: 2001, month: 3, day: 1 }), 1);
        assert_eq!(birth.years_until(birth), 0);
    }
}
