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
import { createPasskeys } from './ceremonies.js';
export { createPasskeys } from './ceremonies.js';
export { deviceName } from './device-name.js';
export { supported } from './support.js';
export const { 
/** Makes a passkey on this device and registers it with the signed-in account. */
register, 
/** Signs in with a passkey that the person picks. */
signIn, 
/** Offers passkeys in the autofill of a field whose `autocomplete` ends in `webauthn`. */
autofill, 
/** Lets a passkey prove that its owner is here, without signing in. */
assert, 
/** Ends what is under way: call it when the page that started it goes. */
stop, } = /* @__PURE__ */ createPasskeys();
