import { type Sql, sql } from '@octavo/core'
import { InvalidValue } from '@octavo/core/plugin'

/** Degrees, on the WGS 84 ellipsoid as usual. */
export interface GeoPoint {
  /** -90 to 90. */
  readonly latitude: number
  /** -180 to 180. */
  readonly longitude: number
}

/** The points within a distance of a point. */
export interface Circle extends GeoPoint {
  /** The distance on the sphere, in metres. */
  readonly metres: number
}

/** The mean radius of the earth, in metres. */
export const earthRadius = 6_371_008.8

/** Half of the circumference: a circle of this size has every point in it. */
const farthest = Math.ceil(Math.PI * earthRadius)

const expected = `latitude (-90 to 90), longitude (-180 to 180) and metres (0 to ${farthest}), as in 52.52,13.405,5000`

/** Reads `52.52,13.405,5000`. @throws InvalidValue */
export function readCircle(text: string): Circle {
  const [latitude, longitude, metres, ...more] = text.split(',').map(readNumber)
  if (
    more.length === 0 &&
    isWithin(latitude, -90, 90) &&
    isWithin(longitude, -180, 180) &&
    isWithin(metres, 0, farthest)
  )
    return { latitude, longitude, metres }
  throw new InvalidValue(expected)
}

const readNumber = (text: string): number => (/^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN)

export const isWithin = (value: unknown, low: number, high: number): value is number =>
  typeof value === 'number' && value >= low && value <= high

const latitudeOf = (point: Sql): Sql => sql`(${point}->'latitude')::float8`
const longitudeOf = (point: Sql): Sql => sql`(${point}->'longitude')::float8`

/** The stored point as a `point` of PostgreSQL, for which there are indexes: x is the longitude. */
export const indexedPoint = (point: Sql): Sql => sql`point(${longitudeOf(point)}, ${latitudeOf(point)})`

/**
 * Whether a stored point is in a circle: boxes around the circle, which an index answers, and then the distance by the haversine
 * formula. Null for null.
 */
export function isInCircle(point: Sql, circle: Circle): Sql {
  const boxes = boxesAround(circle).map(
    ([west, south, east, north]) =>
      sql`${indexedPoint(point)} <@ box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`,
  )
  const latitude = latitudeOf(point)
  const longitude = longitudeOf(point)
  // Beyond half of the circumference the sine decreases again.
  const angle = Math.min(circle.metres / earthRadius, Math.PI)
  return sql`(${sql.join(boxes, sql.raw(' or '))}) and
    power(sin(radians(${latitude} - ${circle.latitude}::float8) / 2), 2)
    + cos(radians(${latitude})) * cos(radians(${circle.latitude}::float8))
    * power(sin(radians(${longitude} - ${circle.longitude}::float8) / 2), 2)
    <= power(sin(${angle / 2}::float8), 2)`
}

type Box = readonly [west: number, south: number, east: number, north: number]

/** Degrees that the boxes are larger than the circle, for rounding: a tenth of a millimetre. */
const margin = 1e-9

/** One or two boxes that contain the circle: two when it crosses the 180th meridian. */
function boxesAround({ latitude, longitude, metres }: Circle): readonly Box[] {
  const radius = metres / earthRadius
  const height = (radius * 180) / Math.PI + margin
  const [south, north] = [latitude - height, latitude + height]
  // Around a pole there are all longitudes.
  if (south <= -90 || north >= 90) return [[-180, south, 180, north]]
  // The meridians that touch the circle do so nearer to the pole than its centre.
  const sine = Math.sin(radius) / Math.cos((latitude * Math.PI) / 180)
  const width = (Math.asin(Math.min(1, sine)) * 180) / Math.PI + margin
  const [west, east] = [longitude - width, longitude + width]
  if (west < -180)
    return [
      [-180, south, east, north],
      [west + 360, south, 180, north],
    ]
  if (east > 180)
    return [
      [west, south, 180, north],
      [-180, south, east - 360, north],
    ]
  return [[west, south, east, north]]
}
