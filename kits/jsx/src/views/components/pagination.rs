use housekey::database::{CursorPage, Page};
use housekey::prelude::*;

use super::button::{ButtonLink, Tone};
use super::icon::Icon;

/// The way through the pages of a list: `<Pagination page=(&books)/>` below what `paginate` gave. The number is `page` in
/// the address, and the rest of the address stays. A list of one page has none.
#[component]
pub fn pagination<'a, T>(page: &'a Page<T>) -> impl Renderable {
    let last = page.last_page();
    let first_row = page.page.saturating_sub(1).saturating_mul(page.per_page).saturating_add(1);
    let last_row = first_row.saturating_add(page.per_page - 1).min(page.total);
    // Who asks for a page beyond the last finds the way back.
    let previous = (page.page > 1).then(|| address((page.page - 1).min(last)));
    let next = page.has_more().then(|| address(page.page + 1));
    rsx! {
        @if last > 1 || page.page > 1 {
            <nav aria-label=(t("Pages")) class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5">
                @if first_row <= page.total {
                    <p class="text-sm text-muted">(t!(":first to :last of :total", first = first_row, last = last_row, total = page.total))</p>
                } @else {
                    <p class="text-sm text-muted">(t!("Page :page of :pages", page = page.page, pages = last))</p>
                }
                <ul class="flex items-center gap-1.5">
                    @if let Some(href) = &previous { <li><Step href=(href) rel="prev" label=(&t("Previous")) icon=(Icon::ArrowLeft)/></li> }
                    @for number in around(page.page, last) {
                        <li class="hidden md:block">
                            @if let Some(number) = number {
                                <a
                                    href=(address(number))
                                    aria-label=(t!("Page :page", page = number))
                                    aria-current=[(number == page.page).then_some("page")]
                                    class="grid min-h-9 min-w-9 place-items-center rounded-control px-2 text-sm font-semibold text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-ink"
                                >
                                    (number)
                                </a>
                            } @else {
                                <span aria-hidden="true" class="px-1 text-muted">"…"</span>
                            }
                        </li>
                    }
                    @if let Some(href) = &next { <li><Step href=(href) rel="next" label=(&t("Next")) icon=(Icon::ArrowRight)/></li> }
                </ul>
            </nav>
        }
    }
}

/// The way on in a list that is not counted: `<CursorPagination page=(&books)/>` below what `cursor_paginate` gave. The
/// cursor is `after` in the address, and the rest of the address stays. Cursors lead onwards and to the top; the way back
/// is the browser's own.
#[component]
pub fn cursor_pagination<'a, T>(page: &'a CursorPage<T>) -> impl Renderable {
    let top = url_with_query(&[("after", "")]);
    let is_top = top == url_with_query(&[]);
    let next = page.next.as_deref().map(|next| url_with_query(&[("after", next)]));
    rsx! {
        @if !is_top || next.is_some() {
            <nav aria-label=(t("Pages")) class="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
                <ul class="flex grow flex-wrap items-center justify-between gap-3">
                    @if !is_top {
                        <li><ButtonLink href=(&top) label=(&t("Back to the top")) tone=(Tone::Quiet) small=true ../></li>
                    }
                    @if let Some(href) = &next {
                        <li class="ml-auto"><Step href=(href) rel="next" label=(&t("Next")) icon=(Icon::ArrowRight)/></li>
                    }
                </ul>
            </nav>
        }
    }
}

/// One page on, or back.
#[component]
fn step<'a>(href: &'a str, rel: &'static str, label: &'a str, icon: Icon) -> impl Renderable {
    rsx! {
        <a
            href=(href)
            rel=(rel)
            class="inline-flex min-h-9 items-center justify-center gap-2 rounded-control border border-edge/45 bg-raised px-3 py-1.5 text-sm font-semibold text-ink transition-colors hover:border-edge hover:bg-sunken"
        >
            @if rel == "prev" { (icon) }
            (label)
            @if rel == "next" { (icon) }
        </a>
    }
}

/// The first page has the address without a number: a list has one address, not two.
fn address(page: u64) -> String {
    let number = if page > 1 { page.to_string() } else { String::new() };
    url_with_query(&[("page", &number)])
}

/// The first, the last and the neighbours; `None` is where some are left out.
fn around(page: u64, last: u64) -> Vec<Option<u64>> {
    let mut numbers = vec![1, page.saturating_sub(1), page, page.saturating_add(1), last];
    numbers.retain(|number| (1..=last).contains(number));
    numbers.sort_unstable();
    numbers.dedup();
    let mut shown = Vec::new();
    let mut before = 0;
    for number in numbers {
        match number - before {
            1 => {}
            // A gap of one is as short as what would say it.
            2 => shown.push(Some(number - 1)),
            _ => shown.push(None),
        }
        shown.push(Some(number));
        before = number;
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_shows_the_ends_and_the_neighbours() {
        let words = |page, last| {
            let word = |number: Option<u64>| number.map_or("…".to_owned(), |number| number.to_string());
            around(page, last).into_iter().map(word).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words(1, 1), "1");
        assert_eq!(words(2, 3), "1 2 3");
        assert_eq!(words(4, 9), "1 2 3 4 5 … 9");
        assert_eq!(words(5, 9), "1 … 4 5 6 … 9");
        assert_eq!(words(9, 9), "1 … 8 9");
        assert_eq!(words(40, 9), "1 … 9");
    }
}
