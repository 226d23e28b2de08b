// The service worker of an installable app (`installable` in vite.config.ts). It does two things: files of the build are
// loaded once, and a page that cannot be reached is replaced by one that says so.
//
// Documents always come from the network, so nobody is left with old code: a new document names the files of a new build.
// What is below /api, and whatever is not a GET, goes by without being looked at. Nothing of anybody is kept here.

declare const self: ServiceWorkerGlobalScope

/** Named after the build (installable.ts): the next one begins with an empty cache. */
const CACHE = 'app-__BUILD__'
const OFFLINE = '/offline.html'
const KEPT = [OFFLINE, '/offline.css', '/favicon.svg']
/** Their names carry a hash: what is there stays as it is. */
const HASHED = `${import.meta.env.BASE_URL}assets/`

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin || /^\/api(\/|$)/.test(pathname)) return
  if (mode === 'navigate') event.respondWith(page(event))
  else if (pathname.startsWith(HASHED)) event.respondWith(file(event))
  else if (KEPT.includes(pathname)) event.respondWith(fetch(event.request).catch(() => kept(pathname)))
})

async function install(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll(KEPT.map((path) => new Request(path, { cache: 'reload' })))
  // No page depends on which worker it has, so the new one need not wait until the last tab is closed.
  await self.skipWaiting()
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith('app-') && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
  // The document is asked for while the worker wakes up, not afterwards.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/** A document, from the network only. */
async function page(event: FetchEvent): Promise<Response> {
  try {
    return ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request))
  } catch {
    const offline = await kept(OFFLINE)
    // An honest status: the page that was asked for is not here.
    return new Response(offline.body, { status: 503, headers: offline.headers })
  }
}

/** A file of the build, from the network once. */
async function file(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE)
  const known = await cache.match(event.request, { ignoreVary: true })
  if (known) return known
  const answer = await fetch(event.request)
  // A full disk is no reason to show nothing.
  if (answer.status === 200) event.waitUntil(cache.put(event.request, answer.clone()).catch(() => undefined))
  return answer
}

async function kept(path: string): Promise<Response> {
  return (await caches.match(path, { cacheName: CACHE, ignoreVary: true })) ?? Response.error()
}
