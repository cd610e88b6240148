//! The builder `order`: a given number of neighbouring values makes a group, and a given number of
//! groups makes a group of the next level.

use sfumato_core::dataset::LevelTable;
use sfumato_core::error::{Error, Result};
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{BuildInput, Builder};

use crate::groups::from_ends;

/// The builder `order`, an entry of the registry.
pub struct Order;

static INFO: Info = Info {
    name: "order",
    summary: "a stated number of neighbouring values makes a group, a number of groups the next \
        level",
    papers: &[],
    params: &[ParamSpec::optional(
        "groups",
        ParamKind::List,
        "per level, how many nodes of the level below make one; [5, 2] if left out",
    )],
    doc: "\
Takes the distinct values of the column in order: numbers, dates and times by rank, words by text. \
`groups=[5, 2]` puts
every five neighbouring values into one group of the first level and every two of those groups \
into one of the second.
The last group of a level holds what is left and may be smaller.

Labels name the first and the last value of a group, `[a..c]`; a group of one value has that value \
as its label. They
are made from the data and **carry real cells**: the smallest and the largest value of every group \
become public.
`interval` has no such labels. Groups are equal in distinct values, not in records; `frequency` \
balances records. Works
for every kind of values; the cost is linear in distinct values times levels.",
    ..Info::DEFAULT
};

impl Builder for Order {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn build(&self, params: &Params, input: &BuildInput<'_>) -> Result<LevelTable> {
        let n = input.domain.len();
        let mut levels = Vec::new();
        let mut size = 1usize;
        for word in params.list("groups").unwrap_or_else(|| vec!["5".to_string(), "2".to_string()])
        {
            let factor: usize = word.parse().ok().filter(|n| *n >= 2).ok_or_else(|| {
                Error::params(format!(
                    "order: groups must be whole numbers of at least 2, not '{word}'"
                ))
            })?;
            // A group larger than the domain holds everything: there is nothing left to multiply.
            size = size.saturating_mul(factor).min(n.max(1));
            levels.push((1..=n.div_ceil(size)).map(|group| (group * size).min(n)).collect());
        }
        Ok(from_ends(input.domain, &levels))
    }
    fn is_data_bearing(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::dataset::Domain;

    fn build(call: &str, texts: &[&str]) -> Result<Vec<String>> {
        let call: sfumato_core::registry::Call = call.parse()?;
        let domain = Domain::of_texts(texts);
        let counts = vec![1; texts.len()];
        let input =
            BuildInput { domain: &domain, counts: &counts, read_text: &|_| Ok(String::new()) };
        let table = Order.build(&Params::check(&INFO, &call.args)?, &input)?;
        Ok((0..table.n_leaves())
            .map(|leaf| table.row(leaf).collect::<Vec<_>>().join(" "))
            .collect())
    }

    #[test]
    fn neighbours_share_groups() {
        let rows = build("order(groups=[2, 2])", &["a", "b", "c", "d", "e"]).unwrap();
        let expect =
            ["a [a..b] [a..d]", "b [a..b] [a..d]", "c [c..d] [a..d]", "d [c..d] [a..d]", "e e e"];
        assert_eq!(rows, expect);
    }

    #[test]
    fn groups_larger_than_the_domain_are_one() {
        let huge = format!("order(groups=[{0}, {0}])", i64::MAX);
        assert_eq!(build(&huge, &["a", "b"]).unwrap(), ["a [a..b] [a..b]", "b [a..b] [a..b]"]);
        assert!(build("order", &[]).unwrap().is_empty());
    }

    #[test]
    fn sizes_are_checked() {
        let message = build("order(groups=[5, 1])", &["a"]).unwrap_err().message;
        assert_eq!(message, "order: groups must be whole numbers of at least 2, not '1'");
    }
}
