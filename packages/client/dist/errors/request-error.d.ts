/** The mark that tells our errors from others. In the global registry, so that two copies of this module agree on it. */
declare const MARK: unique symbol;
/** What is known about a request that failed. */
export interface Facts {
    /** The status of the answer; 0 when there was none. */
    status: number;
    /** The machine-readable code of the answer, such as `plan_ended`. */
    code?: string | undefined;
    /** The id under which the server logged the request. */
    requestId?: string | undefined;
    /** The parsed body of the answer. */
    data?: unknown;
    /** The headers of the answer. */
    headers?: Headers | undefined;
    /** What made the request fail, when it was not the answer. */
    cause?: unknown;
}
/** A request that failed: the base of every error of the client, and the class of those without one of their own. */
export declare class RequestError extends Error {
    /** The name of the class, also after minification. */
    readonly name: string;
    /** The status of the answer; 0 when there was none. */
    readonly status: number;
    /** The machine-readable code of the answer, such as `plan_ended`; `not_json` when a page came instead of JSON. */
    readonly code: string | undefined;
    /** The id under which the server logged the request: worth showing to someone who asks for help. */
    readonly requestId: string | undefined;
    /** The parsed body of the answer. */
    readonly data: unknown;
    /** The headers of the answer. */
    readonly headers: Headers | undefined;
    /** @internal */
    readonly [MARK] = true;
    constructor(message: string, facts: Facts);
}
/** Whether this is an error of the client, from whichever copy of it. */
export declare function isRequestError(error: unknown): error is RequestError;
export {};
