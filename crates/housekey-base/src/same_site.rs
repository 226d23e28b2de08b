use serde::{Deserialize, Serialize};

/// Which requests that another site caused carry a cookie: its attribute `SameSite`.
///
/// ```
/// use housekey_base::SameSite;
///
/// assert_eq!("Strict".parse(), Ok(SameSite::Strict));
/// assert_eq!(SameSite::default().to_string(), "Lax");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SameSite {
    /// Only links that lead to the app.
    #[default]
    Lax,
    /// None at all.
    Strict,
    /// Every one; needs https.
    None,
}

impl std::fmt::Display for SameSite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Lax => "Lax",
            Self::Strict => "Strict",
            Self::None => "None",
        })
    }
}

impl std::str::FromStr for SameSite {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word.trim().to_ascii_lowercase().as_str() {
            "lax" => Ok(Self::Lax),
            "strict" => Ok(Self::Strict),
            "none" => Ok(Self::None),
            _ => Err(format!("`{word}` is not one of lax, strict, none")),
        }
    }
}
