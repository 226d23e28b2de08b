// The whole client within reach of `page.evaluate`.

import * as client from '@housekey/client'

Object.assign(globalThis, { client })
