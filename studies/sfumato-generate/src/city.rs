//! A day of people in a city, as card readers or phone cells see it: who, where, when.

use std::io::Write as _;
use std::ops::Range;

use sfumato_core::Result;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};

use crate::Generator;
use crate::draw::Draw;

/// See [`Info::doc`].
pub struct City;

/// The points of each person: a power of two, so that nobody crosses the end of a block.
const POINTS: u64 = 8;
/// The hours of the points, of which each person is somewhere.
const HOURS: [u32; POINTS as usize] = [6, 8, 10, 12, 14, 17, 19, 22];

static INFO: Info = Info {
    name: "city",
    summary: "a day of people in a city: person, place, hour and ward, eight rows each",
    params: &[ParamSpec::with_default(
        "places",
        ParamKind::Integer { min: 4, max: 1_000_000 },
        "200",
        "how many places the city has",
    )],
    doc: "\
One row per point: person, place, hour, ward. Everybody has eight points, at 6, 8, 10, 12, 14, 17, \
19 and 22 o'clock, in eight rows that follow each other: a million people are eight million rows.

- **place** is `p` and a number. At 6 and 22 people are at home, at 10 and 14 at work, at 8 and 17 \
on the way, at the stop of their home or of their work; at 12 and at 19 they are somewhere else \
one time in three. Homes are drawn from all places, work from the first quarter, both with low \
numbers more often: the product of two even draws.
- **ward** is one of six and the same in all rows of a person: the hospital ward that they visit, \
drawn from unequal shares, whatever their places.

Nothing ties the ward to the places, so that whoever learns a ward from a path learns it because \
few have the path.
",
    ..Info::DEFAULT
};

const WARDS: [&str; 6] = ["surgery", "heart", "cancer", "birth", "bones", "skin"];
const SHARES: [u16; 6] = [30, 22, 8, 14, 20, 6];

impl Generator for City {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn columns(&self, _: &Params) -> Vec<String> {
        ["person", "place", "hour", "ward"].map(str::to_string).to_vec()
    }

    fn block(&self, params: &Params, seed: u64, rows: Range<u64>, out: &mut Vec<u8>) -> Result<()> {
        let places = u32::try_from(params.integer("places")).unwrap_or(u32::MAX);
        let mut draw = Draw::block(seed, &rows)?;
        let mut person = (rows.start / POINTS, Day::default());
        for row in rows {
            let at = (row % POINTS) as usize;
            if at == 0 {
                person = (row / POINTS, Day::draw(places, &mut draw));
            }
            let (number, day) = &person;
            let (place, hour, ward) = (day.places[at], HOURS[at], WARDS[day.ward]);
            // Writing to memory doesn't fail.
            let _ = writeln!(out, "c{},p{place},{hour},{ward}", number + 1);
        }
        Ok(())
    }
}

/// Where somebody is on a day.
#[derive(Default)]
struct Day {
    places: [u32; POINTS as usize],
    ward: usize,
}

impl Day {
    fn draw(places: u32, draw: &mut Draw) -> Day {
        // Low numbers more often: the product of two even draws.
        let mut skewed = |of: u32| {
            let (one, other) = (u64::from(draw.below(of)), u64::from(draw.below(of)));
            (one * other / u64::from(of)) as u32
        };
        let (home, work) = (skewed(places), skewed(places.div_ceil(4)));
        let (lunch, evening) = (skewed(places.div_ceil(4)), skewed(places));
        // Stops are shared by four homes or workplaces.
        let stop = |place: u32| place - place % 4;
        let is_out = |draw: &mut Draw| draw.below(3) == 0;
        let at_noon = if is_out(draw) { lunch } else { work };
        let at_night = if is_out(draw) { evening } else { home };
        let ward = draw.weighted(&SHARES);
        let way = (stop(home), stop(work));
        Day { places: [home, way.0, work, at_noon, work, way.1, at_night, home], ward }
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{counts, rows_of, text_of};

    #[test]
    fn everybody_has_a_day() {
        let text = text_of("city(places=40)", 8 * 10_000, 3);
        let rows = rows_of(&text);
        assert_eq!(rows.len(), 80_000);
        for day in rows.chunks(8) {
            assert!(day.iter().all(|row| row[0] == day[0][0] && row[3] == day[0][3]));
            let hours: Vec<&str> = day.iter().map(|row| row[2]).collect();
            assert_eq!(hours, ["6", "8", "10", "12", "14", "17", "19", "22"]);
            assert_eq!((day[0][1], day[2][1]), (day[7][1], day[4][1]), "home and work stay");
        }
        assert_eq!(counts(&rows, 0).len(), 10_000);
        let wards = counts(&rows, 3);
        assert!(wards["surgery"].abs_diff(24_000) < 2_000, "{wards:?}");
        let places = counts(&rows, 1);
        assert!(places["p0"] > places["p30"], "{places:?}");
    }
}
