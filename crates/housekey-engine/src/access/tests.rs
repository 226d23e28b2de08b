use serde_json::json;

use super::*;

fn control() -> AccessControl {
    let all = Statements::new().with("user", ["list", "ban", "delete"]).with("session", ["list"]);
    AccessControl::new(all)
        .role("reader", Statements::new().with("user", ["list"]).with("session", ["list"]))
        .unwrap()
        .role("guard", Statements::new().with("user", ["ban"]))
        .unwrap()
}

#[test]
fn a_request_needs_every_resource_and_every_action() {
    let control = control();
    assert!(control.allows("reader", &Permission::of("user", ["list"]).and("session", ["list"])));
    assert!(!control.allows("reader", &Permission::of("user", ["list", "ban"])));
    assert!(!control.allows("reader", &Permission::of("user", ["list"]).and("house", ["enter"])));
}

#[test]
fn roles_do_not_add_up() {
    let control = control();
    assert!(control.allows("reader,guard", &Permission::of("user", ["ban"])));
    assert!(!control.allows("reader,guard", &Permission::of("user", ["list", "ban"])));
}

#[test]
fn nothing_asked_is_nothing_allowed() {
    let control = control();
    assert!(!control.allows("reader", &Permission::default()));
    assert!(!control.allows("reader", &Permission::of("user", Vec::<String>::new())));
    assert!(!control.allows("reader", &Permission::any_of("user", Vec::<String>::new())));
    assert!(!control.allows("", &Permission::of("user", ["list"])));
    assert!(!control.allows("reader ", &Permission::of("user", ["list"])), "names are not trimmed");
}

#[test]
fn one_action_or_one_resource_is_enough_where_it_says_so() {
    let control = control();
    assert!(control.allows("guard", &Permission::any_of("user", ["list", "ban"])));
    assert!(
        control.allows("guard", &Permission::of("session", ["list"]).and("user", ["ban"]).any_resource())
    );
    assert!(!control.allows("guard", &Permission::of("session", ["list"]).any_resource()));
}

#[test]
fn a_role_cannot_allow_what_there_is_not() {
    let error = control().role("owner", Statements::new().with("user", ["list", "lst"])).unwrap_err();
    assert!(error.to_string().contains("`user:lst`"), "{error}");
}

#[test]
fn a_request_is_read_from_json() {
    let read = |json: serde_json::Value| Permission::from_json(json.as_object().unwrap());
    assert_eq!(read(json!({ "user": ["list"] })), Ok(Permission::of("user", ["list"])));
    assert_eq!(read(json!({ "user": "list" })), Err("user".to_owned()));
    assert_eq!(read(json!({ "user": [1] })), Err("user".to_owned()));
}

#[test]
fn statements_keep_their_order_through_json() {
    let text = r#"{"b":["2","1"],"a":[]}"#;
    let statements: Statements = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&statements).unwrap(), text);
}
