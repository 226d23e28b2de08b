use housekey::prelude::*;

use crate::views::components::{Button, Form, Icon, RecoveryCode};
use crate::views::layouts::Guest;

/// `GET /two-factor-challenge/recovery`: the second step for who cannot reach their authenticator app.
pub fn recovery_challenge() -> impl Renderable {
    rsx! {
        <Guest
            title=(&t("Recovery code", &[]))
            heading=(&t("Use a recovery code", &[]))
            text=(&t("One of the codes you kept when you turned on two-factor sign-in. Each works once.", &[]))
        >
            <Form action="/two-factor-challenge/recovery" method="POST">
                <RecoveryCode/>
                <Button label=(&t("Sign in", &[])) wide=true ../>
            </Form>
            <p>
                <a href="/two-factor-challenge" class="link inline-flex items-center gap-1.5 text-[0.9375rem]">
                    (Icon::ArrowLeft) (t("Back to the code of the app", &[]))
                </a>
            </p>
        </Guest>
    }
}
