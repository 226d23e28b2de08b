/**
 * Passkeys: the ceremonies between the browser and the auth engine at `/api/auth`.
 *
 * ```ts
 * import { autofill, signIn, supported } from '@housekey/client/passkeys'
 *
 * const enter = () => location.assign('/dashboard')
 * void autofill(enter)
 * button.hidden = !supported()
 * button.onclick = async () => (await signIn()).outcome === 'done' && enter()
 * ```
 *
 * @module
 */
export { createPasskeys } from './ceremonies.js';
export type { PasskeyOptions, Passkeys } from './ceremonies.js';
export { deviceName } from './device-name.js';
export { supported } from './support.js';
export type { Assertion, Outcome, Passkey, SignedIn } from './types.js';
export declare const 
/** Makes a passkey on this device and registers it with the signed-in account. */
register: (options?: {
    name?: string;
}) => Promise<import("./types.js").Outcome<import("./types.js").Passkey> | {
    outcome: 'exists';
}>, 
/** Signs in with a passkey that the person picks. */
signIn: (options?: {
    remember?: boolean;
}) => Promise<import("./types.js").Outcome<import("./types.js").SignedIn>>, 
/** Offers passkeys in the autofill of a field whose `autocomplete` ends in `webauthn`. */
autofill: (onSuccess: (answer: import("./types.js").SignedIn) => unknown, options?: {
    remember?: () => boolean;
}) => Promise<import("./types.js").Outcome<import("./types.js").SignedIn>>, 
/** Lets a passkey prove that its owner is here, without signing in. */
assert: () => Promise<import("./types.js").Outcome<import("./types.js").Assertion>>, 
/** Ends what is under way: call it when the page that started it goes. */
stop: () => void;
