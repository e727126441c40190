import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { mayRepeat } from './api.ts'
import { Desk } from './desk.tsx'
import { watchDrops } from './drop-place.ts'
import type { ModuleAddress } from './extensions/load.ts'
import { bearRewriting } from './rewritten-page.ts'
import { watchLeaving, watchReturning } from './unsaved.ts'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: mayRepeat,
      // Browsers are wrong about connections at times: a request shows whether there is one.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
  },
})

watchLeaving()
watchReturning()
watchDrops()
bearRewriting()
const root = document.getElementById('desk')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Desk
          site={root.dataset.title ?? ''}
          // Written by the server.
          modules={JSON.parse(root.dataset.extensions ?? '[]') as ModuleAddress[]}
        />
      </QueryClientProvider>
    </StrictMode>,
  )
