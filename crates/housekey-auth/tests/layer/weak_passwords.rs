use housekey_auth::engine::SignUpEmail;
use housekey_auth::engine::options::PasswordRules;
use housekey_auth::{Auth, create_account};

use crate::support::{PASSWORD, test_app};

// spec: SEC-8
#[tokio::test]
async fn an_account_that_a_program_makes_has_no_weak_password_either() {
    let app = test_app(
        |auth| {
            auth.engine.email_and_password.password_rules =
                PasswordRules { refuse_common: true, refuse_personal: true, ..Default::default() };
        },
        |_| (),
    )
    .await;
    let auth = app.services().require::<Auth>().unwrap();
    let account = async |password: &str| {
        let ada = SignUpEmail {
            name: "Ada Lovelace".into(),
            email: "ada@example.com".into(),
            password: password.into(),
            ..Default::default()
        };
        app.within(create_account(&auth, ada, true)).await
    };
    for (password, message) in
        [("password123", "Password too common"), ("Lovelace-1815", "Password too personal")]
    {
        let refused = account(password).await.unwrap_err();
        assert_eq!(refused.field_errors().unwrap().first("password"), Some(message));
    }
    account(PASSWORD).await.unwrap();
}
