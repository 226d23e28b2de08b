import 'vue-router'
import type { Feature } from '@/lib/session'

declare module 'vue-router' {
  interface RouteMeta {
    /** What the browser's tab says, before the name of the app. */
    title: string
    /** Only where the app offers it. */
    offers?: Feature
  }
}
