/// Text for a log: whatever could be a secret is taken out.
///
/// Of an address the values of the query, the fragment and every long or random-looking piece of the path go; of
/// the rest every word that could be a one-time code, a backup code or a token. It takes out too much rather than
/// too little: who wants to read a mail has `/dev/mailbox`.
///
/// ```
/// use housekey_mail::redact_for_log;
///
/// let text = redact_for_log("Open https://shop.example/reset?token=s3cr3t, or type 481516.");
/// assert_eq!(text, "Open https://shop.example/reset?token=…, or type ….");
/// ```
// spec: NTF-8
pub fn redact_for_log(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let space = rest.find(|char: char| !char.is_whitespace()).unwrap_or(rest.len());
        shown.push_str(&rest[..space]);
        rest = &rest[space..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        push_word(&mut shown, &rest[..end]);
        rest = &rest[end..];
    }
    // "123 456" is a code too, though neither half is.
    join_digit_groups(&shown)
}

const HIDDEN: char = '…';

fn push_word(shown: &mut String, word: &str) {
    match word.find("://") {
        Some(at) => {
            let start = word[..at].rfind(|char: char| !is_code_char(char)).map_or(0, |before| before + 1);
            let start = (start..=at).find(|at| word.is_char_boundary(*at)).unwrap_or(0);
            push_plain(shown, &word[..start]);
            push_address(shown, &word[start..]);
        }
        None => push_plain(shown, word),
    }
}

fn push_address(shown: &mut String, address: &str) {
    let end = address.trim_end_matches(['.', ',', ';', ':', '!', ')', '>', '"', '\'', '”']).len();
    let (address, tail) = address.split_at(end);
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let path_at = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, rest) = rest.split_at(path_at);
    shown.push_str(scheme);
    shown.push_str("://");
    // `user:password@host` is how an address carries a password.
    match host.rsplit_once('@') {
        Some((_, host)) => shown.extend(["…@", host]),
        None => shown.push_str(host),
    }
    let query_at = rest.find(['?', '#']).unwrap_or(rest.len());
    let (path, query) = rest.split_at(query_at);
    for (number, segment) in path.split('/').enumerate() {
        if number > 0 {
            shown.push('/');
        }
        if could_be_secret(segment) { shown.push(HIDDEN) } else { shown.push_str(segment) }
    }
    push_query(shown, query);
    shown.push_str(tail);
}

fn push_query(shown: &mut String, query: &str) {
    let Some(mark) = query.chars().next() else { return };
    shown.push(mark);
    let (query, fragment) = match query[1..].split_once('#') {
        Some((query, _)) => (query, true),
        None => (&query[1..], false),
    };
    for (number, pair) in query.split('&').enumerate() {
        if number > 0 {
            shown.push('&');
        }
        match pair.split_once('=') {
            Some((name, _)) if !could_be_secret(name) => shown.extend([name, "=…"]),
            _ if pair.is_empty() => {}
            _ => shown.push(HIDDEN),
        }
    }
    if fragment {
        shown.push_str("#…");
    }
}

/// Words outside addresses, cut where something stands that no code contains.
fn push_plain(shown: &mut String, word: &str) {
    for piece in word.split_inclusive(|char: char| !is_code_char(char)) {
        let cut = piece.trim_end_matches(|char: char| !is_code_char(char)).len();
        let (word, mark) = piece.split_at(cut);
        if could_be_secret(word) {
            shown.push(HIDDEN);
        } else {
            shown.push_str(word);
        }
        shown.push_str(mark);
    }
}

fn is_code_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '-' | '_' | '+' | '%' | '~' | '=')
}

fn could_be_secret(word: &str) -> bool {
    let characters = word.chars().count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let is_number = digits >= 4 && word.chars().all(|char| char.is_ascii_digit() || char == '-');
    let is_mixed = digits > 0 && characters >= 6;
    let is_shouted = characters >= 6
        && word.contains('-')
        && word.chars().all(|char| char.is_ascii_uppercase() || char == '-');
    is_number || is_mixed || is_shouted || characters >= 24
}

fn join_digit_groups(text: &str) -> String {
    let is_group = |word: &str| {
        let word = word.trim_end_matches(|char: char| !char.is_ascii_digit());
        (2..=4).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let at = |index: usize| words.get(index).is_some_and(|word| is_group(word));
    let mut joined = String::with_capacity(text.len());
    for (index, word) in words.iter().enumerate() {
        if at(index) && (at(index + 1) || index > 0 && at(index - 1)) {
            joined.push(HIDDEN);
            joined.push_str(word.trim_start_matches(|char: char| char.is_ascii_digit()));
        } else {
            joined.push_str(word);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_their_shape_and_lose_their_secrets() {
        for (text, shown) in [
            ("https://a.example/", "https://a.example/"),
            ("https://a.example/invoices/7", "https://a.example/invoices/7"),
            ("https://a.example/verify/Zm9vYmFyYmF6cXV4MTIzNDU2", "https://a.example/verify/…"),
            ("https://a.example/r?token=abc&next=%2Fhome", "https://a.example/r?token=…&next=…"),
            ("https://a.example/r?abc", "https://a.example/r?…"),
            ("https://a.example/r#abc", "https://a.example/r#…"),
            ("https://a.example/r?a=1#abc", "https://a.example/r?a=…#…"),
            ("https://ada:pw@a.example/x", "https://…@a.example/x"),
            ("(https://a.example/r?token=x).", "(https://a.example/r?token=…)."),
            ("Link:https://a.example/r?t=x", "Link:https://a.example/r?t=…"),
        ] {
            assert_eq!(redact_for_log(text), shown);
        }
    }

    #[test]
    fn codes_are_taken_out_and_words_stay() {
        for (text, shown) in [
            ("Your code is 481516.", "Your code is …."),
            ("Your code is 481 516", "Your code is … …"),
            ("    48 15\n\nGood luck", "    … …\n\nGood luck"),
            ("Code: AB12-CD34", "Code: …"),
            ("Backup ABCD-EFGH", "Backup …"),
            ("Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc", "Bearer ….e30.abc"),
            ("Hello Ada, welcome to the e-mail list.", "Hello Ada, welcome to the e-mail list."),
            ("It is valid for 60 minutes.", "It is valid for 60 minutes."),
            ("Grüße, 3 Schlüssel", "Grüße, 3 Schlüssel"),
        ] {
            assert_eq!(redact_for_log(text), shown);
        }
    }

    #[test]
    fn odd_text_is_never_cut_inside_a_character() {
        for text in
            ["ü://", "…://ü?ü=ü", "://", "?#&=", "“https://ü.example/ü?x”", "\u{1F511}https://a/\u{1F511}"]
        {
            redact_for_log(text);
        }
    }
}
