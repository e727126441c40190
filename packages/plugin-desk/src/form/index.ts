/**
 * The form of an entry, without a page: no DOM, no framework, no dependency.
 *
 *     const model = modelOf(await json('/desk/api/model'))
 *     const form = new Form(model, readEntry(model, uid, answer.data)) // or emptyGroup(model, uid) for a new entry
 *
 * **Nodes.** A form is a tree of nodes with keys that never change: `title`, `seo/shared.seo:3/metaTitle`,
 * `sections/page.text:12/text`; `''` is the entry. `form.get(key)` is the node as it is now, another object after each change, so that a
 * page shows it with `useSyncExternalStore((call) => form.subscribe(key, call), () => form.get(key))`. A group has `fields`, a scalar has
 * `value`, a relation has `items` with ids and labels, and `components` (single, repeatable and zones alike) has `items`, keys of groups.
 *
 * **Subscriptions.** `subscribe(key)` hears of the node itself; `subscribeSummary(key)` of the node and everything below, for a closed
 * part: `form.summary(key)` counts changes, errors and overlaps. A keystroke calls the subscribers of one node and the summaries above it.
 *
 * **Edits.** `set`, `link`, `unlink`, `moveLink`, `insert`, `remove`, `move`; `copied` makes a part for the clipboard, `insert` takes it;
 * `transaction` joins edits; `undo` and `redo` return the key to show. Values are JSON as in answers and are never converted: a richtext
 * remains the text that it is, and blocks keep nodes that nobody knows.
 *
 * **Saving.** `updateBody()` is the smallest PUT, `createBody()` a POST. Keep `const sent = form.value()` with the request, and call
 * `form.saved(sent, readEntry(model, uid, answer.data))`. After a 412, `form.receive(theirs)` merges and shows overlaps at their nodes;
 * `form.resolve(overlap, side)` ends one. After a 400, `form.setErrors(placeErrors(sent, error.details.errors))`; `form.errors()` is in
 * the order of the page, `form.pathTo(key)` has what to open. `form.mistakes({ draft })` finds what needs no server.
 *
 * `../wire` does all of this with the server, and `draft.ts` keeps a local copy.
 */
export { check, type FieldError } from './check.ts'
export { withoutPasswords } from './draft-text.ts'
export { duplicateOf } from './duplicate.ts'
export { keyNamed, placeErrors, withoutPlace } from './errors.ts'
export { type Changes, changedFields, fitting } from './fitting.ts'
export { Form } from './form.ts'
export type { FormOptions } from './form-tree.ts'
export { mergeEntries, type Overlap } from './merge.ts'
export {
  type AttributeDefinition,
  type Field,
  type FormModel,
  type FormSchema,
  fieldsOf,
  fileUid,
  isShared,
  modelOf,
  schemaOf,
} from './model.ts'
export type { ComponentsNode, FieldNode, FormNode, RelationNode, ScalarNode, Summary } from './nodes.ts'
export { sameField, sameFields, sameJson } from './same.ts'
export { isTakenOver, takeOver, takeOverAll } from './take-over.ts'
export {
  type ComponentValue,
  emptyGroup,
  type Fields,
  type FieldValue,
  type GroupValue,
  identityOf,
  type Linked,
  readEntry,
} from './value.ts'
