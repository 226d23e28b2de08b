// Every provider that is built in, from the first address to the row.

import { ADA } from '../../harness/provider/imitation.mjs';
import { MORE } from '../../harness/provider/more-answers.mjs';
import { everything } from '../../harness/setup.mjs';
import { session } from '../accounts.mjs';
import { scenario } from '../suite.mjs';
import { accountIds, CLIENT, providers, signInWith } from './flow.mjs';

const alone = (id, options = {}) => everything({ options: { socialProviders: { [id]: { ...CLIENT, ...options } } } });

const known = ['google', 'github', 'apple', 'microsoft', 'gitlab', 'discord', 'facebook', 'twitter', 'linkedin', 'slack', 'twitch', 'spotify', 'notion', 'zoom', ...Object.keys(MORE)];

for (const id of known) {
  scenario(`${id}, from the first address to the row`, alone(id, MORE[id]), async (world) => {
    const additionalParams = ['atlassian', 'notion'].includes(id) ? undefined : { more: '1' };
    await signInWith(world, id, { scopes: ['extra'], loginHint: 'ada@example.com', additionalParams });
    await session(world, 'browser');
    const ids = await accountIds(world, 'browser', id);
    await world.send('info', (side) => ({ path: `/account-info?accountId=${ids[side]}` }));
    await world.send('refresh', (side) => ({ path: '/refresh-token', json: { accountId: ids[side] } }));
    world.asked('info and refresh');
    await world.rows('refreshed', 'account');
  });

  scenario(`${id} does not say that an address is proven`, alone(id, MORE[id]), async (world) => {
    world.imitation.who = { ...ADA, verified: false };
    await signInWith(world, id);
    await session(world, 'browser');
  });
}

/** The oddities, by provider: who is there, and what is answered where. */
const oddities = [
  ['google', 'a hosted domain', { hd: 'example.com' }, { claims: { hd: 'example.com' } }],
  ['google', 'another hosted domain', { hd: 'example.com' }, { claims: { hd: 'evil.test' } }],
  ['google', 'any hosted domain', { hd: '*' }, { claims: { hd: 'any.test' } }],
  ['google', 'no hosted domain', { hd: '*' }, {}],
  ['github', 'a public address', {}, {}, { 'api.github.com/user': { json: { id: 7, login: 'ada', name: null, email: 'other@example.com', avatar_url: null } } }],
  ['github', 'addresses that cannot be had', {}, {}, { 'api.github.com/user': { json: { id: 7, login: 'ada', name: 'Ada', email: 'ada@example.com' } }, 'api.github.com/user/emails': { status: 403, json: {} } }],
  ['github', 'no primary address', {}, {}, { 'api.github.com/user/emails': { json: [{ email: 'one@example.com', primary: false, verified: false }, { email: 'two@example.com', primary: false, verified: true }] } }],
  ['github', 'no address at all', {}, {}, { 'api.github.com/user/emails': { json: [] } }],
  ['apple', 'proven as a boolean', {}, { claims: { email_verified: true } }],
  ['apple', 'a relay address', {}, { claims: { email: 'x1@privaterelay.appleid.com', is_private_email: 'true' } }],
  ['microsoft', 'no photo', {}, {}, { 'graph.microsoft.com/v1.0/me/photos/48x48/$value': { status: 404, json: {} } }],
  ['microsoft', 'no wish for a photo', { disableProfilePhoto: true }, {}],
  ['microsoft', 'another photo', { profilePhotoSize: 64 }, {}, { 'graph.microsoft.com/v1.0/me/photos/64x64/$value': { text: 'big', type: 'image/jpeg' } }],
  ['microsoft', 'proven by a claim', {}, { claims: { email_verified: true, verified_primary_email: undefined } }],
  ['microsoft', 'proven by its second address', {}, { claims: { verified_primary_email: [], verified_secondary_email: ['ada@example.com'] } }],
  ['microsoft', 'no oid', {}, { claims: { oid: undefined } }],
  ['microsoft', 'no secret', { clientSecret: undefined }, {}],
  ['gitlab', 'someone who is blocked', {}, {}, { 'gitlab.com/api/v4/user': { json: { id: 7, username: 'ada', email: 'ada@example.com', state: 'blocked', locked: false } } }],
  ['gitlab', 'someone who is locked', {}, {}, { 'gitlab.com/api/v4/user': { json: { id: 7, username: 'ada', email: 'ada@example.com', state: 'active', locked: true } } }],
  ['gitlab', 'no name and no word about the address', {}, {}, { 'gitlab.com/api/v4/user': { json: { id: 7, username: 'ada', email: 'ada@example.com', state: 'active' } } }],
  ['discord', 'an avatar', {}, {}, { 'discord.com/api/users/@me': { json: { id: '80351110224678912', username: 'ada', global_name: null, discriminator: '1337', avatar: '8342729096ea3675442027381ff50dfe', email: 'ada@example.com', verified: true } } }],
  ['discord', 'an avatar that moves', {}, {}, { 'discord.com/api/users/@me': { json: { id: '80351110224678912', username: 'ada', global_name: 'Ada', discriminator: '0', avatar: 'a_8342729096ea3675442027381ff50dfe', email: 'ada@example.com', verified: true } } }],
  ['discord', 'no avatar, old name', {}, {}, { 'discord.com/api/users/@me': { json: { id: '80351110224678912', username: 'ada', global_name: null, discriminator: '1337', avatar: null, email: 'ada@example.com', verified: false } } }],
  ['discord', 'no avatar, new name', {}, {}, { 'discord.com/api/users/@me': { json: { id: '80351110224678912', username: 'ada', global_name: 'Ada', discriminator: '0', avatar: null, email: 'ada@example.com', verified: true } } }],
  ['facebook', 'a token of another app', {}, {}, { 'graph.facebook.com/debug_token': { json: { data: { is_valid: true, app_id: 'other', user_id: '1001' } } } }],
  ['facebook', 'a token that is not valid', {}, {}, { 'graph.facebook.com/debug_token': { json: { data: { is_valid: false, app_id: 'client-id', user_id: '1001' } } } }],
  ['facebook', 'a token of somebody else', {}, {}, { 'graph.facebook.com/debug_token': { json: { data: { is_valid: true, app_id: 'client-id', user_id: '7' } } } }],
  ['facebook', 'more fields', { fields: ['birthday'] }, {}],
  ['facebook', 'no address', {}, { who: { ...ADA, email: undefined } }],
  ['twitter', 'no address', {}, { who: { ...ADA, email: null } }],
  ['linkedin', 'no word about the address', {}, { who: { ...ADA, verified: undefined } }],
  ['slack', 'no picture of its own', {}, { who: { ...ADA, image: undefined } }],
  ['spotify', 'no image', {}, {}, { 'api.spotify.com/v1/me': { json: { id: 'ada', display_name: null, email: 'ada@example.com', images: [] } } }],
  ['notion', 'a bot of a workspace', {}, {}, { 'api.notion.com/v1/users/me': { json: { object: 'user', type: 'bot', bot: { owner: { type: 'workspace' } } } } }],
  ['notion', 'no address', {}, { who: { ...ADA, email: undefined } }],
  ['zoom', 'without PKCE', { pkce: false }, {}],
  ['twitch', 'no picture', {}, { who: { ...ADA, image: undefined } }],
];

for (const [id, name, options, told, answers = {}] of oddities) {
  scenario(`${id} with ${name}`, alone(id, options), async (world) => {
    Object.assign(world.imitation, told);
    for (const [address, answer] of Object.entries(answers)) world.imitation.tell(address, answer);
    await signInWith(world, id, { errorCallbackURL: '/sorry' });
    await session(world, 'browser');
  });
}

scenario('a client with several ids', providers({ google: { clientId: ['first-client', 'second-client'] } }), async (world) => {
  await signInWith(world, 'google');
});

scenario('a microsoft account from before it had an oid', alone('microsoft'), async (world) => {
  await signInWith(world, 'microsoft');
  world.change(`update account set "accountId" = 'sub-1001'`);
  await signInWith(world, 'microsoft', { what: 'with an oid', jar: 'phone', errorCallbackURL: '/sorry' });
});
