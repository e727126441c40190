import {
  ApplicationError,
  asGiven,
  defineProblems,
  errorClass,
  ForbiddenError,
  NotFoundError,
} from '@octavo/database'
import { describe, expect, it } from 'vitest'
import { problem } from './problems.ts'

describe('problem', () => {
  it('creates the error of the code, with its message and details', () => {
    const error = problem('query/unknown-attribute', {
      at: 'sort',
      attribute: 'titel',
      type: 'article',
      hint: '.',
    })
    expect(error).toMatchObject({
      status: 400,
      name: 'ValidationError',
      code: 'query/unknown-attribute',
      details: {},
    })
    expect(error.message).toBe('sort: article has no attribute "titel".')
  })
})

describe('defineProblems', () => {
  const made = defineProblems({
    'tenant/closed': { error: ForbiddenError, message: 'This tenant is closed.' },
    'tenant/unknown': {
      error: NotFoundError,
      message: (d: { name: string }) => `There is no tenant "${d.name}".`,
      example: { name: 'acme' },
    },
    'tenant/other': { error: ApplicationError, message: asGiven },
    'tenant/moved': {
      error: errorClass('GoneError', 410),
      errorFor: ({ status }) => errorClass('MovedError', status),
      message: (d: { status: number }) => `Moved (${d.status}).`,
    },
  })

  it('makes an error of a message without details', () => {
    const cause = new Error('why')
    const error = made('tenant/closed', {}, { details: { until: 'May' }, cause })
    expect(error).toBeInstanceOf(ForbiddenError)
    expect(error).toMatchObject({ message: 'This tenant is closed.', details: { until: 'May' }, cause })
  })

  it('makes an error of a message with details', () => {
    expect(made('tenant/unknown', { name: 'x' })).toMatchObject({
      status: 404,
      message: 'There is no tenant "x".',
      details: {},
    })
    expect(made('tenant/other', { message: 'In these words.' }).message).toBe('In these words.')
  })

  it('selects the class of the error by the details where the row has errorFor', () => {
    expect(made('tenant/moved', { status: 421 })).toMatchObject({ status: 421, name: 'MovedError' })
  })

  it('has its rows for documentation', () => {
    expect(Object.keys(made.rows)).toEqual([
      'tenant/closed',
      'tenant/unknown',
      'tenant/other',
      'tenant/moved',
    ])
  })

  it('does not compile with an unknown code, without details, or with an example of another type', () => {
    const wrong = () => [
      // @ts-expect-error no such code
      made('tenant/none'),
      // @ts-expect-error the message needs a name
      made('tenant/unknown'),
      // @ts-expect-error the name is text
      made('tenant/unknown', { name: 1 }),
      defineProblems({
        'tenant/unknown': {
          error: NotFoundError,
          message: (d: { name: string }) => d.name,
          // @ts-expect-error the example lacks the name
          example: {},
        },
      }),
    ]
    expect(wrong).toBeTypeOf('function')
  })
})
