use housekey::auth::Auth;
use housekey::auth::config::ApiKeyOptions;
use housekey::prelude::*;
use time::Duration;

/// What can be offered, in days.
const DAYS: [(&str, u32); 3] = [("30", 30), ("90", 90), ("365", 365)];
const NEVER: &str = "never";

/// How long a new key may live: `30`, `90` and `365` days and `never`, as far as its configuration allows them. None where it
/// lets nobody say; then it decides itself.
pub fn lifetimes(config_id: &str) -> Result<Vec<&'static str>> {
    let options = Auth::current()?.engine().plugins().state::<ApiKeyOptions>("api-key").unwrap_or_default();
    let config = options.configurations.iter().find(|config| config.config_id == config_id);
    let rules = config.map(|config| config.key_expiration).unwrap_or_default();
    if rules.disable_custom_expires_time {
        return Ok(Vec::new());
    }
    let allowed = rules.min_expires_in..=rules.max_expires_in;
    let days = DAYS.into_iter().filter(|(_, days)| allowed.contains(days)).map(|(name, _)| name);
    // Where keys end by themselves, nobody makes one that does not.
    let never = rules.default_expires_in.is_none().then_some(NEVER);
    Ok(days.chain(never).collect())
}

/// What is chosen before anybody has chosen: a quarter of a year where it is offered.
pub fn usual_lifetime(offered: &[&'static str]) -> &'static str {
    let quarter = offered.iter().find(|name| **name == "90");
    quarter.or(offered.first()).copied().unwrap_or_default()
}

/// How long a key lives by what was chosen; for as long as its configuration says when that is nothing.
pub fn lifetime(config_id: &str, chosen: Option<&str>) -> Result<Option<Duration>> {
    let offered = lifetimes(config_id)?;
    match chosen.filter(|chosen| offered.contains(chosen)) {
        None if !offered.is_empty() => {
            let mut errors = FieldErrors::new();
            errors.add("lifetime", t("Choose how long the key lives."));
            Err(Error::invalid(errors))
        }
        None | Some(NEVER) => Ok(None),
        Some(days) => Ok(days.parse().ok().map(Duration::days)),
    }
}
