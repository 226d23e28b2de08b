use super::{StoredBackupCodes, options};
use crate::{Api, ApiError, HashedCodes, Result, constant_time_eq};

/// Backup codes as they lie in the row.
pub(super) enum StoredCodes {
    /// Encrypted, as the reference keeps them: here opened.
    Readable(Vec<String>),
    /// Hashed, in the spelling of [`plain`]: nobody reads them again.
    Hashed(HashedCodes),
}

impl StoredCodes {
    /// Reads either kind, whatever the options say today.
    pub(super) fn read(api: &Api, stored: &str) -> Result<Self> {
        if let Some(hashed) = HashedCodes::parse(stored) {
            return Ok(Self::Hashed(hashed));
        }
        let json = api.decrypt(stored)?;
        let codes = serde_json::from_str(&json)
            .map_err(|error| ApiError::internal("backup codes could not be read", error))?;
        Ok(Self::Readable(codes))
    }

    /// How many are left.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Readable(codes) => codes.len(),
            Self::Hashed(hashed) => hashed.len(),
        }
    }

    /// Which of them was typed. Hashed ones are known in any spelling, because only one of them was hashed.
    pub(super) async fn find(&self, api: &Api, typed: &str, any_spelling: bool) -> Result<Option<usize>> {
        match self {
            Self::Readable(codes) => Ok(find_among(codes, typed, any_spelling)),
            Self::Hashed(hashed) => api.find_code(&plain(typed), hashed).await,
        }
    }

    /// What to store when one of them is spent. What can still be read is hashed by then, if the options say so.
    pub(super) async fn without(self, api: &Api, spent: usize) -> Result<String> {
        match self {
            Self::Readable(mut codes) => {
                codes.remove(spent);
                stored(api, &codes).await
            }
            Self::Hashed(hashed) => Ok(hashed.without(spent).to_string()),
        }
    }
}

/// Codes that open something, as the options want them stored.
pub(super) async fn stored(api: &Api, codes: &[String]) -> Result<String> {
    match options(api)?.backup_codes.store_backup_codes {
        StoredBackupCodes::Encrypted => encrypted(api, codes),
        StoredBackupCodes::Hashed => {
            let plain: Vec<String> = codes.iter().map(|code| plain(code)).collect();
            Ok(api.hash_codes(&plain).await?.to_string())
        }
    }
}

/// Codes that open nothing yet, because enrolment is pending: they are still to be shown.
pub(super) fn encrypted(api: &Api, codes: &[String]) -> Result<String> {
    let json = serde_json::to_string(codes)
        .map_err(|error| ApiError::internal("backup codes could not be written", error))?;
    api.encrypt(&json)
}

/// All are compared, so that the answer's time does not tell.
fn find_among(all: &[String], typed: &str, any_spelling: bool) -> Option<usize> {
    let spelled = |code: &str| if any_spelling { plain(code) } else { code.to_owned() };
    let given = spelled(typed);
    all.iter().enumerate().fold(None, |found, (at, code)| {
        let same = constant_time_eq(spelled(code).as_bytes(), given.as_bytes());
        found.or(same.then_some(at))
    })
}

fn plain(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_copied_by_hand_is_known_in_any_spelling_and_a_program_writes_it_as_it_was_given_out() {
        let all = ["aB3dE-Fg7hI".to_owned(), "zzzzz-11111".to_owned()];
        for (typed, any_spelling, expected) in [
            ("zzzzz-11111", false, Some(1)),
            ("ZZZZZ-11111", false, None),
            ("zzzzz11111", false, None),
            ("ab3de-fg7hi", true, Some(0)),
            (" AB3DE FG7HI ", true, Some(0)),
            ("zzzzz11111", true, Some(1)),
            ("zzzzz1111", true, None),
            ("-", true, None),
            ("", true, None),
        ] {
            assert_eq!(find_among(&all, typed, any_spelling), expected, "{typed}");
        }
    }
}
