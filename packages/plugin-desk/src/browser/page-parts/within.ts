/** Scrolls a box, and not the page around it, to one of the things in it that is out of sight there. */
export function showWithin(box: HTMLElement | null, item: Element | null | undefined): void {
  if (!box || !item) return
  const around = box.getBoundingClientRect()
  const { top, bottom, height } = item.getBoundingClientRect()
  if (top < around.top || bottom > around.bottom)
    box.scrollTop += top - around.top - (around.height - height) / 2
}
