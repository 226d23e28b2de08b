//! Edits one value in a `.env` file and leaves every other byte as it was.

use std::{fs, io, ops::Range, path::Path};

use housekey_core::env::dotenv_value;

/// The bytes of a `.env` file and where its assignments are. It never fails to parse: a line it does not
/// understand is a line it does not touch.
#[derive(Debug)]
pub(crate) struct EnvFile {
    bytes: Vec<u8>,
}

impl EnvFile {
    /// Reads `path`; `None` when there is no such file.
    pub(crate) fn read(path: &Path) -> io::Result<Option<Self>> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(Self { bytes })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn empty() -> Self {
        Self { bytes: Vec::new() }
    }

    /// The value of `key`, quotes removed. The last assignment counts, as it does when the app reads the file.
    pub(crate) fn value(&self, key: &str) -> Option<String> {
        let entry =
            self.entries().into_iter().rfind(|entry| &self.bytes[entry.key.clone()] == key.as_bytes())?;
        let written = String::from_utf8_lossy(&self.bytes[entry.value]);
        Some(dotenv_value(&written).unwrap_or_else(|| written.into_owned()))
    }

    /// Gives `key` a new value: in place where the file assigns it, else on a line of its own below the
    /// assignment of `below`, else at the end.
    pub(crate) fn set(&mut self, key: &str, value: &str, below: Option<&str>) {
        let value = quoted(value);
        let assigned: Vec<Range<usize>> = self.assignments(key).map(|entry| entry.value).collect();
        if assigned.is_empty() {
            self.insert_line(&format!("{key}={value}"), below);
        }
        // Back to front, so that the earlier ranges stay true.
        for range in assigned.into_iter().rev() {
            // `KEY=# comment`: glued to a value the `#` would become part of it.
            let gap = if self.bytes.get(range.end) == Some(&b'#') { " " } else { "" };
            self.bytes.splice(range, value.bytes().chain(gap.bytes()));
        }
    }

    /// Replaces the file in one step: a crash leaves the old file or the new one, never half of it. The
    /// permissions stay; a new file is readable by its owner only, for it holds secrets.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        // A symlinked .env stays a symlink: its target is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let permissions = fs::metadata(&target).ok().map(|found| found.permissions());
        housekey_core::replace_file(&target, &self.bytes, permissions)
    }

    fn assignments(&self, key: &str) -> impl Iterator<Item = Entry> {
        self.entries().into_iter().filter(move |entry| &self.bytes[entry.key.clone()] == key.as_bytes())
    }

    fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut at = if self.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        while at < self.bytes.len() {
            match Entry::at(&self.bytes, at) {
                Some(entry) => {
                    at = line_end(&self.bytes, entry.value.end);
                    entries.push(entry);
                }
                None => at = line_end(&self.bytes, at),
            }
            at += 1;
        }
        entries
    }

    fn insert_line(&mut self, line: &str, below: Option<&str>) {
        let newline = self.newline();
        let anchor = below.and_then(|key| self.assignments(key).last());
        let at = match anchor {
            Some(entry) => (line_end(&self.bytes, entry.value.end) + 1).min(self.bytes.len()),
            None => self.bytes.len(),
        };
        let mut text = String::new();
        if at > 0 && self.bytes[at - 1] != b'\n' {
            text.push_str(newline);
        }
        text.push_str(line);
        text.push_str(newline);
        self.bytes.splice(at..at, text.bytes());
    }

    fn newline(&self) -> &'static str {
        let first = self.bytes.iter().position(|byte| *byte == b'\n');
        if first.is_some_and(|at| at > 0 && self.bytes[at - 1] == b'\r') { "\r\n" } else { "\n" }
    }
}

/// One `KEY=value`. The value's range holds its quotes, but neither blanks around it nor a comment after it.
struct Entry {
    key: Range<usize>,
    value: Range<usize>,
}

impl Entry {
    fn at(bytes: &[u8], line_start: usize) -> Option<Self> {
        let end = line_end(bytes, line_start);
        let mut start = skip_blanks(bytes, line_start, end);
        if bytes[start..end].starts_with(b"export ") {
            start = skip_blanks(bytes, start + 7, end);
        }
        let equals = start + bytes[start..end].iter().position(|byte| *byte == b'=')?;
        let key = start..start + bytes[start..equals].trim_ascii_end().len();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if key.is_empty() || !bytes[key.clone()].iter().all(is_name) {
            return None;
        }
        Some(Self { key, value: value_range(bytes, equals + 1, end) })
    }
}

fn value_range(bytes: &[u8], after_equals: usize, line_end: usize) -> Range<usize> {
    let start = skip_blanks(bytes, after_equals, line_end);
    let raw = &bytes[start..line_end];
    if let Some(quote @ (b'"' | b'\'')) = raw.first()
        && let Some(length) = quoted_length(raw, *quote)
    {
        return start..start + length;
    }
    if raw.starts_with(b"#") {
        // `KEY= # comment` is empty; the blank stays with the comment.
        return after_equals..after_equals;
    }
    let comment = raw.windows(2).position(|pair| pair[0].is_ascii_whitespace() && pair[1] == b'#');
    let raw = raw[..comment.unwrap_or(raw.len())].trim_ascii_end();
    start..start + raw.len()
}

/// How long a quoted value is, quotes included; it ends on its line. A backslash hides a double quote.
fn quoted_length(raw: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    while at < raw.len() {
        match raw[at] {
            b'\\' if quote == b'"' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |found| from + found)
}

fn skip_blanks(bytes: &[u8], from: usize, end: usize) -> usize {
    let blanks = bytes[from..end].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    from + blanks
}

fn quoted(value: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.:,/+=@".contains(letter);
    if value.chars().all(plain) {
        return value.to_owned();
    }
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$"))
}

#[cfg(test)]
mod tests {
    use super::EnvFile;

    fn file(text: &str) -> EnvFile {
        EnvFile { bytes: text.as_bytes().to_vec() }
    }

    #[track_caller]
    fn after_setting(text: &str, expected: &str) {
        let mut edited = file(text);
        edited.set("APP_KEY", "base64:bmV3", None);
        assert_eq!(String::from_utf8_lossy(&edited.bytes), expected);
        assert_eq!(edited.value("APP_KEY").as_deref(), Some("base64:bmV3"));
    }

    #[test]
    fn only_the_value_changes() {
        after_setting("A=1\nAPP_KEY=\nB=2", "A=1\nAPP_KEY=base64:bmV3\nB=2");
        after_setting("  export APP_KEY = old  # keep me\n", "  export APP_KEY = base64:bmV3  # keep me\n");
        after_setting("APP_KEY= # to come\n", "APP_KEY=base64:bmV3 # to come\n");
        after_setting("APP_KEY=# to come\n", "APP_KEY=base64:bmV3 # to come\n");
        after_setting("APP_KEY=\"old one\" # why\n", "APP_KEY=base64:bmV3 # why\n");
    }

    #[test]
    fn windows_line_ends_stay() {
        after_setting("A=1\r\nAPP_KEY=old\r\nB=2\r\n", "A=1\r\nAPP_KEY=base64:bmV3\r\nB=2\r\n");
        after_setting("A=1\r\n", "A=1\r\nAPP_KEY=base64:bmV3\r\n");
    }

    #[test]
    fn a_missing_assignment_goes_to_the_end_on_its_own_line() {
        after_setting("", "APP_KEY=base64:bmV3\n");
        after_setting("A=1", "A=1\nAPP_KEY=base64:bmV3\n");
        after_setting("# APP_KEY=example\n", "# APP_KEY=example\nAPP_KEY=base64:bmV3\n");
        after_setting("MY_APP_KEY=x\n", "MY_APP_KEY=x\nAPP_KEY=base64:bmV3\n");
    }

    #[test]
    fn text_inside_a_quoted_value_is_no_assignment() {
        let text = "NOTE=\"see\\nAPP_KEY=inside # no\" # APP_KEY=x\n";
        after_setting(text, &format!("{text}APP_KEY=base64:bmV3\n"));
    }

    #[test]
    fn lines_nobody_understands_are_left_alone() {
        after_setting("what is this\n=5\nAPP_KEY=x\n\"open", "what is this\n=5\nAPP_KEY=base64:bmV3\n\"open");
        after_setting("OPEN=\"never closed\nAPP_KEY=x\n", "OPEN=\"never closed\nAPP_KEY=base64:bmV3\n");
        let mut edited = EnvFile { bytes: b"NAME=\xff\xfe\nAPP_KEY=x\n".to_vec() };
        edited.set("APP_KEY", "y", None);
        assert_eq!(edited.bytes, b"NAME=\xff\xfe\nAPP_KEY=y\n");
    }

    #[test]
    fn a_byte_order_mark_hides_nothing() {
        after_setting("\u{feff}APP_KEY=old\n", "\u{feff}APP_KEY=base64:bmV3\n");
    }

    #[test]
    fn a_key_assigned_twice_changes_twice() {
        after_setting("APP_KEY=a\nAPP_KEY=b\n", "APP_KEY=base64:bmV3\nAPP_KEY=base64:bmV3\n");
    }

    #[test]
    fn a_companion_goes_below_its_key() {
        let mut edited = file("APP_KEY=a\nB=2\n");
        edited.set("APP_PREVIOUS_KEYS", "x,y", Some("APP_KEY"));
        assert_eq!(String::from_utf8_lossy(&edited.bytes), "APP_KEY=a\nAPP_PREVIOUS_KEYS=x,y\nB=2\n");
        let mut edited = file("B=2\nAPP_KEY=a");
        edited.set("APP_PREVIOUS_KEYS", "x", Some("APP_KEY"));
        assert_eq!(String::from_utf8_lossy(&edited.bytes), "B=2\nAPP_KEY=a\nAPP_PREVIOUS_KEYS=x\n");
    }

    #[test]
    fn values_are_read_without_quotes_and_written_with_them_where_needed() {
        assert_eq!(file("A='x y'").value("A").as_deref(), Some("x y"));
        assert_eq!(file("A=\"x \\\"y\\\"\"").value("A").as_deref(), Some("x \"y\""));
        assert_eq!(file("A=").value("A").as_deref(), Some(""));
        assert_eq!(file("B=1").value("A"), None);
        // What is written here is what the app will read.
        for value in ["two words", "a \"quoted\" one", "back\\slash", "$5 and ${NAME}", "# no comment"] {
            let mut edited = file("");
            edited.set("A", value, None);
            assert_eq!(edited.value("A").as_deref(), Some(value));
        }
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_symlinks_survive() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join(".env"));
        std::fs::write(&real, "A=1\n").unwrap();
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();

        let mut edited = EnvFile::read(&link).unwrap().unwrap();
        edited.set("A", "2", None);
        edited.write(&link).unwrap();

        assert_eq!(std::fs::read_to_string(&real).unwrap(), "A=2\n");
        assert!(link.is_symlink());
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);

        let fresh = folder.path().join("fresh");
        edited.write(&fresh).unwrap();
        assert_eq!(std::fs::metadata(&fresh).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "no scratch file is left");
    }
}
