/// A piece of TypeScript.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Text(String),
    Number(String),
    Sign(char),
    /// What stands between `/**` and `*/`, without the stars.
    Docs(String),
}

/// The pieces of a text; the error is the place that cannot be read.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if next.is_whitespace() {
            rest = rest.trim_start();
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let (inside, behind) = comment.split_once("*/").ok_or("a comment without an end")?;
            tokens.push(Token::Docs(docs(inside)));
            rest = behind;
        } else if next == '"' {
            let (word, behind) = quoted(rest)?;
            tokens.push(Token::Text(word));
            rest = behind;
        } else if next.is_ascii_digit() || next == '-' {
            let (number, behind) = split_while(rest, |c| c.is_ascii_digit() || matches!(c, '-' | '.' | 'e'));
            tokens.push(Token::Number(number.to_owned()));
            rest = behind;
        } else if is_in_word(next) {
            let (word, behind) = split_while(rest, is_in_word);
            tokens.push(Token::Word(word.to_owned()));
            rest = behind;
        } else {
            tokens.push(Token::Sign(next));
            rest = rest.get(next.len_utf8()..).unwrap_or_default();
        }
    }
    Ok(tokens)
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

fn split_while(text: &str, is: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !is(c)).unwrap_or(text.len()))
}

/// A text in quotes, as JSON has it, and what follows.
fn quoted(text: &str) -> Result<(String, &str), String> {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        ends
    });
    let (end, _) = end.ok_or("a text without an end")?;
    let (word, rest) = text.split_at(end + 1);
    Ok((serde_json::from_str(word).map_err(|error| error.to_string())?, rest))
}

/// The sentences of a comment.
fn docs(comment: &str) -> String {
    let lines = comment.trim_start_matches('*').lines();
    let lines = lines.map(|line| line.trim().trim_start_matches('*').trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_lose_their_stars_and_texts_their_quotes() {
        let found = tokens("/**\n * What it is,\n * in words.\n */\n\"a\\\"b\"?: 1.5").unwrap();
        let expected = [
            Token::Docs("What it is, in words.".into()),
            Token::Text("a\"b".into()),
            Token::Sign('?'),
            Token::Sign(':'),
            Token::Number("1.5".into()),
        ];
        assert_eq!(found, expected);
        assert!(tokens("\"open").is_err());
        assert!(tokens("/* open").is_err());
    }
}
