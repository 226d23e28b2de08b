/** The whole address: prefix, path with its parameters filled in, query. */
export function address(prefix, path, params, query = {}) {
    if (params)
        path = path.replace(/\{(\w+)\}/g, (_, name) => segment(name, params[name]));
    if (prefix && path[0] != '/')
        prefix += '/';
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) {
        for (const each of [value].flat())
            if (each != null)
                search.append(key, `${each}`);
    }
    return prefix + path + (search.size ? (path.includes('?') ? '&' : '?') + search : '');
}
/** A parameter as one segment of a path. */
function segment(name, value = '') {
    // Nothing, `.` and `..` would lead to another route, and cannot be escaped: the browser resolves `%2e%2e` as well.
    if (/^\.{0,2}$/.test(`${value}`))
        throw new TypeError(`{${name}} cannot be "${value}"`);
    return encodeURIComponent(value);
}
