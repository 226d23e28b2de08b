// What happened in another tab while this one was out of sight: an address was confirmed, or somebody else signed in.

import { loadSession, user } from './session'

/** Looks again whenever somebody comes back to this tab. */
export function followOtherTabs(): void {
  const mine = user.value?.id
  document.addEventListener('visibilitychange', async () => {
    if (document.visibilityState !== 'visible') return
    const session = await loadSession().catch(() => undefined)
    // Another person's pages: what is on this one must not be sent in their name. Signed out, it stays as it is, with what
    // was typed; the next thing that is sent says so.
    if (session?.user && session.user.id !== mine) location.reload()
  })
}
