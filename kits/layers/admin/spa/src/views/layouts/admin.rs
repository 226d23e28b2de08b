use housekey::prelude::*;

use super::base::Base;
use crate::views::components::{Brand, Breadcrumbs, ErrorSummary, Icon, NavLink, StatusNotice};

/// The pages for admins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    Users,
    Events,
    Jobs,
}

/// The pages for admins. The server draws them: nothing of them is in what the browsers of others load.
#[component]
pub fn admin<'a, R: Renderable>(
    title: &'a str,
    page: Page,
    trail: &'a [(String, String)],
    children: &R,
) -> impl Renderable {
    let top = (t("Admin"), path_to("admin.users"));
    let trail: Vec<_> = [top].into_iter().chain(trail.iter().cloned()).collect();
    let current = move |tab: Page| if tab == page { "page" } else { "" };
    rsx! {
        <Base title=title>
            <header class="border-b border-line">
                <div class="mx-auto flex max-w-5xl flex-wrap items-center justify-between gap-3 px-5 py-4 sm:px-8">
                    <Brand href=(&path_to("dashboard"))/>
                    <NavLink href=(&path_to("dashboard")) label=(&t("Back to the app")) icon=(Icon::ArrowLeft) current=""/>
                </div>
            </header>
            <div class="mx-auto max-w-5xl px-5 pt-6 pb-20 sm:px-8">
                <Breadcrumbs trail=(&trail) here=title/>
                <main id="main" tabindex="-1" class="mt-6">
                    <h1 class="font-display text-3xl font-bold tracking-[-0.02em] [overflow-wrap:anywhere]">(title)</h1>
                    <nav aria-label=(t("Admin")) class="mt-5 mb-6 flex flex-wrap gap-1">
                        <NavLink href=(&path_to("admin.users")) label=(&t("Users")) icon=(Icon::User) current=(current(Page::Users))/>
                        <NavLink href=(&path_to("admin.events")) label=(&t("Events")) icon=(Icon::Clock) current=(current(Page::Events))/>
                        <NavLink href=(&path_to("admin.jobs")) label=(&t("Jobs")) icon=(Icon::Sliders) current=(current(Page::Jobs))/>
                    </nav>
                    <div class="grid min-w-0 grid-cols-1 gap-6">
                        <StatusNotice/>
                        <ErrorSummary fields=(&["reason", "days"])/>
                        (children)
                    </div>
                </main>
            </div>
        </Base>
    }
}
