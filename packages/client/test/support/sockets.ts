// A websocket server as small as it can be: short text frames, one test. Tests say what it answers and read what arrived.

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Peer {
  /** What the client said, in order. */
  heard: unknown[]
  send(frame: object): void
  /** Ends it with a code. */
  close(code: number): void
  /** Ends it without a word. */
  break(): void
}

export interface SocketServer {
  url: string
  /** Everybody who connected, in order. */
  peers: Peer[]
}

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Serves for one test. `onFrame` is told what a client says. */
export async function serveSockets(onFrame: (peer: Peer, frame: never) => void): Promise<SocketServer> {
  const peers: Peer[] = []
  const sockets: Socket[] = []
  const server = createServer()
  server.on('upgrade', (request, stream) => {
    const socket = stream as Socket
    sockets.push(socket)
    const accept = createHash('sha1').update(request.headers['sec-websocket-key'] + MAGIC).digest('base64')
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept}\r\n\r\n`)
    const write = (kind: number, content: Buffer) => {
      const long = content.length > 125
      const head = Buffer.from(long ? [0x80 | kind, 126, content.length >> 8, content.length & 255] : [0x80 | kind, content.length])
      socket.write(Buffer.concat([head, content]))
    }
    const peer: Peer = {
      heard: [],
      send: (frame) => write(1, Buffer.from(JSON.stringify(frame))),
      close: (code) => write(8, Buffer.from([code >> 8, code & 255])),
      break: () => socket.destroy(),
    }
    peers.push(peer)
    let bytes: Buffer = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (more: Buffer) => {
      bytes = Buffer.concat([bytes, more])
      for (;;) {
        const frame = next(bytes)
        if (!frame) return
        bytes = frame.rest
        if (frame.kind === 8) return void socket.end()
        if (frame.kind !== 1) continue
        const said = JSON.parse(frame.content.toString()) as never
        peer.heard.push(said)
        onFrame(peer, said)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/live`, peers }
}

/** The first frame of a client, which is masked, if it is there as a whole. */
function next(bytes: Buffer): { kind: number; content: Buffer; rest: Buffer } | undefined {
  if (bytes.length < 2) return undefined
  const short = bytes[1]! & 127
  const at = short === 126 ? 4 : 2
  if (bytes.length < at + 4) return undefined
  const length = short === 126 ? bytes.readUInt16BE(2) : short
  const mask = bytes.subarray(at, at + 4)
  const end = at + 4 + length
  if (bytes.length < end) return undefined
  const content = Buffer.from(bytes.subarray(at + 4, end).map((byte, index) => byte ^ mask[index % 4]!))
  return { kind: bytes[0]! & 15, content, rest: bytes.subarray(end) }
}
