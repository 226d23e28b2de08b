use serde_json::Value;

use super::VerifyError;

/// Who may say what to whom, and how far clocks may differ.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    pub(super) issuer: String,
    pub(super) audience: Vec<String>,
    pub(super) skew: u32,
}

impl Expected {
    /// Looks at the claims that every token has.
    pub(super) fn check(&self, claims: &Value, now: i64) -> Result<(), VerifyError> {
        if claims.get("iss").and_then(Value::as_str) != Some(self.issuer.as_str()) {
            return Err(VerifyError::Issuer);
        }
        let is_ours = |name: &str| self.audience.iter().any(|audience| audience == name);
        let is_for_us = match claims.get("aud") {
            Some(Value::String(audience)) => is_ours(audience),
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).any(is_ours),
            _ => false,
        };
        if !is_for_us {
            return Err(VerifyError::Audience);
        }
        self.check_time(claims, now)
    }

    fn check_time(&self, claims: &Value, now: i64) -> Result<(), VerifyError> {
        let (now, skew) = (now as f64, f64::from(self.skew));
        let time = |name: &str| claims.get(name).and_then(Value::as_f64);
        if time("exp").is_none_or(|end| now >= end + skew) {
            return Err(VerifyError::Expired);
        }
        for name in ["nbf", "iat"] {
            // One that stands there and is no time is none that has come.
            if claims.get(name).is_some() && time(name).is_none_or(|start| start > now + skew) {
                return Err(VerifyError::NotYetValid);
            }
        }
        Ok(())
    }
}
