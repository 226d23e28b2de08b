use http::Method;

use super::methods::Methods;
use super::path::decode;
use super::pattern::{Pattern, Segment};

/// Routes by the segments of their paths.
///
/// A node is reached over exactly one chain of edges, so however much the search backtracks, it visits a node once
/// at most: the worst address costs as much as the table is large, never more.
#[derive(Debug, Default)]
pub(super) struct Trie {
    root: Node,
}

#[derive(Debug, Default)]
struct Node {
    /// Sorted by text.
    statics: Vec<(Box<str>, Node)>,
    /// Constrained ones first.
    parameters: Vec<(Segment, Node)>,
    wildcards: Vec<(Segment, Leaf)>,
    leaf: Leaf,
}

/// The routes that end at one place, by method. The numbers are positions in the table.
#[derive(Debug, Default)]
struct Leaf {
    by_method: Vec<(Method, usize)>,
    any: Option<usize>,
}

/// What the search came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TrieMatch {
    Route(usize),
    /// The path exists; these are the methods it answers.
    OtherMethods(Vec<Method>),
    Nothing,
}

impl Trie {
    /// Adds a route. The error is the position of the route that is there already.
    pub(super) fn insert(&mut self, pattern: &Pattern, methods: &Methods, route: usize) -> Result<(), usize> {
        let mut node = &mut self.root;
        for segment in pattern.segments() {
            node = match segment {
                Segment::Static(text) => node.static_child(text),
                Segment::Parameter { .. } => node.parameter_child(segment),
                Segment::Wildcard { .. } => return node.wildcard_leaf(segment).insert(methods, route),
            };
        }
        node.leaf.insert(methods, route)
    }

    /// Finds the route for a well-formed path.
    pub(super) fn find(&self, method: &Method, path: &str) -> TrieMatch {
        let mut search = Search { method, allowed: Vec::new() };
        match search.node(&self.root, path.strip_prefix('/')) {
            Some(route) => TrieMatch::Route(route),
            None if search.allowed.is_empty() => TrieMatch::Nothing,
            None => TrieMatch::OtherMethods(search.allowed),
        }
    }
}

struct Search<'a> {
    method: &'a Method,
    allowed: Vec<Method>,
}

impl Search<'_> {
    /// `rest` is what follows the slash behind this node; `None` if no slash follows.
    fn node(&mut self, node: &Node, rest: Option<&str>) -> Option<usize> {
        let rest = rest.unwrap_or_default();
        if rest.is_empty() {
            return self.leaf(&node.leaf).or_else(|| self.wildcards(node, ""));
        }
        let (raw, tail) = match rest.split_once('/') {
            Some((raw, tail)) => (raw, Some(tail)),
            None => (rest, None),
        };
        let text = decode(raw);
        if let Ok(at) = node.statics.binary_search_by(|(own, _)| own.as_ref().cmp(&text))
            && let Some(route) = self.node(&node.statics[at].1, tail)
        {
            return Some(route);
        }
        for (segment, child) in &node.parameters {
            if segment.accepts(&text)
                && let Some(route) = self.node(child, tail)
            {
                return Some(route);
            }
        }
        self.wildcards(node, rest)
    }

    fn wildcards(&mut self, node: &Node, rest: &str) -> Option<usize> {
        if node.wildcards.is_empty() {
            return None;
        }
        let text = decode(rest);
        let accepting = node.wildcards.iter().filter(|(segment, _)| segment.accepts(&text));
        accepting.into_iter().find_map(|(_, leaf)| self.leaf(leaf))
    }

    fn leaf(&mut self, leaf: &Leaf) -> Option<usize> {
        let found = leaf.find(self.method);
        if found.is_none() {
            for (method, _) in &leaf.by_method {
                if !self.allowed.contains(method) {
                    self.allowed.push(method.clone());
                }
            }
        }
        found
    }
}

impl Node {
    fn static_child(&mut self, text: &str) -> &mut Self {
        let at = match self.statics.binary_search_by(|(own, _)| own.as_ref().cmp(text)) {
            Ok(at) => at,
            Err(at) => {
                self.statics.insert(at, (text.into(), Self::default()));
                at
            }
        };
        &mut self.statics[at].1
    }

    fn parameter_child(&mut self, segment: &Segment) -> &mut Self {
        let at = place(&self.parameters, segment).unwrap_or_else(|at| {
            self.parameters.insert(at, (segment.clone(), Self::default()));
            at
        });
        &mut self.parameters[at].1
    }

    fn wildcard_leaf(&mut self, segment: &Segment) -> &mut Leaf {
        let at = place(&self.wildcards, segment).unwrap_or_else(|at| {
            self.wildcards.insert(at, (segment.clone(), Leaf::default()));
            at
        });
        &mut self.wildcards[at].1
    }
}

/// Where an edge with this constraint is, or where it belongs: constrained edges in the order they came, then the
/// free one. Names do not matter, `{id}` and `{user}` are the same edge.
fn place<T>(edges: &[(Segment, T)], segment: &Segment) -> Result<usize, usize> {
    let source = |segment: &Segment| segment.constraint().map(|constraint| constraint.source().to_owned());
    let wanted = source(segment);
    match edges.iter().position(|(own, _)| source(own) == wanted) {
        Some(at) => Ok(at),
        None if wanted.is_none() => Err(edges.len()),
        None => Err(edges.iter().position(|(own, _)| own.constraint().is_none()).unwrap_or(edges.len())),
    }
}

impl Leaf {
    fn insert(&mut self, methods: &Methods, route: usize) -> Result<(), usize> {
        let Methods::Only(methods) = methods else {
            return match self.any.replace(route) {
                Some(earlier) => Err(earlier),
                None => Ok(()),
            };
        };
        for method in methods {
            if let Some((_, earlier)) = self.by_method.iter().find(|(own, _)| own == method) {
                return Err(*earlier);
            }
            self.by_method.push((method.clone(), route));
        }
        Ok(())
    }

    fn find(&self, method: &Method) -> Option<usize> {
        let of =
            |method: &Method| self.by_method.iter().find(|(own, _)| own == method).map(|(_, route)| *route);
        let found = of(method).or_else(|| if method == Method::HEAD { of(&Method::GET) } else { None });
        found.or(self.any)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Written<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

    fn trie(routes: &[Written<'_>]) -> Trie {
        let mut trie = Trie::default();
        for (position, (method, path, constraints)) in routes.iter().enumerate() {
            let constraints: Vec<_> =
                constraints.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            let methods = match *method {
                "ANY" => Methods::Any,
                method => Methods::Only(method.split('|').map(|method| method.parse().unwrap()).collect()),
            };
            trie.insert(&Pattern::parse(path, &constraints).unwrap(), &methods, position).unwrap();
        }
        trie
    }

    fn get(trie: &Trie, path: &str) -> TrieMatch {
        trie.find(&Method::GET, path)
    }

    // spec: SHL-3
    #[test]
    fn exact_wins_over_parameter_wins_over_wildcard() {
        let trie = trie(&[
            ("GET", "/{path}", &[("path", ".*")]),
            ("GET", "/users/{id}", &[]),
            ("GET", "/users/me", &[]),
            ("GET", "/users/{id}", &[("id", "[0-9]+")]),
        ]);
        assert_eq!(get(&trie, "/users/me"), TrieMatch::Route(2));
        assert_eq!(get(&trie, "/users/7"), TrieMatch::Route(3));
        assert_eq!(get(&trie, "/users/anna"), TrieMatch::Route(1));
        assert_eq!(get(&trie, "/users/7/keys"), TrieMatch::Route(0));
        assert_eq!(get(&trie, "/"), TrieMatch::Route(0));
    }

    #[test]
    fn the_search_comes_back_from_a_dead_end() {
        let trie = trie(&[("GET", "/users/{id}/edit", &[]), ("GET", "/{page}/me/view", &[])]);
        assert_eq!(get(&trie, "/users/me/view"), TrieMatch::Route(1));
        assert_eq!(get(&trie, "/users/me/edit"), TrieMatch::Route(0));
        assert_eq!(get(&trie, "/users/me"), TrieMatch::Nothing);
    }

    #[test]
    fn the_method_takes_part_in_the_search() {
        let trie = trie(&[
            ("POST", "/sign-in", &[]),
            ("GET", "/{path}", &[("path", ".*")]),
            ("DELETE", "/x/y", &[]),
        ]);
        assert_eq!(get(&trie, "/sign-in"), TrieMatch::Route(1));
        assert_eq!(trie.find(&Method::HEAD, "/sign-in"), TrieMatch::Route(1));
        assert_eq!(trie.find(&Method::POST, "/sign-in"), TrieMatch::Route(0));
        assert_eq!(
            trie.find(&Method::PUT, "/sign-in"),
            TrieMatch::OtherMethods(vec![Method::POST, Method::GET])
        );
    }

    #[test]
    fn escapes_are_resolved_before_comparing_and_a_slash_at_the_end_is_nothing() {
        let trie = trie(&[("GET", "/café", &[]), ("GET", "/tags/{tag}", &[("tag", "[a-z/]+x?")])]);
        assert_eq!(get(&trie, "/caf%C3%A9"), TrieMatch::Route(0));
        assert_eq!(get(&trie, "/caf%C3%A9/"), TrieMatch::Route(0));
        assert_eq!(get(&trie, "//caf%C3%A9"), TrieMatch::Nothing);
        assert_eq!(get(&trie, "/tags/a%2Fb"), TrieMatch::Route(1));
        assert_eq!(get(&trie, "/tags"), TrieMatch::Nothing);
    }

    proptest! {
        // Enough that many of them lead somewhere.
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn any_address_gets_the_answer_of_the_whole_path(path in "(/(a|aa|b|c|%61|%2F|[%.é{}])?){1,4}") {
            let trie = trie(&[
                ("GET", "/a/{b}/c", &[]),
                ("GET", "/{a}/b/{c}", &[("a", "a+")]),
                ("POST", "/{*rest}", &[]),
            ]);
            let found = get(&trie, &path);
            assert_eq!(trie.find(&Method::HEAD, &path), found, "HEAD is where GET is");
            let anywhere = if path == "/" { TrieMatch::Nothing } else { TrieMatch::Route(2) };
            assert_eq!(trie.find(&Method::POST, &path), anywhere, "the last one takes any address but the first page's");
            // The same by comparing whole paths: an escaped slash is part of its segment, one at the end is nothing.
            let inner = path[1..].strip_suffix('/').unwrap_or(&path[1..]);
            let segments: Vec<String> = inner.split('/').map(|raw| decode(raw).into_owned()).collect();
            let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
            let expected = match segments[..] {
                ["a", middle, "c"] if !middle.is_empty() => TrieMatch::Route(0),
                [first, "b", last] if !first.is_empty() && first.bytes().all(|byte| byte == b'a') && !last.is_empty() => {
                    TrieMatch::Route(1)
                }
                _ if path == "/" => TrieMatch::Nothing,
                _ => TrieMatch::OtherMethods(vec![Method::POST]),
            };
            assert_eq!(found, expected);
        }
    }
}
