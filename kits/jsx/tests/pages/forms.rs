//! Forms that come back: to be confirmed, to be sent later, or too old.

use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

use crate::support::{PASSWORD, somebody, sure_of, until_refused, value_of};

/// The page of a form, where it is sent, what is typed, and by which member.
type Form<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)], Option<&'a User>);

// spec: STA-8, MID-4
#[housekey::test]
async fn a_form_that_needs_the_password_is_carried_out_after_it_is_given(app: TestApp) {
    let ada = somebody(&app).await;
    let (visitor, elsewhere) = (app.signed_in(&ada).await, app.signed_in(&ada).await);
    let asked =
        visitor.post("/settings/sessions").form(&[("_method", "DELETE")]).referer("/settings/sessions").await;
    asked.assert_status(423).assert_see(r#"action="/confirm-password""#);
    let replay = value_of(&asked, "replay");
    elsewhere.get("/settings/profile").await.assert_status(200);

    let wrong = visitor.post("/confirm-password").form(&[("password", "not it"), ("replay", &replay)]).await;
    wrong.assert_status(422);
    assert!(!value_of(&wrong, "replay").is_empty(), "the request is still there");
    let done = visitor.post("/confirm-password").form(&[("password", PASSWORD), ("replay", &replay)]).await;
    done.assert_status(303).assert_redirect("/settings/sessions");
    elsewhere.get("/settings/profile").await.assert_redirect("/sign-in");
    visitor.get("/settings/profile").await.assert_status(200);
}

// spec: MID-6, ERR-1
#[housekey::test]
async fn a_form_that_was_sent_too_often_says_for_how_long_and_keeps_what_was_typed(app: TestApp) {
    let wrong = "not the password";
    let eve = app.within(UserFactory::unverified()).await.unwrap();
    let forms: [Form<'_>; 10] = [
        ("/sign-in", "/sign-in", &[("email", "typed@example.com"), ("password", wrong)], None),
        ("/sign-up", "/sign-up", &[("name", "Typed"), ("email", "typed"), ("password", wrong)], None),
        ("/forgot-password", "/forgot-password", &[("email", "typed@example.com")], None),
        ("/verify-email/sent", "/verify-email/send", &[("email", "typed@example.com")], None),
        ("/settings/profile", "/settings/profile/email", &[("email", "typed")], Some(&eve)),
        (
            "/settings/password",
            "/settings/password",
            &[
                ("_method", "PUT"),
                ("current_password", wrong),
                ("password", wrong),
                ("password_confirmation", wrong),
            ],
            Some(&eve),
        ),
        ("/verify-email", "/verify-email/resend", &[("a", "b")], Some(&eve)),
        ("/settings/profile", "/verify-email/resend", &[("a", "b")], Some(&eve)),
        ("/confirm-password", "/confirm-password", &[("password", wrong), ("replay", "sealed")], Some(&eve)),
        ("/verify-email/confirm?token=abc", "/verify-email/confirm", &[("token", "abc")], None),
    ];
    for (page, path, form, member) in forms {
        app.advance(std::time::Duration::from_secs(60));
        let visitor = match member {
            Some(member) => sure_of(&app, member).await,
            None => app.visitor(),
        };
        visitor.get(page).await.assert_status(200).assert_dont_see("data-countdown");
        let answer = until_refused(&visitor, page, path, form).await;
        answer.assert_header("content-type", "text/html; charset=utf-8").assert_dont_see(wrong);
        let wait: u64 = answer.header("retry-after").expect("how long").parse().unwrap();
        answer.assert_see(&format!("data-countdown=\"{wait}\"")).assert_see(&format!("href=\"{page}\""));
        let again = visitor.get(page).await;
        again.assert_status(200).assert_dont_see("data-countdown").assert_dont_see(wrong);
        for (name, typed) in form.iter().filter(|(name, _)| ["name", "email"].contains(name)) {
            assert_eq!(value_of(&again, name), *typed, "{path}");
        }
        // Once; then the page is as it always was.
        visitor.get(page).await.assert_status(200).assert_dont_see("typed");
    }
}

#[housekey::test]
async fn what_was_typed_into_one_form_of_a_page_empties_no_other(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let bad = visitor
        .post("/settings/profile/email")
        .form(&[("email", "typed")])
        .referer("/settings/profile")
        .await;
    bad.assert_redirect("/settings/profile");
    let page = visitor.get("/settings/profile").await;
    assert_eq!((value_of(&page, "email"), value_of(&page, "name")), ("typed".into(), ada.name));

    // A box that comes ticked and was left empty stays empty.
    let form = [("_method", "PUT"), ("username", "x"), ("current_password", ""), ("password", "")];
    visitor.post("/settings/password").form(&form).referer("/settings/password").await.assert_status(303);
    let page = visitor.get("/settings/password").await.text();
    let (_, rest) = page.split_once("name=\"sign_out_others\"").unwrap();
    assert!(!rest.split('>').next().unwrap().contains(" checked "), "{rest}");
    let fresh = visitor.get("/settings/password").await.text();
    let (_, rest) = fresh.split_once("name=\"sign_out_others\"").unwrap();
    assert!(rest.split('>').next().unwrap().contains(" checked "));
}

// spec: MID-8, ERR-1
#[housekey::test]
async fn a_form_that_was_open_too_long_says_so_and_leads_back_to_itself(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let forms = [
        ("/sign-in", "POST", "/sign-in", None),
        ("/sign-up", "POST", "/sign-up", None),
        ("/forgot-password", "POST", "/forgot-password", None),
        ("/reset-password?token=abc", "POST", "/reset-password", None),
        ("/settings/profile", "POST", "/settings/profile", Some(&visitor)),
        ("/settings/profile", "POST", "/settings/profile/email", Some(&visitor)),
        ("/settings/password", "PUT", "/settings/password", Some(&visitor)),
        ("/settings/two-factor", "POST", "/settings/two-factor/confirm", Some(&visitor)),
        ("/settings/passkeys", "PATCH", "/settings/passkeys/one", Some(&visitor)),
        ("/settings/account", "DELETE", "/settings/account", Some(&visitor)),
        ("/settings/account", "DELETE", "/settings/accounts/one", Some(&visitor)),
        ("/confirm-password", "POST", "/confirm-password", Some(&visitor)),
    ];
    for (page, method, path, member) in forms {
        let visitor = member.unwrap_or(&app);
        let mut stale = vec![("name", "Typed"), ("email", "typed@example.com"), ("_token", "stale")];
        stale.extend((method != "POST").then_some(("_method", method)));
        let answer = visitor.post(path).form(&stale).referer(page).without_csrf().await;
        answer.assert_status(419).assert_see("This page was open too long.").assert_see("data-keeps-forms");
        answer.assert_see(&format!("href=\"{page}\""));
        // Whoever made the browser send it must not get to fill in the form.
        answer.assert_dont_see("typed@example.com");
    }
}
