import { describe, expect, it } from 'vitest'
import { isNotInstalled } from './not-installed.ts'

const failureOf = (name: string): Promise<unknown> => import(name).catch((error: unknown) => error)

describe('an import of a package that is not installed', () => {
  it('is known by its error', async () => {
    const error = await failureOf('@octavo/none')
    expect(isNotInstalled(error, '@octavo/none')).toBe(true)
    expect(isNotInstalled(error, 'sharp')).toBe(false)
  })

  it('is not confused with a missing dependency of an installed package', () => {
    const message = "Cannot find package 'detect' imported from /app/node_modules/sharp/index.js"
    const error = Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
    expect(isNotInstalled(error, 'sharp')).toBe(false)
  })

  it("is known with Yarn's Plug'n'Play", () => {
    const message = '@octavo/server tried to access sharp (a peer dependency) but it is not provided'
    const error = Object.assign(new Error(message), {
      code: 'MODULE_NOT_FOUND',
      pnpCode: 'MISSING_PEER_DEPENDENCY',
    })
    expect(isNotInstalled(error, 'sharp')).toBe(true)
  })

  it('is no other error', () => {
    expect(isNotInstalled(new Error('sharp is broken'), 'sharp')).toBe(false)
    expect(isNotInstalled('sharp', 'sharp')).toBe(false)
  })
})
