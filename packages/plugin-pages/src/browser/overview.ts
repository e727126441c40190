/** The script of the page `/`: its buttons copy the text before them. */
import { copy } from './dom.ts'

for (const button of document.querySelectorAll<HTMLElement>('button[data-copy]'))
  button.addEventListener('click', () =>
    copy(button.parentElement?.querySelector('code')?.textContent ?? '', button),
  )
