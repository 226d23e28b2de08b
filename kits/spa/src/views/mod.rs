//! The little that the server draws itself: the welcome page and the errors. `rsx!` is HTML that the compiler checks.

pub mod errors;

/// Parts of pages.
pub mod components {
    mod brand;
    mod button;
    mod icon;
    mod scenes;

    pub use brand::Brand;
    pub use button::{ButtonLink, Tone};
    pub use icon::Icon;
    pub use scenes::{House, Street};
}

/// Documents around pages.
pub mod layouts {
    pub mod base;
}

/// One file for each page.
pub mod pages {
    pub mod welcome;
}
