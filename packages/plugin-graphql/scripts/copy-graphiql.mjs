/**
 * Copies GraphiQL, with React, into `dist`, so that users of the package do not install its 70 dependencies. Version 3 is the last
 * one whose editor is part of its one file: later ones load Monaco, some 10 MB with workers.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const from = {
  react: new URL('../node_modules/react/', import.meta.url),
  dom: new URL('../node_modules/react-dom/', import.meta.url),
  graphiql: new URL('../node_modules/graphiql/', import.meta.url),
}
const read = (base, path) => readFileSync(new URL(path, base), 'utf8')
const write = (name, text) => writeFileSync(new URL(`../dist/${name}`, import.meta.url), text)

const scripts = [
  read(from.react, 'umd/react.production.min.js'),
  read(from.dom, 'umd/react-dom.production.min.js'),
  read(from.graphiql, 'graphiql.min.js'),
]
// The addresses of source maps, which are not copied.
write('graphiql.js', scripts.map((text) => text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')).join('\n'))
// The page has the fonts of the other pages.
write('graphiql.css', read(from.graphiql, 'graphiql.min.css').replaceAll(/@font-face\s*\{[^}]*\}/g, ''))
write('graphiql.LICENSE', `${read(from.graphiql, 'LICENSE')}\n${read(from.react, 'LICENSE')}`)
