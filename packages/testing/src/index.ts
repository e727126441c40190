export { chromiumPath } from './chromium.ts'
export { type Client, type ClientRequest, type ClientResponse, createClient } from './client.ts'
export { createTestDatabase, type TestDatabase } from './database.ts'
export { type Engine, serverUrl, testEngine } from './environment.ts'
