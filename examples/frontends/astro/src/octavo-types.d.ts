// Written by `octavo types`; changes are overwritten.
/* eslint-disable */
// biome-ignore-all lint: a generated file
// @ts-ignore: where it is installed
import type {} from '@octavo/core'
// @ts-ignore: where it is installed
import type {} from '@octavo/plugin-draft-publish'
// @ts-ignore: where it is installed
import type {} from '@octavo/plugin-i18n'
// @ts-ignore: where it is installed
import type {} from '@octavo/plugin-upload'

/** The content-types and components by uid, for `createClient<ContentTypes>`. */
export interface ContentTypes {
  'api::author.author': {
    kind: 'collectionType'
    uid: 'api::author.author'
    info: { singularName: 'author'; pluralName: 'authors' }
    attributes: {
      name: { type: 'string'; required: true }
      slug: { type: 'uid' }
      birthName: { type: 'string' }
      bio: { type: 'text' }
      born: { type: 'date' }
      died: { type: 'date' }
      bornYear: { type: 'integer' }
      diedYear: { type: 'integer' }
      datesUncertain: { type: 'boolean'; default: unknown }
      birthplace: { type: 'relation'; relation: 'manyToOne'; target: 'api::place.place' }
      books: { type: 'relation'; relation: 'manyToMany'; target: 'api::book.book' }
      influencedBy: { type: 'relation'; relation: 'manyToMany'; target: 'api::author.author' }
      influenced: { type: 'relation'; relation: 'manyToMany'; target: 'api::author.author' }
      portrait: { type: 'media' }
    }
  }
  'api::book.book': {
    kind: 'collectionType'
    uid: 'api::book.book'
    info: { singularName: 'book'; pluralName: 'books' }
    options: { draftAndPublish: true }
    pluginOptions: { i18n: { localized: true } }
    attributes: {
      title: { type: 'string'; required: true }
      slug: { type: 'uid' }
      originalTitle: { type: 'string' }
      blurb: { type: 'text' }
      description: { type: 'richtext' }
      openingLine: { type: 'text' }
      firstPublished: { type: 'integer' }
      circa: { type: 'boolean'; default: unknown }
      language: { type: 'enumeration'; required: true; enum: ['akkadian', 'ancient_greek', 'arabic', 'bengali', 'chinese', 'czech', 'danish', 'english', 'finnish', 'french', 'german', 'italian', 'japanese', 'latin', 'norwegian', 'persian', 'portuguese', 'russian', 'sanskrit', 'sesotho', 'spanish', 'swedish', 'vietnamese', 'yiddish'] }
      form: { type: 'enumeration'; required: true; enum: ['novel', 'novella', 'tale', 'poetry', 'drama', 'essay', 'history', 'memoir', 'treatise'] }
      authors: { type: 'relation'; relation: 'manyToMany'; target: 'api::author.author' }
      genres: { type: 'relation'; relation: 'manyToMany'; target: 'api::genre.genre' }
      setIn: { type: 'relation'; relation: 'manyToMany'; target: 'api::place.place' }
      editions: { type: 'relation'; relation: 'oneToMany'; target: 'api::edition.edition' }
      translations: { type: 'relation'; relation: 'oneToMany'; target: 'api::translation.translation' }
      cover: { type: 'media' }
      characters: { type: 'component'; component: 'shared.character'; repeatable: true }
      links: { type: 'component'; component: 'shared.link'; repeatable: true }
      seo: { type: 'component'; component: 'shared.seo' }
    }
  }
  'api::edition.edition': {
    kind: 'collectionType'
    uid: 'api::edition.edition'
    info: { singularName: 'edition'; pluralName: 'editions' }
    attributes: {
      year: { type: 'integer'; required: true }
      publisherName: { type: 'string' }
      publishedIn: { type: 'relation'; relation: 'manyToOne'; target: 'api::place.place' }
      format: { type: 'enumeration'; enum: ['hardcover', 'paperback', 'ebook'] }
      pages: { type: 'integer' }
      isbn: { type: 'string' }
      note: { type: 'text' }
      book: { type: 'relation'; relation: 'manyToOne'; target: 'api::book.book' }
    }
  }
  'api::genre.genre': {
    kind: 'collectionType'
    uid: 'api::genre.genre'
    info: { singularName: 'genre'; pluralName: 'genres' }
    attributes: {
      name: { type: 'string'; required: true }
      slug: { type: 'uid' }
      description: { type: 'text' }
      parent: { type: 'relation'; relation: 'manyToOne'; target: 'api::genre.genre' }
      children: { type: 'relation'; relation: 'oneToMany'; target: 'api::genre.genre' }
      books: { type: 'relation'; relation: 'manyToMany'; target: 'api::book.book' }
    }
  }
  'api::library.library': {
    kind: 'singleType'
    uid: 'api::library.library'
    info: { singularName: 'library'; pluralName: 'libraries' }
    attributes: {
      title: { type: 'string'; required: true }
      intro: { type: 'richtext' }
      featured: { type: 'relation'; relation: 'manyToMany'; target: 'api::book.book' }
      hours: { type: 'component'; component: 'shared.hours'; repeatable: true }
      address: { type: 'component'; component: 'shared.address' }
    }
  }
  'api::place.place': {
    kind: 'collectionType'
    uid: 'api::place.place'
    info: { singularName: 'place'; pluralName: 'places' }
    attributes: {
      name: { type: 'string'; required: true }
      slug: { type: 'uid' }
      country: { type: 'string' }
      latitude: { type: 'float' }
      longitude: { type: 'float' }
      kind: { type: 'enumeration'; required: true; enum: ['city', 'village', 'region', 'country', 'island', 'river', 'sea', 'fictional'] }
      books: { type: 'relation'; relation: 'manyToMany'; target: 'api::book.book' }
      natives: { type: 'relation'; relation: 'oneToMany'; target: 'api::author.author' }
    }
  }
  'api::reading-list.reading-list': {
    kind: 'collectionType'
    uid: 'api::reading-list.reading-list'
    info: { singularName: 'reading-list'; pluralName: 'reading-lists' }
    options: { draftAndPublish: true }
    attributes: {
      title: { type: 'string'; required: true }
      slug: { type: 'uid' }
      curator: { type: 'string' }
      body: { type: 'dynamiczone'; components: ['list.intro', 'list.book-pick', 'list.quote', 'list.chapter'] }
    }
  }
  'api::translation.translation': {
    kind: 'collectionType'
    uid: 'api::translation.translation'
    info: { singularName: 'translation'; pluralName: 'translations' }
    attributes: {
      language: { type: 'enumeration'; required: true; enum: ['akkadian', 'ancient_greek', 'arabic', 'bengali', 'chinese', 'czech', 'danish', 'english', 'finnish', 'french', 'german', 'italian', 'japanese', 'latin', 'norwegian', 'persian', 'portuguese', 'russian', 'sanskrit', 'sesotho', 'spanish', 'swedish', 'vietnamese', 'yiddish'] }
      title: { type: 'string'; required: true }
      translator: { type: 'string' }
      year: { type: 'integer' }
      book: { type: 'relation'; relation: 'manyToOne'; target: 'api::book.book' }
    }
  }
  'list.book-pick': {
    uid: 'list.book-pick'
    attributes: {
      book: { type: 'relation'; relation: 'oneToOne'; target: 'api::book.book' }
      note: { type: 'text' }
      quotes: { type: 'component'; component: 'shared.quote'; repeatable: true }
    }
  }
  'list.chapter': {
    uid: 'list.chapter'
    attributes: {
      heading: { type: 'string'; required: true }
      steps: { type: 'component'; component: 'list.step'; repeatable: true }
    }
  }
  'list.intro': {
    uid: 'list.intro'
    attributes: {
      text: { type: 'richtext'; required: true }
    }
  }
  'list.quote': {
    uid: 'list.quote'
    attributes: {
      text: { type: 'text'; required: true }
      by: { type: 'relation'; relation: 'oneToOne'; target: 'api::author.author' }
    }
  }
  'list.step': {
    uid: 'list.step'
    attributes: {
      label: { type: 'string'; required: true }
      minutes: { type: 'integer' }
      book: { type: 'relation'; relation: 'oneToOne'; target: 'api::book.book' }
    }
  }
  'plugin::i18n.locale': {
    kind: 'collectionType'
    uid: 'plugin::i18n.locale'
    info: { singularName: 'locale'; pluralName: 'locales' }
    attributes: {
      name: { type: 'string' }
      code: { type: 'string'; required: true }
      isDefault: { type: 'boolean'; default: unknown }
    }
  }
  'plugin::upload.file': {
    kind: 'collectionType'
    uid: 'plugin::upload.file'
    info: { singularName: 'file'; pluralName: 'files' }
    attributes: {
      name: { type: 'string'; required: true }
      alternativeText: { type: 'string' }
      caption: { type: 'string' }
      width: { type: 'integer' }
      height: { type: 'integer' }
      formats: { type: 'json' }
      hash: { type: 'string'; required: true }
      ext: { type: 'string' }
      mime: { type: 'string'; required: true }
      size: { type: 'decimal'; required: true }
      url: { type: 'string'; required: true }
      previewUrl: { type: 'string' }
      provider: { type: 'string'; required: true }
      provider_metadata: { type: 'json' }
      folderPath: { type: 'string'; private: true; default: unknown }
      pendingFormats: { type: 'string'; private: true }
      uploadedBy: { type: 'relation'; private: true; relation: 'manyToOne'; target: 'plugin::users-permissions.user' }
      createdBy: { type: 'relation'; private: true; relation: 'manyToOne'; target: 'plugin::editors.editor' }
      updatedBy: { type: 'relation'; private: true; relation: 'manyToOne'; target: 'plugin::editors.editor' }
      createdByCaller: { type: 'string'; private: true }
      updatedByCaller: { type: 'string'; private: true }
    }
  }
  'plugin::users-permissions.permission': {
    kind: 'collectionType'
    uid: 'plugin::users-permissions.permission'
    info: { singularName: 'permission'; pluralName: 'permissions' }
    attributes: {
      action: { type: 'string'; required: true }
      role: { type: 'relation'; relation: 'manyToOne'; target: 'plugin::users-permissions.role' }
    }
  }
  'plugin::users-permissions.role': {
    kind: 'collectionType'
    uid: 'plugin::users-permissions.role'
    info: { singularName: 'role'; pluralName: 'roles' }
    attributes: {
      name: { type: 'string'; required: true }
      description: { type: 'string' }
      type: { type: 'string'; required: true }
      permissions: { type: 'relation'; private: true; relation: 'oneToMany'; target: 'plugin::users-permissions.permission' }
      users: { type: 'relation'; private: true; relation: 'oneToMany'; target: 'plugin::users-permissions.user' }
    }
  }
  'plugin::users-permissions.user': {
    kind: 'collectionType'
    uid: 'plugin::users-permissions.user'
    info: { singularName: 'user'; pluralName: 'users' }
    attributes: {
      username: { type: 'string'; required: true }
      email: { type: 'email'; required: true }
      provider: { type: 'string' }
      confirmed: { type: 'boolean'; default: unknown }
      blocked: { type: 'boolean'; default: unknown }
      password: { type: 'password'; private: true }
      resetPasswordToken: { type: 'string'; private: true }
      resetPasswordExpires: { type: 'datetime'; private: true }
      confirmationToken: { type: 'string'; private: true }
      tokenVersion: { type: 'integer'; private: true; default: unknown }
      providerSubject: { type: 'string'; private: true }
      pendingEmail: { type: 'string'; private: true }
      usernameLook: { type: 'string'; private: true }
      usernameWrittenLook: { type: 'string'; private: true }
      role: { type: 'relation'; relation: 'manyToOne'; target: 'plugin::users-permissions.role' }
    }
  }
  'shared.address': {
    uid: 'shared.address'
    attributes: {
      street: { type: 'string' }
      postalCode: { type: 'string' }
      city: { type: 'string' }
      latitude: { type: 'float' }
      longitude: { type: 'float' }
      country: { type: 'component'; component: 'shared.country' }
    }
  }
  'shared.character': {
    uid: 'shared.character'
    attributes: {
      name: { type: 'string'; required: true }
      role: { type: 'string' }
    }
  }
  'shared.country': {
    uid: 'shared.country'
    attributes: {
      code: { type: 'string' }
      name: { type: 'string' }
    }
  }
  'shared.hours': {
    uid: 'shared.hours'
    attributes: {
      day: { type: 'enumeration'; required: true; enum: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }
      from: { type: 'time' }
      to: { type: 'time' }
    }
  }
  'shared.link': {
    uid: 'shared.link'
    attributes: {
      label: { type: 'string'; required: true }
      url: { type: 'string'; required: true }
    }
  }
  'shared.quote': {
    uid: 'shared.quote'
    attributes: {
      text: { type: 'text'; required: true }
      source: { type: 'string' }
    }
  }
  'shared.seo': {
    uid: 'shared.seo'
    attributes: {
      metaTitle: { type: 'string'; required: true }
      metaDescription: { type: 'text' }
      social: { type: 'component'; component: 'shared.social' }
    }
  }
  'shared.social': {
    uid: 'shared.social'
    attributes: {
      card: { type: 'enumeration'; enum: ['summary', 'summary_large_image']; default: unknown }
      hashtag: { type: 'string' }
    }
  }
}

// @ts-ignore: where it is installed
declare module '@octavo/core' {
  interface RegisteredTypes extends ContentTypes {}
}
// @ts-ignore: where it is installed
declare module '@octavo/client' {
  interface RegisteredTypes extends ContentTypes {}
}
