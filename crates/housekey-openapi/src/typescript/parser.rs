use super::tokens::{Token, tokens};
use super::{Declared, Member, Type};

/// Types inside types are read by a function that calls itself: as deep as anybody writes them, and not deeper.
const DEEPEST: usize = 64;

/// Reads `type Post = { id: number, };`.
pub(crate) fn parse_declaration(text: &str) -> Result<Declared, String> {
    let mut parser = Parser::new(text)?;
    if parser.word()? != "type" {
        return Err(format!("`{text}` is no declaration"));
    }
    let name = parser.word()?;
    let mut parameters = Vec::new();
    if parser.takes('<') {
        while !parser.takes('>') {
            parameters.push(parser.word()?);
            // What a parameter is by itself (`T = string`) does not matter: every use names it.
            while !matches!(parser.peek(), Some(Token::Sign(',' | '>')) | None) {
                parser.next();
            }
            parser.takes(',');
        }
    }
    parser.expect('=')?;
    let of = parser.whole()?;
    parser.takes(';');
    parser.finish(text)?;
    Ok(Declared { name, parameters, of })
}

/// Reads `Array<Post> | null`.
pub(crate) fn parse_type(text: &str) -> Result<Type, String> {
    let mut parser = Parser::new(text)?;
    let of = parser.whole()?;
    parser.finish(text)?;
    Ok(of)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn new(text: &str) -> Result<Self, String> {
        Ok(Self { tokens: tokens(text)?, at: 0, depth: 0 })
    }

    fn whole(&mut self) -> Result<Type, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("types are nested too deeply".into());
        }
        // ts-rs puts what is between words of an enum in front of them as well.
        while self.skips_docs() || self.takes('|') {}
        let mut types = vec![self.both()?];
        while self.takes('|') {
            self.skips_docs();
            types.push(self.both()?);
        }
        self.depth -= 1;
        Ok(one_or(types, Type::Union))
    }

    fn both(&mut self) -> Result<Type, String> {
        let mut types = vec![self.item()?];
        while self.takes('&') {
            types.push(self.item()?);
        }
        Ok(one_or(types, Type::Intersection))
    }

    /// A type, and `[]` behind it.
    fn item(&mut self) -> Result<Type, String> {
        let mut item = self.single()?;
        while self.peek() == Some(&Token::Sign('[')) {
            self.next();
            self.expect(']')?;
            item = Type::Named("Array".into(), vec![item]);
        }
        Ok(item)
    }

    fn single(&mut self) -> Result<Type, String> {
        match self.next() {
            Some(Token::Text(text)) => Ok(Type::Literal(text.into())),
            Some(Token::Number(number)) => {
                let number = serde_json::from_str(&number);
                number.map(Type::Literal).map_err(|error| error.to_string())
            }
            Some(Token::Sign('{')) => self.object(),
            Some(Token::Sign('[')) => Ok(Type::Tuple(self.until(']')?)),
            Some(Token::Sign('(')) => {
                let inside = self.whole()?;
                self.expect(')')?;
                Ok(inside)
            }
            Some(Token::Word(word)) => match word.as_str() {
                "true" | "false" => Ok(Type::Literal((word == "true").into())),
                _ if self.takes('<') => Ok(Type::Named(word, self.until('>')?)),
                _ => Ok(Type::Named(word, Vec::new())),
            },
            other => Err(format!("a type was expected, and there is {other:?}")),
        }
    }

    /// Types with commas between them.
    fn until(&mut self, end: char) -> Result<Vec<Type>, String> {
        let mut types = Vec::new();
        while !self.takes(end) {
            types.push(self.whole()?);
            if !self.takes(',') && self.peek() != Some(&Token::Sign(end)) {
                return Err(format!("a comma or `{end}` was expected"));
            }
        }
        Ok(types)
    }

    fn object(&mut self) -> Result<Type, String> {
        let mut members = Vec::new();
        let mut map = None;
        loop {
            let docs = match self.peek() {
                Some(Token::Docs(docs)) => docs.clone(),
                _ => String::new(),
            };
            self.skips_docs();
            match self.next() {
                Some(Token::Sign('}')) => break,
                // `[key in string]?: …`
                Some(Token::Sign('[')) => {
                    while !self.takes(']') {
                        self.next().ok_or("an object without an end")?;
                    }
                    self.takes('?');
                    self.expect(':')?;
                    map = Some(self.whole()?);
                }
                Some(Token::Word(name) | Token::Text(name) | Token::Number(name)) => {
                    let is_optional = self.takes('?');
                    self.expect(':')?;
                    members.push(Member { name, is_optional, docs, of: self.whole()? });
                }
                other => return Err(format!("a field was expected, and there is {other:?}")),
            }
            if !self.takes(',') {
                self.takes(';');
            }
        }
        Ok(match map {
            Some(value) if members.is_empty() => Type::Map(Box::new(value)),
            Some(value) => Type::Intersection(vec![Type::Object(members), Type::Map(Box::new(value))]),
            None => Type::Object(members),
        })
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn takes(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    fn skips_docs(&mut self) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Docs(_)));
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.takes(sign) {
            return Ok(());
        }
        Err(format!("`{sign}` was expected, and there is {:?}", self.peek()))
    }

    fn word(&mut self) -> Result<String, String> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word),
            other => Err(format!("a name was expected, and there is {other:?}")),
        }
    }

    fn finish(&self, text: &str) -> Result<(), String> {
        match self.peek() {
            None => Ok(()),
            Some(more) => Err(format!("`{text}` goes on with {more:?}")),
        }
    }
}

fn one_or(mut types: Vec<Type>, several: fn(Vec<Type>) -> Type) -> Type {
    match types.pop() {
        Some(only) if types.is_empty() => only,
        Some(last) => {
            types.push(last);
            several(types)
        }
        None => several(types),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn named(name: &str) -> Type {
        Type::Named(name.into(), Vec::new())
    }

    #[test]
    fn what_ts_rs_writes_is_read() {
        let text = "type Page<T> = { items: Array<T>, \n/**\n * In all.\n */\ntotal: number, \"next-page\"?: string | null, };";
        let page = parse_declaration(text).unwrap();
        assert_eq!((page.name.as_str(), page.parameters.as_slice()), ("Page", &["T".to_owned()][..]));
        let Type::Object(members) = page.of else { panic!("no object") };
        assert_eq!(members[0].of, Type::Named("Array".into(), vec![named("T")]));
        assert_eq!((members[1].docs.as_str(), members[1].is_optional), ("In all.", false));
        assert_eq!((members[2].name.as_str(), members[2].is_optional), ("next-page", true));
        assert_eq!(members[2].of, Type::Union(vec![named("string"), named("null")]));
    }

    #[test]
    fn enums_maps_tuples_and_flattened_structs_are_read() {
        let tagged = parse_type("{ \"is\": \"a\" } | { \"is\": \"b\", to: [string, number[]], }").unwrap();
        assert!(matches!(tagged, Type::Union(types) if types.len() == 2));
        assert_eq!(parse_type("{ [key in string]?: T }").unwrap(), Type::Map(Box::new(named("T"))));
        assert_eq!(
            parse_type("({ a: 1 }) & Other").unwrap(),
            Type::Intersection(vec![
                Type::Object(vec![Member {
                    name: "a".into(),
                    is_optional: false,
                    docs: String::new(),
                    of: Type::Literal(1.into()),
                }]),
                named("Other"),
            ])
        );
        for wrong in ["", "{", "{ a }", "Array<", "a b", "[", "\"", "type X"] {
            assert!(parse_type(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_or_hang(text in "[a{}<>()\\[\\],;:\"'|&?/* \\\\=1\n]*") {
            let _ = parse_type(&text);
            let _ = parse_declaration(&text);
        }
    }
}
