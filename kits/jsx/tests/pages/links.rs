//! Pages that a link in a mail opens.

use housekey::mail::Mailer;
use housekey::testing::TestApp;

use crate::support::{PASSWORD, path_of, somebody, sure_of, value_of};

// spec: RTE-5
#[housekey::test]
async fn a_new_password_is_not_asked_for_without_a_token(app: TestApp) {
    for path in
        ["/reset-password", "/reset-password?token=", "/verify-email/confirm", "/change-email/confirm"]
    {
        app.get(path).await.assert_status(302).assert_redirect("/sign-in");
    }
}

#[housekey::test]
async fn pages_that_hold_a_token_are_kept_by_nobody_and_told_to_nobody(app: TestApp) {
    for path in
        ["/reset-password?token=abc", "/verify-email/confirm?token=abc", "/change-email/confirm?token=abc"]
    {
        let page = app.get(path).await;
        page.assert_status(200);
        page.assert_header("cache-control", "no-store").assert_header("referrer-policy", "same-origin");
    }
    let script = app.get("/verify-email/confirm?token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").await;
    script.assert_dont_see("<script>alert");
}

#[housekey::test]
async fn a_mail_scanner_that_opens_every_link_changes_nothing(app: TestApp) {
    let mails = app.services().require::<Mailer>().unwrap().fake();
    let form = [("name", "Ada"), ("email", "ada@example.com"), ("password", PASSWORD)];
    app.post("/sign-up").form(&form).await.assert_status(303);
    let link = mails.link_to("ada@example.com");
    let path = link.split_once("localhost:3000").map_or(link.as_str(), |(_, path)| path).to_owned();
    app.visitor().get(&path).await.assert_status(200);
    app.visitor().head(&path).await.assert_status(200);
    app.get("/verify-email").await.assert_see("Look into your mail");

    let token = value_of(&app.get(&path).await, "token");
    app.post("/verify-email/confirm").form(&[("token", token.as_str())]).await.assert_redirect("/dashboard");
    app.get("/verify-email").await.assert_see("Your address is confirmed");
}

#[housekey::test]
async fn the_page_of_a_reset_link_tells_whether_it_still_works(app: TestApp) {
    let mails = app.services().require::<Mailer>().unwrap().fake();
    let ada = somebody(&app).await;
    app.post("/forgot-password").form(&[("email", ada.email.as_str())]).await.assert_status(303);
    let link = mails.link_to(ada.email.as_str());
    let path = link.split_once("localhost:3000").map_or(link.as_str(), |(_, path)| path).to_owned();
    app.get(&path).await.assert_status(200).assert_see(r#"name="password_confirmation""#);
    app.get("/reset-password?token=spent")
        .await
        .assert_status(200)
        .assert_dont_see(r#"name="password_confirmation""#);
}

// spec: STA-5
#[housekey::test]
async fn the_pages_of_a_change_of_address_say_where_it_leads_and_when_it_is_over(app: TestApp) {
    let mails = app.services().require::<Mailer>().unwrap().fake();
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let new = "new.address@example.com";
    visitor.post("/settings/profile/email").form(&[("email", new)]).referer("/settings/profile").await;
    visitor.get("/settings/profile").await.assert_see(new).assert_see("name=\"_method\" value=\"DELETE\"");

    let consent = path_of(&mails.link_to(ada.email.as_str()));
    let page = visitor.get(&consent).await;
    page.assert_status(200).assert_see("Move your account?").assert_see(new);
    let token = value_of(&page, "token");
    visitor.post("/change-email/confirm").form(&[("token", token.as_str())]).await.assert_status(303);
    visitor.get(&consent).await.assert_see("This link is spent").assert_dont_see("name=\"token\"");

    let proof = path_of(&mails.link_to(new));
    visitor.get(&proof).await.assert_see("Confirm your new address").assert_see("Use this address");
    visitor.post("/settings/profile/email").form(&[("_method", "DELETE")]).await.assert_status(303);
    visitor.get(&proof).await.assert_see("This link is spent").assert_dont_see("name=\"token\"");
    visitor.get("/settings/profile").await.assert_dont_see(new);
}
