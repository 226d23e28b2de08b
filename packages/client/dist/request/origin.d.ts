/**
 * The part of an address after the origin, when that is the page's own; else undefined.
 *
 * Outside a browser there is no page, and every address is another's.
 */
export declare function ownPath(address: string): string | undefined;
