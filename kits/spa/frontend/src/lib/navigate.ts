// Where an action leads. Guests and members have a document each: within one the router moves, between them the browser does.

import { ref } from 'vue'
import type { Router } from 'vue-router'
import { leave } from './left-notice'
import { notice, type Notice } from './notice'

let router: Router | undefined
let isHere: (path: string) => boolean = () => false

/** Whether the browser is on its way to another document. */
export const isLeaving = ref(false)

/** Tells which pages belong to this document. */
export function setNavigation(its: Router, owns: (path: string) => boolean): void {
  router = its
  isHere = owns
}

/** Goes to `path` and says `text` there. A page that it leads back to stays as it is. */
export async function goTo(path: string, text = '', kind: Notice['kind'] = 'success'): Promise<void> {
  // A whole address leads elsewhere: to a provider, or through it.
  if (!router || !path.startsWith('/') || !isHere(path)) {
    if (text) leave(text)
    isLeaving.value = true
    location.assign(path)
    // The document goes; what waits for this goes with it.
    return new Promise(() => {})
  }
  // The address a write came from holds its query too; it is no move.
  if (router.resolve(path).path !== router.currentRoute.value.path) await router.push(path)
  if (text) notice.value = { text, kind }
}

/**
 * Asks the server for this page anew, because nobody is signed in any more. It leads to the door and remembers what was
 * wanted.
 */
export function askAgain(): Promise<never> {
  // A page may ask for several things, and each of them is refused.
  if (!isLeaving.value) location.reload()
  isLeaving.value = true
  return new Promise(() => {})
}
