//! The little that people see. A view is a function that returns a component; `rsx!` is HTML that the compiler checks.

pub mod errors;

/// The document around the page.
pub mod layouts {
    pub mod base;
}

/// The page.
pub mod pages {
    pub mod welcome;
}
