//! The library for programs: JSON, with a token in `authorization`.
