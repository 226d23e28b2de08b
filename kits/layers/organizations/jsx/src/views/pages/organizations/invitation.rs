use housekey::prelude::*;

use crate::views::components::{
    Alert, Button, ButtonLink, ErrorSummary, Field, Form, Icon, Kind, Moment, Password, Tone, When,
};
use crate::views::layouts::Guest;

/// What the page wants to know: who opens an invitation.
#[derive(Clone, Debug)]
pub enum Invitation {
    /// There is nothing to accept any more, or there never was.
    Gone {
        /// Whether the visitor is signed in.
        signed_in: bool,
    },
    /// Nobody is signed in.
    Guest {
        welcome: Welcome,
        /// Whether they can make an account here.
        sign_up_open: bool,
        /// The shortest password that is taken.
        min_password_length: u16,
    },
    /// Whom it is for.
    Recipient { welcome: Welcome },
    /// Somebody else is signed in, with this address.
    Somebody { welcome: Welcome, email: String },
}

/// The invitation itself.
#[derive(Clone, Debug, Default)]
pub struct Welcome {
    pub id: String,
    /// What the link in the mail carries; a copied one has none.
    pub token: Option<String>,
    /// Whom it is for.
    pub email: String,
    /// The name of the organisation.
    pub organization: String,
    /// The name of who sent it.
    pub inviter: String,
    /// The name of the role.
    pub role: String,
    pub expires: Moment,
}

impl Welcome {
    fn action(&self, route: &str) -> String {
        path_to_with(route, &[("id", &self.id)])
    }

    fn sign_in(&self) -> String {
        let token = self.token.as_deref().map(|token| ("token", token));
        let parameters: Vec<_> = [Some(("id", self.id.as_str())), token].into_iter().flatten().collect();
        path_to_with("invitations.sign-in", &parameters)
    }
}

/// `GET /invitations/{id}`
pub fn invitation(props: &Invitation) -> impl Renderable {
    rsx! {
        @match props {
            Invitation::Gone { signed_in } => (gone(*signed_in)),
            Invitation::Guest { welcome, sign_up_open, min_password_length } => {
                <Opened welcome=welcome>(guest(welcome, *sign_up_open, *min_password_length))</Opened>
            }
            Invitation::Recipient { welcome } => { <Opened welcome=welcome>(recipient(welcome))</Opened> }
            Invitation::Somebody { welcome, email } => {
                <Opened welcome=welcome>(somebody_else(welcome, email))</Opened>
            }
        }
    }
}

#[component]
fn opened<'a, R: Renderable>(welcome: &'a Welcome, children: &R) -> impl Renderable {
    let Welcome { organization, inviter, role, .. } = welcome;
    rsx! {
        <Guest
            title=(&t("Invitation"))
            heading=(&t!("Join :organization", organization))
            text=(&t!(":inviter invites you to :organization. Your role: :role.", inviter, organization, role))
        >
            (children)
            <p class="text-sm text-muted">
                (t("This invitation runs out")) " " <When moment=(&welcome.expires)/> ". "
                (t("If you do not know who sent it, simply close this page."))
            </p>
        </Guest>
    }
}

fn gone(signed_in: bool) -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Invitation"))
            heading=(&t("This invitation is no longer open"))
            text=(&t("It was answered, taken back, or has run out; or the link is not whole. Ask whoever invited you for another one."))
        >
            <p>
                @if signed_in {
                    <ButtonLink href=(&path_to("organizations")) label=(&t("Your organizations")) ../>
                } @else {
                    <ButtonLink href=(&path_to("sign-in")) label=(&t("Sign in")) ../>
                }
            </p>
        </Guest>
    }
}

fn guest(welcome: &Welcome, sign_up_open: bool, min_password_length: u16) -> impl Renderable + use<'_> {
    rsx! {
        @if sign_up_open {
            <Form action=(&welcome.action("invitations.sign-up")) method="POST">
                <ErrorSummary fields=(&["name", "email", "password"])/>
                (token_field(welcome))
                <Field
                    name="email"
                    label=(&t("E-mail"))
                    kind="email"
                    value=(&welcome.email)
                    autocomplete="username"
                    readonly=true
                    ..
                />
                <Field
                    name="name"
                    label=(&t("Name"))
                    autocomplete="name"
                    maxlength=(Some(120))
                    required=true
                    autofocus=true
                    ..
                />
                <Password
                    name="password"
                    label=(&t("Password"))
                    autocomplete="new-password"
                    hint=(&t!("At least :count characters. A few words in a row are easy to remember; your name and well-known passwords are refused.", count = min_password_length))
                    minlength=(Some(min_password_length))
                    ..
                />
                <Button label=(&t("Create account and join")) wide=true ../>
            </Form>
            <p class="text-[0.9375rem] text-muted">
                (t("Already have an account?")) " "
                <a href=(&welcome.sign_in()) class="link">(t("Sign in and join"))</a>
            </p>
        } @else {
            <p class="text-[0.9375rem] text-muted">
                (t!("Accounts are not made here by oneself. If you have none, ask :inviter who can make one for you.", inviter = welcome.inviter))
            </p>
            <p><ButtonLink href=(&welcome.sign_in()) label=(&t("Sign in and join")) wide=true ../></p>
        }
    }
}

fn recipient(welcome: &Welcome) -> impl Renderable + use<'_> {
    let unproven = user().is_some_and(|user| !user.email_verified);
    rsx! {
        <ErrorSummary fields=(&[])/>
        <p class="text-[0.9375rem] text-muted">
            (t("You are signed in as")) " "
            <strong class="font-semibold text-ink [overflow-wrap:anywhere]">(&welcome.email)</strong> "."
            @if unproven {
                " " (t("You have not confirmed this address yet.")) " "
                <a href=(path_to("verify-email")) class="link">(t("Confirm it"))</a>
            }
        </p>
        <Form action=(&welcome.action("invitations.accept")) method="POST">
            (token_field(welcome))
            <Button label=(&t("Accept and join")) wide=true ../>
        </Form>
        <Form action=(&welcome.action("invitations.decline")) method="POST">
            <Button label=(&t("Decline")) tone=(Tone::Quiet) wide=true ../>
        </Form>
    }
}

fn somebody_else<'a>(welcome: &'a Welcome, email: &'a str) -> impl Renderable + use<'a> {
    rsx! {
        <Alert
            kind=(Kind::Warning)
            text=(&t!("This invitation is for :invited, and you are signed in as :email. Sign out and go on as :invited, or ask for an invitation to your own address.", invited = welcome.email, email))
            ..
        />
        <Form action=(&welcome.action("invitations.sign-out")) method="POST">
            (token_field(welcome))
            <Button label=(&t("Sign out and go on")) icon=(Some(Icon::SignOut)) wide=true ../>
        </Form>
        <p class="text-center"><a href=(path_to("dashboard")) class="link">(t("Not now, back to my account"))</a></p>
    }
}

fn token_field(welcome: &Welcome) -> impl Renderable + use<'_> {
    rsx! {
        @if let Some(token) = &welcome.token { <input type="hidden" name="token" value=(token)> }
    }
}
