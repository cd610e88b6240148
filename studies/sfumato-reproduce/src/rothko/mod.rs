//! K. LeFevre, D. J. DeWitt, R. Ramakrishnan, 2008: section 6, figures 17 to 24: data larger than
//! memory.

use crate::claims::Untested;
use crate::figure::{Figure, Paper, PaperInfo};

mod arms;
mod printed;
mod quality;
mod scaled;
mod timed;
mod top;

sfumato_core::registry! {
    /// The figures of the paper.
    dyn Figure: fig17::Fig17, fig18::Fig18, fig19::Fig19, fig20::Fig20, fig21::Fig21,
        fig22::Fig22, fig23::Fig23,
        fig24::Fig24
}

/// The paper.
pub struct Rothko;

static INFO: PaperInfo = PaperInfo {
    name: "rothko",
    citation: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan: *Workload-Aware Anonymization Techniques \
        for Large-Scale Datasets*, \
ACM Transactions on Database Systems 33(3), article 17, 2008, section 6.",
    untested: &[
        Untested {
            line: 865,
            sentence: "an implementation in memory begins to thrash for data that don't fit",
            why: "the machine isn't made to swap; figure 17 measures the memory that it asks for",
        },
        Untested {
            line: 873,
            sentence: "in some cases fewer disk reads are observed than expected, thanks to the \
                buffers of the file system",
            why: "reads are counted in records, not in requests to a disk",
        },
        Untested {
            line: 887,
            sentence: "all algorithms go through periods that wait for input and output, and \
                Rothko-T with F_CACHE = 8 waits about as long as Rothko-S",
            why: "the time that a process waits for a disk isn't told by this system; temporary \
                files fit into its cache",
        },
        Untested {
            line: 653,
            sentence: "in virtually all cases each partition fits into memory in the end",
            why: "partitions that don't are divided by frequency groups here, so that it can't \
                fail",
        },
    ],
    about: "\
The paper's plots can't be read off, so that what it says in words is put beside our numbers; \
figure 24 is printed as numbers, and those \
stand beside ours. All columns are numbers without hierarchies, as in the paper (6.1), and alpha \
is 0.05.

| name | what it is |
|---|---|
| Rothko-T | `rothko-tree(split=widest, leftovers=none, cuts=median, groups=F_CACHE, \
partition_rows=TM)` |
| Rothko-S | `rothko-sample(split=widest, leftovers=none, cuts=median, sample=n, \
partition_rows=TM)` |
| Median | with `workload=false` |
| InfoGain, Regression | with `significant=false` and the task as workload; figure 21 with \
`min_gain=0.01`, as in the paper's footnote 18 |

**Scaled down.** The paper divides 50 million records into partitions of TM = 2 million with k = \
1000, and a frequency group takes 8.1 MB: about two \
million values, as many as TM. Where a figure here is smaller by a factor, everything is: records, \
TM, k (at least 2), and the units in which the \
amounts (salary, commission, hvalue, loan) are written, so that frequency groups keep their \
proportion to partitions. \
`--rows 1000000,10000000,50000000,100000000` runs figures 19 to 21 at other sizes; at 100 million \
all of these are the paper's.

**Times** are of this implementation on the machine that made this page, of whole runs: the input \
is looked at, divided, anonymized, the release is written, read \
back, verified, measured. They depend on the machine and on how the program was built; only their \
ratios are claims.",
};

impl Paper for Rothko {
    fn info(&self) -> &'static PaperInfo {
        &INFO
    }
    fn figures(&self) -> &'static [&'static dyn Figure] {
        ALL
    }
}
