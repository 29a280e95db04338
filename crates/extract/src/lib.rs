//! The one pass with a model: policy text to drafts.
