/** Whether a value is made of parts. A `File` or a `Date` is one thing, and stays the same thing when copied. */
function isComposite(value) {
    return Array.isArray(value) || (!!value && Object.getPrototypeOf(value) === Object.prototype);
}
/** A copy that shares no part with the original. */
export function copy(value) {
    if (!isComposite(value))
        return value;
    if (Array.isArray(value))
        return value.map(copy);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)]));
}
/** Whether two values say the same. */
export function same(one, other) {
    if (!isComposite(one) || !isComposite(other))
        return Object.is(one, other);
    const keys = Object.keys(one);
    return (Array.isArray(one) == Array.isArray(other) &&
        keys.length == Object.keys(other).length &&
        keys.every((key) => key in other && same(one[key], other[key])));
}
