// What our server answers besides the engine, answered by the reference's too: for a bench that talks to both over HTTP.

import { text } from 'node:stream/consumers';

/** A handler that answers these paths and leaves the others to the next one. */
export function ownPaths(auth, mails, next) {
  const answers = {
    '/harness/mails': () => mails.splice(0),
    '/harness/api-keys/create': async (request) => auth.api.createApiKey({ body: JSON.parse(await text(request)) }),
    '/harness/api-keys/verify': async (request) => auth.api.verifyApiKey({ body: JSON.parse(await text(request)) }),
  };
  return async (request, response) => {
    if (!request.url.startsWith('/harness/')) return next(request, response);
    const answer = answers[request.url];
    if (!answer) return response.writeHead(404).end();
    try {
      const body = JSON.stringify(await answer(request));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
    } catch (error) {
      response.writeHead(500, { 'content-length': Buffer.byteLength(error.message) }).end(error.message);
    }
  };
}
