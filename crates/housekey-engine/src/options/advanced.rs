use std::collections::BTreeMap;

use housekey_base::SameSite;
use serde::{Deserialize, Serialize};

use super::BackgroundTasks;
use crate::Callback;

/// Cookies, client addresses, origin checks, ids.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AdvancedOptions {
    /// Where the client's address comes from.
    pub ip_address: IpAddressOptions,
    /// Whether cookies are for https only. Unset: when the base URL is https.
    pub use_secure_cookies: Option<bool>,
    /// Whether the names of such cookies start with `__Host-`, which no other host of the domain can set, instead of the
    /// reference's `__Secure-`. One with a domain or a path of its own cannot have it.
    pub use_host_cookies: bool,
    /// Leaves out the check of cookie-carrying requests for a foreign origin.
    #[serde(rename = "disableCSRFCheck")]
    pub disable_csrf_check: Option<bool>,
    /// Leaves out the check of origins and of URLs in requests.
    pub disable_origin_check: OriginCheck,
    /// Cookies that subdomains see too.
    pub cross_sub_domain_cookies: CrossSubDomainCookies,
    /// Names and attributes of single cookies, by base name (`session_token`).
    pub cookies: BTreeMap<String, CookieOverride>,
    /// Attributes of every cookie.
    pub default_cookie_attributes: CookieAttributes,
    /// What every cookie's name starts with; `better-auth` when unset.
    pub cookie_prefix: Option<String>,
    /// How the ids of rows are made.
    pub database: DatabaseOptions,
    /// Where work goes that an answer need not wait for.
    pub background_tasks: BackgroundTasks,
}

/// Where the client's address comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct IpAddressOptions {
    /// Headers to read, the first usable one wins. Unset: `x-forwarded-for`.
    pub ip_address_headers: Option<Vec<String>>,
    /// Stores no address and limits no rate.
    pub disable_ip_tracking: bool,
    /// Proxies (addresses or CIDR ranges) whose entries in the header are skipped from the right.
    pub trusted_proxies: Vec<String>,
    /// How many leading bits of an IPv6 address count for rate limits. Sessions keep the whole address.
    pub ipv6_subnet: u8,
}

impl Default for IpAddressOptions {
    fn default() -> Self {
        Self {
            ip_address_headers: None,
            disable_ip_tracking: false,
            trusted_proxies: Vec::new(),
            ipv6_subnet: 64,
        }
    }
}

/// Whether the origin check is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OriginCheck {
    /// Everywhere (`true`) or nowhere.
    Disabled(bool),
    /// On these paths.
    DisabledFor(Vec<String>),
}

impl Default for OriginCheck {
    fn default() -> Self {
        Self::Disabled(false)
    }
}

/// Cookies that subdomains see too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CrossSubDomainCookies {
    /// Whether cookies carry a domain.
    pub enabled: bool,
    /// The domain; the base URL's host when unset.
    pub domain: Option<String>,
}

/// Another name or other attributes for a cookie.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CookieOverride {
    /// The whole name, prefix included.
    pub name: Option<String>,
    /// Attributes that differ.
    pub attributes: CookieAttributes,
}

/// Attributes of a cookie; unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CookieAttributes {
    pub domain: Option<String>,
    pub path: Option<String>,
    pub http_only: Option<bool>,
    pub secure: Option<bool>,
    pub same_site: Option<SameSite>,
    pub partitioned: Option<bool>,
    /// `Max-Age`, in seconds.
    pub max_age: Option<u32>,
}

/// How the ids of rows are made.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DatabaseOptions {
    /// How ids are made.
    pub generate_id: IdGeneration,
    /// Makes ids instead. Gets the engine's name of the table.
    pub generate_id_with: Callback<String, String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IdGeneration {
    /// 32 letters and digits.
    #[default]
    Random,
    /// Random UUIDs.
    Uuid,
}
