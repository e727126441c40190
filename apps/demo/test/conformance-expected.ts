/**
 * Recorded exchanges that we do not answer as recorded, by id, each with its reason. One that agrees after all fails the
 * test, so that this list only ever gets shorter.
 */
export const expectedFailures: Readonly<Record<string, string>> = {
  'populate-027':
    'BEHAVIOUR.md: start and limit page within each parent’s list; the record pages over the children of all parents together',
  'populate-028':
    'BEHAVIOUR.md: start and limit page within each parent’s list; the record pages over the children of all parents together',
  'components/17':
    'BEHAVIOUR.md: populate as text and in brackets is the union; the record wants it refused, and so {r} is never saved',
  'components/18':
    'BEHAVIOUR.md: populate as text and in brackets is the union; the record wants it refused, and so {r} is never saved',
  'components/19':
    'BEHAVIOUR.md: populate as text and in brackets is the union; the record wants it refused, and so {r} is never saved',
  'components/20':
    'BEHAVIOUR.md: populate as text and in brackets is the union; the record wants it refused, and so {r} is never saved',
}
