import { diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import type { FieldNode, Overlap } from '../../form/index.ts'
import { useSession } from '../model/session.tsx'
import { leadTo, useEntry } from '../open-entry/context.ts'
import { useText } from '../text/index.ts'
import { wordsOfBoth } from '../values/words.ts'

/** Texts with more letters than this are shown without their differences, which would take too long to find. */
const longest = 50_000

interface Piece {
  readonly words: string
  readonly isOwn: boolean
}

/** Two texts in pieces, those that the other one lacks marked. */
function differencesOf(mine: string, theirs: string): readonly [readonly Piece[], readonly Piece[]] {
  const found =
    mine.length + theirs.length > longest ? undefined : diffWordsWithSpace(mine, theirs, { timeout: 200 })
  if (!found) return [[{ words: mine, isOwn: false }], [{ words: theirs, isOwn: false }]]
  const of = (side: 'added' | 'removed', other: 'added' | 'removed'): readonly Piece[] =>
    found.filter((one) => !one[other]).map((one) => ({ words: one.value, isOwn: one[side] }))
  return [of('removed', 'added'), of('added', 'removed')]
}

/** Both values of a conflict, with their differences, and the choice. */
export default function OverlapView({ overlap, node }: { overlap: Overlap; node: FieldNode }) {
  const text = useText()
  const entry = useEntry()
  const { form } = entry
  const choose = (side: 'mine' | 'theirs') => {
    form.resolve(overlap, side)
    // The buttons go with the conflict.
    leadTo(entry, node.key)
  }
  const { model } = useSession()
  const [mine, theirs] = wordsOfBoth(overlap, node, model, text)
  const [own, other] = useMemo(() => differencesOf(mine, theirs), [mine, theirs])
  return (
    <div className="overlap">
      <dl>
        <Side label={text.mineIs} pieces={own} />
        <Side label={text.theirsIs} pieces={other} />
      </dl>
      {mine === theirs && <p className="hint">{text.sameWords}</p>}
      <div className="row">
        <button type="button" className="button small" onClick={() => choose('mine')}>
          {text.keepMine}
        </button>
        <button type="button" className="button small" onClick={() => choose('theirs')}>
          {text.takeTheirs}
        </button>
      </div>
    </div>
  )
}

function Side({ label, pieces }: { label: string; pieces: readonly Piece[] }) {
  const text = useText()
  const { locale } = useEntry()
  const isEmpty = pieces.every(({ words }) => words === '')
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto" lang={locale} translate="no">
        {isEmpty
          ? text.emptyPart
          : pieces.map(({ words, isOwn }, i) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are drawn anew together
              isOwn ? <mark key={i}>{words}</mark> : <span key={i}>{words}</span>,
            )}
      </dd>
    </div>
  )
}
