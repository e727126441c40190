import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Outline, ProjectConfiguration } from '@octavo/import-strapi'
import { unnamedPackages } from '../project/unnamed-packages.ts'
import { writeWhole } from '../write-whole.ts'

const configFile = 'octavo.config.ts'

/** The settings of an imported project, and the file that has them. */
export interface Settings extends ProjectConfiguration {
  readonly file: string
}

/**
 * The file of the settings: the configuration, or one beside it where another one is there, to be merged by hand.
 *
 * @param text The settings: an import that was stopped may have written them.
 */
export async function settingsFile(text?: string): Promise<string> {
  if (!existsSync(configFile)) return configFile
  const isSame = text !== undefined && (await readFile(configFile, 'utf8').catch(() => undefined)) === text
  return isSame ? configFile : 'octavo.config.imported.ts'
}

/**
 * Writes the settings as a configuration file.
 *
 * @param content The folder of the definitions, which are written.
 */
export async function writeSettings(
  { settings, apiTokens, editors, webhooks }: Outline,
  content: string,
): Promise<Settings> {
  const { fileSchemaPath, toConfiguration, userSchemaPath } = await import('@octavo/import-strapi')
  const [userSchema, fileSchema] = [userSchemaPath, fileSchemaPath].map((file) => extensionIn(content, file))
  const configuration = toConfiguration(settings, {
    content,
    ...(userSchema !== undefined && { userSchema }),
    ...(fileSchema !== undefined && { fileSchema }),
    editors: (editors?.people.length ?? 0) > 0,
    webhooks: webhooks.length > 0,
    apiTokens: apiTokens.length > 0,
  })
  const file = await settingsFile(configuration.text)
  await writeWhole(file, configuration.text)
  return { ...configuration, file }
}

/** The lines about the settings in the report of an import. */
export function settingsText({ file, text, environment, notes }: Settings): string {
  const unnamed = unnamedPackages(text, '.')
  return [
    `\nThe settings are in ${file}. It reads these environment variables:`,
    ...Object.entries(environment).map(([name, what]) => `  ${name}: ${what}`),
    ...notes.map((note) => `Note: ${note}`),
    ...(unnamed.length > 0
      ? [`It imports packages that package.json does not name: npm install ${unnamed.join(' ')}`]
      : []),
  ].join('\n')
}

/** The file of an extension in a folder of definitions, or in a Strapi project. */
function extensionIn(content: string, file: string): string | undefined {
  return [`${content}/${file}`, `${content}/src/${file}`].find((candidate) => existsSync(candidate))
}
