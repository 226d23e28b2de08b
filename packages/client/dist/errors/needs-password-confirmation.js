import { RequestError } from './request-error.js';
/** 423: the password has to be confirmed first, and it was not. */
export class NeedsPasswordConfirmation extends RequestError {
    name = 'NeedsPasswordConfirmation';
}
