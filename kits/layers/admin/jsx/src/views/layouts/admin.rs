use housekey::prelude::*;

use super::{App, Member, Section};
use crate::views::components::{ErrorSummary, Icon, NavLink, StatusNotice};

/// The pages for admins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    Users,
    Events,
    Jobs,
}

/// The pages for admins inside the shell.
#[component]
pub fn admin<'a, R: Renderable>(
    title: &'a str,
    page: Page,
    trail: &'a [(String, String)],
    children: &R,
) -> impl Renderable {
    let member = user().map(|user| Member {
        name: user.name.clone(),
        email: user.email.clone(),
        email_verified: user.email_verified,
    });
    let member = member.unwrap_or_default();
    let top = (t("Admin"), path_to("admin.users"));
    let trail: Vec<_> = [top].into_iter().chain(trail.iter().cloned()).collect();
    let current = move |tab: Page| if tab == page { "page" } else { "" };
    rsx! {
        <App title=title member=(&member) section=(Section::Admin) trail=(&trail)>
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
        </App>
    }
}
