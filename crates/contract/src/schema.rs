//! The published JSON Schema of library files, generated from the types.

use crate::library::Library;

/// The JSON Schema of a library file, indented, with a final line break.
pub fn library_schema() -> String {
    let schema = schemars::schema_for!(Library);
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    /// The committed schema is what the types say; run with `LICTOR_BLESS=1`
    /// to write it anew.
    #[test]
    fn the_committed_schema_is_fresh() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/library.schema.json"
        );
        let fresh = super::library_schema();
        if std::env::var_os("LICTOR_BLESS").is_some() {
            std::fs::write(path, &fresh).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), fresh);
    }
}
