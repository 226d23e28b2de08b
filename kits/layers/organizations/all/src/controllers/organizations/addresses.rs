/// The addresses in what somebody typed or pasted: separated by commas, semicolons, lines or spaces, also as `Ada <ada@…>`.
/// Each once, in the order they came.
pub fn addresses(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in without_quoted_names(text).split([',', ';', '\n', '\r']) {
        let inside =
            part.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(address, _)| address);
        for address in inside.unwrap_or(part).split_whitespace() {
            let address = address.to_lowercase();
            if !found.contains(&address) {
                found.push(address);
            }
        }
    }
    found
}

/// A name in quotes may have a comma in it. An address in quotes stays.
fn without_quoted_names(text: &str) -> String {
    let parts = text.split('"').enumerate();
    let kept: Vec<&str> =
        parts.filter(|(index, part)| index % 2 == 0 || part.contains('@')).map(|(_, part)| part).collect();
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_however_they_were_pasted() {
        let text = "ada@example.com, Eve Smith <Eve@Example.com>;\r\nbob@example.com bob@example.com\n\n\"Max, M.\" <max@example.com>";
        let found = addresses(text);
        assert_eq!(found, ["ada@example.com", "eve@example.com", "bob@example.com", "max@example.com"]);
        assert!(addresses(" ,;\n").is_empty());
    }
}
