use housekey_testing::TestApp;

use crate::doors::setup::{everything, routes};
use crate::support::test_app;

/// Every endpoint that can be reached, as `route:list` has it, with what it asks for.
fn endpoints(app: &TestApp) -> Vec<String> {
    let mut lines: Vec<String> = app
        .application()
        .routes()
        .list()
        .into_iter()
        .filter(|route| route.path.starts_with("/api/auth/"))
        .map(|route| {
            let asked = if route.middleware.is_empty() { "-".into() } else { route.middleware.join(" ") };
            format!("{} {} {asked}", route.methods[0], &route.path["/api/auth".len()..])
        })
        .collect();
    lines.sort_unstable();
    lines
}

/// A new endpoint belongs into this list, and what changes an account into the table of demands.
const ENDPOINTS: [&str; 126] = [
    "ANY /{fallback} -",
    "GET /account-info -",
    "GET /admin/get-user -",
    "GET /admin/list-users -",
    "GET /api-key/get -",
    "GET /api-key/list -",
    "GET /callback/{id} -",
    "GET /device -",
    "GET /error -",
    "GET /get-session -",
    "GET /jwks -",
    "GET /list-accounts -",
    "GET /list-sessions -",
    "GET /magic-link/verify -",
    "GET /multi-session/list-device-sessions -",
    "GET /ok -",
    "GET /one-time-token/generate -",
    "GET /organization/get-active-member -",
    "GET /organization/get-active-member-role -",
    "GET /organization/get-full-organization -",
    "GET /organization/get-invitation -",
    "GET /organization/get-organization -",
    "GET /organization/get-role -",
    "GET /organization/list -",
    "GET /organization/list-invitations -",
    "GET /organization/list-members -",
    "GET /organization/list-roles -",
    "GET /organization/list-team-members -",
    "GET /organization/list-teams -",
    "GET /organization/list-user-invitations -",
    "GET /organization/list-user-teams -",
    "GET /passkey/generate-authenticate-options -",
    "GET /passkey/generate-register-options verified password.confirm",
    "GET /passkey/list-user-passkeys -",
    "GET /reset-password/{token} -",
    "GET /token -",
    "GET /verify-email -",
    "POST /admin/ban-user password.confirm",
    "POST /admin/create-user password.confirm",
    "POST /admin/has-permission -",
    "POST /admin/impersonate-user password.confirm",
    "POST /admin/list-user-sessions -",
    "POST /admin/remove-user password.confirm",
    "POST /admin/revoke-user-session password.confirm",
    "POST /admin/revoke-user-sessions password.confirm",
    "POST /admin/set-role password.confirm",
    "POST /admin/set-user-password password.confirm",
    "POST /admin/stop-impersonating -",
    "POST /admin/unban-user password.confirm",
    "POST /admin/update-user password.confirm",
    "POST /api-key/create password.confirm throttle:6,1",
    "POST /api-key/delete password.confirm",
    "POST /api-key/update password.confirm",
    "POST /callback/{id} -",
    "POST /change-email password.confirm throttle:6,1",
    "POST /change-password throttle:6,1",
    "POST /delete-anonymous-user -",
    "POST /delete-user password.confirm throttle:6,1",
    "POST /device/approve password.confirm throttle:6,1",
    "POST /device/code -",
    "POST /device/deny -",
    "POST /device/token -",
    "POST /email-otp/change-email password.confirm throttle:6,1",
    "POST /email-otp/check-verification-otp -",
    "POST /email-otp/request-email-change password.confirm throttle:6,1",
    "POST /email-otp/request-password-reset -",
    "POST /email-otp/reset-password -",
    "POST /email-otp/send-verification-otp -",
    "POST /email-otp/verify-email -",
    "POST /forget-password/email-otp -",
    "POST /get-access-token -",
    "POST /is-username-available -",
    "POST /link-social password.confirm throttle:6,1",
    "POST /multi-session/revoke -",
    "POST /multi-session/set-active -",
    "POST /one-time-token/verify -",
    "POST /organization/accept-invitation -",
    "POST /organization/add-team-member -",
    "POST /organization/cancel-invitation -",
    "POST /organization/check-slug -",
    "POST /organization/create -",
    "POST /organization/create-role password.confirm",
    "POST /organization/create-team -",
    "POST /organization/delete password.confirm throttle:6,1",
    "POST /organization/delete-role password.confirm",
    "POST /organization/has-permission -",
    "POST /organization/invite-member verified throttle:20,1",
    "POST /organization/leave -",
    "POST /organization/reject-invitation -",
    "POST /organization/remove-member password.confirm",
    "POST /organization/remove-team -",
    "POST /organization/remove-team-member -",
    "POST /organization/set-active -",
    "POST /organization/set-active-team -",
    "POST /organization/update -",
    "POST /organization/update-member-role password.confirm",
    "POST /organization/update-role password.confirm",
    "POST /organization/update-team -",
    "POST /passkey/delete-passkey password.confirm",
    "POST /passkey/update-passkey password.confirm",
    "POST /passkey/verify-authentication -",
    "POST /passkey/verify-registration verified password.confirm",
    "POST /refresh-token -",
    "POST /request-password-reset -",
    "POST /reset-password -",
    "POST /revoke-other-sessions password.confirm",
    "POST /revoke-session password.confirm",
    "POST /revoke-sessions password.confirm",
    "POST /send-verification-email -",
    "POST /sign-in/anonymous -",
    "POST /sign-in/email -",
    "POST /sign-in/email-otp -",
    "POST /sign-in/magic-link -",
    "POST /sign-in/social -",
    "POST /sign-in/username -",
    "POST /sign-out -",
    "POST /sign-up/email -",
    "POST /two-factor/disable password.confirm throttle:6,1",
    "POST /two-factor/enable verified password.confirm throttle:6,1",
    "POST /two-factor/generate-backup-codes password.confirm throttle:6,1",
    "POST /two-factor/get-totp-uri password.confirm throttle:6,1",
    "POST /two-factor/verify-backup-code -",
    "POST /two-factor/verify-totp throttle:6,1",
    "POST /unlink-account password.confirm throttle:6,1",
    "POST /update-session -",
    "POST /update-user -",
];

// spec: SEC-1, CLI-6
#[tokio::test]
async fn every_endpoint_is_listed_with_what_it_asks_for() {
    let app = test_app(everything, routes).await;
    assert_eq!(endpoints(&app), ENDPOINTS);
}
