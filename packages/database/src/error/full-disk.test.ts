import { expect, it } from 'vitest'
import { isOfFullDisk, withPath } from './full-disk.ts'

const systemError = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`${code}: no space left on device, write`), { code, ...more })

it.each(['ENOSPC', 'EDQUOT'])('The error of a full disk (%s) names the file, in its stack too', (code) => {
  const error = withPath(systemError(code), '/srv/uploads/a') as NodeJS.ErrnoException
  expect([error.path, error.message]).toEqual([
    '/srv/uploads/a',
    `${code}: no space left on device, write '/srv/uploads/a'`,
  ])
  expect(error.stack).toContain('/srv/uploads/a')
  expect(isOfFullDisk(new Error('hook', { cause: error }))).toBe(true)
})

it('Other errors, and errors with a path, stay as they are', () => {
  for (const error of [systemError('EIO'), systemError('ENOSPC', { path: '/other' }), 'text'])
    expect(String(withPath(error, '/srv/uploads/a'))).not.toContain('/srv')
  expect(isOfFullDisk(systemError('EIO'))).toBe(false)
})
