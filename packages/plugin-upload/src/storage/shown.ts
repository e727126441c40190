/** Types that browsers show in a page of their own without running anything. */
const shownTypes =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|tiff|bmp|x-icon|heic)|(?:video|audio)\/[\w.+-]+|text\/plain|application\/pdf)$/

export const isShown = (type: string): boolean => shownTypes.test(type)
