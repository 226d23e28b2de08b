use housekey::prelude::*;

/// The way from one page of a list to its neighbours: `<PageLinks route="members" query=(&[("q", "ada")]) page=2 pages=5/>`. On a
/// list of one page, nothing.
#[component]
pub fn page_links<'a>(
    route: &'static str,
    query: &'a [(&'static str, &'a str)],
    page: u64,
    pages: u64,
) -> impl Renderable {
    let address = |to: u64| {
        let to = to.to_string();
        let query: Vec<(&str, &str)> = query.iter().copied().chain([("page", to.as_str())]).collect();
        path_to_with(route, &query)
    };
    let previous = (page > 1).then(|| address((page - 1).min(pages)));
    let next = (page < pages).then(|| address(page + 1));
    rsx! {
        @if pages > 1 || page > 1 {
            <nav aria-label=(t("Pages")) class="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5 text-[0.9375rem]">
                <p class="text-muted">(t!("Page :page of :pages", page, pages))</p>
                <ul class="flex gap-5">
                    @if let Some(address) = &previous {
                        <li><a class="link" rel="prev" href=(address)>(t("Previous page"))</a></li>
                    }
                    @if let Some(address) = &next {
                        <li><a class="link" rel="next" href=(address)>(t("Next page"))</a></li>
                    }
                </ul>
            </nav>
        }
    }
}
