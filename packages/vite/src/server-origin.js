/**
 * Where a browser reaches the dev server.
 *
 * @param {import('vite').ViteDevServer} server
 * @returns {string}
 */
export function serverOrigin(server) {
  const { origin, https, hmr } = server.config.server
  if (origin) return origin
  const address = server.httpServer?.address()
  if (!address || typeof address === 'string') {
    throw new Error('housekey: the dev server listens on no port, so the app cannot be told where it is. Set `server.origin`.')
  }
  const protocol = https ? 'https' : 'http'
  const configured = typeof hmr === 'object' && hmr.host ? hmr.host : server.config.server.host
  return `${protocol}://${hostname(configured, address.address)}:${address.port}`
}

/**
 * @param {string | boolean | undefined} configured
 * @param {string} bound
 */
function hostname(configured, bound) {
  if (typeof configured === 'string' && !isEveryAddress(configured)) return bracketed(configured)
  // "Every address" is no address to visit, and the default (`localhost`) is bound as ::1 or 127.0.0.1.
  if (isEveryAddress(bound) || bound === '::1' || bound === '127.0.0.1') return 'localhost'
  return bracketed(bound)
}

/** @param {string} host */
function isEveryAddress(host) {
  return host === '0.0.0.0' || host === '::' || host === ''
}

/** @param {string} host */
function bracketed(host) {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
