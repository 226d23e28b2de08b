// Compiled, never run: what the types allow and what they refuse. A line after `@ts-expect-error` that is allowed fails
// the compilation.

import { createClient, http, type ErrorOf, type Invalid, type Unauthenticated } from '@housekey/client'

interface Profile {
  name: string
  email: string
}

/** What `types/routes.gen.ts` of an app says. */
declare module '@housekey/client' {
  interface Routes {
    'GET /settings/profile': { answer: Profile; errors: 'Unauthenticated' }
    'PATCH /settings/profile': {
      body: { name: string }
      answer: Profile
      errors: 'Unauthenticated' | 'Invalid'
      fields: 'name'
    }
    'GET /posts': { query: { page?: number; tags?: string[] }; answer: { posts: string[] } }
    'GET /search': { query: { q: string }; answer: { found: number } }
    'DELETE /posts/{id}': { params: { id: number } }
  }
  interface PageRoutes {
    'POST /settings/profile': { body: { name: string }; answer: { redirect: string }; errors: 'Expired' | 'Invalid'; fields: 'name' }
    'GET /settings/profile': { answer: 'a page' }
    'DELETE /settings/passkeys/{id}': { params: { id: string }; answer: { redirect: string } }
    'POST /sign-out': { answer: { redirect: string } }
  }
}

function same<A>() {
  return <B>(_: [A] extends [B] ? ([B] extends [A] ? B : never) : never): void => {}
}

export async function listedRoutes(): Promise<void> {
  same<Profile>()<Profile>(await http.get('/settings/profile'))
  same<Profile>()<Profile>(await http.patch('/settings/profile', { body: { name: 'Ada' }, timeout: 1000 }))
  same<{ posts: string[] }>()<{ posts: string[] }>(await http.get('/posts'))
  await http.get('/posts', { query: { page: 2, tags: ['a'] } })
  await http.get('/search', { query: { q: 'a' } })
  await http.delete('/posts/{id}', { params: { id: 7 } })

  // @ts-expect-error the body is required
  await http.patch('/settings/profile')
  // @ts-expect-error a field is missing
  await http.patch('/settings/profile', { body: {} })
  // @ts-expect-error a field has the wrong type
  await http.patch('/settings/profile', { body: { name: 7 } })
  // @ts-expect-error this route has no body
  await http.get('/settings/profile', { body: {} })
  // @ts-expect-error the query is required
  await http.get('/search')
  // @ts-expect-error the query has the wrong type
  await http.get('/posts', { query: { page: 'two' } })
  // @ts-expect-error the parameters are required
  await http.delete('/posts/{id}')
  // @ts-expect-error the method is fixed
  await http.get('/settings/profile', { method: 'POST' })
  // @ts-expect-error the answer has no such field
  void (await http.get('/settings/profile')).age
}

export async function routesOutsideApi(): Promise<void> {
  same<{ redirect: string }>()<{ redirect: string }>(await http.post('/settings/profile', { prefix: '', body: { name: 'Ada' } }))
  same<{ redirect: string }>()<{ redirect: string }>(await http.post('/sign-out', { prefix: '' }))
  await http.delete('/settings/passkeys/{id}', { prefix: '', params: { id: 'x' }, timeout: 1000 })
  // The same path in both lists: the prefix tells which is meant.
  same<'a page'>()<'a page'>(await http.get('/settings/profile', { prefix: '' }))
  same<Profile>()<Profile>(await http.get('/settings/profile'))

  // @ts-expect-error the body is required
  await http.post('/settings/profile', { prefix: '' })
  // @ts-expect-error a field has the wrong type
  await http.post('/settings/profile', { prefix: '', body: { name: 7 } })
  // @ts-expect-error the path is not below /api
  await http.post('/sign-out')
  // @ts-expect-error another prefix is another address
  await http.post('/sign-out', { prefix: '/admin' })
  // @ts-expect-error the parameters are required
  await http.delete('/settings/passkeys/{id}', { prefix: '' })
  // @ts-expect-error the answer has no such field
  void (await http.post('/sign-out', { prefix: '' })).age
}

export async function otherPaths(): Promise<void> {
  same<unknown>()<unknown>(await http.get('/anything'))
  same<Profile>()<Profile>(await http.get<Profile>('/anything'))
  same<Profile>()<Profile>(await http.put<Profile>('/settings/profile', { body: new FormData() }))
  const id: string = 'x'
  same<unknown>()<unknown>(await http.get(`/posts/${id}`))
}

export function errors(error: ErrorOf<RoutesOf['PATCH /settings/profile']>): void {
  same<Unauthenticated | Invalid<'name'>>()<typeof error>(error)
  if (error.name === 'Invalid') {
    same<string[] | undefined>()<string[] | undefined>(error.errors.name)
    // @ts-expect-error the route has no such field
    void error.errors.email
  }
}

type RoutesOf = import('@housekey/client').Routes

export async function routesOfItsOwn(): Promise<void> {
  const admin = createClient<{ 'GET /users': { answer: string[] } }>({ prefix: '/admin/api' })
  same<string[]>()<string[]>(await admin.http.get('/users'))
  same<unknown>()<unknown>(await admin.http.get('/settings/profile'))
  same<unknown>()<unknown>(await admin.http.post('/sign-out'))
}
