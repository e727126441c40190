/** The colours of Markdown in the editor; the style sheet has them by these classes. */
import { defineLanguageFacet, Language, syntaxHighlighting } from '@codemirror/language'
import { tagHighlighter, tags } from '@lezer/highlight'
import { GFM, parser } from '@lezer/markdown'

const look = tagHighlighter([
  { tag: tags.heading, class: 'md-heading' },
  { tag: tags.strong, class: 'md-strong' },
  { tag: tags.emphasis, class: 'md-emphasis' },
  { tag: tags.strikethrough, class: 'md-gone' },
  { tag: tags.monospace, class: 'md-code' },
  { tag: [tags.link, tags.url], class: 'md-link' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], class: 'md-sign' },
])

export const markdownLook = [
  new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown'),
  syntaxHighlighting(look),
]
