import assert from 'node:assert/strict';

import { idToken } from '../harness/provider/id-token.mjs';
import { ADA } from '../harness/provider/imitation.mjs';
import { flow, good, refused } from './stage.mjs';

const CLIENT = { clientId: 'client-id', clientSecret: 'client-secret' };
const social = {
  options: { socialProviders: { google: CLIENT, github: CLIENT } },
  generic: [{ providerId: 'openid', ...CLIENT, discoveryUrl: 'https://id.example.com/.well-known/openid-configuration' }],
};

// spec: SOC-2
flow('the client signs in with a provider', social, async (stage) => {
  const ada = stage.person();
  const { url, redirect } = good(await ada.client.signIn.social({ provider: 'google', callbackURL: '/dashboard', newUserCallbackURL: '/welcome', scopes: ['calendar'] }));
  assert.equal(redirect, true);
  const asked = new URL(url).searchParams;
  assert.equal(asked.get('redirect_uri'), `${stage.engine.origin}/api/auth/callback/google`);
  assert.equal(asked.get('code_challenge_method'), 'S256');
  const back = await ada.consent('google', url);
  assert.deepEqual([back.status, back.headers.get('location')], [302, '/welcome']);
  const { user } = await ada.session();
  assert.deepEqual([user.name, user.email, user.emailVerified, user.image], [ADA.name, ADA.email, true, ADA.image]);
  const phone = stage.person();
  const again = good(await phone.client.signIn.social({ provider: 'google', callbackURL: '/dashboard', newUserCallbackURL: '/welcome' }));
  assert.equal((await phone.consent('google', again.url)).headers.get('location'), '/dashboard');
  assert.equal((await phone.session()).user.id, user.id);
});

flow('a provider that posts its answer comes back all the same', social, async (stage) => {
  const ada = stage.person();
  const { url } = good(await ada.client.signIn.social({ provider: 'google', callbackURL: '/dashboard' }));
  const state = new URL(url).searchParams.get('state');
  // Across sites a browser brings no cookies with a form.
  const posted = await stage.person().fetch(`${stage.engine.origin}/api/auth/callback/google`, { method: 'POST', body: new URLSearchParams({ state, error: 'access_denied' }) });
  assert.equal(posted.status, 302);
  const back = await ada.open(posted.headers.get('location'));
  assert.match(back.headers.get('location'), /\/error\?error=access_denied$/);
});

flow('the client knows the refusals of providers by their codes', social, async (stage) => {
  const ada = stage.person();
  refused(await ada.client.signIn.social({ provider: 'nobody' }), 404, 'PROVIDER_NOT_FOUND');
  refused(await ada.client.signIn.social({ provider: 'google', callbackURL: 'https://evil.test' }), 403, 'INVALID_CALLBACK_URL');
  refused(await ada.client.linkSocial({ provider: 'google' }), 401, 'UNAUTHORIZED');
  refused(await ada.client.signIn.social({ provider: 'github', idToken: { token: 'x' } }), 404, 'ID_TOKEN_NOT_SUPPORTED');
  refused(await ada.client.signIn.social({ provider: 'google', idToken: { token: 'x' } }), 401, 'INVALID_TOKEN');
});

flow('an app brings an id token', social, async (stage) => {
  const ada = stage.person();
  const now = stage.now / 1000;
  const token = idToken({ iss: 'https://accounts.google.com', aud: 'client-id', sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada', iat: now, exp: now + 60 });
  const signedIn = good(await ada.client.signIn.social({ provider: 'google', idToken: { token } }));
  assert.equal(signedIn.redirect, false);
  assert.equal((await ada.session()).session.token, signedIn.token);
});

// spec: SOC-6
flow('accounts are linked, used and unlinked', social, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  const { url } = good(await ada.client.linkSocial({ provider: 'github', callbackURL: '/settings' }));
  assert.equal((await ada.consent('github', url)).headers.get('location'), '/settings');
  const accounts = good(await ada.client.listAccounts());
  assert.deepEqual(accounts.map(({ providerId }) => providerId).sort(), ['credential', 'github']);
  const { id: accountId, scopes } = accounts.find(({ providerId }) => providerId === 'github');
  assert.deepEqual(scopes, ['first', 'second']);
  assert.equal(good(await ada.client.getAccessToken({ accountId })).accessToken, 'access-1');
  assert.equal(good(await ada.client.refreshToken({ accountId })).accessToken, 'access-2');
  assert.equal(good(await ada.client.accountInfo({ query: { accountId } })).user.email, ADA.email);
  good(await ada.client.unlinkAccount({ accountId }));
  const [last] = good(await ada.client.listAccounts());
  refused(await ada.client.unlinkAccount({ accountId: last.id }), 400, 'FAILED_TO_UNLINK_LAST_ACCOUNT');
  refused(await ada.client.getAccessToken({ accountId }), 400, 'ACCOUNT_NOT_FOUND');
});

flow('who signs out is sent to the provider too', social, async (stage) => {
  const ada = stage.person();
  const { url } = good(await ada.client.signIn.social({ provider: 'openid' }));
  await ada.consent('openid', url);
  assert.equal((await ada.session()).user.email, ADA.email);
  const left = good(await ada.client.signOut({ callbackURL: '/bye' }));
  const there = new URL(left.url);
  assert.equal(there.origin + there.pathname, 'https://id.example.com/end-session');
  assert.equal(there.searchParams.get('post_logout_redirect_uri'), `${stage.engine.origin}/bye`);
  assert.equal(await ada.session(), null);
});

// spec: SOC-3
for (const storeStateStrategy of ['database', 'cookie']) {
  const tabs = storeStateStrategy === 'database' ? 20 : 5;
  flow(`${tabs} tabs begin at once, and all of them finish: ${storeStateStrategy}`, { ...social, options: { ...social.options, account: { storeStateStrategy } } }, async (stage) => {
    const ada = stage.person();
    const providers = ['google', 'github', 'openid'];
    const begun = await Promise.all(Array.from({ length: tabs }, async (_, at) => {
      const provider = providers[at % providers.length];
      return { provider, callbackURL: `/tab/${at}`, ...good(await ada.client.signIn.social({ provider, callbackURL: `/tab/${at}` })) };
    }));
    // Last begun, first finished, and then two at a time.
    begun.reverse();
    for (let at = 0; at < tabs; at += 2) {
      await Promise.all(begun.slice(at, at + 2).map(async ({ provider, url, callbackURL }) => {
        assert.equal((await ada.consent(provider, url)).headers.get('location'), callbackURL);
      }));
    }
    assert.equal((await ada.session()).user.email, ADA.email);
    assert.deepEqual([...ada.jar.cookies.keys()].filter((name) => /state/.test(name)), [], 'no flow leaves a cookie behind');
  });
}

// spec: SOC-7
flow('however many ask at once, a refresh token is spent once', social, async (stage) => {
  const ada = stage.person();
  const { url } = good(await ada.client.signIn.social({ provider: 'google' }));
  await ada.consent('google', url);
  const [{ id: accountId }] = good(await ada.client.listAccounts());
  let refreshed = 0;
  stage.imitation.asked('ours');
  stage.imitation.tokens = {};
  stage.imitation.tell('oauth2.googleapis.com/token', () => {
    refreshed += 1;
    // A provider that rotates refuses whoever brings a spent one.
    return refreshed === 1 ? { json: { access_token: 'rotated', refresh_token: 'rotated-too', expires_in: 3600 } } : { status: 400, json: { error: 'invalid_grant' } };
  });
  await stage.advance(3600);
  const answers = await Promise.all(Array.from({ length: 8 }, () => ada.client.getAccessToken({ accountId })));
  assert.deepEqual(answers.map((answer) => good(answer).accessToken), Array(8).fill('rotated'));
  assert.equal(refreshed, 1);
});

// spec: SOC-8
flow('a provider that is down leaves passwords alone', social, async (stage) => {
  const ada = stage.person();
  await ada.signUp();
  const phone = stage.person();
  stage.imitation.tell('oauth2.googleapis.com/token', { status: 503, text: 'down', type: 'text/plain' });
  const { url } = good(await phone.client.signIn.social({ provider: 'google', errorCallbackURL: '/sign-in' }));
  assert.equal((await phone.consent('google', url)).headers.get('location'), '/sign-in?error=invalid_code');
  good(await phone.signIn());
});
