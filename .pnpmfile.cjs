/**
 * Packed packages have no scripts and development dependencies of the workspace: neither works outside of it. Those of
 * create-octavo and of the command line stay, because the projects and plugins that they write get their versions from them.
 */
const writers = ['create-octavo', '@octavo/cli']

module.exports = {
  hooks: {
    beforePacking: ({ scripts: _, devDependencies, ...manifest }) =>
      writers.includes(manifest.name) ? { ...manifest, devDependencies } : manifest,
  },
}
