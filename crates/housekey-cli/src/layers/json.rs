//! JSON files that several hands write: `package.json`, `lang/en.json`.
//!
//! Members are added to, replaced in and taken from the text itself, so that all else in it stays as it was written:
//! order, indentation, long numbers.

use std::ops::Range;

use serde_json::Value;

/// The text with the members of another object: objects are merged member by member, and what is new goes to the end of
/// the object it belongs to. A member that is there with another value is an error.
pub(crate) fn with_members_of(text: &str, other: &str) -> Result<String, String> {
    merged("{}", text, other)
}

/// What became of `base` in `new` is done to `yours` as well. An error names the member that two changed differently.
pub(crate) fn merged(base: &str, yours: &str, new: &str) -> Result<String, String> {
    let mut text = yours.to_owned();
    Object::read(yours)?;
    merge(&mut text, &[], Some(&Object::read(base)?), &Object::read(new)?)?;
    Ok(text)
}

/// The text is read anew before each change: files of this kind are short, and positions move.
fn merge(text: &mut String, way: &[&str], base: Option<&Object>, new: &Object) -> Result<(), String> {
    let differs = |key: &str| {
        let names: Vec<&str> = way.iter().copied().chain([key]).collect();
        Err(format!("`{}` is there already, with another value", names.join(".")))
    };
    for member in &new.members {
        let before = base.and_then(|base| base.member(&member.key));
        if before.is_some_and(|before| before.value == member.value) {
            continue;
        }
        let Some(object) = Object::read(text)?.at(way) else { return differs("") };
        match (before, object.member(&member.key), &member.object) {
            (_, Some(yours), _) if yours.value == member.value => {}
            (_, Some(Member { object: Some(_), .. }), Some(inner)) => {
                let way: Vec<&str> = way.iter().copied().chain([member.key.as_str()]).collect();
                merge(text, &way, before.and_then(|before| before.object.as_ref()), inner)?;
            }
            (Some(before), Some(yours), _) if before.value == yours.value => {
                text.replace_range(yours.place.clone(), &member.text);
            }
            (None, None, _) => object.insert(text, way.len(), member),
            _ => return differs(&member.key),
        }
    }
    let gone = base.iter().flat_map(|base| &base.members).filter(|before| new.member(&before.key).is_none());
    for before in gone {
        let Some(object) = Object::read(text)?.at(way) else { return differs("") };
        match object.members.iter().position(|member| member.key == before.key) {
            None => {}
            Some(index) if object.members[index].value == before.value => {
                text.replace_range(object.place_of(index), "");
            }
            Some(_) => return differs(&before.key),
        }
    }
    Ok(())
}

/// An object in a text, and where.
#[derive(Debug, Clone)]
struct Object {
    /// From `{` to behind `}`.
    place: Range<usize>,
    members: Vec<Member>,
}

#[derive(Debug, Clone)]
struct Member {
    key: String,
    /// Where its name begins.
    start: usize,
    /// Where its value is.
    place: Range<usize>,
    /// Its name as it is written, with what stands between name and value.
    name: String,
    text: String,
    value: Value,
    object: Option<Object>,
}

impl Object {
    fn read(text: &str) -> Result<Self, String> {
        // Whatever serde takes, the scanner below understands.
        match serde_json::from_str(text) {
            Ok(Value::Object(_)) => {}
            Ok(_) => return Err("it is no JSON object".to_owned()),
            Err(error) => return Err(format!("it is no JSON: {error}")),
        }
        let begin = text.len() - text.trim_start().len();
        Scanner { text, at: begin }.object().ok_or_else(|| "it is no JSON object".to_owned())
    }

    fn member(&self, key: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.key == key)
    }

    fn at(self, way: &[&str]) -> Option<Self> {
        let Some((first, rest)) = way.split_first() else { return Some(self) };
        self.members.into_iter().find(|member| member.key == *first)?.object?.at(rest)
    }

    /// Adds a member at the end, laid out as the one before it.
    fn insert(&self, text: &mut String, depth: usize, member: &Member) {
        let line = format!("{}{}", member.name, member.text);
        match self.members.last() {
            Some(last) => {
                let before = &text[self.place.start..last.start];
                let spaces = before.rfind('\n').map(|newline| &before[newline..]);
                let between = spaces.filter(|spaces| spaces.trim().is_empty()).unwrap_or(" ");
                text.insert_str(last.place.end, &format!(",{between}{line}"));
            }
            None => {
                let (outer, inner) = ("  ".repeat(depth), "  ".repeat(depth + 1));
                text.replace_range(self.place.clone(), &format!("{{\n{inner}{line}\n{outer}}}"));
            }
        }
    }

    /// What goes when a member goes: the comma too, before it or behind it.
    fn place_of(&self, index: usize) -> Range<usize> {
        let member = &self.members[index];
        match (index.checked_sub(1), self.members.get(index + 1)) {
            (Some(before), _) => self.members[before].place.end..member.place.end,
            (None, Some(next)) => member.start..next.start,
            (None, None) => self.place.start + 1..self.place.end - 1,
        }
    }
}

/// Finds the members of objects in a text that is known to be JSON.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn object(&mut self) -> Option<Object> {
        let begin = self.at;
        self.at += 1;
        let mut members = Vec::new();
        loop {
            self.skip(|byte| byte.is_ascii_whitespace() || byte == b',');
            if self.next()? == b'}' {
                self.at += 1;
                return Some(Object { place: begin..self.at, members });
            }
            let start = self.at;
            self.string()?;
            let key = serde_json::from_str(&self.text[start..self.at]).ok()?;
            self.skip(|byte| byte.is_ascii_whitespace() || byte == b':');
            let first = self.at;
            let object =
                if self.next()? == b'{' { Some(self.object()?) } else { self.value().map(|()| None)? };
            let text = self.text[first..self.at].to_owned();
            let value = serde_json::from_str(&text).ok()?;
            let name = self.text[start..first].to_owned();
            members.push(Member { key, start, place: first..self.at, name, text, value, object });
        }
    }

    /// A value that is no object: text, a list, a number, a word.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                b'"' => self.string()?,
                b'[' | b'{' => {
                    depth += 1;
                    self.at += 1;
                }
                b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                byte if byte.is_ascii_whitespace() || b",:".contains(&byte) => self.at += 1,
                _ => self.skip(|byte| !byte.is_ascii_whitespace() && !b",]}".contains(&byte)),
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.next()? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    fn skip(&mut self, passes: impl Fn(u8) -> bool) {
        while self.next().is_some_and(&passes) {
            self.at += 1;
        }
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: &str = "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"dev\": \"vite\"\n  },\n  \"list\": [1, {\"a\": \"]\"}]\n}\n";

    #[test]
    fn new_members_go_to_the_end_of_their_object_and_the_rest_stays_as_it_was() {
        let layer = "{ \"scripts\": {\n    \"check\": \"tsc\"\n  },\n  \"more\": {\n    \"b\": 1.00\n  },\n \"name\": \"x\" }";
        assert_eq!(
            with_members_of(PACKAGE, layer).unwrap(),
            "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"dev\": \"vite\",\n    \"check\": \"tsc\"\n  },\n  \
             \"list\": [1, {\"a\": \"]\"}],\n  \"more\": {\n    \"b\": 1.00\n  }\n}\n"
        );
    }

    #[test]
    fn an_empty_object_and_one_on_a_line_take_members_too() {
        assert_eq!(
            with_members_of("{}\n", "{\"a\": 1, \"b\": {}}").unwrap(),
            "{\n  \"a\": 1,\n  \"b\": {}\n}\n"
        );
        assert_eq!(
            with_members_of("{ \"a\": {} }", "{\"a\": {\"b\": 1}, \"c\": 2}").unwrap(),
            "{ \"a\": {\n    \"b\": 1\n  }, \"c\": 2 }"
        );
    }

    #[test]
    fn a_member_with_another_value_is_an_error_that_names_it() {
        let refused = with_members_of(PACKAGE, "{\"scripts\": {\"dev\": \"other\"}}").unwrap_err();
        assert!(refused.contains("`scripts.dev`"), "{refused}");
        assert!(with_members_of(PACKAGE, "{\"scripts\": []}").is_err());
        assert!(with_members_of(PACKAGE, "[]").is_err());
        assert!(with_members_of("no json", "{}").is_err());
    }

    #[test]
    fn names_are_compared_by_what_they_mean() {
        assert_eq!(
            with_members_of("{\"\\u0061\\\"\": 1}", "{\"a\\\"\": 1}").unwrap(),
            "{\"\\u0061\\\"\": 1}"
        );
    }

    #[test]
    fn what_two_hands_added_at_the_same_end_is_all_there() {
        let base = "{\n  \"a\": 1\n}\n";
        let yours = "{\n  \"a\": 1,\n  \"mine\": 2\n}\n";
        let new = "{\n  \"a\": 1,\n  \"layer\": 3\n}\n";
        assert_eq!(merged(base, yours, new).unwrap(), "{\n  \"a\": 1,\n  \"mine\": 2,\n  \"layer\": 3\n}\n");
    }

    #[test]
    fn what_the_kit_changed_or_dropped_follows_where_you_left_it_alone() {
        let base = "{\n  \"a\": 1,\n  \"b\": 1,\n  \"c\": 1\n}\n";
        assert_eq!(
            merged(base, "{\n  \"a\": 1,\n  \"b\": 1,\n  \"c\": 1,\n  \"d\": 1\n}\n", "{\"b\": 2}").unwrap(),
            "{\n  \"b\": 2,\n  \"d\": 1\n}\n"
        );
        assert_eq!(merged(base, base, "{}").unwrap(), "{}\n");
        assert!(merged(base, "{\"a\": 1, \"b\": 7, \"c\": 1}", "{\"a\": 1, \"b\": 2, \"c\": 1}").is_err());
        assert!(merged(base, "{\"a\": 7, \"b\": 1, \"c\": 1}", "{\"b\": 1, \"c\": 1}").is_err());
        assert_eq!(merged(base, "{\"c\": 1}", base).unwrap(), "{\"c\": 1}", "what you took out stays out");
    }
}
