/// Gives each field of a type its line. ts-rs writes them one behind the other, with comments on lines of their own.
///
/// Nothing is looked at but brackets and quotes, and only blanks are added, none of them in quotes. So what is not understood
/// looks worse and means the same.
pub(crate) fn on_lines(text: &str) -> String {
    let mut out = String::new();
    let mut open = Vec::new();
    let mut quote = None;
    for line in text.lines() {
        if line.trim_start().starts_with(['/', '*']) {
            out.extend([line, "\n"]);
            continue;
        }
        let mut is_escaped = false;
        for next in line.chars() {
            if quote.is_none() && open == ['{'] && next == '}' {
                out.push('\n');
            }
            out.push(next);
            // The arrow of a function closes nothing.
            let is_arrow = next == '>' && open.last() != Some(&'<');
            match (quote, next) {
                (Some(end), _) if next == end && !is_escaped => quote = None,
                (None, '"' | '\'' | '`') => quote = Some(next),
                (None, '{' | '[' | '(' | '<') => open.push(next),
                (None, '}' | ']' | ')' | '>') if !is_arrow => drop(open.pop()),
                _ => {}
            }
            is_escaped = next == '\\' && !is_escaped;
            if quote.is_none() && open == ['{'] && matches!(next, '{' | ',') {
                out.push('\n');
            }
        }
        out.push('\n');
    }
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .enumerate()
        .map(|(number, line)| format!("{}{line}", indent(number, line)))
        .collect::<Vec<_>>()
        .join("\n")
}

fn indent(number: usize, line: &str) -> &'static str {
    match line.chars().next() {
        _ if number == 0 => "",
        Some('}') => "",
        Some('*') => "   ",
        _ => "  ",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_field_gets_a_line_and_comments_stay_in_front_of_theirs() {
        let text = "type Post<A, B> = { id: number, \n/**\n * What it is, in words.\n */\ntitle: string, by: { a: A, b: Map<A, B>, }, };";
        assert_eq!(
            on_lines(text),
            "type Post<A, B> = {\n  id: number,\n  /**\n   * What it is, in words.\n   */\n  title: string,\n  \
             by: { a: A, b: Map<A, B>, },\n};"
        );
        assert_eq!(
            on_lines("type Link = { \"is\": \"a\", } | { \"is\": \"b\", to: string, };"),
            "type Link = {\n  \"is\": \"a\",\n} | {\n  \"is\": \"b\",\n  to: string,\n};"
        );
    }

    #[test]
    fn what_stands_in_quotes_and_what_has_no_fields_stays_as_it_is() {
        for text in [
            "type Role = \"a, b\" | \"{ c, }\" | \"d\\\", {e, }\";",
            "type Pair = [number, string];",
            "type Call = (a: A, b: B) => void;",
        ] {
            assert_eq!(on_lines(text), text);
        }
        assert_eq!(on_lines("{ a: \"x, y\", b: () => [A, B], }"), "{\n  a: \"x, y\",\n  b: () => [A, B],\n}");
    }

    proptest! {
        #[test]
        fn nothing_but_blanks_is_added_or_taken_away(text in "[a{}<>()\\[\\],;:\"'`/* \\\\=\n]*") {
            let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(without_blanks(&on_lines(&text)), without_blanks(&text));
        }
    }
}
