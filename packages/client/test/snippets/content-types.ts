export type { components, contentTypes } from '../model.ts'
