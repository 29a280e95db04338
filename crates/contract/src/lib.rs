//! The nouns every pass shares: catalogs, events, values, predicates, drafts, contracts, libraries, diagnostics.
