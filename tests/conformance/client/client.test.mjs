// The official client drives our engine through every flow.

import './accounts.mjs';
import './two-factor.mjs';
import './passkeys.mjs';
import './tokens.mjs';
import './social.mjs';
import './admin.mjs';
import './organizations.mjs';
import './teams.mjs';
