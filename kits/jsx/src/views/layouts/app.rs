use housekey::prelude::*;

use super::Base;
use super::accounts::AccountSwitcher;
use crate::views::components::{Avatar, Brand, Breadcrumbs, Icon, NavLink, ThemeSwitch};

/// Who is signed in, as the shell shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// The full name.
    pub name: String,
    /// The address they sign in with.
    pub email: String,
    /// Whether the address was proven; the settings say so when it was not.
    pub email_verified: bool,
}

/// The parts of the app that the sidebar leads to. Yours are added here and in `links`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Dashboard,
    Settings,
}

/// The shell for members: a sidebar with the parts of the app and the account menu; on a narrow screen both are behind
/// one button. Menus are native `<details>` and open without script.
#[component]
pub fn app<'a, R: Renderable>(
    title: &'a str,
    member: &'a Member,
    section: Section,
    trail: &'a [(String, String)],
    children: &R,
) -> impl Renderable {
    rsx! {
        <Base title=title private=true>
            <div class="lg:grid lg:min-h-svh lg:grid-cols-[16.5rem_minmax(0,1fr)]">
                <header class="hidden border-r border-line lg:block">
                    <div class="sticky top-0 flex h-svh flex-col gap-8 px-4 py-6">
                        <div class="px-2"><Brand href=(&path_to("dashboard"))/></div>
                        <Links section=section label=(&t("Main"))/>
                        <div class="mt-auto"><AccountMenu member=member/></div>
                    </div>
                </header>
                <header class="sticky top-0 z-20 border-b border-line bg-canvas lg:hidden">
                    <div class="flex min-h-16 items-center justify-between gap-3 px-5 sm:px-8">
                        <Brand href=(&path_to("dashboard"))/>
                        <details class="flex-none" data-menu>
                            <summary class="inline-flex min-h-10 items-center gap-2 rounded-control border border-line bg-surface px-3 text-sm font-semibold select-none">
                                <span class="text-lg leading-none">(Icon::Menu)</span>
                                (t("Menu"))
                            </summary>
                            <div class="absolute inset-x-0 top-full grid grid-cols-1 gap-4 border-b border-line bg-raised px-3 py-4 shadow-menu sm:px-6">
                                <Links section=section label=(&t("Menu"))/>
                                <div class="border-t border-line pt-4">
                                    <p class="flex items-center gap-3 px-3 pb-3"><Person member=member/></p>
                                    <AccountActions/>
                                </div>
                            </div>
                        </details>
                    </div>
                </header>
                <div class="min-w-0 px-5 pt-6 pb-20 sm:px-8 lg:px-12 lg:pt-9">
                    <div class="mx-auto max-w-5xl">
                        <Breadcrumbs trail=trail here=title/>
                        <main id="main" tabindex="-1" class="mt-6">(children)</main>
                    </div>
                </div>
            </div>
        </Base>
    }
}

#[component]
fn links<'a>(section: Section, label: &'a str) -> impl Renderable {
    rsx! {
        <nav aria-label=(label) class="grid gap-1">
            <NavLink
                href=(&path_to("dashboard"))
                label=(&t("Dashboard"))
                icon=(Icon::Home)
                current=(if section == Section::Dashboard { "true" } else { "" })
            />
            <NavLink
                href=(&path_to("settings.profile"))
                label=(&t("Settings"))
                icon=(Icon::Sliders)
                current=(if section == Section::Settings { "true" } else { "" })
            />
        </nav>
    }
}

#[component]
fn account_menu<'a>(member: &'a Member) -> impl Renderable {
    rsx! {
        <details class="group relative" data-menu>
            <summary class="flex items-center gap-2.5 rounded-control px-2 py-2 transition-colors select-none group-open:bg-sunken hover:bg-sunken">
                <Person member=member/>
                <span class="text-muted">(Icon::ChevronUp)</span>
            </summary>
            <div class="absolute inset-x-0 bottom-full mb-2 rounded-card border border-line bg-raised p-2 shadow-menu">
                <AccountActions/>
            </div>
        </details>
    }
}

#[component]
fn person<'a>(member: &'a Member) -> impl Renderable {
    rsx! {
        <Avatar name=(&member.name)/>
        <span class="grid min-w-0 grow leading-snug">
            <span class="truncate text-[0.9375rem] font-semibold">(&member.name)</span>
            <span class="truncate text-[0.8125rem] text-muted">(&member.email)</span>
        </span>
    }
}

#[component]
fn account_actions() -> impl Renderable {
    rsx! {
        <div class="grid grid-cols-1 gap-1">
            <div class="flex items-center justify-between gap-2 pr-1 pb-2 pl-3 unscripted:hidden">
                <span class="text-sm text-muted">(t("Appearance"))</span>
                <ThemeSwitch/>
            </div>
            <NavLink href=(&path_to("settings.profile")) label=(&t("Your profile")) icon=(Icon::User) current=""/>
            <AccountSwitcher/>
        </div>
    }
}
