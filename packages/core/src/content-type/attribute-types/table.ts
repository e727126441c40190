import type { ScalarType } from '../attribute-type.ts'
import { blocks } from './blocks.ts'
import { boolean } from './boolean.ts'
import { decimal } from './decimal.ts'
import { email } from './email.ts'
import { enumeration } from './enumeration.ts'
import { float } from './float.ts'
import { array, json } from './json.ts'
import { password } from './password.ts'
import { richtext, string, text } from './text.ts'
import { date, datetime, time, timestamp } from './time.ts'
import { uid } from './uid.ts'
import { biginteger, id, integer } from './whole-number.ts'

/** Core's attribute types, by name. Source: docs/contract/reading.md#answers; `blocks` from the recorded behaviour. */
const all = {
  string,
  text,
  richtext,
  enumeration,
  email,
  password,
  uid,
  date,
  time,
  datetime,
  timestamp,
  integer,
  biginteger,
  float,
  decimal,
  boolean,
  json,
  array,
  blocks,
} as const satisfies Record<string, ScalarType>

export type ScalarTypeName = keyof typeof all

export const scalarTypes: ReadonlyMap<string, ScalarType> = new Map(
  Object.values(all).map((type) => [type.name, Object.freeze(type)]),
)

/** The type of `id`, which is not in the attributes of a definition. */
export const idType: ScalarType = Object.freeze(id)
