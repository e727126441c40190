/** Colours of tokens.css as the numbers that GraphiQL's styles are made of. */

/** GraphiQL's colours by the names of tokens.css. */
const colours = {
  base: 'sheet',
  neutral: 'ink',
  primary: 'accent',
  secondary: 'accent',
  tertiary: 'info',
  info: 'info',
  success: 'live',
  warning: 'draft',
  error: 'wrong',
} as const

/** The elements in which GraphiQL declares its variables: parts of it are outside of its container. */
const places =
  ':is(.graphiql-container, .CodeMirror-info, .CodeMirror-lint-tooltip, .graphiql-dialog, .graphiql-dialog-overlay, .graphiql-tooltip, [data-radix-popper-content-wrapper])'

/**
 * GraphiQL's variables with the colours of a style sheet with `--ink: light-dark(#211f1b, #ece9e2);`. A theme that the reader chose
 * precedes that of the system.
 *
 * @throws Error for a colour that the sheet does not have
 */
export function lookOf(tokens: string): string {
  const of = (theme: 'light' | 'dark'): string =>
    Object.entries(colours)
      .map(([name, token]) => `--color-${name}: ${hslOf(colourOf(tokens, token, theme))};`)
      .join(' ')
  const [light, dark] = [of('light'), of('dark')]
  return `body ${places} { ${light} }
@media (prefers-color-scheme: dark) { body:not(.graphiql-light) ${places} { ${dark} } }
body.graphiql-dark ${places} { ${dark} }
`
}

function colourOf(tokens: string, name: string, theme: 'light' | 'dark'): string {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens)
  const colour = found?.[theme === 'light' ? 1 : 2]
  if (colour === undefined) throw new Error(`The tokens have no colour --${name}`)
  return colour
}

/** `#ff0000` → `0, 100%, 50%` */
export function hslOf(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255,
  )
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const range = most - least
  const lightness = (most + least) / 2
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1))
  const part =
    most === red
      ? (green - blue) / range
      : most === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range
  const hue = range === 0 ? 0 : (part * 60 + 360) % 360
  const percent = (share: number): string => `${Math.round(share * 1_000) / 10}%`
  return `${Math.round(hue)}, ${percent(saturation)}, ${percent(lightness)}`
}
