// Passkeys as people use them: the official client in chromium, a security key of DevTools, our engine.

import assert from 'node:assert/strict';

import { visit } from './house.mjs';

const good = ({ data, error }) => {
  assert.equal(error, null, `refused: ${JSON.stringify(error)}`);
  return data;
};

/** Ada with an account and a passkey in her key. */
async function withPasskey(house) {
  const ada = await house.visitor();
  await ada.plugIn();
  const { user } = good(await ada.signUp());
  const passkey = good(await ada.call('passkey.addPasskey', { name: 'My laptop' }));
  return { ada, user, passkey };
}

visit('a passkey is registered and signs in at the press of a button', async (house) => {
  const { ada, user, passkey } = await withPasskey(house);
  assert.deepEqual([passkey.name, passkey.userId, passkey.transports], ['My laptop', user.id, 'internal']);
  const [held] = await ada.credentials();
  assert.equal(Buffer.from(held.credentialId, 'base64').toString('base64url'), passkey.credentialID);
  assert.equal(held.rpId, 'localhost');

  good(await ada.call('signOut'));
  assert.equal(await ada.session(), null);
  await ada.page.click('#passkey');
  await ada.page.waitForFunction(() => document.querySelector('output').textContent !== '');
  assert.equal(await ada.page.textContent('output'), 'ada@example.com');
  assert.equal((await ada.session()).user.id, user.id);
});

visit('the form offers a passkey by itself', async (house) => {
  const { ada, user } = await withPasskey(house);
  good(await ada.call('signOut'));
  assert.equal(await ada.page.evaluate(() => PublicKeyCredential.isConditionalMediationAvailable()), true);
  const signedIn = good(await ada.call('signIn.passkey', { autoFill: true }));
  assert.equal(signedIn.user.id, user.id);
  assert.equal((await ada.session()).user.id, user.id);
});

visit('passkeys are listed, renamed and deleted', async (house) => {
  const { ada, passkey } = await withPasskey(house);
  const renamed = good(await ada.call('passkey.updatePasskey', { id: passkey.id, name: 'Work' }));
  assert.equal(renamed.passkey.name, 'Work');
  const listed = good(await ada.call('passkey.listUserPasskeys'));
  assert.deepEqual(listed.map(({ id, name }) => [id, name]), [[passkey.id, 'Work']]);
  good(await ada.call('passkey.deletePasskey', { id: passkey.id }));
  assert.deepEqual(good(await ada.call('passkey.listUserPasskeys')), []);

  good(await ada.call('signOut'));
  const { error } = await ada.call('signIn.passkey');
  assert.deepEqual(error, { status: 401, code: 'PASSKEY_NOT_FOUND' });
  assert.equal(await ada.session(), null);
});

visit('nobody touches a passkey of someone else', async (house) => {
  const { ada, passkey } = await withPasskey(house);
  const grace = await house.visitor('Grace');
  await grace.plugIn();
  good(await grace.signUp());
  const rename = await grace.call('passkey.updatePasskey', { id: passkey.id, name: 'Mine' });
  assert.deepEqual(rename.error, { status: 401, code: 'YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY' });
  const removal = await grace.call('passkey.deletePasskey', { id: passkey.id });
  assert.equal(removal.error.status, 401);
  assert.deepEqual(good(await grace.call('passkey.listUserPasskeys')), []);
  const listed = good(await ada.call('passkey.listUserPasskeys'));
  assert.deepEqual(listed.map(({ id, name }) => [id, name]), [[passkey.id, 'My laptop']]);
});

visit('one key holds one passkey of an account', async (house) => {
  const { ada } = await withPasskey(house);
  const { data, error } = await ada.call('passkey.addPasskey', { name: 'Again' });
  assert.deepEqual([data, error.code], [null, 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED']);
});

visit('a copied key whose counter fell behind is refused', async (house) => {
  const { ada } = await withPasskey(house);
  const [held] = await ada.credentials();
  good(await ada.call('signOut'));
  good(await ada.call('signIn.passkey'));
  good(await ada.call('signOut'));

  const thief = await house.visitor('Mallory');
  await thief.plugIn();
  await thief.copyIn(held);
  const { error } = await thief.call('signIn.passkey');
  assert.equal(error.code, 'AUTHENTICATION_FAILED');
  assert.equal(await thief.session(), null);
});
