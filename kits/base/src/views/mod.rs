//! What people see. A view is a function that returns a component; `rsx!` is HTML that the compiler checks.

pub mod errors;

/// Documents around pages.
pub mod layouts {
    pub mod base;
}

/// One file for each page.
pub mod pages {
    pub mod welcome;
}
