//! How the words of a name are joined: serde's `rename_all`, from the snake_case of a field.

/// A spelling of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Casing {
    AsWritten,
    Upper,
    Pascal,
    Camel,
    Kebab,
    UpperKebab,
}

impl Casing {
    /// By the name that serde gives it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "lowercase" | "snake_case" => Some(Self::AsWritten),
            "UPPERCASE" | "SCREAMING_SNAKE_CASE" => Some(Self::Upper),
            "PascalCase" => Some(Self::Pascal),
            "camelCase" => Some(Self::Camel),
            "kebab-case" => Some(Self::Kebab),
            "SCREAMING-KEBAB-CASE" => Some(Self::UpperKebab),
            _ => None,
        }
    }

    pub(crate) fn apply(self, field: &str) -> String {
        match self {
            Self::AsWritten => field.to_owned(),
            Self::Upper => field.to_ascii_uppercase(),
            Self::Kebab => field.replace('_', "-"),
            Self::UpperKebab => field.to_ascii_uppercase().replace('_', "-"),
            Self::Pascal => field.split('_').flat_map(capitalized).collect(),
            Self::Camel => {
                let mut name = Self::Pascal.apply(field);
                if let Some(first) = name.get_mut(..1) {
                    first.make_ascii_lowercase();
                }
                name
            }
        }
    }
}

fn capitalized(word: &str) -> impl Iterator<Item = char> {
    let mut letters = word.chars();
    letters.next().map(|letter| letter.to_ascii_uppercase()).into_iter().chain(letters)
}

#[cfg(test)]
mod tests {
    use super::Casing;

    #[test]
    fn names_are_spelled_as_serde_spells_them() {
        for (name, spelled) in [
            ("lowercase", "email_verified_at"),
            ("UPPERCASE", "EMAIL_VERIFIED_AT"),
            ("PascalCase", "EmailVerifiedAt"),
            ("camelCase", "emailVerifiedAt"),
            ("snake_case", "email_verified_at"),
            ("SCREAMING_SNAKE_CASE", "EMAIL_VERIFIED_AT"),
            ("kebab-case", "email-verified-at"),
            ("SCREAMING-KEBAB-CASE", "EMAIL-VERIFIED-AT"),
        ] {
            assert_eq!(Casing::named(name).unwrap().apply("email_verified_at"), spelled);
        }
        assert_eq!(Casing::Camel.apply("id"), "id");
        assert_eq!(Casing::named("Title Case"), None);
    }
}
