// Our engine, in a process of its own.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { merge } from './setup.mjs';
import { send } from './wire.mjs';

const built = fileURLToPath(new URL('../../../target/debug/housekey-conformance-server', import.meta.url));
const binary = process.env.HOUSEKEY_CONFORMANCE_SERVER ?? built;

/** Fails before anything runs when the server was not built. */
export function requireServer() {
  if (!existsSync(binary)) {
    throw new Error(`${binary} is not there: run cargo build -p housekey-conformance-server first`);
  }
}

/** @param {import('./setup.mjs').Setup} setup */
export async function startOurs({ ours = {}, theirs, options, generic, ...rest }) {
  const process = spawn(binary, ['0'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const all = merge(merge(options, generic ? { socialProviders: describeProviders(generic) } : {}), ours);
  process.stdin.write(`${JSON.stringify({ ...rest, options: all })}\n`);
  const lines = createInterface(process.stdout);
  const [origin] = await Promise.race([once(lines, 'line'), once(process, 'exit')]);
  if (typeof origin !== 'string') throw new Error('our server ended before it listened; its reason is above');

  return {
    name: 'ours',
    origin,
    send: (request) => send(origin, request),
    mails: async () => JSON.parse((await send(origin, { method: 'GET', path: '/harness/mails' })).text),
    endpoints: async () => JSON.parse((await send(origin, { method: 'GET', path: '/harness/endpoints' })).text),
    verifyKey: (body) => post(origin, '/harness/api-keys/verify', body),
    createKey: (body) => post(origin, '/harness/api-keys/create', body),
    advance: (milliseconds) => send(origin, { method: 'POST', path: `/harness/clock?advance=${milliseconds}` }),
    close: async () => {
      // It ends when its input does.
      process.stdin.end();
      if (process.exitCode === null) await once(process, 'exit');
    },
  };
}

async function post(origin, path, json) {
  return JSON.parse((await send(origin, { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) })).text);
}

/** What is a plugin there is a provider among the others here. */
function describeProviders(generic) {
  return Object.fromEntries(generic.map(({ preset, providerId = preset, ...config }) => [providerId, config]));
}
