// The official client drives our engine through every flow.

import './accounts.mjs';
import './two-factor.mjs';
import './passkeys.mjs';
import './tokens.mjs';
import './mail-sign-in.mjs';
import './names.mjs';
import './jwt.mjs';
import './devices.mjs';
import './social.mjs';
import './admin.mjs';
import './api-keys.mjs';
import './organizations.mjs';
import './teams.mjs';
