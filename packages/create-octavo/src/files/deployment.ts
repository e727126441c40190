import { type Choices, type Database, strapiPlugins } from '../choices.ts'
import { commandsOf, npm, type PackageManager } from '../package-manager.ts'
import { databaseName } from './configuration.ts'

/** The parts of a project that no image needs: secrets and content above all. */
const ignored = [
  'node_modules',
  '**/node_modules',
  '.git',
  '.github',
  '.env*',
  '.octavo',
  'public/uploads',
  'test',
  '*.tar*',
]

/** Dockerfile, compose file and CI. */
export function deployment(name: string, choices: Choices): Readonly<Record<string, string>> {
  const { database, from, plugins } = choices
  const hasUploads = (from === undefined ? plugins : strapiPlugins).includes('upload')
  return {
    Dockerfile: dockerfile(choices, hasUploads),
    '.dockerignore': `${ignored.join('\n')}\n`,
    'compose.yaml': compose(databaseName(name), database, hasUploads),
    '.github/workflows/ci.yml': workflow(choices.packageManager ?? npm),
  }
}

const dockerfile = (choices: Choices, hasUploads: boolean): string => {
  const folders = ['.octavo', ...(hasUploads ? ['public/uploads'] : [])].join(' ')
  const { packageManager = npm } = choices
  const { name, version } = packageManager
  const { lockFile, production } = commandsOf(packageManager)
  // pnpm may write settings of the project into a file of its own.
  const lockFiles = ['package.json', lockFile, ...(name === 'pnpm' ? ['pnpm-workspace.yaml*'] : [])].join(' ')
  // The image has npm and yarn.
  const preparation = name === 'pnpm' || name === 'bun' ? `npm install --global ${name}@${version} && ` : ''
  return `FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
COPY ${lockFiles} ./
RUN ${preparation}${production}
# All but what .dockerignore names: the configuration may import plugins and modules of its own.
COPY . .
RUN mkdir -p ${folders} && chown -R node:node ${folders}
USER node
EXPOSE 1337
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 1337) + '/_health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not by npm, which would not pass signals on.
CMD ["node_modules/.bin/octavo", "start", "--wait", "60s"]
`
}

function compose(database: string, kind: Database, hasUploads: boolean): string {
  const uploads = hasUploads ? ['uploads:/app/public/uploads'] : []
  const volumes = kind === 'postgres' ? uploads : ['data:/app/.octavo', ...uploads]
  const named = [...(kind === 'postgres' ? ['database:'] : ['data:']), ...(hasUploads ? ['uploads:'] : [])]
  const mounts = volumes.length > 0 ? `    volumes:\n${listed(volumes, 6)}` : ''
  return `services:
  api:
    build: .
    stop_grace_period: 30s
    ports:
      - '1337:1337'
    environment:
      OCTAVO_JWT_SECRET: \${OCTAVO_JWT_SECRET:?set it in .env, see .env.example}
${kind === 'postgres' ? `      DATABASE_URL: postgres://postgres:postgres@database:5432/${database}\n` : ''}${mounts}${kind === 'postgres' ? postgres(database) : ''}
volumes:
${named.map((volume) => `  ${volume}\n`).join('')}`
}

const listed = (items: readonly string[], indent: number): string =>
  items.map((item) => `${' '.repeat(indent)}- ${item}\n`).join('')

const postgres = (database: string): string => `    depends_on:
      database:
        condition: service_healthy
  database:
    image: postgres:17
    environment:
      POSTGRES_PASSWORD: postgres
      POSTGRES_DB: '${database}'
    healthcheck:
      test: ['CMD-SHELL', 'pg_isready -U postgres -d ${database}']
      interval: 2s
      retries: 30
    volumes:
      - database:/var/lib/postgresql/data
`

const workflow = (packageManager: PackageManager): string => `name: CI

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
${setupOf(packageManager)}      - uses: actions/setup-node@v5
        with:
          node-version: 24
${packageManager.name === 'bun' ? '' : `          cache: ${packageManager.name}\n`}      - run: ${commandsOf(packageManager).frozen}
      - run: ${commandsOf(packageManager).run} check
      - run: ${commandsOf(packageManager).run} typecheck
      - run: ${commandsOf(packageManager).test}
`

/** The step of a workflow that adds a package manager which the machine lacks, in the version that made the lock file. */
function setupOf({ name, version }: PackageManager): string {
  const step = (uses: string, key: string): string =>
    `      - uses: ${uses}\n        with:\n          ${key}: ${version}\n`
  if (name === 'pnpm') return step('pnpm/action-setup@v4', 'version')
  return name === 'bun' ? step('oven-sh/setup-bun@v2', 'bun-version') : ''
}
