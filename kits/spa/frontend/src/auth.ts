// The pages of guests: signing in and all that belongs to it, below /auth. Nothing of the members' pages is loaded here.

import './styles/app.css'
import { createApp } from 'vue'
import AuthApp from './AuthApp.vue'
import { reloadWhenRestored } from './lib/back-button'
import { prepareMail } from './lib/by-mail'
import { prepareCaptcha } from './lib/captcha'
import { setNavigation } from './lib/navigate'
import { startServiceWorker } from './lib/service-worker'
import { loadSession } from './lib/session'
import { prepareSocial } from './lib/social'
import { router } from './router/auth'

reloadWhenRestored()
setNavigation(router, (path) => /^\/auth(\/|$)/.test(path))

async function start(): Promise<void> {
  // A form can be filled in without an answer: what is missing is asked for again when it is sent.
  await loadSession().catch(() => undefined)
  await Promise.all([prepareSocial(), prepareMail(), prepareCaptcha()])
  const app = createApp(AuthApp).use(router)
  await router.isReady()
  app.mount('[data-spa-root]')
}

void start()
void startServiceWorker()
