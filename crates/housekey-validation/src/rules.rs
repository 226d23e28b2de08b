use std::borrow::Cow;
use std::fmt;
use std::pin::Pin;

use housekey_core::Result;
use serde_json::Value;

use crate::kind::Kind;
use crate::secrets::is_secret_name;
#[cfg(feature = "database")]
use crate::stored::StoredRule;

/// The fields of an input and what they must be: what `#[derive(Validated)]` makes of a struct, once for all requests.
#[derive(Debug, Default)]
pub struct Rules {
    pub(crate) fields: Vec<FieldRules>,
}

impl Rules {
    /// Adds a field. Its rules are called on it one after the other.
    pub fn field(&mut self, name: &'static str, kind: Kind) -> &mut FieldRules {
        let at = self.fields.len();
        self.fields.push(FieldRules::new(name, kind));
        &mut self.fields[at]
    }

    /// The same for a field that serde fills in where it was not sent.
    pub fn field_with_default(&mut self, name: &'static str, kind: Kind) -> &mut FieldRules {
        let field = self.field(name, kind);
        field.has_default = true;
        field
    }

    pub(crate) fn of(&self, name: &str) -> Option<&FieldRules> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub(crate) fn is_list(&self, field: &str) -> bool {
        self.of(field).is_some_and(FieldRules::is_list)
    }

    /// How large the file of a field may be, in bytes; `None` if a file is nothing for it.
    pub fn file_limit(&self, field: &str) -> Option<u64> {
        self.of(field)?.file_limit()
    }

    /// Whether any field takes a file.
    pub fn take_files(&self) -> bool {
        self.fields.iter().any(|field| field.file_limit().is_some())
    }

    /// Whether a value must be left as it is, and must never be given back.
    pub fn is_secret(&self, field: &str) -> bool {
        is_secret_name(field)
            || self.of(field).is_some_and(|field| field.is_secret || field.kind == Kind::Secret)
    }
}

/// The rules of one field. Every method is one, for `#[validate(…)]`: see [`Validated`](crate::Validated).
///
/// A field that is absent, `null` or empty meets every rule except the `required` ones and
/// [`accepted`](Self::accepted).
#[derive(Debug)]
pub struct FieldRules {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) label: Option<Cow<'static, str>>,
    pub(crate) is_secret: bool,
    pub(crate) is_untrimmed: bool,
    /// Whether serde fills it in where it was not sent.
    pub(crate) has_default: bool,
    pub(crate) entries: Vec<Entry>,
}

/// A rule, and the sentence to say when it is broken, if not its own.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) rule: Rule,
    pub(crate) message: Option<Cow<'static, str>>,
}

#[derive(Debug)]
pub(crate) enum Rule {
    Required,
    RequiredIf {
        other: &'static str,
        value: String,
    },
    RequiredWith {
        other: &'static str,
    },
    Accepted,
    Text,
    Integer,
    Number,
    Boolean,
    Array,
    /// An object of another type of input. Asked for when it is needed, for a type may hold itself.
    Nested(fn() -> &'static Rules),
    Each(Box<FieldRules>),
    Min(f64),
    Max(f64),
    Between(f64, f64),
    Size(f64),
    Length(usize),
    OneOf(Vec<String>),
    NotOneOf(Vec<String>),
    Email,
    Url,
    Date,
    Uuid,
    Ip,
    Alpha,
    AlphaDash,
    StartsWith(Vec<String>),
    Regex(&'static str),
    File,
    Image,
    Mimes(Vec<String>),
    MinDimensions(usize, usize),
    MaxDimensions(usize, usize),
    Confirmed,
    Same(&'static str),
    Different(&'static str),
    Custom(Custom),
    CustomAsync(CustomAsync),
    #[cfg(feature = "database")]
    Stored(StoredRule),
}

impl Rule {
    /// Whether only a file can meet it.
    pub(crate) fn is_about_files(&self) -> bool {
        matches!(
            self,
            Self::File | Self::Image | Self::Mimes(_) | Self::MinDimensions(..) | Self::MaxDimensions(..)
        )
    }
}

pub(crate) type Complaint = Pin<Box<dyn Future<Output = Result<Option<String>>> + Send>>;

type Check = dyn Fn(&Value) -> Option<String> + Send + Sync;
type WaitingCheck = dyn Fn(Value) -> Complaint + Send + Sync;

pub(crate) struct Custom(pub(crate) Box<Check>);

pub(crate) struct CustomAsync(pub(crate) Box<WaitingCheck>);

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Custom")
    }
}

impl fmt::Debug for CustomAsync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CustomAsync")
    }
}

impl FieldRules {
    fn new(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            label: None,
            is_secret: false,
            is_untrimmed: false,
            has_default: false,
            entries: Vec::new(),
        }
    }

    pub(crate) fn rule(&mut self, rule: Rule) -> &mut Self {
        self.entries.push(Entry { rule, message: None });
        self
    }

    /// What people call the field; by default its name in words (`first_name`, `firstName`: "first name").
    pub fn label(&mut self, label: impl Into<Cow<'static, str>>) -> &mut Self {
        self.label = Some(label.into());
        self
    }

    /// The sentence for the rule before it. The placeholders of the rule's own sentence work here too.
    pub fn message(&mut self, message: impl Into<Cow<'static, str>>) -> &mut Self {
        if let Some(entry) = self.entries.last_mut() {
            entry.message = Some(message.into());
        }
        self
    }

    /// Never gives the value back to the form, and leaves spaces at its ends alone. Passwords, tokens and codes
    /// are treated so by their names already.
    pub fn secret(&mut self) -> &mut Self {
        self.is_secret = true;
        self
    }

    /// Leaves spaces at the ends alone; otherwise they are cut off before the rules look.
    pub fn untrimmed(&mut self) -> &mut Self {
        self.is_untrimmed = true;
        self
    }

    /// Must be there and not be empty.
    pub fn required(&mut self) -> &mut Self {
        self.rule(Rule::Required)
    }

    /// Must be there when another field has this value: `required_if(kind, "business")`.
    pub fn required_if(&mut self, other: &'static str, value: impl Into<String>) -> &mut Self {
        self.rule(Rule::RequiredIf { other, value: value.into() })
    }

    /// Must be there when another field is: `required_with(company)`.
    pub fn required_with(&mut self, other: &'static str) -> &mut Self {
        self.rule(Rule::RequiredWith { other })
    }

    /// May be absent. Fields are so by default; this says it aloud.
    pub fn optional(&mut self) -> &mut Self {
        self
    }

    /// May be `null`, which counts as absent. Fields are so by default; this says it aloud.
    pub fn nullable(&mut self) -> &mut Self {
        self
    }

    /// Must be agreed to: ticked, `true`, `yes`, `on` or `1`.
    pub fn accepted(&mut self) -> &mut Self {
        self.rule(Rule::Accepted)
    }

    pub fn string(&mut self) -> &mut Self {
        self.rule(Rule::Text)
    }

    pub fn integer(&mut self) -> &mut Self {
        self.rule(Rule::Integer)
    }

    pub fn number(&mut self) -> &mut Self {
        self.rule(Rule::Number)
    }

    /// Must be yes or no; in a form, a box that is ticked or not.
    pub fn boolean(&mut self) -> &mut Self {
        self.rule(Rule::Boolean)
    }

    /// Must be a list: a JSON array, or a key that may be repeated in a form or a query.
    pub fn array(&mut self) -> &mut Self {
        self.rule(Rule::Array)
    }

    /// Every item of the list must meet these rules, which are written like those of a field.
    ///
    /// ```
    /// # use housekey_validation::Validated;
    /// #[derive(serde::Deserialize, Validated)]
    /// # #[validate(crate = "housekey_validation")]
    /// struct Post {
    ///     #[validate(max(5), each(required, alpha_dash, max(20)))]
    ///     tags: Vec<String>,
    /// }
    /// ```
    pub fn each(&mut self, write: impl FnOnce(&mut FieldRules)) -> &mut Self {
        let mut item = Self::new(self.name, Kind::Other);
        write(&mut item);
        self.rule(Rule::Each(Box::new(item)))
    }

    /// Must be a JSON object that meets the rules of its own type. It takes nothing in the attribute.
    ///
    /// ```
    /// # use housekey_validation::Validated;
    /// #[derive(serde::Deserialize, Validated)]
    /// # #[validate(crate = "housekey_validation")]
    /// struct Order {
    ///     #[validate(required, each(nested))]
    ///     lines: Vec<Line>,
    /// }
    ///
    /// #[derive(serde::Deserialize, Validated)]
    /// # #[validate(crate = "housekey_validation")]
    /// struct Line {
    ///     #[validate(required, between(1, 99))]
    ///     count: u32,
    /// }
    /// ```
    pub fn nested(&mut self, rules: fn() -> &'static Rules) -> &mut Self {
        self.rule(Rule::Nested(rules))
    }

    /// At least this long (text), this large (numbers), this many (lists), or this many bytes (files).
    pub fn min(&mut self, min: impl Into<f64>) -> &mut Self {
        self.rule(Rule::Min(min.into()))
    }

    /// At most this long (text), this large (numbers), this many (lists), or this many bytes (files).
    pub fn max(&mut self, max: impl Into<f64>) -> &mut Self {
        self.rule(Rule::Max(max.into()))
    }

    /// Between these two, both included. See [`min`](Self::min).
    pub fn between(&mut self, min: impl Into<f64>, max: impl Into<f64>) -> &mut Self {
        self.rule(Rule::Between(min.into(), max.into()))
    }

    /// Exactly this long, large or many. See [`min`](Self::min).
    pub fn size(&mut self, size: impl Into<f64>) -> &mut Self {
        self.rule(Rule::Size(size.into()))
    }

    /// Text of exactly this many characters, whatever it looks like: `length(6)` is right for a code of digits.
    pub fn length(&mut self, characters: usize) -> &mut Self {
        self.rule(Rule::Length(characters))
    }

    pub fn one_of<S: ToString>(&mut self, choices: impl IntoIterator<Item = S>) -> &mut Self {
        self.rule(Rule::OneOf(texts(choices)))
    }

    pub fn not_one_of<S: ToString>(&mut self, choices: impl IntoIterator<Item = S>) -> &mut Self {
        self.rule(Rule::NotOneOf(texts(choices)))
    }

    pub fn email(&mut self) -> &mut Self {
        self.rule(Rule::Email)
    }

    /// An http or https address.
    pub fn url(&mut self) -> &mut Self {
        self.rule(Rule::Url)
    }

    /// A date (`2026-03-01`) or a moment (RFC 3339).
    pub fn date(&mut self) -> &mut Self {
        self.rule(Rule::Date)
    }

    pub fn uuid(&mut self) -> &mut Self {
        self.rule(Rule::Uuid)
    }

    /// An IPv4 or IPv6 address.
    pub fn ip(&mut self) -> &mut Self {
        self.rule(Rule::Ip)
    }

    /// Letters only, of any script.
    pub fn alpha(&mut self) -> &mut Self {
        self.rule(Rule::Alpha)
    }

    /// Letters, digits, `-` and `_` only.
    pub fn alpha_dash(&mut self) -> &mut Self {
        self.rule(Rule::AlphaDash)
    }

    pub fn starts_with<S: ToString>(&mut self, prefixes: impl IntoIterator<Item = S>) -> &mut Self {
        self.rule(Rule::StartsWith(texts(prefixes)))
    }

    /// Matches a regular expression anywhere; anchor it with `^` and `$` to match the whole.
    pub fn regex(&mut self, pattern: &'static str) -> &mut Self {
        self.rule(Rule::Regex(pattern))
    }

    /// A file. A field of the type [`Upload`](crate::uploads::Upload) need not say so; a list of them does: `each(file)`.
    pub fn file(&mut self) -> &mut Self {
        self.rule(Rule::File)
    }

    /// A picture that browsers show, by its content: JPEG, PNG, GIF, WebP, AVIF or BMP. SVG is none: it can hold scripts.
    pub fn image(&mut self) -> &mut Self {
        self.rule(Rule::Image)
    }

    /// A file of one of these types, by its content: `mimes(["application/pdf", "image/*"])`. What sort of text a text is
    /// (`text/csv`, `text/markdown`, `text/calendar`, `application/json`) only its name tells.
    pub fn mimes<S: ToString>(&mut self, types: impl IntoIterator<Item = S>) -> &mut Self {
        self.rule(Rule::Mimes(texts(types)))
    }

    /// A picture at least this wide and this high.
    pub fn min_dimensions(&mut self, width: usize, height: usize) -> &mut Self {
        self.rule(Rule::MinDimensions(width, height))
    }

    /// A picture at most this wide and this high. A small file can be a huge picture: whoever decodes it should ask for this.
    pub fn max_dimensions(&mut self, width: usize, height: usize) -> &mut Self {
        self.rule(Rule::MaxDimensions(width, height))
    }

    /// Was typed twice: `password` needs an equal `password_confirmation`.
    pub fn confirmed(&mut self) -> &mut Self {
        self.rule(Rule::Confirmed)
    }

    /// Equals another field, named without quotes: `same(email)`.
    pub fn same(&mut self, other: &'static str) -> &mut Self {
        self.rule(Rule::Same(other))
    }

    /// Differs from another field: `different(email)`.
    pub fn different(&mut self, other: &'static str) -> &mut Self {
        self.rule(Rule::Different(other))
    }

    /// A rule of one's own: answers a complaint, or `None`. The complaint may use `:field`.
    ///
    /// ```
    /// # use housekey_validation::Validated;
    /// use serde_json::Value;
    ///
    /// #[derive(serde::Deserialize, Validated)]
    /// # #[validate(crate = "housekey_validation")]
    /// struct Pairs {
    ///     #[validate(custom(even))]
    ///     socks: u8,
    /// }
    ///
    /// fn even(value: &Value) -> Option<String> {
    ///     let is_odd = value.as_i64().is_some_and(|number| number % 2 != 0);
    ///     is_odd.then(|| "The :field must be even.".into())
    /// }
    /// ```
    pub fn custom(&mut self, check: impl Fn(&Value) -> Option<String> + Send + Sync + 'static) -> &mut Self {
        self.rule(Rule::Custom(Custom(Box::new(check))))
    }

    /// A rule of one's own that has to wait for something, a database say. It is asked only when the field meets
    /// its other rules.
    ///
    /// ```
    /// # use housekey_core::Result;
    /// # use housekey_validation::Validated;
    /// # async fn is_taken(_name: &str) -> Result<bool> { Ok(true) }
    /// use serde_json::Value;
    ///
    /// #[derive(serde::Deserialize, Validated)]
    /// # #[validate(crate = "housekey_validation")]
    /// struct Account {
    ///     #[validate(required, custom_async(free))]
    ///     name: String,
    /// }
    ///
    /// async fn free(name: Value) -> Result<Option<String>> {
    ///     let taken = is_taken(name.as_str().unwrap_or_default()).await?;
    ///     Ok(taken.then(|| "The :field is taken.".into()))
    /// }
    /// ```
    pub fn custom_async<F, Fut>(&mut self, check: F) -> &mut Self
    where
        F: Fn(Value) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<String>>> + Send + 'static,
    {
        self.rule(Rule::CustomAsync(CustomAsync(Box::new(move |value| Box::pin(check(value))))))
    }

    /// See [`Rules::file_limit`].
    fn file_limit(&self) -> Option<u64> {
        let items = || {
            self.entries.iter().filter_map(|entry| match &entry.rule {
                Rule::Each(item) => Some(&**item),
                _ => None,
            })
        };
        if !self.takes_a_file() && !items().any(Self::takes_a_file) {
            return None;
        }
        // `max(3)` of a list is a number of files: how large each may be, only its items say.
        let largest = match self.is_list() {
            true => items().filter_map(Self::largest).min(),
            false => self.largest(),
        };
        Some(largest.unwrap_or(u64::MAX))
    }

    fn takes_a_file(&self) -> bool {
        self.kind == Kind::File || self.has(Rule::is_about_files)
    }

    /// The largest size that its own rules allow.
    fn largest(&self) -> Option<u64> {
        let sizes = self.entries.iter().filter_map(|entry| match entry.rule {
            Rule::Max(max) | Rule::Between(_, max) | Rule::Size(max) => Some(max as u64),
            _ => None,
        });
        sizes.min()
    }

    pub(crate) fn is_list(&self) -> bool {
        self.kind.is_list() || self.has(|rule| matches!(rule, Rule::Array | Rule::Each(_)))
    }

    pub(crate) fn has(&self, is: impl Fn(&Rule) -> bool) -> bool {
        self.entries.iter().any(|entry| is(&entry.rule))
    }
}

fn texts<S: ToString>(choices: impl IntoIterator<Item = S>) -> Vec<String> {
    choices.into_iter().map(|choice| choice.to_string()).collect()
}
