import { RequestError } from './request-error.js';
/** 429: too many requests. */
export class Throttled extends RequestError {
    name = 'Throttled';
    /** The seconds to wait before the next try, from `Retry-After`; 0 when the server did not say. */
    retryAfter;
    constructor(message, facts) {
        super(message, facts);
        const said = facts.headers?.get('retry-after');
        // Seconds, or a date: proxies are fond of dates.
        const seconds = +said || (Date.parse(said) - Date.now()) / 1000;
        this.retryAfter = Math.max(0, Math.ceil(seconds)) || 0;
    }
}
