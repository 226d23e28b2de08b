import { RequestError } from './request-error.js'

/** No answer: the network or the server cannot be reached. `status` is 0, `cause` is what the browser said. */
export class Offline extends RequestError {
  override readonly name = 'Offline'
}
