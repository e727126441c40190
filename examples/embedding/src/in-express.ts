import type { Server } from '@octavo/server'
import express, { type Express } from 'express'

/** Octavo behind the routes of an Express application. Bodies that `express.json()` has read are taken as parsed. */
export function inExpress(octavo: Server): Express {
  const app = express()
  app.use(express.json())
  app.get('/hello', (_request, response) => void response.json({ hello: 'Express' }))
  app.use(octavo.app.callback())
  return app
}
