use housekey::prelude::*;

use crate::controllers::device::asked::Asked;
use crate::controllers::device::standing::DeviceDecision;
use crate::views::components::{Button, ButtonLink, Form, Icon, Kind, Moment, Notice, Tone, UserCode, When};
use crate::views::layouts::Guest;

/// What the page with the form wants to know.
#[derive(Clone, Debug, Default)]
pub struct DeviceEntry {
    /// Who is signed in.
    pub email: String,
    /// The code that stood in the address, or was refused.
    pub code: String,
}

/// What the page that asks wants to know.
#[derive(Clone, Debug, Default)]
pub struct DeviceQuestion {
    /// As whom the device would be signed in.
    pub email: String,
    pub asked: Asked,
    /// When it asked.
    pub at: Option<Moment>,
}

/// `GET /device`: where the code of a device is entered.
pub fn device_entry(props: &DeviceEntry) -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Sign in a device"))
            heading=(&t("Sign in a device"))
            text=(&t("Your command line, television or other device shows a short code. Enter it here."))
        >
            <Form action=(&path_to("device.enter")) method="POST">
                <UserCode value=(&props.code)/>
                <Button label=(&t("Go on")) wide=true ../>
            </Form>
            <p class="text-[0.9375rem] text-muted">
                (t("Nothing is decided yet: you see what the device asks for first.")) " "
                (t("You are signed in as")) " "
                <strong class="font-semibold text-ink [overflow-wrap:anywhere]">(&props.email)</strong>
                "."
            </p>
            (to_dashboard(&t("Not now")))
        </Guest>
    }
}

/// `GET /device/confirm`: who asks for what, from where and when. A stranger may have started it and talked somebody into entering
/// the code; this is where they can tell.
pub fn device_question(props: &DeviceQuestion) -> impl Renderable {
    let DeviceQuestion { email, asked, at } = props;
    rsx! {
        <Guest title=(&t("Let this device in?")) heading=(&t("Let this device in?")) text="">
            <Notice kind=(Kind::Warning)>
                <p class="font-semibold">
                    (t("Only go on if you started this yourself, and the code is the one on your device."))
                </p>
                <p class="mt-1">(t("Did somebody send you this code, or a link to it? Then turn the device away."))</p>
            </Notice>
            <p class="grid gap-0.5 rounded-control border border-line bg-surface px-4 py-3 text-center">
                <span class="text-sm text-muted">(t("The code you entered"))</span>
                <strong class="font-mono text-2xl font-semibold tracking-[0.15em] [overflow-wrap:anywhere]">(&asked.code)</strong>
            </p>
            <dl class="grid grid-cols-1 gap-2.5 rounded-control bg-sunken px-3.5 py-3 text-[0.9375rem]">
                (row(&t("It calls itself"), &asked.client))
                <div class="flex gap-3">
                    (term(&t("It asks for")))
                    <dd class="flex min-w-0 flex-wrap items-center gap-1.5">
                        @if asked.scopes.is_empty() { (t("nothing in particular")) }
                        @for scope in &asked.scopes { <code class="rounded-md bg-surface px-1.5 py-0.5 font-mono text-sm [overflow-wrap:anywhere]">(scope)</code> }
                    </dd>
                </div>
                (row(&t("Address"), &asked.address))
                (row(&t("Program"), &asked.program))
                @if let Some(at) = at {
                    <div class="flex gap-3">(term(&t("Asked")))<dd class="font-semibold"><When moment=at/></dd></div>
                }
                (row(&t("Signed in as"), email))
            </dl>
            <p class="text-[0.9375rem] text-muted">
                (t("Nobody has checked its name. Once in, it can do what you can, until you end its session in your settings."))
            </p>
            <div class="grid gap-3">
                <Form action=(&path_to("device.approve")) method="POST">
                    <input type="hidden" name="user_code" value=(&asked.entered)>
                    <Button label=(&t("Let it in")) wide=true ../>
                </Form>
                <Form action=(&path_to("device.deny")) method="POST">
                    <input type="hidden" name="user_code" value=(&asked.entered)>
                    <Button label=(&t("Turn it away")) tone=(Tone::Quiet) wide=true ../>
                </Form>
            </div>
            <p>
                <a href=(path_to("device")) class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                    (Icon::ArrowLeft) (t("Enter another code"))
                </a>
            </p>
        </Guest>
    }
}

/// `GET /device/done`
pub fn device_done(decision: DeviceDecision) -> impl Renderable {
    let (heading, text) = match decision {
        DeviceDecision::Approved => (
            t("The device is let in"),
            t("It takes a few seconds until it notices. You can close this page and go back to it."),
        ),
        DeviceDecision::Denied => (
            t("The device is turned away"),
            t(
                "It got nothing of yours, and you can close this page. If somebody sent you the code, do not answer them.",
            ),
        ),
    };
    rsx! {
        <Guest title=(&heading) heading=(&heading) text=(&text)>
            @if decision == DeviceDecision::Approved {
                <ButtonLink href=(&path_to("settings.sessions")) label=(&t("See where you are signed in")) tone=(Tone::Quiet) wide=true ../>
            }
            (to_dashboard(&t("Go to the dashboard")))
        </Guest>
    }
}

fn row(label: &str, value: &str) -> impl Renderable {
    rsx! {
        @if !value.is_empty() {
            <div class="flex gap-3">
                (term(label))
                <dd class="min-w-0 font-semibold [overflow-wrap:anywhere]">(value)</dd>
            </div>
        }
    }
}

fn term(label: &str) -> impl Renderable {
    rsx! { <dt class="w-24 flex-none text-muted">(label)</dt> }
}

fn to_dashboard(label: &str) -> impl Renderable {
    rsx! {
        <p>
            <a href=(path_to("dashboard")) class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                (Icon::ArrowLeft) (label)
            </a>
        </p>
    }
}
