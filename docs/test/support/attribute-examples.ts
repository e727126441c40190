/** Examples of each scalar type: its definition, and values that are sent to a server, right and wrong ones. */
export interface AttributeExample {
  readonly about: string
  readonly definition: { readonly type: string; readonly [option: string]: unknown }
  readonly values: readonly unknown[]
}

export const attributeExamples: readonly AttributeExample[] = [
  {
    about: 'A short text.',
    definition: { type: 'string', minLength: 2, maxLength: 12, regex: '^[A-Z]' },
    values: ['First light', '', 'x', 7],
  },
  { about: 'A long text.', definition: { type: 'text' }, values: ['Two\nlines', null] },
  {
    about: 'A text with formatting, Markdown for example. The server stores it unchanged.',
    definition: { type: 'richtext' },
    values: ['It weaves **patterns**.'],
  },
  {
    about:
      'One of the texts in `enum`. A filter with another text finds nothing. The order is that of the texts.',
    definition: { type: 'enumeration', enum: ['news', 'review'] },
    values: ['review', 'poem'],
  },
  {
    about: 'An email address, stored as it was sent.',
    definition: { type: 'email' },
    values: ['ada@example.org', 'ada'],
  },
  {
    about:
      'A text that is stored as a bcrypt hash. It is never in an answer, and no filter, sort or search sees it.',
    definition: { type: 'password', minLength: 8 },
    values: ['correct horse', 'short'],
  },
  {
    about:
      'A text for addresses, such as a slug. It is unique, unless the definition has `unique: false`. With `targetField` and `generate`, a missing value is made from another attribute.',
    definition: { type: 'uid', targetField: 'string' },
    values: ['first-light', 'first light'],
  },
  {
    about: 'A day. A date with a time is accepted, and its date is stored.',
    definition: { type: 'date' },
    values: ['2024-02-29', '2024-02-29T23:30:00Z', '2023-02-29'],
  },
  {
    about: 'A time of day with up to three decimal places of a second, without a time zone.',
    definition: { type: 'time' },
    values: ['09:30:00', '09:30:00.250', '25:00:00'],
  },
  {
    about: 'A point in time with milliseconds. Answers have it in UTC.',
    definition: { type: 'datetime' },
    values: ['2024-01-31T09:00:00.000Z', '2024-01-31T10:00:00+01:00', 1706691600000, 'tomorrow'],
  },
  {
    about:
      'A point in time as milliseconds since 1970. It is text in answers, because JavaScript would round large numbers.',
    definition: { type: 'timestamp' },
    values: [1643767322000, '2022-02-02T02:02:02.000Z'],
  },
  {
    about: 'A whole number of 4 bytes.',
    definition: { type: 'integer', min: 0, max: 100 },
    values: [7, '7', 101, 1.5, 3000000000],
  },
  {
    about: 'A whole number of 8 bytes. It is text in answers, because JavaScript would round it.',
    definition: { type: 'biginteger' },
    values: ['9007199254740993', 7, 2 ** 53],
  },
  {
    about: 'A number with double precision.',
    definition: { type: 'float' },
    values: [0.125, '1e21', 'many'],
  },
  {
    about: 'An exact number with two decimal places and 18 digits before them. Further places are rounded.',
    definition: { type: 'decimal', min: 0 },
    values: [4.25, '4.20', 0.005, -1],
  },
  {
    about: 'True or false. `null`, the value of an entry without one, is neither.',
    definition: { type: 'boolean' },
    values: [true, 'false', 1, 'yes'],
  },
  {
    about: 'Any JSON value with at most 200 levels. Filters compare texts within it.',
    definition: { type: 'json' },
    values: [{ a: [1, null] }, 'text'],
  },
  { about: 'A JSON list.', definition: { type: 'array' }, values: [['a', 1], { a: 1 }] },
  {
    about:
      "Rich text as a list of blocks, the format of Strapi's blocks editor: paragraphs, headings, lists, quotes, code and images. The structure is checked. Blocks of other types that are stored already, as by an import, may remain in a text that is changed, as they are; new ones are refused.",
    definition: { type: 'blocks' },
    values: [
      [{ type: 'paragraph', children: [{ type: 'text', text: 'On', bold: true }] }],
      [{ type: 'heading', level: 7, children: [{ type: 'text', text: 'On' }] }],
    ],
  },
]
