import { writeFileSync } from 'node:fs'
import { contentOf } from '../peers/content.ts'
import { install } from '../peers/install.ts'
import { Running } from '../peers/running.ts'
import { octavo, reference } from './project.ts'

const server = new URL('postgres://postgres@127.0.0.1:5434/postgres')
const urls = []
for (const peer of [reference, octavo])
  urls.push((await Running.start(await install(peer, '/work/peers'), server, contentOf(0))).url)
writeFileSync('/work/m/hold.json', JSON.stringify(urls))
setInterval(() => {}, 1000)
