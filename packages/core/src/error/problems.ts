import {
  ApplicationError,
  databaseProblems,
  defineProblems,
  type Mistake,
  PaginationError,
  PayloadTooLargeError,
  ValidationError,
} from '@octavo/database'
import { entryProblems } from './entry-problems.ts'

/**
 * The message of several mistakes: the message of a single mistake, or the number of mistakes.
 * @param count The number of all mistakes, if `errors` has only the first. Default: the number of `errors`.
 */
export const inSummary = ({
  errors,
  count = errors.length,
}: {
  readonly errors: readonly Mistake[]
  readonly count?: number
}): string => (count === 1 && errors[0] ? errors[0].message : `${count} errors occurred`)

/**
 * The problems of queries, entries and the database. `at` is a place in the query string, such as
 * `filters[author][name][$eq]`.
 */
export const problem = defineProblems({
  'query/too-long': {
    error: PayloadTooLargeError,
    message: (d: { limit: number }) => `The query string is longer than ${d.limit} characters.`,
    example: { limit: 65_536 },
  },
  'query/too-many-parameters': {
    error: ValidationError,
    message: (d: { limit: number }) => `The query string has more than ${d.limit} parameters.`,
    example: { limit: 2_000 },
  },
  'query/too-deep': {
    error: ValidationError,
    message: (d: { limit: number }) => `The query string nests deeper than ${d.limit} brackets.`,
    example: { limit: 40 },
  },
  'query/malformed': {
    error: ValidationError,
    message: (d: { reason: string }) => `The query string cannot be read: ${d.reason}.`,
    example: { reason: '"%E0%A4" is badly encoded' },
  },
  'query/list-too-long': {
    error: ValidationError,
    message: (d: { at: string; limit: number }) => `${d.at}: a list may have at most ${d.limit} elements.`,
    example: { at: 'filters[id][$in]', limit: 1_000 },
  },
  'query/misplaced-paging': {
    error: PaginationError,
    message: (d: { name: string }) => `Invalid parameter "${d.name}": did you mean pagination[${d.name}]?`,
    example: { name: 'page' },
  },
  'query/mixed-paging': {
    error: ValidationError,
    message: (d: { at: string }) => `${d.at}: use page with pageSize, or start with limit, not both.`,
    example: { at: 'pagination' },
  },
  'query/bad-paging': {
    error: ValidationError,
    message: (d: { at: string; value: string; expected: string }) =>
      `${d.at}: expected ${d.expected}, not "${d.value}".`,
    example: { at: 'pagination[page]', value: 'x', expected: 'a whole number' },
  },
  'query/bad-cursor': {
    error: ValidationError,
    message: (d: { at: string; reason: string }) => `${d.at}: ${d.reason}.`,
    example: {
      at: 'pagination[after]',
      reason: 'this is not a cursor of this server; send the text in meta.pagination.cursors unchanged',
    },
  },
  'query/bad-sort': {
    error: ValidationError,
    message: (d: { at: string; value: string }) =>
      `${d.at}: "${d.value}" is not a sort term; write name, name:asc or name:desc.`,
    example: { at: 'sort', value: 'title:up' },
  },
  'query/bad-fields': {
    error: ValidationError,
    message: (d: { at: string }) => `${d.at}: expected a name, a list of names or *.`,
    example: { at: 'fields' },
  },
  'query/bad-populate': {
    error: ValidationError,
    message: (d: { at: string; reason: string }) => `${d.at}: ${d.reason}.`,
    example: { at: 'populate', reason: 'expected a name, a list of names, an object or *' },
  },
  'query/populate-too-deep': {
    error: ValidationError,
    message: (d: { at: string; limit: number }) => `${d.at}: populate goes deeper than ${d.limit} levels.`,
    example: { at: 'populate[author]', limit: 20 },
  },
  'query/populate-too-large': {
    error: ValidationError,
    message: (d: { limit: number }) => `populate names more than ${d.limit} places in all.`,
    example: { limit: 500 },
  },
  'query/bad-filter': {
    error: ValidationError,
    message: (d: { at: string; reason: string }) => `${d.at}: ${d.reason}.`,
    example: { at: 'filters', reason: 'expected an object' },
  },
  'query/filter-too-large': {
    error: ValidationError,
    message: (d: { limit: number }) => `filters hold more than ${d.limit} conditions in all.`,
    example: { limit: 2_000 },
  },
  'query/filter-texts-too-long': {
    error: ValidationError,
    message: (d: { limit: number }) =>
      `filters search for texts of more than ${d.limit} characters in all ($contains, $endsWith and their variants).`,
    example: { limit: 1_000 },
  },
  'query/path-too-long': {
    error: ValidationError,
    message: (d: { at: string; limit: number; what: string }) =>
      `${d.at}: a path may go through at most ${d.limit} ${d.what}.`,
    example: { at: 'sort', limit: 6, what: 'relations and components with many entries' },
  },
  'query/too-many-steps': {
    error: ValidationError,
    message: (d: { limit: number }) =>
      `filters and sort go through more than ${d.limit} relations and components in all.`,
    example: { limit: 500 },
  },
  'query/unknown-operator': {
    error: ValidationError,
    message: (d: { at: string; operator: string; hint: string }) =>
      `${d.at}: there is no operator "${d.operator}"${d.hint}`,
    example: { at: 'filters[name]', operator: '$x', hint: '; there are $eq, $contains.' },
  },
  'query/bad-value': {
    error: ValidationError,
    message: (d: { at: string; value: string; expected: string }) =>
      `${d.at}: expected ${d.expected}, not "${d.value}".`,
    example: { at: 'filters[id]', value: 'x', expected: 'a whole number' },
  },
  'query/unknown-attribute': {
    error: ValidationError,
    message: (d: { at: string; attribute: string; type: string; hint: string }) =>
      `${d.at}: ${d.type} has no attribute "${d.attribute}"${d.hint}`,
    example: {
      at: 'filters[titel]',
      attribute: 'titel',
      type: 'article',
      hint: '; did you mean "title"?',
    },
  },
  'query/not-usable': {
    error: ValidationError,
    message: (d: { at: string; attribute: string; reason: string }) =>
      `${d.at}: "${d.attribute}" ${d.reason}.`,
    example: { at: 'filters[notes]', attribute: 'notes', reason: 'cannot be filtered by' },
  },
  'query/bad-search': {
    error: ValidationError,
    message: (d: { at: string }) => `${d.at}: expected one text.`,
    example: { at: '_q' },
  },
  'query/search-too-long': {
    error: ValidationError,
    message: (d: { at: string; limit: number }) =>
      `${d.at}: a phrase may have at most ${d.limit} characters.`,
    example: { at: '_q', limit: 1_000 },
  },
  'query/search-too-short': {
    error: ValidationError,
    message: (d: { at: string }) =>
      `${d.at}: the index of this content-type finds phrases with at least three letters or digits in a row.`,
    example: { at: '_q' },
  },
  'query/unknown-parameter': {
    error: ValidationError,
    message: (d: { name: string; hint: string }) => `There is no parameter "${d.name}"${d.hint}`,
    example: { name: 'filtres', hint: '; did you mean "filters"?' },
  },
  'query/nothing-to-populate': {
    error: ValidationError,
    message: (d: { at: string; name: string; hint: string }) =>
      `${d.at}: there is nothing to populate under the name "${d.name}"${d.hint}`,
    example: { at: 'populate', name: 'athor', hint: '; did you mean "author"?' },
  },
  'query/unknown-value': {
    error: ValidationError,
    message: (d: { at: string; name: string; hint: string }) => `${d.at}: there is no "${d.name}"${d.hint}`,
    example: { at: 'locale', name: 'fx', hint: '; did you mean "fr"?' },
  },
  'query/foreign-parameter': {
    error: ValidationError,
    message: (d: { at: string; plugin: string; instead: string }) =>
      `${d.at}: this is a parameter of ${d.plugin}, which Octavo does not have; ${d.instead}.`,
    example: {
      at: 'populate=deep,3',
      plugin: 'populate-deep',
      instead: 'name the relations to populate, such as populate[blocks][populate]=*',
    },
  },
  'query/bad-parameter': {
    error: ValidationError,
    message: (d: { at: string; value: string; expected: string }) =>
      `${d.at}: expected ${d.expected}, not "${d.value}".`,
    example: { at: 'publicationState', value: 'x', expected: 'live or preview' },
  },
  'query/too-complex': {
    error: ValidationError,
    message: (d: { at: string; limit: number; found: number; unit: string }) =>
      `The query has ${d.found} ${d.unit}, most of them in ${d.at}, and the limit is ${d.limit}. Request less at a time.`,
    example: { at: 'filters[author][articles]', found: 612, unit: 'tables to read', limit: 300 },
  },
  'query/answer-too-large': {
    error: PayloadTooLargeError,
    message: (d: { at: string; limit: number; unit: string }) =>
      `The answer would have more than ${d.limit} ${d.unit}, most of them in ${d.at}. Request a smaller page, populate less, or limit a populated list (populate[name][limit]).`,
    example: { at: 'populate[articles]', limit: 50_000, unit: 'entries and components' },
  },
  ...entryProblems,
  'entry/invalid': {
    error: ValidationError,
    errorFor: ({ errors }) =>
      errors.length > 0 && errors.every(({ name }) => name === 'ApplicationError')
        ? ApplicationError
        : ValidationError,
    message: inSummary,
    when: 'values that the content-type does not take, relations that do not exist, values that must be unique and are not; all mistakes at once. Also a write that a constraint or trigger refuses which others have added to the database',
  },
  ...databaseProblems,
})
