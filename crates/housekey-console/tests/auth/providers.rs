//! `auth:providers`.

use super::Site;

fn with(variables: &[(&'static str, &str)]) -> Site {
    let mut site = Site::new();
    site.variables.extend(variables.iter().map(|(name, value)| (*name, (*value).to_owned())));
    site
}

/// The words of the line about a provider.
fn row(said: &str, id: &str) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let row = said.lines().map(words).find(|words| words.iter().any(|word| word == id));
    row.unwrap_or_else(|| panic!("{id} is not in {said}"))
}

// spec: SOC-1
#[test]
fn each_provider_is_listed_with_the_redirect_uri_to_register() {
    let site = with(&[("PROVIDER_SECRET", "hunter2")]);
    let said = site.ok("auth:providers");
    assert_eq!(
        row(&said, "github"),
        ["GitHub", "github", "http://localhost:3000/api/auth/callback/github", "needs", "none"]
    );
    assert!(!said.contains("development") && !said.contains("hunter2"), "{said}");
    let json = site.ok("auth:providers --json");
    let line = json.lines().find(|line| line.starts_with('{')).unwrap_or_else(|| panic!("{json}"));
    let one: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(one["id"], "github");
    assert_eq!(one["redirectUri"], "http://localhost:3000/api/auth/callback/github");
    assert_eq!(one["discovery"], "not-asked");
}

// spec: SOC-10
#[test]
fn the_development_account_is_listed_and_answers() {
    let said = Site::new().ok("auth:providers");
    assert!(
        row(&said, "development").contains(&"http://localhost:3000/api/auth/callback/development".to_owned()),
        "{said}"
    );
    assert_eq!(row(&said, "development").last().unwrap(), "answers");
}

// spec: SOC-8
#[test]
fn one_that_does_not_answer_is_named_with_the_reason_and_can_be_left_alone() {
    // Nobody listens there, and without TLS nobody is asked.
    let site = with(&[("ISSUER", "http://127.0.0.1:1")]);
    let said = site.ok("auth:providers");
    assert_eq!(row(&said, "own").last().unwrap(), "fails");
    assert!(said.contains("Own does not answer: "), "{said}");
    let offline = site.ok("auth:providers --offline");
    assert!(row(&offline, "own").ends_with(&["not".to_owned(), "asked".to_owned()]), "{offline}");
    let json = site.ok("auth:providers --json");
    assert!(json.contains(r#""discovery":"fails""#) && json.contains(r#""problem":""#), "{json}");
}

// spec: SOC-1
#[test]
fn an_app_without_providers_is_told_how_to_have_some() {
    let said = with(&[("MODE", "production")]).ok("auth:providers");
    assert!(said.contains("social_providers") && said.contains("config/auth.rs"), "{said}");
}
