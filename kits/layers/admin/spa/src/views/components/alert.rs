use housekey::prelude::*;
use housekey::view::Buffer;

use super::icon::Icon;

/// What kind of news it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Info,
    Success,
    Warning,
    Danger,
}

impl Kind {
    const fn colours(self) -> &'static str {
        match self {
            Self::Info => "bg-accent-soft text-ink",
            Self::Success => "bg-success-soft text-success",
            Self::Warning => "bg-warning-soft text-warning",
            Self::Danger => "bg-danger-soft text-danger",
        }
    }

    const fn icon(self) -> Icon {
        match self {
            Self::Info => Icon::Info,
            Self::Success => Icon::Check,
            Self::Warning | Self::Danger => Icon::Alert,
        }
    }
}

/// One sentence that should not be missed: `<Alert kind=(Kind::Warning) text=(&t("…")) ../>`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alert<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// For fields that refer to it.
    pub id: Option<&'a str>,
}

impl Renderable for Alert<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        // Read out at once when something went wrong, in its turn when it did not.
        let role = if self.kind == Kind::Danger { "alert" } else { "status" };
        rsx_borrow! {
            <p id=[self.id] role=(role) class={ "flex gap-2.5 rounded-control px-3.5 py-3 text-[0.9375rem] " (self.kind.colours()) }>
                <span class="mt-0.5 text-lg leading-none">(self.kind.icon())</span>
                <span class="min-w-0">(self.text)</span>
            </p>
        }
        .render_to(buffer);
    }
}

/// A box like an alert's, with more in it than a sentence.
#[component]
pub fn notice<R: Renderable>(kind: Kind, children: &R) -> impl Renderable {
    rsx! {
        <div class={ "flex gap-2.5 rounded-control px-3.5 py-3 text-[0.9375rem] " (kind.colours()) }>
            <span class="mt-0.5 text-lg leading-none">(kind.icon())</span>
            <div class="min-w-0 grow">(children)</div>
        </div>
    }
}

/// What the last request left to say: controllers write it with `redirect(…).with("status", …)`, or `"warning"` when it
/// is no good news.
#[component]
pub fn status_notice() -> impl Renderable {
    let status = session().flashed::<String>("status");
    let warning = session().flashed::<String>("warning");
    rsx! {
        @if let Some(text) = &status { <Alert kind=(Kind::Success) text=(text) ../> }
        @if let Some(text) = &warning { <Alert kind=(Kind::Warning) text=(text) ../> }
    }
}

/// All messages in one place, each leading to its field: when several fields were refused, or when a message is about
/// something that is not among the `fields` of the page, which would say nothing otherwise.
#[component]
pub fn error_summary<'a>(fields: &'a [&'static str]) -> impl Renderable {
    let errors = errors();
    let messages: Vec<(String, String)> =
        errors.iter().map(|(field, message)| (field.to_owned(), message.to_owned())).collect();
    let is_here = |field: &String| fields.contains(&field.as_str());
    rsx! {
        @if messages.len() > 1 || messages.iter().any(|(field, _)| !is_here(field)) {
            <div role="alert" class="rounded-control bg-danger-soft px-3.5 py-3 text-[0.9375rem] text-danger">
                <p class="font-semibold">(t("That did not work:"))</p>
                <ul class="mt-1 list-disc pl-5">
                    @for (field, message) in &messages {
                        <li>
                            @if is_here(field) {
                                <a class="underline underline-offset-2" href={ "#" (field) }>(message)</a>
                            } @else {
                                (message)
                            }
                        </li>
                    }
                </ul>
            </div>
        }
    }
}
