import assert from 'node:assert/strict';

import { exchange, Jar } from './pair.mjs';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

exchange('the codes of a device', async ({ writer, reader, advance, rows }) => {
  const browser = new Jar();
  const { user } = await writer.signUp(browser);
  const codes = await writer.ok('/device/code', { client_id: 'tool', scope: 'read' });
  const poll = (side) => side.call('/device/token', { grant_type: GRANT, device_code: codes.device_code, client_id: 'tool' });
  assert.equal((await poll(reader)).json.error, 'authorization_pending');
  assert.equal((await poll(writer)).json.error, 'slow_down', 'a poll at one counts at the other');

  assert.equal((await writer.call('/device/approve', { userCode: codes.user_code }, browser)).status, 400);
  const seen = await reader.ok(`/device?user_code=${codes.user_code}`, undefined, browser);
  assert.deepEqual(seen, { user_code: codes.user_code, status: 'pending', client_id: 'tool', scope: 'read' });
  await writer.ok('/device/approve', { userCode: codes.user_code }, browser);
  await advance(5);
  const { status, json } = await poll(reader);
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(rows('select "userId" from session where token = ?', json.access_token), [{ userId: user.id }]);
  assert.deepEqual(rows('select id from "deviceCode"'), []);
}, { deviceAuthorization: { referenceRows: true } });

exchange('a device that is denied', async ({ writer, reader }) => {
  const browser = new Jar();
  await writer.signUp(browser);
  const codes = await writer.ok('/device/code', { client_id: 'tool' });
  await writer.ok(`/device?user_code=${codes.user_code}`, undefined, browser);
  await reader.ok('/device/deny', { userCode: codes.user_code }, browser);
  const { json } = await writer.call('/device/token', { grant_type: GRANT, device_code: codes.device_code, client_id: 'tool' });
  assert.equal(json.error, 'access_denied');
}, { deviceAuthorization: { referenceRows: true } });

for (const storeToken of ['hashed', 'plain']) {
  exchange(`a token that works once, ${storeToken}`, async ({ writer, reader, rows }) => {
    const browser = new Jar();
    const { user } = await writer.signUp(browser);
    const { token } = await writer.ok('/one-time-token/generate', undefined, browser);
    assert.equal(rows('select identifier from verification')[0].identifier === `one-time-token:${token}`, storeToken === 'plain');
    const phone = new Jar();
    const handed = await reader.ok('/one-time-token/verify', { token }, phone);
    assert.equal(handed.user.id, user.id);
    assert.equal((await writer.session(phone)).session.id, handed.session.id);
    assert.equal((await writer.call('/one-time-token/verify', { token })).status, 400);
  }, { oneTimeToken: { storeToken } });
}
