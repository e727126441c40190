/** For the workers of the behaviour tests: `import` of `@node-rs/bcrypt` leads to `quick-bcrypt.ts`, whose `require` gets the library. */
import module from 'node:module'

const quick = new URL('./quick-bcrypt.ts', import.meta.url).href

module.registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@node-rs/bcrypt' && context.conditions.includes('import')
      ? { url: quick, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})
