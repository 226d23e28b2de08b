import type { Answer } from './options.js';
import type { Incoming } from './transport.js';
/** Reads an answer. Throws when it says that the request failed, or when it is a page and no JSON. */
export declare function read<T>({ status, headers, text, redirect }: Incoming, what: string, onRedirect?: (to: string) => void): Answer<T>;
