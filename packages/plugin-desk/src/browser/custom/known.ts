/** Custom fields of Strapi that projects use most, and how the desk shows each without its plugin. */

/**
 * - `html`: the source of a text with tags
 * - `choices`: a list of values, each of which is one of `options`
 * - `lines`: a list of texts
 * - `colour`, `country`, `place`, `icon`, `video`: the value by its type, with a hint
 * - `other`: the value by its type, with the name of the custom field
 */
export type CustomKind =
  | 'html'
  | 'choices'
  | 'lines'
  | 'colour'
  | 'country'
  | 'place'
  | 'icon'
  | 'video'
  | 'other'

const kinds: Readonly<Record<string, CustomKind>> = {
  'plugin::ckeditor.CKEditor': 'html',
  'plugin::ckeditor5.CKEditor': 'html',
  'plugin::tinymce.tinymce': 'html',
  'plugin::multi-select.multi-select': 'choices',
  'plugin::tagsinput.tags': 'lines',
  'plugin::string-array.input': 'lines',
  'plugin::color-picker.color': 'colour',
  'plugin::country-select.country': 'country',
  'plugin::multi-country-select.countries': 'country',
  'plugin::react-icons.icon': 'icon',
  'plugin::google-maps.location-picker': 'place',
  'plugin::map-field.map': 'place',
  'plugin::strapi-leaflet-geoman.geojson': 'place',
  'plugin::oembed.oembed': 'video',
  'plugin::video-field.video': 'video',
}

/** @returns `undefined` for an attribute without a custom field */
export const customKindOf = (customField: unknown): CustomKind | undefined =>
  typeof customField !== 'string' ? undefined : (kinds[customField] ?? 'other')

/** `plugin::color-picker.color` as `color-picker`. */
export const pluginOf = (customField: string): string =>
  /^plugin::([^.]+)/.exec(customField)?.[1] ?? customField
