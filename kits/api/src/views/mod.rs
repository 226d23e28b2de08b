//! The little that people see. A view is a function that returns a component; `rsx!` is HTML that the compiler checks.

/// The description of the API, for people.
pub mod api_docs;

/// Documents around pages.
pub mod layouts {
    pub mod base;
}

/// One file for each page.
pub mod pages {
    pub mod errors;
    pub mod welcome;
}
