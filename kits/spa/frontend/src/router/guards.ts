// What every move between pages does: the title, and the focus for who cannot see that the page has changed.

import { nextTick } from 'vue'
import type { RouteLocation, Router } from 'vue-router'
import { offers } from '@/lib/session'
import { setTitle } from '@/lib/title'

/** Whether this app has the page: some come with a feature that config/auth.rs can turn off. */
export function isOffered({ meta }: Pick<RouteLocation, 'meta'>): boolean {
  return !meta.offers || offers(meta.offers)
}

export function announcePages(router: Router): void {
  router.afterEach(async (to, from, failure) => {
    if (failure) return
    setTitle(to.meta.title)
    // The first page is announced by the browser itself.
    if (from.matched.length === 0 || to.path === from.path) return
    await nextTick()
    // A page that begins in a field has the focus there already.
    if (!(document.activeElement instanceof HTMLInputElement)) document.getElementById('main')?.focus({ preventScroll: true })
  })
}
