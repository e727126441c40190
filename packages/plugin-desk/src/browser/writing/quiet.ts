/**
 * HTML without what the policy of the pages would report: Chromium reports style attributes, style elements and handlers of events even
 * of documents that run nothing. Style attributes are named `data-style`.
 */
export const quietHtml = (html: string): string =>
  html
    .replaceAll(/<style\b[\s\S]*?<\/style\s*>/gi, '')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/[\s/]+(?=(?:style|on\w+)\s*=)/gi, ' data-'))
