// A real server on a free port of the loopback. Tests say what it answers and read what arrived.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Arrived {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Reply {
  status?: number
  headers?: Record<string, string | string[]>
  /** An object is sent as JSON, a string as it is. */
  body?: unknown
}

/** Answers one request. `undefined` leaves it without an answer; one that fails answers with 502. */
export type Handler = (request: Arrived, response: ServerResponse) => Reply | undefined | Promise<Reply | undefined>

export interface TestServer {
  origin: string
  /** Everything that arrived, in order. */
  arrived: Arrived[]
  /** Method and address of everything that arrived. */
  log(): string[]
  close(): Promise<void>
}

/** Serves until closed. */
export async function listen(handler: Handler): Promise<TestServer> {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    const seen = await read(request)
    arrived.push(seen)
    // Nobody awaits this function: what it threw would fail the whole run instead of a test. A page that is still open
    // while its test ends asks a server that is already gone.
    const failed = (error: unknown): Reply => ({ status: 502, body: String(error) })
    const reply = await Promise.resolve(handler(seen, response)).catch(failed)
    if (!reply || response.writableEnded || response.destroyed) return
    const isText = typeof reply.body === 'string'
    const text = reply.body === undefined ? '' : isText ? (reply.body as string) : JSON.stringify(reply.body)
    const type = reply.body === undefined || isText ? {} : { 'content-type': 'application/json' }
    response.writeHead(reply.status ?? 200, { ...type, ...reply.headers }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    arrived,
    log: () => arrived.map(({ method, url }) => `${method} ${url}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Serves for one test. */
export async function serve(handler: Handler): Promise<TestServer> {
  const server = await listen(handler)
  onTestFinished(() => server.close())
  return server
}

async function read(request: IncomingMessage): Promise<Arrived> {
  const parts: Buffer[] = []
  try {
    for await (const part of request) parts.push(part as Buffer)
  } catch {
    // Whoever sent it went away; what arrived has arrived.
  }
  return { method: request.method!, url: request.url!, headers: request.headers, body: Buffer.concat(parts) }
}
