/** Kinds of parts of a Strapi 4 project that Octavo does not run, with the section of the guide about each. */
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

/** The page and section about a kind of finding. */
export const guideOf = (kind: FindingKind): string => `docs/from-strapi-4.md#${findingKinds[kind]}`
