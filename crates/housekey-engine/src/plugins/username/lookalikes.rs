//! Names in other letters than the plain ones. An app that allows them wants José and Ольга, and nobody who looks like `paypal`.

use unicode_security::{GeneralSecurityProfile as _, MixedScript as _, skeleton};

/// Whether a name is what it looks like, by the rules that Unicode has for identifiers (UTS #39).
pub(super) fn is_what_it_looks_like(name: &str) -> bool {
    if name.is_ascii() {
        return true;
    }
    // Letters that no living language writes with; and beside them what nobody sees, of which some languages allow a little.
    let usual = name.chars().all(|character| character.is_ascii() || character.identifier_allowed());
    let visible = !has_invisible(name);
    // One Cyrillic letter among Latin ones is there to be taken for a Latin one.
    let one_script = name.is_single_script();
    // A name of one script can consist of such letters altogether: `раура` in Cyrillic.
    let like_plain = skeleton(name).all(|character| character.is_ascii());
    usual && visible && one_script && !like_plain
}

/// Whether there is something in a text that nobody sees, or that makes what stands around it look different.
pub(super) fn has_invisible(text: &str) -> bool {
    text.chars().any(|character| {
        character.is_control()
            || matches!(character,
                '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_script_are_what_they_look_like() {
        for name in ["ada", "josé", "ольга", "李明", "田中さん", "κώστας", "müller.2", "한국인"]
        {
            assert!(is_what_it_looks_like(name), "{name}");
        }
    }

    #[test]
    fn names_that_look_like_others_are_not() {
        for (name, what) in [
            ("p\u{430}ypal", "one Cyrillic letter"),
            ("\u{430}\u{441}\u{435}", "Cyrillic letters only, which read `ace`"),
            ("adm\u{131}n", "an i without its dot"),
            ("\u{3bf}livia", "a Greek letter first"),
            ("ada\u{200d}", "something invisible"),
            ("\u{202e}ada", "written backwards"),
            ("ada\u{1d41a}", "a mathematical letter"),
        ] {
            assert!(!is_what_it_looks_like(name), "{what}");
        }
    }

    #[test]
    fn what_is_shown_has_nothing_invisible() {
        assert!(!has_invisible("Ada Lovelace, née Byron ♥"));
        for text in ["a\u{200b}b", "\u{202e}nimda", "a\nb", "\u{feff}", "\u{e0041}"] {
            assert!(has_invisible(text), "{text:?}");
        }
    }
}
