/** The words of the pages, in the languages of the library. */
const english = {
  title: 'The Octavo Reading Room',
  skip: 'Skip to the content',
  books: 'Books',
  language: 'Language',
  search: 'Search titles and authors',
  find: 'Find',
  form: 'Form',
  written: 'Written in',
  genre: 'Shelf',
  all: 'All',
  none: 'No book is like this.',
  found: (count: number) => (count === 1 ? '1 book' : `${count} books`),
  featured: 'Taken down today',
  hours: 'Opening hours',
  address: 'Address',
  by: 'by',
  draft: 'Draft',
  original: 'Original title',
  published: 'First published',
  opening: 'Opening line',
  characters: 'Characters',
  editions: 'Editions',
  translations: 'Translations',
  setIn: 'Set in',
  elsewhere: 'Elsewhere',
  alsoIn: 'Also in',
  account: 'Your account',
  login: 'Log in',
  logout: 'Log out',
  register: 'Create an account',
  name: 'Name or email address',
  username: 'Name',
  email: 'Email address',
  password: 'Password',
  drafts: 'Show drafts',
  noDrafts: 'Hide drafts',
  loading: 'Loading …',
  missing: 'There is no such page.',
  failed: 'This did not work.',
  again: 'Try again',
}
export type Words = typeof english

const french: Words = {
  title: 'La salle de lecture Octavo',
  skip: 'Aller au contenu',
  books: 'Livres',
  language: 'Langue',
  search: 'Chercher un titre ou un auteur',
  find: 'Chercher',
  form: 'Forme',
  written: 'Écrit en',
  genre: 'Rayon',
  all: 'Tout',
  none: 'Aucun livre ne correspond.',
  found: (count) => (count === 1 ? '1 livre' : `${count} livres`),
  featured: 'Sortis aujourd’hui',
  hours: 'Heures d’ouverture',
  address: 'Adresse',
  by: 'de',
  draft: 'Brouillon',
  original: 'Titre original',
  published: 'Première publication',
  opening: 'Première phrase',
  characters: 'Personnages',
  editions: 'Éditions',
  translations: 'Traductions',
  setIn: 'Lieux',
  elsewhere: 'Ailleurs',
  alsoIn: 'Aussi en',
  account: 'Votre compte',
  login: 'Se connecter',
  logout: 'Se déconnecter',
  register: 'Créer un compte',
  name: 'Nom ou adresse électronique',
  username: 'Nom',
  email: 'Adresse électronique',
  password: 'Mot de passe',
  drafts: 'Montrer les brouillons',
  noDrafts: 'Cacher les brouillons',
  loading: 'Chargement …',
  missing: 'Cette page n’existe pas.',
  failed: 'Cela n’a pas marché.',
  again: 'Réessayer',
}

const german: Words = {
  title: 'Der Octavo-Lesesaal',
  skip: 'Zum Inhalt',
  books: 'Bücher',
  language: 'Sprache',
  search: 'Titel oder Verfasser suchen',
  find: 'Suchen',
  form: 'Gattung',
  written: 'Geschrieben auf',
  genre: 'Regal',
  all: 'Alle',
  none: 'Kein Buch ist so.',
  found: (count) => (count === 1 ? '1 Buch' : `${count} Bücher`),
  featured: 'Heute herausgelegt',
  hours: 'Öffnungszeiten',
  address: 'Adresse',
  by: 'von',
  draft: 'Entwurf',
  original: 'Originaltitel',
  published: 'Zuerst erschienen',
  opening: 'Erster Satz',
  characters: 'Figuren',
  editions: 'Ausgaben',
  translations: 'Übersetzungen',
  setIn: 'Orte',
  elsewhere: 'Anderswo',
  alsoIn: 'Auch auf',
  account: 'Ihr Konto',
  login: 'Anmelden',
  logout: 'Abmelden',
  register: 'Konto anlegen',
  name: 'Name oder E-Mail-Adresse',
  username: 'Name',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  drafts: 'Entwürfe zeigen',
  noDrafts: 'Entwürfe verbergen',
  loading: 'Lädt …',
  missing: 'Diese Seite gibt es nicht.',
  failed: 'Das hat nicht geklappt.',
  again: 'Noch einmal',
}

const all = { en: english, fr: french, de: german }

/** The languages of the site, with their own names. */
export const locales = { en: 'English', fr: 'Français', de: 'Deutsch' } as const
export type LocaleCode = keyof typeof locales

export const localeOf = (params: URLSearchParams): LocaleCode => {
  const code = params.get('locale') ?? ''
  return code in locales ? (code as LocaleCode) : 'en' // checked on this line
}

export const wordsOf = (params: URLSearchParams): Words => all[localeOf(params)]

/** `ancient_greek` as `Ancient Greek`: enumerations have no translations. */
export const plain = (value: string): string =>
  value
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/** `c. 700 BC`, `1818` */
export function year(value: number | null, isAbout: boolean | null): string {
  if (value === null) return ''
  return `${isAbout ? 'c. ' : ''}${value < 0 ? `${-value} BC` : value}`
}
