//! Looking after an account.

use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use crate::support::{
    PASSWORD, confirm_password, rows_of, sign_in, signed_in_as, somebody, somebody_careful,
    somebody_unverified, stored, stored_with,
};

// spec: RTE-8
#[housekey::test]
async fn a_member_takes_another_name(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let form =
        visitor.post("/settings/profile").form(&[("name", "Countess")]).referer("/settings/profile").await;
    form.assert_status(303).assert_redirect("/settings/profile");
    assert_eq!(stored(&app, &ada).await.name, "Countess");
    visitor.post("/settings/profile").json(&json!({ "name": "Ada" })).await.assert_ok();
    assert_eq!(stored(&app, &ada).await.name, "Ada");
}

// spec: ERR-1
#[housekey::test]
async fn a_name_that_is_none_is_refused_at_its_field(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    for bad in
        [json!({}), json!({ "name": "" }), json!({ "name": "x".repeat(121) }), json!({ "name": ["Ada"] })]
    {
        visitor.post("/settings/profile").json(&bad).await.assert_status(422).assert_invalid("name");
    }
    assert_eq!(stored(&app, &ada).await.name, ada.name);
}

#[housekey::test]
async fn a_profile_changes_nothing_but_the_name(app: TestApp) {
    let (ada, eve) = (somebody(&app).await, somebody_unverified(&app).await);
    let visitor = app.signed_in(&eve).await;
    let body = json!({
        "name": "Eve", "id": ada.id, "userId": ada.id, "email": "root@example.com", "emailVerified": true,
        "email_verified": true, "twoFactorEnabled": true, "createdAt": "2000-01-01", "fields": { "emailVerified": true },
    });
    visitor.post("/settings/profile").json(&body).await.assert_ok();
    let after = stored(&app, &eve).await;
    assert_eq!((after.name.as_str(), after.email.as_str()), ("Eve", eve.email.as_str()));
    assert!(!after.email_verified);
    assert_ne!(after.two_factor_enabled, Some(true));
    assert_eq!(stored(&app, &ada).await.name, ada.name);

    // Nor does the engine's own endpoint.
    let generic = visitor.post("/api/auth/update-user").header("origin", "http://localhost:3000");
    let _ = generic.json(&json!({ "name": "Eve", "emailVerified": true, "twoFactorEnabled": true })).await;
    let after = stored(&app, &eve).await;
    assert!(!after.email_verified);
    assert_ne!(after.two_factor_enabled, Some(true));
}

// spec: STA-8
#[housekey::test]
async fn an_account_is_deleted_with_everything_that_hangs_on_it_and_nothing_else(app: TestApp) {
    let (ada, _) = somebody_careful(&app).await;
    let eve = somebody(&app).await;
    let (visitor, elsewhere, other) =
        (app.signed_in(&ada).await, app.signed_in(&ada).await, app.signed_in(&eve).await);
    visitor.delete("/settings/account").json(&json!({})).await.assert_status(423);
    assert_eq!(stored(&app, &ada).await.id, ada.id);

    confirm_password(&visitor).await;
    let gone = visitor.post("/settings/account").form(&[("_method", "DELETE")]).await;
    gone.assert_status(303).assert_redirect("/");
    assert!(stored_with(&app, &ada.email).await.is_none());
    for table in ["session", "account", "twoFactor", "passkey"] {
        assert_eq!(rows_of(&app, table, &ada).await, 0, "{table}");
    }
    assert_eq!(signed_in_as(&visitor).await, None);
    assert_eq!(signed_in_as(&elsewhere).await, None);
    assert_eq!(signed_in_as(&other).await, Some(eve.email));
    sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_status(422);
}

// spec: MID-1, MID-3
#[housekey::test]
async fn a_copy_of_what_is_kept_is_for_who_has_confirmed_the_address(app: TestApp) {
    let path = "/settings/account/data";
    app.get(path).await.assert_status(302).assert_redirect(&app.route("sign-in"));
    app.get(path).accept_json().await.assert_status(401);
    let eve = app.signed_in(&somebody_unverified(&app).await).await;
    eve.get(path).await.assert_status(302).assert_redirect("/verify-email");
    eve.get(path).accept_json().await.assert_status(403);

    let ada = somebody(&app).await;
    let copy = app.signed_in(&ada).await.get(path).await;
    copy.assert_ok().assert_json_path("email", ada.email.as_str()).assert_header("cache-control", "no-store");
    copy.assert_header("content-disposition", "attachment; filename=\"account.json\"");
    let kept: Value = copy.json();
    let keys: Vec<&String> = kept["sessions"][0].as_object().expect("a session").keys().collect();
    assert_eq!(keys, ["address", "device", "firstSeen", "lastSeen"], "and no token");
}
