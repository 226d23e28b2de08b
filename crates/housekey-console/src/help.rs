//! The list of commands, grouped by the part before the colon.

use crate::Paint;

/// What `--help`, `list` and a bare call print.
pub(crate) fn overview(binary: &str, catalogue: &[(&str, &str)], paint: Paint) -> String {
    let width = catalogue.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = format!(
        "Housekey {}\n\n{} {binary} <command> [options]\n\n{}\n",
        env!("CARGO_PKG_VERSION"),
        paint.bold("Usage:"),
        paint.bold("Commands:"),
    );
    let (single, grouped): (Vec<_>, Vec<_>) = catalogue.iter().partition(|(name, _)| !name.contains(':'));
    let mut group = "";
    for (name, about) in single.into_iter().chain(grouped) {
        let (prefix, _) = name.split_once(':').unwrap_or(("", name));
        if prefix != group {
            text.push_str(&format!("\n {}\n", paint.bold(prefix)));
            group = prefix;
        }
        let gap = width - name.len() + 2;
        text.push_str(&format!("  {}{:gap$}{about}\n", paint.green(name), ""));
    }
    text.push_str(&format!("\n`{binary} <command> --help` tells more about one of them.\n"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_words_come_first_and_groups_follow() {
        let catalogue =
            [("about", "Show"), ("cache:clear", "Empty"), ("config:cache", "Freeze"), ("serve", "Run")];
        let text = overview("shop", &catalogue, Paint::plain());
        let expected = "\
Commands:
  about         Show
  serve         Run

 cache
  cache:clear   Empty

 config
  config:cache  Freeze
";
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("Usage: shop <command> [options]"), "{text}");
    }
}
