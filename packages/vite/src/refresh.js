import fs from 'node:fs'
import path from 'node:path'

/**
 * Reloads the page when the app says it has restarted, and when one of the extra paths changes.
 *
 * @param {import('vite').ViteDevServer} server
 * @param {import('./options.js').Options} options
 */
export function reloadOnChange(server, options) {
  if (options.refresh === false) return
  fs.mkdirSync(path.dirname(options.restartedFile), { recursive: true })
  const extra = Array.isArray(options.refresh) ? options.refresh : []
  const patterns = extra.map(globPattern)
  server.watcher.add(options.restartedFile)
  server.watcher.add(extra.map((glob) => path.resolve(options.app, fixedPart(glob))))

  /** @param {string} file */
  const changed = (file) => {
    const absolute = path.resolve(file)
    const relative = path.relative(options.app, absolute).split(path.sep).join('/')
    if (absolute === options.restartedFile || patterns.some((pattern) => pattern.test(relative))) {
      server.ws.send({ type: 'full-reload', path: '*' })
    }
  }
  server.watcher.on('add', changed)
  server.watcher.on('change', changed)
}

/**
 * Keeps the watcher out of what the app writes: Cargo's target folder alone holds tens of thousands of files, and a
 * session file written on every request must not wake the bundler.
 *
 * @param {import('./options.js').Options} options
 * @returns {((file: string) => boolean)[]}
 */
export function ignoresAppOutput(options) {
  const storage = path.join(options.app, 'storage')
  const kept = [storage, path.join(storage, 'framework'), options.restartedFile]
  return [
    (file) => {
      const absolute = path.resolve(file)
      if (absolute === path.join(options.app, 'target') || absolute.startsWith(path.join(options.app, 'target') + path.sep)) return true
      if (absolute === options.hotFile || absolute.startsWith(options.outDir + path.sep)) return true
      return absolute.startsWith(storage + path.sep) && !kept.includes(absolute)
    },
  ]
}

/** The folder part of a glob, which is what a watcher can be pointed at. @param {string} glob */
function fixedPart(glob) {
  const parts = glob.split('/')
  const first = parts.findIndex((part) => /[*?]/.test(part))
  return (first === -1 ? parts : parts.slice(0, first)).join('/') || '.'
}

/**
 * `**` crosses folders, `*` and `?` do not; a plain folder means everything in it.
 *
 * @param {string} glob
 */
function globPattern(glob) {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (part) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' })[part] ?? part)
  return new RegExp(`^${source}(?:/.*)?$`)
}
