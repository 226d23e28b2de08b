// The client and its passkeys within reach of `page.evaluate`.

import * as client from '@housekey/client'
import * as passkeys from '@housekey/client/passkeys'

Object.assign(globalThis, { client, passkeys })
