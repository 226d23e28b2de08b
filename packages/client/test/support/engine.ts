// The auth engine itself, in a process of its own: the server of the conformance suite.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { root } from './root.js'
import type { Handler, Reply } from './server.js'

const binary = process.env['HOUSEKEY_CONFORMANCE_SERVER'] ?? path.join(root, '../../target/debug/housekey-conformance-server')

/** An engine that believes to be at `origin`, and the handler that hands requests on to it. Ends with the test. */
export async function startEngine(origin: string): Promise<Handler> {
  if (!existsSync(binary)) throw new Error(`${binary} is not there: run cargo build -p housekey-conformance-server first`)
  const engine = spawn(binary, ['0'], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    // It ends when its input does.
    engine.stdin.end()
    if (engine.exitCode === null) await once(engine, 'exit')
  })
  const setup = {
    options: {
      secret: 'a-very-long-secret-for-testing-0123456789-abcdef',
      baseURL: origin,
      emailAndPassword: { enabled: true },
      rateLimit: { enabled: false },
    },
    passkey: { rpID: 'localhost', rpName: 'Acme' },
  }
  engine.stdin.write(`${JSON.stringify(setup)}\n`)
  const [address] = (await Promise.race([once(createInterface(engine.stdout), 'line'), once(engine, 'exit')])) as [unknown]
  if (typeof address !== 'string') throw new Error('the engine ended before it listened; its reason is above')

  return ({ method, url, headers, body }) =>
    new Promise<Reply>((resolve, reject) => {
      const onward = httpRequest(`${address}${url}`, { method, headers, agent: false }, async (answer) => {
        const parts: Buffer[] = []
        for await (const part of answer) parts.push(part as Buffer)
        resolve({
          status: answer.statusCode!,
          headers: answer.headers as Record<string, string | string[]>,
          body: Buffer.concat(parts).toString(),
        })
      })
      onward.on('error', reject)
      onward.end(body)
    })
}
