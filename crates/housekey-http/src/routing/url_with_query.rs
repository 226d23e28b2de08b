use crate::RequestContext;

/// The address of the present page with other values in its query: for links that sort, filter and turn pages. What is not
/// named stays as it is, and an empty value takes a name out. Outside a request it is the address of `/`.
///
/// ```
/// use housekey_http::url_with_query;
///
/// // On `/books?sort=title&page=3` this is `/books?sort=title&page=4`.
/// let next = url_with_query(&[("page", "4")]);
/// # assert_eq!(next, "/?page=4");
/// ```
pub fn url_with_query(values: &[(&str, &str)]) -> String {
    match RequestContext::current() {
        Some(context) => with_query(context.uri().path(), context.uri().query(), values),
        None => with_query("/", None, values),
    }
}

fn with_query(path: &str, query: Option<&str>, values: &[(&str, &str)]) -> String {
    let is_replaced = |pair: &&str| {
        let name = form_urlencoded::parse(pair.as_bytes()).next().map(|(name, _)| name);
        values.iter().any(|(replaced, _)| name.as_deref() == Some(*replaced))
    };
    let pairs = query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
    let mut pairs: Vec<String> = pairs.filter(|pair| !is_replaced(pair)).map(ToOwned::to_owned).collect();
    for (name, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
        pairs.push(form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish());
    }
    // A link to `//elsewhere.example` would leave the site.
    let path = format!("/{}", path.trim_start_matches(['/', '\\']));
    if pairs.is_empty() { path } else { format!("{path}?{}", pairs.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_values_are_replaced_and_the_rest_stays_as_it_was_written() {
        let query = Some("q=a%20b&page=3&tag=x&tag=y");
        let url = |values: &[(&str, &str)]| with_query("/books", query, values);
        assert_eq!(url(&[]), "/books?q=a%20b&page=3&tag=x&tag=y");
        assert_eq!(url(&[("page", "4")]), "/books?q=a%20b&tag=x&tag=y&page=4");
        assert_eq!(url(&[("page", ""), ("tag", "")]), "/books?q=a%20b");
        assert_eq!(url(&[("q", "c&d=e"), ("page", ""), ("tag", "")]), "/books?q=c%26d%3De");
        assert_eq!(with_query("/books", Some("page=3"), &[("page", "")]), "/books");
    }

    #[test]
    fn a_name_is_known_however_it_is_written() {
        assert_eq!(with_query("/", Some("%70age=3&page"), &[("page", "4")]), "/?page=4");
    }

    #[test]
    fn no_path_makes_it_an_address_of_another_site() {
        assert_eq!(with_query("//evil.example", None, &[("page", "2")]), "/evil.example?page=2");
        assert_eq!(with_query("/\\evil.example", None, &[]), "/evil.example");
    }
}
