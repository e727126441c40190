/** What a Strapi 4 project can have that Octavo does not run, with the section of the guide that says what becomes of it. */
export const findingKinds = {
  controller: 'controllers',
  service: 'services',
  route: 'routes',
  policy: 'policies',
  middleware: 'middlewares',
  lifecycle: 'lifecycles',
  start: 'start-and-stop',
  extension: 'extensions',
  plugin: 'plugins',
  'custom-field': 'custom-fields',
  cron: 'cron-tasks',
  migration: 'migrations',
  administration: 'administration',
  configuration: 'configuration',
} as const satisfies Record<string, string>

export type FindingKind = keyof typeof findingKinds

/** A part of a project that Octavo does not run or take over. */
export interface Finding {
  readonly kind: FindingKind
  /** Relative to the project. */
  readonly file: string
  /** What it is and what it seems to do, without a period. */
  readonly message: string
}

/** A value of a project's configuration that is in force. */
export interface Taken {
  readonly file: string
  /** `rest.maxLimit = 200` */
  readonly message: string
}

/** The page and section about a kind of finding. */
export const guideOf = (kind: FindingKind): string => `docs/from-strapi-4.md#${findingKinds[kind]}`
