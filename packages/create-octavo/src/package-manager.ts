/** The package manager that a project is made for: the one that runs this command. */

export type PackageManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** A package manager, and its version. */
export interface PackageManager {
  readonly name: PackageManagerName
  /** `10.2.0`. npm comes with Node.js, so its version is not used. */
  readonly version: string
}

export const npm: PackageManager = { name: 'npm', version: '' }

/** The commands of a package manager. */
interface Commands {
  readonly install: string
  readonly start: string
  readonly test: string
  /** Runs a script of `package.json`. */
  readonly run: string
  /** Runs a program of an installed package. */
  readonly exec: string
  readonly lockFile: string
  /** Installs exactly the packages of the lock file. */
  readonly frozen: string
  /** The installation without packages for development. */
  readonly production: string
}

const commands = {
  npm: {
    install: 'npm install',
    start: 'npm start',
    test: 'npm test',
    run: 'npm run',
    exec: 'npx',
    lockFile: 'package-lock.json',
    frozen: 'npm ci',
    production: 'npm ci --omit=dev',
  },
  pnpm: {
    install: 'pnpm install',
    start: 'pnpm start',
    test: 'pnpm test',
    run: 'pnpm run',
    exec: 'pnpm exec',
    lockFile: 'pnpm-lock.yaml',
    frozen: 'pnpm install --frozen-lockfile',
    production: 'pnpm install --frozen-lockfile --prod',
  },
  yarn: {
    install: 'yarn install',
    start: 'yarn start',
    test: 'yarn test',
    run: 'yarn run',
    exec: 'yarn run',
    lockFile: 'yarn.lock',
    frozen: 'yarn install --frozen-lockfile',
    production: 'yarn install --frozen-lockfile --production',
  },
  bun: {
    install: 'bun install',
    start: 'bun run start',
    // `bun test` is a test runner of bun.
    test: 'bun run test',
    run: 'bun run',
    exec: 'bunx',
    lockFile: 'bun.lock',
    frozen: 'bun install --frozen-lockfile',
    production: 'bun install --frozen-lockfile --production',
  },
} as const satisfies Record<PackageManagerName, Commands>

export const commandsOf = ({ name }: PackageManager): Commands => commands[name]

/**
 * The package manager of `npm_config_user_agent`, which each of them sets for the programs that it runs: `pnpm/10.2.0 npm/? node/v24.0.0 linux x64`.
 * npm without the variable, for an unknown one, and for yarn 2 or later, whose projects have no folder node_modules.
 */
export function runningPackageManager(agent = process.env.npm_config_user_agent ?? ''): PackageManager {
  const [, name, version = ''] = /^(pnpm|yarn|bun)\/(\d+\.\d+\.\d+)/.exec(agent) ?? []
  if (name === undefined || (name === 'yarn' && !version.startsWith('1.'))) return npm
  return { name: name as PackageManagerName, version } // the expression has only these names
}
