// What an engine is asked to be. One description, read by both sides.

export const SECRET = 'a-very-long-secret-for-testing-0123456789-abcdef';
export const ORIGIN = 'http://localhost:3000';

/** The moment at which every frozen clock starts. */
export const NOON = Date.UTC(2031, 4, 6, 12, 0, 0);

/**
 * @typedef {object} Setup
 * @property {object} options Better Auth's options that JSON can say
 * @property {object} [ours] options for our side only
 * @property {object} [theirs] options for the reference only
 * @property {string[]} [callbacks] callbacks to set, by name; what they are told ends in the postbox
 * @property {object} [twoFactor] the two-factor plugin's options
 * @property {object} [bearer] the bearer plugin's options
 * @property {object} [passkey] the passkey plugin's options
 * @property {object} [admin] the admin plugin's options; `roles` says what each role allows
 * @property {object} [apiKey] the api-key plugin's options, or a list of its configurations
 * @property {object} [jwt] the jwt plugin's options; the callbacks definePayload and getSubject are its
 * @property {object} [organization] the organization plugin's options; `ac` has the `statements` of the app besides the usual ones, and what each of its `roles` allows
 * @property {object} [username] the username plugin's options
 * @property {object} [anonymous] the anonymous plugin's options; whom it links ends in the postbox
 * @property {object} [multiSession] the multi-session plugin's options
 * @property {object} [lastLoginMethod] the last-login-method plugin's options
 * @property {object} [magicLink] the magic-link plugin's options; links end in the postbox
 * @property {object} [emailOtp] the email-otp plugin's options; codes end in the postbox
 * @property {object} [captcha] the captcha plugin's options; its provider is imitated
 * @property {object} [deviceAuthorization] the device-authorization plugin's options; `referenceRows` is ours. With the callback validateClient everybody but `stranger` is a client
 * @property {object} [haveIBeenPwned] the options of the plugin for breached passwords; its service is imitated
 * @property {object} [oneTimeToken] the one-time-token plugin's options
 * @property {boolean} [files] keeps the rows in files, so that they can be compared
 * @property {object[]} [generic] providers by their addresses, as the generic-oauth plugin takes them; `preset` names one of its helpers
 * @property {string} [imitation] where requests to providers go
 * @property {(imitation: import('./provider/imitation.mjs').Imitation) => void} [before] prepares the providers before an engine asks them
 * @property {string} [host] the name by which our server is reached; unset, 127.0.0.1
 * @property {number} [now] where the clock stands still
 * @property {string} [database] a SQLite file; unset, memory
 */

export const ALL_CALLBACKS = [
  'sendResetPassword', 'onPasswordReset', 'sendVerificationEmail', 'sendChangeEmailConfirmation', 'sendDeleteAccountVerification',
];

/**
 * Everything on: what the reference always serves, ours serves too.
 *
 * @param {Partial<Setup>} [more]
 * @returns {Setup}
 */
export function everything(more = {}) {
  const options = {
    secret: SECRET,
    baseURL: ORIGIN,
    emailAndPassword: { enabled: true },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
    account: { accountLinking: { enabled: true } },
    rateLimit: { enabled: false },
  };
  return { callbacks: ALL_CALLBACKS, ...more, options: merge(options, more.options ?? {}) };
}

/** Whether the outside world is asked anything. @param {Setup} setup */
export function hasProviders({ options, generic, captcha, haveIBeenPwned }) {
  return 'socialProviders' in options || [generic, captcha, haveIBeenPwned].some((asking) => asking !== undefined);
}

/** Objects are merged, everything else replaced. */
export function merge(base, over) {
  const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    merged[key] = isObject(value) && isObject(base[key]) ? merge(base[key], value) : value;
  }
  return merged;
}
