use housekey::LangConfig;

/// Where translations lie. The English sentence is the key: lang/de.json says `{ "Sign in": "Anmelden" }`.
pub fn lang() -> LangConfig {
    LangConfig {
        folder: "lang".into(),

        // Whether a visitor's Accept-Language chooses among the languages there are.
        detect: true,
    }
}
