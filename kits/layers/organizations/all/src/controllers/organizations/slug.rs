use housekey::auth::engine::Api;
use housekey::auth::engine::plugins::organization::slug_is_free;
use housekey::prelude::*;

/// The longest that a form takes, without the number that may be added.
const LONGEST: usize = 40;

/// A short name that nobody has yet, made from a name: `Ada & Sons` becomes `ada-sons`, the next one `ada-sons-2`.
pub async fn free_slug(api: &mut Api, name: &str) -> Result<String> {
    let wanted = slug_of(name);
    for number in 1..10 {
        let slug = if number == 1 { wanted.clone() } else { format!("{wanted}-{number}") };
        if slug_is_free(api, &slug).await.or_http_error()? {
            return Ok(slug);
        }
    }
    Ok(format!("{wanted}-{}", housekey::random::lowercase(6)))
}

/// Letters and digits that may stand in an address; what is between them becomes a dash.
fn slug_of(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        if slug.len() >= LONGEST {
            break;
        }
        match plain(letter) {
            Some(letters) => slug.push_str(letters),
            None if letter.is_ascii_alphanumeric() => slug.push(letter),
            None if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            None => {}
        }
    }
    let slug = slug.trim_end_matches('-');
    // A name in another script has none of these letters.
    if slug.is_empty() { "organization".into() } else { slug.into() }
}

/// Letters of European names without their marks.
const fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ä' | 'æ' => "ae",
        'ö' | 'ø' | 'œ' => "oe",
        'ü' => "ue",
        'ß' => "ss",
        'à' | 'á' | 'â' | 'ã' | 'å' => "a",
        'ç' | 'č' => "c",
        'è' | 'é' | 'ê' | 'ë' | 'ě' => "e",
        'ì' | 'í' | 'î' | 'ï' => "i",
        'ł' => "l",
        'ñ' | 'ń' => "n",
        'ò' | 'ó' | 'ô' | 'õ' => "o",
        'ř' => "r",
        'š' | 'ś' => "s",
        'ù' | 'ú' | 'û' | 'ů' => "u",
        'ý' | 'ÿ' => "y",
        'ž' | 'ź' | 'ż' => "z",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_letters_digits_and_single_dashes() {
        assert_eq!(slug_of("  Ada & Sons, Ltd. "), "ada-sons-ltd");
        assert_eq!(slug_of("Käsespätzle Größe 3"), "kaesespaetzle-groesse-3");
        assert_eq!(slug_of("株式会社"), "organization");
        assert_eq!(slug_of("--"), "organization");
        assert!(slug_of(&"long name ".repeat(20)).len() <= LONGEST + 2);
    }
}
