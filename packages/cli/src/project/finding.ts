/** Kinds of parts of a Strapi 4 project that Octavo does not run, with the section of the guide about each. */
export const findingKinds = {
  version: 'strapi-5',
  definition: 'content-types',
  controller: 'controllers',
  service: 'services',
  route: 'routes',
  policy: 'policies',
  middleware: 'middlewares',
  lifecycle: 'lifecycles',
  start: 'start-and-stop',
  extension: 'extensions',
  plugin: 'plugins',
  provider: 'providers',
  'custom-field': 'custom-fields',
  cron: 'cron-tasks',
  migration: 'migrations',
  administration: 'administration',
  configuration: 'configuration',
} as const satisfies Record<string, string>

export type FindingKind = keyof typeof findingKinds

/** A part of a project that Octavo neither runs nor reads. */
export interface Finding {
  readonly kind: FindingKind
  /** Relative to the project. */
  readonly file: string
  /** A description with hints on its purpose, without a period. */
  readonly message: string
}

/** A value of a project's configuration that Octavo uses. */
export interface UsedSetting {
  readonly file: string
  /** `rest.maxLimit = 200` */
  readonly message: string
}

/** The page about findings. */
export const guide = 'docs/from-strapi-4.md'

/** The page and section about a kind of finding. */
export const guideOf = (kind: FindingKind): string => `${guide}#${findingKinds[kind]}`

/** The nouns of kinds whose names are none, or have a plural of their own. */
const nouns: Partial<Record<FindingKind, readonly [one: string, many: string]>> = {
  version: ['version of Strapi', 'versions of Strapi'],
  definition: ['definition in code', 'definitions in code'],
  policy: ['policy', 'policies'],
  lifecycle: ['file of lifecycles', 'files of lifecycles'],
  start: ['function of src/index', 'functions of src/index'],
  'custom-field': ['custom field', 'custom fields'],
  cron: ['list of cron tasks', 'lists of cron tasks'],
  administration: ['change of the administration', 'changes of the administration'],
  configuration: ['setting', 'settings'],
}

/** The singular and the plural of a kind of finding. */
export const nounOf = (kind: FindingKind): readonly [one: string, many: string] =>
  nouns[kind] ?? [kind, `${kind}s`]
