/**
 * Out of the browser's memory by the back button, a page is as old as it looks: somebody may have signed in or out since. It
 * is loaded anew, and until then nothing of it is seen.
 */
export function reloadWhenRestored(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) document.body.hidden = true
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}
