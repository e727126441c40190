/** The configuration of the measured `octavo start`. */
import { components, draftedTypes } from './dataset.ts'

export default { contentTypes: draftedTypes, components }
