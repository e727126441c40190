import type { ScalarType } from '../attribute-type.js'
import { blocks } from './blocks.js'
import { boolean } from './boolean.js'
import { decimal } from './decimal.js'
import { email } from './email.js'
import { enumeration } from './enumeration.js'
import { float } from './float.js'
import { array, json } from './json.js'
import { password } from './password.js'
import { richtext, string, text } from './text.js'
import { date, datetime, time, timestamp } from './time.js'
import { uid } from './uid.js'
import { biginteger, integer } from './whole-number.js'

/** Core's attribute types, by name. Source: spec, "Field types"; `blocks` from the recorded behaviour. */
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

/** What `id` is: it is not among the attributes that a definition lists. */
export const idType: ScalarType = integer
