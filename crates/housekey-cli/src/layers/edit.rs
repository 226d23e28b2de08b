//! A layer's changes to a file of the kit: `web.rs.edit` for `web.rs`.
//!
//! ```text
//! @after use crate::controllers::settings;
//! use crate::controllers::organizations;
//! @replace fn routes() {
//! pub fn routes() {
//! ```
//!
//! Each part begins with `@after`, `@before`, `@above` or `@replace` and the text of one line, without the spaces around it.
//! That line must be there exactly once; of one that is there more often, `@before:2` names the second. What follows is
//! taken as it is. A line of it that begins with `@` or `\` has a `\` put before it. `@above` is for lists in order: it also
//! comes before what other layers put `@before` the line. Ordinary patches name their surroundings, and two layers that
//! touch neighbouring lines would break each other's; this names one line.

/// A file that is being edited.
#[derive(Debug)]
pub(super) struct Document {
    lines: Vec<Line>,
    ends_with_newline: bool,
}

#[derive(Debug)]
struct Line {
    text: String,
    id: usize,
    /// The line that it was inserted after: what another layer puts there comes behind it.
    after: Option<usize>,
    /// The line that it was inserted before.
    before: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    After,
    Before,
    Above,
    Replace,
}

struct Edit<'a> {
    place: Place,
    anchor: &'a str,
    /// Of several such lines, the how-manieth.
    which: Option<usize>,
    lines: Vec<&'a str>,
}

impl Document {
    pub(super) fn read(text: &str) -> Self {
        let lines = text
            .lines()
            .enumerate()
            .map(|(id, text)| Line { text: text.to_owned(), id, after: None, before: None })
            .collect();
        Self { lines, ends_with_newline: text.is_empty() || text.ends_with('\n') }
    }

    pub(super) fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.text.as_str()).collect();
        lines.join("\n") + if self.ends_with_newline && !lines.is_empty() { "\n" } else { "" }
    }

    /// Applies the edits of one file, in order.
    pub(super) fn apply(&mut self, edits: &str) -> Result<(), String> {
        for edit in parse(edits)? {
            let at = self.find(edit.anchor, edit.which)?;
            let anchor = Some(self.lines[at].id);
            let (at, after, before) = match edit.place {
                Place::Before => (at, None, anchor),
                Place::Above => (self.start_of_what_precedes(at), None, anchor),
                Place::After => (self.end_of_what_follows(at), anchor, None),
                Place::Replace => {
                    self.lines.remove(at);
                    (at, None, None)
                }
            };
            let first = self.lines.iter().map(|line| line.id).max().map_or(0, |last| last + 1);
            let new = edit.lines.iter().enumerate();
            let new: Vec<Line> = new
                .map(|(index, text)| Line { text: (*text).to_owned(), id: first + index, after, before })
                .collect();
            self.lines.splice(at..at, new);
        }
        Ok(())
    }

    fn find(&self, anchor: &str, which: Option<usize>) -> Result<usize, String> {
        let found = self.lines.iter().enumerate().filter(|(_, line)| line.text.trim() == anchor);
        let found: Vec<usize> = found.map(|(at, _)| at).collect();
        match (which, found.as_slice()) {
            (_, []) => Err(format!("no line of the file is `{anchor}`")),
            (None, [at]) => Ok(*at),
            (None, all) => Err(format!(
                "`{anchor}` must be one line of the file, and {} are; `@before:2` names the second",
                all.len()
            )),
            (Some(which), all) => {
                which.checked_sub(1).and_then(|index| all.get(index).copied()).ok_or_else(|| {
                    format!("`{anchor}` is {} lines of the file: there is no {which}.", all.len())
                })
            }
        }
    }

    /// Where the next insertion after a line goes: behind what was inserted there before.
    fn end_of_what_follows(&self, at: usize) -> usize {
        let mut follows = vec![self.lines[at].id];
        let mut end = at + 1;
        while let Some(line) =
            self.lines.get(end).filter(|line| line.after.is_some_and(|id| follows.contains(&id)))
        {
            follows.push(line.id);
            end += 1;
        }
        end
    }

    /// Where an insertion above a line goes: in front of what was inserted before it already.
    fn start_of_what_precedes(&self, at: usize) -> usize {
        let precedes = |line: &&Line| line.before == Some(self.lines[at].id);
        at - self.lines[..at].iter().rev().take_while(precedes).count()
    }
}

fn parse(text: &str) -> Result<Vec<Edit<'_>>, String> {
    let mut edits: Vec<Edit<'_>> = Vec::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix('@') {
            let (word, anchor) = head.split_once(' ').unwrap_or((head, ""));
            let (word, which) = match word.split_once(':') {
                Some((word, which)) => {
                    (word, Some(which.parse().map_err(|_| format!("`{which}` is no number"))?))
                }
                None => (word, None),
            };
            let place = match word {
                "after" => Place::After,
                "before" => Place::Before,
                "above" => Place::Above,
                "replace" => Place::Replace,
                _ => {
                    return Err(format!(
                        "`@{word}` is unknown: @after, @before, @above or @replace; a line of the file that begins with `@` is written `\\@`"
                    ));
                }
            };
            let anchor = anchor.trim();
            if anchor.is_empty() {
                return Err(format!("`@{word}` needs the text of a line"));
            }
            edits.push(Edit { place, anchor, which, lines: Vec::new() });
        } else if let Some(edit) = edits.last_mut() {
            edit.lines.push(line.strip_prefix('\\').unwrap_or(line));
        } else if !line.trim().is_empty() {
            return Err(format!("`{line}` stands before the first @after, @before, @above or @replace"));
        }
    }
    if edits.is_empty() { Err("it changes nothing".to_owned()) } else { Ok(edits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, edits: &[&str]) -> Result<String, String> {
        let mut document = Document::read(text);
        edits.iter().try_for_each(|edit| document.apply(edit))?;
        Ok(document.text())
    }

    #[test]
    fn lines_are_put_after_before_and_in_place_of_a_line() {
        let edit = "@after one\n  1.5\n\n@before three\n2.5\n@replace four\n4!\n4?\n";
        assert_eq!(
            edited("one\n  two\nthree\n\tfour\n", &[edit]).unwrap(),
            "one\n  1.5\n\n  two\n2.5\nthree\n4!\n4?\n"
        );
    }

    #[test]
    fn an_anchor_is_compared_without_the_spaces_around_it() {
        assert_eq!(
            edited("    deep();\n", &["@after   deep();  \n    new();\n"]).unwrap(),
            "    deep();\n    new();\n"
        );
    }

    #[test]
    fn two_layers_at_one_line_come_in_their_order() {
        let (first, second) = ("@after a\n1\n1\n@before z\n8\n", "@after a\n2\n@before z\n9\n");
        assert_eq!(edited("a\nz\n", &[first, second]).unwrap(), "a\n1\n1\n2\n8\n9\nz\n");
    }

    #[test]
    fn a_layer_can_come_before_what_others_put_before_a_line() {
        let edits = ["@before z\no\np\n", "@above z\nb\n", "@before z\nx\n"];
        assert_eq!(edited("a\nz\n", &edits).unwrap(), "a\nb\no\np\nx\nz\n");
        assert_eq!(edited("a\nz\n", &["@above z\nb\n"]).unwrap(), "a\nb\nz\n");
    }

    #[test]
    fn of_a_line_that_is_there_twice_an_edit_says_which() {
        let text = "a\nx\nb\nx\n";
        assert_eq!(edited(text, &["@before:2 x\nc\n@before:1 x\n0\n"]).unwrap(), "a\n0\nx\nb\nc\nx\n");
        assert!(edited(text, &["@before x\nc\n"]).unwrap_err().contains("@before:2"));
        assert!(edited(text, &["@before:3 x\nc\n"]).unwrap_err().contains("there is no 3"));
        assert!(edited(text, &["@before:two x\nc\n"]).is_err());
    }

    #[test]
    fn what_was_inserted_can_be_a_place_itself_and_stays_together() {
        let edits = ["@after a\nb\n", "@after b\nc\n", "@after a\nd\n"];
        assert_eq!(edited("a\nz\n", &edits).unwrap(), "a\nb\nc\nd\nz\n");
    }

    #[test]
    fn a_place_that_is_missing_or_not_the_only_one_is_an_error_that_names_it() {
        assert!(edited("a\n", &["@after b\nx\n"]).unwrap_err().contains("`b`"));
        assert!(edited("a\n a\n", &["@after a\nx\n"]).unwrap_err().contains("2 are"));
        assert!(edited("a\n", &["@replace a\nb\n", "@after a\nx\n"]).is_err());
    }

    #[test]
    fn what_is_not_an_edit_is_refused() {
        for wrong in ["", "\n", "hello\n@after a\nb\n", "@media a\n", "@after\nb\n", "@after \nb\n"] {
            assert!(edited("a\n", &[wrong]).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_line_may_begin_with_the_signs_of_this_format() {
        assert_eq!(
            edited("a\n", &["@after a\n\\@media print {\n\\\\n\n  @apply x;\n"]).unwrap(),
            "a\n@media print {\n\\n\n  @apply x;\n"
        );
    }

    #[test]
    fn the_end_of_a_file_stays_as_it_was() {
        assert_eq!(edited("a\nb", &["@after a\nx\n"]).unwrap(), "a\nx\nb");
        assert_eq!(edited("a\n\n", &["@replace a\n"]).unwrap(), "\n");
    }
}
