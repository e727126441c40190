import type { ReactNode } from 'react'

export const metadata = { title: 'Library' }

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
