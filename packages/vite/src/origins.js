import fs from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * The origins whose pages may load from the dev server: the app's own, and nobody else's. A dev server that answers
 * every origin hands the source of a project to any page the developer happens to visit.
 *
 * @param {string} app absolute path of the app
 * @param {string[]} extra
 * @returns {string[]}
 */
export function appOrigins(app, extra) {
  const env = { ...readEnv(path.join(app, '.env')), ...process.env }
  const origins = new Set(extra.map((origin) => parse(origin, '`origins`').origin))
  const url = parse(env.APP_URL || 'http://localhost:3000', '`APP_URL`')
  const ports = new Set([url.port, env.PORT ?? url.port])
  origins.add(url.origin)
  if (LOOPBACK.includes(url.hostname)) {
    // The same app under its other names: people type 127.0.0.1 as often as localhost.
    for (const host of LOOPBACK) {
      for (const port of ports) origins.add(new URL(`${url.protocol}//${host}${port ? `:${port}` : ''}`).origin)
    }
  }
  return [...origins]
}

/**
 * @param {string} file
 * @returns {NodeJS.Dict<string>}
 */
function readEnv(file) {
  try {
    return parseEnv(fs.readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * @param {string} value
 * @param {string} name
 */
function parse(value, name) {
  try {
    return new URL(value)
  } catch {
    throw new Error(`housekey: ${name} holds "${value}", which is not a URL such as http://localhost:3000.`)
  }
}
