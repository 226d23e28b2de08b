//! Lays out TypeScript the way people write it. ts-rs puts a type on one line, comments in between.

/// Lines become no longer than this if it can be helped.
const WIDTH: usize = 110;

/// A type on one line, or what is left of one if a comment in it takes more.
pub(super) fn line(text: &str) -> String {
    Type::parse(text).render(0, 0)
}

/// A type behind `lead`, indented; broken into lines if it is long.
pub(super) fn behind(lead: &str, text: &str, indent: usize) -> String {
    format!("{}{lead}{}", blanks(indent), Type::parse(text).render(indent, lead.chars().count()))
}

/// A declaration that ts-rs wrote, with each field that has a twin followed by it.
pub(super) fn declaration(docs: Option<&str>, text: &str, twins: &[(String, String)]) -> String {
    let mut out = docs.map(|docs| comment(docs, 0)).unwrap_or_default();
    let text = text.trim().trim_end_matches(';');
    let Some((head, body)) = text.split_once(" = ").filter(|(head, _)| head.starts_with("type ")) else {
        return format!("{out}export {text}\n");
    };
    let mut body = Type::parse(body);
    twins.iter().for_each(|(field, twin)| body.add_twin(field, twin));
    let lead = format!("export {head} = ");
    let body = match body.0.as_slice() {
        // A line for each field: a new one is then a new line in a diff.
        [Part::Object(_)] => body.render_open(0),
        _ => body.render(0, lead.chars().count()),
    };
    out.push_str(&format!("{lead}{body}\n"));
    out
}

/// A type, taken apart as far as its layout needs.
#[derive(Debug, Default)]
struct Type(Vec<Part>);

#[derive(Debug)]
enum Part {
    Text(String),
    Object(Vec<Member>),
}

#[derive(Debug)]
struct Member {
    docs: Option<String>,
    /// Name and type: `name?: string`.
    of: Type,
}

impl Type {
    fn parse(text: &str) -> Self {
        Reader { rest: text.trim() }.read_type(false)
    }

    fn add_twin(&mut self, field: &str, twin: &str) {
        let is_optional =
            |members: &[Member]| members.iter().any(|member| member.is_named(&format!("{field}?")));
        let member =
            |mark: &str| Member { docs: None, of: Self(vec![Part::Text(format!("{twin}{mark}: string"))]) };
        match self.0.as_mut_slice() {
            [Part::Object(members)] => {
                let mark = if is_optional(members) { "?" } else { "" };
                let at =
                    members.iter().position(|own| own.is_named(field) || own.is_named(&format!("{field}?")));
                members.insert(at.map_or(members.len(), |at| at + 1), member(mark));
            }
            // A union binds less than what is added to it.
            _ => {
                self.0.insert(0, Part::Text("(".into()));
                self.0.extend([Part::Text(") & ".into()), Part::Object(vec![member("")])]);
            }
        }
    }

    /// On one line if there is room behind `lead` characters.
    fn render(&self, indent: usize, lead: usize) -> String {
        match self.flat() {
            Some(flat) if indent + lead + flat.chars().count() <= WIDTH => flat,
            _ => self.render_open(indent),
        }
    }

    /// With every object of the outermost level open.
    fn render_open(&self, indent: usize) -> String {
        let mut out = String::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Object(members) if members.is_empty() => out.push_str("{}"),
                Part::Object(members) => {
                    out.push_str("{\n");
                    members.iter().for_each(|member| out.push_str(&member.render(indent + 2)));
                    out.push_str(&blanks(indent));
                    out.push('}');
                }
            }
        }
        out
    }

    /// On one line; `None` if a comment keeps it from that.
    fn flat(&self) -> Option<String> {
        let mut out = String::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Object(members) if members.is_empty() => out.push_str("{}"),
                Part::Object(members) => {
                    let members: Option<Vec<String>> = members.iter().map(Member::flat).collect();
                    out.push_str(&format!("{{ {} }}", members?.join("; ")));
                }
            }
        }
        Some(out)
    }
}

impl Member {
    fn is_named(&self, name: &str) -> bool {
        let Some(Part::Text(text)) = self.of.0.first() else { return false };
        text.split(':').next().is_some_and(|own| own.trim().trim_matches('"') == name)
    }

    fn flat(&self) -> Option<String> {
        self.docs.is_none().then(|| self.of.flat()).flatten()
    }

    fn render(&self, indent: usize) -> String {
        let docs = self.docs.as_deref().map(|docs| comment(docs, indent)).unwrap_or_default();
        format!("{docs}{}{}\n", blanks(indent), self.of.render(indent, 0))
    }
}

/// A doc comment with a line break behind it.
fn comment(docs: &str, indent: usize) -> String {
    let blanks = blanks(indent);
    let inner = docs.trim().trim_start_matches("/**").trim_end_matches("*/");
    let mut lines: Vec<&str> = inner.lines().map(|line| line.trim().trim_start_matches('*').trim()).collect();
    while lines.first().is_some_and(|line| line.is_empty()) {
        lines.remove(0);
    }
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{blanks}/** {line} */\n"),
        lines => {
            let lines = lines.iter().map(|line| format!("{blanks} * {line}").trim_end().to_owned() + "\n");
            format!("{blanks}/**\n{}{blanks} */\n", lines.collect::<String>())
        }
    }
}

fn blanks(indent: usize) -> String {
    " ".repeat(indent)
}

/// Reads as much of TypeScript as types are made of.
struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn read_type(&mut self, in_object: bool) -> Type {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut depth = 0_usize;
        while let Some(next) = self.rest.chars().next() {
            match next {
                '}' => break,
                ',' | ';' if in_object && depth == 0 => break,
                '{' => {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                    self.skip(1);
                    parts.push(Part::Object(self.read_object()));
                    continue;
                }
                '/' if self.rest.starts_with("/*") => {
                    text.push_str(&self.take_comment().split_whitespace().collect::<Vec<_>>().join(" "));
                    continue;
                }
                '"' | '\'' | '`' => {
                    text.push_str(self.take_quoted(next));
                    continue;
                }
                '(' | '[' | '<' => depth += 1,
                // The arrow of a function closes nothing.
                '>' if text.ends_with('=') => {}
                ')' | ']' | '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            match next.is_whitespace() {
                true if text.ends_with(' ') => {}
                true => text.push(' '),
                false => text.push(next),
            }
            self.skip(next.len_utf8());
        }
        parts.push(Part::Text(text));
        trimmed(parts)
    }

    /// What stands behind `{`, the `}` included.
    fn read_object(&mut self) -> Vec<Member> {
        let mut members = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\n', '\t', '\r', ',', ';']);
            if self.rest.is_empty() {
                return members;
            }
            if let Some(rest) = self.rest.strip_prefix('}') {
                self.rest = rest;
                return members;
            }
            let docs = self.rest.starts_with("/**").then(|| self.take_comment().to_owned());
            let of = self.read_type(true);
            if of.0.is_empty() && docs.is_none() {
                // Nothing that could be read: better to stop than to turn in circles.
                return members;
            }
            members.push(Member { docs, of });
        }
    }

    fn take_comment(&mut self) -> &'t str {
        let end = self.rest.find("*/").map_or(self.rest.len(), |at| at + 2);
        let (comment, rest) = self.rest.split_at(end);
        self.rest = rest;
        comment
    }

    fn take_quoted(&mut self, quote: char) -> &'t str {
        let mut is_escaped = false;
        let mut end = self.rest.len();
        for (at, next) in self.rest.char_indices().skip(1) {
            if next == quote && !is_escaped {
                end = at + 1;
                break;
            }
            is_escaped = next == '\\' && !is_escaped;
        }
        let (quoted, rest) = self.rest.split_at(end);
        self.rest = rest;
        quoted
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }
}

/// Without blanks at the ends.
fn trimmed(mut parts: Vec<Part>) -> Type {
    if let Some(Part::Text(text)) = parts.first_mut() {
        *text = text.trim_start().to_owned();
    }
    if let Some(Part::Text(text)) = parts.last_mut() {
        *text = text.trim_end().to_owned();
    }
    parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    Type(parts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn twin(field: &str) -> Vec<(String, String)> {
        vec![(field.to_owned(), format!("{field}_confirmation"))]
    }

    #[test]
    fn a_declaration_gets_a_line_for_each_field_and_keeps_its_comments() {
        let text = "type Post = { id: number, \n/**\n * What it is about.\n */\ntitle: string, author: { name: string, }, };";
        assert_eq!(
            declaration(Some("/**\n * A post.\n *\n * With words.\n */\n"), text, &[]),
            "/**\n * A post.\n *\n * With words.\n */\nexport type Post = {\n  id: number\n  /** What it is about. */\n  title: string\n  author: { name: string }\n}\n"
        );
    }

    #[test]
    fn what_is_no_object_stays_as_it_is() {
        assert_eq!(
            declaration(None, "type Role = \"a,b\" | \"c}\";", &[]),
            "export type Role = \"a,b\" | \"c}\"\n"
        );
        assert_eq!(declaration(None, "enum Size { S = 1 }", &[]), "export enum Size { S = 1 }\n");
        assert_eq!(
            line("Array<[string, { a: number, b: Map<string, X>, }]>"),
            "Array<[string, { a: number; b: Map<string, X> }]>"
        );
        assert_eq!(line("{ [key in string]: number }"), "{ [key in string]: number }");
        assert_eq!(line("(a: string, b: number) => void"), "(a: string, b: number) => void");
        assert_eq!(line("{  }"), "{}");
        assert_eq!(line("\n/**\n * It's {here}.\n */\n\"a\" | \"b\""), "/** * It's {here}. */ \"a\" | \"b\"");
    }

    #[test]
    fn a_twin_stands_behind_its_field_and_is_as_optional() {
        let text = "type Reset = { password: string, token: string, };";
        assert_eq!(
            declaration(None, text, &twin("password")),
            "export type Reset = {\n  password: string\n  password_confirmation: string\n  token: string\n}\n"
        );
        let text = "type Edit = { password?: string | null, };";
        assert!(declaration(None, text, &twin("password")).contains("  password_confirmation?: string\n"));
        let text = "type Either = { a: string, } | { b: string, };";
        assert_eq!(
            declaration(None, text, &twin("a")),
            "export type Either = ({ a: string } | { b: string }) & { a_confirmation: string }\n"
        );
    }

    #[test]
    fn long_types_are_broken_into_lines() {
        let long = format!("{{ a: string, b: \"{}\" }}", "x".repeat(120));
        assert_eq!(behind("'GET /': ", &long, 2).lines().count(), 4);
        assert_eq!(behind("'GET /': ", "{ a: string, }", 2), "  'GET /': { a: string }");
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in "[a{}<>()\\[\\],;:\"'`/* \\\\=\n]*") {
            let _ = line(&text);
            let _ = declaration(Some(&text), &format!("type A = {text};"), &twin("a"));
        }
    }
}
