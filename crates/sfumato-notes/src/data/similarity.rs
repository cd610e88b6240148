//! How alike two names are: the measure of Jaro and Winkler, which forgives typing errors and
//! values the beginning of a word.

/// The similarity of two texts, from 0 to 1.
pub fn jaro_winkler(one: &str, other: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let jaro = jaro(&a, &b);
    let prefix = a.iter().zip(&b).take(4).take_while(|(x, y)| x == y).count();
    jaro + prefix as f64 * 0.1 * (1.0 - jaro)
}

fn jaro(a: &[char], b: &[char]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return if a.len() == b.len() { 1.0 } else { 0.0 };
    }
    let window = (a.len().max(b.len()) / 2).saturating_sub(1);
    let mut is_taken = vec![false; b.len()];
    let mut matched = Vec::new();
    for (at, sign) in a.iter().enumerate() {
        let near = at.saturating_sub(window)..(at + window + 1).min(b.len());
        if let Some(place) = near.into_iter().find(|place| !is_taken[*place] && b[*place] == *sign)
        {
            is_taken[place] = true;
            matched.push(*sign);
        }
    }
    if matched.is_empty() {
        return 0.0;
    }
    let others = b.iter().zip(&is_taken).filter(|(_, is_taken)| **is_taken).map(|(sign, _)| sign);
    let moved = matched.iter().zip(others).filter(|(x, y)| x != y).count() as f64 / 2.0;
    let m = matched.len() as f64;
    (m / a.len() as f64 + m / b.len() as f64 + (m - moved) / m) / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_the_census_bureau_published() {
        for (one, other, expected) in [
            ("martha", "marhta", 0.961),
            ("dwayne", "duane", 0.840),
            ("dixon", "dicksonx", 0.813),
            ("anna", "anna", 1.0),
            ("", "", 1.0),
            ("a", "", 0.0),
        ] {
            let found = jaro_winkler(one, other);
            assert!((found - expected).abs() < 5e-4, "{one} {other}: {found}");
            assert!((jaro_winkler(other, one) - found).abs() < 1e-12);
        }
    }
}
