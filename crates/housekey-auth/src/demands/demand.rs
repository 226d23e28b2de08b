use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What an [`Action`](super::Action) asks for, called like the guard that asks for the same.
///
/// ```
/// use housekey_auth::Demand;
///
/// assert_eq!(Demand::throttle(6, 1).to_string(), "throttle:6,1");
/// assert_eq!("password.confirm".parse(), Ok(Demand::PasswordConfirm));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Demand {
    /// `verified`: an address that was proven. Else 403 `EMAIL_NOT_VERIFIED`.
    Verified,
    /// `password.confirm`: a password entered a while ago. Else 423 `PASSWORD_CONFIRMATION_REQUIRED`. At an endpoint of
    /// the engine that takes the password in its body, the right one there is as good.
    PasswordConfirm,
    /// `throttle:6,1`: at most so many times in so many minutes, by person, both doors together. Else 429.
    Throttle {
        /// How often.
        max: u32,
        /// In how many minutes.
        minutes: u32,
    },
}

impl Demand {
    /// At most `max` times in so many minutes.
    pub const fn throttle(max: u32, minutes: u32) -> Self {
        Self::Throttle { max, minutes }
    }

    pub(crate) fn window(minutes: u32) -> Duration {
        Duration::from_secs(u64::from(minutes) * 60)
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verified => f.write_str("verified"),
            Self::PasswordConfirm => f.write_str("password.confirm"),
            Self::Throttle { max, minutes } => write!(f, "throttle:{max},{minutes}"),
        }
    }
}

impl FromStr for Demand {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let limit = |rest: &str| {
            let (max, minutes) = rest.split_once(',')?;
            Some(Self::Throttle { max: max.parse().ok()?, minutes: minutes.parse().ok()? })
        };
        let demand = match text {
            "verified" => Some(Self::Verified),
            "password.confirm" => Some(Self::PasswordConfirm),
            _ => text.strip_prefix("throttle:").and_then(limit),
        };
        demand.ok_or_else(|| {
            format!("{text:?} is nothing to ask for; known are: verified, password.confirm, throttle:6,1")
        })
    }
}
