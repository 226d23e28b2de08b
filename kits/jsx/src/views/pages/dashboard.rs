use housekey::prelude::*;

use crate::views::components::{House, Icon, StatusNotice};
use crate::views::layouts::{App, Member, Section};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct Dashboard {
    /// Who is signed in.
    pub member: Member,
    /// How many passkeys the account has. `None` where the app has none to offer.
    pub passkeys: Option<usize>,
    /// Whether two-factor sign-in is on. `None` where the app does not offer it.
    pub two_factor: Option<bool>,
    /// How many devices are signed in, this one included.
    pub sessions: u64,
}

/// `GET /dashboard`. Yours to replace: the first-run checklist is all there is to see yet.
pub fn dashboard(props: &Dashboard) -> impl Renderable {
    let address = Step {
        done: props.member.email_verified,
        title: t("Confirm your address"),
        text: t("Open the link in the mail we sent you. It shows that the address is yours."),
        route: "verify-email",
    };
    let offered = [
        props.passkeys.map(|count| Step {
            done: count > 0,
            title: t("Add a passkey"),
            text: t("Sign in with a finger, a face or a PIN. Nothing to remember, nothing to steal."),
            route: "settings.passkeys",
        }),
        props.two_factor.map(|done| Step {
            done,
            title: t("Turn on two-factor sign-in"),
            text: t("A code from your phone beside the password."),
            route: "settings.two-factor",
        }),
    ];
    let steps: Vec<Step> = [Some(address)].into_iter().chain(offered).flatten().collect();
    let lit: Vec<bool> = steps.iter().map(|step| step.done).collect();
    let done = lit.iter().filter(|done| **done).count();
    let first_name = props.member.name.split_whitespace().next().unwrap_or_default();
    let greeting = if done == steps.len() {
        t("All the lights are on.")
    } else {
        t("A few things make this account safely yours.")
    };
    rsx! {
        <App title=(&t("Dashboard")) member=(&props.member) section=(Section::Dashboard) trail=(&[])>
            <div class="grid grid-cols-1 gap-8">
                <StatusNotice/>
                <div>
                    <h1 class="font-display text-3xl font-bold tracking-[-0.02em] sm:text-4xl">
                        (t!("Hello, :name.", name = first_name))
                    </h1>
                    <p class="mt-2 text-lg text-muted">(greeting)</p>
                </div>
                <section class="overflow-hidden rounded-card border border-line bg-surface shadow-card lg:grid lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)]" aria-labelledby="checklist">
                    <div class="p-5 sm:p-8">
                        <div class="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
                            <h2 id="checklist" class="font-display text-xl font-semibold tracking-tight">(t("First steps"))</h2>
                            <p class="text-sm text-muted">
                                (t!(":done of :all done", done, all = steps.len()))
                            </p>
                        </div>
                        <ol class="mt-4 divide-y divide-line">
                            @for step in &steps { (row(step)) }
                        </ol>
                    </div>
                    <div class="flex items-end overflow-hidden bg-linear-to-b from-sky to-sky-low px-6 pt-8 sm:px-14 lg:px-10"><House lit=(&lit)/></div>
                </section>
                <div class="grid gap-4 sm:grid-cols-2">
                    <a href=(path_to("settings.sessions")) class="group grid content-start gap-1 rounded-card border border-line bg-surface p-5 shadow-card transition-colors hover:border-edge sm:p-6">
                        <span class="flex items-center justify-between gap-3 font-semibold">
                            (t_plural("One device is signed in|:count devices are signed in", i64::try_from(props.sessions).unwrap_or(i64::MAX)))
                            <span class="text-muted transition-transform group-hover:translate-x-0.5">(Icon::ArrowRight)</span>
                        </span>
                        <span class="text-[0.9375rem] text-pretty text-muted">(t("See which, and end those you do not know."))</span>
                    </a>
                    <div class="grid content-start gap-1 rounded-card border border-dashed border-edge p-5 sm:p-6">
                        <p class="font-semibold">(t("Room for what you build"))</p>
                        <p class="text-[0.9375rem] text-muted">
                            (t("This page is")) " "
                            <code class="font-mono text-sm text-ink [overflow-wrap:anywhere]">"src/views/pages/dashboard.rs"</code>
                            "."
                        </p>
                    </div>
                </div>
            </div>
        </App>
    }
}

struct Step {
    done: bool,
    title: String,
    text: String,
    /// Where it is done.
    route: &'static str,
}

fn row(step: &Step) -> impl Renderable {
    let (mark, colours, title) = if step.done {
        (Some(Icon::Check), "bg-success-soft text-success", "text-muted line-through decoration-1")
    } else {
        (None, "border-2 border-edge", "")
    };
    rsx! {
        <li class="flex items-start gap-4 py-4 last:pb-0">
            <span class={ "mt-0.5 grid size-6 flex-none place-items-center rounded-full text-sm " (colours) }>
                @if let Some(icon) = mark { (icon) }
            </span>
            <div class="min-w-0 grow">
                @if step.done {
                    <p class={ "font-semibold " (title) }>(&step.title) <span class="sr-only">" (" (t("done")) ")"</span></p>
                } @else {
                    <p><a href=(path_to(step.route)) class="link">(&step.title)</a></p>
                    <p class="mt-0.5 text-[0.9375rem] text-muted">(&step.text)</p>
                }
            </div>
        </li>
    }
}
