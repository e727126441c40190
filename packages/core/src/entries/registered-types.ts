/**
 * The definitions of a project, by uid. The file that `octavo types` writes fills it by declaration merging, and `createOctavo`
 * and `createServer` use it where their content-types have no types: those of `loadContentTypes`, for example.
 */
// biome-ignore lint/suspicious/noEmptyInterface: `octavo types` fills it
export interface RegisteredTypes {}
