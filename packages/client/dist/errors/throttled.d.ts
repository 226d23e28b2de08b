import { RequestError, type Facts } from './request-error.js';
/** 429: too many requests. */
export declare class Throttled extends RequestError {
    readonly name = "Throttled";
    /** The seconds to wait before the next try, from `Retry-After`; 0 when the server did not say. */
    readonly retryAfter: number;
    constructor(message: string, facts: Facts);
}
