import { RequestError } from './request-error.js';
/** 401: nobody is signed in, or not any more, or the credentials were wrong. */
export class Unauthenticated extends RequestError {
    name = 'Unauthenticated';
}
