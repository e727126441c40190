import { existsSync } from 'node:fs'

/** The places of Debian, Fedora and macOS. */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The path of Chromium for browser tests: `OCTAVO_TEST_CHROMIUM`, or a usual place. `undefined` when there is none; a
 * message then says that the tests are left out.
 */
export function chromiumPath(): string | undefined {
  const given = process.env.OCTAVO_TEST_CHROMIUM
  const found = given ?? places.find((place) => existsSync(place))
  if (found === undefined)
    console.warn(
      'No Chromium: browser tests are left out. Install it, or set OCTAVO_TEST_CHROMIUM to its path.',
    )
  return found
}

/**
 * The options of `chromium.launch` in tests. Pages are drawn by the processor without the emulation of a graphics card, which takes
 * a sixth of the processor time of a test.
 */
export function chromiumOptions(): { executablePath: string; args: string[] } {
  return {
    executablePath: chromiumPath() ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer'],
  }
}
