import assert from 'node:assert/strict';

import { createAuthClient } from 'better-auth/client';

import { flow, good } from './stage.mjs';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

flow('a device signs in with the client', { deviceAuthorization: {}, bearer: { requireSignature: false } }, async (stage) => {
  const [ada, tool] = [stage.person(), stage.person('Tool')];
  await ada.signUp();
  const codes = good(await tool.client.device.code({ client_id: 'tool', scope: 'read' }));
  assert.match(codes.user_code, /^[A-HJ-NP-Z2-9]{8}$/);
  const poll = () => tool.client.device.token({ grant_type: GRANT, device_code: codes.device_code, client_id: 'tool' });
  assert.equal((await poll()).error.error, 'authorization_pending');
  assert.equal((await poll()).error.error, 'slow_down');

  const typed = `${codes.user_code.slice(0, 4)}-${codes.user_code.slice(4)}`.toLowerCase();
  assert.equal((await ada.client.device.approve({ userCode: typed })).error.error, 'invalid_request');
  const asked = good(await ada.client.device({ query: { user_code: typed } }));
  assert.deepEqual(asked, { user_code: typed, status: 'pending', client_id: 'tool', scope: 'read' });
  assert.deepEqual(good(await ada.client.device.approve({ userCode: typed })), { success: true });

  await stage.advance(5);
  const token = good(await poll());
  assert.deepEqual({ type: token.token_type, scope: token.scope, life: token.expires_in }, { type: 'Bearer', scope: 'read', life: 604_800 });
  const device = createAuthClient({ baseURL: stage.engine.origin, fetchOptions: { auth: { type: 'Bearer', token: token.access_token } } });
  assert.equal(good(await device.getSession()).user.email, 'ada@example.com');
  assert.equal(good(await ada.client.listSessions()).length, 2);
});

flow('a device is denied by the client', { deviceAuthorization: {} }, async (stage) => {
  const [ada, tool] = [stage.person(), stage.person('Tool')];
  await ada.signUp();
  const codes = good(await tool.client.device.code({ client_id: 'tool' }));
  good(await ada.client.device({ query: { user_code: codes.user_code } }));
  assert.deepEqual(good(await ada.client.device.deny({ userCode: codes.user_code })), { success: true });
  const { error } = await tool.client.device.token({ grant_type: GRANT, device_code: codes.device_code, client_id: 'tool' });
  assert.equal(error.error, 'access_denied');
});

flow('a session is handed over with a token of the client', { oneTimeToken: {} }, async (stage) => {
  const [ada, phone] = [stage.person(), stage.person('Phone')];
  await ada.signUp();
  const { token } = good(await ada.client.oneTimeToken.generate());
  const handed = good(await phone.client.oneTimeToken.verify({ token }));
  assert.equal(handed.session.id, (await ada.session()).session.id);
  assert.equal((await phone.session()).user.email, 'ada@example.com');
  const { error } = await stage.person('Eve').client.oneTimeToken.verify({ token });
  assert.deepEqual([error.status, error.message], [400, 'Invalid token']);
});

flow('a captcha stands before the client', { captcha: { provider: 'cloudflare-turnstile', secretKey: 's' } }, async (stage) => {
  const ada = stage.person();
  assert.equal((await ada.client.signUp.email(ada.card)).error.code, 'MISSING_RESPONSE');
  const fetchOptions = { headers: { 'x-captcha-response': 'said the widget' } };
  const say = (json) => stage.imitation.tell('challenges.cloudflare.com/turnstile/v0/siteverify', { json });
  say({ success: false });
  assert.equal((await ada.client.signUp.email({ ...ada.card, fetchOptions })).error.code, 'VERIFICATION_FAILED');
  say({ success: true });
  good(await ada.client.signUp.email({ ...ada.card, fetchOptions }));
});

flow('the client hears of a breached password', { haveIBeenPwned: {} }, async (stage) => {
  const ada = stage.person();
  // SHA-1 of `password`.
  stage.imitation.tell('api.pwnedpasswords.com/range/5BAA6', { type: 'text/plain', text: '1E4C9B93F3F0682250B6CF8331B7EE68FD8:9545824' });
  const { error } = await ada.client.signUp.email({ ...ada.card, password: 'password' });
  assert.deepEqual([error.status, error.code], [400, 'PASSWORD_COMPROMISED']);
});
