//! What the plugin refuses with: the reference's codes and words, and the last of our own.

use crate::ErrorCode;

macro_rules! catalogue {
    ($($name:ident $message:literal)*) => {$(
        #[doc = concat!("“", $message, "”")]
        pub const $name: ErrorCode = ErrorCode::new(stringify!($name), $message);
    )*};
}

catalogue! {
    EXPIRES_IN_IS_TOO_LARGE "The expiresIn is larger than the predefined maximum value."
    EXPIRES_IN_IS_TOO_SMALL "The expiresIn is smaller than the predefined minimum value."
    FAILED_TO_UPDATE_API_KEY "Failed to update API key"
    INSUFFICIENT_API_KEY_PERMISSIONS "You do not have permission to perform this action on organization API keys."
    INVALID_API_KEY "Invalid API key."
    INVALID_METADATA_TYPE "metadata must be an object or undefined"
    INVALID_NAME_LENGTH "The name length is either too large or too small."
    INVALID_PREFIX_LENGTH "The prefix length is either too large or too small."
    INVALID_REMAINING "The remaining count is either too large or too small."
    KEY_DISABLED "API Key is disabled"
    KEY_DISABLED_EXPIRATION "Custom key expiration values are disabled."
    KEY_EXPIRED "API Key has expired"
    KEY_NOT_FOUND "API Key not found"
    METADATA_DISABLED "Metadata is disabled."
    NAME_REQUIRED "API Key name is required."
    NO_DEFAULT_API_KEY_CONFIGURATION_FOUND "No default api-key configuration found."
    NO_VALUES_TO_UPDATE "No values to update."
    ORGANIZATION_ID_REQUIRED "Organization ID is required for organization-owned API keys."
    ORGANIZATION_PLUGIN_REQUIRED "Organization plugin is required for organization-owned API keys. Please install and configure the organization plugin."
    RATE_LIMITED "Rate limit exceeded."
    SERVER_ONLY_PROPERTY "The property you're trying to set can only be set from the server auth instance only."
    UNAUTHORIZED_SESSION "Unauthorized or invalid session"
    USAGE_EXCEEDED "API Key has reached its usage limit"
    USER_BANNED "User is banned"
    USER_NOT_MEMBER_OF_ORGANIZATION "You are not a member of the organization that owns this API key."
    KEY_IN_ADDRESS "An API key does not belong into an address, where logs and histories keep it. Delete this key, make a new one, and send it in the header x-api-key."
}
