// Signing in with others. Their part of the pages is loaded only where config/auth.rs names a provider.

import { defineAsyncComponent } from 'vue'
import { accounts } from './session'

const load = () => import('@/components/social')

export const SocialButtons = defineAsyncComponent(async () => (await load()).SocialButtons)
export const SocialRefusal = defineAsyncComponent(async () => (await load()).SocialRefusal)

/** Fetches it before the first page is shown, so that the page does not jump. Without it the other ways in still work. */
export async function prepareSocial(): Promise<void> {
  if (accounts.value.providers.length > 0) await load().catch(() => undefined)
}
