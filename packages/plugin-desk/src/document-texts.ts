/** The texts of the document itself, which are there before any script: by the codes of languages. */
export const documentTexts: { readonly en: DocumentTexts } & Readonly<Record<string, DocumentTexts>> = {
  en: {
    noScript: 'This page needs JavaScript.',
    late: 'The page has not been loaded yet. The connection may be slow.',
    tryAgain: 'Try again',
  },
  de: {
    noScript: 'Diese Seite braucht JavaScript.',
    late: 'Die Seite ist noch nicht geladen. Vielleicht ist die Verbindung langsam.',
    tryAgain: 'Noch einmal versuchen',
  },
  fr: {
    noScript: 'Cette page a besoin de JavaScript.',
    late: 'La page n’est pas encore chargée. La connexion est peut-être lente.',
    tryAgain: 'Réessayer',
  },
  es: {
    noScript: 'Esta página necesita JavaScript.',
    late: 'La página todavía no se ha cargado. Puede que la conexión sea lenta.',
    tryAgain: 'Reintentar',
  },
  ja: {
    noScript: 'このページには JavaScript が必要です。',
    late: 'ページはまだ読み込まれていません。接続が遅い可能性があります。',
    tryAgain: '再試行',
  },
  ar: {
    noScript: 'تحتاج هذه الصفحة إلى JavaScript.',
    late: 'لم تُحمَّل الصفحة بعد. قد يكون الاتصال بطيئًا.',
    tryAgain: 'حاول مرة أخرى',
  },
}

interface DocumentTexts {
  readonly noScript: string
  /** Shown when the script has drawn nothing for a while, as when it does not arrive. */
  readonly late: string
  readonly tryAgain: string
}
