use housekey::prelude::*;
use housekey::view::Raw;

use crate::views::components::{
    Actions, Badge, Button, Card, ConfirmedForm, Form, GroupedKey, Icon, Kind, Notice, Otp, Tone,
};
use crate::views::layouts::{Member, Settings, Tab};

/// What the page wants to know. It carries a secret while two-factor sign-in is being set up: answer it with
/// `cache-control: no-store`.
#[derive(Clone, Debug, Default)]
pub struct TwoFactorSettings {
    /// Who is signed in.
    pub member: Member,
    /// How far two-factor sign-in is set up.
    pub state: TwoFactorState,
}

/// How far it is.
#[derive(Clone, Debug, Default)]
pub enum TwoFactorState {
    #[default]
    Off,
    /// The secret exists; the first code from the app has not been seen yet.
    Pending {
        /// The picture for the app's camera: an SVG made by the server.
        qr_svg: String,
        /// The same for typing, in base 32.
        key: String,
    },
    On {
        /// How many recovery codes were not used yet.
        codes_left: usize,
        /// Fresh codes, shown this once; empty at every later visit.
        recovery_codes: Vec<String>,
    },
}

/// Below this many codes the page asks for new ones.
const FEW: usize = 3;

/// `GET /settings/two-factor`
pub fn two_factor(props: &TwoFactorSettings) -> impl Renderable {
    let fields: &[&str] = if matches!(props.state, TwoFactorState::Pending { .. }) { &["code"] } else { &[] };
    rsx! {
        <Settings tab=(Tab::TwoFactor) member=(&props.member) fields=fields>
            @match &props.state {
                TwoFactorState::Off => (off()),
                TwoFactorState::Pending { qr_svg, key } => (pending(qr_svg, key)),
                TwoFactorState::On { codes_left, recovery_codes } => {
                    @if !recovery_codes.is_empty() { (fresh_codes(recovery_codes, &props.member.email)) }
                    (on(*codes_left, !recovery_codes.is_empty()))
                }
            }
        </Settings>
    }
}

fn off() -> impl Renderable {
    rsx! {
        <Card
            title=(&t("Two-factor sign-in"))
            text=(&t("With it, a stolen password is not enough: signing in also takes a code from an app on your phone."))
        >
            <div class="flex items-baseline gap-3">
                <Badge kind=(Kind::Info) text=(&t("Off"))/>
                <p class="text-[0.9375rem] text-muted">
                    (t("You need an authenticator app. The one built into your phone or password manager will do."))
                </p>
            </div>
            <Form action=(&path_to("settings.two-factor.enable")) method="POST">
                <Actions><Button label=(&t("Set it up")) icon=(Some(Icon::Shield)) ../></Actions>
            </Form>
        </Card>
    }
}

fn pending<'a>(qr_svg: &'a str, key: &'a str) -> impl Renderable + use<'a> {
    // XSS SAFETY: drawn by the server from a secret of its own. What comes before the element (an XML header) is no HTML.
    let picture = Raw::dangerously_create(&qr_svg[qr_svg.find("<svg").unwrap_or(qr_svg.len())..]);
    rsx! {
        <Card title=(&t("Set up two-factor sign-in")) text="">
            <ol class="grid gap-7">
                <li class="grid gap-4">
                    <p><strong class="font-semibold">"1. " (t("Scan this with your authenticator app"))</strong></p>
                    <div class="grid items-start gap-5 sm:grid-cols-[auto_minmax(0,1fr)]">
                        <div role="img" aria-label=(t("QR code with your key")) class="w-48 rounded-control border border-line bg-paper p-3 [&_svg]:block [&_svg]:h-auto [&_svg]:w-full">
                            (picture)
                        </div>
                        <div class="grid gap-2 text-[0.9375rem]">
                            <p class="text-muted">(t("No camera at hand? Type this key into the app:"))</p>
                            <GroupedKey key=key/>
                        </div>
                    </div>
                </li>
                <li class="grid gap-4">
                    <p><strong class="font-semibold">"2. " (t("Type the code it shows"))</strong></p>
                    <div class="max-w-xs">
                        <Form action=(&path_to("settings.two-factor.confirm")) method="POST">
                            <Otp label=(&t("Six-digit code")) ../>
                            <Actions><Button label=(&t("Turn it on")) ../></Actions>
                        </Form>
                    </div>
                </li>
            </ol>
            <div class="border-t border-line pt-5">
                <Form action=(&path_to("settings.two-factor.disable")) method="DELETE">
                    <Actions><Button label=(&t("Cancel the set-up")) tone=(Tone::Quiet) small=true ../></Actions>
                </Form>
            </div>
        </Card>
    }
}

fn fresh_codes<'a>(codes: &'a [String], email: &'a str) -> impl Renderable + use<'a> {
    let app = service::<AppConfig>().unwrap_or_default();
    rsx! {
        <section
            class="rounded-card border-2 border-lamp bg-surface p-5 shadow-card sm:p-7"
            aria-labelledby="recovery-codes"
            data-print
            data-recovery-codes
            data-file-name="recovery-codes.txt"
        >
            <h2 id="recovery-codes" class="font-display text-xl font-semibold tracking-tight">(t("Keep these recovery codes"))</h2>
            <p class="mt-1 max-w-prose text-[0.9375rem] text-muted">
                (t("Each lets you in once when your phone is out of reach. They are shown only now: store them where you keep what matters."))
            </p>
            <p class="mt-4 text-sm text-muted">(&app.name) " · " (email)</p>
            <ul class="mt-3 grid gap-x-8 gap-y-2 rounded-control bg-sunken px-4 py-4 font-mono text-base tracking-wide tabular-nums sm:grid-cols-2" data-copy-source>
                @for code in codes { <li>(code)</li> }
            </ul>
            <div class="mt-5 flex flex-wrap gap-3 unscripted:hidden" data-print-hidden>
                <Button label=(&t("Copy")) icon=(Some(Icon::Copy)) tone=(Tone::Quiet) action=(Some("copy")) ../>
                <Button label=(&t("Download")) icon=(Some(Icon::Download)) tone=(Tone::Quiet) action=(Some("download")) ../>
                <Button label=(&t("Print")) icon=(Some(Icon::Printer)) tone=(Tone::Quiet) action=(Some("print")) ../>
                <p role="status" class="self-center text-sm font-medium text-success" data-copied=(t("Copied."))></p>
            </div>
        </section>
    }
}

fn on(codes_left: usize, just_made: bool) -> impl Renderable {
    let left = i64::try_from(codes_left).unwrap_or(i64::MAX);
    let few = codes_left <= FEW && !just_made;
    rsx! {
        <Card
            title=(&t("Two-factor sign-in"))
            text=(&t("Signing in takes your password and a code from your app."))
        >
            <div class="flex flex-wrap items-center justify-between gap-3">
                <Badge kind=(Kind::Success) text=(&t("On"))/>
                <ConfirmedForm
                    id="turn-off"
                    action=(&path_to("settings.two-factor.disable"))
                    method="DELETE"
                    label=(&t("Turn it off"))
                    tone=(Tone::Quiet)
                    title=(&t("Turn off two-factor sign-in?"))
                    text=(&t("From then on your password alone is enough. The recovery codes stop working."))
                    ..
                />
            </div>
        </Card>
        <Card title=(&t("Recovery codes")) text=(&t("For the day your phone is lost. Each one works once."))>
            @if few {
                <Notice kind=(Kind::Warning)>
                    <p class="font-semibold">
                        @if codes_left == 0 {
                            (t("No recovery code is left."))
                        } @else {
                            (t_plural("Only one recovery code is left.|Only :count recovery codes are left.", left))
                        }
                    </p>
                    <p>(t("Make new ones while you can sign in."))</p>
                </Notice>
            } @else {
                <p>(t_plural("One code is left.|:count codes are left.", left))</p>
            }
            <ConfirmedForm
                id="new-codes"
                action=(&path_to("settings.two-factor.recovery-codes"))
                method="POST"
                label=(&t("Make new codes"))
                tone=(if few { Tone::Primary } else { Tone::Quiet })
                title=(&t("Make new recovery codes?"))
                text=(&t("The old ones stop working at once."))
                ..
            />
        </Card>
    }
}
