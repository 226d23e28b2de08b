import assert from 'node:assert/strict';

import { Authenticator, flow, good, refused } from './stage.mjs';

// An address is no domain, and a passkey is for a domain: the server is told to be at localhost.
const passkey = { rpID: 'localhost', rpName: 'Acme' };

flow('a passkey is added and signs in', { passkey }, async (stage) => {
  const [ada, key] = [stage.person(), new Authenticator()];
  const { user } = await ada.signUp();
  const added = good(await ada.touching(key, () => ada.client.passkey.addPasskey({ name: 'My key' })));
  assert.deepEqual([added.name, added.userId, added.counter, added.transports], ['My key', user.id, 0, 'internal,hybrid']);
  const phone = stage.person();
  const signedIn = good(await phone.touching(key, () => phone.client.signIn.passkey()));
  assert.equal(signedIn.session.userId, user.id);
  assert.equal((await phone.session()).user.email, 'ada@example.com');
});

flow('passkeys are listed, renamed and deleted', { passkey }, async (stage) => {
  const [ada, key] = [stage.person(), new Authenticator()];
  await ada.signUp();
  const { id } = good(await ada.touching(key, () => ada.client.passkey.addPasskey()));
  good(await ada.client.passkey.updatePasskey({ id, name: 'Renamed' }));
  const listed = good(await ada.client.$fetch('/passkey/list-user-passkeys'));
  assert.deepEqual(listed.map((row) => [row.id, row.name]), [[id, 'Renamed']]);
  good(await ada.client.passkey.deletePasskey({ id }));
  const phone = stage.person();
  refused(await phone.touching(key, () => phone.client.signIn.passkey()), 401, 'PASSKEY_NOT_FOUND');
});
