//! What people are told by mail without having asked.

use housekey::auth::{AuthConfig, Notices};
use housekey::testing::TestApp;

use crate::support::{PASSWORD, mails, sign_in, somebody};

// spec: SEC-12
#[housekey::test]
async fn the_owner_hears_of_a_sign_in_from_another_device_and_not_of_one_from_their_own(app: TestApp) {
    let (ada, mails) = (somebody(&app).await, mails(&app));
    let own = app.visitor();
    sign_in(&own, &ada.email, PASSWORD).await.assert_ok();
    own.post("/sign-out").await;
    sign_in(&own, &ada.email, PASSWORD).await.assert_ok();
    mails.assert_nothing_sent();

    let other = app.visitor().with_header("accept-language", "de");
    sign_in(&other, &ada.email, PASSWORD).await.assert_ok();
    mails.assert_count(1).assert_subject(ada.email.as_str(), "Anmeldung von einem neuen Gerät");
}

// spec: SEC-12
#[housekey::test]
async fn turned_off_nobody_hears_of_it(app: TestApp) {
    let app = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| auth.notices = Notices::default());
    });
    let (ada, mails) = (somebody(&app).await, mails(&app));
    for _ in 0..2 {
        sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_ok();
    }
    mails.assert_nothing_sent();
}
