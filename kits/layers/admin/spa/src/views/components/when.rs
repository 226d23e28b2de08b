use housekey::prelude::*;

/// A point in time, for machines and for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// RFC 3339, such as `2026-05-04T09:30:00Z`.
    pub iso: String,
    /// What stands on the page, such as `4 May 2026` or `two hours ago`.
    pub text: String,
}

/// Shows a moment.
#[component]
pub fn when<'a>(moment: &'a Moment) -> impl Renderable {
    rsx! { <time datetime=(&moment.iso)>(&moment.text)</time> }
}
