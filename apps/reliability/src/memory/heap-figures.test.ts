import { expect, it } from 'vitest'
import { classesOf } from './classes.ts'
import { keptBy } from './heap-figures.ts'

it('divides the resident memory of a process without a rest that is counted twice', () => {
  const spaces = [
    { name: 'read_only_space', size: 1, used: 1 },
    { name: 'new_space', size: 16, used: 9 },
    { name: 'new_large_object_space', size: 2, used: 2 },
    { name: 'old_space', size: 40, used: 30 },
    { name: 'code_space', size: 8, used: 5 },
  ]
  expect(keptBy(150, 55, { arrayBuffers: 4, spaces })).toEqual({
    resident: 150,
    program: 55,
    young: 18,
    used: 35,
    unused: 13,
    code: 8,
    arrayBuffers: 4,
    rest: 25,
  })
})

it('adds up the objects of a heap snapshot by their class', () => {
  const nodes = [0, 0, 7, 0, 0, 5, 1, 1, 20]
  const meta = { node_fields: ['type', 'name', 'self_size'], node_types: [['object', 'string']] }
  expect(classesOf({ snapshot: { meta }, nodes, strings: ['Lane', 'a text'] })).toEqual([
    { name: 'string', count: 1, bytes: 20 },
    { name: 'object: Lane', count: 2, bytes: 12 },
  ])
})
