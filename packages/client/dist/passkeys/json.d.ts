import type { Assertion, CreationJson, RequestJson } from './types.js';
/** What `navigator.credentials.create` takes. */
export declare function creationOptions(json: CreationJson): PublicKeyCredentialCreationOptions;
/** What `navigator.credentials.get` takes. */
export declare function requestOptions(json: RequestJson): PublicKeyCredentialRequestOptions;
/** A new credential as the server takes it. */
export declare function registrationJson(credential: PublicKeyCredential): object;
/** The proof of a known credential as the server takes it. */
export declare function authenticationJson(credential: PublicKeyCredential): Assertion;
