//! Recorded transcripts to events; evaluation, preflight and their statistics.
