// Sign-ins with providers that one engine begins, or keeps, and the other one goes on with.

import assert from 'node:assert/strict';

import { ADA, consent } from '../harness/provider/imitation.mjs';
import { exchange, Jar, PASSWORD } from './pair.mjs';

const CLIENT = { clientId: 'client-id', clientSecret: 'client-secret' };
const OPENID = { providerId: 'openid', ...CLIENT, discoveryUrl: 'https://id.example.com/.well-known/openid-configuration' };

/** Google, GitHub and a discovered provider, with some options of accounts. */
const social = (account = {}) => ({ options: { socialProviders: { google: CLIENT, github: CLIENT }, account }, generic: [OPENID] });

async function begin(side, jar, provider, path = '/sign-in/social') {
  const { url } = await side.ok(path, { provider, callbackURL: '/done', errorCallbackURL: '/failed' }, jar);
  return { provider, ...consent(url) };
}

async function finish(side, jar, { provider, ...back }) {
  const { status, location } = await side.call(`/callback/${provider}?${new URLSearchParams(back)}`, undefined, jar);
  assert.deepEqual([status, location], [302, '/done'], `${side.side.name} ends it`);
}

async function signInWith(side, jar, provider) {
  await finish(side, jar, await begin(side, jar, provider));
}

for (const storeStateStrategy of ['database', 'cookie']) {
  for (const provider of ['google', 'github', 'openid']) {
    exchange(`a sign-in with ${provider} that one begins and the other ends, ${storeStateStrategy}`, async ({ writer, reader }) => {
      const browser = new Jar();
      await finish(reader, browser, await begin(writer, browser, provider));
      assert.equal((await writer.session(browser)).user.email, ADA.email);
      // And once more, now that the account is there.
      const phone = new Jar();
      await finish(reader, phone, await begin(writer, phone, provider));
      assert.equal((await writer.session(phone)).user.id, (await reader.session(browser)).user.id);
    }, social({ storeStateStrategy }));
  }

  exchange(`a link that one begins and the other ends, ${storeStateStrategy}`, async ({ writer, reader, rows }) => {
    const browser = new Jar();
    const { user } = await writer.signUp(browser);
    await finish(reader, browser, await begin(writer, browser, 'google', '/link-social'));
    assert.deepEqual(rows('select "userId" from account order by "providerId"'), [{ userId: user.id }, { userId: user.id }]);
  }, social({ storeStateStrategy }));
}

for (const encryptOAuthTokens of [false, true]) {
  exchange(`the tokens of an account, ${encryptOAuthTokens ? 'sealed' : 'in clear'}`, async ({ writer, reader, rows, advance }) => {
    const browser = new Jar();
    await signInWith(writer, browser, 'google');
    const [{ id: accountId }] = await reader.ok('/list-accounts', undefined, browser);
    const [kept] = rows('select "accessToken", "refreshToken", "idToken" from account');
    assert.equal(/^[0-9a-f]+$/.test(kept.accessToken) && /^[0-9a-f]+$/.test(kept.refreshToken), encryptOAuthTokens);
    const asked = await writer.ok('/get-access-token', { accountId }, browser);
    assert.deepEqual(await reader.ok('/get-access-token', { accountId }, browser), asked);
    assert.deepEqual(await reader.ok(`/account-info?accountId=${accountId}`, undefined, browser), await writer.ok(`/account-info?accountId=${accountId}`, undefined, browser));
    await advance(3600);
    assert.equal((await reader.ok('/get-access-token', { accountId }, browser)).accessToken, 'access-2');
    assert.equal((await writer.ok('/get-access-token', { accountId }, browser)).accessToken, 'access-2', 'what one renewed the other has');
    assert.equal((await writer.ok('/refresh-token', { accountId }, browser)).refreshToken, 'refresh-2');
  }, social({ encryptOAuthTokens }));
}

exchange('tokens from before they were sealed', async ({ writer, reader }) => {
  const browser = new Jar();
  await signInWith(writer, browser, 'google');
  const [{ id: accountId }] = await reader.ok('/list-accounts', undefined, browser);
  assert.equal((await reader.ok('/get-access-token', { accountId }, browser)).accessToken, 'access-1');
}, social(), { account: { encryptOAuthTokens: true } });

exchange('an account in a cookie', async ({ writer, reader }) => {
  const browser = new Jar();
  await signInWith(writer, browser, 'google');
  assert.equal((await reader.ok('/get-access-token', { useAccountCookie: true }, browser)).accessToken, 'access-1');
}, social({ storeAccountCookie: true }));

exchange('an account is known, linked and unlinked at either', async ({ writer, reader, imitation }) => {
  const browser = new Jar();
  await signInWith(writer, browser, 'google');
  const phone = new Jar();
  await signInWith(reader, phone, 'google');
  const { user } = await writer.session(browser);
  assert.equal((await writer.session(phone)).user.id, user.id);
  imitation.who = { ...ADA, id: '2002' };
  await finish(reader, phone, await begin(reader, phone, 'github', '/link-social'));
  const tablet = new Jar();
  await signInWith(writer, tablet, 'github');
  assert.equal((await reader.session(tablet)).user.id, user.id);
  const accounts = await writer.ok('/list-accounts', undefined, tablet);
  assert.deepEqual(await reader.ok('/list-accounts', undefined, tablet), accounts);
  await writer.ok('/unlink-account', { accountId: accounts.find(({ providerId }) => providerId === 'google').id }, tablet);
  const [left] = await reader.ok('/list-accounts', undefined, tablet);
  assert.equal((await reader.call('/unlink-account', { accountId: left.id }, tablet)).json.code, 'FAILED_TO_UNLINK_LAST_ACCOUNT');
}, social());

exchange('a password and a provider of one person', async ({ writer, reader }) => {
  const browser = new Jar();
  await writer.signUp(browser);
  await writer.ok('/send-verification-email', { email: ADA.email }, browser);
  const [{ token }] = await writer.side.mails();
  await reader.ok(`/verify-email?token=${token}`);
  const phone = new Jar();
  await signInWith(reader, phone, 'google');
  assert.equal((await writer.session(phone)).user.id, (await writer.session(browser)).user.id, 'linked by its proven address');
  assert.equal((await writer.signIn(undefined, { password: PASSWORD })).status, 200);
}, social());

exchange('who signs out is sent to the provider of the other’s account', async ({ writer, reader }) => {
  const browser = new Jar();
  await signInWith(writer, browser, 'openid');
  const { url } = await reader.ok('/sign-out', { callbackURL: '/bye' }, browser);
  const there = new URL(url);
  assert.equal(there.origin + there.pathname, 'https://id.example.com/end-session');
  assert.ok(there.searchParams.get('id_token_hint'));
}, social());
