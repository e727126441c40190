import type { ContentTypeDefinition } from '@octavo/core'
import { chromiumOptions, chromiumPath } from '@octavo/testing'
import { violationsOf } from '@octavo/testing/violations'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signIn } from './entry/visit.ts'
import { openSite, type Site } from './site.ts'

// Pages in Chromium take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const custom = (type: string, customField: string, options?: unknown) =>
  ({ type, customField: `plugin::${customField}`, ...(options !== undefined && { options }) }) as never

const options = ['Sea view:sea', 'Terrace:terrace', 'Wifi']

const house: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'house', pluralName: 'houses' },
  attributes: {
    name: { type: 'string', required: true },
    state: { type: 'enumeration', enum: ['open', 'closed'] },
    // As a schema.json has it, and as an archive has it.
    wall: { type: 'customField', customField: 'plugin::color-picker.color' },
    door: custom('string', 'color-picker.color'),
    features: custom('json', 'multi-select.multi-select', options),
    older: custom('json', 'multi-select.multi-select', options),
    other: custom('json', 'multi-select.multi-select', options),
    text: custom('richtext', 'ckeditor5.CKEditor'),
    more: custom('richtext', 'tinymce.tinymce'),
    tags: custom('json', 'tagsinput.tags'),
    named: custom('json', 'tagsinput.tags'),
    country: custom('string', 'country-select.country'),
    place: custom('json', 'strapi-leaflet-geoman.geojson'),
    video: custom('text', 'oembed.oembed'),
    own: { type: 'customField', customField: 'plugin::house-rules.rules' },
  },
}

/** Values that a field of another form would change. */
const values = {
  name: 'By the sea',
  state: 'open',
  wall: ' #336699cc',
  door: 'rebeccapurple',
  features: ['Wifi', 'gone', 'sea'],
  older: '["terrace"]',
  other: [{ value: 'sea' }],
  text: '<p class="a">One &amp; two</p>\r\n<p>*three*</p> ',
  more: '<table><tr><td>\t1</td></tr></table>',
  tags: ['north', 'north ', ''],
  named: [{ name: 'north' }],
  country: 'FR',
  place: { type: 'Point', coordinates: [13.4, 1e-7] },
  video: '{"url":"https://video.example/1",  "title":"One"}',
  own: 'first\nsecond  ',
}

describe('Custom fields', () => {
  let site: Site
  let ada: string
  let id: number
  const stored = async () => (await site.send(ada, 'GET', `content/houses/${id}`)).body.data.attributes

  beforeAll(async () => {
    site = await openSite([house], [])
    ada = await site.signIn('ada@example.org')
    const made = await site.send(ada, 'POST', 'content/houses', { data: values })
    expect(made).toMatchObject({ status: 200 })
    id = made.body.data.id
  })
  afterAll(() => site?.close())

  it('GET /desk/api/model has their base types beside their names', async () => {
    const { attributes } = (await site.send(ada, 'GET', 'model')).body.types[0]
    expect(attributes).toMatchObject({
      wall: { type: 'string', customField: 'plugin::color-picker.color' },
      door: { type: 'string', customField: 'plugin::color-picker.color' },
      features: { type: 'json', customField: 'plugin::multi-select.multi-select', options },
      own: { type: 'string', customField: 'plugin::house-rules.rules' },
    })
  })

  it('those with a short base type are columns and narrow fields, as attributes of this type are', async () => {
    const { body } = await site.send(ada, 'GET', 'layouts/api::house.house')
    expect(body.list.columns).toEqual(['name', 'state', 'wall', 'door', 'updatedAt'])
  })

  describe.runIf(chromiumPath())('in Chromium', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await chromium.launch(chromiumOptions())
    })
    afterAll(() => browser?.close())

    it('each is shown by its base type with a hint, keeps its value byte for byte, and can be changed', async () => {
      // A value that the enumeration had once.
      const { octavo, registry } = site.server
      await octavo.store.transaction((tx) =>
        tx.rows(registry.contentType('api::house.house')).update({ where: { id }, set: { state: 'let' } }),
      )
      const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
      await signIn(page.context(), site.url)
      await page.goto(`${site.url}/desk/content/houses/${id}`)
      const name = page.locator('#field-name')
      await name.fill('Still by the sea')
      const save = async () => {
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByRole('button', { name: 'Saved' }).waitFor()
      }
      for (const hint of [
        'A colour, such as #336699.',
        'A country by its two letters, such as FR.',
        'The HTML source of the text.',
        'A place on a map, as JSON.',
        'This is a value of the custom field house-rules, whose editor is not available here.',
      ])
        await page.getByText(hint).first().waitFor()
      expect(await page.locator('#field-state').locator('option:checked').textContent()).toBe(
        'Let (no longer an option)',
      )
      // An unchanged value is saved with the rest of the entry, and stays.
      await save()
      expect(await stored()).toMatchObject({ name: 'Still by the sea', state: 'let' })
      await page.locator('#field-state').selectOption('closed')
      expect(await violationsOf(page)).toEqual([])
      await save()
      expect(await stored()).toMatchObject({ ...values, name: 'Still by the sea', state: 'closed' })

      const features = page.getByRole('group', { name: 'Features' })
      await features.getByLabel('gone (no longer an option)').click()
      await features.getByLabel('Terrace').check()
      await page.getByRole('group', { name: 'Older' }).getByLabel('Sea view').check()
      await page.locator('#field-tags').fill('south\nwest')
      await page.locator('#field-text').fill('<p>*four*</p>')
      await page.locator('#field-own').fill('third\nfourth')
      await save()
      expect(await stored()).toMatchObject({
        ...values,
        name: 'Still by the sea',
        features: ['Wifi', 'sea', 'terrace'],
        older: '["terrace","sea"]',
        tags: ['south', 'west'],
        text: '<p>*four*</p>',
        own: 'third\nfourth',
        state: 'closed',
      })
      await page.context().close()
    })
  })
})
