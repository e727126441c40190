/** The shared look of the pages, `packages/server/look/tokens.css`; a test compares the two. */
export const tokens = `/*
 * The look of Octavo's own pages: ink on paper with one accent. Pages use these names and no colours of their own. Text in
 * --ink and --ink-2, and in a state's colour on its wash, has a contrast of at least 4.5; --ink-3 is for lines and marks.
 */
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #171615);
  --sheet: light-dark(#ffffff, #1f1e1c);
  --well: light-dark(#f4f2ec, #262522);
  --ink: light-dark(#211f1b, #ece9e2);
  --ink-2: light-dark(#5d584f, #b0a99c);
  --ink-3: light-dark(#8b8578, #857f73);
  --line: light-dark(#e4e0d6, #34322e);
  --line-2: light-dark(#cfc9bb, #4a4741);
  --accent: light-dark(#2b3a86, #aab6f5);
  --accent-ink: light-dark(#ffffff, #14183a);
  --accent-wash: light-dark(#eef0fb, #262a45);
  --live: light-dark(#2f6b3c, #86c794);
  --live-wash: light-dark(#e6f1e6, #1f3324);
  --draft: light-dark(#8a5a00, #e0b25c);
  --draft-wash: light-dark(#faf0da, #382c14);
  --wrong: light-dark(#b3261e, #f2a29b);
  --wrong-wash: light-dark(#fbe9e7, #3d1f1c);
  --info: light-dark(#0b6380, #8ccfe6);
  --info-wash: light-dark(#e3f2f7, #143038);
  --sans: Inter, system-ui, "Segoe UI", Roboto, sans-serif;
  --serif: "Source Serif 4", Charter, Georgia, serif;
  --mono: ui-monospace, "JetBrains Mono", Menlo, monospace;
  --s-1: 4px;
  --s-2: 8px;
  --s-3: 12px;
  --s-4: 16px;
  --s-5: 24px;
  --s-6: 32px;
  --s-7: 48px;
  --round: 6px;
  --round-2: 10px;
  --shadow: 0 1px 2px rgb(0 0 0 / 0.05), 0 4px 16px rgb(0 0 0 / 0.06);
  --ring: 0 0 0 3px color-mix(in srgb, var(--accent) 28%, transparent);
}
`
