import { useEffect, useRef, useState } from 'react'
import type { ScalarNode } from '../../form/index.ts'
import type { InputProps } from '../field-frame/input-props.ts'
import type { ListAnswer } from '../model/entries.ts'
import { mainFieldOf } from '../model/layout.ts'
import { isOfPrograms } from '../model/model.ts'
import { mayField } from '../model/rights.ts'
import { useSession } from '../model/session.tsx'
import { pathOf, useEntry, useNode } from '../open-entry/context.ts'
import { request } from '../requests/api.ts'
import { useText } from '../text/index.ts'
import { isNumbered, rivalsOf, slugOf } from '../values/slug.ts'

/** Milliseconds without a key before the server is asked. */
const pause = 300

/** An address of an entry, which no other entry may have; the server's check at the save is the one that counts. */
export function UidInput({ node, control, readOnly, shown, write, placeholder }: InputProps) {
  const text = useText()
  const { form, type } = useEntry()
  const isTaken = useTaken(node, shown)
  useFollowing(node, shown)
  /** Whether no address could be made of the title: the one that is there stays. */
  const [isNone, setNone] = useState(false)
  const from = node.definition.targetField ?? mainFieldOf(type)
  const suggest = () => {
    const title = form.find(keyBeside(node, String(from)))
    const made = title?.kind === 'scalar' && typeof title.value === 'string' ? slugOf(title.value) : ''
    setNone(made === '')
    if (made !== '') form.set(node.key, made)
  }
  const told = isNone ? text.uidNone : isTaken === undefined ? '' : isTaken ? text.uidTaken : text.uidFree
  return (
    <>
      <input
        {...control}
        className="in"
        dir="ltr"
        spellCheck={false}
        readOnly={readOnly}
        placeholder={placeholder}
        value={shown}
        onChange={({ target }) => {
          setNone(false)
          write(target.value)
        }}
      />
      {!readOnly && (
        <button type="button" className="button quiet small" onClick={suggest}>
          {text.suggest}
        </button>
      )}
      {/* Below the button: words that come while it is pressed would move it away. */}
      <p className={isTaken ? 'error' : 'hint'} role="status">
        {told}
      </p>
    </>
  )
}

/** The key of another attribute of the same entry or part. */
const keyBeside = ({ key }: ScalarNode, name: string): string => key.replace(/[^/]*$/, name)

/**
 * The address of a new entry follows its title until somebody writes another one. It does so where the layout only shows it, too: the
 * entry would have none.
 */
function useFollowing(node: ScalarNode, shown: string): void {
  const { form, type, locale } = useEntry()
  const { me } = useSession()
  const path = pathOf(node.key)
  const mayWrite = mayField(me, type.uid, 'create', path, locale) && !isOfPrograms(type, path)
  const { targetField } = node.definition
  const from = keyBeside(node, typeof targetField === 'string' ? targetField : node.name)
  const title = useNode(from)
  const made = from !== node.key && title?.kind === 'scalar' ? slugOf(String(title.value ?? '')) : undefined
  const before = useRef(made)
  // The address of a copy has a number at its end, as the original has the address of the title.
  const given = useRef(made && isNumbered(shown, made) ? shown : undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title is the signal
  useEffect(() => {
    const isFollowing = before.current !== made && (shown === before.current || shown === given.current)
    before.current = made
    if (made === undefined || !isFollowing || !mayWrite || form.base.id !== undefined) return
    form.set(node.key, made || null, { typing: true, follows: from })
  }, [made])
}

/** Whether another entry has a changed value; `undefined` while that is not known. Parts of entries are not asked for. */
function useTaken({ key, name, changed, definition }: ScalarNode, value: string): boolean | undefined {
  const { form, type, locale } = useEntry()
  const [known, setKnown] = useState<{ readonly value: string; readonly isTaken: boolean }>()
  const isAsked = changed && value !== '' && definition.unique !== false && !key.includes('/')
  useEffect(() => {
    if (!isAsked) return
    const ending = new AbortController()
    const ask = async () => {
      const { id } = form.base
      const query = {
        ...rivalsOf(type, definition, locale),
        fields: ['id'],
        filters: { [name]: { $eq: value }, ...(id !== undefined && { id: { $ne: id } }) },
        pagination: { pageSize: 1, withCount: false },
      }
      const options = { query, signal: ending.signal }
      const { body } = await request<ListAnswer>('GET', `content/${type.route}`, options)
      setKnown({ value, isTaken: body.data.length > 0 })
    }
    // Without an answer the save tells.
    const timer = setTimeout(() => void ask().catch(() => {}), pause)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [isAsked, value, name, definition, locale, form, type])
  return isAsked && known?.value === value ? known.isTaken : undefined
}
