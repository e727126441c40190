/** The projects that create-octavo makes. The walk of this package runs their tests, and that of the command line installs one. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { bin, octavo, openProjects, type Projects, strapiProject } from './projects.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let projects: Projects
let folder: string
beforeAll(() => {
  projects = openProjects()
  folder = projects.folder
})
afterAll(() => projects.remove())

const create = (...args: readonly string[]) => projects.create(...args)
const read = (file: string): string => projects.read(file)

describe('create-octavo', () => {
  it.each([
    ['defaults', ['--yes']],
    ['all', ['--plugins', 'all', '--database', 'postgres']],
    ['none', ['--plugins', 'none', '--database', 'embedded']],
    ['some', ['--plugins', 'i18n, desk,graphql,draft-publish,@octavo/plugin-users-permissions']],
  ])('creates a project: %s', (name, flags) => {
    const { status, stdout, stderr } = create(name, ...flags)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/npm install\n {2}npm test\n {2}npm start\n$/)
    // It has everything that the others have.
    if (name === 'all') projects.compile(name)
    for (const file of ['compose.yaml', '.github/workflows/ci.yml'])
      expect(() => parse(read(`${name}/${file}`))).not.toThrow()
    expect(Object.keys(parse(read(`${name}/compose.yaml`)).services)).toEqual(
      name === 'all' ? ['api', 'database'] : ['api'],
    )
    // A server that is stopped may take 25 seconds: for load balancers, its requests, and its plugins.
    expect(parse(read(`${name}/compose.yaml`)).services.api.stop_grace_period).toBe('30s')
    expect(existsSync(path.join(folder, name, 'package.json'))).toBe(true)
    for (const file of ['Dockerfile', '.dockerignore', 'README.md', '.gitignore', '.env.example'])
      expect(read(`${name}/${file}`)).not.toBe('')
    expect(read(`${name}/.gitignore`)).toContain('.env\n')
    // The pages of editors need their accounts.
    const configuration = read(`${name}/octavo.config.ts`)
    expect(configuration.includes('editors()')).toBe(configuration.includes('desk()'))
  })

  it.each([
    {
      agent: 'pnpm/10.2.0 npm/? node/v24.21.0 linux x64',
      steps: ['pnpm install', 'pnpm test', 'pnpm start'],
      image: ['pnpm-lock.yaml', 'npm install --global pnpm@10.2.0 && pnpm install --frozen-lockfile --prod'],
      workflow: ['pnpm/action-setup@v4', 'cache: pnpm', 'run: pnpm run typecheck'],
      readme: 'pnpm exec octavo generate',
    },
    {
      agent: 'yarn/1.22.22 npm/? node/v24.21.0 linux x64',
      steps: ['yarn install', 'yarn test', 'yarn start'],
      image: ['yarn.lock', 'RUN yarn install --frozen-lockfile --production'],
      workflow: ['cache: yarn', 'run: yarn run typecheck'],
      readme: 'yarn run octavo generate',
    },
    {
      agent: 'bun/1.4.0 npm/? node/v24.3.0 linux x64',
      steps: ['bun install', 'bun run test', 'bun run start'],
      image: ['bun.lock', 'npm install --global bun@1.4.0 && bun install --frozen-lockfile --production'],
      workflow: ['oven-sh/setup-bun@v2', 'run: bun run test'],
      readme: 'bunx octavo generate',
    },
    {
      agent: 'yarn/4.9.0 npm/? node/v24.21.0 linux x64',
      steps: ['npm install', 'npm test', 'npm start'],
      image: ['package-lock.json', 'RUN npm ci --omit=dev'],
      workflow: ['cache: npm', 'run: npm ci'],
      readme: 'npx octavo generate',
    },
  ])(
    'has the commands of the package manager that runs it: $agent',
    ({ agent, steps, image, workflow, readme }) => {
      const name = `by-${agent.replace(/ .*/, '').replaceAll(/[^a-z0-9]/g, '-')}`
      const { status, stdout } = projects.createBy(agent, name, '--yes')
      expect([status, stdout.split('\n').slice(-4, -1)]).toEqual([0, steps.map((step) => `  ${step}`)])
      for (const part of image) expect(read(`${name}/Dockerfile`)).toContain(part)
      for (const part of workflow) expect(read(`${name}/.github/workflows/ci.yml`)).toContain(part)
      expect(() => parse(read(`${name}/.github/workflows/ci.yml`))).not.toThrow()
      expect(read(`${name}/README.md`)).toContain(readme)
    },
  )

  it('puts plugins of the project into the image, and no secrets', () => {
    expect(create('image', '--yes').status).toBe(0)
    expect(projects.run('image', octavo, 'generate', 'plugin', 'audit').status).toBe(0)
    expect(read('image/Dockerfile')).toContain('\nCOPY . .\n')
    const ignored = read('image/.dockerignore').trim().split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.env*', '.octavo', 'public/uploads', 'node_modules']))
    for (const name of ['plugins', 'content', 'data.json', 'octavo.config.ts']) {
      expect(readdirSync(path.join(folder, 'image'))).toContain(name)
      expect(ignored).not.toContain(name)
    }
  })

  it('offers the plugins changes and webhooks', () => {
    const flags = ['--plugins', 'webhooks,changes', '--database', 'embedded']
    expect(create('feeds', ...flags)).toMatchObject({ status: 0, stderr: '' })
    const configuration = read('feeds/octavo.config.ts')
    expect(configuration).toContain("import { changes } from '@octavo/plugin-changes'")
    expect(configuration).toMatch(/plugins: \[\n {4}changes\(\),\n {4}webhooks\(\{/)
    expect(Object.keys(JSON.parse(read('feeds/package.json')).dependencies)).toEqual(
      expect.arrayContaining(['@octavo/plugin-changes', '@octavo/plugin-webhooks']),
    )
    expect(create('without', '--yes').status).toBe(0)
    expect(read('without/package.json')).not.toMatch(/plugin-(?:changes|webhooks)/)
  })

  it('starts from a Strapi 4 project, and check lists its code', () => {
    expect(create('moved', '--from', strapiProject)).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(path.join(folder, 'moved/src/admin'))).toBe(false)
    expect(projects.run('moved', octavo, 'check').stdout).toContain('lifecycles')
  })

  it('prints the import of an archive with --no-install', () => {
    writeFileSync(path.join(folder, 'export.tar.gz'), '')
    const { status, stdout } = create('archive', '--from', 'export.tar.gz', '--key', 'k', '--no-install')
    expect(status).toBe(0)
    expect(stdout).toContain('npm install\n')
    expect(stdout).toMatch(/npx octavo import strapi .*export\.tar\.gz --database file:\S+ --key "\$KEY"/)
    expect(existsSync(path.join(folder, 'archive/octavo.config.ts'))).toBe(false)
    // The configuration that the import writes imports these plugins.
    const { dependencies } = JSON.parse(read('archive/package.json'))
    for (const plugin of ['draft-publish', 'graphql', 'i18n', 'upload', 'users-permissions'])
      expect(dependencies).toHaveProperty([`@octavo/plugin-${plugin}`])
  })

  it.each([
    ['', 'Name the folder of the project: npm create octavo@latest my-api'],
    ['node_modules', 'The folder "node_modules" cannot be the name of a package; choose another name'],
    ['favicon.ico', 'The folder "favicon.ico" cannot be the name of a package; choose another name'],
  ])('refuses the folder "%s"', (name, message) => {
    const before = readdirSync(folder)
    expect(create(name, '--yes')).toMatchObject({ status: 1, stderr: `create-octavo: ${message}\n` })
    expect(readdirSync(folder)).toEqual(before)
  })

  // The system denies that /proc exists. The test would never end if the command tried again.
  it.runIf(process.platform === 'linux')('names a folder that the system does not make', () => {
    expect(create('/proc/octavo/my-api', '--yes')).toMatchObject({
      status: 1,
      stderr:
        "create-octavo: /proc/octavo/my-api was not created: ENOENT: no such file or directory, mkdir '/proc/octavo'\n",
    })
  })

  it.skipIf(process.platform === 'win32')('leaves nothing of a project that cannot be copied', () => {
    const old = path.join(folder, 'old-with-pipe')
    mkdirSync(path.join(old, 'src/api'), { recursive: true })
    execFileSync('mkfifo', [path.join(old, 'src/pipe')])
    mkdirSync(path.join(folder, 'cloned/.git'), { recursive: true })
    for (const name of ['fresh/deep', 'cloned'])
      expect(create(name, '--from', old, '--yes')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(`create-octavo: ${name} was not created: Cannot copy a FIFO pipe`),
      })
    expect(readdirSync(folder)).not.toContain('fresh')
    expect(readdirSync(path.join(folder, 'cloned'))).toEqual(['.git'])
  })

  it.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    'leaves nothing of a project whose copying %s stops',
    (signal) => {
      const name = `stopped-${signal.toLowerCase()}`
      // The signal arrives when the first folder is about to be copied.
      const preloaded = `
        import files from 'node:fs/promises'
        import module from 'node:module'
        const { cp } = files
        files.cp = (...given) => (process.kill(process.pid, '${signal}'), cp(...given))
        module.syncBuiltinESMExports()`
      const options = [`--import=data:text/javascript,${encodeURIComponent(preloaded)}`]
      const ended = projects.run('.', ...options, bin, name, '--from', strapiProject, '--yes')
      expect(ended).toMatchObject({
        signal,
        stdout: '',
        stderr: `create-octavo: ${name} was not created: ${signal} stopped it\n`,
      })
      expect(existsSync(path.join(folder, name))).toBe(false)
    },
  )

  it.each([
    ['my place/site', "cd 'my place/site'"],
    ["Ada's #1/site", "cd 'Ada'\\''s #1/site'"],
    ['50%/site', 'cd 50%/site'],
  ])('prints the way to the folder %s for a shell', (place, step) => {
    expect(create(place, '--yes').stdout).toContain(`\n  ${step}\n`)
  })

  it('prints the import of an archive for a shell', () => {
    mkdirSync(path.join(folder, 'old site'))
    writeFileSync(path.join(folder, 'old site/export.tar.gz'), '')
    const flags = ['--from', 'old site/export.tar.gz', '--no-install']
    const { stdout } = create('from-old-site', ...flags)
    expect(stdout).toContain(`import strapi '${path.join(folder, 'old site/export.tar.gz')}' --database`)
  })

  it.each(['null', '1e3', 'no', '007'])('names the database of a project %s with a text', (name) => {
    expect(create(name, '--yes', '--database', 'postgres').status).toBe(0)
    const { api, database } = parse(read(`${name}/compose.yaml`)).services
    expect(database.environment.POSTGRES_DB).toBe(name)
    expect(api.environment.DATABASE_URL).toMatch(new RegExp(`/${name}$`))
  })

  it('says that npm is not there, and how to go on', () => {
    writeFileSync(path.join(folder, 'old.tar.gz'), '')
    const { stderr } = spawnSync(process.execPath, [bin, 'without-npm', '--from', 'old.tar.gz', '--yes'], {
      cwd: folder,
      env: { PATH: folder },
      encoding: 'utf8',
    })
    expect(stderr).toContain(
      'npm install failed in without-npm: there is no program npm on the PATH. Repeat it there; the import is: npx octavo import strapi ',
    )
  })

  it('never writes into a folder that is not empty', () => {
    mkdirSync(path.join(folder, 'full'))
    writeFileSync(path.join(folder, 'full/notes.txt'), 'mine')
    expect(create('full', '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('full is not empty (it has notes.txt)'),
    })
    expect(readdirSync(path.join(folder, 'full'))).toEqual(['notes.txt'])
    writeFileSync(path.join(folder, 'file'), '')
    expect(create('file', '--yes').stderr).toContain('file is a file')
  })

  it('accepts an empty folder, and one with a new repository', () => {
    mkdirSync(path.join(folder, 'repository/.git'), { recursive: true })
    expect(create('repository', '--yes').status).toBe(0)
  })

  it.each([
    [['--yes'], 'Name the folder'],
    [['My API', '--yes'], 'cannot be the name of a package'],
    [['x', '--plugins', 'uploads'], 'there is no plugin "uploads"; there are changes, desk, draft-publish'],
    [
      ['x', '--plugins', 'i18n,toString'],
      'there is no plugin "toString"; there are changes, desk, draft-publish',
    ],
    [['x', '--database', 'mysql'], '--database is embedded or postgres, not "mysql"'],
    [['x', '--from', 'nowhere'], 'no src/api'],
    [['x', '--from', 'nowhere.tar.gz'], 'there is no archive nowhere.tar.gz'],
  ])('refuses %j, and writes nothing', (args, message) => {
    expect(create(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(message) })
    expect(existsSync(path.join(folder, 'x'))).toBe(false)
  })

  it('refuses to copy a project into itself', () => {
    const copy = path.join(folder, 'strapi')
    cpSync(strapiProject, copy, { recursive: true })
    expect(create('strapi/new', '--from', 'strapi')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('choose a folder beside it'),
    })
  })
})
