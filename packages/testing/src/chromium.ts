import { existsSync } from 'node:fs'

/** The Chromium without windows, at its place of Debian. Other systems name theirs by `OCTAVO_TEST_CHROMIUM`. */
const withoutWindows = '/usr/bin/chromium-headless-shell'

/** The places of Debian, Fedora and macOS. */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  withoutWindows,
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
 * Options that leave out the emulation of a graphics card, a new process for each document of a site, and additional threads that draw.
 * They take a third of the processor time of a test file; a new process compiles all scripts again.
 */
const withoutExtras = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--process-per-site',
  '--disable-site-isolation-trials',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--num-raster-threads=1',
]

/**
 * The options of `chromium.launch` in tests. The Chromium without windows is preferred: each context of the other one is a whole
 * profile, which takes three times the processor time to open.
 */
export function chromiumOptions(): { executablePath: string; args: string[] } {
  const isPreferred = process.env.OCTAVO_TEST_CHROMIUM === undefined && existsSync(withoutWindows)
  return {
    executablePath: isPreferred ? withoutWindows : (chromiumPath() ?? ''),
    args: [...withoutExtras],
  }
}
