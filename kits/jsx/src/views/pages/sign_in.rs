use housekey::auth::SocialProvider;
use housekey::prelude::*;

use crate::views::components::{
    Alert, Button, Captcha, CaptchaWidget, Checkbox, Divider, Field, Icon, Kind, Notice, PasskeyError,
    Password, SocialButtons, Tone,
};
use crate::views::layouts::Guest;

/// The form that every way by mail or password is a button of.
const FORM: &str = "sign-in-form";

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct SignIn {
    /// Whether people have passwords here: the form, and the way to a forgotten one.
    pub passwords: bool,
    /// Whether people have names to sign in with, beside the address.
    pub usernames: bool,
    /// Whether a link is sent to who asks for it.
    pub magic_link: bool,
    /// Whether a code is.
    pub email_code: bool,
    /// Whether passkeys are part of the app: the button, and the suggestions in the e-mail field.
    pub passkeys: bool,
    /// The providers that people may sign in with instead.
    pub providers: Vec<SocialProvider>,
    /// How this browser signed in last: `password`, `passkey`, `magic-link`, `email-code`, or the id of a provider.
    pub last_used: Option<String>,
    /// Why a sign-in with a provider was refused, and what to do.
    pub refused: Option<String>,
    /// Where a sign-in with a passkey leads, which happens without a form.
    pub destination: String,
    /// Whether there is a page to sign up.
    pub sign_up_open: bool,
    /// Whether whoever is signed in adds another account.
    pub adding: bool,
    /// What tells people from programs, where it is turned on.
    pub captcha: Option<Captcha>,
    /// Whether the person was signed in until now.
    pub expired: bool,
    /// Where mails can be read in development.
    pub mailbox: Option<String>,
}

impl SignIn {
    fn has_mail(&self) -> bool {
        self.magic_link || self.email_code
    }

    /// Whether there is a way that needs no script besides the password.
    fn has_others(&self) -> bool {
        self.has_mail() || !self.providers.is_empty()
    }

    fn note(&self, method: &str) -> Option<String> {
        (self.last_used.as_deref() == Some(method)).then(|| t("Last used"))
    }
}

/// `GET /sign-in`
pub fn sign_in(props: &SignIn) -> impl Renderable {
    let others = props.has_others();
    let heading = if props.adding { t("Add an account") } else { t("Welcome back") };
    rsx! {
        <Guest title=(&t("Sign in")) heading=(&heading) text="">
            @if props.expired {
                <Alert
                    text=(&t("Your session has ended. Please sign in again."))
                    ..
                />
            }
            @if let Some(reason) = &props.refused {
                <Alert kind=(Kind::Danger) text=(reason) ../>
            }
            @if props.passwords || props.has_mail() { (form(props)) }
            @if props.passwords && (props.passkeys || others) { <Divider scripted=(!others)/> }
            // One quiet list, closer together than the parts of the page.
            <div class="grid grid-cols-1 gap-3 empty:hidden">
                @if props.passwords { (by_mail(props)) }
                @if props.passkeys {
                    <div class="hidden gap-3 scripted:grid" data-passkey="sign-in" data-destination=(&props.destination)>
                        <Button
                            label=(&t("Sign in with a passkey"))
                            tone=(Tone::Quiet)
                            icon=(Some(Icon::Key))
                            note=(props.note("passkey").as_deref())
                            wide=true
                            action=(Some("passkey-sign-in"))
                            ..
                        />
                        <PasskeyError adding=false/>
                    </div>
                }
                <SocialButtons providers=(&props.providers) last_used=(props.last_used.as_deref()) ../>
            </div>
            @if props.sign_up_open {
                <p class="text-[0.9375rem] text-muted">
                    (t("New here?")) " "
                    <a href=(path_to("sign-up")) class="link">(t("Create an account"))</a>
                </p>
            }
            @if props.adding {
                <p>
                    <a href=(path_to("dashboard")) class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                        (Icon::ArrowLeft) (t("Not now"))
                    </a>
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

/// One field for whoever it is, and the ways to go on from there.
fn form(props: &SignIn) -> impl Renderable {
    // One message for every reason, and above the form: it must not tell whether the address is known.
    let refused = errors().first("email");
    let doubted = refused.is_some();
    let autocomplete = if props.passkeys { "username webauthn" } else { "username" };
    let (label, kind) =
        if props.usernames { (t("E-mail or username"), "text") } else { (t("E-mail"), "email") };
    rsx! {
        <form id=(FORM) method="post" action=(path_to("sign-in.store")) class="grid grid-cols-1 gap-5">
            (csrf_field())
            @if let Some(message) = &refused {
                <Alert kind=(Kind::Danger) id=(Some("form-error")) text=(message)/>
            }
            <Field
                name="email"
                label=(&label)
                kind=kind
                autocomplete=autocomplete
                required=true
                autofocus=true
                doubted=doubted
                ..
            />
            @if props.passwords {
                (password(props, doubted))
            } @else {
                <CaptchaWidget captcha=(props.captcha.as_ref())/>
                (by_mail(props))
            }
        </form>
    }
}

fn password(props: &SignIn, doubted: bool) -> impl Renderable {
    rsx! {
        <div class="relative">
            <Password
                name="password"
                label=(&t("Password"))
                autocomplete="current-password"
                doubted=doubted
                ..
            />
            // Beside the label for the eye, after the field for the keyboard.
            <a href=(path_to("forgot-password")) class="link absolute top-0 right-0 text-sm">(t("Forgot it?"))</a>
        </div>
        <Checkbox name="remember" label=(&t("Keep me signed in")) ../>
        <CaptchaWidget captcha=(props.captcha.as_ref())/>
        <Button label=(&t("Sign in")) wide=true ../>
        @if props.last_used.as_deref() == Some("password") && (props.passkeys || props.has_others()) {
            <p class="text-center text-sm text-muted">(t("You used your password last time."))</p>
        }
    }
}

/// Buttons of the same form: what was typed into its first field is where the mail goes.
fn by_mail(props: &SignIn) -> impl Renderable {
    let first = if props.passwords { Tone::Quiet } else { Tone::Primary };
    rsx! {
        @if props.magic_link {
            <Button
                label=(&t("E-mail me a link"))
                tone=first
                icon=(Some(Icon::Mail))
                note=(props.note("magic-link").as_deref())
                wide=true
                form=(Some(FORM))
                goes_to=(Some(&path_to("magic-link.send")))
                ..
            />
        }
        @if props.email_code {
            <Button
                label=(&t("E-mail me a code"))
                tone=(if props.magic_link { Tone::Quiet } else { first })
                icon=(Some(Icon::Mail))
                note=(props.note("email-code").as_deref())
                wide=true
                form=(Some(FORM))
                goes_to=(Some(&path_to("email-code.send")))
                ..
            />
        }
    }
}
