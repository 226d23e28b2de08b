// Written by `housekey types`; edit the Rust instead.

import type { Filter, Page, PasswordRequest, Place, Profile, ProfileRequest, Redirected, Role } from './api.gen.js'

declare module '@housekey/client' {
  /** Below `/api`. */
  interface Routes {
    'GET /files/{name}/{version}': { params: { name: string; version: number }; errors: 'NotFound' }
    'GET /health': {}
    'GET /members': {
      query: Filter
      answer: Page<Profile>
      errors: 'Unauthenticated' | 'Invalid'
      fields: 'q' | `tags.${number}` | 'tags'
    }
    'GET /profile': { answer: Profile | null }
    'GET /teams': { query: Filter; answer: Page<string> }
    'GET /teams/{team}/posts/{post}': { params: Place; answer: Array<[number, Role]>; errors: 'NotFound' }
    'POST /webhook': { body?: unknown; errors: 'NotFound' }
  }

  /** Called with `prefix: ''`: addresses that a browser goes to as well. */
  interface PageRoutes {
    'PATCH /settings/passkeys/{id}': {
      params: { id: string }
      body: ProfileRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'NeedsPasswordConfirmation'
      fields: 'name'
    }
    'PUT /settings/password': {
      body: PasswordRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'current_password' | 'password' | 'sign_out_others' | 'note' | 'password_confirmation'
    }
    'POST /settings/profile': {
      body: ProfileRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'Expired' | 'Invalid'
      fields: 'name'
    }
  }
}
