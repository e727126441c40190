import { readFile, writeFile } from 'node:fs/promises'

/** Puts tables between the marks of docs/scaling.md. */
export async function writeTables(tables: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const page = new URL('../../../../docs/scaling.md', import.meta.url)
  let text = await readFile(page, 'utf8')
  for (const [name, lines] of Object.entries(tables))
    text = text.replace(
      new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`),
      (_, begin: string, end: string) => `${begin}${lines.join('\n')}\n${end}`,
    )
  await writeFile(page, text)
}
