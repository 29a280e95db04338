//! Resolve, verify and vote: pure passes from drafts and a catalog to a verified library.
