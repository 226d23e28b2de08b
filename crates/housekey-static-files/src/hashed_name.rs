/// Whether a bundler named this file by its content, so that the name can never mean other bytes: `app-BX1a2c3D.js`,
/// `chunk.4f2a9c01.css`, their source maps. Words and dates in names (`my-component.js`, `report-20260101.pdf`) are not
/// taken for hashes; a rare hash that looks like a word is only checked again more often than needed.
pub(crate) fn is_hashed(name: &str) -> bool {
    name.match_indices('.').any(|(end, _)| ends_in_hash(&name[..end]))
}

/// The bundler's hashes are eight characters of base64url, which may contain the separator itself.
const SHORT_HASH: usize = 8;

fn ends_in_hash(stem: &str) -> bool {
    let short = stem.len().checked_sub(SHORT_HASH).and_then(|start| stem.split_at_checked(start));
    if let Some((before, hash)) = short {
        let alphabet = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if before.len() > 1 && before.ends_with(['-', '.']) && hash.bytes().all(alphabet) && is_mixed(hash) {
            return true;
        }
    }
    let long = stem.rfind(['-', '.']).map(|at| &stem[at + 1..]);
    long.is_some_and(|hash| {
        hash.len() > SHORT_HASH && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) && is_mixed(hash)
    })
}

/// Not a word, not a number.
fn is_mixed(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_alphabetic())
        && text.bytes().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_made_from_content_are_told_from_names_made_by_people() {
        for name in [
            "app-BX1a2c3D.js",
            "app-B-a1c2D3.css",
            "app-BX1a2c3D.js.map",
            "x.4f2a9c01.css",
            "v-d41d8cd98f00b204e980.js",
        ] {
            assert!(is_hashed(name), "{name}");
        }
        for name in [
            "app.js",
            "my-component.js",
            "report-20260101.pdf",
            "BX1a2c3D.js",
            "-BX1a2c3D.js",
            "app-BX1a2c3D",
            "grüße-ünïcödé.js",
        ] {
            assert!(!is_hashed(name), "{name}");
        }
    }
}
