//! Prints the requests for a policy as a batch input file:
//! `requests POLICY TOOLS [SAMPLES]`.

use lictor_contract::catalog::Catalog;
use lictor_contract::source::Source;
use lictor_extract::{SamplesFile, plan};
use std::io::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [policy_file, tools_file, rest @ ..] = arguments.as_slice() else {
        return Err("usage: requests POLICY TOOLS [SAMPLES]".into());
    };
    let samples = rest.first().map_or(Ok(1), |text| text.parse())?;
    let name = policy_file.rsplit('/').next().unwrap_or(policy_file);
    let policy = Source::new(name, std::fs::read_to_string(policy_file)?);
    let catalog = Catalog::from_json(&std::fs::read_to_string(tools_file)?)?;
    let plan = plan(&policy, &catalog, samples)?;
    let requests = plan.write_requests(&SamplesFile::default());
    std::io::stdout().write_all(requests.as_bytes())?;
    Ok(())
}
