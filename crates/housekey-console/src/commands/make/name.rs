use crate::Problem;

/// A checked name of a thing to make: `admin/user`, `Admin/UserController` and `admin::user` are the same.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// The folders above it, in snake case.
    pub(crate) folders: Vec<String>,
    /// Its own name in snake case, without the suffix of its kind.
    pub(crate) base: String,
}

impl Name {
    /// Reads what was typed. `suffix` (`controller`) is cut off, so that `user_controller` is `user`.
    pub(crate) fn parse(typed: &str, suffix: Option<&str>) -> Result<Self, Problem> {
        let typed = typed.strip_suffix(".rs").unwrap_or(typed);
        let typed = typed.replace("::", "/").replace('\\', "/");
        let mut parts = typed.split('/').map(|part| checked(part, &typed)).collect::<Result<Vec<_>, _>>()?;
        let mut base = parts.pop().unwrap_or_default();
        if let Some(short) = suffix.and_then(|suffix| base.strip_suffix(&format!("_{suffix}"))) {
            base = short.to_owned();
        }
        if suffix.is_none_or(|suffix| suffix == base) {
            refuse_keyword(&base, &typed)?;
        }
        for folder in &parts {
            refuse_keyword(folder, &typed)?;
        }
        Ok(Self { folders: parts, base })
    }

    /// `user` → `User`, `reset_password` → `ResetPassword`.
    pub(crate) fn pascal(&self) -> String {
        self.base.split('_').map(capitalised).collect()
    }

    /// `reset_password` → `resetPassword`.
    pub(crate) fn camel(&self) -> String {
        let mut words = self.base.split('_');
        let first = words.next().unwrap_or_default().to_owned();
        words.map(capitalised).fold(first, |name, word| name + &word)
    }

    /// `reset_password` → `Reset password`.
    pub(crate) fn title(&self) -> String {
        capitalised(&self.words())
    }

    /// `reset_password` → `reset password`.
    pub(crate) fn words(&self) -> String {
        self.base.replace('_', " ")
    }

    /// `reset_password` → `reset-password`.
    pub(crate) fn kebab(&self) -> String {
        self.base.replace('_', "-")
    }
}

fn checked(part: &str, typed: &str) -> Result<String, Problem> {
    let problem = |what: String| {
        Problem::new(format!("`{typed}` cannot be a name: {what}."))
            .remedy("Use letters, digits, `_` or `-`, with `/` for folders: `admin/user`.")
    };
    if part.is_empty() {
        return Err(problem("a part of it is empty".to_owned()));
    }
    if let Some(odd) =
        part.chars().find(|letter| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '-'))
    {
        return Err(problem(format!("it holds {odd:?}")));
    }
    let name = snake(part);
    match name.chars().next() {
        None => Err(problem("a part of it holds no letter".to_owned())),
        Some(first) if first.is_ascii_digit() => Err(problem("a part of it begins with a digit".to_owned())),
        Some(_) => Ok(name),
    }
}

fn refuse_keyword(name: &str, typed: &str) -> Result<(), Problem> {
    if KEYWORDS.contains(&name) {
        return Err(Problem::new(format!(
            "`{typed}` cannot be a name: `{name}` is a word of the Rust language."
        ))
        .remedy("Choose another one."));
    }
    Ok(())
}

/// `UserProfile`, `user-profile` and `HTTPLog` become `user_profile` and `http_log`.
fn snake(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut name = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| letters[before]);
        let starts_word = letter.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || letters.get(at + 1).is_some_and(char::is_ascii_lowercase)
            });
        if (starts_word || matches!(letter, '_' | '-')) && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        if letter.is_ascii_alphanumeric() {
            name.push(letter.to_ascii_lowercase());
        }
    }
    name.truncate(name.trim_end_matches('_').len());
    name
}

pub(crate) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(typed: &str, folders: &[&str], base: &str) {
        let name = Name::parse(typed, Some("controller")).unwrap();
        assert_eq!(
            (name.folders, name.base.as_str()),
            (folders.iter().map(ToString::to_string).collect(), base)
        );
    }

    #[test]
    fn one_name_in_many_spellings() {
        is("user", &[], "user");
        is("UserController", &[], "user");
        is("user-profile", &[], "user_profile");
        is("user_controller.rs", &[], "user");
        is("HTTPLog", &[], "http_log");
        is("Oauth2Client", &[], "oauth2_client");
        is("admin/user", &["admin"], "user");
        is("Admin::Billing\\Invoice", &["admin", "billing"], "invoice");
        is("controller", &[], "controller");
    }

    #[test]
    fn the_forms_of_a_name() {
        let name = Name::parse("reset-password", None).unwrap();
        assert_eq!(name.pascal(), "ResetPassword");
        assert_eq!(name.camel(), "resetPassword");
        assert_eq!(name.title(), "Reset password");
        assert_eq!(name.kebab(), "reset-password");
    }

    #[test]
    fn names_that_would_leave_the_folder_or_break_the_build_are_refused() {
        for bad in
            ["", "/", "../x", "/etc/passwd", "a//b", "a/", "7up", "a b", "naïve", "x;y", "-", "__", "a\0"]
        {
            assert!(Name::parse(bad, None).is_err(), "{bad:?} passed");
        }
        for word in ["mod", "self", "type", "Crate", "admin/Mod", "super/user"] {
            let problem = Name::parse(word, None).unwrap_err().to_string();
            assert!(problem.contains("a word of the Rust language"), "{problem}");
        }
        // With its suffix it is an ordinary file name.
        assert_eq!(Name::parse("type", Some("controller")).unwrap().base, "type");
    }
}
