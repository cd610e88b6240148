//! The ring: along a cyclic order, each record matches itself and its k - 1 successors.

use sfumato_core::{Error, Result};

use sfumato_core::matches::Matches;

/// The k-regular ring over an order that contains every record once.
pub fn ring(order: &[u32], k: usize) -> Result<Matches> {
    let n = order.len();
    if k == 0 {
        return Err(Error::params("each record needs at least one match"));
    }
    if n != 0 && k > n {
        return Err(Error::infeasible(format!("{n} records can't hide each record among {k}")));
    }
    let mut post = vec![0; n * k];
    for (place, record) in order.iter().enumerate() {
        let row = post.get_mut(*record as usize * k..).and_then(|rest| rest.get_mut(..k));
        let row = row.ok_or_else(|| Error::params("an order has every record once"))?;
        row.iter_mut()
            .enumerate()
            .for_each(|(step, published)| *published = order[(place + step) % n]);
    }
    Matches::new(k, post)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::ErrorKind;

    #[test]
    fn records_match_themselves_and_their_successors() {
        let matches = ring(&[2, 0, 3, 1], 3).unwrap();
        assert_eq!(matches.of(2), [2, 0, 3]);
        assert_eq!(matches.of(1), [1, 2, 0]);
        assert_eq!(ring(&[2, 0, 3, 1], 4).unwrap().m(), 4);
        assert_eq!(ring(&[2, 0, 3, 1], 5).unwrap_err().kind, ErrorKind::Infeasible);
        assert!(ring(&[0, 1], 0).is_err());
        assert!(ring(&[0, 2], 1).is_err());
        assert!(ring(&[0, 0], 1).is_err());
        assert!(ring(&[], 3).unwrap().is_empty());
    }
}
