// Signing in with a link or a code from a mail. Its part of the pages is loaded only where config/auth.rs turns it on.

import { defineAsyncComponent } from 'vue'
import { offers } from './session'

const load = () => import('@/components/MailButtons.vue')

export const MailButtons = defineAsyncComponent(load)
export const ConfirmByMail = defineAsyncComponent(() => import('@/components/ConfirmByMail.vue'))

export const offersMail = (): boolean => offers('magic-link') || offers('email-code')

/** Fetches it before the first page is shown, so that the page does not jump. Without it the other ways in still work. */
export async function prepareMail(): Promise<void> {
  if (offersMail()) await load().catch(() => undefined)
}
