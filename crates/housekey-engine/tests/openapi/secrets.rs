use std::collections::BTreeSet;

use serde_json::Value;

use crate::openapi::everything;

// spec: KEY-6
#[test]
fn no_hidden_column_is_in_a_schema() {
    let engine = everything::engine();
    let components = engine.openapi().components();
    let mut looked_at = 0;
    for table in engine.schema().tables() {
        let mut name = format!("Auth{}", table.key);
        name.get_mut(4..5).unwrap().make_ascii_uppercase();
        let Some(schema) = components["schemas"].get(&name) else { continue };
        let described: BTreeSet<&str> =
            schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let seen = table.columns.iter().filter(|column| column.returned);
        assert_eq!(described, seen.map(|column| &*column.field).collect(), "{name}");
        looked_at += table.columns.iter().filter(|column| !column.returned).count();
    }
    assert!(looked_at > 0, "no table has a hidden column");
}

// spec: KEY-6
#[test]
fn tables_that_no_client_sees_are_not_described() {
    let components = everything::engine().openapi().components();
    for name in ["AuthAccount", "AuthVerification", "AuthTwoFactor", "AuthRateLimit"] {
        assert!(components["schemas"].get(name).is_none(), "{name}");
    }
    let text = Value::to_string(&components);
    for secret in ["backupCodes", "lastOrganizationId", "membershipKey", "pendingKey"] {
        assert!(!text.contains(secret), "{secret}");
    }
}
