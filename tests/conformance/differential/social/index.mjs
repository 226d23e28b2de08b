// Sign-in with others.

import './start.mjs';
import './state.mjs';
import './callback.mjs';
import './person.mjs';
import './linking.mjs';
import './link.mjs';
import './id-token.mjs';
import './tokens.mjs';
import './sign-out.mjs';
import './generic.mjs';
import './providers.mjs';
