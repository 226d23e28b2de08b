// Written by `housekey types`; edit the Rust instead.

/**
 * How accounts are set up.
 */
export type Accounts = {
  /**
   * Whether anybody may make an account.
   */
  signUpOpen: boolean,
  /**
   * What `config/auth.rs` turns on, by the names of the guard `offers:…`.
   */
  offers: Array<string>,
  /**
   * The shortest password that is taken.
   */
  minPasswordLength: number,
  /**
   * Where mails can be read in development.
   */
  mailbox: string | null,
  /**
   * With whom people can sign in, in the order of `config/auth.rs`.
   */
  providers: Array<Provider>,
  /**
   * What tells people from programs, where there is a captcha.
   */
  captchas: Captchas | null,
};

/**
 * `GET /api/settings/accounts`
 */
export type AccountsAnswer = {
  /**
   * Whether there is a password.
   */
  hasPassword: boolean,
  /**
   * The accounts elsewhere that open this one.
   */
  accounts: Array<ConnectedAccountRow>,
  /**
   * Those that could be connected.
   */
  providers: Array<Provider>,
};

/**
 * The widget of a captcha, as the plugin `captcha` in `config/auth.rs` turns it on.
 */
export type Captcha = {
  /**
   * Where its script is.
   */
  script: string,
  /**
   * The class of the element that it fills, where the page does not call it itself.
   */
  class: string,
  /**
   * What its script calls itself in a page.
   */
  global: string,
  /**
   * The field in which it leaves its answer.
   */
  field: string,
  /**
   * What its provider gave for the page.
   */
  siteKey: string,
};

/**
 * The widget of the captcha, for each form that it stands before.
 */
export type Captchas = {
  signIn: Captcha | null,
  signUp: Captcha | null,
  forgotPassword: Captcha | null,
  emailCode: Captcha | null,
  checkMail: Captcha | null,
};

/**
 * A code of the second factor, or a recovery code.
 */
export type CodeRequest = {
  code: string,
  trust_device?: boolean,
};

/**
 * Somebody who has no password and shows by a link or a code that it is them.
 */
export type ConfirmByMailRequest = {
  /**
   * The page to go on with.
   */
  return_to?: string | null,
};

/**
 * What the confirm form sends.
 */
export type Confirmation = {
  password: string,
  /**
   * The request that was refused, sealed.
   */
  replay?: string | null,
};

/**
 * One account elsewhere.
 */
export type ConnectedAccountRow = {
  /**
   * For disconnecting it.
   */
  id: string,
  /**
   * The id of who keeps it.
   */
  provider: string,
  /**
   * The name of who keeps it.
   */
  name: string,
  /**
   * When it was connected.
   */
  added: string,
  /**
   * Whether another way in is left without it.
   */
  removable: boolean,
};

/**
 * The code that they found in their mail.
 */
export type EmailCodeRequest = {
  code: string,
};

/**
 * What a link in a mail about an address does.
 */
export type EmailLinkAnswer = {
  "purpose": "proves"
} | {
  "purpose": "agreesTo",
  /**
   * The new address.
   */
  email: string,
} | {
  "purpose": "movesTo",
  /**
   * The new address.
   */
  email: string,
};

/**
 * Another address for the account.
 */
export type EmailRequest = {
  email: string,
};

/**
 * Somebody who forgot their password.
 */
export type ForgotPasswordRequest = {
  email: string,
};

/**
 * `GET /api/settings/history`
 */
export type HistoryAnswer = {
  /**
   * What happened to the account lately, the newest first.
   */
  history: Array<HistoryRow>,
};

/**
 * One thing that happened to the account.
 */
export type HistoryRow = {
  /**
   * Such as `Signed in with a passkey`.
   */
  what: string,
  /**
   * Such as `Firefox on Linux`.
   */
  device: string,
  /**
   * The address it came from.
   */
  ip: string,
  /**
   * When it happened.
   */
  at: string,
};

/**
 * Whom a link to sign in is for.
 */
export type MagicLinkAnswer = {
  /**
   * The address that it was sent to.
   */
  email: string,
  /**
   * Whether it works in this browser; else in the one that asked for it.
   */
  isHere: boolean,
};

/**
 * A password for an account that has none.
 */
export type NewPasswordRequest = {
  password: string,
} & {
  password_confirmation: string,
};

/**
 * Another name for a passkey.
 */
export type PasskeyNameRequest = {
  name: string,
};

/**
 * What a passkey answered, as the browser wrote it down.
 */
export type PasskeyRequest = {
  response: string,
  replay?: string | null,
};

/**
 * One passkey of the list.
 */
export type PasskeyRow = {
  /**
   * For renaming and removing it.
   */
  id: string,
  /**
   * What its owner calls it.
   */
  name: string,
  /**
   * Who keeps it, such as `iCloud Keychain`, where the key tells.
   */
  provider: string | null,
  /**
   * Whether its owner's other devices have it too; else it is on one device only.
   */
  synced: boolean,
  /**
   * When it was added.
   */
  added: string | null,
  /**
   * When somebody proved with it who they are, if anybody did yet.
   */
  lastUsed: string | null,
};

/**
 * `GET /api/settings/passkeys`
 */
export type PasskeysAnswer = {
  /**
   * Those of the account.
   */
  passkeys: Array<PasskeyRow>,
  /**
   * Whether the only passkey is the only way into the account. It cannot be removed then.
   */
  lastCredential: boolean,
};

/**
 * Another password for the account.
 */
export type PasswordRequest = {
  current_password: string,
  password: string,
  sign_out_others?: boolean,
} & {
  password_confirmation: string,
};

/**
 * Whose password the link sets.
 */
export type PasswordReset = {
  /**
   * So that a password manager files the new password right.
   */
  email: string,
};

/**
 * Somebody as their own pages show them. What is not in here does not leave the server.
 */
export type Person = {
  /**
   * The account's own name for itself; it never changes.
   */
  id: string,
  /**
   * What they call themselves.
   */
  name: string,
  /**
   * Where their mail goes.
   */
  email: string,
  /**
   * Whether they have opened the link that was sent there.
   */
  emailVerified: boolean,
};

/**
 * `GET /api/settings/profile`
 */
export type ProfileAnswer = {
  /**
   * What they call themselves.
   */
  name: string,
  /**
   * The name they sign in with beside the address, if they have one.
   */
  username: string | null,
  /**
   * Where their mail goes.
   */
  email: string,
  /**
   * Whether they have opened the link that was sent there.
   */
  emailVerified: boolean,
  /**
   * The address the account is moving to, as long as its link was not opened.
   */
  pendingEmail: string | null,
};

/**
 * The profile form.
 */
export type ProfileRequest = {
  name: string,
};

/**
 * Somebody else who knows who people are.
 */
export type Provider = {
  /**
   * As in the addresses that lead to it.
   */
  id: string,
  /**
   * As people know it.
   */
  name: string,
};

/** Where a browser would be sent now, and what the server has to say beside it. */
export type Redirected = {
  redirect: string,
  status?: string,
  [flashed: string]: unknown,
};

/**
 * The new password, with the token of the mail.
 */
export type ResetPasswordRequest = {
  token: string,
  password: string,
} & {
  password_confirmation: string,
};

/**
 * Who is there, and what the pages need before the first one is shown.
 */
export type SessionAnswer = {
  /**
   * Who is signed in, if anybody is.
   */
  user: Person | null,
  /**
   * The token that every write carries.
   */
  csrf: string,
  /**
   * Whether a sign-in waits for its second step.
   */
  challenged: boolean,
  /**
   * Whether the visitor was signed in until now. Told once.
   */
  expired: boolean,
  /**
   * The address that a code was sent to, while a sign-in waits for it.
   */
  awaitsCode: string | null,
  /**
   * The accounts that this browser is signed in with, the present one first. None where the app has one at a time.
   */
  signedIn: Array<SignedInRow>,
  /**
   * How somebody signed in here last: `password`, `passkey`, `magic-link`, `email-code` or the id of a provider.
   */
  lastUsed: string | null,
  /**
   * What holds for everybody.
   */
  accounts: Accounts,
};

/**
 * One place where the account is signed in.
 */
export type SessionRow = {
  /**
   * A name for the session that is no secret: never its token.
   */
  id: string,
  /**
   * Such as `Firefox on Linux`.
   */
  device: string,
  /**
   * Whether it is a phone or a tablet.
   */
  mobile: boolean,
  /**
   * The address it was last seen at.
   */
  ip: string,
  /**
   * When it signed in. RFC 3339, like every moment here.
   */
  firstSeen: string,
  /**
   * When it was last used.
   */
  lastSeen: string,
  /**
   * Whether it is the one that asks.
   */
  current: boolean,
};

/**
 * `GET /api/settings/sessions`
 */
export type SessionsAnswer = {
  /**
   * This device first, then the others by their last visit.
   */
  sessions: Array<SessionRow>,
};

/**
 * Somebody who wants a link or a code to sign in with.
 */
export type SignInMailRequest = {
  email: string,
};

/**
 * The sign-in form.
 */
export type SignInRequest = {
  email: string,
  password: string,
  remember?: boolean,
};

/**
 * The sign-up form.
 */
export type SignUpRequest = {
  name: string,
  email: string,
  password: string,
  /**
   * The name to sign in with, where people have one.
   */
  username?: string | null,
};

/**
 * An account that this browser is signed in with.
 */
export type SignedInRow = {
  /**
   * For going on with it, and for signing out of it.
   */
  id: string,
  name: string,
  email: string,
  /**
   * Whether it is the present one.
   */
  current: boolean,
};

/**
 * Why a provider did not open the door.
 */
export type SocialRefusal = {
  /**
   * What happened and what to do.
   */
  sentence: string,
};

/**
 * What the way back from a provider brought in the address of the page.
 */
export type SocialRefusalRequest = {
  /**
   * The code of what went wrong.
   */
  error: string,
  /**
   * The id of the provider.
   */
  provider?: string | null,
};

/**
 * A button to sign in with somebody else's help.
 */
export type SocialRequest = {
  /**
   * Whether it stood on the page to sign up: some providers make no account unless that was asked for.
   */
  sign_up?: boolean,
  /**
   * The page to go on with, for who is signed in and shows once more that it is them.
   */
  return_to?: string | null,
};

/**
 * The token of a mail about an address.
 */
export type TokenRequest = {
  token: string,
};

/**
 * `GET /api/settings/two-factor`
 */
export type TwoFactorAnswer = {
  "state": "off"
} | {
  "state": "pending",
  /**
   * The picture for the app's camera, an SVG.
   */
  qr: string,
  /**
   * The same for typing, in base 32.
   */
  key: string,
} | {
  "state": "on",
  /**
   * How many recovery codes were not used yet.
   */
  codesLeft: number,
};

/**
 * Another name to sign in with.
 */
export type UsernameRequest = {
  username: string,
};

/**
 * Somebody who waits for the link that proves their address.
 */
export type VerificationLinkRequest = {
  email: string,
};
