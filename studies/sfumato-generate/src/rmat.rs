//! Graphs with few nodes of many edges, drawn by dividing the adjacency matrix again and again.

use std::ops::Range;

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use crate::Generator;
use crate::draw::Draw;

/// See [`Info::doc`].
pub struct Rmat;

const SHARE: ParamKind = ParamKind::Number { min: 0.0, above: false, max: 1.0 };

static INFO: Info = Info {
    name: "rmat",
    summary: "a graph with a power law and small worlds, an edge per line",
    papers: &[Paper {
        authors: "D. Chakrabarti, Y. Zhan and C. Faloutsos",
        title: "R-MAT: A Recursive Model for Graph Mining",
        venue: "SDM",
        year: 2004,
    }],
    params: &[
        ParamSpec::with_default(
            "scale",
            ParamKind::Integer { min: 1, max: 31 },
            "14",
            "the graph has 2 to the power of this many nodes",
        ),
        ParamSpec::with_default("a", SHARE, "0.57", "how often an edge is in the first quarter"),
        ParamSpec::with_default("b", SHARE, "0.19", "how often it is in the second"),
        ParamSpec::with_default("c", SHARE, "0.19", "how often it is in the third"),
    ],
    doc: "Each line is an edge: two numbers of nodes, as `--graph edges` reads them. The matrix of \
          all pairs is divided into quarters, one is chosen with the chances a, b, c and what is \
          left of 1, and that is divided again, until one pair is left. With the defaults, those \
          of \
          the Graph 500 benchmark, a few nodes have very many edges and most have few.\n\n\
          Edges are drawn one by one: some are drawn twice, in either direction, and some lead \
          from \
          a node to itself. Readers of simple graphs leave these out and count them, so that there \
          are somewhat fewer edges than rows; `scale=20` with 10 million rows is the graph of a \
          million nodes that docs/graphs.md measures. Nodes that no edge was drawn for aren't in \
          the file. Numbers near 0 have the most edges; anonymizing renumbers them at random.",
    ..Info::DEFAULT
};

impl Generator for Rmat {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn check(&self, params: &Params) -> Result<()> {
        let sum: f64 = ["a", "b", "c"].map(|name| params.number(name)).iter().sum();
        match sum <= 1.0 {
            true => Ok(()),
            false => Err(Error::params("rmat: a, b and c must sum up to at most 1")),
        }
    }
    fn columns(&self, _: &Params) -> Vec<String> {
        Vec::new()
    }
    fn block(&self, params: &Params, seed: u64, rows: Range<u64>, out: &mut Vec<u8>) -> Result<()> {
        let mut draw = Draw::block(seed, &rows)?;
        let [a, b, c] = ["a", "b", "c"].map(|name| params.number(name));
        let scale = params.count("scale");
        for _ in rows {
            let (mut from, mut to) = (0u64, 0u64);
            for _ in 0..scale {
                let quarter = draw.unit();
                let (down, right) =
                    (quarter >= a + b, (quarter >= a && quarter < a + b) || quarter >= a + b + c);
                from = 2 * from + u64::from(down);
                to = 2 * to + u64::from(right);
            }
            out.extend(format!("{from} {to}\n").bytes());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::text_of;

    #[test]
    fn quarters_are_chosen_as_often_as_they_should_be() {
        // With one division the edge is the quarter: 20,000 draws, six standard deviations are 420.
        let text = text_of("rmat(scale=1)", 20_000, 3);
        let count = |edge: &str| text.lines().filter(|line| *line == edge).count();
        for (edge, share) in [("0 0", 0.57), ("0 1", 0.19), ("1 0", 0.19), ("1 1", 0.05)] {
            assert!((count(edge) as f64 - share * 20_000.0).abs() < 420.0, "{edge}");
        }
        let text = text_of("rmat(scale=8)", 5_000, 3);
        let ends = text.split_whitespace().map(|end| end.parse::<u32>().unwrap());
        let mut degrees = [0u32; 256];
        ends.for_each(|end| degrees[end as usize] += 1);
        // The first node has far more than the mean of 39.
        assert!(degrees[0] > 400, "{}", degrees[0]);
    }

    #[test]
    fn chances_beyond_one_are_refused() {
        let (generator, params) = crate::tests::parse("rmat(a=0.6, b=0.3, c=0.2)");
        assert!(generator.check(&params).is_err());
    }
}
