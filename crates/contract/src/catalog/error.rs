//! Why a text is no tool catalog.

/// Why a text is no catalog, or catalogs cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// The text is not JSON.
    #[error("the tool catalog is not JSON: {0}")]
    NotJson(String),
    /// JSON, but not a list of tools.
    #[error(
        "the tool catalog is no list of tools; expected an array of tools in OpenAI, Anthropic or MCP form, an object with such a list `tools`, an answer to `tools/list`, or an OpenAPI document"
    )]
    NotAList,
    /// An entry is no tool.
    #[error(
        "tool {index} of the catalog has no {missing}; expected a tool in OpenAI, Anthropic or MCP form"
    )]
    NotATool {
        /// 0-based place in the list.
        index: usize,
        /// What is missing.
        missing: &'static str,
    },
    /// An OpenAPI operation that no tool can be made of.
    #[error("the operation `{operation}` of the catalog has no {missing}")]
    NotAnOperation {
        /// Method and path.
        operation: String,
        /// What is missing.
        missing: &'static str,
    },
    /// OpenAPI of a version whose parameters are written otherwise.
    #[error("the tool catalog is in Swagger form (OpenAPI 2); convert it to OpenAPI 3")]
    Swagger,
    /// A tool appears twice.
    #[error(
        "the tool catalog defines `{0}` twice; remove one, or if two servers offer it, say which file belongs to which with `--tools SERVER=FILE`"
    )]
    Repeated(String),
    /// An object of the catalog has one key twice, so one of two meanings would be lost.
    #[error("an object of the tool catalog has the key `{0}` twice; keep one")]
    RepeatedKey(String),
    /// A mark or a schema that would be passed over as if it were not there.
    #[error("tool `{tool}` of the catalog has a `{key}` that means nothing; it must be {expected}")]
    Unusable {
        /// The tool.
        tool: String,
        /// The key.
        key: &'static str,
        /// What may stand there.
        expected: &'static str,
    },
    /// A name that cannot stand before the slash of a tool's id.
    #[error("`{0}` is no name of a server; it must not be empty or hold a `/`")]
    Server(String),
    /// A list without a tool.
    #[error("the tool catalog has no tools, so no rule could ever apply")]
    Empty,
}
