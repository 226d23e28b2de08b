use housekey::auth::{Feature, offers};
use housekey::prelude::*;

use super::{App, Member, Section};
use crate::views::components::{ErrorSummary, Icon, NavLink, StatusNotice};

/// The pages of the settings, in the order of the tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    Profile,
    Password,
    TwoFactor,
    Passkeys,
    Sessions,
    Appearance,
    Account,
}

impl Tab {
    const ALL: [Self; 7] = [
        Self::Profile,
        Self::Password,
        Self::TwoFactor,
        Self::Passkeys,
        Self::Sessions,
        Self::Appearance,
        Self::Account,
    ];

    /// Whether there is such a page: what `config/auth.rs` does not turn on has none.
    fn is_offered(self) -> bool {
        match self {
            Self::Profile | Self::Sessions | Self::Appearance | Self::Account => true,
            Self::Password => offers(Feature::Password),
            Self::TwoFactor => offers(Feature::TwoFactor),
            Self::Passkeys => offers(Feature::Passkeys),
        }
    }

    /// The name of its route.
    const fn route(self) -> &'static str {
        match self {
            Self::Profile => "settings.profile",
            Self::Password => "settings.password",
            Self::TwoFactor => "settings.two-factor",
            Self::Passkeys => "settings.passkeys",
            Self::Sessions => "settings.sessions",
            Self::Appearance => "settings.appearance",
            Self::Account => "settings.account",
        }
    }

    const fn icon(self) -> Icon {
        match self {
            Self::Profile => Icon::User,
            Self::Password => Icon::Lock,
            Self::TwoFactor => Icon::Shield,
            Self::Passkeys => Icon::Key,
            Self::Sessions => Icon::Laptop,
            Self::Appearance => Icon::Sun,
            Self::Account => Icon::Sliders,
        }
    }

    fn title(self) -> String {
        match self {
            Self::Profile => t("Profile"),
            Self::Password => t("Password"),
            Self::TwoFactor => t("Two-factor"),
            Self::Passkeys => t("Passkeys"),
            Self::Sessions => t("Sessions"),
            Self::Appearance => t("Appearance"),
            Self::Account => t("Account"),
        }
    }
}

/// The settings inside the shell: tabs at the side, above the page on a narrow screen. `fields` are those the page itself
/// shows messages at.
#[component]
pub fn settings<'a, R: Renderable>(
    tab: Tab,
    member: &'a Member,
    fields: &'a [&'static str],
    children: &R,
) -> impl Renderable {
    let trail = [(t("Settings"), path_to("settings.profile"))];
    rsx! {
        <App title=(&tab.title()) member=member section=(Section::Settings) trail=(&trail)>
            <h1 class="font-display text-3xl font-bold tracking-[-0.02em]">(tab.title())</h1>
            <div class="mt-6 gap-10 md:grid md:grid-cols-[11.5rem_minmax(0,1fr)] md:items-start lg:gap-12">
                <nav
                    aria-label=(t("Settings"))
                    class="-mx-5 mb-6 flex gap-1 overflow-x-auto px-5 py-1 max-md:unscripted:flex-wrap sm:-mx-8 sm:px-8 md:sticky md:top-24 md:mx-0 md:mb-0 md:grid md:overflow-visible md:p-0 lg:top-9"
                    data-tabs
                >
                    @for other in Tab::ALL.into_iter().filter(|tab| tab.is_offered()) {
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
