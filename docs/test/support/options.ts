import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Comment, parseSync, type TSInterfaceDeclaration, type TSSignature } from 'oxc-parser'

/** An option as its declaration documents it. */
export interface DocumentedOption {
  readonly name: string
  /** The type as it is written in the source. */
  readonly type: string
  readonly isRequired: boolean
  /** The comment without the sentence about the default. */
  readonly text: string
  /** The text after `Default`, without the full stop. */
  readonly defaultText: string | undefined
}

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Options of all attributes, which the page lists once. */
const common: ReadonlySet<string> = new Set(['CommonOptions', 'ScalarOptions'])

/** The members of the interfaces of a source file, with their comments. */
export class Declarations {
  readonly #interfaces = new Map<
    string,
    { readonly declaration: TSInterfaceDeclaration; readonly file: Source }
  >()

  constructor(files: readonly string[]) {
    for (const name of files) {
      const text = readFileSync(root + name, 'utf8')
      const { program, comments } = parseSync(name, text)
      for (const statement of program.body) {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (declaration?.type === 'TSInterfaceDeclaration')
          this.#interfaces.set(declaration.id.name, { declaration, file: { text, comments } })
      }
    }
  }

  /** The options of an interface and of those that it extends; those in an object type or a known interface follow as `a.b`. */
  optionsOf(name: string): readonly DocumentedOption[] {
    const found = this.#interfaces.get(name)
    if (!found) throw new Error(`There is no interface ${name} in the given files`)
    const inherited = found.declaration.extends.flatMap(({ expression }) =>
      expression.type === 'Identifier' &&
      this.#interfaces.has(expression.name) &&
      !common.has(expression.name)
        ? this.optionsOf(expression.name)
        : [],
    )
    const own = found.declaration.body.body.flatMap((member) => this.#option(member, found.file, ''))
    return [...own, ...inherited]
  }

  /** The type of a member, as it is written. */
  typeOf(name: string, member: string): string | undefined {
    const found = this.#interfaces.get(name)
    const signature = found?.declaration.body.body.find(
      (item) =>
        item.type === 'TSPropertySignature' && item.key.type === 'Identifier' && item.key.name === member,
    )
    if (!found || signature?.type !== 'TSPropertySignature' || !signature.typeAnnotation) return undefined
    const { start, end } = signature.typeAnnotation.typeAnnotation
    return found.file.text.slice(start, end)
  }

  #option(member: TSSignature, file: Source, path: string): readonly DocumentedOption[] {
    if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier') return []
    const annotation = member.typeAnnotation?.typeAnnotation
    if (!annotation) return []
    const name = path + member.key.name
    const comment = commentBefore(member.start, file)
    const within = this.#within(file.text.slice(annotation.start, annotation.end))
    const inner =
      annotation.type === 'TSTypeLiteral'
        ? annotation.members.flatMap((item) => this.#option(item, file, `${name}.`))
        : within
          ? within.declaration.body.body.flatMap((item) => this.#option(item, within.file, `${name}.`))
          : []
    if (inner.length > 0 && comment === '') return inner
    const type = inner.length > 0 ? 'object' : file.text.slice(annotation.start, annotation.end)
    return [{ name, type: shorten(type), isRequired: !member.optional, ...splitDefault(comment) }, ...inner]
  }

  /** The interface that a type refers to: `Limits`, `Partial<Limits>`, `boolean | Partial<BulkLimits>`. */
  #within(type: string) {
    const [, name = ''] = /^(?:boolean \| )?(?:Partial<)?(\w+)>?$/.exec(type) ?? []
    return this.#interfaces.get(name)
  }
}

interface Source {
  readonly text: string
  readonly comments: readonly Comment[]
}

function commentBefore(start: number, { text, comments }: Source): string {
  const comment = comments.find(
    ({ end, value }) => value.startsWith('*') && end <= start && text.slice(end, start).trim() === '',
  )
  if (!comment) return ''
  return comment.value
    .split('\n')
    .map((line) => line.replace(/^\s*\*+ ?/, ''))
    .join('\n')
    .trim()
}

const shorten = (type: string): string => type.replaceAll('readonly ', '').replace(/\s+/g, ' ')

/** Separates `Default 25.` and `Default: all cores.` from the rest of a comment. */
function splitDefault(comment: string): Pick<DocumentedOption, 'text' | 'defaultText'> {
  const [prose = ''] = comment.split(/\n\s*\n/)
  const line = prose.replace(/\s+/g, ' ')
  const found = /(?:^|(?<=[.:;] ))Default(?::| of)? ((?:[^.]|\.(?=\S))+)(?:\.|$)/.exec(line)
  if (!found) return { text: line, defaultText: undefined }
  return { text: line.replace(found[0], '').replace(/\s+/g, ' ').trim(), defaultText: found[1] }
}
