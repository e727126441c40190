/** Random bodies in the forms that routes accept, with values of any kind. */
import fc from 'fast-check'
import { query } from './fuzz-queries.ts'
import { attributes, text } from './fuzz-words.ts'

const entry = fc.dictionary(
  fc.constantFrom(...attributes.filter((key) => key !== '__proto__')),
  fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    text,
    fc.record(
      { connect: fc.jsonValue({ maxDepth: 2 }), set: fc.jsonValue({ maxDepth: 1 }) },
      { requiredKeys: [] },
    ),
    fc.constantFrom<unknown>([1, 2], { id: 1 }, [{ __component: 'list.note', id: 1 }], { __proto__: 1 }),
  ),
  { maxKeys: 5 },
)
const json = fc.oneof(
  { weight: 5, arbitrary: entry.map((data) => JSON.stringify({ data })) },
  { weight: 2, arbitrary: entry.map((data) => JSON.stringify(data)) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: entry.map((data) => JSON.stringify({ data }).slice(0, -2)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"__proto__":{"a":1},"data":{}}', '[', '""', '{"data":1}', '\u0000', ''),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('identifier', 'email', 'username'), text, text)
      .map(([key, value, password]) => JSON.stringify({ [key]: value, password, code: password })),
  },
)
const boundary = 'octavo-fuzz'
const multipart = fc
  .array(
    fc.tuple(
      fc.constantFrom('files', 'data', 'fileInfo', 'ref', 'refId', 'field', 'files.cover', 'x'),
      fc.constantFrom('', '; filename="a.png"', '; filename="../a.html"', '; filename=""', '; filename*=x'),
      fc.oneof(json, text, fc.string({ unit: 'binary', maxLength: 200 })),
    ),
    { maxLength: 4 },
  )
  .chain((parts) =>
    fc
      .constantFrom(`--${boundary}--\r\n`, `--${boundary}--\r\n`, '', '--')
      .map(
        (end) =>
          `${parts.map(([key, file, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${key}"${file}\r\n\r\n${value}\r\n`).join('')}${end}`,
      ),
  )

export const contents: fc.Arbitrary<
  { readonly type: string | undefined; readonly body: string } | undefined
> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 5, arbitrary: json.map((body) => ({ type: 'application/json', body })) },
  {
    weight: 1,
    arbitrary: json.map((body) => ({ type: 'application/vnd.api+json; charset=latin1', body })),
  },
  {
    weight: 1,
    arbitrary: query.map((body) => ({ type: 'application/x-www-form-urlencoded', body: body.slice(1) })),
  },
  {
    weight: 2,
    arbitrary: multipart.map((body) => ({ type: `multipart/form-data; boundary=${boundary}`, body })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('multipart/form-data', 'text/plain', 'image/png', 'x', 'application/json; charset=x')
      .map((type) => ({ type, body: '{}' })),
  },
  { weight: 1, arbitrary: json.map((body) => ({ type: undefined, body })) },
)
