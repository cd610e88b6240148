//! The flags of graphs: how they lie in the file, and what is known of their nodes.

use sfumato_engine::flags::shared::{model_first, model_last};
use sfumato_engine::flags::{Command, Flag, KindFlags, Sets, Takes};

use Command::{Anonymize, Attack, Audit, Explain, Explore, Query, Study};

/// Commands that read graphs.
const READING: &[Command] = &[Anonymize, Explain, Explore, Audit, Query];

/// What to do for whoever gave a flag of another kind.
const HINT: &str = "say with --graph how edges lie in the file, and name labels of nodes with \
                    --labels or --label";

/// The flags of graphs.
pub const FLAGS: KindFlags = KindFlags { list: LIST, hint: HINT };

static LIST: &[Flag] = &[
    Flag::new(
        "graph",
        Takes::One("LAYOUT"),
        "That the data are a graph, and how it lies in the file: edges, \
         'edges(separator=comma)', adjacency, gml, graphml, matrix-market, \
         'table(from=A, to=B)' or 'supernodes(world=1)', a graph that fits a release of \
         supernodes.",
        READING,
        Sets::Text("graph", "layout"),
    ),
    Flag::new(
        "labels",
        Takes::One("FILE"),
        "A file with a label for each node: its first column names nodes, its second their labels.",
        READING,
        Sets::Text("graph", "labels"),
    )
    .requires(&["graph"]),
    Flag::new(
        "label",
        Takes::One("NAME"),
        "The attribute of nodes in gml or graphml that is their label.",
        READING,
        Sets::Text("graph", "label"),
    )
    .requires(&["graph"]),
    Flag::new(
        "label-hierarchy",
        Takes::One("FILE"),
        "What labels may be published as: in each row a label and what is above it, separated by \
         semicolons or commas. Without it labels are generalized to *.",
        &[Anonymize, Explain],
        Sets::Text("graph", "label_hierarchy"),
    )
    .requires(&["graph"]),
    Flag::new(
        "attributes",
        Takes::One("FILE"),
        "A table of what is known of nodes beside the graph: its first column names nodes. It \
         isn't published with the graph; --save-mapping has it beside the candidate sets of nodes, \
         for models of tables.",
        &[Anonymize, Explain],
        Sets::Text("graph", "attributes"),
    )
    .requires(&["graph", "save-mapping"]),
    Flag::new(
        "sensitive-edges",
        Takes::One("FILE"),
        "Edges that must not be known, two names on each line. They are published only as far as \
         --model 'hidden-edges' says. Where lines say the kinds of edges, the layout can name \
         some: 'edges(sensitive=[love])', 'table(from=A, to=B, kind=C, sensitive=[love])'.",
        &[Anonymize, Explain, Attack],
        Sets::Text("graph", "sensitive_edges"),
    )
    .requires(&["graph"]),
    Flag::new(
        "original-graph",
        Takes::One("LAYOUT"),
        "How the original lies in its file, where that is another layout than the release's.",
        &[Audit, Query],
        Sets::Text("graph", "layout"),
    )
    .requires(&["original"])
    .original(),
    Flag::new(
        "mapping",
        Takes::One("FILE"),
        "The file that says which node became which, as --save-mapping wrote it, or names if \
         nodes kept their names: attackers are judged by it.",
        &[Attack],
        Sets::Text("graph", "mapping"),
    )
    .requires(&["graph"]),
    Flag::new(
        "other-mapping",
        Takes::One("FILE"),
        "The same file of the release that --other names.",
        &[Attack],
        Sets::Text("graph", "other_mapping"),
    )
    .requires(&["graph"]),
    Flag::new(
        "save-mapping",
        Takes::One("FILE"),
        "Write which node became which: for the steward alone, never for a recipient.",
        &[Anonymize, Explain],
        Sets::Text("output", "mapping"),
    )
    .requires(&["graph"]),
    Flag::new(
        "k",
        Takes::Whole("K"),
        "k-degree anonymity: every degree occurs at least k times.",
        &[Anonymize, Explain, Study],
        Sets::By("models in [privacy]", |job, values| model_first(job, "k-degree", values)),
    )
    .goal(),
    Flag::new(
        "k",
        Takes::Whole("K"),
        "k-degree anonymity that must hold, or the command ends with exit code 3.",
        &[Audit],
        Sets::By("models in [privacy]", |job, values| model_last(job, "k-degree", values)),
    )
    .goal(),
];
