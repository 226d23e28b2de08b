//! What a name may be, and how it is looked up.

use unicode_normalization::UnicodeNormalization as _;

use super::lookalikes::{has_invisible, is_what_it_looks_like};
use super::{UsernameOptions, codes};
use crate::{ApiError, Callback, ErrorCode, Result};

/// Why a name cannot be, if it cannot, whoever has it. The answer tells nothing about anybody.
pub(super) async fn objection(options: &UsernameOptions, typed: &str) -> Result<Option<ErrorCode>> {
    // As JavaScript counts.
    let length = typed.encode_utf16().count();
    if length < options.min_username_length {
        return Ok(Some(codes::USERNAME_TOO_SHORT));
    }
    if length > options.max_username_length {
        return Ok(Some(codes::USERNAME_TOO_LONG));
    }
    let allowed = match says(&options.username_validator, "username.usernameValidator", typed).await? {
        Some(allowed) => allowed && is_what_it_looks_like(&normalise(options, typed)),
        None => typed.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')),
    };
    Ok((!allowed).then_some(codes::INVALID_USERNAME))
}

/// Whether the name of somebody may be shown like this.
pub(super) async fn may_be_shown(options: &UsernameOptions, shown: &str, name: Option<&str>) -> Result<bool> {
    let said = says(&options.display_username_validator, "username.displayUsernameValidator", shown).await?;
    Ok(said.unwrap_or_else(|| {
        !has_invisible(shown) && name.is_some_and(|name| in_small_letters(name) == in_small_letters(shown))
    }))
}

/// A name in the form in which it is looked up. One that was typed on another keyboard may arrive as other code points; NFKC makes
/// them one.
pub(super) fn normalise(options: &UsernameOptions, typed: &str) -> String {
    if !options.username_normalization {
        return typed.nfkc().collect();
    }
    in_small_letters(typed)
}

fn in_small_letters(typed: &str) -> String {
    // Lower case may be written in other code points again.
    typed.nfkc().collect::<String>().to_lowercase().nfkc().collect()
}

async fn says(callback: &Callback<String, bool>, name: &'static str, text: &str) -> Result<Option<bool>> {
    let said = callback.call(text.to_owned()).await.transpose();
    said.map_err(|error| ApiError::internal(name, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_has_one_form() {
        let options = UsernameOptions::default();
        for (typed, name) in [
            ("Ada_L", "ada_l"),
            ("\u{ff21}\u{ff24}\u{ff21}", "ada"),
            ("Jose\u{301}", "josé"),
            ("JOS\u{c9}", "josé"),
            ("\u{212a}im", "kim"),
        ] {
            assert_eq!(normalise(&options, typed), name);
            assert_eq!(normalise(&options, name), name, "again changes nothing");
        }
        let kept = UsernameOptions { username_normalization: false, ..options };
        assert_eq!(normalise(&kept, "Ada_L"), "Ada_L");
    }
}
