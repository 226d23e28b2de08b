use std::net::IpAddr;
use std::path::PathBuf;

use housekey_base::SameSite;

use crate::Secret;

/// A type that can be read from a variable's text.
pub trait FromEnv: Sized {
    /// What the text must be, for the error message: "a whole number".
    const EXPECTED: &'static str;

    /// Whether an empty variable is a value rather than an unset one.
    const TAKES_EMPTY: bool = false;

    /// Reads the text; `None` when it is something else.
    fn from_env(text: &str) -> Option<Self>;
}

impl FromEnv for String {
    const EXPECTED: &'static str = "text";
    const TAKES_EMPTY: bool = true;

    fn from_env(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl FromEnv for Secret {
    const EXPECTED: &'static str = "text";
    const TAKES_EMPTY: bool = true;

    fn from_env(text: &str) -> Option<Self> {
        Some(text.into())
    }
}

impl FromEnv for SameSite {
    const EXPECTED: &'static str = "lax, strict or none";

    fn from_env(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl FromEnv for bool {
    const EXPECTED: &'static str = "true or false";

    fn from_env(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(true),
            "false" | "0" | "no" | "off" => Some(false),
            _ => None,
        }
    }
}

impl<T: FromEnv> FromEnv for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn from_env(text: &str) -> Option<Self> {
        T::from_env(text).map(Some)
    }
}

macro_rules! parsed {
    ($expected:literal: $($kind:ty),+) => {
        $(impl FromEnv for $kind {
            const EXPECTED: &'static str = $expected;

            fn from_env(text: &str) -> Option<Self> {
                text.trim().parse().ok()
            }
        })+
    };
}

parsed!("a whole number": u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);
parsed!("a number": f32, f64);
parsed!("an IP address": IpAddr);
parsed!("a path": PathBuf);
