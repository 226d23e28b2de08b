import type { Progress } from './options.js'

/** A request, ready to be sent. */
export interface Outgoing {
  url: string
  method: string
  headers: Headers
  body: BodyInit | undefined
  signal: AbortSignal
}

/** What came back. */
export interface Incoming {
  status: number
  headers: Headers
  text: string
  /** The address that a redirect led to. */
  redirect: string | undefined
}

/** Sends with `fetch`. */
export async function viaFetch({ url, ...request }: Outgoing): Promise<Incoming> {
  const response = await fetch(url, { ...request, credentials: 'same-origin' } as RequestInit)
  const { status, headers, redirected } = response
  return { status, headers, text: await response.text(), redirect: redirected ? response.url : undefined }
}

/** Sends with `XMLHttpRequest`, which alone can tell how far an upload has come. Cookies go to the same origin only. */
export function viaXhr({ url, method, headers, body, signal }: Outgoing, onProgress: (progress: Progress) => void) {
  return new Promise<Incoming>((resolve, reject) => {
    signal.throwIfAborted()
    const xhr = new XMLHttpRequest()
    xhr.open(method, url)
    headers.forEach((value, name) => xhr.setRequestHeader(name, value))
    xhr.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total, fraction: total && loaded / total })
    xhr.onerror = xhr.onabort = reject
    xhr.onload = () => {
      const { status, responseText: text, responseURL } = xhr
      const headers = new Headers()
      for (const [, name, value] of xhr.getAllResponseHeaders().matchAll(/^(.+?): (.*)/gm)) headers.append(name!, value!)
      resolve({ status, headers, text, redirect: responseURL == new URL(url, location.href).href ? undefined : responseURL })
    }
    signal.onabort = () => xhr.abort()
    xhr.send(body as XMLHttpRequestBodyInit)
  })
}
