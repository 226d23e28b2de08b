// How providers speak: the answers that most of them have in common.

import { createHash } from 'node:crypto';

import { idToken, jwks } from './id-token.mjs';

/**
 * The answer of a token endpoint. It is strict about PKCE: a code names the challenge that it was given out for.
 *
 * @param {(who: import('./imitation.mjs').Who) => object} [claims] what the id token says besides; without, there is none
 * @param {object} [signing] how it is signed; see id-token.mjs
 */
export function tokens(issuer, claims, signing = {}) {
  return (request, provider) => {
    const [, nonce, challenge] = (request.form.get('code') ?? '').split('.');
    const verifier = createHash('sha256').update(request.form.get('code_verifier') ?? '').digest('base64url');
    if (challenge && challenge !== verifier) return { status: 400, json: { error: 'invalid_grant', error_description: 'PKCE' } };
    const said = claims && {
      ...basics(issuer, request, provider.now()), sub: provider.who.id, ...claims(provider.who), ...(nonce ? { nonce } : {}), ...provider.claims,
    };
    const count = request.form.get('grant_type') === 'refresh_token' ? 2 : 1;
    return {
      json: {
        access_token: `access-${count}`,
        refresh_token: `refresh-${count}`,
        expires_in: 3600,
        token_type: 'Bearer',
        scope: 'first second',
        id_token: said && idToken(said, { ...signing, ...provider.signing }),
        ...provider.tokens,
      },
    };
  };
}

function basics(issuer, request, milliseconds) {
  const now = Math.floor(milliseconds / 1000);
  return { iss: typeof issuer === 'function' ? issuer(request) : issuer, aud: request.clientId, iat: now, exp: now + 3600 };
}

export const openid = ({ name, email, verified, image }) => ({ name, email, email_verified: verified, picture: image });
export const profile = (make) => (request, { who }) => ({ json: make(who, request) });
export const keys = (request, provider) => ({ json: jwks(...provider.kids) });
keys.isAboutKeys = true;
