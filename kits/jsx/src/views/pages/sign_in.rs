use housekey::prelude::*;

use crate::views::components::{
    Alert, Button, Checkbox, Countdown, Field, Form, Icon, Kind, Notice, PasskeyError, Password, Tone,
};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct SignIn {
    /// Whether passkeys are part of the app: the button, and the suggestions in the e-mail field.
    pub passkeys: bool,
    /// Where a sign-in with a passkey leads, which happens without a form.
    pub destination: String,
    /// Whether there is a page to sign up.
    pub sign_up_open: bool,
    /// Seconds to wait after too many attempts.
    pub retry_after: Option<u64>,
    /// What ran out and led here.
    pub expired: Option<Expired>,
    /// Where mails can be read in development.
    pub mailbox: Option<String>,
}

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expired {
    /// The person was signed in, for long enough.
    Session,
    /// The code of the second step was not given in time.
    Challenge,
}

/// `GET /sign-in`
pub fn sign_in(props: &SignIn) -> impl Renderable {
    // One message for every reason, and above the form: it must not tell whether the address is known.
    let refused = errors().first("email");
    let doubted = refused.is_some();
    let email_autocomplete = if props.passkeys { "username webauthn" } else { "username" };
    rsx! {
        <Guest title=(&t("Sign in", &[])) heading=(&t("Welcome back", &[])) text="">
            @if let Some(expired) = props.expired { <Alert text=(&sentence(expired)) ../> }
            <Form action="/sign-in" method="POST">
                @if let Some(seconds) = props.retry_after {
                    <Countdown text=(&t("Too many attempts.", &[])) seconds=seconds/>
                }
                @if let Some(message) = &refused {
                    <Alert kind=(Kind::Danger) id=(Some("form-error")) text=(message)/>
                }
                <Field
                    name="email"
                    label=(&t("E-mail", &[]))
                    kind="email"
                    autocomplete=email_autocomplete
                    required=true
                    autofocus=true
                    doubted=doubted
                    ..
                />
                <div class="relative">
                    <Password
                        name="password"
                        label=(&t("Password", &[]))
                        autocomplete="current-password"
                        doubted=doubted
                        ..
                    />
                    // Beside the label for the eye, after the field for the keyboard.
                    <a href="/forgot-password" class="link absolute top-0 right-0 text-sm">(t("Forgot it?", &[]))</a>
                </div>
                <Checkbox name="remember" label=(&t("Keep me signed in", &[])) ../>
                <Button label=(&t("Sign in", &[])) wide=true ../>
            </Form>
            @if props.passkeys {
                <div class="hidden gap-5 scripted:grid" data-passkey="sign-in" data-destination=(&props.destination)>
                    <p class="flex items-center gap-4 text-sm text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
                        (t("or", &[]))
                    </p>
                    <Button
                        label=(&t("Sign in with a passkey", &[]))
                        tone=(Tone::Quiet)
                        icon=(Some(Icon::Key))
                        wide=true
                        action=(Some("passkey-sign-in"))
                        ..
                    />
                    <PasskeyError/>
                </div>
            }
            @if props.sign_up_open {
                <p class="text-[0.9375rem] text-muted">
                    (t("New here?", &[])) " "
                    <a href="/sign-up" class="link">(t("Create an account", &[]))</a>
                </p>
            }
            @if let Some(mailbox) = &props.mailbox {
                <Notice kind=(Kind::Info)>
                    (t("In development every mail of this app is kept here:", &[])) " "
                    <a href=(mailbox) class="link">(t("open the mailbox", &[]))</a>
                </Notice>
            }
        </Guest>
    }
}

fn sentence(expired: Expired) -> String {
    match expired {
        Expired::Session => {
            t("You were signed out after a while without a visit. Please sign in again.", &[])
        }
        Expired::Challenge => t("That took too long. Please begin again with your password.", &[]),
    }
}
