// An app of the framework itself, in a process of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from './root.js'

export const APP_KEY = `base64:${Buffer.alloc(32, 7).toString('base64')}`

/** The app of tests/client-server. */
export const binary = process.env['HOUSEKEY_CLIENT_SERVER'] ?? path.join(root, '../../target/debug/housekey-client-server')

export interface RustApp {
  origin: string
  close(): Promise<void>
}

/** Serves until closed, or until this process ends. */
export async function startApp(): Promise<RustApp> {
  if (!existsSync(binary)) throw new Error(`${binary} is not there: run cargo build -p housekey-client-server first`)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'housekey-client-app-'))
  const app = spawn(binary, ['serve', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], APP_ENV: 'local', APP_KEY },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  const origin = await new Promise<string>((resolve, reject) => {
    const listen = (part: Buffer) => {
      said += part.toString()
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)
      if (address) resolve(address[0])
    }
    app.stdout.on('data', listen)
    app.stderr.on('data', listen)
    app.once('exit', () => reject(new Error(`the app ended before it listened:\n${said}`)))
  })
  return {
    origin,
    async close() {
      // It ends when its input does.
      app.stdin.end()
      if (app.exitCode === null) await once(app, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
