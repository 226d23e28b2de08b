// Requests as bytes on a socket: `fetch` would add headers of its own (sec-fetch-mode), and this suite is about headers.

import http from 'node:http';

/**
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: string }} RawRequest
 * @typedef {{ status: number, headers: [string, string][], text: string }} RawAnswer
 */

/**
 * @param {string} origin where to connect
 * @param {RawRequest} request
 * @returns {Promise<RawAnswer>}
 */
export function send(origin, { method, path, headers = {}, body }) {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = http.request({ hostname, port, method, path, headers: { ...headers, ...length }, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const all = response.rawHeaders;
        const pairs = all.flatMap((name, at) => (at % 2 ? [] : [[name.toLowerCase(), all[at + 1]]]));
        resolve({ status: response.statusCode, headers: pairs, text: Buffer.concat(parts).toString() });
      });
    });
    request.end(body);
  });
}
