import type { Progress } from './options.js';
/** A request, ready to be sent. */
export interface Outgoing {
    url: string;
    method: string;
    headers: Headers;
    body: BodyInit | undefined;
    signal: AbortSignal;
}
/** What came back. */
export interface Incoming {
    status: number;
    headers: Headers;
    text: string;
    /** The address that a redirect led to. */
    redirect: string | undefined;
}
/** Sends with `fetch`. */
export declare function viaFetch({ url, ...request }: Outgoing): Promise<Incoming>;
/** Sends with `XMLHttpRequest`, which alone can tell how far an upload has come. Cookies go to the same origin only. */
export declare function viaXhr({ url, method, headers, body, signal }: Outgoing, onProgress: (progress: Progress) => void): Promise<Incoming>;
