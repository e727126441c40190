import { expect, it } from 'vitest'
import { atStart } from './unreachable.ts'

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /is not accepted \(no\); sslrootcert=ca\.pem in the URL/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /is not accepted \(no\); sslrootcert=ca\.pem in the URL/],
  ['CERT_HAS_EXPIRED', /is not accepted \(no\)/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /is for another host \(no\)/],
])(
  'A certificate that is refused with %s is named with the server, without the password',
  (code, message) => {
    const error = atStart(
      Object.assign(new Error('no'), { code }),
      'postgres://me:secret@db.example.org/site',
    )
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(
        new RegExp(`^PostgreSQL at db.example.org:5432 cannot be used: its certificate ${message.source}`),
      ),
    })
    expect((error as Error).message).not.toContain('secret')
  },
)
