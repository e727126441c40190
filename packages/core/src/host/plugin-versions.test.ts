import { ConfigurationError } from '@octavo/database'
import { describe, expect, it } from 'vitest'
import { refuseOtherVersions } from './plugin-versions.ts'

const start = (octavo: string, version: string) =>
  refuseOtherVersions([{ name: 'any' }, { name: 'forms', engines: { octavo } }], 'plugin', version)

describe('engines.octavo of a plugin', () => {
  it.each([
    ['>=1.2 <3', '1.2.0'],
    ['>=1.2 <3', '2.9.1'],
    ['^1.2.0', '1.3.0-next.4'],
    ['*', '7.0.0'],
    ['>=5', '0.0.0'],
  ])('%s takes %s', (range, version) => expect(() => start(range, version)).not.toThrow())

  it.each([
    ['>=1.2 <3', '1.1.9', /"forms" is for Octavo >=1\.2 <3, and this is 1\.1\.9/],
    ['>=1.2 <3', '3.0.0', /"forms" is for Octavo >=1\.2 <3, and this is 3\.0\.0/],
    ['^1.2.0', '1.2.0-next.1', /"forms" is for Octavo/],
    ['latest', '1.0.0', /"forms": engines\.octavo is a range of versions.*not "latest"/],
  ])('%s does not take %s', (range, version, message) => {
    expect(() => start(range, version)).toThrow(ConfigurationError)
    expect(() => start(range, version)).toThrow(message)
  })
})
