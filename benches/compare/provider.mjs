// What Google answers while `cargo xtask bench engine` runs: signed once and written down as pages, so that a peer can serve
// it from memory. `node provider.mjs <folder>` prints the names of the files.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const harness = new URL('../../tests/conformance/harness/', import.meta.url);
const { idToken, jwks } = await import(new URL('provider/id-token.mjs', harness).href);

const now = Math.floor(Date.now() / 1000);
const claims = {
  iss: 'https://accounts.google.com', aud: 'client-id', sub: '1001', email: 'grace@example.com', email_verified: true,
  name: 'Grace Hopper', picture: 'https://images.test/grace.png', iat: now, exp: now + 3600,
};
const tokens = {
  access_token: 'access', refresh_token: 'refresh', expires_in: 3600, token_type: 'Bearer', scope: 'openid email profile', id_token: idToken(claims),
};

for (const [name, address, body] of [['token', 'oauth2.googleapis.com/token', tokens], ['keys', 'www.googleapis.com/oauth2/v3/certs', jwks('first')]]) {
  const file = join(process.argv[2], `${name}.page`);
  writeFileSync(file, `/bench/https/${address}\ncontent-type: application/json\ncache-control: max-age=3600\n\n${JSON.stringify(body)}`);
  console.log(file);
}
