import { RequestError } from './request-error.js'

/** 419: the CSRF token is not that of the session, and a fresh one did not help. */
export class Expired extends RequestError {
  override readonly name = 'Expired'
}
