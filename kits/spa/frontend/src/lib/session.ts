// Who is signed in, and how accounts are set up: asked for once, before the first page is shown.

import { session } from '@housekey/client'
import { computed, ref } from 'vue'
import type { Accounts, SessionAnswer } from '@/types/api.gen'
import { forgetMember, rememberMember, wasMemberHere } from './was-here'

/** What an app may offer; config/auth.rs says what this one does. */
export type Feature =
  | 'password'
  | 'sign-up'
  | 'password-reset'
  | 'change-email'
  | 'delete-account'
  | 'two-factor'
  | 'passkeys'
  | 'social'
  | 'magic-link'
  | 'email-code'
  | 'username'
  | 'several-accounts'

/** Until it is known: what most apps have, and no sign-up. */
const USUAL: Accounts = {
  signUpOpen: false,
  offers: ['password', 'password-reset', 'change-email', 'delete-account', 'two-factor', 'passkeys'],
  minPasswordLength: 8,
  mailbox: null,
  providers: [],
  captchas: null,
}

const known = ref<SessionAnswer>()
const wasHere = wasMemberHere()

/** Who is signed in, if anybody is. */
export const user = computed(() => known.value?.user ?? null)

/** How accounts are set up. */
export const accounts = computed(() => known.value?.accounts ?? USUAL)

/** The token for a form that the browser sends itself. */
export const csrf = computed(() => known.value?.csrf ?? '')

/** The address that a code was sent to, while a sign-in waits for it. */
export const awaitsCode = computed(() => known.value?.awaitsCode ?? '')

/** The accounts that this browser is signed in with, the present one first. */
export const signedIn = computed(() => known.value?.signedIn ?? [])

/** How somebody signed in here last: `password`, `passkey`, `magic-link`, `email-code` or the id of a provider. */
export const lastUsed = computed(() => known.value?.lastUsed ?? null)

/** Whether somebody was signed in here until now. */
export const expired = computed(() => !!known.value && !user.value && (known.value.expired || wasHere))

/** Whether the app has it: where not, there is no page for it either. */
export const offers = (feature: Feature): boolean => accounts.value.offers.includes(feature)

/** Asks the server. The client keeps the CSRF token of the answer for the writes that follow. */
export async function loadSession(): Promise<SessionAnswer> {
  const answer = await session<SessionAnswer>()
  known.value = answer
  if (answer.user) rememberMember()
  else forgetMember()
  return answer
}
