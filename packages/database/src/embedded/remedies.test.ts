import { expect, it } from 'vitest'
import { reasonOf, remedyFor } from './remedies.ts'

it.each<[unknown, string, RegExp]>([
  [{ name: 'ErrnoError', errno: 51 }, 'no space left on device (ENOSPC)', /^Its disk is full/],
  [{ name: 'ErrnoError', errno: 19 }, 'quota exceeded (EDQUOT)', /^Its disk is full/],
  [{ name: 'ErrnoError', errno: 33 }, 'too many open files (EMFILE)', /may open too few/],
  [{ name: 'ErrnoError', errno: 2 }, 'permission denied (EACCES)', /the user of the process/],
  [{ name: 'ErrnoError', errno: 69 }, 'read-only file system (EROFS)', /is read-only/],
  [{ name: 'ErrnoError', errno: 29 }, 'error of the disk (EIO)', /damaged or incomplete/],
  [{ name: 'ErrnoError', errno: 999 }, 'the error 999 of the file system', /damaged or incomplete/],
  [new Error('could not open'), 'could not open', /damaged or incomplete/],
])('A start that fails with %j has a reason in words, and the remedy for it', (cause, reason, remedy) => {
  expect(reasonOf(cause)).toBe(reason)
  expect(remedyFor(reason)).toMatch(remedy)
})
