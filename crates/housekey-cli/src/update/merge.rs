//! One file, three versions: what the kit gave, what you made of it, what the kit would give now.

use diffy::{ConflictStyle, IncompleteHunkStyle, MergeOptions};

use crate::layers::json;

/// What became of the three.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Merged {
    Clean(Vec<u8>),
    /// With both sides in the text, between markers.
    Conflict {
        text: Vec<u8>,
        places: usize,
    },
    /// No lines to merge: an image, a font.
    Binary,
}

const YOURS: &str = "yours";

/// Merges. `kit` names the other side in the markers.
pub(super) fn merge(base: &[u8], yours: &[u8], new: &[u8], kit: &str) -> Merged {
    if [base, yours, new].iter().any(|content| content.contains(&0)) {
        return Merged::Binary;
    }
    // A checkout on Windows has other line ends than the kit. They are no edit, and they come back at the end.
    if has_crlf_everywhere(yours) {
        return match merge(&with_lf(base), &with_lf(yours), &with_lf(new), kit) {
            Merged::Clean(text) => Merged::Clean(with_crlf(&text)),
            Merged::Conflict { text, places } => Merged::Conflict { text: with_crlf(&text), places },
            Merged::Binary => Merged::Binary,
        };
    }
    match lines(base, yours, new, kit) {
        Merged::Conflict { text, places } => match members(base, yours, new) {
            Some(merged) => Merged::Clean(merged),
            None => Merged::Conflict { text, places },
        },
        done => done,
    }
}

/// The same, but for line ends.
pub(super) fn is_same(one: &[u8], other: &[u8]) -> bool {
    one == other || has_crlf_everywhere(one) && with_lf(one) == other
}

/// What the kit gives now, with the line ends that the file has.
pub(super) fn in_the_style_of(yours: &[u8], new: &[u8]) -> Vec<u8> {
    if has_crlf_everywhere(yours) && !new.contains(&0) { with_crlf(&with_lf(new)) } else { new.to_owned() }
}

fn lines(base: &[u8], yours: &[u8], new: &[u8], kit: &str) -> Merged {
    // Longer than any row of such signs in the files: so a marker is a marker, and not a line about markers.
    let length = [base, yours, new].iter().map(|text| longest_row(text)).max().unwrap_or(0).max(7) + 1;
    let mut options = MergeOptions::new();
    options.set_conflict_style(ConflictStyle::Diff3).set_incomplete_hunk_style(IncompleteHunkStyle::Git);
    options.set_conflict_marker_length(length);
    match options.merge_bytes(base, yours, new) {
        Ok(text) => Merged::Clean(text),
        Err(text) => marked(&text, length, kit),
    }
}

/// From the long markers to ordinary ones, but for conflicts that are none.
fn marked(text: &[u8], length: usize, kit: &str) -> Merged {
    let marker =
        |sign: char, name: &str| format!("{}{name}\n", String::from(sign).repeat(length)).into_bytes();
    let markers = [marker('<', " ours"), marker('|', " original"), marker('=', ""), marker('>', " theirs")];
    let mut merged = Vec::with_capacity(text.len());
    let (mut sides, mut side, mut places) = (<[Vec<u8>; 3]>::default(), None, 0);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match (markers.iter().position(|marker| marker == line), side) {
            (Some(3), _) => {
                let [yours, original, new] = std::mem::take(&mut sides);
                side = None;
                merged.extend(if original.is_empty() && is_list(&yours) && is_list(&new) {
                    [yours, new].concat()
                } else {
                    places += 1;
                    let end = format!(">>>>>>> {kit}\n").into_bytes();
                    [format!("<<<<<<< {YOURS}\n").into_bytes(), yours, b"=======\n".to_vec(), new, end]
                        .concat()
                });
            }
            (Some(begins), _) => side = Some(begins),
            (None, Some(side)) => sides[side].extend_from_slice(line),
            (None, None) => merged.extend_from_slice(line),
        }
    }
    if places == 0 { Merged::Clean(merged) } else { Merged::Conflict { text: merged, places } }
}

/// Lines that name modules or imports: two hands may add such lines at one place, and their order says nothing.
fn is_list(lines: &[u8]) -> bool {
    let names = |line: &str| {
        let line = line.trim();
        let item = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) ")).unwrap_or(line);
        line.ends_with(';') && (item.starts_with("mod ") || item.starts_with("use "))
    };
    lines.ends_with(b"\n") && std::str::from_utf8(lines).is_ok_and(|lines| lines.lines().all(names))
}

/// Two hands that add a member at the end of an object of JSON touch the same line, and mean no harm.
fn members(base: &[u8], yours: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let [base, yours, new] = [base, yours, new].map(std::str::from_utf8);
    json::merged(base.ok()?, yours.ok()?, new.ok()?).ok().map(String::into_bytes)
}

fn longest_row(text: &[u8]) -> usize {
    let rows = text.chunk_by(|one, other| one == other);
    rows.filter(|row| b"<|=>".contains(&row[0])).map(<[u8]>::len).max().unwrap_or(0)
}

fn has_crlf_everywhere(text: &[u8]) -> bool {
    let ends: Vec<usize> =
        text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
    !ends.is_empty() && ends.iter().all(|&at| at > 0 && text[at - 1] == b'\r')
}

fn with_lf(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    for (at, &byte) in text.iter().enumerate() {
        if byte != b'\r' || text.get(at + 1) != Some(&b'\n') {
            plain.push(byte);
        }
    }
    plain
}

fn with_crlf(text: &[u8]) -> Vec<u8> {
    let mut long = Vec::with_capacity(text.len() + text.len() / 16);
    for &byte in text {
        if byte == b'\n' {
            long.push(b'\r');
        }
        long.push(byte);
    }
    long
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(merged: Merged) -> String {
        match merged {
            Merged::Clean(text) | Merged::Conflict { text, .. } => String::from_utf8(text).unwrap(),
            Merged::Binary => panic!("binary"),
        }
    }

    fn three(base: &str, yours: &str, new: &str) -> Merged {
        merge(base.as_bytes(), yours.as_bytes(), new.as_bytes(), "kit")
    }

    #[test]
    fn changes_in_different_places_are_both_there() {
        assert_eq!(
            three("a\nb\nc\nd\ne\n", "a\nB\nc\nd\ne\n", "a\nb\nc\nd\nE\n"),
            Merged::Clean(b"a\nB\nc\nd\nE\n".to_vec())
        );
    }

    #[test]
    fn changes_in_one_place_are_marked() {
        let merged = three("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n");
        assert!(matches!(merged, Merged::Conflict { places: 1, .. }));
        assert_eq!(text(merged), "a\n<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> kit\nc\n");
    }

    #[test]
    fn modules_that_two_hands_named_at_one_place_are_both_there() {
        let base = "pub mod auth;\npub mod settings;\n";
        let yours = "pub mod auth;\npub mod posts;\npub mod settings;\n";
        let new = "pub mod auth;\nmod organizations;\nuse x::y;\npub mod settings;\n";
        let both = "pub mod auth;\npub mod posts;\nmod organizations;\nuse x::y;\npub mod settings;\n";
        assert_eq!(three(base, yours, new), Merged::Clean(both.into()));
        // What one of them took out, or what is no list, is for a person to decide.
        assert!(matches!(three(base, "pub mod posts;\npub mod settings;\n", new), Merged::Conflict { .. }));
        assert!(matches!(
            three(base, &yours.replace("pub mod posts;", "fn posts() {}"), new),
            Merged::Conflict { .. }
        ));
        assert_eq!(three("a\n", "a\nmod x;", "a\nmod y;\n"), Merged::Clean(b"a\nmod x;\nmod y;\n".to_vec()));
    }

    #[test]
    fn a_file_about_conflict_markers_keeps_its_own() {
        let yours = "<<<<<<< ours\n=======\n========\n>>>>>>> theirs\nmine\n";
        let merged = text(three("x\n", yours, "y\n"));
        assert!(
            merged.starts_with(
                "<<<<<<< yours\n<<<<<<< ours\n=======\n========\n>>>>>>> theirs\nmine\n=======\ny\n"
            ),
            "{merged}"
        );
    }

    #[test]
    fn line_ends_of_windows_are_no_edit_and_stay() {
        assert_eq!(
            three("a\nb\nc\nd\n", "a\r\nb\r\nc\r\nmine\r\n", "new\nb\nc\nd\n"),
            Merged::Clean(b"new\r\nb\r\nc\r\nmine\r\n".to_vec())
        );
        assert!(is_same(b"a\r\nb\r\n", b"a\nb\n"));
        assert!(!is_same(b"a\r\nb\n", b"a\nb\n"));
        assert_eq!(in_the_style_of(b"a\r\n", b"b\nc\n"), b"b\r\nc\r\n");
    }

    #[test]
    fn a_file_without_a_last_line_end_is_marked_line_by_line() {
        assert_eq!(text(three("a", "mine", "theirs")), "<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> kit\n");
    }

    #[test]
    fn bytes_that_are_no_text_of_ours_go_through() {
        let merged = merge(b"a\nb\nc\nd\n", b"caf\xe9\nb\nc\nd\n", b"a\nb\nc\nD\n", "kit");
        assert_eq!(merged, Merged::Clean(b"caf\xe9\nb\nc\nD\n".to_vec()));
        assert_eq!(merge(b"\0a", b"\0b", b"\0c", "kit"), Merged::Binary);
    }

    #[test]
    fn words_that_two_hands_added_at_the_end_of_a_list_of_words_do_not_fight() {
        let merged = three(
            "{\n  \"a\": 1\n}\n",
            "{\n  \"a\": 1,\n  \"mine\": 1\n}\n",
            "{\n  \"a\": 1,\n  \"kit\": 1\n}\n",
        );
        assert_eq!(merged, Merged::Clean(b"{\n  \"a\": 1,\n  \"mine\": 1,\n  \"kit\": 1\n}\n".to_vec()));
    }

    /// A version of the file: some of the lines gone, some new ones between them.
    fn version(lines: usize, mark: &'static str) -> impl Strategy<Value = (Vec<bool>, Vec<(usize, String)>)> {
        let new = (0..=lines, 0..1000_u32).prop_map(move |(at, number)| (at, format!("{mark}{number}")));
        (
            proptest::collection::vec(proptest::bool::weighted(0.85), lines),
            proptest::collection::vec(new, 0..4),
        )
    }

    fn written(kept: &[bool], new: &[(usize, String)], ends: bool) -> String {
        let mut lines = Vec::new();
        for at in 0..=kept.len() {
            lines.extend(new.iter().filter(|(place, _)| *place == at).map(|(_, line)| line.clone()));
            if kept.get(at) == Some(&true) {
                // Some lines are alike, as closing braces are.
                lines.push(if at % 4 == 3 { "}".to_owned() } else { format!("line {at}") });
            }
        }
        lines.join("\n") + if ends && !lines.is_empty() { "\n" } else { "" }
    }

    // spec: LAY-2
    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn whatever_is_edited_nothing_of_yours_is_lost(
            (kept, mine) in version(24, "mine "), (still, theirs) in version(24, "theirs "), ends: bool
        ) {
            let base = written(&[true; 24], &[], true);
            let (yours, new) = (written(&kept, &mine, ends), written(&still, &theirs, true));
            let merged = three(&base, &yours, &new);
            let clean = matches!(merged, Merged::Clean(_));
            let merged = text(merged);
            let count = |text: &str, line: &str| text.lines().filter(|found| *found == line).count();
            for (_, line) in &mine {
                prop_assert_eq!(count(&merged, line), count(&yours, line), "{}", merged);
            }
            for (_, line) in &theirs {
                prop_assert!(count(&merged, line) >= count(&new, line), "{}", merged);
            }
            // What you took out does not come back without a word about it.
            for at in (0..24).filter(|at| at % 4 != 3 && !kept[*at] && clean) {
                prop_assert_eq!(count(&merged, &format!("line {at}")), 0, "{}", merged);
            }
            for at in (0..24).filter(|at| at % 4 != 3 && kept[*at] && still[*at]) {
                prop_assert!(count(&merged, &format!("line {at}")) >= 1, "{}", merged);
            }
            if base == new {
                prop_assert_eq!(&merged, &yours);
            }
            if base == yours {
                prop_assert_eq!(&merged, &new);
            }
        }
    }
}
