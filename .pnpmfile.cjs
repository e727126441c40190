/**
 * Packed packages have no scripts and development dependencies of the workspace: neither works outside of it. Those of
 * create-octavo stay, because the projects that it makes get their versions from them.
 */
module.exports = {
  hooks: {
    beforePacking: ({ scripts: _, devDependencies, ...manifest }) =>
      manifest.name === 'create-octavo' ? { ...manifest, devDependencies } : manifest,
  },
}
