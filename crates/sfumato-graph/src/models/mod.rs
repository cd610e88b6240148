//! Models for graphs: one file each, listed once. A model says which nodes are candidates for each
//! other and how many there must be; the form counts, on what was read back.

sfumato_core::registry! {
    /// Every model for graphs.
    dyn crate::traits::GraphModel:
    k_degree::KDegree,
    candidates::Candidates,
    subgraph_candidates::SubgraphCandidates,
    k_neighbourhood::KNeighbourhood,
    k_automorphism::KAutomorphism,
    label_diversity::LabelDiversity,
    supernode_size::SupernodeSize,
    link_privacy::LinkPrivacy,
    hidden_edges::HiddenEdges,
}

use sfumato_core::registry::{self, Call, Params};
use sfumato_core::{Error, Result};

use crate::traits::GraphRequirements;

/// Bind all models of a job with their parameters. A job without any is refused.
pub fn bind(models: &[String]) -> Result<GraphRequirements> {
    if models.is_empty() {
        return Err(Error::params("no privacy model was asked for").hint(
            "say -k 5, or --model 'candidates(k=5, knowledge=h2)'; 'sfumato list graph-models' \
             shows all",
        ));
    }
    let mut requirements = GraphRequirements::default();
    for text in models {
        let call: Call = text.parse()?;
        let model = registry::find("graph-model", ALL, |model| model.info(), &call.name)?;
        requirements.all.push(model.bind(&Params::check(model.info(), &call.args)?)?);
    }
    Ok(requirements)
}
