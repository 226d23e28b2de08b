//! Just enough of MIME to look inside a mail.

/// The content of the first part of this kind, decoded.
pub(crate) fn part(raw: &str, kind: &str) -> String {
    let at = raw.find(&format!("Content-Type: {kind}")).unwrap_or_else(|| panic!("no {kind} in\n{raw}"));
    let rest = &raw[at..];
    let (head, body) = rest.split_once("\r\n\r\n").expect("a part has a body");
    let body = body.split("\r\n--").next().unwrap_or(body);
    let encoding = head.lines().find_map(|line| line.strip_prefix("Content-Transfer-Encoding: "));
    match encoding.unwrap_or("7bit") {
        "quoted-printable" => quoted_printable(body),
        "base64" => base64(body),
        _ => body.to_owned(),
    }
}

fn quoted_printable(body: &str) -> String {
    let joined = body.replace("=\r\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        match (byte, after) {
            (b'=', [high, low, after @ ..]) => {
                let digits = [*high, *low];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
                rest = after;
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap()
}

fn base64(body: &str) -> String {
    let clean: String = body.chars().filter(|char| !char.is_whitespace()).collect();
    String::from_utf8(data_encoding::BASE64.decode(clean.as_bytes()).unwrap()).unwrap()
}

/// The header lines of a mail, unfolded.
pub(crate) fn headers(raw: &str) -> Vec<String> {
    let (head, _) = raw.split_once("\r\n\r\n").expect("a mail has a head");
    head.replace("\r\n ", " ").replace("\r\n\t", " ").split("\r\n").map(str::to_owned).collect()
}
