/**
 * The part of an address after the origin, when that is the page's own; else undefined.
 *
 * Outside a browser there is no page, and every address is another's.
 */
export function ownPath(address) {
    const here = globalThis.location;
    const url = new URL(address, here?.href);
    return url.origin == here?.origin ? url.href.slice(url.origin.length) : undefined;
}
