import type { NeedsPasswordConfirmation } from './errors/needs-password-confirmation.js';
import type { Answer, RequestOptions } from './request/options.js';
import type { Routes, Verb } from './routes.js';
/** What holds for every request of a client. */
export interface ClientOptions extends Pick<RequestOptions, 'headers' | 'timeout'> {
    /** Goes before every path. Default `/api`. */
    prefix?: string;
    /**
     * Asked when a request is answered 423. Resolve with `true` once the password is confirmed: the request is sent again.
     * Anything else, and the request fails with `NeedsPasswordConfirmation`. Requests that are refused at the same time
     * wait for the same answer.
     */
    onConfirm?: ((error: NeedsPasswordConfirmation) => Promise<boolean>) | undefined;
    /** Where the CSRF token of the session is to be had, below `prefix`. Default `/session`. */
    session?: string;
}
/** A request by path and options. */
export type Call = <T = unknown>(path: string, options?: RequestOptions) => Promise<T>;
/** Requests with the method fixed. */
export interface Http<R = Routes> {
    get: Verb<R, 'GET'>;
    post: Verb<R, 'POST'>;
    put: Verb<R, 'PUT'>;
    patch: Verb<R, 'PATCH'>;
    delete: Verb<R, 'DELETE'>;
}
/** What {@link createClient} makes. */
export interface Client<R = Routes> {
    /** Requests with the method fixed, resolved with the parsed body. */
    http: Http<R>;
    /** A request resolved with the parsed body. */
    call: Call;
    /** A request resolved with `{ data, status, headers }`. */
    send: <T = unknown>(path: string, options?: RequestOptions) => Promise<Answer<T>>;
    /** Asks who is signed in, and keeps the CSRF token of the answer for the writes that follow. */
    session: <T = {
        user: unknown;
        csrf: string;
    }>() => Promise<T>;
    /** Sets options after the client was made: what they need may not exist before. */
    configure: (more: ClientOptions) => void;
}
/**
 * Makes a client of its own, for another prefix or in a test. Most apps use the ready-made one and `configure` it.
 *
 * ```ts
 * const { http } = createClient({ prefix: '/admin/api', timeout: 10_000 })
 * ```
 */
export declare function createClient<R = Routes>(options?: ClientOptions): Client<R>;
