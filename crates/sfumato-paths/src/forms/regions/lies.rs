//! Regions that aren't true or don't protect: the verifier must see through each. Only tests tell
//! them.

use sfumato_engine::lie::{Lie, Subject};

use super::decide::Decided;
use crate::data::read::Loaded;
use crate::data::region::Region;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<Loaded, Decided>> {
    vec![
        Lie {
            name: "everybody is published where they were",
            subject: Subject::Privacy,
            tell: |_, decided| {
                let mut is_other = false;
                for (regions, track) in
                    decided.published.regions.iter_mut().zip(&decided.people.taking_part)
                {
                    let own = &decided.people.tracks[*track as usize].positions;
                    for (region, position) in regions.iter_mut().zip(own) {
                        is_other |= !region.is_point();
                        *region = Region::point(*position);
                    }
                }
                is_other
            },
        },
        Lie {
            name: "a region is somewhere else",
            subject: Subject::Cell,
            tell: |_, decided| {
                let Some(region) = decided.published.regions.iter_mut().flatten().next() else {
                    return false;
                };
                let height = region.to.y - region.from.y + 0.5;
                let down = if region.to.y > 0.0 { -height } else { height };
                region.from.y += down;
                region.to.y += down;
                true
            },
        },
        Lie {
            name: "a person is published with the regions of another",
            subject: Subject::Row,
            tell: |_, decided| {
                let people = &decided.people;
                let Some(first) = people.taking_part.first() else { return false };
                let own = &people.tracks[*first as usize];
                let is_other = |(at, regions): &(usize, &Vec<Region>)| {
                    let other = &people.tracks[people.taking_part[*at] as usize];
                    let mut pairs = own.positions.iter().zip(regions.iter());
                    (other.start, other.end()) == (own.start, own.end())
                        && pairs.any(|(position, region)| !region.has(*position))
                };
                let found = decided.published.regions.iter().enumerate().find(is_other);
                let Some((other, _)) = found else { return false };
                decided.published.regions[0] = decided.published.regions[other].clone();
                true
            },
        },
    ]
}
