/** The mark that tells our errors from others. In the global registry, so that two copies of this module agree on it. */
const MARK = /* @__PURE__ */ Symbol.for('@housekey/client');
/** A request that failed: the base of every error of the client, and the class of those without one of their own. */
export class RequestError extends Error {
    /** The name of the class, also after minification. */
    name = 'RequestError';
    /** @internal */
    [MARK] = true;
    constructor(message, facts) {
        super(message);
        Object.assign(this, facts);
    }
}
/** Whether this is an error of the client, from whichever copy of it. */
export function isRequestError(error) {
    return error?.[MARK] === true;
}
