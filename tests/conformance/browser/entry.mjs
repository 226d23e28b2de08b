// What the page loads: the official client as an app would set it up, and a button.

import { createAuthClient } from 'better-auth/client';
import { passkeyClient } from '@better-auth/passkey/client';

const client = createAuthClient({ plugins: [passkeyClient()] });
window.client = client;

document.querySelector('#passkey').addEventListener('click', async () => {
  const { data, error } = await client.signIn.passkey();
  document.querySelector('output').textContent = error?.code ?? data.user.email;
});
