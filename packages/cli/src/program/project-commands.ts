/** The commands that write the files of a project. */
import type { Command } from 'commander'
import { type TypesFlags, writeTypes } from '../commands/types.ts'
import { generateComponent } from '../generate/component.ts'
import { generatePlugin, type PluginFlags } from '../generate/plugin.ts'
import { generateType, type TypeFlags } from '../generate/type.ts'
import type { CommonFlags } from '../server-options.ts'
import { common } from './common-options.ts'

export function addTypes(octavo: Command): void {
  common(octavo.command('types').description('write the TypeScript types of the content-types'))
    .option('-o, --out <file>', 'file to write; - is the standard output', 'octavo-types.d.ts')
    .option('--check', 'write nothing; fail when the file is out of date')
    .option('--import <package...>', 'packages that declare attribute types of their own')
    .action((flags: TypesFlags) => writeTypes(flags))
}

export function addGenerate(octavo: Command): void {
  const generate = octavo
    .command('generate')
    .description('add a content-type, a component, or a plugin of your own')
  common(
    generate
      .command('type')
      .description('add a content-type to the folder of content-types')
      .argument('<name>', 'singular name, e.g. blog-post')
      .argument('[attributes...]', 'name:type, e.g. title:string:required author:relation:author'),
  )
    .option('--plural <name>', 'plural name, which is part of the path (default: by the rules of English)')
    .option('--single', 'a single type')
    .option('--draft', 'entries are drafts until they are published')
    .addHelpText('after', attributeExamples)
    .action((name: string, attributes: readonly string[], flags: TypeFlags) =>
      generateType(name, attributes, flags),
    )
  common(
    generate
      .command('component')
      .description('add a component to the folder of content-types')
      .argument('<uid>', 'its category and name, e.g. shared.seo')
      .argument('[attributes...]', 'name:type, e.g. title:string:required image:media'),
  )
    .addHelpText('after', attributeExamples)
    .action((uid: string, attributes: readonly string[], flags: CommonFlags) =>
      generateComponent(uid, attributes, flags),
    )
  generate
    .command('plugin')
    .description('write the package of a plugin, with its test')
    .argument('<name>', 'name of the plugin, e.g. audit-log')
    .option('--dir <folder>', 'folder of the package (default: plugins/<name>)')
    .action((name: string, flags: PluginFlags) => generatePlugin(name, flags))
}

const attributeExamples = `
Attributes:
  title:string:required           options: required, unique, private
  form:enumeration:news,review
  slug:uid:title                  made from title
  author:relation:author          manyToOne; or author:relation:author:oneToOne
  tags:relation:tag:manyToMany
  cover:media                     pictures:media:multiple
  seo:component:shared.seo        parts:component:shared.part:repeatable
  body:dynamiczone:shared.text,shared.quote`
