import { isObject } from '@octavo/core/internal'
import type { Schema } from '../records.ts'

/** Whether a value has the parts of a schema that everything else relies on. */
export const isSchema = (value: unknown): value is Schema =>
  isObject(value) &&
  typeof value.uid === 'string' &&
  isObject(value.attributes) &&
  Object.values(value.attributes).every(isObject)
