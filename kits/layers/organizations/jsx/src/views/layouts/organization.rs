use housekey::prelude::*;

use super::{App, Member, Section};
use crate::views::components::{ErrorSummary, Icon, NavLink, StatusNotice};

/// The pages of an organisation, in the order of the tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrganizationTab {
    General,
    Members,
    Invitations,
}

impl OrganizationTab {
    const ALL: [Self; 3] = [Self::General, Self::Members, Self::Invitations];

    /// The name of its route.
    const fn route(self) -> &'static str {
        match self {
            Self::General => "settings.organization",
            Self::Members => "settings.organization.members",
            Self::Invitations => "settings.organization.invitations",
        }
    }

    const fn icon(self) -> Icon {
        match self {
            Self::General => Icon::Sliders,
            Self::Members => Icon::People,
            Self::Invitations => Icon::Mail,
        }
    }

    fn title(self) -> String {
        match self {
            Self::General => t("General"),
            Self::Members => t("Members"),
            Self::Invitations => t("Invitations"),
        }
    }
}

/// What is looked after together, inside the shell. `name` is that of the organisation, `fields` are those the page itself shows
/// messages at.
#[component]
pub fn organization<'a, R: Renderable>(
    tab: OrganizationTab,
    member: &'a Member,
    name: &'a str,
    fields: &'a [&'static str],
    children: &R,
) -> impl Renderable {
    let trail = [(name.to_owned(), path_to("settings.organization"))];
    rsx! {
        <App title=(&tab.title()) member=member section=(Section::Organization) trail=(&trail)>
            <h1 class="font-display text-3xl font-bold tracking-[-0.02em]">(tab.title())</h1>
            <div class="mt-6 gap-10 md:grid md:grid-cols-[11.5rem_minmax(0,1fr)] md:items-start lg:gap-12">
                <nav
                    aria-label=(t("Organization"))
                    class="-mx-5 mb-6 flex gap-1 overflow-x-auto px-5 py-1 max-md:unscripted:flex-wrap sm:-mx-8 sm:px-8 md:sticky md:top-24 md:mx-0 md:mb-0 md:grid md:overflow-visible md:p-0 lg:top-9"
                    data-tabs
                >
                    @for other in OrganizationTab::ALL {
                        <NavLink href=(&path_to(other.route())) label=(&other.title()) icon=(other.icon()) current=(if other == tab { "page" } else { "" })/>
                    }
                </nav>
                <div class="grid min-w-0 max-w-2xl grid-cols-1 gap-6">
                    <StatusNotice/>
                    <ErrorSummary fields=fields/>
                    (children)
                </div>
            </div>
        </App>
    }
}
