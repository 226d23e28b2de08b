// What tells people from programs. Neither our part of it nor its provider's script is loaded where config/auth.rs has no captcha.

import { defineAsyncComponent } from 'vue'
import { accounts } from './session'

const load = () => import('@/components/CaptchaWidget.vue')

export const CaptchaWidget = defineAsyncComponent(load)

/** Fetches it before the first page is shown, so that the page does not jump. */
export async function prepareCaptcha(): Promise<void> {
  if (accounts.value.captchas) await load().catch(() => undefined)
}
