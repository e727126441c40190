import { type ScalarOptions, sql, type Transaction } from '@octavo/core'
import {
  type ContentType,
  definePlugin,
  InvalidValue,
  type Plugin,
  type ScalarAttribute,
  type ScalarType,
  scalarTypes,
} from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server
import { type GeoPoint, indexedPoint, isInCircle, isWithin, readCircle } from './circle.ts'

declare module '@octavo/core' {
  interface AttributeOptions {
    'geo-point': ScalarOptions<GeoPoint>
  }
  interface AttributeValues {
    'geo-point': GeoPoint
  }
  interface AddedOperators {
    /** Latitude, longitude, metres. */
    $near: { readonly on: 'geo-point'; readonly operand: `${number},${number},${number}` }
  }
}

const typeName = 'geo-point'

/** The attribute type `geo-point`, and `filters[location][$near]=52.52,13.405,5000` for it. */
export const geo = (): Plugin =>
  definePlugin({
    name: 'geo',
    setup(host) {
      host.attributeType(geoPoint())
      host.operator('$near', {
        on: ['geo-point'],
        meaning: 'within a distance of a point: latitude,longitude,metres',
        example: '52.52,13.405,5000',
        read: readCircle,
        sql: isInCircle,
        reads: [],
      })
      host.hook('server:describe', () => ({ values: { [typeName]: () => schema } }))
      host.forEachType(async (type) => {
        for (const attribute of pointsOf(type))
          await host.once(`index of ${type.table}.${attribute.column}`, (tx) => addIndex(tx, type, attribute))
      })
    },
  })

/** An object `{ "latitude": 52.52, "longitude": 13.405 }`, stored as JSON; in filters `52.52,13.405`. */
function geoPoint(): ScalarType {
  const json = scalarTypes.get('json')
  if (json?.kind !== 'scalar') throw new Error('core has no type "json"')
  return {
    ...json,
    name: typeName,
    operators: ['any'],
    fromQuery: (text) => {
      const { latitude, longitude } = readCircle(`${text},0`)
      return JSON.stringify({ latitude, longitude })
    },
    fromJson: (value) => {
      if (!isPoint(value))
        throw new InvalidValue('an object with latitude (-90 to 90) and longitude (-180 to 180) in degrees')
      return JSON.stringify({ latitude: value.latitude, longitude: value.longitude })
    },
    toText: (column) => sql`(${column}->>'latitude') || ',' || (${column}->>'longitude')`,
  }
}

function isPoint(value: unknown): value is GeoPoint {
  if (typeof value !== 'object' || value === null) return false
  const { latitude, longitude, ...more } = value as Partial<GeoPoint> // each is checked
  return isWithin(latitude, -90, 90) && isWithin(longitude, -180, 180) && Object.keys(more).length === 0
}

const schema = {
  type: 'object',
  required: ['latitude', 'longitude'],
  additionalProperties: false,
  properties: {
    latitude: { type: 'number', minimum: -90, maximum: 90 },
    longitude: { type: 'number', minimum: -180, maximum: 180 },
  },
}

const pointsOf = (type: ContentType): readonly ScalarAttribute[] =>
  [...type.attributes.values()].flatMap((attribute) =>
    attribute.kind === 'scalar' && attribute.type.name === typeName ? [attribute] : [],
  )

/** PostgreSQL names the index, so that the update of the tables leaves it alone. */
async function addIndex(tx: Transaction, { table }: ContentType, { column }: ScalarAttribute): Promise<void> {
  await tx.run(sql`create index on ${sql.id(table)} using gist ((${indexedPoint(sql.id(column))}))`)
}
