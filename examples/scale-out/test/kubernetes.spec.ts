import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Job } from 'kubernetes-models/batch/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Service } from 'kubernetes-models/v1'
import { describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const here = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))
const files = readdirSync(here('kubernetes')).filter((file) => file.endsWith('.yaml'))

interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}
const resourceOf = (file: string): Resource => parse(readFileSync(here(`kubernetes/${file}`), 'utf8'))

interface Model {
  readonly apiVersion: string
  new (data: never): { validate(): void }
}
const models: Readonly<Record<string, Model>> = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  PodDisruptionBudget,
  Service,
}
const check = (resource: Resource): void => {
  const model = models[resource.kind]
  if (!model) throw new Error(`${resource.kind} has no schema here`)
  expect(resource.apiVersion).toBe(model.apiVersion)
  // The schema checks the shape at run time.
  new model(resource as never).validate()
}

/** The errors of TypeScript for resources as literals, which know no further keys. The schemas allow any. */
function typeErrors(resources: readonly Resource[]): string {
  const folder = here('node_modules/.cache')
  mkdirSync(folder, { recursive: true })
  const lines = resources.map(({ apiVersion, kind, ...rest }, i) => {
    const module = apiVersion === 'v1' ? 'v1' : apiVersion
    return [
      `import type { I${kind} as T${i} } from 'kubernetes-models/${module}'`,
      `export const r${i}: T${i} = ${JSON.stringify({ apiVersion, kind, ...rest })}`,
    ]
  })
  const source = `${folder}/resources.ts`
  writeFileSync(source, lines.flat().join('\n'))
  const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--types',
    '',
    '--ignoreConfig',
  ]
  return spawnSync(process.execPath, [tsc, ...options, source], { encoding: 'utf8' }).stdout
}

describe('The files for Kubernetes', () => {
  it.each(files)('%s fits the schema', (file) => check(resourceOf(file)))

  it('have no keys that do not exist', () => {
    expect(typeErrors(files.map(resourceOf))).toBe('')
  })

  it('a mistake would be found', () => {
    const { spec, ...rest } = parse(readFileSync(here('kubernetes/service.yaml'), 'utf8'))
    expect(() => check({ ...rest, spec: { ...spec, ports: [{ port: 'http' }] } })).toThrow(/port/)
    expect(typeErrors([{ ...rest, spec: { ...spec, selectr: {} } }])).toContain('selectr')
  })

  it('refer to each other by names that exist', () => {
    const [deployment, service, autoscaling, disruption] = [
      'deployment',
      'service',
      'autoscaling',
      'disruption',
    ].map((name) => parse(readFileSync(here(`kubernetes/${name}.yaml`), 'utf8')))
    const { labels } = deployment.spec.template.metadata
    expect(deployment.spec.selector.matchLabels).toEqual(labels)
    expect(service.spec.selector).toEqual(labels)
    expect(disruption.spec.selector.matchLabels).toEqual(labels)
    expect(autoscaling.spec.scaleTargetRef).toEqual({
      apiVersion: deployment.apiVersion,
      kind: deployment.kind,
      name: deployment.metadata.name,
    })
    expect(disruption.spec.minAvailable).toBeLessThan(autoscaling.spec.minReplicas)
  })
})
