/**
 * The front page, the locales and the roles.
 */
export const library = {
  title: 'The Octavo Reading Room',
  intro:
    'A small library of books that belong to everybody: one hundred works in the public domain, from Uruk to the Isle of Skye, with their authors, first editions and translations. The house is invented; the books are not. Come in, take one down, and **ask for it by its fields**.',
  featured: [
    'the-tale-of-genji',
    'don-quixote',
    'pride-and-prejudice',
    'the-posthumous-memoirs-of-bras-cubas',
    'sultanas-dream',
    'chaka',
  ],
  hours: [
    ['tue', '10:00:00', '19:00:00'],
    ['wed', '10:00:00', '19:00:00'],
    ['thu', '10:00:00', '21:30:00'],
    ['fri', '10:00:00', '19:00:00'],
    ['sat', '09:00:00', '13:00:00'],
    ['sat', '14:00:00', '17:00:00'],
  ],
  address: {
    street: '8 Folio Lane',
    postalCode: '55116',
    city: 'Mainz',
    latitude: 49.9991,
    longitude: 8.2738,
    country: { code: 'DE', name: 'Germany' },
  },
}

export const locales = [
  { name: 'English (en)', code: 'en', isDefault: true },
  { name: 'French (fr)', code: 'fr', isDefault: false },
  { name: 'German (de)', code: 'de', isDefault: false },
]

/** The actions of each role, besides those of content-types. */
export const rolePermissions = {
  authenticated: [
    'plugin::i18n.locales.listLocales',
    'plugin::upload.content-api.find',
    'plugin::upload.content-api.findOne',
    'plugin::upload.content-api.upload',
    'plugin::users-permissions.auth.changePassword',
    'plugin::users-permissions.user.me',
  ],
  public: [
    'plugin::i18n.locales.listLocales',
    'plugin::users-permissions.auth.callback',
    'plugin::users-permissions.auth.connect',
    'plugin::users-permissions.auth.emailConfirmation',
    'plugin::users-permissions.auth.forgotPassword',
    'plugin::users-permissions.auth.register',
    'plugin::users-permissions.auth.resetPassword',
    'plugin::users-permissions.auth.sendEmailConfirmation',
  ],
}
