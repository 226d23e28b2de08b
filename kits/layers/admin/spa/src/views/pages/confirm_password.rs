use housekey::auth::guards::ConfirmForm;
use housekey::prelude::*;

use crate::views::components::{Alert, Brand, Button, Form, Icon, Input, Kind, Label};
use crate::views::layouts::base::Base;

/// The answer (423) to a page of admins that wants to know that it is really you. What was refused is done once the password is
/// right. The pages in `frontend/` have a dialog for it instead.
pub fn confirm_password(form: &ConfirmForm) -> impl Renderable {
    let email = user().map(|user| user.email.clone()).unwrap_or_default();
    rsx! {
        <Base title=(&t("Confirm it is you"))>
            <header class="mx-auto max-w-6xl px-5 py-5 sm:px-10 sm:py-6"><Brand href=(&path_to("dashboard"))/></header>
            <main id="main" tabindex="-1" class="mx-auto grid w-full max-w-[26rem] grid-cols-1 gap-5 px-5 pt-6 pb-16 lg:pt-[10vh]">
                <h1 class="font-display text-[2.125rem] leading-[1.1] font-bold tracking-[-0.02em] sm:text-4xl">(t("Is it you?"))</h1>
                <p class="text-muted">(t("This is about other people's accounts. Please confirm before we go on."))</p>
                @if form.has_password() {
                    <Form action=(form.action()) method="POST">
                        <input type="text" name="username" value=(&email) autocomplete="username" hidden>
                        @if let Some(sealed) = form.replay() { <input type="hidden" name="replay" value=(sealed)> }
                        @if let Some(error) = form.error() { <Alert kind=(Kind::Danger) text=error id=(Some("password-error"))/> }
                        <div class="grid gap-1.5">
                            <Label id="password" text=(&t("Password"))/>
                            <Input
                                id="password"
                                name="password"
                                kind="password"
                                autocomplete="current-password"
                                invalid=(form.error().is_some())
                                described_by=(form.error().map(|_| "password-error"))
                                required=true
                                autofocus=true
                                ..
                            />
                        </div>
                        <Button label=(&t("Go on")) wide=true ../>
                    </Form>
                } @else {
                    <p>(t("Your account has no password, so please sign out and in again. Then do again what you were about to do."))</p>
                }
                <p>
                    <a href=(path_to("dashboard")) class="link inline-flex items-center gap-1.5 text-[0.9375rem]">(Icon::ArrowLeft) (t("Not now"))</a>
                </p>
            </main>
        </Base>
    }
}
