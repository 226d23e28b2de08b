// The pages of members. The server gives this document only to who is signed in.

import './styles/app.css'
import { configure } from '@housekey/client'
import { createApp } from 'vue'
import App from './App.vue'
import UnreachableNotice from './components/UnreachableNotice.vue'
import { reloadWhenRestored } from './lib/back-button'
import { askPassword } from './lib/confirmation'
import { askAgain, setNavigation } from './lib/navigate'
import { followOtherTabs } from './lib/other-tabs'
import { startServiceWorker } from './lib/service-worker'
import { loadSession, user } from './lib/session'
import { router } from './router/main'

const root = '[data-spa-root]'

configure({ onConfirm: askPassword })
setNavigation(router, (path) => path !== '/' && !/^\/auth(\/|$)/.test(path))

reloadWhenRestored()

async function start(): Promise<void> {
  try {
    await loadSession()
  } catch {
    createApp(UnreachableNotice).mount(root)
    return
  }
  if (!user.value) {
    // The document came out of the browser's cache, by the back button, and the session has ended since.
    return askAgain()
  }
  followOtherTabs()
  const app = createApp(App).use(router)
  await router.isReady()
  app.mount(root)
}

void start()
void startServiceWorker()
