import { isRequestError } from './request-error.js';
export { isRequestError };
/** By the mark and the name, not by `instanceof`: two bundles on a page may each bring this module. */
const is = (name) => (error) => isRequestError(error) && error.name === name;
/** Whether the request was ended from this side. */
export const isAborted = /* @__PURE__ */ is('Aborted');
/** Whether the page's CSRF token is too old, also after a fresh one was asked for. */
export const isExpired = /* @__PURE__ */ is('Expired');
/** Whether fields were refused. */
export const isInvalid = /* @__PURE__ */ is('Invalid');
/** Whether there is nothing at the address. */
export const isNotFound = /* @__PURE__ */ is('NotFound');
/** Whether the server could not be reached. */
export const isOffline = /* @__PURE__ */ is('Offline');
/** Whether there were too many requests. */
export const isThrottled = /* @__PURE__ */ is('Throttled');
/** Whether nobody is signed in. */
export const isUnauthenticated = /* @__PURE__ */ is('Unauthenticated');
/** Whether the password has to be confirmed first. */
export const needsPasswordConfirmation = /* @__PURE__ */ is('NeedsPasswordConfirmation');
