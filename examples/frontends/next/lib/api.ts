import { createClient } from '@octavo/client'
import type { ContentTypes } from '../octavo-types'

export const api = createClient<ContentTypes>({ url: process.env.OCTAVO_URL ?? 'http://localhost:1337' })
