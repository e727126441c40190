/**
 * Prints the TypeScript types of the OpenAPI description on standard input. A process of its own, in a package of its own:
 * openapi-typescript uses the JavaScript API of TypeScript, which version 7 does not have.
 */
import { text } from 'node:stream/consumers'
import openapiTypescript, { astToString } from 'openapi-typescript'

const description = JSON.parse(await text(process.stdin))
process.stdout.write(astToString(await openapiTypescript(description)))
