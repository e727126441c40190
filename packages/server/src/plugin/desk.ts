/** The parts of the pages for editors that plugins add; the plugin that serves the pages asks for them by a hook. */

/** Receives what a plugin adds to the pages. */
export interface DeskParts {
  /**
   * Serves a folder of JavaScript for browsers. Its `.js` files are extension modules, which the pages load; files in folders below are
   * for them to import. Each file in it can be read by everybody who reaches the server, so it is a folder of its own.
   *
   *     desk.extensions(new URL('./desk/', import.meta.url))
   */
  extensions(folder: URL | string): void
}
