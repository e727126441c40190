import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { lookupPublic } from './public-addresses.ts'

const lookup = promisify(lookupPublic)

/** An address is a name that leads to itself. */
it.each([{ all: true }, { all: false }])(
  'A name that leads to an address around one of IPv4 is refused with %j',
  async (options) => {
    await expect(lookup('::a00:1', options)).rejects.toThrow('the address ::a00:1 is not allowed')
    await expect(lookup('2606:4700::1111', options)).resolves.toBeDefined()
    await expect(lookup('1.1.1.1', options)).resolves.toBeDefined()
  },
)
