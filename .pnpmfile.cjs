/**
 * Packed packages have no scripts and development dependencies of the workspace: neither works outside of it. Those of
 * create-octavo and of the command line stay, because the projects and plugins that they write get their versions from them.
 * Nor do they have the condition `octavo-source`, which leads to the sources: Node.js runs no TypeScript in `node_modules`.
 */
const writers = ['create-octavo', '@octavo/cli']

function withoutSources(entry) {
  if (typeof entry === 'string') return entry
  const { 'octavo-source': _, ...conditions } = entry
  return conditions
}

module.exports = {
  hooks: {
    beforePacking: ({ scripts: _, devDependencies, ...manifest }) => {
      const packed = writers.includes(manifest.name) ? { ...manifest, devDependencies } : manifest
      if (!packed.exports) return packed
      const exports = Object.entries(packed.exports).map(([path, entry]) => [path, withoutSources(entry)])
      return { ...packed, exports: Object.fromEntries(exports) }
    },
  },
}
