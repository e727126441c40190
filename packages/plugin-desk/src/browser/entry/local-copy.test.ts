import { expect, it } from 'vitest'
import { type GroupValue, modelOf, readEntry } from '../../form/index.ts'
import { withoutSecrets } from './local-copy.ts'

const model = modelOf({
  types: [
    {
      uid: 'api::door.door',
      attributes: {
        name: { type: 'string' },
        code: { type: 'password' },
        locks: { type: 'component', component: 'door.lock', repeatable: true },
      },
    },
  ],
  components: [{ uid: 'door.lock', attributes: { code: { type: 'password' }, maker: { type: 'string' } } }],
})

it('S-59: a local copy has no passwords, at any depth', () => {
  const typed: GroupValue = {
    uid: 'api::door.door',
    id: 1,
    fields: {
      name: { kind: 'scalar', value: 'Front' },
      code: { kind: 'scalar', value: 's3cret' },
      locks: {
        kind: 'components',
        items: [
          {
            uid: 'door.lock',
            id: 2,
            key: 'door.lock:2',
            fields: { code: { kind: 'scalar', value: 's3cret' }, maker: { kind: 'scalar', value: 'Smith' } },
          },
        ],
      },
    },
  }
  const text = JSON.stringify(withoutSecrets(model, typed))
  expect(text).not.toContain('s3cret')
  expect(text).toContain('Smith')
  expect(
    withoutSecrets(model, readEntry(model, 'api::door.door', { id: 1, attributes: { name: 'Front' } })).fields
      .name,
  ).toEqual({
    kind: 'scalar',
    value: 'Front',
  })
})
