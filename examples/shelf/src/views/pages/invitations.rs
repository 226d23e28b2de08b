use housekey::prelude::*;

use crate::views::components::{Button, ButtonLink, Field, Form, Password, Select, StatusNotice};
use crate::views::layouts::{App, Guest, Member, Section};

/// `GET /invitations/new`
pub fn invite(member: &Member) -> impl Renderable {
    let roles = [("reader", t("Borrows books")), ("librarian", t("Looks after the books"))];
    rsx! {
        <App title=(&t("Invite somebody")) member=member section=(Section::Activity) trail=(&[])>
            <div class="grid grid-cols-1 gap-6">
                <StatusNotice/>
                <div>
                    <h1 class="font-display text-3xl font-bold tracking-[-0.02em]">(t("Invite somebody"))</h1>
                    <p class="mt-2 text-muted">(t("They get a mail with a link that is good for three days."))</p>
                </div>
                <section class="rounded-card border border-line bg-surface p-5 shadow-card sm:p-7">
                    <Form action=(&path_to("invitations.store")) method="POST">
                        <Field name="email" label=(&t("E-mail")) kind="email" autocomplete="off" required=true autofocus=true ../>
                        <Select name="role" label=(&t("Role")) options=(&roles) value="reader" required=true ../>
                        <div><Button label=(&t("Send the invitation")) ../></div>
                    </Form>
                </section>
            </div>
        </App>
    }
}

/// What the page for somebody who was invited wants to know.
pub struct Join {
    pub email: String,
    /// Where the form goes: signed, as the link was.
    pub action: String,
    pub is_member: bool,
    pub shortest: u16,
}

/// `GET /join`
pub fn join(props: &Join) -> impl Renderable {
    rsx! {
        <Guest title=(&t("Join the library")) heading=(&t("Join the library")) text=(&props.email)>
            @if props.is_member {
                <p class="text-[0.9375rem] text-muted">(t("You have an account already."))</p>
                <ButtonLink href=(&path_to("sign-in")) label=(&t("Sign in")) wide=true ../>
            } @else {
                <Form action=(&props.action) method="POST">
                    <Field name="name" label=(&t("Name")) autocomplete="name" maxlength=(Some(120)) required=true autofocus=true ../>
                    <Password name="password" label=(&t("Password")) autocomplete="new-password" minlength=(Some(props.shortest)) ../>
                    <Button label=(&t("Join")) wide=true ../>
                </Form>
            }
        </Guest>
    }
}
