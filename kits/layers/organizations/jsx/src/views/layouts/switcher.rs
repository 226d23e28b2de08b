use housekey::prelude::*;

use crate::controllers::organizations::mine::Mine;
use crate::middleware::my_organizations;
use crate::views::components::{Form, Icon, NavLink};

/// The organisation one works in, and the way to the others. For the sidebar: a native `<details>`, which opens without
/// script. Pages that the middleware `organizations` does not stand in front of have none.
#[component]
pub fn switcher() -> impl Renderable {
    let mine = my_organizations();
    rsx! {
        @if let Some(mine) = &mine {
            <details class="group relative -my-3" data-menu>
                <summary class="flex items-center gap-2.5 rounded-control border border-line bg-surface px-2.5 py-2 transition-colors select-none group-open:bg-sunken hover:bg-sunken">
                    (current(mine))
                    <span class="text-muted">(Icon::ChevronDown)</span>
                </summary>
                <div class="absolute inset-x-0 top-full z-10 mt-2 max-h-[70svh] overflow-y-auto rounded-card border border-line bg-raised p-2 shadow-menu">
                    (list(mine))
                </div>
            </details>
        }
    }
}

/// The same, unfolded: for the menu of a narrow screen.
#[component]
pub fn organization_list() -> impl Renderable {
    let mine = my_organizations();
    rsx! {
        @if let Some(mine) = &mine {
            <div class="border-b border-line pb-4">(list(mine))</div>
        }
    }
}

fn current(mine: &[Mine]) -> impl Renderable + use<> {
    let name = mine.iter().find(|organization| organization.current).map(|current| current.name.clone());
    let chosen = name.is_some();
    let name = name.unwrap_or_else(|| t("No organization"));
    rsx! {
        <span class="grid size-8 flex-none place-items-center rounded-control bg-accent-soft text-lg leading-none text-link">(Icon::Building)</span>
        <span class={ "min-w-0 grow truncate text-[0.9375rem] font-semibold" @if !chosen { " text-muted" } }>
            <span class="sr-only">(t("Organization")) ": "</span>
            (name)
        </span>
    }
}

fn list(mine: &[Mine]) -> impl Renderable + use<'_> {
    rsx! {
        <div class="grid grid-cols-1 gap-1">
            @if !mine.is_empty() {
                <ul aria-label=(t("Your organizations")) class="grid grid-cols-1 gap-1 border-b border-line pb-1">
                    @for organization in mine { <li>(entry(organization))</li> }
                </ul>
            }
            <NavLink href=(&path_to("organizations")) label=(&t("All organizations")) icon=(Icon::People) current=""/>
            <NavLink href=(&path_to("organizations.create")) label=(&t("New organization")) icon=(Icon::Plus) current=""/>
        </div>
    }
}

fn entry(organization: &Mine) -> impl Renderable + use<'_> {
    rsx! {
        @if organization.current {
            <p class="flex min-h-10 items-center gap-3 rounded-control bg-accent-soft px-3 py-1.5 text-[0.9375rem] font-semibold">
                <span class="text-lg leading-none">(Icon::Check)</span>
                <span class="min-w-0 truncate">(&organization.name)</span>
                <span class="sr-only">(t("(you are here)"))</span>
            </p>
        } @else {
            <Form action=(&path_to("organizations.switch")) method="POST">
                <input type="hidden" name="organization" value=(&organization.id)>
                <button class="flex min-h-10 w-full items-center gap-3 rounded-control px-3 py-1.5 text-left text-[0.9375rem] font-medium text-muted transition-colors hover:bg-sunken hover:text-ink">
                    <span class="text-lg leading-none">(Icon::Building)</span>
                    <span class="sr-only">(t("Switch to"))</span>
                    <span class="min-w-0 truncate">(&organization.name)</span>
                </button>
            </Form>
        }
    }
}
