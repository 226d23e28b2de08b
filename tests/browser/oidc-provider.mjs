// A certified OpenID provider on loopback: npm's oidc-provider, with pages of its own that ask who somebody is and whether
// the app may know. It insists on PKCE, tells addresses at its user-info endpoint only, and can be told to misbehave.

import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

export const CLIENT_ID = 'kit';
export const CLIENT_SECRET = 'a secret between the kit and its provider';

/** @param {{ appUrl: () => string }} options where the app is, asked for with every request: the app starts later */
export async function startProvider({ appUrl }) {
  const rows = new Map();
  /** @type {'well' | 'down' | 'broken'} */
  let condition = 'well';
  /** What was asked of it, such as `POST /token`. */
  const asked = [];
  let keys = 0;
  /** @type {import('node:http').RequestListener} */
  let handle = (_request, response) => response.writeHead(503).end();

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://provider');
    asked.push(`${request.method} ${pathname}`);
    if (condition === 'down') return void request.socket.destroy();
    if (condition === 'broken' && pathname === '/token') return void response.writeHead(500).end('<h1>500</h1>');
    handle(request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const issuer = `http://127.0.0.1:${server.address().port}`;

  /** Another key to sign with, and nothing of the one before: what a provider does after it lost one. */
  function rotateKeys() {
    keys += 1;
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = { ...privateKey.export({ format: 'jwk' }), kid: `key-${keys}`, alg: 'RS256', use: 'sig' };
    const provider = new Provider(issuer, settings(rows, appUrl, key));
    provider.on('server_error', (_context, error) => console.error(error));
    const rest = provider.callback();
    handle = (request, response) => {
      // Browsers ask for it by themselves, and a test would read of a missing file.
      if (request.url === '/favicon.ico') return response.writeHead(204).end();
      if (!request.url.startsWith('/interaction/')) return rest(request, response);
      interact(provider, request, response).catch((error) => {
        console.error(error);
        response.writeHead(500).end();
      });
    };
  }
  rotateKeys();

  return {
    issuer,
    asked,
    rotateKeys,
    /** @param {'well' | 'down' | 'broken'} next `broken`: its token endpoint fails; `down`: nobody answers */
    become(next) {
      condition = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function settings(rows, appUrl, key) {
  return {
    adapter: adapterOver(rows, appUrl),
    jwks: { keys: [key] },
    cookies: { keys: ['for the tests only'] },
    pkce: { required: () => true },
    scopes: ['openid', 'profile', 'email'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    issueRefreshToken: async () => true,
    // Whoever says an address has it. One that begins with `unproven` never opened its mail.
    findAccount: async (_context, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, name: 'Ada Lovelace', email: sub, email_verified: !sub.startsWith('unproven') }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 3600, RefreshToken: 3600, Session: 3600 },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (context, form) => {
          context.body = document(`${form}<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out here too</button>`);
        },
      },
    },
  };
}

/** Rows in memory, shared by the providers before and after a rotation. The one client is read from where the app is now. */
function adapterOver(rows, appUrl) {
  return class Adapter {
    constructor(model) {
      this.model = model;
    }
    #name(id) {
      return `${this.model}:${id}`;
    }
    async upsert(id, payload) {
      rows.set(this.#name(id), payload);
    }
    async find(id) {
      return this.model === 'Client' && id === CLIENT_ID ? client(appUrl()) : rows.get(this.#name(id));
    }
    async findByUid(uid) {
      return [...rows].find(([name, row]) => name.startsWith(`${this.model}:`) && row.uid === uid)?.[1];
    }
    async findByUserCode() {
      return undefined;
    }
    async consume(id) {
      const row = rows.get(this.#name(id));
      if (row) row.consumed = Math.floor(Date.now() / 1000);
    }
    async destroy(id) {
      rows.delete(this.#name(id));
    }
    async revokeByGrantId(grantId) {
      for (const [name, row] of rows) if (row.grantId === grantId) rows.delete(name);
    }
  };
}

function client(appUrl) {
  return {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    redirect_uris: [`${appUrl}/api/auth/callback/openid`],
    post_logout_redirect_uris: [appUrl, `${appUrl}/`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
  };
}

/** The two questions of the provider: who is it, and may the app know. */
async function interact(provider, request, response) {
  const details = await provider.interactionDetails(request, response);
  if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(question(details));
  const answer = new URLSearchParams(await text(request));
  await provider.interactionFinished(request, response, await outcome(provider, details, answer), { mergeWithLastSubmission: true });
}

function question({ prompt }) {
  const field = '<label>Who are you? <input name="login" autofocus required></label>';
  return document(`<form method="post">
    ${prompt.name === 'login' ? field : '<p>May the app know your name and address?</p>'}
    <button>Go on</button> <button name="deny" value="yes" formnovalidate>No</button>
  </form>`);
}

async function outcome(provider, { prompt, params, session, grantId }, answer) {
  if (answer.has('deny')) return { error: 'access_denied', error_description: 'Somebody <b>said no</b>' };
  if (prompt.name === 'login') return { login: { accountId: answer.get('login') } };
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  const { missingOIDCScope, missingOIDCClaims } = prompt.details;
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
  if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims);
  return { consent: { grantId: await grant.save() } };
}

async function text(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

function document(body) {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The provider</title></head><body><h1>The provider</h1>${body}</body></html>`;
}
