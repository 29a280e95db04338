//! The doors to the monitor: what a live host calls.
