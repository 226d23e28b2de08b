// Whether the app is installable is decided in vite.config.ts. The pages work with and without a service worker.

/** Registers the service worker; or ends the one of an earlier build, where the app is not installable any more. */
export async function startServiceWorker(): Promise<void> {
  // Not over http, except on localhost.
  if (!('serviceWorker' in navigator)) return
  try {
    // It lies in the build, and config/assets.rs lets it control the whole site.
    if (import.meta.env.PROD && import.meta.env.VITE_INSTALLABLE) await navigator.serviceWorker.register(`${import.meta.env.BASE_URL}sw.js`, { scope: '/', updateViaCache: 'none' })
    else await endServiceWorker()
  } catch {
    // A browser that keeps nothing, or no network just now: the next visit tries again.
  }
}

async function endServiceWorker(): Promise<void> {
  const left = await navigator.serviceWorker.getRegistration('/')
  if (!left) return
  await left.unregister()
  const ours = (await caches.keys()).filter((name) => name.startsWith('app-'))
  await Promise.all(ours.map((name) => caches.delete(name)))
}
