use housekey::auth::SocialProvider;
use housekey::prelude::*;

use crate::views::components::{
    Alert, Button, Checkbox, Divider, Field, Form, Icon, Kind, Notice, PasskeyError, Password, SocialButtons,
    Tone,
};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct SignIn {
    /// Whether people have passwords here: the form, and the way to a forgotten one.
    pub passwords: bool,
    /// Whether passkeys are part of the app: the button, and the suggestions in the e-mail field.
    pub passkeys: bool,
    /// The providers that people may sign in with instead.
    pub providers: Vec<SocialProvider>,
    /// How this browser signed in last: `password`, `passkey`, or the id of a provider.
    pub last_used: Option<String>,
    /// Why a sign-in with a provider was refused, and what to do.
    pub refused: Option<String>,
    /// Where a sign-in with a passkey leads, which happens without a form.
    pub destination: String,
    /// Whether there is a page to sign up.
    pub sign_up_open: bool,
    /// Whether the person was signed in until now.
    pub expired: bool,
    /// Where mails can be read in development.
    pub mailbox: Option<String>,
}

/// `GET /sign-in`
pub fn sign_in(props: &SignIn) -> impl Renderable {
    let last_used = props.last_used.as_deref();
    let others = !props.providers.is_empty();
    rsx! {
        <Guest title=(&t("Sign in")) heading=(&t("Welcome back")) text="">
            @if props.expired {
                <Alert
                    text=(&t("Your session has ended. Please sign in again."))
                    ..
                />
            }
            @if let Some(reason) = &props.refused {
                <Alert kind=(Kind::Danger) text=(reason) ../>
            }
            @if props.passwords { (password_form(props)) }
            @if props.passwords && (props.passkeys || others) { <Divider scripted=(!others)/> }
            @if props.passkeys {
                <div class="hidden gap-5 scripted:grid" data-passkey="sign-in" data-destination=(&props.destination)>
                    <Button
                        label=(&t("Sign in with a passkey"))
                        tone=(Tone::Quiet)
                        icon=(Some(Icon::Key))
                        note=((last_used == Some("passkey")).then(|| t("Last used")).as_deref())
                        wide=true
                        action=(Some("passkey-sign-in"))
                        ..
                    />
                    <PasskeyError adding=false/>
                </div>
            }
            <SocialButtons providers=(&props.providers) last_used=(last_used) ../>
            @if props.sign_up_open {
                <p class="text-[0.9375rem] text-muted">
                    (t("New here?")) " "
                    <a href="/sign-up" class="link">(t("Create an account"))</a>
                </p>
            }
            @if let Some(mailbox) = &props.mailbox {
                <Notice kind=(Kind::Info)>
                    (t("In development every mail of this app is kept here:")) " "
                    <a href=(mailbox) class="link">(t("open the mailbox"))</a>
                </Notice>
            }
        </Guest>
    }
}

fn password_form(props: &SignIn) -> impl Renderable {
    // One message for every reason, and above the form: it must not tell whether the address is known.
    let refused = errors().first("email");
    let doubted = refused.is_some();
    let email_autocomplete = if props.passkeys { "username webauthn" } else { "username" };
    rsx! {
        <Form action="/sign-in" method="POST">
            @if let Some(message) = &refused {
                <Alert kind=(Kind::Danger) id=(Some("form-error")) text=(message)/>
            }
            <Field
                name="email"
                label=(&t("E-mail"))
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
                    label=(&t("Password"))
                    autocomplete="current-password"
                    doubted=doubted
                    ..
                />
                // Beside the label for the eye, after the field for the keyboard.
                <a href="/forgot-password" class="link absolute top-0 right-0 text-sm">(t("Forgot it?"))</a>
            </div>
            <Checkbox name="remember" label=(&t("Keep me signed in")) ../>
            <Button label=(&t("Sign in")) wide=true ../>
            @if props.last_used.as_deref() == Some("password") && (props.passkeys || !props.providers.is_empty()) {
                <p class="text-center text-sm text-muted">(t("You used your password last time."))</p>
            }
        </Form>
    }
}
