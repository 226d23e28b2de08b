// A server that says what a test wants it to say, over real HTTP: the pages send what they send in a browser.

import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DetachedWindowAPI } from 'happy-dom'

declare global {
  interface Window {
    happyDOM: DetachedWindowAPI
  }
}

export interface Asked {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  /** Of a body in JSON. */
  body: unknown
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: object | string
}

type Answers = Record<string, Answer | ((asked: Asked) => Answer | Promise<Answer>)>

let running: Server | undefined

/** A form with files is no JSON. */
const isJson = (request: IncomingMessage) => request.headers['content-type']?.startsWith('application/json') ?? false

/** Answers by method and path, such as `POST /sign-in`; all else is a 404. Returns what was asked, as it comes in. */
export async function serve(answers: Answers): Promise<Asked[]> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    const it = { method: request.method!, path: request.url!, headers: request.headers, body: text && isJson(request) ? JSON.parse(text) : undefined }
    asked.push(it)
    const known: Answers[string] = answers[`${it.method} ${it.path}`] ?? { status: 404, body: { message: 'Not found' } }
    const { status = 200, headers = {}, body = {} } = typeof known === 'function' ? await known(it) : known
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running = server
  // The page is at this server, as it is in a browser.
  window.happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return asked
}

/** From now on nobody answers. */
export async function closeServer(): Promise<void> {
  const server = running
  running = undefined
  server?.closeAllConnections()
  if (server) await new Promise((resolve) => server.close(resolve))
}
