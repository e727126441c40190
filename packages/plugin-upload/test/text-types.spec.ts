import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { form, openSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const gpx =
  '<?xml version="1.0"?>\n<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1"><trk><name>A</name></trk></gpx>'
const kml =
  '<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><description><![CDATA[<html><body><script>a()</script></body></html>]]></description></Placemark></kml>'

async function uploaded(name: string, content: string | Uint8Array) {
  const { status, body } = await site.api.post('/api/upload', { body: form([{ name, content }]) })
  expect([status, body.error]).toEqual([200, undefined])
  return body[0]
}

describe('the extension of an uploaded text file', () => {
  it.each([
    ['route.gpx', 'application/gpx+xml', gpx],
    ['places.kml', 'application/vnd.google-earth.kml+xml', kml],
    [
      'film.srt',
      'application/x-subrip',
      '1\n00:00:00,000 --> 00:00:02,000\n<i>Hello</i> <font color="red">you</font>\n',
    ],
    ['film.vtt', 'text/vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\n<b>Hello</b>\n'],
    ['table.csv', 'text/csv', 'a,b\n1,"<script>alert(1)</script>"\n'],
    ['table.tsv', 'text/tab-separated-values', 'a\tb\n'],
    ['readme.md', 'text/markdown', '# Title\n\n<script>alert(1)</script>\n'],
    ['settings.toml', 'application/toml', 'title = "<html>"\n'],
    ['settings.yaml', 'text/yaml', 'a: 1\n'],
    [
      'meeting.ics',
      'text/calendar',
      'BEGIN:VCALENDAR\r\nX-ALT-DESC;FMTTYPE=text/html:<html><body>x</body></html>\r\nEND:VCALENDAR\r\n',
    ],
    ['area.geojson', 'application/geo+json', '{"type":"FeatureCollection","features":[]}'],
    ['scene.gltf', 'model/gltf+json', '{"asset":{"version":"2.0"}}'],
    ['data.json', 'application/json', '{"a":"<html>"}'],
    ['feed.rss', 'application/rss+xml', '<?xml version="1.0"?><rss version="2.0"><channel/></rss>'],
    ['script.py', 'text/plain', 'print(1)\n'],
  ])('of %s is kept', async (name, mime, content) => {
    const file = await uploaded(name, content)
    expect([file.ext, file.mime]).toEqual([path.extname(name), mime])
    expect(await readFile(path.join(site.folder, file.hash + file.ext), 'utf8')).toBe(content)
    const { headers } = await fetch(site.url + file.url)
    expect(headers.get('content-security-policy')).toMatch(/^sandbox/)
    if (mime !== 'text/plain') expect(headers.get('content-disposition')).toBe('attachment')
  })

  it.each([
    ['evil.gpx', '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>', '.txt'],
    ['evil.kml', '<kml xmlns:s="http://www.w3.org/2000/svg"><s:svg onload="alert(1)"/></kml>', '.txt'],
    ['evil.gpx', '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><gpx/>', '.txt'],
    ['evil.kml', '<html><script>alert(1)</script></html>', '.html'],
    ['evil.gpx', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', '.svg'],
    ['evil.xslt', '<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>', '.txt'],
    ['evil.xhtml', '<x xmlns="http://www.w3.org/1999/xhtml"/>', '.txt'],
    ['evil.html', 'no tags', '.txt'],
    ['lie.zip', 'text', '.txt'],
    ['lie.png', 'text', '.txt'],
    ['lie.mp4', 'text', '.txt'],
  ])('of %s becomes that of its content: %j', async (name, content, ext) => {
    const { ext: actual } = await uploaded(name, content)
    expect(actual).toBe(ext)
  })
})

describe('GET /api/upload/files', () => {
  beforeAll(async () => {
    for (const name of ['page1.txt', 'page2.txt', 'page3.txt']) await uploaded(name, name)
  })
  const names = async (query: string) => {
    const { status, body } = await site.api.get(
      `/api/upload/files?sort=name&filters[name][$startsWith]=page&${query}`,
    )
    return status === 200 ? body.map(({ name }: { name: string }) => name) : status
  }

  it('takes bare start, limit and _q', async () => {
    expect(await names('limit=2')).toEqual(['page1.txt', 'page2.txt'])
    expect(await names('start=1&limit=1')).toEqual(['page2.txt'])
    expect(await names('start=2')).toEqual(['page3.txt'])
    expect(await names('limit=-1')).toEqual(['page1.txt', 'page2.txt', 'page3.txt'])
    expect(await names('_q=page2')).toEqual(['page2.txt'])
    expect(await names('pagination[start]=1&pagination[limit]=1')).toEqual(['page2.txt'])
  })

  it.each(['limit=x', 'start=x', 'limit=1&limit=2', 'limit=1&pagination[page]=1', '%zz=1'])(
    'refuses %s',
    async (query) => {
      expect(await names(query)).toBe(400)
    },
  )
})
