//! Which hash is which term, for the judge who has the original but not the key.
//!
//! A log and its hashed copy are the same but for names. Terms are told apart by how often they
//! occur, in which rows of whom, beside which others, and so on: colours that are refined from
//! round to round. A hash and its term have the same colour; terms that no round tells apart have
//! the same one, too, and then only a share of a guess is counted.

use sfumato_core::FastMap;

use super::terms::Terms;

/// How often colours are refined.
const ROUNDS: usize = 3;

/// The colour of each term.
pub(super) fn colours(terms: &Terms, users: &[u32]) -> Vec<u64> {
    let mut of_term: Vec<u64> = terms.counts().into_iter().map(u64::from).collect();
    let n_users = users.iter().map(|user| *user as usize + 1).max().unwrap_or(0);
    let mut with_term: Vec<Vec<u32>> = vec![Vec::new(); of_term.len()];
    for (row, list) in (0..).zip(&terms.rows) {
        list.iter().for_each(|term| with_term[*term as usize].push(row));
    }
    for _ in 0..ROUNDS {
        let of_row: Vec<u64> = terms
            .rows
            .iter()
            .map(|row| of_all(row.iter().map(|term| of_term[*term as usize]).collect()))
            .collect();
        let mut rows_of: Vec<Vec<u64>> = vec![Vec::new(); n_users];
        users.iter().zip(&of_row).for_each(|(user, row)| rows_of[*user as usize].push(*row));
        let of_user: Vec<u64> = rows_of.into_iter().map(of_all).collect();
        let next = |(term, rows): (usize, &Vec<u32>)| {
            let around = |row: &u32| {
                let row = *row as usize;
                mix(of_row[row], of_user[users[row] as usize])
            };
            mix(of_term[term], of_all(rows.iter().map(around).collect()))
        };
        of_term = with_term.iter().enumerate().map(next).collect();
    }
    of_term
}

/// How many terms have each colour.
pub(super) fn sizes(colours: &[u64]) -> FastMap<u64, u32> {
    let mut sizes = FastMap::default();
    colours.iter().for_each(|colour| *sizes.entry(*colour).or_insert(0) += 1);
    sizes
}

/// One number of several in any order.
fn of_all(mut all: Vec<u64>) -> u64 {
    all.sort_unstable();
    all.into_iter().fold(0x243f_6a88_85a3_08d3, mix)
}

/// One number of two in their order.
fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(23) ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_don_t_matter_and_what_is_alike_has_the_same_colour() {
        let of = |rows: [&str; 5], users: [u32; 5]| {
            let mut terms = Terms::default();
            rows.iter().for_each(|row| terms.push(row.split(' ')));
            let colours = colours(&terms, &users);
            move |term: &str| colours[terms.find(term).unwrap() as usize]
        };
        let clear = of(["a b", "a c", "b d", "e f", "a"], [0, 0, 1, 1, 2]);
        // The same with other names, and rows in another order.
        let hashed = of(["5 6", "1", "1 2", "2 4", "1 3"], [7, 3, 0, 7, 0]);
        for (term, hash) in [("a", "1"), ("b", "2"), ("c", "3"), ("d", "4"), ("e", "5")] {
            assert_eq!(clear(term), hashed(hash), "{term}");
        }
        // Nothing tells e from f, and everything else is different.
        assert_eq!(clear("e"), clear("f"));
        let mut all = ["a", "b", "c", "d", "e"].map(&clear).to_vec();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 5);
    }
}
