// The same requests to Better Auth and to ours.

import './sign-up.mjs';
import './sign-in.mjs';
import './session.mjs';
import './cookie-cache.mjs';
import './cookies.mjs';
import './passwords.mjs';
import './addresses.mjs';
import './users.mjs';
import './wire.mjs';
import './origins.mjs';
import './disabled.mjs';
import './two-factor.mjs';
import './passkeys.mjs';
import './bearer.mjs';
import './admin.mjs';
import './api-keys.mjs';
import './organization/index.mjs';
import './magic-link.mjs';
import './email-codes.mjs';
import './usernames.mjs';
import './several-accounts.mjs';
import './visitors.mjs';
import './jwt.mjs';
import './rate-limit.mjs';
import './storage.mjs';
import './social/index.mjs';
