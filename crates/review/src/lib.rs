//! Reading a library back: what each contract says, in words and as a report.
