use housekey::prelude::*;

use crate::views::components::{ButtonLink, Icon, Tone};

/// The way to the page before and to the next. `query` is what the address has besides, from [`query_of`].
pub(super) fn pager<'a>(
    path: &'a str,
    query: &'a str,
    page: u32,
    has_next: bool,
) -> impl Renderable + use<'a> {
    let before = (page > 1).then(|| format!("{path}?{query}page={}", page - 1));
    let next = has_next.then(|| format!("{path}?{query}page={}", page + 1));
    rsx! {
        @if before.is_some() || next.is_some() {
            <nav aria-label=(t("Pages")) class="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
                <p class="text-sm text-muted">(t!("Page :page", page))</p>
                <div class="flex gap-3">
                    @if let Some(href) = &before {
                        <ButtonLink href=(href) label=(&t("Previous")) tone=(Tone::Quiet) icon=(Some(Icon::ArrowLeft)) small=true ../>
                    }
                    @if let Some(href) = &next {
                        <ButtonLink href=(href) label=(&t("Next")) tone=(Tone::Quiet) icon=(Some(Icon::ArrowRight)) small=true ../>
                    }
                </div>
            </nav>
        }
    }
}

/// What was chosen, for an address: `search=ada&`.
pub(super) fn query_of(chosen: &[(&str, &str)]) -> String {
    let chosen = chosen.iter().filter(|(_, value)| !value.is_empty());
    chosen.map(|(name, value)| format!("{name}={}&", escaped(value))).collect()
}

/// Everything but letters, digits and `-._~` as `%41`.
fn escaped(value: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let byte = |byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    value.bytes().map(byte).collect()
}

/// The choices of a list, above it.
#[component]
pub(super) fn select<'a>(
    name: &'a str,
    label: &'a str,
    chosen: &'a str,
    choices: &'a [(&'a str, String)],
) -> impl Renderable {
    rsx! {
        <div class="grid gap-1.5">
            <label for=(name) class="justify-self-start text-sm font-semibold">(label)</label>
            <select
                id=(name)
                name=(name)
                class="block min-h-11 w-full min-w-0 rounded-control border border-edge bg-surface px-3 py-2 text-base text-ink transition-colors hover:border-muted"
            >
                @for (value, words) in choices { <option value=(value) selected[*value == chosen]>(words)</option> }
            </select>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_part_of_the_address() {
        assert_eq!(query_of(&[("search", "a&b=ü"), ("sort", "")]), "search=a%26b%3D%C3%BC&");
    }
}
