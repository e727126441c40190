/** Packed packages have no scripts and development dependencies of the workspace: neither works outside of it. */
module.exports = {
  hooks: {
    beforePacking: ({ scripts: _, devDependencies: __, ...manifest }) => manifest,
  },
}
