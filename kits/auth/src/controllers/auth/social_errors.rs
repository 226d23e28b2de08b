use housekey::auth::social_providers;
use housekey::prelude::*;

/// Why a sign-in with a provider was refused, and what to do now. `code` is what the engine, or the provider, left in the
/// address: anybody can write one, so nothing of it is shown. `provider` is an id, and a name only if there is such a one.
pub fn explain(code: &str, provider: Option<&str>) -> String {
    let known = social_providers().into_iter().find(|known| Some(known.id.as_str()) == provider);
    let name = known.map_or_else(|| t("the provider"), |known| known.name);
    match code {
        "account_not_linked" => t!(
            "There is an account with this address already. Sign in with your password, or however you did before, and then connect :name in your settings, under Account.",
            name
        ),
        "access_denied" | "user_cancelled_login" | "user_cancelled_authorize" => {
            t!(
                "You came back from :name without saying yes, so nothing has happened. Try again, or use another way.",
                name
            )
        }
        "state_mismatch" | "state_not_found" | "state_invalid" | "no_callback_url" => {
            t("That took too long, or it began in another browser. Please begin again.")
        }
        "email_not_found" => t!(
            "We need an address, and :name gave us none. Allow it there and try again, or use another way.",
            name
        ),
        "email_not_verified" => t(
            "Your address is not confirmed yet. Open the link in the mail that we sent you, then sign in again.",
        ),
        "signup_disabled" => {
            t!("No account here belongs to that account at :name, and signing in does not make one.", name)
        }
        "email_does_not_match" => t!(
            "The account at :name has another address than yours here. Use one with the same address.",
            name
        ),
        "account_already_linked_to_different_user" => {
            t!(
                "That account at :name is connected to another account here. Disconnect it there first, or use another one.",
                name
            )
        }
        "unable_to_link_account" => t!(
            "This could not be connected. Confirm your address at :name, sign in again, and try once more.",
            name
        ),
        "BANNED_USER" => t("This account is closed. Please write to us if you think that is wrong."),
        "server_error" | "temporarily_unavailable" => {
            t!("Right now we cannot reach :name. Please try again in a moment, or use another way.", name)
        }
        "invalid_code"
        | "no_code"
        | "issuer_mismatch"
        | "nonce_binding_missing"
        | "unable_to_get_user_info"
        | "oauth_provider_not_found"
        | "invalid_callback_request" => {
            t!(
                "What :name answered could not be checked, so nobody was signed in. Please try again, or use another way.",
                name
            )
        }
        "consent_required" | "interaction_required" | "login_required" | "account_selection_required" => {
            t!(
                "Before it tells us who you are, :name wants to hear from you. Please try again and answer there.",
                name
            )
        }
        "unable_to_create_user"
        | "unable_to_create_session"
        | "unable_to_update_account"
        | "internal_server_error" => {
            t("Something went wrong on our side, and nothing was changed. Please try again in a moment.")
        }
        _ => t("That did not work. Please try again, or use another way."),
    }
}
