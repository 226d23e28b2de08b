use housekey::prelude::*;

use crate::views::components::{Brand, ButtonLink, Icon, StatusNotice, Street, ThemeSwitch, Tone};
use crate::views::layouts::{Base, Member};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct Welcome {
    /// Who is signed in, if anybody is.
    pub member: Option<Member>,
    /// Whether there is a page to sign up.
    pub sign_up_open: bool,
}

/// `GET /`: the first page. Yours to replace.
pub fn welcome(props: &Welcome) -> impl Renderable {
    let app = service::<AppConfig>().unwrap_or_default();
    let rooms = rooms();
    rsx! {
        <Base title=(&t("Welcome")) private=false>
            <div class="bg-linear-to-b from-canvas to-sky">
                <header class="mx-auto flex max-w-6xl items-center justify-between gap-4 px-5 py-5 sm:px-8">
                    <Brand href=(&path_to("home"))/>
                    <nav aria-label=(t("Account")) class="flex items-center gap-2 sm:gap-4">
                        <span class="hidden sm:block"><ThemeSwitch/></span>
                        @if props.member.is_some() {
                            <ButtonLink href=(&path_to("dashboard")) label=(&t("Dashboard")) tone=(Tone::Quiet) small=true ../>
                        } @else {
                            <ButtonLink href=(&path_to("sign-in")) label=(&t("Sign in")) tone=(Tone::Quiet) small=true ../>
                        }
                    </nav>
                </header>
                <main id="main" tabindex="-1" class="overflow-hidden">
                    <div class="mx-auto grid max-w-6xl justify-items-center gap-7 px-5 pt-12 pb-10 text-center sm:px-8 sm:pt-20">
                        <StatusNotice/>
                        <h1 class="max-w-[16ch] font-display text-5xl leading-[0.98] font-extrabold tracking-[-0.035em] [overflow-wrap:anywhere] sm:text-7xl">
                            @if let Some(member) = &props.member {
                                (t!("Good to see you, :name.", name = first_word(&member.name)))
                            } @else {
                                (t("Somebody is home."))
                            }
                        </h1>
                        <p class="max-w-xl text-lg text-muted">
                            (t("Accounts, sessions, two-factor sign-in and passkeys are in place. The rest of the house is yours to build."))
                        </p>
                        <div class="flex flex-wrap justify-center gap-3">
                            @if props.member.is_some() {
                                <ButtonLink href=(&path_to("dashboard")) label=(&t("Go to the dashboard")) ../>
                                <ButtonLink href=(&path_to("settings.profile")) label=(&t("Settings")) tone=(Tone::Quiet) ../>
                            } @else {
                                @if props.sign_up_open {
                                    <ButtonLink href=(&path_to("sign-up")) label=(&t("Create an account")) ../>
                                }
                                <ButtonLink href=(&path_to("sign-in")) label=(&t("Sign in")) tone=(if props.sign_up_open { Tone::Quiet } else { Tone::Primary }) ../>
                            }
                        </div>
                    </div>
                    <Street/>
                </main>
            </div>
            <section class="mx-auto max-w-6xl px-5 py-16 sm:px-8 sm:py-24" aria-labelledby="rooms">
                <h2 id="rooms" class="max-w-[22ch] font-display text-3xl font-bold tracking-[-0.02em]">(t("What is behind the door"))</h2>
                <ul class="mt-10 grid gap-x-12 gap-y-9 sm:grid-cols-2 lg:grid-cols-3">
                    @for (icon, title, text) in &rooms {
                        <li class="border-t border-line pt-5">
                            <span class="text-2xl text-link">(icon)</span>
                            <h3 class="mt-2 font-semibold">(title)</h3>
                            <p class="mt-1 text-[0.9375rem] text-muted">(text)</p>
                        </li>
                    }
                </ul>
            </section>
            <footer class="border-t border-line">
                <p class="mx-auto flex max-w-6xl flex-wrap gap-x-8 gap-y-2 px-5 py-6 text-sm text-muted sm:px-8">
                    <span>(t("This page is")) " " <code class="font-mono text-ink">"src/views/pages/welcome.rs"</code></span>
                    <span>(t("Environment")) ": " %(app.env)</span>
                    <span>(t("Version")) ": " (env!("CARGO_PKG_VERSION"))</span>
                </p>
            </footer>
        </Base>
    }
}

fn rooms() -> [(Icon, String, String); 6] {
    [
        (Icon::User, t("Accounts"), t("Sign-up, sign-in, a profile, and a way to leave.")),
        (Icon::Mail, t("Mail that waits"), t("A link is spent by a press, not by a scanner that opened it.")),
        (Icon::Shield, t("A second factor"), t("A code from the phone, and ten for the day it is lost.")),
        (Icon::Key, t("Passkeys"), t("A finger instead of a password, from the field itself.")),
        (Icon::Laptop, t("Sessions in view"), t("Every device that is signed in, and an end to each.")),
        (Icon::Moon, t("Day and night"), t("One file of colours, and no flash in between.")),
    ]
}

fn first_word(name: &str) -> &str {
    name.split_whitespace().next().unwrap_or(name)
}
