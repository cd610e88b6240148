//! A literal implementation of Mondrian, with lists of records.

/// Classes as records with the items that all of them have.
pub type PlainClasses = Vec<(Vec<u32>, Vec<u32>)>;

/// Records with an item, and records without.
type Sides = (Vec<u32>, Vec<u32>);

/// The input of the simple recursion.
pub struct Plain<'a> {
    pub lists: &'a [Vec<u32>],
    pub worth: &'a [f64],
    pub k: u32,
    pub split: &'a str,
    /// How many splits of a small class are tried by `utility`.
    pub tried: usize,
}

/// The number of bits that tell which of n records have an item that c of them have.
fn bits(c: u32, n: u32) -> f64 {
    let x_log_x = |x: u32| if x == 0 { 0.0 } else { f64::from(x) * f64::from(x).log2() };
    x_log_x(n) - x_log_x(c) - x_log_x(n - c)
}

impl Plain<'_> {
    fn has(&self, record: u32, item: u32) -> bool {
        self.lists[record as usize].contains(&item)
    }
    fn count(&self, class: &[u32], item: u32) -> u32 {
        class.iter().filter(|record| self.has(**record, item)).count() as u32
    }
    fn common(&self, class: &[u32]) -> Vec<u32> {
        let all_have =
            |item: &u32| !class.is_empty() && self.count(class, *item) == class.len() as u32;
        (0..self.worth.len() as u32).filter(all_have).collect()
    }
    fn with(&self, class: &[u32], item: u32) -> Sides {
        class.iter().partition(|record| self.has(**record, item))
    }

    /// The items that can split a class, each with its score.
    fn splits(&self, class: &[u32]) -> Vec<(f64, u32)> {
        let n = class.len() as u32;
        let counts = (0..self.worth.len() as u32).map(|item| (item, self.count(class, item)));
        let splits: Vec<(u32, u32)> =
            counts.filter(|(_, count)| *count >= self.k && n - count >= self.k).collect();
        let score = |(item, with): (u32, u32)| match self.split {
            "even" => f64::from(with),
            "utility" => self.worth[item as usize] * f64::from(with) / bits(with, n),
            _ => {
                let of_pair = |(other, count): &(u32, u32)| {
                    let both = self.count(&self.with(class, item).0, *other);
                    bits(both, with) + bits(count - both, n - with)
                };
                -splits.iter().map(of_pair).fold(0.0, |sum, bits| sum + bits)
            }
        };
        let mut scores: Vec<(f64, u32)> =
            splits.iter().map(|split| (score(*split), split.0)).collect();
        scores.sort_by(|a, b| b.0.total_cmp(&a.0));
        scores
    }

    /// Split a class on its best split, and then both sides.
    pub fn recursion(&self, class: &[u32], found: &mut PlainClasses) {
        let small = self.split == "utility" && class.len() as u32 <= 16 * self.k;
        let sides = match small {
            true => self.look_ahead(class),
            false => self.splits(class).first().map(|(_, item)| self.with(class, *item)),
        };
        match sides {
            Some((with, without)) => {
                self.recursion(&with, found);
                self.recursion(&without, found);
            }
            None => found.push((class.to_vec(), self.common(class))),
        }
    }

    /// The sides of a split, where the side with the item may give up some records.
    fn narrow(&self, class: &[u32], item: u32) -> Sides {
        let (mut with, mut without) = self.with(class, item);
        loop {
            let n = with.len() as u32;
            let fresh = |item: &u32| self.count(class, *item) < class.len() as u32;
            let lost: f64 = 0.4
                * self
                    .common(&with)
                    .iter()
                    .filter(|item| fresh(item))
                    .map(|item| self.worth[*item as usize])
                    .sum::<f64>();
            let mut best = (0.0, None);
            for item in 0..self.worth.len() as u32 {
                let count = self.count(&with, item);
                let gain =
                    self.worth[item as usize] * f64::from(count) - lost * f64::from(n - count);
                if count >= self.k && (1..self.k).contains(&(n - count)) && gain > best.0 {
                    best = (gain, Some(item));
                }
            }
            let Some(item) = best.1 else { return (with, without) };
            let (stay, leave) = self.with(&with, item);
            with = stay;
            without.extend(leave);
            without.sort_unstable();
        }
    }

    /// The utility of a class if every split is the best one by its score.
    fn worth(&self, class: &[u32]) -> f64 {
        match self.splits(class).first() {
            Some((_, item)) => {
                let (with, without) = self.narrow(class, *item);
                self.worth(&with) + self.worth(&without)
            }
            None => self
                .common(class)
                .iter()
                .map(|item| self.worth[*item as usize] * class.len() as f64)
                .sum(),
        }
    }

    /// The sides of the split with the highest utility in the end.
    fn look_ahead(&self, class: &[u32]) -> Option<Sides> {
        let tried = self.splits(class).into_iter().take(self.tried);
        if self.tried == 1 {
            return tried.map(|(_, item)| self.narrow(class, item)).next();
        }
        let mut best: Option<(f64, Sides)> = None;
        for (_, item) in tried {
            for sides in [self.with(class, item), self.narrow(class, item)] {
                let worth = self.worth(&sides.0) + self.worth(&sides.1);
                if best.as_ref().is_none_or(|best| worth > best.0) {
                    best = Some((worth, sides));
                }
            }
        }
        best.map(|(_, sides)| sides)
    }
}
