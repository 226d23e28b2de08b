import type { Aborted } from './aborted.js'
import type { Expired } from './expired.js'
import type { Invalid } from './invalid.js'
import type { NeedsPasswordConfirmation } from './needs-password-confirmation.js'
import type { NotFound } from './not-found.js'
import type { Offline } from './offline.js'
import { isRequestError, type RequestError } from './request-error.js'
import type { Throttled } from './throttled.js'
import type { Unauthenticated } from './unauthenticated.js'

export { isRequestError }

/** The errors with a class of their own, by its name. */
export interface ClientErrors {
  Aborted: Aborted
  Expired: Expired
  Invalid: Invalid
  NeedsPasswordConfirmation: NeedsPasswordConfirmation
  NotFound: NotFound
  Offline: Offline
  Throttled: Throttled
  Unauthenticated: Unauthenticated
}

/** Everything a request can fail with. A `switch` over `name` tells them apart. */
export type ClientError = ClientErrors[keyof ClientErrors] | RequestError

/** By the mark and the name, not by `instanceof`: two bundles on a page may each bring this module. */
const is =
  <E extends RequestError>(name: E['name']) =>
  (error: unknown): error is E =>
    isRequestError(error) && error.name === name

/** Whether the request was ended from this side. */
export const isAborted = /* @__PURE__ */ is<Aborted>('Aborted')
/** Whether the page's CSRF token is too old, also after a fresh one was asked for. */
export const isExpired = /* @__PURE__ */ is<Expired>('Expired')
/** Whether fields were refused. */
export const isInvalid = /* @__PURE__ */ is<Invalid>('Invalid')
/** Whether there is nothing at the address. */
export const isNotFound = /* @__PURE__ */ is<NotFound>('NotFound')
/** Whether the server could not be reached. */
export const isOffline = /* @__PURE__ */ is<Offline>('Offline')
/** Whether there were too many requests. */
export const isThrottled = /* @__PURE__ */ is<Throttled>('Throttled')
/** Whether nobody is signed in. */
export const isUnauthenticated = /* @__PURE__ */ is<Unauthenticated>('Unauthenticated')
/** Whether the password has to be confirmed first. */
export const needsPasswordConfirmation = /* @__PURE__ */ is<NeedsPasswordConfirmation>('NeedsPasswordConfirmation')
